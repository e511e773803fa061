//! The end of a schedule: nothing bad happens any more, and the census has to be complete and true.

use super::super::super::transcript::Command;
use super::super::levels::{Levels, batches};
use super::super::oracle::ensure;
use super::super::scenario::{Character, Nature};
use super::super::store::State;
use super::World;
use misere_census::{Misconduct, TaskId};

impl World {
    /// Nothing bad happens any more; the census must end. The operator tries again what was put
    /// aside because of what happened before, without the workers that fail at tasks or hand in
    /// what is refused: a task that runs out of memory below the top class has few failures left
    /// for them.
    pub(in super::super) fn settle_down(&mut self) -> Result<(), String> {
        self.quiet = true;
        self.pardon_the_honest()?;
        for _ in 0..4 {
            let mut rounds = 0;
            while !self.store.is_finished() {
                rounds += 1;
                ensure!(
                    rounds < 50_000,
                    "the census does not end: {:?}",
                    self.store.tasks
                );
                for w in 0..self.workers.len() {
                    self.wake(w)?;
                    self.deliver_all()?;
                    for _ in 0..8 {
                        self.start(w)?;
                        self.end(w, 0)?;
                    }
                    self.deliver_all()?;
                }
                self.now += 700;
                self.apply(Command::Tick)?;
            }
            if self.innocents_in_quarantine() == 0 {
                return Ok(());
            }
            self.store.release();
            self.open()?;
            self.ban_the_faulty()?;
        }
        Err("innocent tasks end in quarantine again and again".to_owned())
    }

    /// An operator sends away the workers whose failures and refused certificates the quarantined
    /// tasks tell of.
    fn ban_the_faulty(&mut self) -> Result<(), String> {
        let crew = self.scenario.crew.clone();
        for crew in crew
            .iter()
            .filter(|crew| matches!(crew.character, Character::Broken | Character::Sloppy))
        {
            self.apply(Command::Distrust(crew.identity, Misconduct::Banned))?;
        }
        self.sync()
    }

    /// An operator takes back what was held against honest workers whose processes died, or who
    /// went on from spoilt checkpoints.
    fn pardon_the_honest(&mut self) -> Result<(), String> {
        let crew = self.scenario.crew.clone();
        for crew in crew
            .iter()
            .filter(|crew| crew.character == Character::Honest)
        {
            self.apply(Command::Pardon(crew.identity))?;
        }
        self.sync()
    }

    fn innocents_in_quarantine(&self) -> usize {
        let tasks = self.store.tasks.iter();
        let innocent = |(task, state): &(&TaskId, &State)| {
            matches!(state, State::Quarantined(_)) && is_innocent(self.natures.of(**task))
        };
        tasks.filter(innocent).count()
    }

    /// Compares the census with the one that nothing ever happened to.
    pub(in super::super) fn check_census(&self) -> Result<(), String> {
        for (&task, state) in &self.store.tasks {
            let nature = self.natures.of(task);
            let record = self.store.records.get(&task);
            ensure!(
                record.is_some() == is_innocent(nature),
                "{task}, a {nature:?} task, is {state:?} and has {record:?}"
            );
            let Some(record) = record.filter(|record| !record.is_true) else {
                continue;
            };
            // A lie that the checker accepts stays only where its author was not caught by the same
            // coordinator, or where no honest worker could do the task.
            let caught = record.by.and_then(|by| self.store.distrusted.get(&by));
            ensure!(
                (!self.scenario.strict || record.is_unopposed)
                    && caught != Some(&record.generation),
                "the record of {task} is a lie: {record:?}"
            );
        }
        self.check_levels()
    }

    /// Each level is what the results of the one before make of it, as far as those are complete.
    /// So if nothing is a lie, the levels are those to which nothing ever happened.
    fn check_levels(&self) -> Result<(), String> {
        let Levels { planned, laid_down } = &self.store.levels;
        let mut candidates = 1;
        for (level, laid) in (0..*planned).zip(laid_down) {
            ensure!(
                laid.tasks == batches(level, candidates),
                "level {level} has the tasks {:?}",
                laid.tasks
            );
            let mut tasks = laid.tasks.iter();
            let is_complete = tasks.all(|&task| is_innocent(self.natures.of(task)));
            ensure!(
                laid.is_closed == is_complete,
                "level {level} is closed: {}",
                laid.is_closed
            );
            if !is_complete {
                // What was laid down above it before will be laid down anew.
                return Ok(());
            }
            candidates = self.store.reached_by(level.into());
        }
        ensure!(
            laid_down.len() == usize::from(*planned),
            "a level is missing: {laid_down:?}"
        );
        Ok(())
    }

    /// Whether the ledger holds no task.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.ledger.entries().next().is_none()
    }
}

/// Whether an honest worker can do a task of this nature.
fn is_innocent(nature: Nature) -> bool {
    matches!(nature, Nature::Fine | Nature::Hungry)
}
