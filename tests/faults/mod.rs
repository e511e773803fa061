//! A census over several processes survives what happens to them.
//!
//! Real processes, really killed, stopped and cut off from each other. After each fault the digest
//! is that of a run without faults, nothing recorded is lost, and no process is left
//! behind. Slow; `make test-slow` runs them.
#![cfg(target_os = "linux")]

mod ends;
mod network;
mod processes;

use std::time::{Duration, Instant};

use network::Proxy;
use processes::{Census, Chance, WAIT_TIMEOUT};
use rustix::process::Signal;

use crate::support::census::{argument, records, status};
use crate::support::process::Process;
use crate::support::waiting::until;

const SHORT_LEASE: Duration = Duration::from_secs(1);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn pause(ms_: u64) {
    std::thread::sleep(ms(ms_));
}

/// Tests checkers that are killed while they hold certificates; it is quick.
#[test]
fn checkers_that_are_killed_lose_no_certificate() {
    let census = Census::new();
    let mut coordinator = census.coordinator();
    let checkers = || status(argument(&census.data()))["checkers"].clone();
    until("the socket", WAIT_TIMEOUT, || {
        census.data().join("rpc").exists()
    });
    let mut first = census.checker("check-1");
    let mut second = census.checker("check-2");
    until("two checkers", WAIT_TIMEOUT, || {
        checkers()["connected"] == 2
    });
    let mut worker = census.worker("one");
    until("certificates that they accept", WAIT_TIMEOUT, || {
        let accepted = checkers()["accepted"].as_u64();
        accepted.is_some_and(|accepted| accepted > 50)
    });
    first.signal(Signal::KILL);
    first.wait();
    let mut third = census.checker("check-3");
    for process in [&mut coordinator, &mut worker, &mut second, &mut third] {
        assert_eq!(process.ended(WAIT_TIMEOUT), Some(0));
    }
    census.assert_digest();
}

#[test]
#[ignore = "slow: half a minute"]
fn the_coordinator_is_killed_fifty_times() {
    let mut chance = Chance::seeded(1);
    let census = Census::new();
    let mut workers = [census.worker("one"), census.worker("two")];
    let (mut kills, mut finished, mut kept) = (0, 0, 0);
    while kills < 50 {
        let mut coordinator = census.coordinator();
        pause(chance.below(700));
        if coordinator.has_ended() {
            assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
            census.end_and_begin_again(&mut workers);
            (finished, kept) = (finished + 1, 0);
            continue;
        }
        coordinator.signal(Signal::KILL);
        coordinator.wait();
        kills += 1;
        let now = records(argument(&census.data()));
        assert!(
            now >= kept,
            "{kept} records were there, {now} are left ({chance:?})"
        );
        kept = now;
        if census.is_finished() {
            census.end_and_begin_again(&mut workers);
            (finished, kept) = (finished + 1, 0);
        }
    }
    // The last one is killed when all work is done, before the workers hear of that.
    let mut coordinator = census.coordinator();
    census.wait_until_finished();
    coordinator.signal(Signal::KILL);
    coordinator.wait();
    census.end_and_begin_again(&mut workers);
    eprintln!("50 kills, {finished} censuses finished on the way");
}

/// Checks that a worker hears of the end although its coordinator was killed and the next one finds
/// nothing left to do.
#[test]
#[ignore = "slow: half a minute"]
fn a_worker_between_two_attempts_hears_of_the_end() {
    let census = Census::new();
    let (mut coordinator, mut worker) = (census.coordinator(), census.worker("one"));
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    // What a coordinator leaves that is killed after the last commit.
    std::fs::write(census.data().join("endpoint"), "127.0.0.1:9").unwrap();
    let mut late = census.worker("late");
    // By now its pauses are many seconds long.
    pause(8_000);
    let mut coordinator = census.coordinator();
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(late.ended(ms(5_000)), Some(0));
    // One that ended well leaves nothing to wait for.
    let since = std::time::Instant::now();
    let mut coordinator = census.coordinator();
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert!(since.elapsed() < ms(10_000), "{:?}", since.elapsed());
}

