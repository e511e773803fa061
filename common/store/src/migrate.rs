//! The migration of a census from an earlier format to the present one.
//!
//! While it is opened for writing, in one write batch: kill -9 in the middle leaves the earlier
//! format or this one, never a mixture (A-4). What would be too much for one batch (every record is
//! written anew for format 5) follows in many; until the last, a mark says that it is not finished,
//! the next opening for writing goes on, and nobody else reads the census.
//!
//! - **Format 1** knew neither the verdicts *tame relative*, *grows* and *infinite* nor the budget
//!   for proofs of infinity. Its certificates are of version 1, which the checker no longer reads,
//!   so nothing of it can be proved any more, and what cannot be proved does not stand in a census
//!   (A-2). The plan is kept, with the usual budget for proofs of infinity; so are the count of
//!   openings and the events. Every task is pending again.
//! - **Format 2** kept only the last failure of a task in quarantine. All records stay; the
//!   failures before the last are taken from the events, as far as these go back.
//! - **Format 3** kept no checkpoints of long tasks and knew no task that was replaced by others.
//!   Nothing changes.
//! - **Format 4** knew no tasks but games, and no classes but theirs. It had no indexes, and its
//!   records did not say whether the quotient is proved infinite: that is read from the
//!   certificates.
//! - **Format 5** kept of an alias its code alone. Its heap numbers are found from the code and the
//!   certificate of the record.
//! - **Format 6** kept no reason why a quotient is not proved infinite. Nothing changes: its
//!   records have no reason.
//! - **Format 6** did not say whether a law of a game that grows is proved: that is read from the
//!   certificates. All its entries are entries of this format, so it can be read as it is.
//! - **Format 7** did not say whether a game is solved past an infinite quotient: that is read from
//!   the certificates. The words of all heaps become a part of the claim, so the digest of a census
//!   with such a game changes; that of any other stays. All entries of this format are entries of
//!   the present one, too.
//! - **Format 8** knew no games that an automaton solves. Nothing changes: the engine of that time
//!   looked for none, so no certificate has one, and a game that grows stays one. Only the counts
//!   of the endings are made anew.

use std::path::Path;

use misere_census::frozen::code_key;
use misere_census::record::distinct_multiples;
use misere_census::{
    Alias, AllHeapsFacts, Budget, CertificateError, Failure, GameTask, LawFacts, Plan, Record,
    Space, Task, TaskId, certificate, encoding,
};
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::quotient::{Limits, Strategy};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Partial, Solution, Tail, Verdict};
use rocksdb::{DB, IteratorMode, WriteBatch};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::disk::is_in_use;
use super::index::LAYOUT;
use super::keys::{FORMAT, Kind, Meta, number_key, task_key};
use super::value::{Class, Counters, Event, EventKind, Quarantine, Ruleset, StoredTask, TaskState};
use super::{Store, StoreError, commit_watermark, damaged, unix_ms};

/// A key that is greater than every key in use.
const END: [u8; 512] = [u8::MAX; 512];

/// The plan of format 1.
#[derive(Deserialize)]
struct PlanOf1 {
    space: Space,
    budget: BudgetOf1,
}

#[derive(Deserialize)]
struct BudgetOf1 {
    fuel: u64,
    limits: LimitsOf1,
    strategy: Strategy,
}

#[derive(Deserialize)]
struct LimitsOf1 {
    max_heap: u32,
    max_order: u32,
    max_copies: u32,
}

/// An entry of the quarantine in formats 1 and 2.
#[derive(Serialize, Deserialize)]
pub(super) struct QuarantineOf2 {
    pub(super) code: Code,
    pub(super) failures: u32,
    pub(super) failure: Failure,
    pub(super) at_ms: u64,
}

/// The version of the entries of the quarantine in formats 1 and 2.
pub(super) const QUARANTINE_OF_2: u8 = 1;

/// The counters of formats 1 and 2, in which no task could be dropped.
#[derive(Serialize, Deserialize)]
pub(super) struct CountersOf2 {
    pub(super) tasks: u64,
    pub(super) codes: u64,
    pub(super) done: u64,
    pub(super) exhausted: u64,
    pub(super) quarantined: u64,
}

