//! A worker that checks the certificates of others instead of solving.
//!
//! The coordinator sends certificates, and gets for each a verdict: that it is proved, with what the
//! census keeps of it, that it is false, or that the checker cannot say. The coordinator takes back
//! what is not answered when the connection ends, so a checker has nothing to give back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use misere_census::admission::{VerificationError, verify};
use misere_census::chunk::MAX_STATED_BYTES;
use misere_census::{MAX_CERTIFICATE_BYTES, MAX_REASON_CHARS, Task, engine_fingerprint, printable};
use misere_game::control::Interrupt;
use misere_proto::v1::census_checker_client::CensusCheckerClient;
use misere_proto::v1::check_answer::Verdict;
use misere_proto::v1::{self, checker_message::Message};
use misere_proto::{CHUNK_BYTES, LastDialError, MAX_MESSAGE_BYTES, PROTOCOL, Security, dial};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::Channel;
use tonic::{Code, Status};

use crate::backoff::Backoff;
use crate::link::LinkError;
use crate::liveness::SignOfLife;
use crate::session::WorkerError;

/// The interval at which the file that shows that the checker is alive may be touched.
const SIGN: Duration = Duration::from_secs(2);

/// The settings of a checker.
#[derive(Clone, Debug)]
pub struct CheckerSettings {
    /// The coordinator's address, as `https://host:4000`.
    pub coordinator: String,
    /// The checker's name, for people.
    pub name: String,
    /// The number of certificates that it checks at once.
    pub slots: usize,
    /// The file that is touched while the checker is alive, if any.
    pub sign_of_life: Option<PathBuf>,
    /// The time for which it waits for a coordinator that is away.
    ///
    /// `None` means forever.
    pub give_up_after: Option<Duration>,
}

/// The way in which a connection ended.
enum End {
    /// The census is finished.
    Finished,
    /// A signal stopped the checker.
    Stopped,
    /// The coordinator is away, or refuses the call.
    Lost(Status),
}

/// Checks certificates until `stop` turns true or the census is finished.
///
/// # Errors
/// [`WorkerError`] if the checker cannot start, or if the coordinator does not take its word. It
/// waits for a coordinator that is away, as long as the settings say.
pub async fn check_secured(
    settings: CheckerSettings,
    security: &Security,
    stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    let (channel, last_fault) = dial(&settings.coordinator, security)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.slots)
        .thread_name(|n| format!("check-{n}"))
        .build()
        .map_err(|error| WorkerError::Threads(std::io::Error::other(error)))?;
    let checker = Checker {
        sign_of_life: settings.sign_of_life.clone().map(SignOfLife::new),
        settings,
        channel,
        last_fault,
        pool,
        stop,
        backoff: Backoff::default(),
        last_connected: Instant::now(),
    };
    checker.run().await
}

struct Checker {
    settings: CheckerSettings,
    channel: Channel,
    last_fault: LastDialError,
    pool: rayon::ThreadPool,
    stop: watch::Receiver<bool>,
    sign_of_life: Option<SignOfLife>,
    backoff: Backoff,
    last_connected: Instant,
}

