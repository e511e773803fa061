//! The translation of wire messages into the project's types, and back.
//!
//! Domain to wire is `From`; wire to domain is `TryFrom` and refuses anything that the domain does
//! not know.

use misere_algebra::classify::batch::{Batch, Scheme, SchemeError};
use misere_census::{Budget, Epoch, GameTask, Lease, Task, TaskId};
use misere_engine::quotient::{Limits, Strategy};
use misere_game::control::Progress;
use misere_game::ruleset::{Code, CodeError};

use crate::v1;

/// The reason why a message cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// A required field is missing.
    #[error("field `{0}` is missing")]
    Missing(&'static str),
    /// A hash is not 32 bytes.
    #[error("a task's name is 32 bytes")]
    TaskId,
    /// A code cannot be parsed.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The value of an enumeration is not known here.
    #[error("`{field}` has the unknown value {value}")]
    Unknown {
        /// The field.
        field: &'static str,
        /// The value.
        value: i32,
    },
    /// The name of a task is not the hash of its content.
    #[error("the task for {0} does not carry the name of its content")]
    Misnamed(Code),
    /// The name of a batch of schemes is not the hash of its content.
    #[error("the batch of schemes does not carry the name of its content")]
    MisnamedSchemes,
    /// A batch of schemes is not well formed.
    #[error("malformed schemes: {0}")]
    Schemes(#[from] SchemeError),
    /// A task is both a game and a batch.
    #[error("a task is a game or a batch of schemes, not both")]
    TwoTasks,
    /// A list has more entries than allowed.
    #[error("more than {} entries in one list", crate::MAX_LISTED)]
    TooMany,
    /// The span of a lease has no name.
    #[error("a span is named by 16 and 8 bytes, not all of them zero")]
    Span,
    /// The parts of a report are out of order, too many, or too few.
    #[error("malformed report: {0}")]
    Report(&'static str),
    /// The parts of a checkpoint are out of order, too many, or too few.
    #[error("malformed checkpoint: {0}")]
    Checkpoint(&'static str),
}

/// The progress of a running task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// Its lease.
    pub lease: Lease,
    /// The greatest heap and the order that the task has reached.
    pub progress: Progress,
}

impl From<Lease> for v1::LeaseKey {
    fn from(key: Lease) -> Self {
        Self {
            task: key.task.0.to_vec(),
            epoch: key.epoch.0,
        }
    }
}

impl TryFrom<v1::LeaseKey> for Lease {
    type Error = WireError;
    fn try_from(wire: v1::LeaseKey) -> Result<Self, WireError> {
        let task = TaskId::try_from(wire.task.as_slice()).map_err(|_| WireError::TaskId)?;
        Ok(Self {
            task,
            epoch: Epoch(wire.epoch),
        })
    }
}

/// Returns the lease of a message that must name one.
///
/// ```
/// use misere_census::{Epoch, Lease, TaskId, WorkerId};
/// use misere_proto::v1::LeaseKey;
/// use misere_proto::{WireError, lease};
/// let held = Lease { task: TaskId([7; 32]), epoch: Epoch(9) };
/// assert_eq!(lease(Some(LeaseKey::from(held))), Ok(held));
/// assert_eq!(lease(None), Err(WireError::Missing("lease")));
/// ```
///
/// # Errors
/// [`WireError`] if the message names no lease, or a malformed one.
pub fn lease(wire: Option<v1::LeaseKey>) -> Result<Lease, WireError> {
    wire.ok_or(WireError::Missing("lease"))?.try_into()
}

impl From<Running> for v1::Running {
    fn from(running: Running) -> Self {
        let Progress { heap, order } = running.progress;
        Self {
            lease: Some(running.lease.into()),
            heap,
            order,
        }
    }
}

impl TryFrom<v1::Running> for Running {
    type Error = WireError;
    fn try_from(wire: v1::Running) -> Result<Self, WireError> {
        let progress = Progress {
            heap: wire.heap,
            order: wire.order,
        };
        Ok(Self {
            lease: lease(wire.lease)?,
            progress,
        })
    }
}

/// Returns the domain's list of a wire list, at most [`crate::MAX_LISTED`] long.
///
/// Cost: the cost of the entries, one after the other.
///
/// ```
/// use misere_census::Lease;
/// use misere_proto::translate::list;
/// use misere_proto::v1::LeaseKey;
/// use misere_proto::{MAX_LISTED, WireError};
/// assert_eq!(list::<LeaseKey, Lease>(Vec::new()), Ok(Vec::new()));
/// let many = vec![LeaseKey::default(); MAX_LISTED + 1];
/// assert_eq!(list::<LeaseKey, Lease>(many), Err(WireError::TooMany));
/// ```
///
/// # Errors
/// [`WireError::TooMany`], or the first entry's error.
pub fn list<W, D: TryFrom<W, Error = WireError>>(wire: Vec<W>) -> Result<Vec<D>, WireError> {
    if wire.len() > crate::MAX_LISTED {
        return Err(WireError::TooMany);
    }
    wire.into_iter().map(D::try_from).collect()
}

impl From<Budget> for v1::Budget {
    fn from(budget: Budget) -> Self {
        let strategy = match budget.strategy {
            Strategy::Exact => v1::Strategy::Exact,
            Strategy::Classical => v1::Strategy::Classical,
        };
        Self {
            fuel: budget.fuel,
            max_heap: budget.limits.max_heap,
            max_order: budget.limits.max_order,
            max_copies: budget.limits.max_copies,
            max_evidence: budget.limits.max_evidence,
            strategy: strategy.into(),
        }
    }
}

impl TryFrom<v1::Budget> for Budget {
    type Error = WireError;
    fn try_from(wire: v1::Budget) -> Result<Self, WireError> {
        let strategy = match v1::Strategy::try_from(wire.strategy) {
            Ok(v1::Strategy::Exact) => Strategy::Exact,
            Ok(v1::Strategy::Classical) => Strategy::Classical,
            Ok(v1::Strategy::Unspecified) | Err(_) => {
                return Err(WireError::Unknown {
                    field: "strategy",
                    value: wire.strategy,
                });
            }
        };
        let limits = Limits {
            max_heap: wire.max_heap,
            max_order: wire.max_order,
            max_copies: wire.max_copies,
            max_evidence: wire.max_evidence,
        };
        Ok(Self {
            fuel: wire.fuel,
            limits,
            strategy,
        })
    }
}

impl From<&Task> for v1::Task {
    fn from(task: &Task) -> Self {
        let id = task.id().0.to_vec();
        let budget = Some(task.budget().into());
        match task {
            Task::Game(GameTask { code, aliases, .. }) => Self {
                id,
                code: code.to_string(),
                aliases: aliases.iter().map(ToString::to_string).collect(),
                budget,
                schemes: None,
            },
            Task::Schemes(schemes) => Self {
                id,
                code: String::new(),
                aliases: Vec::new(),
                budget,
                schemes: Some((&schemes.batch).into()),
            },
        }
    }
}

impl From<&Batch> for v1::Schemes {
    fn from(batch: &Batch) -> Self {
        let schemes = batch.schemes.iter().map(|scheme| v1::Scheme {
            code: scheme.code.to_vec(),
            hint: scheme.hint.clone(),
        });
        Self {
            most: batch.most.into(),
            order: batch.order.into(),
            schemes: schemes.collect(),
        }
    }
}

/// The conversion checks that the codes are candidates: computations rely on it.
impl TryFrom<v1::Schemes> for Batch {
    type Error = WireError;
    fn try_from(wire: v1::Schemes) -> Result<Self, WireError> {
        let order = |wire: u32| u8::try_from(wire).map_err(|_| SchemeError::Order(u8::MAX));
        let schemes = wire.schemes.into_iter().map(|scheme| Scheme {
            code: scheme.code.into(),
            hint: scheme.hint,
        });
        let batch = Self {
            most: order(wire.most)?,
            order: order(wire.order)?,
            schemes: schemes.collect(),
        };
        batch.check()?;
        Ok(batch)
    }
}

impl TryFrom<v1::Task> for Task {
    type Error = WireError;
    fn try_from(wire: v1::Task) -> Result<Self, WireError> {
        if let Some(schemes) = wire.schemes {
            if !wire.code.is_empty() || !wire.aliases.is_empty() {
                return Err(WireError::TwoTasks);
            }
            let budget = wire.budget.ok_or(WireError::Missing("budget"))?;
            let task = Self::schemes(schemes.try_into()?, budget.try_into()?);
            return match task.id().0.as_slice() == wire.id {
                true => Ok(task),
                false => Err(WireError::MisnamedSchemes),
            };
        }
        let code: Code = wire.code.parse()?;
        let aliases = wire
            .aliases
            .iter()
            .map(|alias| alias.parse())
            .collect::<Result<_, _>>()?;
        let budget = wire
            .budget
            .ok_or(WireError::Missing("budget"))?
            .try_into()?;
        let task = Self::game(code.clone(), aliases, budget);
        if task.id().0.as_slice() == wire.id {
            Ok(task)
        } else {
            Err(WireError::Misnamed(code))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        let aliases = vec!["0.137".parse().unwrap()];
        Task::game("0.07".parse().unwrap(), aliases, Budget::default())
    }

    fn schemes() -> Task {
        let schemes = vec![Scheme::first()];
        let (most, order) = (12, 2);
        let batch = Batch {
            most,
            order,
            schemes,
        };
        Task::schemes(batch, Budget::default())
    }

    #[test]
    fn schemes_travel() {
        assert_eq!(Task::try_from(v1::Task::from(&schemes())), Ok(schemes()));
    }

    #[test]
    fn malformed_schemes_are_refused() {
        let tampered = |change: fn(&mut v1::Task)| {
            let mut wire = v1::Task::from(&schemes());
            change(&mut wire);
            Task::try_from(wire).unwrap_err()
        };
        assert_eq!(
            tampered(|wire| wire.code = "0.7".to_owned()),
            WireError::TwoTasks
        );
        assert_eq!(
            tampered(|wire| wire.schemes.as_mut().unwrap().most = 14),
            WireError::MisnamedSchemes
        );
        assert_eq!(
            tampered(|wire| wire.schemes.as_mut().unwrap().most = 4_000_000_000),
            WireError::Schemes(SchemeError::Order(u8::MAX))
        );
        assert_eq!(
            tampered(|wire| wire.schemes.as_mut().unwrap().schemes[0].code = vec![1]),
            WireError::Schemes(SchemeError::Code)
        );
        assert_eq!(
            tampered(|wire| wire.schemes.as_mut().unwrap().schemes[0].hint.clear()),
            WireError::Schemes(SchemeError::Sequence)
        );
    }

    #[test]
    fn tasks_travel() {
        assert_eq!(Task::try_from(v1::Task::from(&task())), Ok(task()));
    }

    #[test]
    fn malformed_tasks_are_refused() {
        let tampered = |change: fn(&mut v1::Task)| {
            let mut wire = v1::Task::from(&task());
            change(&mut wire);
            Task::try_from(wire).unwrap_err()
        };
        assert!(matches!(
            tampered(|wire| wire.code = "0.x".to_owned()),
            WireError::Code(_)
        ));
        assert!(matches!(
            tampered(|wire| wire.code = "0.77".to_owned()),
            WireError::Misnamed(_)
        ));
        assert!(matches!(
            tampered(|wire| wire.aliases.clear()),
            WireError::Misnamed(_)
        ));
        assert!(matches!(
            tampered(|wire| wire.id.clear()),
            WireError::Misnamed(_)
        ));
        assert_eq!(
            tampered(|wire| wire.budget = None),
            WireError::Missing("budget")
        );
        assert!(matches!(
            tampered(|wire| wire.budget.as_mut().unwrap().strategy = 9),
            WireError::Unknown {
                field: "strategy",
                value: 9
            }
        ));
        let short = v1::LeaseKey {
            task: vec![1; 31],
            epoch: 1,
        };
        assert_eq!(Lease::try_from(short), Err(WireError::TaskId));
        assert_eq!(lease(None), Err(WireError::Missing("lease")));
    }
}