impl CountersOf2 {
    fn now(self) -> Counters {
        Counters {
            tasks: self.tasks,
            codes: self.codes,
            done: self.done,
            exhausted: self.exhausted,
            quarantined: self.quarantined,
            dropped: 0,
        }
    }
}

/// The value under a code in formats 1 to 4.
#[derive(Serialize, Deserialize)]
pub(super) enum RulesetOf4 {
    Record(Box<RecordOf4>),
    AliasOf(Code),
}

/// The version of the values under codes in formats 1 to 4.
pub(super) const RULESET_OF_4: u8 = 1;

/// The record of formats 2 to 4.
#[derive(Serialize, Deserialize)]
pub(super) struct RecordOf4 {
    pub(super) code: Code,
    pub(super) aliases: Vec<Code>,
    pub(super) verdict: Verdict,
    pub(super) heaps: u32,
    pub(super) order: u32,
    pub(super) p_size: u32,
    pub(super) generators: u32,
    pub(super) class: ClassKey,
    pub(super) tame: Option<bool>,
    pub(super) partials: Vec<Partial>,
    pub(super) tail: Option<Tail>,
    pub(super) fuel: u64,
    pub(super) claim: [u8; 32],
}

/// The value under a code in format 5.
#[derive(Serialize, Deserialize)]
pub(super) enum RulesetOf5 {
    Record(Box<RecordOf5>),
    AliasOf(Code),
}

/// The version of the values under codes in format 5.
pub(super) const RULESET_OF_5: u8 = 2;

/// The record of format 5.
#[derive(Serialize, Deserialize)]
pub(super) struct RecordOf5 {
    pub(super) of_4: RecordOf4,
    pub(super) distinct_multiples: Vec<u32>,
}

impl RecordOf5 {
    fn now(self, aliases: Vec<Alias>) -> Record {
        let Self {
            of_4,
            distinct_multiples,
        } = self;
        Record {
            code: of_4.code,
            aliases,
            verdict: of_4.verdict,
            heaps: of_4.heaps,
            order: of_4.order,
            p_size: of_4.p_size,
            generators: of_4.generators,
            class: of_4.class,
            tame: of_4.tame,
            partials: of_4.partials,
            tail: of_4.tail,
            fuel: of_4.fuel,
            claim: of_4.claim,
            distinct_multiples,
            reason: None,
            law: None,
            automaton: None,
            all_heaps: None,
        }
    }
}

/// A task of formats 1 to 4, which was always a game.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTaskOf4 {
    pub(super) task: GameTask,
    pub(super) position: u64,
    pub(super) state: TaskState,
}

/// The version of the tasks in formats 1 to 4.
pub(super) const TASK_OF_4: u8 = 1;

/// A class of formats 1 to 4, which was always the class of a game.
#[derive(Serialize, Deserialize)]
pub(super) struct ClassOf4 {
    pub(super) order: u32,
    pub(super) p_size: u32,
    pub(super) witness: Code,
    pub(super) heap: u32,
    pub(super) quotient: Option<Box<BipartiteMonoid>>,
}

/// The version of the classes in formats 1 to 4.
pub(super) const CLASS_OF_4: u8 = 1;

/// The number of entries written per batch while records are written anew.
const RECORD_BATCH: usize = 16_384;

/// The plan of the census in a directory, in this format or an earlier one, complete or not.
///
/// Cost: one opening of the database.
///
/// # Errors
/// [`StoreError`] if there is none, it is of a later format, or cannot be read.
///
/// ```
/// # let (dir, mut store) =
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
/// use misere_store::plan_of;
///
/// let plan = store.plan().clone();
/// drop(store);
/// assert_eq!(plan_of(dir.path())?, plan);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_of(dir: &Path) -> Result<Plan, StoreError> {
    let read = |db| read_plan(&db, dir)?.ok_or_else(|| commit_watermark::missing(dir));
    commit_watermark::open_checked(dir, || is_in_use(dir), read)
}

