//! Settled construction schemes, and the misère quotients found by them.
//!
//! For each task the store has its result, as it was checked. For each quotient found it has the
//! games under order and canonical code, and the class among those of the games ([`Kind::Class`]),
//! so that the games of the census that realise it are known.

use std::collections::BTreeMap;

use misere_algebra::classify::batch::BatchResult;
use misere_census::frozen::code_of;
use misere_census::schemes::Outcome;
use misere_census::{Finish, SchemesFinding, schemes};
use misere_census::{Schemes, Task, TaskId};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use misere_game::solution::Construction;
use rocksdb::WriteBatch;

use super::commit::{Draft, Finished, merged};
use super::keys::{Kind, candidate_key, class_key, construction_key, task_key};
use super::value::{Class, Level, Membership, StoredConstruction, StoredTask};
use super::{Store, StoreError};

/// A misère quotient with all data of the census about it.
#[derive(Clone, Debug)]
pub struct StoredQuotient {
    /// The class of the quotient.
    pub class: ClassKey,
    /// The least canonical code of the class; isomorphisms fix `a = Φ(*)`.
    pub code: Vec<u8>,
    /// The number of essentially different elements that can be `a`.
    pub choices_of_a: usize,
    /// Games with this quotient, proved when they entered the census.
    pub construction: Construction,
    /// The games with a partial quotient of this class, with the heaps at which they have it.
    pub games: Vec<(Code, Membership)>,
}

/// The counts that a task adds to its level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TaskCounts {
    carriers: u64,
    constructions: u64,
    nodes: u64,
    fuel: u64,
}

impl TaskCounts {
    pub(super) fn of(settled: Option<&BatchResult>) -> Self {
        settled.map_or(Self::default(), |settled| Self {
            carriers: settled.carriers,
            constructions: settled.quotients.len() as u64,
            nodes: settled.nodes,
            fuel: settled.fuel,
        })
    }

    /// Adds the counts of a task to its level `times` times.
    pub(super) fn count(self, level: &mut Level, times: i64) {
        let add = |to: &mut u64, number: u64| *to = to.wrapping_add_signed(number as i64 * times);
        add(&mut level.settled, 1);
        add(&mut level.carriers, self.carriers);
        add(&mut level.constructions, self.constructions);
        add(&mut level.nodes, self.nodes);
        add(&mut level.fuel, self.fuel);
    }
}

