//! `misere health`: the check whether a coordinator or a worker is alive.
//!
//! Supervisors of processes use it, so an image needs no other program for its health check.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::exit::{CommandError, Exit, Failure};

/// The time that an answer may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);

/// The greatest age of the file of a living worker.
///
/// The worker touches the file every two seconds, but a call to an unreachable coordinator may
/// block it for ten.
const FRESH: Duration = Duration::from_secs(45);

/// The arguments of `misere health`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere health /run/misere/alive              a worker: its --sign-of-life is
                                               fresh
  misere health tcp://127.0.0.1:7117           a coordinator: it listens
  misere health http://127.0.0.1:9117/readyz   anything that answers 200

Exit codes: 0 alive, 1 not, 2 usage.")]
pub struct HealthArgs {
    /// A file, tcp://HOST:PORT or http://HOST:PORT/PATH; all of them have to be well
    #[arg(value_name = "WHAT", required = true)]
    what: Vec<String>,
}

/// A health check found a problem.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UnhealthyError(String);

impl CommandError for UnhealthyError {}

/// Runs `misere health`.
///
/// # Errors
/// [`UnhealthyError`] says what is wrong.
pub fn run(args: &HealthArgs) -> Result<Exit, Failure> {
    for what in &args.what {
        let checked = match (what.strip_prefix("tcp://"), what.strip_prefix("http://")) {
            (Some(address), _) => connect(address).map(drop),
            (_, Some(rest)) => get(rest),
            (None, None) => is_fresh(Path::new(what)),
        };
        checked.map_err(|wrong| UnhealthyError(format!("{what}: {wrong}")))?;
    }
    Ok(Exit::Done)
}

fn is_fresh(file: &Path) -> Result<(), String> {
    let touched = std::fs::metadata(file).and_then(|about| about.modified());
    let touched = touched.map_err(|error| error.to_string())?;
    // A file from the future counts as fresh: clocks are set back now and then.
    let age = SystemTime::now()
        .duration_since(touched)
        .unwrap_or_default();
    match age <= FRESH {
        true => Ok(()),
        false => Err(format!("no sign of life for {} seconds", age.as_secs())),
    }
}

fn connect(address: &str) -> Result<TcpStream, String> {
    let addresses = address.to_socket_addrs();
    let addresses = addresses.map_err(|error| format!("{error} (write HOST:PORT)"))?;
    let mut refused = "no such address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, REQUEST_TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => refused = error.to_string(),
        }
    }
    Err(refused)
}

fn get(rest: &str) -> Result<(), String> {
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let text = |error: std::io::Error| error.to_string();
    let mut stream = connect(host)?;
    stream
        .set_read_timeout(Some(REQUEST_TIMEOUT))
        .map_err(text)?;
    stream
        .set_write_timeout(Some(REQUEST_TIMEOUT))
        .map_err(text)?;
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(text)?;
    let mut head = Vec::new();
    // Only "HTTP/1.1 200" matters.
    stream.take(12).read_to_end(&mut head).map_err(text)?;
    match String::from_utf8_lossy(&head).split_once(' ') {
        Some((version, "200")) if version.starts_with("HTTP/1.") => Ok(()),
        Some((version, status)) if version.starts_with("HTTP/1.") => {
            Err(format!("the answer has status {status}"))
        }
        _ => Err("the answer is not HTTP".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn health(what: &str) -> Result<Exit, Failure> {
        let what = vec![what.to_owned()];
        run(&HealthArgs { what })
    }

    /// Starts a server that gives one answer to every caller, and returns its address.
    fn answering(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // Read all of it: closing with unread bytes resets the connection.
            let mut asked = Vec::new();
            let mut some = [0; 256];
            while !asked.ends_with(b"\r\n\r\n") {
                let bytes = stream.read(&mut some).unwrap();
                asked.extend_from_slice(&some[..bytes]);
            }
            let _ = stream.write_all(answer.as_bytes());
        });
        address.to_string()
    }

    #[test]
    fn a_server_that_answers_200_is_healthy() {
        let well = answering("HTTP/1.1 200 OK\r\n\r\n");
        assert!(health(&format!("http://{well}/healthz")).is_ok());
        for (answer, says) in [
            ("HTTP/1.1 503 No\r\n\r\n", "status 503"),
            ("SSH-2.0-nothing here", "not HTTP"),
            ("", "not HTTP"),
        ] {
            let ill = answering(answer);
            let found = health(&format!("http://{ill}/readyz")).unwrap_err();
            assert!(found.to_string().contains(says), "{found}");
        }
    }

    #[test]
    fn an_address_is_healthy_while_it_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("tcp://{}", listener.local_addr().unwrap());
        assert!(health(&address).is_ok());
        drop(listener);
        assert!(health(&address).is_err());
        assert!(health("tcp://nonsense").is_err());
    }

    #[test]
    fn a_sign_of_life_expires() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("alive");
        let name = file.to_str().unwrap();
        assert!(health(name).is_err());
        std::fs::write(&file, "").unwrap();
        assert!(health(name).is_ok());
        let old = SystemTime::now() - 2 * FRESH;
        let opened = std::fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(old).unwrap();
        let found = health(name).unwrap_err().to_string();
        assert!(found.contains("no sign of life for"), "{found}");
    }
}
