//! The audit of every entry: whether it can be read, and belongs to another entry.

use std::collections::HashMap;

use misere_census::frozen::{code_key, code_of};
use misere_census::{Task, TaskId, WorkerIdentity, encoding};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use rocksdb::{IteratorMode, ReadOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bag::Bag;
use super::findings::{Findings, Part};
use super::tasks::{ClassSummary, ExpectedEntries, class_of};
use crate::commit::memberships;
use crate::index;
use crate::keys::{BODY, Kind, Meta, number_key, number_of, task_key, word_of};
use crate::value::{
    CheckpointHead, Class, Counters, Event, Level, Membership, Quarantine, Ruleset, StoredTask,
    TaskState,
};
use crate::{Store, StoreError};

/// Returns the part of the census that has the entries of a kind.
fn part_of(kind: Kind) -> Part {
    match kind {
        Kind::Meta => Part::Figures,
        Kind::Task | Kind::Pending => Part::Task,
        Kind::Ruleset => Part::Record,
        Kind::Certificate | Kind::Settled => Part::Certificate,
        Kind::Class => Part::Class,
        Kind::Membership => Part::Membership,
        Kind::Quarantine => Part::Quarantine,
        Kind::Event => Part::Event,
        Kind::Checkpoint => Part::Checkpoint,
        Kind::Index => Part::Index,
        Kind::Vouched | Kind::Backer => Part::Task,
        Kind::Level | Kind::Part | Kind::Candidate | Kind::Construction => Part::Level,
    }
}

/// The entries of a store, read one family after the other.
pub(super) struct Families<'a> {
    pub(super) store: &'a Store,
    pub(super) findings: &'a mut Findings,
}