/// The plan in a database, if there is one.
pub(super) fn read_plan(db: &DB, dir: &Path) -> Result<Option<Plan>, StoreError> {
    // Without it, the census was broken off when its database was made.
    let Some(family) = db.cf_handle(Kind::Meta.family()) else {
        return Ok(None);
    };
    let (Some(format), Some(plan)) = (
        db.get_cf(family, Meta::Format.key())?,
        db.get_cf(family, Meta::Plan.key())?,
    ) else {
        return Ok(None);
    };
    let version = Kind::Meta.version();
    let damaged = damaged(Kind::Meta);
    match encoding::decode::<u32>(version, &format).map_err(&damaged)? {
        1 => {
            let PlanOf1 { space, budget } = encoding::decode(version, &plan).map_err(&damaged)?;
            let limits = Limits {
                max_heap: budget.limits.max_heap,
                max_order: budget.limits.max_order,
                max_copies: budget.limits.max_copies,
                ..Limits::default()
            };
            let budget = Budget {
                fuel: budget.fuel,
                limits,
                strategy: budget.strategy,
            };
            // What was a plan then is one now.
            let plan = Plan::new(space, budget).map_err(|_| StoreError::Absent("plan"))?;
            Ok(Some(plan))
        }
        2..=FORMAT => Ok(Some(encoding::decode(version, &plan).map_err(&damaged)?)),
        found => Err(other_format(dir, found)),
    }
}

pub(super) fn other_format(dir: &Path, found: u32) -> StoreError {
    let path = dir.to_owned();
    if found < FORMAT {
        StoreError::EarlierFormat { path, found }
    } else {
        StoreError::Format { path, found }
    }
}

impl Store {
    /// Migrates an earlier format to this one. The plan is that of the census already.
    pub(super) fn migrate(&self, dir: &Path) -> Result<(), StoreError> {
        let Some(found) = self.meta::<u32>(Meta::Format)? else {
            return Ok(());
        };
        let mut batch = WriteBatch::default();
        match found {
            FORMAT => return self.complete_records(),
            1 => self.begin_again(&mut batch)?,
            2 => self.recall_failures(&mut batch)?,
            3..FORMAT => {}
            _ => return Err(other_format(dir, found)),
        }
        self.put(&mut batch, Kind::Meta, Meta::Migrating.key(), &found)?;
        let event = Event {
            at_ms: unix_ms(),
            what: EventKind::Migrated { from: found },
        };
        let next = self.last_event()?.map_or(0, |last| last + 1);
        self.put(&mut batch, Kind::Event, &number_key(next), &event)?;
        self.put(&mut batch, Kind::Meta, Meta::Format.key(), &FORMAT)?;
        // Statement before it is done: whoever is killed in between has heard of it, and hears of
        // it again.
        let dir = dir.display();
        if found == 1 {
            tracing::warn!(
                "the census in {dir} is brought from format 1 to format {FORMAT}: its plan is \
                 kept; its records were certified in a form that cannot be checked any more, so \
                 all its tasks are computed again"
            );
        } else {
            tracing::warn!(
                "the census in {dir} is brought from format {found} to format {FORMAT}: everything \
                 in it is kept"
            );
        }
        self.write(batch)?;
        self.complete_records()
    }

    /// Brings the records to this format, and makes the indexes if they are missing or of another
    /// layout, in batches that can be broken off and done again.
    fn complete_records(&self) -> Result<(), StoreError> {
        let is_migrating = self.meta::<u32>(Meta::Migrating)?.is_some();
        let is_indexed = self.meta(Meta::Indexes)? == Some(LAYOUT);
        if is_migrating {
            self.complete_rulesets()?;
            self.admit_schemes()?;
            self.recall_whole_games()?;
        }
        if !is_indexed {
            self.make_indexes()?;
        }
        if is_indexed && !is_migrating {
            return Ok(());
        }
        let mut batch = WriteBatch::default();
        self.delete(&mut batch, Kind::Meta, Meta::Migrating.key())?;
        self.put(&mut batch, Kind::Meta, Meta::Indexes.key(), &LAYOUT)?;
        self.write(batch)
    }

