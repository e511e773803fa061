//! The service of checkers, which check the certificates of workers.
//!
//! A checker is connected as long as its call lasts. Its word is taken, so it has to show a
//! certificate with its role, or come by the socket that only the owner of the directory can open.

use std::collections::VecDeque;
use std::time::Duration;

use misere_census::chunk::MAX_STATED_BYTES;
use misere_census::{
    MAX_REASON_CHARS, MemoryClass, WorkerIdentity, printable, worker_name::certified,
};
use misere_ledger::{CheckId, CheckerId};
use misere_proto::v1::census_checker_server::CensusChecker;
use misere_proto::v1::check_answer::Verdict;
use misere_proto::v1::{self, checker_message::Message};
use misere_proto::{CHUNK_BYTES, CallError, MAX_MESSAGE_BYTES, PROTOCOL, WireError};
use prost::Message as _;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::caller::Caller;
use super::service::{MAX_ENGINE_CHARS, MAX_NAME_CHARS, shown_name, stopping};
use crate::check_threads::{CertificateVerifier, CheckOrder, CheckerAnswer};
use crate::driver::{DriverHandle, Introduction, RegistrationError, Snapshot};

/// The time in which a checker has to introduce itself.
const INTRODUCTION: Duration = Duration::from_secs(10);

/// The number of certificates that wait to be sent to a checker.
const WAITING: usize = 4;

/// The service of checkers.
#[derive(Clone, Debug)]
pub struct CheckerService {
    driver: DriverHandle,
    verifier: CertificateVerifier,
    snapshots: watch::Receiver<Snapshot>,
    /// Whether nothing shows who the callers are.
    is_anonymous: bool,
}

/// A connection of a checker, which leaves when this is dropped.
struct Connection {
    verifier: CertificateVerifier,
    checker: CheckerId,
    name: String,
}

impl Drop for Connection {
    fn drop(&mut self) {
        tracing::info!(name = self.name, "checker left");
        self.verifier.leave(self.checker);
    }
}

impl CheckerService {
    /// Creates the service over a driver and a verifier.
    #[must_use]
    pub(crate) fn new(
        driver: DriverHandle,
        verifier: CertificateVerifier,
        snapshots: watch::Receiver<Snapshot>,
    ) -> Self {
        Self {
            driver,
            verifier,
            snapshots,
            is_anonymous: false,
        }
    }

    /// Returns the service for a port at which callers show no certificates: it admits none.
    #[must_use]
    pub(super) fn for_anonymous_callers(self, is_anonymous: bool) -> Self {
        Self {
            is_anonymous,
            ..self
        }
    }

    /// Admits a checker that introduces itself.
    async fn admit(
        &self,
        introduction: v1::CheckerIntroduction,
        caller: Option<&Caller>,
    ) -> Result<(Connection, mpsc::UnboundedReceiver<CheckOrder>), CallError> {
        let v1::CheckerIntroduction {
            protocol,
            name: claimed,
            slots,
            engine: found,
        } = introduction;
        let claimed = printable(&claimed, MAX_NAME_CHARS);
        if protocol != PROTOCOL {
            tracing::warn!(
                name = claimed,
                protocol,
                "checker refused: another protocol"
            );
            return Err(CallError::Protocol { found: protocol });
        }
        let found = printable(&found, MAX_ENGINE_CHARS);
        let here = misere_census::engine_fingerprint();
        if found != here {
            tracing::warn!(
                name = claimed,
                found,
                here,
                "checker refused: another engine"
            );
            return Err(CallError::Engine { found, here });
        }
        let name = shown_name(&claimed, caller);
        let identity = WorkerIdentity::named(certified(&name));
        let introduction = Introduction {
            identity,
            name: name.clone(),
            fingerprint: caller.map(|caller| caller.fingerprint.to_string()),
            slots,
            class: MemoryClass::FIRST,
        };
        let admitted = self.driver.admit_checker(introduction).await;
        match admitted.map_err(stopping)? {
            Ok(()) => {}
            Err(RegistrationError::Banned) => return Err(CallError::Banned),
            Err(RegistrationError::Spent) => return Err(CallError::Stopping),
            Err(error @ RegistrationError::Distrusted) => {
                return Err(CallError::Distrusted(error.to_string()));
            }
        }
        let joined = self.verifier.join(identity, slots);
        let (checker, orders) = joined.map_err(|refusal| CallError::Away(refusal.to_string()))?;
        tracing::info!(name, slots, "checker joined");
        let connection = Connection {
            verifier: self.verifier.clone(),
            checker,
            name,
        };
        Ok((connection, orders))
    }
}

#[tonic::async_trait]
impl CensusChecker for CheckerService {
    type CheckStream = ReceiverStream<Result<v1::CheckRequest, Status>>;