impl Checker {
    /// Connects again and again.
    async fn run(mut self) -> Result<(), WorkerError> {
        loop {
            let error = match self.connection().await {
                End::Finished => {
                    tracing::info!("the census is finished");
                    return Ok(());
                }
                End::Stopped => return Ok(()),
                End::Lost(status) => LinkError::from(named(status)),
            };
            let fault = self.last_fault.get();
            if fault.is_none() && error.is_lasting() {
                return Err(WorkerError::Refused(error));
            }
            let pause = self.backoff.next_pause();
            self.backoff.log(&error, fault.as_ref());
            let waited = self.last_connected.elapsed();
            if let Some(after) = self.settings.give_up_after.filter(|&after| waited > after) {
                let why = fault.map_or_else(|| error.to_string(), |fault| fault.to_string());
                return Err(WorkerError::Away { after, why });
            }
            self.show_life();
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = self.stop.wait_for(|&stop| stop) => return Ok(()),
            }
        }
    }

    /// Checks certificates over one connection, until it ends.
    async fn connection(&mut self) -> End {
        let (answers, messages) = mpsc::unbounded_channel();
        let introduction = v1::CheckerIntroduction {
            protocol: PROTOCOL,
            name: self.settings.name.clone(),
            slots: u32::try_from(self.settings.slots).unwrap_or(u32::MAX),
            engine: engine_fingerprint(),
        };
        // The receiver is below.
        let _ = answers.send(message(Message::Introduction(introduction)));
        let mut client = CensusCheckerClient::new(self.channel.clone())
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let mut stop = self.stop.clone();
        let calling = client.check(UnboundedReceiverStream::new(messages));
        let called = tokio::select! {
            called = calling => called,
            _ = stop.wait_for(|&stop| stop) => return End::Stopped,
        };
        let mut requests = match called {
            Ok(called) => called.into_inner(),
            Err(status) => return End::Lost(status),
        };
        // What is being checked when the connection ends is of no use to anyone.
        let interrupt = InterruptGuard(Interrupt::default());
        let mut signs = tokio::time::interval(SIGN);
        // The parts of one answer must not come between those of another.
        let turn = Arc::new(Mutex::new(()));
        let (mut task, mut certificate) = (None, Vec::new());
        loop {
            let next = tokio::select! {
                next = requests.message() => next,
                _ = stop.wait_for(|&stop| stop) => return End::Stopped,
                _ = signs.tick() => {
                    self.show_life();
                    continue;
                }
            };
            let request = match next {
                Ok(Some(request)) if request.finished => return End::Finished,
                Ok(Some(request)) => request,
                Ok(None) => {
                    return End::Lost(Status::unavailable("the coordinator ended the call"));
                }
                Err(status) => return End::Lost(status),
            };
            self.last_connected = Instant::now();
            if request == v1::CheckRequest::default() {
                tracing::info!("checking certificates for the coordinator");
                self.backoff.reset();
                continue;
            }
            task = request.task.or(task);
            certificate.extend(request.certificate);
            if certificate.len() > MAX_CERTIFICATE_BYTES {
                return End::Lost(Status::out_of_range("a certificate is too long"));
            }
            if request.more {
                continue;
            }
            let (check, task) = (request.check, task.take().unwrap_or_default());
            let certificate = std::mem::take(&mut certificate);
            let (answers, interrupt) = (answers.clone(), interrupt.0.clone());
            let turn = Arc::clone(&turn);
            self.pool.spawn(move || {
                let parts = parts(check, verdict(task, &certificate, interrupt));
                let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
                for answer in parts {
                    // The receiver is gone if the connection has ended.
                    let _ = answers.send(message(Message::Answer(answer)));
                }
            });
        }
    }

    fn show_life(&mut self) {
        let now = Instant::now();
        self.sign_of_life.iter_mut().for_each(|sign| sign.give(now));
    }
}

/// An interrupt that is raised when this is dropped.
struct InterruptGuard(Interrupt);

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Returns the messages in which a verdict is sent.
fn parts(check: u64, verdict: Verdict) -> Vec<v1::CheckAnswer> {
    let Verdict::Accepted(stated) = verdict else {
        let verdict = Some(verdict);
        let more = false;
        return vec![v1::CheckAnswer {
            check,
            verdict,
            more,
        }];
    };
    let chunks = stated.chunks(CHUNK_BYTES);
    let last = chunks.len().saturating_sub(1);
    let part = |(place, chunk): (usize, &[u8])| v1::CheckAnswer {
        check,
        verdict: Some(Verdict::Accepted(chunk.to_vec())),
        more: place < last,
    };
    chunks.enumerate().map(part).collect()
}

