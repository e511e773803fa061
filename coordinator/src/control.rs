//! Requests of the owner of a census directory to the coordinator at work there.
//!
//! The owner queries the state of the census, copies it, changes tasks in quarantine, and evicts,
//! bans or pardons workers. The socket is in the directory itself, and only the owner of the
//! directory can open it: the owner may do all of that anyway while no coordinator is at work. One
//! line of JSON goes each way.
//!
//! A copy and the changes of the quarantine are not calls of the gRPC services, since no role in a
//! certificate must give the right to them: a copy writes files on the coordinator's machine, and a
//! dropped task changes what the census claims. The state, evicting, banning and pardoning are
//! calls of the gRPC services as well, for people on other machines.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream as Caller;
use std::path::{Path, PathBuf};
use std::time::Duration;

use misere_census::TaskId;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::task::JoinHandle;

use misere_store::CONTROL;

use crate::driver::{Ban, Eviction, Pardon};
use crate::local;
use crate::observer::{LiveStatus, Observer};

/// The longest line read, in bytes.
const LINE_BYTES: u64 = 16 << 20;

/// The time in which a caller has to send its request.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(10);

/// A request of the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// A query of the state of the census.
    Status,
    /// A copy of the census into a directory, named by an absolute path.
    Backup(#[serde(with = "path_or_bytes")] PathBuf),
    /// Tasks in quarantine that are to be granted again.
    Retry(Vec<TaskId>),
    /// Tasks in quarantine that are to be dropped.
    Drop(Vec<TaskId>),
    /// Workers to evict, by number, name or fingerprint.
    Evict(String),
    /// A worker to ban, by name or fingerprint.
    Ban(String),
    /// A worker to trust again, by name or fingerprint.
    Pardon(String),
}

/// A path as a text, or as the list of its bytes if it is not UTF-8.
mod path_or_bytes {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum PathForm {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        match path.to_str() {
            Some(text) => text.serialize(to),
            None => path.as_os_str().as_bytes().serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(match PathForm::deserialize(from)? {
            PathForm::Text(text) => text.into(),
            PathForm::Bytes(bytes) => OsString::from_vec(bytes).into(),
        })
    }
}

/// The answer to a [`Request`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The state of the census.
    Status(Box<LiveStatus>),
    /// The end of the copy.
    Copied,
    /// The number of tasks that have changed.
    Changed(u64),
    /// The workers that were evicted.
    Evicted(Eviction),
    /// The workers that are banned.
    Banned(Ban),
    /// The workers that are trusted again.
    Pardoned(Pardon),
    /// The reason why the order could not be carried out.
    Failed(String),
}

/// The reason why a coordinator could not be queried.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// A broken connection, or an answer that cannot be read.
    #[error("the coordinator did not answer: {0}; ask again")]
    Broken(std::io::Error),
    /// The coordinator's reason for not carrying out the order.
    #[error("{0}")]
    Failed(String),
}

