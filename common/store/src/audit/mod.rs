//! The audit of a whole census.
//!
//! Every entry of every family is read, so that the checksum of every block is compared, and
//! decoded. Then the tasks are checked. For each finished one the record, its aliases and its
//! certificate must exist, and the record must agree with the certificate. Indexes, memberships,
//! classes, levels and counters must be exactly what all records and tasks make them, no entry more
//! and none fewer. So bits that changed under a valid checksum are detected too, for every fact
//! that is in two places.
//!
//! The statements of certificates are trusted, unless proofs are requested: then every certificate
//! is judged as if it had just arrived, by the independent checker and with the class computed
//! again ([`misere_census::admission`]). The progress is stored beside the database, in the file
//! `checked`, so that an interrupted audit resumes there, as long as the census has not changed in
//! between.
//!
//! Cost: one sequential read of the store, and a decoding, a renumbering of each alias and some
//! look-ups for each record. It takes some two hundred bytes of memory for each class, and the
//! faults.

mod bag;
mod families;
mod findings;
mod position;
mod tasks;

#[cfg(test)]
mod damage;

use std::path::Path;

use misere_census::TaskId;
use misere_game::control::Interrupt;
use rayon::prelude::*;
use rocksdb::DBRecoveryMode;
use std::sync::Arc;

use super::checked_opening::open_checked;
use super::disk::open_database_read_only;
use super::keys::Kind;
use super::value::StoredTask;
use super::{Store, StoreError, read_only};
use families::Families;
pub use findings::{Fault, Findings, Part};
use position::Position;
use tasks::{AuditContext, ExpectedEntries};

/// The number of tasks that are checked together.
const TOGETHER: usize = 1024;
/// The number of certificates that are verified together; the position is stored after each group.
const PROVED_TOGETHER: usize = 128;

/// The settings of an audit, and the callbacks that watch it.
pub struct Audit<'a> {
    /// Whether every certificate is verified again.
    pub proves: bool,
    /// The interrupt that stops the audit.
    pub interrupt: &'a Interrupt,
    /// The callback that is called with the number of tasks checked and the number of all tasks.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

/// The end of an audit.
#[derive(Debug)]
pub enum AuditResult {
    /// The audit is complete.
    Whole(Findings),
    /// The audit was stopped; the position of the verified certificates is kept.
    Stopped(Findings),
}

/// Audits the census in a directory, which no process may use meanwhile.
///
/// The census is not changed.
///
/// Cost: one pass over all entries; with `proves`, the check of every certificate in addition.
///
/// # Errors
/// [`StoreError`] if there is no census of this format, or the directory cannot be used. Damage is
/// a finding, not an error.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_store::audit::{Audit, AuditResult, audit};
/// use misere_game::control::Interrupt;
///
/// drop(store);
/// let audit_of = Audit {
///     proves: true,
///     interrupt: &Interrupt::default(),
///     progress: &mut |_, _| (),
/// };
/// let AuditResult::Whole(findings) = audit(dir.path(), audit_of)? else {
///     return Err("stopped".into());
/// };
/// assert!(findings.is_sound());
/// assert_eq!((findings.records, findings.proofs), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn audit(dir: &Path, audit: Audit<'_>) -> Result<AuditResult, StoreError> {
    let mut findings = Findings::default();
    match open(dir, &mut findings) {
        Ok(store) => whole(dir, &store, audit, findings),
        Err(error) if error.is_damage() || !findings.is_sound() => {
            findings.note(Part::Database, "", error.to_string());
            Ok(AuditResult::Whole(findings))
        }
        Err(error) => Err(error),
    }
}

/// Opens a census, even one with lost commits.
fn open(dir: &Path, findings: &mut Findings) -> Result<Store, StoreError> {
    let db = match open_checked(dir, || false, Ok) {
        Err(error @ StoreError::CommitsLost { .. }) => {
            findings.note(Part::Log, "", error.to_string());
            open_database_read_only(dir, DBRecoveryMode::PointInTime)?
        }
        db => db?,
    };
    read_only(Arc::new(db.into()), dir)
}

fn whole(
    dir: &Path,
    store: &Store,
    mut audit: Audit<'_>,
    mut findings: Findings,
) -> Result<AuditResult, StoreError> {
    let mut families = Families {
        store,
        findings: &mut findings,
    };
    let classes = families.classes()?;
    let looking = AuditContext {
        store,
        classes: &classes,
        interrupt: audit.interrupt,
    };
    let mut position = match audit.proves {
        true => Position::of(dir, store),
        false => Position::default(),
    };
    let before = position.faults.clone();
    let left = tasks(dir, &looking, &mut audit, &mut position, &mut families)?;
    for fault in before.into_iter().chain(left.faults.iter().cloned()) {
        // A fault that is also seen at once was found again.
        if !findings.faults.contains(&fault) {
            findings.add(fault);
        }
    }
    findings.tasks = left.counters.tasks + left.split;
    findings.records = left.certificates;
    findings.proofs = position.proofs;
    if left.is_stopped {
        return Ok(AuditResult::Stopped(findings));
    }
    let mut families = Families {
        store,
        findings: &mut findings,
    };
    families.witnesses(&classes, &left);
    families.rulesets(&left)?;
    families.indexes(&left)?;
    families.beside_tasks(&left)?;
    families.levels(&left)?;
    families.figures(&left)?;
    if audit.proves {
        Position::forget(dir);
    }
    Ok(AuditResult::Whole(findings))
}

/// Checks the tasks, in the order of their names.
fn tasks(
    dir: &Path,
    looking: &AuditContext<'_>,
    audit: &mut Audit<'_>,
    position: &mut Position,
    families: &mut Families<'_>,
) -> Result<ExpectedEntries, StoreError> {
    let all = looking.store.counters().tasks;
    let together = match audit.proves {
        true => PROVED_TOGETHER,
        false => TOGETHER,
    };
    let mut left = ExpectedEntries::default();
    let mut group: Vec<(TaskId, StoredTask)> = Vec::with_capacity(together);
    let mut seen = 0;
    let mut look = |group: &mut Vec<(TaskId, StoredTask)>| {
        if left.is_stopped || audit.interrupt.is_raised() {
            left.is_stopped = true;
            group.clear();
            return;
        }
        let found = group.par_iter().map(|(id, stored)| {
            let proves = audit.proves && position.to.is_none_or(|to| *id > to);
            looking.task(*id, stored, proves)
        });
        let found = found.reduce(ExpectedEntries::default, ExpectedEntries::join);
        seen += group.len() as u64;
        if audit.proves && !found.is_stopped && found.proofs > 0 {
            position.advance(dir, group.last().map(|(id, _)| *id), &found);
        }
        left = std::mem::take(&mut left).join(found);
        (audit.progress)(seen, all);
        group.clear();
    };
    families.each(Kind::Task, |findings, key, stored: StoredTask| {
        match TaskId::try_from(key) {
            Ok(id) => group.push((id, stored)),
            Err(_) => findings.note(Part::Task, "", "its key is none"),
        }
        if group.len() == together {
            look(&mut group);
        }
    })?;
    look(&mut group);
    Ok(left)
}
