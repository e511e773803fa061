//! What workers said of a task that is not finished, and how a task is finished.

use serde::{Deserialize, Serialize};

use crate::{CertificateDigest, Failure, WorkerIdentity};

/// What somebody said of a task that is not finished yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Who.
    pub by: WorkerIdentity,
    /// What.
    pub said: Said,
}

/// What can be said of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Said {
    /// A certificate that the checker accepts.
    Certificate(CertificateDigest),
    /// A certificate that the checker refused.
    Refused,
    /// A certificate that the checker accepts, reached from a checkpoint that others had a part in.
    Resumed(CertificateDigest),
    /// The certificate with this digest was reached from a checkpoint that this worker had a part
    /// in.
    Helped(CertificateDigest),
    /// It could not be computed, and neither time nor memory was wanting.
    Failed,
    /// It could not be computed within the time or the memory there was, or the worker fell silent
    /// over it.
    Unable,
}

impl Said {
    /// What a failure says.
    #[must_use]
    pub fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Refused(_) => Self::Refused,
            Failure::Computation(_) | Failure::Crashed { .. } => Self::Failed,
            Failure::Guard(_) | Failure::Silence | Failure::OutOfMemory { .. } => Self::Unable,
        }
    }
}

impl Claim {
    /// Whether a certificate was made, good or bad, that is not believed yet.
    #[must_use]
    pub fn is_doubt(&self) -> bool {
        !matches!(self.said, Said::Failed | Said::Unable)
    }

    /// Whether there is no certificate that the checker accepts.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self.said, Said::Refused | Said::Failed | Said::Unable)
    }
}

/// How a task is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Solved or found to diverge.
    Done,
    /// A limit of the plan was reached.
    Exhausted,
}