/// Answers the processes that may open the directory, until the handle is aborted.
///
/// # Errors
/// The system's error if the socket cannot be made.
pub fn serve(data: &Path, observer: Observer) -> std::io::Result<JoinHandle<()>> {
    // The store's lock is held, so the process that made an existing socket is gone.
    let listener = local::listen(data, CONTROL)?;
    Ok(tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((caller, _)) => {
                    tokio::spawn(answer(caller, observer.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot take a call on the control socket");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }))
}

async fn answer(mut caller: UnixStream, observer: Observer) {
    let (reader, mut writer) = caller.split();
    let mut line = Vec::new();
    let mut reader = tokio::io::BufReader::new(reader).take(LINE_BYTES);
    match tokio::time::timeout(EXCHANGE_TIMEOUT, reader.read_until(b'\n', &mut line)).await {
        Ok(Ok(_)) => {}
        // The caller has gone.
        Ok(Err(_)) | Err(_) => return,
    }
    let answer = match serde_json::from_slice(&line) {
        Ok(request) => fulfil(request, &observer).await,
        Err(error) => Answer::Failed(format!("the question is not understood: {error}")),
    };
    if let Ok(mut text) = serde_json::to_vec(&answer) {
        text.push(b'\n');
        // The caller may have gone; what was done stays done.
        let _ = writer.write_all(&text).await;
    }
}

async fn fulfil(request: Request, observer: &Observer) -> Answer {
    match request {
        Request::Status => Answer::Status(Box::new(observer.standing())),
        Request::Backup(to) if !to.is_absolute() => {
            Answer::Failed(format!("{} is not an absolute path", to.display()))
        }
        Request::Backup(to) => {
            let files = observer.files().clone();
            let copied = tokio::task::spawn_blocking(move || files.copy(&to)).await;
            match copied {
                Ok(Ok(())) => Answer::Copied,
                Ok(Err(error)) => Answer::Failed(error.to_string()),
                Err(error) => Answer::Failed(error.to_string()),
            }
        }
        Request::Retry(tasks) => changed(
            observer
                .with_store(move |store| store.release(&tasks))
                .await,
        ),
        Request::Drop(tasks) => changed(
            observer
                .with_store(move |store| store.give_up(&tasks))
                .await,
        ),
        Request::Evict(who) => match observer.driver().evict(who).await {
            Ok(Ok(evicted)) => Answer::Evicted(evicted),
            Ok(Err(nobody)) => Answer::Failed(nobody.to_string()),
            Err(gone) => Answer::Failed(gone.to_string()),
        },
        Request::Ban(who) => match observer.driver().ban(who).await {
            Ok(Ok(ban)) => Answer::Banned(ban),
            Ok(Err(why)) => Answer::Failed(why.to_string()),
            Err(gone) => Answer::Failed(gone.to_string()),
        },
        Request::Pardon(who) => match observer.driver().pardon(who).await {
            Ok(Ok(pardoned)) => Answer::Pardoned(pardoned),
            Ok(Err(nobody)) => Answer::Failed(nobody.to_string()),
            Err(gone) => Answer::Failed(gone.to_string()),
        },
    }
}

fn changed(
    result: Result<Result<u64, misere_store::StoreError>, crate::driver::DriverClosedError>,
) -> Answer {
    match result {
        Ok(Ok(number)) => Answer::Changed(number),
        Ok(Err(error)) => Answer::Failed(error.to_string()),
        Err(gone) => Answer::Failed(gone.to_string()),
    }
}

/// Sends a request to the coordinator at work in a directory; `None` if none answers there.
///
/// # Errors
/// [`ControlError`] if the exchange breaks off or the order cannot be carried out.
pub fn ask(data: &Path, request: &Request) -> Result<Option<Answer>, ControlError> {
    // No socket, or one that a process left when it was killed.
    let connected = local::short(data, CONTROL).and_then(|(path, _opened)| Caller::connect(path));
    let Ok(coordinator) = connected else {
        return Ok(None);
    };
    match converse(coordinator, request).map_err(ControlError::Broken)? {
        Answer::Failed(why) => Err(ControlError::Failed(why)),
        answer => Ok(Some(answer)),
    }
}

fn converse(mut coordinator: Caller, request: &Request) -> std::io::Result<Answer> {
    let mut text = serde_json::to_vec(request)?;
    text.push(b'\n');
    coordinator.write_all(&text)?;
    let mut line = Vec::new();
    BufReader::new(coordinator.take(LINE_BYTES)).read_until(b'\n', &mut line)?;
    Ok(serde_json::from_slice(&line)?)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn a_path_that_is_not_utf8_arrives() {
        for (path, written) in [
            (PathBuf::from("/a b"), r#"{"backup":"/a b"}"#),
            (
                OsString::from_vec(b"/\xff".to_vec()).into(),
                r#"{"backup":[47,255]}"#,
            ),
        ] {
            let request = Request::Backup(path);
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(text, written);
            assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request);
        }
    }
}
