//! The audit of the entries that follow from a task and its certificate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use misere_census::admission::{VerificationError, verify};
use misere_census::frozen::code_key;
use misere_census::schemes::Outcome;
use misere_census::{Finding, Finish, SchemesFinding, schemes};
use misere_census::{GameTask, Record, Schemes, Task, TaskId, certificate, encoding};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::Interrupt;
use misere_game::ruleset::Code;

use super::bag::Bag;
use super::findings::{Fault, Part};
use crate::Store;
use crate::commit::memberships;
use crate::index;
use crate::keys::{Kind, candidate_key, class_key, construction_key, membership_key, number_key};
use crate::schemes::TaskCounts;
use crate::value::{Class, Counters, Level, Ruleset, StoredConstruction, StoredTask, TaskState};

/// The facts about a class, without its quotient.
#[derive(Clone, Debug)]
pub(super) struct ClassSummary {
    pub(super) order: u32,
    pub(super) p_size: u32,
    pub(super) witness: Option<(Code, u32)>,
    pub(super) has_quotient: bool,
}

impl ClassSummary {
    pub(super) fn of(class: &Class) -> Self {
        Self {
            order: class.order,
            p_size: class.p_size,
            witness: (class.witness.clone()).map(|witness| (witness, class.heap)),
            has_quotient: class.quotient.is_some(),
        }
    }
}

/// The entries that tasks should have left in the store, and the faults found.
#[derive(Debug, Default)]
pub(super) struct ExpectedEntries {
    pub(super) faults: Vec<Fault>,
    pub(super) counters: Counters,
    /// The number of tasks that were replaced by others.
    pub(super) split: u64,
    pub(super) aliases: u64,
    pub(super) certificates: u64,
    pub(super) settled: u64,
    pub(super) pending: u64,
    pub(super) quarantined: u64,
    pub(super) constructions: u64,
    pub(super) candidates: u64,
    pub(super) proofs: u64,
    pub(super) index: Bag,
    pub(super) memberships: Bag,
    pub(super) positions: Bag,
    pub(super) codes: Bag,
    /// The least code with each class, and the heap at which it first has it.
    pub(super) first: HashMap<ClassKey, (Code, u32)>,
    /// The levels, as far as they follow from the tasks.
    pub(super) levels: HashMap<u8, Level>,
    /// Whether the checker was stopped, so that these tasks are not decided.
    pub(super) is_stopped: bool,
}

impl ExpectedEntries {
    pub(super) fn join(mut self, other: Self) -> Self {
        self.faults.extend(other.faults);
        self.counters = self.counters.with(&other.counters);
        self.split += other.split;
        self.aliases += other.aliases;
        self.certificates += other.certificates;
        self.settled += other.settled;
        self.pending += other.pending;
        self.quarantined += other.quarantined;
        self.constructions += other.constructions;
        self.candidates += other.candidates;
        self.proofs += other.proofs;
        self.index.join(&other.index);
        self.memberships.join(&other.memberships);
        self.positions.join(&other.positions);
        self.codes.join(&other.codes);
        for (class, first) in other.first {
            self.is_first(class, first);
        }
        for (order, level) in other.levels {
            self.levels.entry(order).or_default().add(&level);
        }
        self.is_stopped |= other.is_stopped;
        self
    }

    fn is_first(&mut self, class: ClassKey, one: (Code, u32)) {
        match self.first.entry(class) {
            Entry::Occupied(mut known) if one < *known.get() => drop(known.insert(one)),
            Entry::Occupied(_) => {}
            Entry::Vacant(none) => drop(none.insert(one)),
        }
    }

    fn note(&mut self, part: Part, place: impl std::fmt::Display, what: impl Into<String>) {
        self.faults.push(Fault::new(part, place, what));
    }
}

/// The settings with which tasks are checked.
pub(super) struct AuditContext<'a> {
    pub(super) store: &'a Store,
    pub(super) classes: &'a HashMap<ClassKey, ClassSummary>,
    pub(super) interrupt: &'a Interrupt,
}