impl Store {
    /// Returns the result of a task of construction schemes; `None` if the task is not settled.
    ///
    /// Cost: one seek, and the decoding of the result.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// // A game is not a batch of construction schemes.
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// assert!(store.settled(task)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn settled(&self, task: TaskId) -> Result<Option<BatchResult>, StoreError> {
        let kind = Kind::Settled;
        let bytes = self.settled_bytes(task)?;
        let outcome = bytes.map(|bytes| schemes::decode(&bytes)).transpose();
        match outcome.map_err(|_| StoreError::Absent(kind.family()))? {
            Some(Outcome::Settled(settled)) => Ok(Some(settled)),
            Some(Outcome::Exhausted) | None => Ok(None),
        }
    }

    /// Returns the bytes of the result of a task of construction schemes, as they were checked.
    pub(super) fn settled_bytes(&self, task: TaskId) -> Result<Option<Vec<u8>>, StoreError> {
        let family = self.family(Kind::Settled)?;
        Ok(self.db.get_cf(family, task_key(task))?)
    }

    /// Returns the constructions of an order in ascending order of their codes.
    ///
    /// Cost: one step for each construction that is read.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails; the items, if an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert_eq!(store.constructions(8)?.count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constructions(
        &self,
        order: u8,
    ) -> Result<impl Iterator<Item = Result<(Vec<u8>, StoredConstruction), StoreError>>, StoreError>
    {
        let entries = self.scan::<StoredConstruction>(Kind::Construction, &[order])?;
        let of_order = move |entry: &Result<(Box<[u8]>, StoredConstruction), StoreError>| {
            entry
                .as_ref()
                .map_or(true, |(key, _)| key.first() == Some(&order))
        };
        Ok(entries
            .take_while(of_order)
            .map(|entry| entry.map(|(key, value)| (key[1..].to_vec(), value))))
    }

    /// Returns the misère quotients of an order, one of each class, in the order of their codes.
    ///
    /// Each comes with the games of the census that realise it.
    ///
    /// Cost: one pass over the constructions of the order, and over the members of each class.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// // The plan has only games.
    /// assert!(store.quotients(8)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quotients(&self, order: u8) -> Result<Vec<StoredQuotient>, StoreError> {
        let mut places: BTreeMap<ClassKey, usize> = BTreeMap::new();
        let mut quotients: Vec<StoredQuotient> = Vec::new();
        for entry in self.constructions(order)? {
            let (code, StoredConstruction { class, found, .. }) = entry?;
            if let Some(&place) = places.get(&class) {
                quotients[place].choices_of_a += 1;
                continue;
            }
            let damaged = |_| StoreError::Absent(Kind::Construction.family());
            let construction = found.construction(&code).map_err(damaged)?;
            places.insert(class, quotients.len());
            quotients.push(StoredQuotient {
                class,
                code,
                choices_of_a: 1,
                construction,
                games: self.games_with(&class)?,
            });
        }
        Ok(quotients)
    }

    /// Commits the result of construction schemes.
    pub(super) fn finish_schemes(
        &self,
        draft: &mut Draft,
        finished: &Finished,
        finding: &SchemesFinding,
        (task, stored): (&Schemes, &StoredTask),
    ) -> Result<(), StoreError> {
        let (id, order) = (finished.task, task.batch.order);
        let family = self.family(Kind::Settled)?;
        draft
            .batch
            .put_cf(family, task_key(id), &finished.certificate);
        let Some(settled) = finding
            .settled
            .as_ref()
            .filter(|_| finished.finish == Finish::Done)
        else {
            return Ok(());
        };
        TaskCounts::of(Some(settled)).count(self.level_in(draft, order), 1);
        for scheme in &settled.reached {
            let key = candidate_key(scheme.order(), &scheme.code, stored.position);
            self.put(&mut draft.batch, Kind::Candidate, &key, &scheme.hint)?;
        }
        for (found, (class, quotient)) in settled.quotients.iter().zip(&finding.quotients) {
            let Some(scheme) = task.batch.schemes.get(found.place as usize) else {
                continue;
            };
            let construction = StoredConstruction {
                class: *class,
                task: id,
                found: found.clone(),
            };
            let key = construction_key(order, &scheme.code);
            self.put(&mut draft.batch, Kind::Construction, &key, &construction)?;
            let seen = Class {
                order: quotient.order() as u32,
                p_size: quotient.p_size() as u32,
                witness: None,
                heap: 0,
                quotient: Some(Box::new(quotient.clone())),
                construction: Some(scheme.code.to_vec()),
            };
            self.note_class(draft, *class, seen)?;
        }
        Ok(())
    }

    /// Takes back the result of construction schemes; the level and all above are open again.
    ///
    /// The facts about classes stay, since they were proved.
    pub(super) fn reopen_schemes(
        &self,
        draft: &mut Draft,
        id: TaskId,
        stored: &StoredTask,
    ) -> Result<(), StoreError> {
        let Task::Schemes(schemes) = &stored.task else {
            return Ok(());
        };
        let settled = self.settled(id)?;
        let order = schemes.batch.order;
        if settled.is_some() {
            TaskCounts::of(settled.as_ref()).count(self.level_in(draft, order), -1);
        }
        let above: Vec<u8> = self
            .levels
            .range(order..)
            .map(|(&order, _)| order)
            .collect();
        for order in above {
            let level = self.level_in(draft, order);
            (level.closed, level.classes) = (false, 0);
        }
        self.undo_schemes(&mut draft.batch, id, stored)
    }

    /// Deletes the result of construction schemes.
    pub(super) fn undo_schemes(
        &self,
        batch: &mut WriteBatch,
        id: TaskId,
        stored: &StoredTask,
    ) -> Result<(), StoreError> {
        let (Task::Schemes(task), Some(settled)) = (&stored.task, self.settled(id)?) else {
            return self.delete(batch, Kind::Settled, &task_key(id));
        };
        for scheme in &settled.reached {
            let key = candidate_key(scheme.order(), &scheme.code, stored.position);
            self.delete(batch, Kind::Candidate, &key)?;
        }
        for found in &settled.quotients {
            if let Some(scheme) = task.batch.schemes.get(found.place as usize) {
                let key = construction_key(task.batch.order, &scheme.code);
                self.delete(batch, Kind::Construction, &key)?;
            }
        }
        self.delete(batch, Kind::Settled, &task_key(id))
    }

    /// Writes a class that was found once more.
    pub(super) fn note_class(
        &self,
        draft: &mut Draft,
        class: ClassKey,
        seen: Class,
    ) -> Result<(), StoreError> {
        let known = match draft.classes.remove(&class) {
            Some(known) => Some(known),
            None => self.get(Kind::Class, &class_key(&class))?,
        };
        let class_now = match known {
            Some(known) => merged(known, seen),
            None => seen,
        };
        draft.classes.insert(class, class_now);
        Ok(())
    }

    fn games_with(&self, class: &ClassKey) -> Result<Vec<(Code, Membership)>, StoreError> {
        let mut games = Vec::new();
        let prefix = class_key(class);
        for entry in self.scan::<Membership>(Kind::Membership, &prefix)? {
            let (key, membership) = entry?;
            let Some(code) = key.strip_prefix(&prefix[..]) else {
                break;
            };
            let code = code_of(code);
            games.push((code.ok_or(StoreError::Absent("membership"))?, membership));
        }
        Ok(games)
    }
}
