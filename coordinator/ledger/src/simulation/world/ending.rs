//! The end of a schedule: nothing bad happens any more, and the census has to be complete and true.

use super::super::super::transcript::Command;
use super::super::oracle::ensure;
use super::super::scenario::{Character, Nature};
use super::super::store::State;
use super::World;
use misere_census::Misconduct;

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
                    self.ask(w);
                    self.repeat(w);
                    self.deliver_all()?;
                    for _ in 0..8 {
                        self.start(w);
                        self.end(w, 0);
                    }
                    self.deliver_all()?;
                }
                self.now += 7;
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

    fn in_quarantine(&self) -> impl Iterator<Item = Nature> {
        let quarantined = self
            .store
            .tasks
            .iter()
            .filter(|(_, (_, state))| matches!(state, State::Quarantined(_)));
        quarantined.filter_map(|(task, _)| self.natures.get(task).copied())
    }

    fn innocents_in_quarantine(&self) -> usize {
        let innocent = |nature: &Nature| matches!(nature, Nature::Fine | Nature::Hungry);
        self.in_quarantine().filter(innocent).count()
    }

    /// Compares the census with the one that nothing ever happened to.
    pub(in super::super) fn check_census(&self) -> Result<(), String> {
        let mut unit = 0;
        for &(nature, units) in &self.scenario.tasks {
            let wanted = matches!(nature, Nature::Fine | Nature::Hungry);
            for unit in unit..unit + units {
                let record = self.store.records.get(&unit);
                ensure!(
                    record.is_some() == wanted,
                    "unit {unit} of a {nature:?} task has {record:?}"
                );
                let Some(record) = record.filter(|record| !record.is_true) else {
                    continue;
                };
                // A lie that the checker accepts stays only where its author was not caught by the
                // same coordinator, or where no honest worker could do the task.
                let caught = record.by.and_then(|by| self.store.distrusted.get(&by));
                ensure!(
                    (!self.scenario.strict || record.is_unopposed)
                        && caught != Some(&record.generation),
                    "unit {unit} is a lie: {record:?}"
                );
            }
            unit += units;
        }
        Ok(())
    }

    /// Whether the ledger holds no task.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.ledger.entries().next().is_none()
    }
}