impl AuditContext<'_> {
    /// Returns the entries that a task should have left, and the faults.
    ///
    /// With `proves` the proof of its certificate is checked, too.
    pub(super) fn task(&self, id: TaskId, stored: &StoredTask, proves: bool) -> ExpectedEntries {
        let mut left = ExpectedEntries::default();
        let named = &stored.task;
        if named.id() != id {
            left.note(Part::Task, id, "it is not the task of that name");
        }
        if named.budget() != self.store.plan().budget() {
            left.note(Part::Task, named, "its budget is not that of the plan");
        }
        left.counters.tasks = 1;
        left.positions.add(&number_key(stored.position), &[]);
        if let Task::Game(game) = named {
            left.counters.codes = 1 + game.aliases.len() as u64;
            for code in std::iter::once(&game.code).chain(&game.aliases) {
                left.codes.add(&code_key(code), &[]);
            }
        }
        let ended = match &stored.state {
            TaskState::Pending { .. } | TaskState::Retried { .. } | TaskState::Silenced { .. } => {
                left.pending = 1;
                None
            }
            TaskState::Quarantined | TaskState::QuarantinedFor { .. } => {
                left.counters.quarantined = 1;
                left.quarantined = 1;
                None
            }
            TaskState::Dropped => {
                left.counters.dropped = 1;
                left.quarantined = 1;
                None
            }
            TaskState::Split { .. } => {
                (left.split, left.counters.tasks) = (1, 0);
                None
            }
            TaskState::Done => Some(Finish::Done),
            TaskState::Exhausted => Some(Finish::Exhausted),
        };
        match ended {
            Some(Finish::Done) => left.counters.done = 1,
            Some(Finish::Exhausted) => left.counters.exhausted = 1,
            None => {}
        }
        if stored.state.is_pending() {
            let there = self
                .store
                .get::<TaskId>(Kind::Pending, &number_key(stored.position));
            if !matches!(there, Ok(Some(pending)) if pending == id) {
                left.note(Part::Task, named, "it is not among those to be done");
            }
        }
        match (named, ended) {
            (Task::Game(game), Some(finish)) => self.game(&mut left, game, finish, proves),
            (Task::Schemes(task), _) => self.schemes(&mut left, id, (task, stored), ended, proves),
            (Task::Game(_), None) => {}
        }
        left
    }

    fn game(&self, left: &mut ExpectedEntries, game: &GameTask, finish: Finish, proves: bool) {
        let code = &game.code;
        left.certificates = 1;
        for alias in &game.aliases {
            left.aliases += 1;
            match self.store.ruleset(alias) {
                Ok(Some(Ruleset::AliasOf(kept))) if kept == *code => {}
                Ok(_) => left.note(Part::Alias, alias, format!("it does not stand for {code}")),
                Err(error) => left.note(Part::Alias, alias, error.to_string()),
            }
        }
        let record = match self.store.ruleset(code) {
            Ok(Some(Ruleset::Record(record))) => Some(*record),
            Ok(_) => {
                left.note(
                    Part::Record,
                    code,
                    "there is none, though the task is finished",
                );
                None
            }
            Err(error) => {
                left.note(Part::Record, code, error.to_string());
                None
            }
        };
        if let Some(record) = &record {
            self.entries_of(left, record, finish);
        }
        let bytes = match self.store.certificate(code) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return left.note(Part::Certificate, code, "it is missing"),
            Err(error) => return left.note(Part::Certificate, code, error.to_string()),
        };
        let stated = match proves {
            true => self.proved(left, game, finish, &bytes),
            false => match certificate::decode(&bytes) {
                Ok(solution) if solution.code != *code => {
                    let what = format!("it is about {}", solution.code);
                    return left.note(Part::Certificate, code, what);
                }
                Ok(solution) => Record::new(game, &solution).map_err(|flaw| flaw.to_string()),
                Err(flaw) => Err(flaw.to_string()),
            },
        };
        match (stated, record) {
            (Err(flaw), _) => left.note(Part::Certificate, code, flaw),
            (Ok(stated), Some(record)) if stated != record => {
                left.note(Part::Record, code, "it is not what the certificate states");
            }
            _ => {}
        }
    }

    /// Returns the proved contents of a certificate.
    fn proved(
        &self,
        left: &mut ExpectedEntries,
        game: &GameTask,
        finish: Finish,
        bytes: &[u8],
    ) -> Result<Record, String> {
        let task = Task::Game(game.clone());
        let judged = match verify(&task, bytes, self.interrupt.clone()) {
            Ok(judged) => judged,
            Err(refused) => {
                left.is_stopped |= refused == VerificationError::Stopped;
                return Err(format!("the checker refuses it: {refused}"));
            }
        };
        left.proofs = 1;
        if judged.finish != finish {
            left.note(
                Part::Task,
                &game.code,
                "its state is not what the certificate states",
            );
        }
        let Finding::Game { record, quotient } = judged.finding else {
            return Err("it is about something else".to_owned());
        };
        self.quotient(left, &record.class, &quotient);
        Ok(*record)
    }

    /// Checks that a class has the quotient that was computed again.
    fn quotient(&self, left: &mut ExpectedEntries, class: &ClassKey, quotient: &BipartiteMonoid) {
        let kept = self.store.class(class);
        let kept = kept.map(|class| class.and_then(|class| class.quotient));
        if !matches!(kept, Ok(Some(kept)) if *kept == *quotient) {
            left.note(
                Part::Class,
                class,
                "its quotient is not that of the certificate",
            );
        }
    }

    /// Adds the entries of a record that should be in indexes, memberships and classes.
    fn entries_of(&self, left: &mut ExpectedEntries, record: &Record, finish: Finish) {
        let code = &record.code;
        let is_exhausted = record.verdict.limit().is_some();
        if is_exhausted != (finish == Finish::Exhausted) {
            left.note(Part::Task, code, "its state is not what the record says");
        }
        for key in index::keys(record) {
            left.index.add(&key, &[]);
        }
        for (class, membership) in memberships(record) {
            let value = encoding::encode(Kind::Membership.version(), &membership);
            let key = membership_key(&class, code);
            left.memberships.add(&key, &value.unwrap_or_default());
        }
        for partial in &record.partials {
            let Some(known) = self.classes.get(&partial.class) else {
                left.note(
                    Part::Class,
                    partial.class,
                    format!("it is missing; {code} has it"),
                );
                continue;
            };
            if (known.order, known.p_size) != (partial.order, partial.p_size) {
                let what = format!("it is not what the record of {code} says");
                left.note(Part::Class, partial.class, what);
            }
            left.is_first(partial.class, (code.clone(), partial.heap));
        }
        if self
            .classes
            .get(&record.class)
            .is_some_and(|known| !known.has_quotient)
            && record
                .partials
                .iter()
                .any(|partial| partial.class == record.class)
        {
            left.note(Part::Class, record.class, "its quotient is missing");
        }
    }

    fn schemes(
        &self,
        left: &mut ExpectedEntries,
        id: TaskId,
        (task, stored): (&Schemes, &StoredTask),
        ended: Option<Finish>,
        proves: bool,
    ) {
        let level = left.levels.entry(task.batch.order).or_default();
        level.tasks = 1;
        level.candidates = task.batch.schemes.len() as u64;
        let Some(finish) = ended else {
            return;
        };
        left.settled = 1;
        let bytes = match self.store.settled_bytes(id) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return left.note(Part::Certificate, &stored.task, "it is missing"),
            Err(error) => return left.note(Part::Certificate, &stored.task, error.to_string()),
        };
        let settled = match schemes::decode(&bytes) {
            Ok(Outcome::Settled(settled)) => Some(settled),
            Ok(Outcome::Exhausted) => None,
            Err(flaw) => return left.note(Part::Certificate, &stored.task, flaw.to_string()),
        };
        if settled.is_some() != (finish == Finish::Done) {
            let what = "its state is not what the certificate states";
            left.note(Part::Task, &stored.task, what);
        }
        let Some(settled) = settled else {
            return;
        };
        TaskCounts::of(Some(&settled)).count(level_of(left, task.batch.order), 1);
        for scheme in &settled.reached {
            left.candidates += 1;
            let key = candidate_key(scheme.order(), &scheme.code, stored.position);
            let there = self.store.get::<Vec<u8>>(Kind::Candidate, &key);
            if !matches!(there, Ok(Some(hint)) if *hint == *scheme.hint) {
                left.note(
                    Part::Level,
                    &stored.task,
                    "a candidate that it reached is missing",
                );
            }
        }
        for found in &settled.quotients {
            left.constructions += 1;
            let Some(scheme) = task.batch.schemes.get(found.place as usize) else {
                left.note(
                    Part::Certificate,
                    &stored.task,
                    "it names a scheme that it has not",
                );
                continue;
            };
            let key = construction_key(task.batch.order, &scheme.code);
            let there = self
                .store
                .get::<StoredConstruction>(Kind::Construction, &key);
            let is_kept = |kept: &StoredConstruction| {
                kept.task == id && kept.found == *found && self.classes.contains_key(&kept.class)
            };
            if !matches!(&there, Ok(Some(kept)) if is_kept(kept)) {
                left.note(
                    Part::Level,
                    &stored.task,
                    "a quotient that it found is not kept",
                );
            }
        }
        if proves {
            self.schemes_proved(left, (task, stored), &bytes);
        }
    }

    fn schemes_proved(
        &self,
        left: &mut ExpectedEntries,
        (task, stored): (&Schemes, &StoredTask),
        bytes: &[u8],
    ) {
        let judged = verify(&stored.task, bytes, self.interrupt.clone());
        let quotients = match judged {
            Ok(judged) => match judged.finding {
                Finding::Schemes(SchemesFinding { settled, quotients }) => {
                    left.proofs = 1;
                    settled
                        .map(|settled| settled.quotients)
                        .unwrap_or_default()
                        .into_iter()
                        .zip(quotients)
                }
                Finding::Game { .. } => return,
            },
            Err(VerificationError::Stopped) => {
                left.is_stopped = true;
                return;
            }
            Err(refused) => {
                let what = format!("the checker refuses it: {refused}");
                return left.note(Part::Certificate, &stored.task, what);
            }
        };
        for (found, (class, quotient)) in quotients {
            self.quotient(left, &class, &quotient);
            let Some(scheme) = task.batch.schemes.get(found.place as usize) else {
                continue;
            };
            let key = construction_key(task.batch.order, &scheme.code);
            let kept = self
                .store
                .get::<StoredConstruction>(Kind::Construction, &key);
            if !matches!(kept, Ok(Some(kept)) if kept.class == class) {
                left.note(
                    Part::Level,
                    &stored.task,
                    "the class of a quotient is not its own",
                );
            }
        }
    }
}

fn level_of(left: &mut ExpectedEntries, order: u8) -> &mut Level {
    left.levels.entry(order).or_default()
}

/// Returns the class in a key of the store.
pub(super) fn class_of(key: &[u8]) -> Option<ClassKey> {
    let key = ClassKey(key.try_into().ok()?);
    (class_key(&key) == key.0).then_some(key)
}
