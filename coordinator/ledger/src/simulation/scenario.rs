//! The simulated census: natures of tasks, characters of workers, and the settings of leases.
//!
//! All of them come from one seed.

use std::time::Duration;

use misere_census::{MemoryClass, WorkerIdentity};
use misere_session::Config;

use super::super::{CheckConfig, LeaseConfig, TrustConfig};

/// Numbers from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub(super) struct SeededRng(pub(super) u64);

impl SeededRng {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// The effect of a task on the worker that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    Fine,
    /// Needs more memory than the least class has.
    Hungry,
    /// Needs more memory than there is.
    Insatiable,
    /// Panics always.
    Poison,
}

/// The honesty of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Character {
    Honest,
    /// Makes certificates that the checker refuses.
    Sloppy,
    /// Makes false certificates that the checker accepts.
    Liar,
    /// Fails at everything.
    Broken,
}

#[derive(Clone, Debug)]
pub(super) struct Crew {
    pub(super) identity: WorkerIdentity,
    pub(super) character: Character,
    pub(super) slots: u32,
    /// The least time between two checkpoints of a task that it submits.
    pub(super) checkpoint_every: Duration,
    /// The time for which its tasks may continue when it is told to stop.
    pub(super) grace: Duration,
    pub(super) class: MemoryClass,
}

#[derive(Clone, Debug)]
pub(super) struct Scenario {
    /// The nature of each game.
    pub(super) games: Vec<Nature>,
    /// The number of levels of batches of schemes.
    ///
    /// The tasks of a level follow from the results of the level before.
    pub(super) levels: u8,
    pub(super) crew: Vec<Crew>,
    pub(super) config: LeaseConfig,
    /// Whether all work is done twice and all workers are waited for, in one generation.
    ///
    /// Then not even a liar that convinces the checker gets a result into the census.
    pub(super) strict: bool,
    pub(super) key: [u8; 32],
}

impl Scenario {
    pub(super) fn of(seed: u64) -> Self {
        let mut lots = SeededRng(seed);
        let strict = lots.below(4) == 0;
        let games = (0..1 + lots.below(12))
            .map(|_| match lots.below(12) {
                0 => Nature::Poison,
                1 => Nature::Insatiable,
                2 | 3 => Nature::Hungry,
                _ => Nature::Fine,
            })
            .collect();
        let levels = [0, 2, 4][lots.below(3) as usize];
        let crew = (0..2 + lots.below(3)).map(|n| {
            // One worker that can do everything is always there, or no census would end.
            let character = match (n, lots.below(6)) {
                (1, 0..=2) => Character::Liar,
                // It tells the lie of the other one, so that the two agree.
                (2, 2 | 3) if !strict => Character::Liar,
                (2, 0) => Character::Sloppy,
                (2 | 3, 1) => Character::Broken,
                _ => Character::Honest,
            };
            let class = if n == 0 { 2 } else { lots.below(3) as u8 };
            Crew {
                identity: WorkerIdentity([n as u8 + 1; 32]),
                character,
                slots: 1 + lots.below(3) as u32,
                checkpoint_every: Duration::from_secs(lots.below(2) * 5),
                grace: Duration::from_secs(lots.below(3) * 2),
                class: MemoryClass::new(class),
            }
        });
        let crew = crew.collect();
        let config = LeaseConfig {
            duration_ms: 10_000,
            max_failures: 3 + lots.below(3) as u32,
            max_batch: 1 + lots.below(8) as u32,
            work_ahead_ms: 2_000,
            max_queued_ms: 4_000 + 100 * lots.below(100),
            trust: TrustConfig {
                first_one_in: if strict { 1 } else { lots.below(4) as u32 },
                agreements_per_halving: 4,
                least_one_in: if strict { 1 } else { 8 },
                max_refusals: 3,
                wait_for_others_ms: if strict { u64::MAX } else { 30_000 },
                broken_after: match lots.below(4) as u32 {
                    // A worker that is held back is not waited for.
                    _ if strict => 0,
                    after => after,
                },
                spot_check_one_in: lots.below(4) as u32,
            },
            checks: CheckConfig::USUAL,
        };
        Self {
            games,
            levels,
            crew,
            config,
            strict,
            key: [lots.next() as u8; 32],
        }
    }
}

impl Crew {
    /// Returns the settings of the session of this worker.
    pub(super) fn config(&self) -> Config {
        Config {
            slots: self.slots as usize,
            time_limit: None,
            grace: self.grace,
            checkpoint_every: self.checkpoint_every,
            give_up_after: None,
        }
    }
}