/// Checks a certificate of a task, and returns the verdict.
fn verdict(task: v1::Task, certificate: &[u8], stop: Interrupt) -> Verdict {
    let task = match Task::try_from(task) {
        Ok(task) => task,
        Err(error) => return Verdict::Unable(error.to_string()),
    };
    let verified = catch_unwind(AssertUnwindSafe(|| verify(&task, certificate, stop)));
    let verified = verified.unwrap_or(Err(VerificationError::CheckerFailed));
    match verified.map(|verified| verified.state()) {
        Ok(Ok(stated)) if stated.len() <= MAX_STATED_BYTES => Verdict::Accepted(stated),
        Ok(Ok(_)) => Verdict::Unable("its result is too long".to_owned()),
        Ok(Err(error)) => Verdict::Unable(error.to_string()),
        Err(
            error @ (VerificationError::CheckerFailed
            | VerificationError::Stopped
            | VerificationError::TooLong(_)),
        ) => Verdict::Unable(error.to_string()),
        Err(error) => Verdict::Refused(printable(&error.to_string(), MAX_REASON_CHARS)),
    }
}

fn message(message: Message) -> v1::CheckerMessage {
    v1::CheckerMessage {
        message: Some(message),
    }
}

/// Returns the status with a message of use where the coordinator knows no checkers.
fn named(status: Status) -> Status {
    match status.code() {
        Code::Unimplemented => Status::new(
            Code::Unimplemented,
            "the coordinator is of a release without checkers; install this one there",
        ),
        _ => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::admission::VerifiedResult;
    use misere_census::{Budget, certificate};

    fn certified(code: &str) -> (Task, Vec<u8>) {
        let task = Task::game(code.parse().unwrap(), Vec::new(), Budget::default());
        let solution = crate::solve_task(task.as_game().unwrap(), Interrupt::default());
        (task, certificate::encode(&solution).unwrap())
    }

    #[test]
    fn a_proved_certificate_is_accepted_with_what_the_census_keeps() {
        let (task, certificate) = certified("0.77");
        let Verdict::Accepted(stated) = verdict((&task).into(), &certificate, Interrupt::default())
        else {
            panic!("it is proved");
        };
        let expected = verify(&task, &certificate, Interrupt::default()).unwrap();
        assert_eq!(VerifiedResult::stated(&task, &stated), Ok(expected));
    }

    #[test]
    fn false_certificates_are_refused_and_stopped_checks_are_not() {
        let (task, certificate) = certified("0.77");
        let (other, _) = certified("0.123");
        let judged = |task: &Task, certificate: &[u8]| {
            verdict(task.into(), certificate, Interrupt::default())
        };
        let of_another = judged(&other, &certificate);
        assert!(matches!(of_another, Verdict::Refused(_)));
        let cut = judged(&task, &certificate[..certificate.len() / 2]);
        assert!(matches!(cut, Verdict::Refused(_)));
        let raised = Interrupt::default();
        raised.raise();
        let stopped = verdict((&task).into(), &certificate, raised);
        assert!(matches!(stopped, Verdict::Unable(_)), "{stopped:?}");
        let nothing = verdict(v1::Task::default(), &certificate, Interrupt::default());
        assert!(matches!(nothing, Verdict::Unable(_)));
    }

    #[test]
    fn what_is_stated_is_sent_in_parts() {
        let sizes = |bytes: usize| -> Vec<(usize, bool)> {
            let shown = |answer: v1::CheckAnswer| match answer.verdict {
                Some(Verdict::Accepted(stated)) => (stated.len(), answer.more),
                other => panic!("{other:?}"),
            };
            let parts = parts(7, Verdict::Accepted(vec![1; bytes]));
            parts.into_iter().map(shown).collect()
        };
        assert_eq!(sizes(3), [(3, false)]);
        assert_eq!(sizes(CHUNK_BYTES + 1), [(CHUNK_BYTES, true), (1, false)]);
        let refused = parts(7, Verdict::Refused(String::new()));
        assert!(refused.len() == 1 && !refused[0].more);
    }
}
