//! A census on a simulated network with faults, which never change its result.
//!
//! `tests/faults` kills real processes and cuts real connections; here faults are many, small, and
//! drawn from a seed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod connection;
mod world;

use std::sync::OnceLock;
use std::time::Duration;

use connection::COORDINATOR;
use misere_census::CensusDigest;
use world::{WORKERS, World, task_count, undisturbed};

fn expected() -> CensusDigest {
    static EXPECTED: OnceLock<CensusDigest> = OnceLock::new();
    *EXPECTED.get_or_init(undisturbed)
}

/// A time longer than leases, on the network's clock, which runs ten times as fast.
const LONG: Duration = Duration::from_secs(6);

/// Returns a world in which a third of the census is done and the next tasks are under way.
fn under_way(seed: u64) -> World {
    let mut world = World::new(seed);
    world.until_finished(task_count() / 3);
    world
}

#[test]
fn a_partition_heals() {
    let mut world = under_way(1);
    for name in WORKERS {
        world.network().partition(COORDINATOR, name);
    }
    world.pass(LONG);
    for name in WORKERS {
        world.network().repair(COORDINATOR, name);
    }
    assert_eq!(world.digest_at_the_end(), expected());
}

/// Each partition has one direction: connections stay open, but requests or answers are lost.
#[test]
fn half_open_connections_are_given_up() {
    let mut world = under_way(2);
    world.network().partition_oneway(COORDINATOR, WORKERS[0]);
    world.network().partition_oneway(WORKERS[1], COORDINATOR);
    world.pass(LONG);
    world.network().repair(COORDINATOR, WORKERS[0]);
    world.network().repair(COORDINATOR, WORKERS[1]);
    assert_eq!(world.digest_at_the_end(), expected());
}

/// Messages are held back, and arrive all at once after the leases that they should renew.
#[test]
fn late_messages_change_nothing() {
    let mut world = under_way(3);
    world.network().hold(COORDINATOR, WORKERS[0]);
    world.pass(LONG);
    world.network().release(COORDINATOR, WORKERS[0]);
    assert_eq!(world.digest_at_the_end(), expected());
}

#[test]
fn a_slow_network_is_slow_and_no_more() {
    let mut world = under_way(4);
    let slow = Duration::from_millis(500);
    world.network().set_max_message_latency(slow);
    assert_eq!(world.digest_at_the_end(), expected());
}

#[test]
fn the_host_of_the_coordinator_crashes_and_comes_back() {
    let mut world = under_way(5);
    for more in 1..=3 {
        world.network().crash(COORDINATOR);
        world.pass(Duration::from_secs(more));
        world.network().bounce(COORDINATOR);
        world.pass(Duration::from_secs(1));
    }
    assert_eq!(world.digest_at_the_end(), expected());
}

#[test]
fn hosts_of_workers_crash_and_come_back() {
    let mut world = under_way(6);
    world.network().crash(WORKERS[0]);
    world.pass(Duration::from_secs(1));
    world.network().crash(WORKERS[1]);
    world.pass(LONG);
    WORKERS
        .into_iter()
        .for_each(|name| world.network().bounce(name));
    assert_eq!(world.digest_at_the_end(), expected());
}

/// Runs a census with faults of all kinds, in sequence and together, drawn from the seed.
fn drawn(seed: u64) {
    let mut dice = Dice(seed);
    let mut world = under_way(seed);
    for _ in 0..1 + dice.below(6) {
        let worker = WORKERS[dice.below(2) as usize];
        match dice.below(7) {
            0 => world.network().partition(COORDINATOR, worker),
            1 => world.network().partition_oneway(COORDINATOR, worker),
            2 => world.network().partition_oneway(worker, COORDINATOR),
            3 => world.network().hold(COORDINATOR, worker),
            4 => {
                let latency = Duration::from_millis(20 + dice.below(400));
                world.network().set_max_message_latency(latency);
            }
            5 => world.network().crash(COORDINATOR),
            _ => world.network().crash(worker),
        }
        world.pass(Duration::from_millis(dice.below(4_000)));
        if dice.below(2) == 0 {
            heal(&mut world);
        }
    }
    heal(&mut world);
    assert_eq!(world.digest_at_the_end(), expected(), "seed {seed}");
}

fn heal(world: &mut World) {
    let network = world.network();
    for worker in WORKERS {
        network.repair(COORDINATOR, worker);
        network.release(COORDINATOR, worker);
    }
    for host in WORKERS.into_iter().chain([COORDINATOR]) {
        if !network.is_host_running(host) {
            network.bounce(host);
        }
    }
}

#[test]
fn faults_drawn_from_a_few_seeds() {
    (100..103).for_each(drawn);
}

#[test]
#[ignore = "slow: minutes of faults"]
fn faults_drawn_from_many_seeds() {
    (1_000..1_100).for_each(|seed| {
        println!("seed {seed}");
        drawn(seed);
    });
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}
