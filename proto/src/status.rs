//! The gRPC status of each error.

use misere_census::printable;
use tonic::{Code, Status};

use crate::WireError;
use crate::connection::chain;

/// The most characters of a status that are shown.
const MAX_STATUS_CHARS: usize = 2_000;

/// Returns the text of a status with its cause.
///
/// A refused certificate shows only in the cause. The text comes from the other side, so it is made
/// [printable], and has one line.
#[must_use]
pub fn status_text(status: &Status) -> String {
    printable(&raw_text(status), MAX_STATUS_CHARS)
}

/// The words of the TLS library for a connection that ended without a farewell.
///
/// A link to a manual for programmers follows them.
const ENDED: &str = "peer closed connection without sending TLS close_notify";

fn raw_text(status: &Status) -> String {
    let causes = std::error::Error::source(status).map(chain);
    match causes {
        Some(causes) if causes.contains(ENDED) => "the other side ended the connection".to_owned(),
        Some(causes) if status.message().is_empty() => causes,
        Some(causes) if !causes.contains(status.message()) => {
            format!("{}: {causes}", status.message())
        }
        Some(causes) => causes,
        None => status.message().to_owned(),
    }
}

/// The reason why the coordinator refuses a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The worker's number was not issued by this coordinator since it started.
    #[error("unknown worker: register again")]
    UnknownWorker,
    /// The worker speaks another version of the protocol.
    #[error("protocol {found} is not spoken here (spoken: {})", crate::PROTOCOL)]
    Protocol {
        /// The version found.
        found: u32,
    },
    /// The worker would compute other results.
    #[error(
        "your results would not be ours: you have `{found}`, here is `{here}`; install the same release on both sides"
    )]
    Engine {
        /// The engine of the worker.
        found: String,
        /// The engine of the coordinator.
        here: String,
    },
    /// The number belongs to a worker with another certificate.
    #[error("that worker has another certificate")]
    NotYours,
    /// An operator refuses this worker.
    #[error(
        "an operator banned this worker; an operator can lift the ban with `misere census pardon`"
    )]
    Banned,
    /// The coordinator does not trust this checker.
    #[error(
        "this checker is not trusted: {0}; an operator can lift that with `misere census pardon`"
    )]
    Distrusted(String),
    /// The coordinator keeps this checker away for a time.
    #[error("this checker gets no certificates: {0}")]
    Away(String),
    /// Too much data is being received.
    #[error("too many certificates are on their way; try again")]
    Busy,
    /// The message cannot be understood.
    #[error("malformed message: {0}")]
    Malformed(#[from] WireError),
    /// The coordinator is stopping.
    #[error("the coordinator is stopping")]
    Stopping,
}

impl From<CallError> for Status {
    fn from(refusal: CallError) -> Self {
        let code = match refusal {
            CallError::UnknownWorker => Code::NotFound,
            CallError::Protocol { .. } | CallError::Engine { .. } => Code::FailedPrecondition,
            CallError::NotYours | CallError::Banned | CallError::Distrusted(_) => {
                Code::PermissionDenied
            }
            CallError::Busy | CallError::Away(_) => Code::ResourceExhausted,
            CallError::Malformed(_) => Code::InvalidArgument,
            CallError::Stopping => Code::Unavailable,
        };
        Self::new(code, refusal.to_string())
    }
}

/// The reaction that a status from the coordinator calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Register again: the coordinator does not know the worker.
    Register,
    /// Try again later: the coordinator is away, stopping or overloaded.
    Retry,
    /// Never send this message again: it is larger than either side takes.
    Oversize,
    /// Give up: the two sides do not understand each other.
    GiveUp,
}

impl From<&Status> for RefusalKind {
    fn from(status: &Status) -> Self {
        match status.code() {
            Code::NotFound => Self::Register,
            Code::FailedPrecondition
            | Code::InvalidArgument
            | Code::Unimplemented
            | Code::PermissionDenied => Self::GiveUp,
            // This is tonic's code for messages beyond the limit.
            Code::OutOfRange => Self::Oversize,
            _ => Self::Retry,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_one_line_that_cannot_control_a_terminal() {
        let hostile = "\u{1b}[2Jdone\nerror: forged\r\u{202e}\u{200b}";
        let shown = status_text(&Status::internal(hostile));
        assert_eq!(shown, " [2Jdone error: forged   ");
        let long = status_text(&Status::internal("x".repeat(100_000)));
        assert_eq!(long.len(), MAX_STATUS_CHARS);
    }

    #[test]
    fn a_connection_that_breaks_is_described_in_plain_words() {
        let words = format!("{ENDED}: https://docs.rs/rustls/latest");
        let broken = std::io::Error::new(std::io::ErrorKind::UnexpectedEof, words);
        let shown = status_text(&Status::from_error(Box::new(broken)));
        assert_eq!(shown, "the other side ended the connection");
    }

    #[test]
    fn statuses_call_for_the_right_thing() {
        let kind = |refusal: CallError| RefusalKind::from(&Status::from(refusal));
        assert_eq!(kind(CallError::UnknownWorker), RefusalKind::Register);
        assert_eq!(kind(CallError::Stopping), RefusalKind::Retry);
        assert_eq!(kind(CallError::Protocol { found: 9 }), RefusalKind::GiveUp);
        assert_eq!(kind(CallError::Busy), RefusalKind::Retry);
        assert_eq!(kind(CallError::NotYours), RefusalKind::GiveUp);
        assert_eq!(kind(CallError::Banned), RefusalKind::GiveUp);
        let (found, here) = ("a".to_owned(), "b".to_owned());
        let engine = kind(CallError::Engine { found, here });
        assert_eq!(engine, RefusalKind::GiveUp);
        assert_eq!(kind(WireError::TaskId.into()), RefusalKind::GiveUp);
        assert_eq!(
            RefusalKind::from(&Status::unavailable("")),
            RefusalKind::Retry
        );
    }
}