    async fn check(
        &self,
        request: Request<Streaming<v1::CheckerMessage>>,
    ) -> Result<Response<Self::CheckStream>, Status> {
        if self.is_anonymous {
            return Err(Status::permission_denied(
                "the word of a checker is taken, so it needs a certificate with the role checker \
                 (`misere coordinator certs --role checker`), or the socket of the census on the \
                 same machine",
            ));
        }
        let caller = request.extensions().get::<Caller>().cloned();
        let mut messages = request.into_inner();
        let first = tokio::time::timeout(INTRODUCTION, messages.message()).await;
        let first =
            first.map_err(|_| Status::deadline_exceeded("the introduction did not come"))?;
        let Some(Message::Introduction(introduction)) = first?.and_then(|first| first.message)
        else {
            return Err(CallError::from(WireError::Missing("introduction")).into());
        };
        let (connection, orders) = self.admit(introduction, caller.as_ref()).await?;
        let (requests, stream) = mpsc::channel(WAITING);
        let sender = (self.verifier.clone(), connection.checker);
        let sending = send_orders(orders, requests, self.snapshots.clone(), sender);
        // A checker that keeps its half of the stream open must not keep the connection open.
        tokio::spawn(async move {
            tokio::select! {
                () = sending => {}
                () = take_answers(messages, connection) => {}
            }
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}

/// Takes the answers of a checker until it leaves.
async fn take_answers(mut messages: Streaming<v1::CheckerMessage>, connection: Connection) {
    let mut begun = Vec::new();
    // The check whose answer has begun.
    let mut open = None;
    while let Ok(Some(message)) = messages.message().await {
        let Some(Message::Answer(answer)) = message.message else {
            return;
        };
        let reason = |text: String| printable(&text, MAX_REASON_CHARS);
        let is_other = open.is_some_and(|check| check != answer.check);
        let verdict = match answer.verdict {
            _ if is_other => return,
            Some(Verdict::Accepted(bytes)) => {
                begun.extend(bytes);
                if begun.len() > MAX_STATED_BYTES {
                    return;
                }
                if answer.more {
                    open = Some(answer.check);
                    continue;
                }
                CheckerAnswer::Accepted(std::mem::take(&mut begun))
            }
            _ if open.is_some() => return,
            Some(Verdict::Refused(text)) => CheckerAnswer::Refused(reason(text)),
            Some(Verdict::Unable(text)) => CheckerAnswer::Unable(reason(text)),
            None => return,
        };
        open = None;
        let check = CheckId(answer.check);
        connection
            .verifier
            .answer(connection.checker, check, verdict);
    }
}

/// Sends a checker its certificates, until it leaves, is sent away, or the census is finished.
async fn send_orders(
    mut orders: mpsc::UnboundedReceiver<CheckOrder>,
    requests: mpsc::Sender<Result<v1::CheckRequest, Status>>,
    mut snapshots: watch::Receiver<Snapshot>,
    (verifier, checker): (CertificateVerifier, CheckerId),
) {
    // It is admitted.
    let mut next = VecDeque::from([v1::CheckRequest::default()]);
    let mut is_last = false;
    while !(is_last && next.is_empty()) {
        tokio::select! {
            // A checker that does not read has no place for them.
            place = requests.reserve(), if !next.is_empty() => {
                let (Ok(place), Some(request)) = (place, next.pop_front()) else {
                    return;
                };
                place.send(Ok(request));
            }
            order = orders.recv() => {
                let Some(order) = order else {
                    return;
                };
                let check = order.check;
                let parts = parts(order);
                if parts.iter().any(|part| part.encoded_len() > MAX_MESSAGE_BYTES) {
                    let unable = CheckerAnswer::Unable("the task is larger than a message".to_owned());
                    verifier.answer(checker, check, unable);
                } else {
                    next.extend(parts);
                }
            }
            () = requests.closed() => return,
            is_finished = finishes(&mut snapshots), if !is_last => {
                if !is_finished {
                    return;
                }
                next.push_back(v1::CheckRequest { finished: true, ..Default::default() });
                is_last = true;
            }
        }
    }
}

/// Waits for the end of the census; `false` if the coordinator ends before.
async fn finishes(snapshots: &mut watch::Receiver<Snapshot>) -> bool {
    snapshots.wait_for(Snapshot::is_finished).await.is_ok()
}

/// Returns the messages in which a certificate is sent.
fn parts(order: CheckOrder) -> Vec<v1::CheckRequest> {
    let mut task = Some((&order.task).into());
    // An empty certificate gets a verdict, too.
    let (chunks, empty) = match order.certificate.is_empty() {
        true => (order.certificate.chunks(1), Some(&[][..])),
        false => (order.certificate.chunks(CHUNK_BYTES), None),
    };
    let last = chunks.len().saturating_sub(1);
    let part = |(place, chunk): (usize, &[u8])| v1::CheckRequest {
        check: order.check.0,
        task: task.take(),
        certificate: chunk.to_vec(),
        finished: false,
        more: place < last,
    };
    chunks.chain(empty).enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use misere_census::{Budget, Task};

    use super::*;

    #[test]
    fn a_certificate_is_sent_in_parts_with_its_task_in_the_first() {
        let sizes = |bytes: usize| -> Vec<(usize, bool, bool)> {
            let order = CheckOrder {
                check: CheckId(7),
                task: Task::game("0.77".parse().unwrap(), Vec::new(), Budget::default()),
                certificate: vec![1; bytes],
            };
            let shown = |part: v1::CheckRequest| {
                assert_eq!((part.check, part.finished), (7, false));
                (part.certificate.len(), part.task.is_some(), part.more)
            };
            parts(order).into_iter().map(shown).collect()
        };
        assert_eq!(sizes(0), [(0, true, false)]);
        assert_eq!(sizes(CHUNK_BYTES), [(CHUNK_BYTES, true, false)]);
        let three = [
            (CHUNK_BYTES, true, true),
            (CHUNK_BYTES, false, true),
            (1, false, false),
        ];
        assert_eq!(sizes(2 * CHUNK_BYTES + 1), three);
    }
}