    /// The step for formats 2 to 4 that gives records the heaps whose multiples are proved to be
    /// distinct. Formats 2 to 5: aliases get their heap numbers.
    fn complete_rulesets(&self) -> Result<(), StoreError> {
        let kind = Kind::Ruleset;
        let mut batch = WriteBatch::default();
        for entry in self.db.iterator_cf(self.family(kind)?, IteratorMode::Start) {
            let (key, value) = entry?;
            let old = match value.first() {
                Some(&RULESET_OF_4) => {
                    match encoding::decode(RULESET_OF_4, &value).map_err(damaged(kind))? {
                        RulesetOf4::AliasOf(code) => RulesetOf5::AliasOf(code),
                        RulesetOf4::Record(of_4) => {
                            let distinct_multiples = self.distinct_multiples_at(&key, &of_4)?;
                            RulesetOf5::Record(Box::new(RecordOf5 {
                                of_4: *of_4,
                                distinct_multiples,
                            }))
                        }
                    }
                }
                Some(&RULESET_OF_5) => {
                    encoding::decode(RULESET_OF_5, &value).map_err(damaged(kind))?
                }
                // Done before it was broken off.
                _ => continue,
            };
            let new = match old {
                RulesetOf5::AliasOf(code) => Ruleset::AliasOf(code),
                RulesetOf5::Record(old) => {
                    let aliases = self.aliases_at(&key, &old.of_4)?;
                    Ruleset::Record(Box::new(old.now(aliases)))
                }
            };
            self.put(&mut batch, kind, &key, &new)?;
            if batch.len() >= RECORD_BATCH {
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.write(batch)
    }

    /// The step for formats 2 to 4 after which tasks may be something else than games, and classes
    /// may come from something else.
    fn admit_schemes(&self) -> Result<(), StoreError> {
        self.rewrite(Kind::Task, TASK_OF_4, |old: StoredTaskOf4| StoredTask {
            task: Task::Game(old.task),
            position: old.position,
            state: old.state,
        })?;
        self.rewrite(Kind::Class, CLASS_OF_4, |old: ClassOf4| Class {
            order: old.order,
            p_size: old.p_size,
            witness: Some(old.witness),
            heap: old.heap,
            quotient: old.quotient,
            construction: None,
        })
    }

    /// The step for formats 2 to 7 after which records say whether a law, or words of all heaps
    /// past an infinite quotient, are proved. Such words are a part of the claim from format 8 on.
    fn recall_whole_games(&self) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        for record in self.records()? {
            let mut record = record?;
            if !matches!(record.verdict, Verdict::Grows { .. }) && !record.is_proved_infinite() {
                continue;
            }
            let key = code_key(&record.code);
            // A certificate of an earlier form has neither.
            let Ok(solution) = self.solution_at(&key)? else {
                continue;
            };
            record.law = solution.law().map(LawFacts::of);
            if AllHeapsFacts::of(&solution).is_some() {
                let aliases = record.aliases.into_iter().map(|alias| alias.code);
                let game = GameTask {
                    code: record.code,
                    aliases: aliases.collect(),
                    budget: self.plan.budget(),
                };
                record = Record::new(&game, &solution)?;
            }
            if record.law.is_some() || record.all_heaps.is_some() {
                let record = Ruleset::Record(Box::new(record));
                self.put(&mut batch, Kind::Ruleset, &key, &record)?;
            }
            if batch.len() >= RECORD_BATCH {
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.write(batch)
    }

    /// Writes the entries of a kind anew that are of an earlier version; the other entries were
    /// written before the migration was broken off.
    fn rewrite<O: DeserializeOwned, N: Serialize>(
        &self,
        kind: Kind,
        version: u8,
        now: impl Fn(O) -> N,
    ) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        for entry in self.db.iterator_cf(self.family(kind)?, IteratorMode::Start) {
            let (key, value) = entry?;
            if value.first() != Some(&version) {
                continue;
            }
            let old = encoding::decode(version, &value).map_err(damaged(kind))?;
            self.put(&mut batch, kind, &key, &now(old))?;
            if batch.len() >= RECORD_BATCH {
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.write(batch)
    }

    /// The heaps whose multiples the certificate under a key proves to be distinct.
    fn distinct_multiples_at(&self, key: &[u8], old: &RecordOf4) -> Result<Vec<u32>, StoreError> {
        if !matches!(old.verdict, Verdict::Diverges { .. }) {
            return Ok(Vec::new());
        }
        // A certificate of an earlier form says nothing that could be believed; it was checked as
        // it was then.
        let solution = self.solution_at(key)?.ok();
        Ok(solution.map_or(Vec::new(), |solution| distinct_multiples(&solution)))
    }

    /// The aliases of a record, with the heap numbers that follow from the certificate under its
    /// key.
    fn aliases_at(&self, key: &[u8], old: &RecordOf4) -> Result<Vec<Alias>, StoreError> {
        if old.aliases.is_empty() {
            return Ok(Vec::new());
        }
        let solution = self.solution_at(key)?.map_err(StoreError::Certificate)?;
        let aliases = old.aliases.iter();
        let aliases = aliases.map(|code| Alias::new(&solution, code));
        Ok(aliases.collect::<Result<_, _>>()?)
    }

    fn solution_at(&self, key: &[u8]) -> Result<Result<Solution, CertificateError>, StoreError> {
        let kind = Kind::Certificate;
        let bytes = self.db.get_cf(self.family(kind)?, key)?;
        let bytes = bytes.ok_or(StoreError::Absent(kind.family()))?;
        Ok(certificate::decode(&bytes))
    }

    fn make_indexes(&self) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        batch.delete_range_cf(self.family(Kind::Index)?, &[][..], &END[..]);
        for record in self.records()? {
            self.index(&mut batch, &record?)?;
            if batch.len() >= RECORD_BATCH {
                self.write(std::mem::take(&mut batch))?;
            }
        }
        self.write(batch)
    }

    /// The step for format 1, of which nothing stays but the plan, the number of openings and the
    /// events. Without counters the tasks are laid down next, as those of a census that was broken
    /// off while it began.
    fn begin_again(&self, batch: &mut WriteBatch) -> Result<(), StoreError> {
        for kind in Kind::ALL {
            if !matches!(kind, Kind::Meta | Kind::Event) {
                batch.delete_range_cf(self.family(kind)?, &[][..], &END[..]);
            }
        }
        self.delete(batch, Kind::Meta, Meta::Counters.key())?;
        self.put(batch, Kind::Meta, Meta::Plan.key(), &self.plan)
    }

    /// The step for format 2 that gives the quarantine all known failures, and the counters one for
    /// tasks that were dropped. A census that was broken off while it began has no counters yet,
    /// and its tasks are laid down again.
    fn recall_failures(&self, batch: &mut WriteBatch) -> Result<(), StoreError> {
        if let Some(counters) = self.meta::<CountersOf2>(Meta::Counters)? {
            self.put(batch, Kind::Meta, Meta::Counters.key(), &counters.now())?;
        }
        let kind = Kind::Quarantine;
        let mut noted = self.attempts_noted()?;
        for entry in self.db.iterator_cf(self.family(kind)?, IteratorMode::Start) {
            let (key, value) = entry?;
            let old: QuarantineOf2 =
                encoding::decode(QUARANTINE_OF_2, &value).map_err(damaged(kind))?;
            let task = TaskId::try_from(&*key).map_err(|_| StoreError::Absent(kind.family()))?;
            let new = Quarantine {
                name: old.code.to_string(),
                failures: old.failures,
                failure: old.failure,
                at_ms: old.at_ms,
                earlier: noted.remove(&task).unwrap_or_default(),
                dropped: false,
            };
            self.put(batch, kind, &task_key(task), &new)?;
        }
        Ok(())
    }
}