#[test]
#[ignore = "slow: half a minute"]
fn workers_are_killed_two_hundred_times() {
    let mut chance = Chance::seeded(2);
    let census = Census::new();
    let mut coordinator = census.coordinator();
    let mut workers: Vec<Process> = (0..3).map(|_| census.worker("doomed")).collect();
    let mut kills = 0;
    while kills < 200 {
        pause(chance.below(60));
        if coordinator.has_ended() {
            assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
            census.assert_digest();
            census.begin_again();
            coordinator = census.coordinator();
        }
        let victim = chance.below(3) as usize;
        // A worker that heard of the end has ended by itself.
        if !workers[victim].has_ended() {
            workers[victim].signal(Signal::KILL);
            kills += 1;
        }
        workers[victim].wait();
        workers[victim] = census.worker("doomed");
    }
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    census.assert_digest();
}

#[test]
#[ignore = "slow: seconds"]
fn all_workers_die_and_others_come_later() {
    let census = Census::new();
    let mut coordinator = census.coordinator();
    let workers: Vec<Process> = (0..3).map(|_| census.worker("doomed")).collect();
    census.wait_for_records(5);
    for mut worker in workers {
        worker.signal(Signal::KILL);
        worker.wait();
    }
    pause(3_000);
    assert!(!coordinator.has_ended());
    let mut heirs = [census.worker("heir"), census.worker("heir")];
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    census.assert_digest();
    for heir in &mut heirs {
        assert_eq!(heir.ended(WAIT_TIMEOUT), Some(0));
    }
}

#[test]
#[ignore = "slow: seconds"]
fn the_coordinator_is_away_longer_than_every_lease() {
    let census = Census::new();
    let mut coordinator = census.coordinator();
    let mut worker = census.worker("patient");
    census.wait_for_records(5);
    coordinator.signal(Signal::KILL);
    coordinator.wait();
    std::thread::sleep(4 * SHORT_LEASE);
    assert!(
        !worker.has_ended(),
        "no worker ends because the coordinator is away"
    );
    let mut coordinator = census.coordinator();
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    census.assert_digest();
}

/// For a process that is stopped for a while its monotonic clock has jumped.
#[test]
#[ignore = "slow: seconds"]
fn clocks_jump() {
    let census = Census::new();
    let mut coordinator = census.coordinator();
    let mut workers = [census.worker("one"), census.worker("two")];
    census.wait_for_records(5);
    for _ in 0..3 {
        workers[0].signal(Signal::STOP);
        std::thread::sleep(2 * SHORT_LEASE);
        workers[0].signal(Signal::CONT);
        if coordinator.has_ended() {
            break;
        }
        coordinator.signal(Signal::STOP);
        std::thread::sleep(2 * SHORT_LEASE);
        coordinator.signal(Signal::CONT);
    }
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    census.assert_digest();
    for worker in &mut workers {
        assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    }
}

#[test]
#[ignore = "slow: seconds"]
fn the_network_is_cut_and_heals() {
    let census = Census::new();
    let proxy = Proxy::start(census.port());
    let mut coordinator = census.coordinator();
    let mut cut_off = census.worker_at("cut-off", proxy.port());
    census.wait_for_records(3);
    for _ in 0..3 {
        proxy.cut();
        std::thread::sleep(2 * SHORT_LEASE);
        proxy.heal();
        pause(500);
    }
    let _other = census.worker("other");
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    census.assert_digest();
    assert_eq!(cut_off.ended(WAIT_TIMEOUT), Some(0));
}

/// Connections that stay open while nothing comes through: both sides must notice by themselves.
#[test]
#[ignore = "slow: half a minute"]
fn connections_are_half_open() {
    let census = Census::new();
    let proxy = Proxy::start(census.port());
    let mut coordinator = census.coordinator();
    let mut silent = census.worker_at("silent", proxy.port());
    census.wait_for_records(3);
    proxy.drop_traffic();
    let started = Instant::now();
    let mut other = census.worker("other");
    // The tasks of the silent worker go to the other one as soon as its lease is over.
    census.wait_until_finished();
    assert!(started.elapsed() < Duration::from_secs(60));
    proxy.heal();
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(other.ended(WAIT_TIMEOUT), Some(0));
    silent.signal(Signal::TERM);
    silent.wait();
    census.assert_digest();
}
