//! Claims of workers about a task that is not finished, and the ways in which a task is finished.

use serde::{Deserialize, Serialize};

use crate::{CertificateDigest, Failure, WorkerIdentity};

/// The claim of a worker about a task that is not finished yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The worker.
    pub by: WorkerIdentity,
    /// The statement.
    pub statement: Statement,
}

/// A worker on whose word the result of a finished task rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backer {
    /// The worker.
    pub worker: WorkerIdentity,
    /// Another worker that computed the same result.
    pub confirmed_by: Option<WorkerIdentity>,
}

/// The statements that a worker can make about a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// A certificate that the checker accepts.
    Certificate(CertificateDigest),
    /// A certificate that the checker refused.
    Refused,
    /// A certificate that the checker accepts, computed from a checkpoint with other contributors.
    Resumed(CertificateDigest),
    /// A certificate computed from a checkpoint to which this worker contributed, by its digest.
    Helped(CertificateDigest),
    /// The task could not be computed, although there was enough time and memory.
    Failed,
    /// The task could not be computed within the time or memory, or the worker fell silent.
    Unable,
}

impl Statement {
    /// Returns the statement that a failure makes.
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
    /// Reports whether a certificate was made, good or bad, that is not trusted yet.
    #[must_use]
    pub fn is_doubt(&self) -> bool {
        !matches!(self.statement, Statement::Failed | Statement::Unable)
    }

    /// Reports whether there is no certificate that the checker accepts.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(
            self.statement,
            Statement::Refused | Statement::Failed | Statement::Unable
        )
    }
}

/// The ways in which a task is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finish {
    /// Solved or found to diverge.
    Done,
    /// A limit of the plan was reached.
    Exhausted,
}
