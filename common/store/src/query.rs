//! Point reads and scans of the entries of a census.

use misere_census::frozen::code_key;
use misere_census::{Record, TaskId, WorkerIdentity, encoding};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use rocksdb::{Direction, IteratorMode};
use serde::de::DeserializeOwned;

use super::keys::{Kind, Meta, class_key, membership_key, number_key, number_of};
use super::value::{Class, Event, Membership, Quarantine, Ruleset, StoredTask};
use super::{Store, StoreError, damaged};

/// A key and its value, if both could be read.
type Entry<T> = Result<(Box<[u8]>, T), StoreError>;

impl Store {
    /// Returns the unfinished tasks from a position on, in the order of the plan.
    ///
    /// There are at most `limit` of them.
    ///
    /// Cost: one scan, and the cost of [`tasks`](Self::tasks).
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let pending = store.pending(0, 10)?;
    /// assert_eq!(pending.len(), 1);
    /// assert_eq!(pending[0].1.task.to_string(), "0.123");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pending(
        &self,
        from: u64,
        limit: usize,
    ) -> Result<Vec<(TaskId, StoredTask)>, StoreError> {
        let entries = self.scan::<TaskId>(Kind::Pending, &number_key(from))?;
        let tasks = entries.take(limit).map(|entry| Ok(entry?.1));
        let tasks = tasks.collect::<Result<Vec<TaskId>, StoreError>>()?;
        let mut stored = self.tasks(tasks.iter().copied())?;
        let absent = || StoreError::Absent(Kind::Task.family());
        let tasks = tasks.into_iter();
        tasks
            .map(|task| Ok((task, stored.remove(&task).ok_or_else(absent)?)))
            .collect()
    }

    /// Returns all records in ascending order of their codes.
    ///
    /// Cost: one pass over all codes; one record at a time is in memory.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let mut orders = Vec::new();
    /// for record in store.records()? {
    ///     orders.push(record?.order);
    /// }
    /// assert_eq!(orders.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn records(&self) -> Result<impl Iterator<Item = Result<Record, StoreError>>, StoreError> {
        Ok(self
            .scan::<Ruleset>(Kind::Ruleset, &[])?
            .filter_map(|entry| match entry {
                Ok((_, Ruleset::Record(record))) => Some(Ok(*record)),
                Ok((_, Ruleset::AliasOf(_))) => None,
                Err(error) => Some(Err(error)),
            }))
    }

    /// Returns the record or alias under a code.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::Ruleset;
    ///
    /// let alias = store.ruleset(&"4.6".parse()?)?;
    /// assert_eq!(alias, Some(Ruleset::AliasOf("0.77".parse()?)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ruleset(&self, code: &Code) -> Result<Option<Ruleset>, StoreError> {
        self.get(Kind::Ruleset, &code_key(code))
    }

    /// Returns the certificate of a record, as it was checked.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let bytes = store.certificate(&"0.77".parse()?)?.ok_or("no certificate")?;
    /// assert_eq!(misere_census::certificate::decode(&bytes)?.quotient.order(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate(&self, code: &Code) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self
            .db
            .get_cf(self.family(Kind::Certificate)?, code_key(code))?)
    }

    /// Returns a class of isomorphic quotients.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let kayles = store.game(&"0.77".parse()?)?.ok_or("no game")?.record;
    /// let class = store.class(&kayles.class)?.ok_or("no class")?;
    /// assert_eq!((class.order, class.p_size), (kayles.order, kayles.p_size));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class(&self, class: &ClassKey) -> Result<Option<Class>, StoreError> {
        self.get(Kind::Class, &class_key(class))
    }

    /// Returns the heaps at which a code has a class; `None` if the code never has the class.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let kayles = store.game(&"0.77".parse()?)?.ok_or("no game")?.record;
    /// let membership = store.membership(&kayles.class, &kayles.code)?;
    /// assert!(membership.is_some_and(|membership| membership.forever));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn membership(
        &self,
        class: &ClassKey,
        code: &Code,
    ) -> Result<Option<Membership>, StoreError> {
        self.get(Kind::Membership, &membership_key(class, code))
    }

    /// Returns at most `limit` classes with keys from `least` to `greatest`, ascending.
    ///
    /// Cost: one step for each class that is returned.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_game::bipartite::ClassKey;
    ///
    /// let classes = store.classes(&ClassKey([0; 32]), &ClassKey([0xff; 32]), 3)?;
    /// assert_eq!(classes.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(
        &self,
        least: &ClassKey,
        greatest: &ClassKey,
        limit: usize,
    ) -> Result<Vec<(ClassKey, Class)>, StoreError> {
        let mut classes = Vec::new();
        for entry in self.scan::<Class>(Kind::Class, &class_key(least))? {
            let (key, class) = entry?;
            let absent = StoreError::Absent(Kind::Class.family());
            let key = ClassKey(<[u8; 32]>::try_from(&*key).map_err(|_| absent)?);
            if key > *greatest || classes.len() == limit {
                break;
            }
            classes.push((key, class));
        }
        Ok(classes)
    }

    /// Returns all memberships in a class, in ascending order of the codes.
    ///
    /// Cost: one step for each code with the class.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let kayles = store.game(&"0.77".parse()?)?.ok_or("no game")?.record;
    /// assert_eq!(store.members(&kayles.class)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn members(&self, class: &ClassKey) -> Result<Vec<Membership>, StoreError> {
        let prefix = class_key(class);
        self.scan::<Membership>(Kind::Membership, &prefix)?
            .take_while(|entry| {
                entry
                    .as_ref()
                    .map_or(true, |(key, _)| key.starts_with(&prefix))
            })
            .map(|entry| entry.map(|(_, membership)| membership))
            .collect()
    }

    /// Returns the number of classes of the partial quotients of all records.
    ///
    /// Cost: one pass over all classes.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_game::bipartite::ClassKey;
    ///
    /// let all = store.classes(&ClassKey([0; 32]), &ClassKey([0xff; 32]), usize::MAX)?;
    /// assert_eq!(store.class_count()?, all.len() as u64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class_count(&self) -> Result<u64, StoreError> {
        let mut count = 0;
        for entry in self.scan::<Class>(Kind::Class, &[])? {
            // Classes with constructions only have no witness.
            count += u64::from(entry?.1.witness.is_some());
        }
        Ok(count)
    }

    /// Returns the tasks in quarantine.
    ///
    /// Cost: one pass over the quarantine.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_census::Failure;
    /// use misere_store::{Commit, QuarantineWrite};
    ///
    /// let (task, _) = store.pending(0, 1)?.remove(0);
    /// let write = QuarantineWrite {
    ///     task,
    ///     failures: 3,
    ///     failure: Failure::Silence,
    ///     by: vec![],
    ///     at_ms: 0,
    /// };
    /// store.commit(&Commit {
    ///     quarantined: vec![write],
    ///     ..Commit::default()
    /// })?;
    /// let quarantined = store.quarantined()?;
    /// assert_eq!((quarantined[0].0, quarantined[0].1.failures), (task, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quarantined(&self) -> Result<Vec<(TaskId, Quarantine)>, StoreError> {
        self.scan::<Quarantine>(Kind::Quarantine, &[])?
            .map(|entry| {
                let (key, quarantine) = entry?;
                let task =
                    TaskId::try_from(&*key).map_err(|_| StoreError::Absent(Kind::Task.family()))?;
                Ok((task, quarantine))
            })
            .collect()
    }

    /// Returns all stored events, oldest first.
    ///
    /// Cost: one pass over the events, at most 10,000.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert!(store.events()?.len() <= 10_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        self.scan(Kind::Event, &[])?
            .map(|entry| entry.map(|(_, event)| event))
            .collect()
    }

    /// Returns the latest events, the latest first, at most `limit` of them.
    ///
    /// Cost: one step for each event.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert!(store.latest_events(1)?.len() <= 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn latest_events(&self, limit: usize) -> Result<Vec<Event>, StoreError> {
        let family = self.family(Kind::Event)?;
        let latest = self.db.iterator_cf(family, IteratorMode::End).take(limit);
        latest
            .map(|entry| {
                let (_, value) = entry?;
                encoding::decode(Kind::Event.version(), &value).map_err(damaged(Kind::Event))
            })
            .collect()
    }

    /// Returns the identities of the distrusted workers.
    ///
    /// Cost: one seek.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or the entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert!(store.distrusted()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distrusted(&self) -> Result<Vec<WorkerIdentity>, StoreError> {
        Ok(self.meta(Meta::Distrusted)?.unwrap_or_default())
    }

    pub(super) fn last_event(&self) -> Result<Option<u64>, StoreError> {
        let mut entries = self
            .db
            .iterator_cf(self.family(Kind::Event)?, IteratorMode::End);
        let last = entries.next().transpose()?;
        Ok(last.and_then(|(key, _)| number_of(&key)))
    }

    pub(super) fn scan<T: DeserializeOwned>(
        &self,
        kind: Kind,
        from: &[u8],
    ) -> Result<impl Iterator<Item = Entry<T>> + use<'_, T>, StoreError> {
        let mode = IteratorMode::From(from, Direction::Forward);
        Ok(self
            .db
            .iterator_cf(self.family(kind)?, mode)
            .map(move |entry| {
                let (key, value) = entry?;
                let value = encoding::decode(kind.version(), &value).map_err(damaged(kind))?;
                Ok((key, value))
            }))
    }
}
