//! The end of a schedule: all faults stop, and the census has to be complete and true.

use misere_census::{Misconduct, TaskId};

use super::super::super::transcript::Command;
use super::super::levels::{Levels, batches};
use super::super::oracle::ensure;
use super::super::scenario::{Character, Nature};
use super::super::store::State;
use super::World;

impl World {
    /// Stops all faults and runs the census to its end.
    ///
    /// The operator retries the tasks that were put aside earlier, without the workers that fail at
    /// tasks or submit certificates that are refused: a task that runs out of memory below the top
    /// class has few failures left for them.
    pub(in super::super) fn run_to_quiescence(&mut self) -> Result<(), String> {
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

    /// Bans, as an operator, the workers whose failures and refused certificates led to quarantine.
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

    /// Pardons, as an operator, honest workers that were held back or distrusted.
    ///
    /// Their processes died, or they resumed from spoilt checkpoints.
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

    /// Compares the census with one that ran without faults.
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
            // A lie that the checker accepts remains only if one of its authors was not caught, or
            // if no honest worker could do the task.
            let caught = |liar| self.store.distrusted.contains(liar);
            ensure!(
                (!self.scenario.strict || record.is_unopposed) && !record.liars.iter().all(caught),
                "the record of {task} is a lie: {record:?}"
            );
        }
        self.check_levels()
    }

    /// Checks that each level follows from the complete results of the level before.
    ///
    /// So if no result is a lie, the levels are those of a census without faults.
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
                // The levels above it that were written before will be written again.
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

    /// Reports whether the ledger holds no task.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.ledger.entries().next().is_none()
    }
}

/// Reports whether an honest worker can do a task of this nature.
fn is_innocent(nature: Nature) -> bool {
    matches!(nature, Nature::Fine | Nature::Hungry)
}