impl Families<'_> {
    /// Visits the entries of a kind until one cannot be read.
    ///
    /// The checksum of each block is compared.
    pub(super) fn raw(
        &mut self,
        kind: Kind,
        mut visit: impl FnMut(&mut Findings, &[u8], &[u8]),
    ) -> Result<(), StoreError> {
        let mut options = ReadOptions::default();
        options.set_verify_checksums(true);
        options.fill_cache(false);
        let family = self.store.family(kind)?;
        let entries = self
            .store
            .db
            .iterator_cf_opt(family, options, IteratorMode::Start);
        for entry in entries {
            match entry {
                Ok((key, value)) => {
                    self.findings.entries += 1;
                    visit(self.findings, &key, &value);
                }
                Err(error) => {
                    let what = format!("the entries behind it cannot be read: {error}");
                    self.findings.note(Part::Database, kind.family(), what);
                }
            }
        }
        Ok(())
    }

    /// Visits the entries of a kind as [`raw`](Self::raw) does, with decoded values.
    pub(super) fn each<T: DeserializeOwned + Serialize>(
        &mut self,
        kind: Kind,
        mut visit: impl FnMut(&mut Findings, &[u8], T),
    ) -> Result<(), StoreError> {
        self.raw(kind, |findings, key, value| {
            match encoding::decode(kind.version(), value) {
                Ok(stated) => {
                    // A changed bit can leave another spelling of the same value, such as a blank
                    // before a code.
                    let written = encoding::encode(kind.version(), &stated);
                    if !written.is_ok_and(|written| written == value) {
                        let what = "it is not written as this program writes it";
                        findings.note(part_of(kind), hex(key), what);
                    }
                    visit(findings, key, stated);
                }
                Err(flaw) => findings.note(part_of(kind), hex(key), flaw.to_string()),
            }
        })
    }

    /// Returns the classes, each with its own faults.
    pub(super) fn classes(&mut self) -> Result<HashMap<ClassKey, ClassSummary>, StoreError> {
        let mut classes = HashMap::new();
        self.each(Kind::Class, |findings, key, class: Class| {
            let Some(key) = class_of(key) else {
                return findings.note(Part::Class, hex(key), "its key is none");
            };
            let fits = class.quotient.as_ref().is_none_or(|quotient| {
                (quotient.order(), quotient.p_size())
                    == (class.order as usize, class.p_size as usize)
            });
            if !fits {
                findings.note(
                    Part::Class,
                    key,
                    "its quotient has another order than it says",
                );
            }
            classes.insert(key, ClassSummary::of(&class));
        })?;
        Ok(classes)
    }

    /// Checks that the witness of each class is the least code that has the class.
    ///
    /// A witness whose record was taken back stays: it was proved to have the class, and it will be
    /// computed again.
    pub(super) fn witnesses(
        &mut self,
        classes: &HashMap<ClassKey, ClassSummary>,
        left: &ExpectedEntries,
    ) {
        let is_complete = left.pending + left.quarantined == 0;
        for (key, known) in classes {
            let taken_back = |(witness, _): &(Code, u32)| {
                !is_complete && matches!(self.store.ruleset(witness), Ok(None))
            };
            let is_right = match &known.witness {
                Some(witness) => left.first.get(key) == Some(witness) || taken_back(witness),
                None => !left.first.contains_key(key),
            };
            if !is_right {
                let what = "its witness is not the least code that has it";
                self.findings.note(Part::Class, key, what);
            }
        }
    }

    /// Checks that records, aliases and certificates belong to finished tasks.
    ///
    /// The entries that tasks should have are known to exist.
    pub(super) fn rulesets(&mut self, left: &ExpectedEntries) -> Result<(), StoreError> {
        let (store, budget) = (self.store, self.store.plan().budget());
        let mut aliases: u64 = 0;
        self.each(
            Kind::Ruleset,
            |findings, key, ruleset: Ruleset| match ruleset {
                Ruleset::AliasOf(_) => aliases += 1,
                Ruleset::Record(record) => {
                    if code_key(&record.code) != key {
                        findings.note(Part::Record, &record.code, "it is under another code");
                    }
                    let names = record.aliases.iter().map(|alias| alias.code.clone());
                    let task = Task::game(record.code.clone(), names.collect(), budget).id();
                    let is_finished = |stored: &StoredTask| {
                        matches!(stored.state, TaskState::Done | TaskState::Exhausted)
                    };
                    if !matches!(&store.task(task), Ok(Some(stored)) if is_finished(stored)) {
                        findings.note(Part::Record, &record.code, "no finished task has it");
                    }
                }
            },
        )?;
        if aliases != left.aliases {
            let what = format!("there are {aliases}, and {} are named", left.aliases);
            self.findings.note(Part::Alias, "", what);
        }
        let mut certificates = 0;
        self.raw(Kind::Certificate, |findings, key, _| {
            certificates += 1;
            let is_of_record =
                |code: &Code| matches!(store.ruleset(code), Ok(Some(Ruleset::Record(_))));
            if !code_of(key).is_some_and(|code| is_of_record(&code)) {
                findings.note(Part::Certificate, hex(key), "no record has it");
            }
        })?;
        self.agree(Part::Certificate, certificates, left.certificates);
        Ok(())
    }

    /// Checks that indexes and memberships agree with the records.
    pub(super) fn indexes(&mut self, left: &ExpectedEntries) -> Result<(), StoreError> {
        let mut there = Bag::default();
        self.raw(Kind::Index, |_, key, value| there.add(key, value))?;
        // Indexes of an earlier layout have other entries, and are rebuilt before the next write.
        if there != left.index && self.layout()? == Some(index::LAYOUT) {
            self.compare_indexes()?;
        }
        let mut there = Bag::default();
        self.raw(Kind::Membership, |_, key, value| there.add(key, value))?;
        if there != left.memberships {
            self.compare_memberships()?;
        }
        Ok(())
    }

    fn layout(&self) -> Result<Option<u32>, StoreError> {
        self.store.meta(Meta::Indexes)
    }

    /// Records the wrong entries of the indexes.
    fn compare_indexes(&mut self) -> Result<(), StoreError> {
        let before = self.findings.count;
        let family = self.store.family(Kind::Index)?;
        let store = self.store;
        let keys_of = |code: &Code| match store.ruleset(code) {
            Ok(Some(Ruleset::Record(record))) => index::keys(&record),
            _ => Default::default(),
        };
        self.raw(Kind::Index, |findings, key, value| {
            let code = index::code_in(key);
            let is_right = code.is_some_and(|code| keys_of(&code).iter().any(|own| own == key));
            if !is_right || !value.is_empty() {
                findings.note(Part::Index, hex(key), "no record says so");
            }
        })?;
        for record in store.records()?.flatten() {
            for key in index::keys(&record) {
                if !matches!(store.db.get_pinned_cf(family, &key), Ok(Some(_))) {
                    self.findings
                        .note(Part::Index, &record.code, "an entry is missing");
                }
            }
        }
        self.report_unless_found(before, Part::Index);
        Ok(())
    }

    /// Records the wrong memberships.
    fn compare_memberships(&mut self) -> Result<(), StoreError> {
        let before = self.findings.count;
        let store = self.store;
        let member = |key: &[u8]| {
            let (class, code) = key.split_at_checked(32)?;
            Some((class_of(class)?, code_of(code)?))
        };
        self.each(Kind::Membership, |findings, key, there: Membership| {
            let of_record = member(key).and_then(|(class, code)| match store.ruleset(&code) {
                Ok(Some(Ruleset::Record(record))) => memberships(&record).remove(&class),
                _ => None,
            });
            if of_record != Some(there) {
                findings.note(Part::Membership, hex(key), "it is not what the record says");
            }
        })?;
        for record in store.records()?.flatten() {
            for class in memberships(&record).into_keys() {
                if !matches!(store.membership(&class, &record.code), Ok(Some(_))) {
                    self.findings
                        .note(Part::Membership, &record.code, "one is missing");
                }
            }
        }
        self.report_unless_found(before, Part::Membership);
        Ok(())
    }

    /// Records that a part differs, if no single fault was found in it.
    fn report_unless_found(&mut self, before: u64, part: Part) {
        if self.findings.count == before {
            self.findings
                .note(part, "", "the entries are not those of the records");
        }
    }

    /// Checks that the entries beside the tasks belong to tasks.
    pub(super) fn beside_tasks(&mut self, left: &ExpectedEntries) -> Result<(), StoreError> {
        let store = self.store;
        let mut there = 0;
        self.each(Kind::Pending, |findings, key, id: TaskId| {
            there += 1;
            let is_there = |stored: &StoredTask| {
                stored.state.is_pending() && number_of(key) == Some(stored.position)
            };
            if !matches!(&store.task(id), Ok(Some(stored)) if is_there(stored)) {
                findings.note(Part::Task, id, "it is to be done by mistake");
            }
        })?;
        self.agree(Part::Task, there, left.pending);
        there = 0;
        self.each(Kind::Quarantine, |findings, key, why: Quarantine| {
            there += 1;
            let is_there = |state: &TaskState| match why.dropped {
                true => *state == TaskState::Dropped,
                false => state.is_quarantined(),
            };
            let stored = TaskId::try_from(key).map(|id| store.task(id));
            if !matches!(stored, Ok(Ok(Some(stored))) if is_there(&stored.state)) {
                findings.note(Part::Quarantine, why.name, "its task is not in quarantine");
            }
        })?;
        self.agree(Part::Quarantine, there, left.quarantined);
        self.raw(Kind::Checkpoint, |findings, key, value| {
            let head = match key.split_last() {
                Some((&BODY, task)) if task.len() == 32 => {
                    let head = TaskId::try_from(task)
                        .map(|task| store.get::<CheckpointHead>(Kind::Checkpoint, &task_key(task)));
                    matches!(head, Ok(Ok(Some(head))) if head.bytes == value.len() as u64)
                }
                _ => {
                    let head =
                        encoding::decode::<CheckpointHead>(Kind::Checkpoint.version(), value);
                    let task = TaskId::try_from(key).map(|task| store.task(task));
                    let waits = matches!(task, Ok(Ok(Some(task))) if task.state.is_pending());
                    head.is_ok() && waits
                }
            };
            if !head {
                findings.note(Part::Checkpoint, hex(key), "it is of no task, or cut short");
            }
        })?;
        self.each(Kind::Event, |findings, key, _: Event| {
            if number_of(key).is_none() {
                findings.note(Part::Event, hex(key), "its key is none");
            }
        })?;
        // A census of an earlier format lacks these families.
        if store.db.cf_handle(Kind::Vouched.family()).is_some() {
            self.raw(Kind::Vouched, |findings, key, value| {
                if word_of(key).is_none() || !value.is_empty() {
                    findings.note(Part::Task, hex(key), "it names no checker and task");
                }
            })?;
        }
        if store.db.cf_handle(Kind::Backer.family()).is_some() {
            self.each(Kind::Backer, |findings, key, _: Option<WorkerIdentity>| {
                if word_of(key).is_none() {
                    findings.note(Part::Task, hex(key), "it names no worker and task");
                }
            })?;
        }
        Ok(())
    }

    /// Checks that the levels agree with their tasks.
    pub(super) fn levels(&mut self, left: &ExpectedEntries) -> Result<(), StoreError> {
        let store = self.store;
        let mut parts: HashMap<u8, u64> = HashMap::new();
        self.each(Kind::Part, |findings, key, id: TaskId| {
            *parts.entry(key.first().copied().unwrap_or(0)).or_default() += 1;
            if !matches!(store.task(id), Ok(Some(_))) {
                findings.note(Part::Level, id, "it is a task of a level and not there");
            }
        })?;
        let mut there = 0;
        self.raw(Kind::Settled, |_, _, _| there += 1)?;
        self.agree(Part::Certificate, there, left.settled);
        there = 0;
        self.raw(Kind::Candidate, |_, _, _| there += 1)?;
        self.agree(Part::Level, there, left.candidates);
        there = 0;
        self.raw(Kind::Construction, |_, _, _| there += 1)?;
        self.agree(Part::Level, there, left.constructions);
        let mut orders = Vec::new();
        self.each(Kind::Level, |findings, key, level: Level| {
            let order = level.order;
            orders.push(order);
            let made = left.levels.get(&order).copied().unwrap_or_default();
            let made = Level {
                order,
                closed: level.closed,
                classes: level.classes,
                ..made
            };
            let has_parts = parts.get(&order).copied().unwrap_or(0) == level.tasks;
            if level != made || !has_parts || *key != [order] {
                findings.note(Part::Level, order, "its figures are not those of its tasks");
            }
        })?;
        for order in orders {
            let level = store.levels.get(&order).copied().unwrap_or_default();
            if level.closed && store.classes_of(order).ok() != Some(level.classes) {
                self.findings
                    .note(Part::Level, order, "it has another number of quotients");
            }
        }
        Ok(())
    }

    /// Checks that the entries for the whole census agree with the tasks.
    pub(super) fn figures(&mut self, left: &ExpectedEntries) -> Result<(), StoreError> {
        self.raw(Kind::Meta, |_, _, _| {})?;
        let (kept, made): (Counters, Counters) = (self.store.counters(), left.counters);
        // Codes of a task that was replaced are in its children as well.
        let made = match left.split {
            0 => made,
            _ => Counters {
                codes: kept.codes,
                ..made
            },
        };
        if kept != made {
            let what = format!("the counters say {kept:?}, the tasks {made:?}");
            self.findings.note(Part::Figures, "counters", what);
        }
        let listing = self.store.plan().space().listing();
        let mut codes = Bag::default();
        for code in (0..listing.count()).filter_map(|place| listing.code(place)) {
            codes.add(&code_key(&code), &[]);
        }
        if left.split == 0 && codes != left.codes {
            let what = "the codes of the tasks are not those of the plan";
            self.findings.note(Part::Figures, "plan", what);
        }
        let is_listed = self.store.plan().space().max_quotient_order().is_none() && left.split == 0;
        let mut positions = Bag::default();
        for position in 0..if is_listed { made.tasks } else { 0 } {
            positions.add(&number_key(position), &[]);
        }
        if is_listed && positions != left.positions {
            self.findings
                .note(Part::Task, "", "their positions are not those of the plan");
        }
        if self.layout()?.is_none_or(|layout| layout > index::LAYOUT) {
            self.findings
                .note(Part::Figures, "indexes", "they are of another layout");
        }
        let tallies = self.store.tallies_kept();
        let counted = self.store.tallies_counted();
        if !matches!((&tallies, &counted), (Ok(kept), Ok(counted)) if kept.is_none_or(|kept| kept == *counted))
        {
            let what = "they are not those of the records";
            self.findings.note(Part::Figures, "tallies", what);
        }
        if let Err(error) = self.store.distrusted() {
            self.findings
                .note(Part::Figures, "distrusted", error.to_string());
        }
        Ok(())
    }

    fn agree(&mut self, part: Part, there: u64, named: u64) {
        if there != named {
            let what = format!("there are {there} entries, and {named} belong to tasks");
            self.findings.note(part, "", what);
        }
    }
}

/// Returns a key in the form shown to people: the code in it, or its bytes.
fn hex(key: &[u8]) -> String {
    match code_of(key) {
        Some(code) if key.len() < 32 => code.to_string(),
        _ => key.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
