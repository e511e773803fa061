//! The assignment of failures to tasks and to workers.

use misere_census::{Attempts, CertificateDigest, Finish, Misconduct};

use super::super::Effect;
use super::super::transcript::{Command, Event};
use super::super::*;
use super::dispatch::{ask, everybody_twice, hand_in, join, ledger, nobody_twice, task};

fn crash() -> Failure {
    Failure::crashed("signal 11", "")
}

fn fail(
    ledger: &mut Ledger,
    worker: WorkerId,
    (task, epoch): (TaskId, Epoch),
    failure: Failure,
    now: u64,
) -> Vec<Event> {
    let give_up = Command::GiveUp {
        worker,
        task,
        epoch,
        report: Report::Failed(failure),
    };
    ledger.apply(give_up, Millis(now))
}

fn failures(ledger: &Ledger, id: TaskId) -> u32 {
    ledger
        .entry(id)
        .map_or(u32::MAX, |entry| entry.attempts.failures)
}

fn tick(ledger: &mut Ledger, now: u64) -> Vec<Event> {
    ledger.apply(Command::Tick, Millis(now))
}

/// One liar among three workers that show one certificate: the other two finish its tasks.
#[test]
fn a_liar_among_workers_of_one_certificate_brings_no_task_into_quarantine() {
    let mut ledger = ledger(60, nobody_twice());
    let [liar, honest, other] = [0; 3].map(|now| join(&mut ledger, "lab", 1, 2, now));
    let (mut now, mut solved) = (0, 0);
    while solved < 60 {
        now += 10;
        assert!(now < 20_000, "{solved} solved");
        for lease in ask(&mut ledger, liar, (1, 0), now) {
            for effect in fail(&mut ledger, liar, lease, Failure::refused("a lie"), now) {
                assert!(
                    !matches!(effect, Event::Follows(Effect::Quarantined { .. })),
                    "{effect:?} after {solved}"
                );
            }
        }
        // The liar is faster: it asks twice as often.
        let honest = [honest, other][usize::from(now % 20 == 0)];
        for lease in ask(&mut ledger, honest, (1, 0), now) {
            hand_in(&mut ledger, honest, lease, 1, now);
            solved += 1;
        }
    }
}

/// A liar registers under the name of honest workers, again and again and faster than they ask.
///
/// It does not keep them from work for longer than a lease.
#[test]
fn a_liar_that_comes_back_keeps_no_namesake_out() {
    let mut ledger = ledger(60, nobody_twice());
    let honest = [0; 2].map(|now| join(&mut ledger, "lab", 1, 2, now));
    let (mut now, mut solved) = (0, 0);
    while solved < 60 {
        now += 10;
        assert!(now < 20_000, "{solved} solved");
        let liar = join(&mut ledger, "lab", 64, 2, now);
        for lease in ask(&mut ledger, liar, (64, 64), now) {
            for effect in fail(&mut ledger, liar, lease, crash(), now) {
                assert!(
                    !matches!(effect, Event::Follows(Effect::Quarantined { .. })),
                    "{effect:?} after {solved}"
                );
            }
        }
        for honest in honest {
            for lease in ask(&mut ledger, honest, (1, 0), now) {
                hand_in(&mut ledger, honest, lease, 1, now);
                solved += 1;
            }
        }
        ledger.apply(Command::Leave { worker: liar }, Millis(now));
    }
}

/// A liar comes back while its comrades are busy with games of three seconds.
///
/// It brings no game into quarantine: it has finished nothing, and they have.
#[test]
fn a_liar_that_comes_back_while_others_are_busy_brings_no_game_into_quarantine() {
    let mut ledger = ledger(60, nobody_twice());
    let honest = join(&mut ledger, "lab", 1, 2, 0);
    let mut busy = ask(&mut ledger, honest, (1, 0), 0);
    for now in (0..60_000).step_by(50) {
        if now % 3_000 == 0 {
            for lease in busy {
                hand_in(&mut ledger, honest, lease, 1, now);
            }
            busy = ask(&mut ledger, honest, (1, 0), now);
        }
        let held = busy.iter().map(|&(task, epoch)| HeldLease {
            task,
            epoch,
            running: true,
        });
        let (worker, held) = (honest, held.collect());
        ledger.apply(Command::Renew { worker, held }, Millis(now));
        let liar = join(&mut ledger, "lab", 64, 2, now);
        for lease in ask(&mut ledger, liar, (64, 64), now) {
            for effect in fail(&mut ledger, liar, lease, crash(), now) {
                assert!(
                    !matches!(effect, Event::Follows(Effect::Quarantined { .. })),
                    "{effect:?} at {now}"
                );
            }
        }
        ledger.apply(Command::Leave { worker: liar }, Millis(now));
    }
}

/// A game that a liar could not do and its comrade did is held against neither.
///
/// This also holds where the coordinator itself computes the game.
#[test]
fn a_game_that_a_comrade_finished_is_not_held_against_an_identity() {
    let trust = TrustConfig {
        spot_check_one_in: 1,
        ..nobody_twice()
    };
    let mut ledger = ledger(8, trust);
    let honest = join(&mut ledger, "lab", 1, 2, 0);
    let liar = join(&mut ledger, "lab", 1, 2, 0);
    for now in (0..8_000).step_by(1_000) {
        let lease = ask(&mut ledger, liar, (1, 0), now)[0];
        fail(&mut ledger, liar, lease, Failure::refused("a lie"), now);
        let (task, epoch) = ask(&mut ledger, honest, (1, 0), now)[0];
        let worker = honest;
        let claim = Command::Claim {
            worker,
            task,
            epoch,
        };
        ledger.apply(claim, Millis(now));
        let digest = CertificateDigest([1; 32]);
        let settle = |epoch, report| Command::Settle {
            task,
            epoch,
            report,
        };
        let unproved = Report::Unproved(Finish::Exhausted, digest, 5);
        let effects = ledger.apply(settle(epoch, unproved), Millis(now));
        let arbitrated = effects.iter().find_map(|effect| match effect {
            Event::Follows(Effect::Arbitrate { epoch, .. }) => Some(*epoch),
            _ => None,
        });
        let same = Report::Finished(Finish::Exhausted, digest);
        let effects = ledger.apply(settle(arbitrated.unwrap(), same), Millis(now));
        // The coordinator computed it.
        let finished = Event::Follows(Effect::Finished {
            task,
            finish: Finish::Exhausted,
            backers: Vec::new(),
        });
        assert_eq!(effects, [finished]);
    }
}

/// A worker that fails at everything never brings a task into quarantine.
///
/// It gets no tasks for a while, then one at a time.
#[test]
fn one_worker_that_fails_at_everything_is_held_back() {
    let mut ledger = ledger(300, nobody_twice());
    let mut now = 0;
    let mut quarantined = 0;
    let mut waited = Vec::new();
    for registration in 0..3_000 {
        // Under a new number each time its failures are still remembered.
        let worker = join(&mut ledger, "one", 8, 2, now);
        for lease in ask(&mut ledger, worker, (8, 8), now) {
            for effect in fail(&mut ledger, worker, lease, crash(), now) {
                match effect {
                    Event::Follows(Effect::Quarantined { .. }) => quarantined += 1,
                    Event::Follows(Effect::HeldBack { ms, .. }) => waited.push(ms),
                    _ => {}
                }
            }
        }
        ledger.apply(Command::Leave { worker }, Millis(now));
        now += 10 * u64::from(registration % 2 == 0);
    }
    // Fifteen leases have passed.
    assert_eq!(quarantined, 0);
    assert!(waited.len() <= 5 && waited.is_sorted(), "{waited:?}");
    let touched = ledger
        .entries()
        .filter(|(_, entry)| entry.attempts.failures > 0);
    assert!(touched.count() <= 24);
}

/// A worker that is otherwise reliable is trusted: the failing game is at fault.
#[test]
fn the_one_game_that_fails_on_a_laptop_ends_in_quarantine() {
    let mut ledger = ledger(40, nobody_twice());
    let worker = join(&mut ledger, "laptop", 2, 2, 0);
    let mut quarantined = Vec::new();
    for now in 1..200 {
        for lease in ask(&mut ledger, worker, (2, 2), now) {
            let effects = match lease.0 == task(7) {
                true => fail(
                    &mut ledger,
                    worker,
                    lease,
                    Failure::OutOfMemory { limit: None },
                    now,
                ),
                false => hand_in(&mut ledger, worker, lease, 1, now),
            };
            quarantined.extend(effects.into_iter().filter_map(|effect| match effect {
                Event::Follows(Effect::Quarantined { task, by, .. }) => Some((task, by)),
                _ => None,
            }));
        }
    }
    assert_eq!(
        quarantined,
        [(task(7), vec![WorkerIdentity::named("laptop")])]
    );
    assert_eq!(ledger.entries().count(), 0);
}

/// While other workers have time a failure counts once.
///
/// When all workers have failed, the game is at fault.
#[test]
fn a_failure_counts_once_for_each_who_fails() {
    let mut ledger = ledger(1, nobody_twice());
    let workers = ["a", "b", "c"].map(|name| join(&mut ledger, name, 1, 2, 0));
    for worker in workers {
        ask(&mut ledger, worker, (0, 0), 0);
    }
    for (now, worker) in (1..).zip(&workers[..2]) {
        // All workers have time.
        let held: Vec<_> = workers
            .map(|worker| (worker, ask(&mut ledger, worker, (1, 0), now)))
            .into();
        for (other, leases) in held {
            for lease in leases {
                if other == *worker {
                    fail(&mut ledger, other, lease, crash(), now);
                } else {
                    let (task, epoch) = lease;
                    let report = Report::Interrupted(InterruptCause::Shutdown);
                    let back = Command::GiveUp {
                        worker: other,
                        task,
                        epoch,
                        report,
                    };
                    ledger.apply(back, Millis(now));
                    let lease = ask(&mut ledger, *worker, (1, 0), now)[0];
                    fail(&mut ledger, *worker, lease, crash(), now);
                }
            }
        }
        assert_eq!(failures(&ledger, task(0)), now as u32);
        assert_eq!(
            ask(&mut ledger, *worker, (1, 0), now),
            [],
            "another has time"
        );
    }
    let lease = ask(&mut ledger, workers[2], (1, 0), 5)[0];
    let effects = fail(&mut ledger, workers[2], lease, crash(), 5);
    assert!(
        matches!(&effects[..], [Event::Follows(Effect::Quarantined { by, .. })] if by.len() == 3),
        "{effects:?}"
    );
}

/// A game that others finish counts against a worker that failed at it.
///
/// The claims of that worker about other games are undone.
#[test]
fn failures_that_no_other_worker_shares_are_held_against_the_worker() {
    let mut ledger = ledger(10, nobody_twice());
    let good = join(&mut ledger, "good", 4, 2, 0);
    let bad = join(&mut ledger, "bad", 4, 2, 0);
    ask(&mut ledger, good, (0, 0), 0);
    let leases = ask(&mut ledger, bad, (4, 0), 1);
    assert_eq!(leases.len(), 4);
    for &lease in &leases {
        let effects = fail(&mut ledger, bad, lease, crash(), 2);
        assert!(
            matches!(effects[..], [Event::Follows(Effect::Retry { .. })]),
            "{effects:?}"
        );
        assert_eq!(failures(&ledger, lease.0), 1);
    }
    let mut all = Vec::new();
    let mut left = leases.clone();
    for now in 3..30 {
        for lease in ask(&mut ledger, good, (2, 0), now) {
            left.retain(|(task, _)| *task != lease.0);
            all.extend(hand_in(&mut ledger, good, lease, 1, now));
            if all
                .iter()
                .any(|effect| matches!(effect, Event::Follows(Effect::Distrusted { .. })))
            {
                // Nothing is left of the fourth.
                for (task, _) in &left {
                    assert_eq!(failures(&ledger, *task), 0);
                    assert!(all.contains(&Event::Follows(Effect::Undone {
                        task: *task,
                        attempts: Attempts::default(),
                        claims: vec![],
                    })));
                }
                let identity = WorkerIdentity::named("bad");
                let why = Misconduct::FailedTooOften;
                assert!(all.contains(&Event::Follows(Effect::Distrusted { identity, why })));
                assert_eq!(ask(&mut ledger, bad, (4, 0), now), []);
                ledger.apply(Command::Pardon(identity), Millis(now));
                assert_eq!(ask(&mut ledger, bad, (1, 0), now).len(), 1);
                return;
            }
        }
    }
    panic!("nobody was caught: {all:?}");
}

/// A computation that advances is not put into quarantine because workers die.
#[test]
fn silence_over_a_game_that_advances_is_forgotten() {
    let mut ledger = ledger(1, nobody_twice());
    let mut now = 0;
    for life in 1..=20 {
        let worker = join(&mut ledger, "spot", 1, 2, now);
        let (task, epoch) = ask(&mut ledger, worker, (1, 0), now)[0];
        let held = vec![HeldLease {
            task,
            epoch,
            running: true,
        }];
        ledger.apply(Command::Renew { worker, held }, Millis(now));
        let keep = Command::Keep {
            worker,
            task,
            epoch,
            fuel: 1_000 * life,
        };
        let effects = ledger.apply(keep, Millis(now));
        assert!(matches!(effects[0], Event::Kept { .. }));
        assert_eq!(failures(&ledger, task), 0);
        now += 1_001;
        let effects = tick(&mut ledger, now);
        let silent = |effect: &Event| matches!(effect, Event::Follows(Effect::Retry { attempts, .. }) if attempts.silences == 1);
        assert!(effects.iter().any(silent), "{effects:?}");
    }
    // Without a later checkpoint the game is at fault in the end: this silence is the second.
    for life in 1..=20 {
        now += 100_000;
        let worker = join(&mut ledger, "spot", 1, 2, now);
        let leases = ask(&mut ledger, worker, (1, 0), now);
        let Some(&(task, epoch)) = leases.first() else {
            panic!("life {life}: nothing")
        };
        let held = vec![HeldLease {
            task,
            epoch,
            running: true,
        }];
        ledger.apply(Command::Renew { worker, held }, Millis(now));
        let keep = Command::Keep {
            worker,
            task,
            epoch,
            fuel: 20_000,
        };
        assert_eq!(ledger.apply(keep, Millis(now)), [Event::Stale(task)]);
        now += 1_001;
        let effects = tick(&mut ledger, now);
        let quarantined =
            |effect: &Event| matches!(effect, Event::Follows(Effect::Quarantined { .. }));
        if effects.iter().any(quarantined) {
            assert_eq!(life, 11);
            return;
        }
    }
    panic!("never put into quarantine");
}

#[test]
fn a_worker_loses_waiting_tasks_while_others_are_idle() {
    let mut ledger = ledger(20, nobody_twice());
    let hoarder = join(&mut ledger, "hoarder", u32::MAX, 2, 0);
    let held: Vec<HeldLease> = ask(&mut ledger, hoarder, (4_096, 0), 0)
        .into_iter()
        .map(|(task, epoch)| HeldLease {
            task,
            epoch,
            running: false,
        })
        .collect();
    assert_eq!(held.len(), 20);
    let beat = |ledger: &mut Ledger, now| {
        let held = held.clone();
        ledger.apply(
            Command::Renew {
                worker: hoarder,
                held,
            },
            Millis(now),
        )
    };
    // A lone worker may keep them.
    for now in (0..20_000).step_by(500) {
        beat(&mut ledger, now);
        tick(&mut ledger, now);
    }
    assert_eq!(ledger.counts().leased, 20);
    let honest = join(&mut ledger, "honest", 2, 2, 20_000);
    assert_eq!(ask(&mut ledger, honest, (2, 0), 20_000), []);
    beat(&mut ledger, 20_100);
    tick(&mut ledger, 20_200);
    assert_eq!(ledger.counts().leased, 0);
    assert_eq!(beat(&mut ledger, 20_300).len(), 20);
    assert!(!ask(&mut ledger, honest, (2, 0), 20_400).is_empty());
    // The slots it reports are limited to the most that any worker can use.
    assert_eq!(ledger.conduct(hoarder).unwrap().slots, MAX_SLOTS);
}

/// The coordinator tests a claim that cannot be proved, even with only one worker.
#[test]
fn the_coordinator_puts_claims_to_the_test() {
    let trust = TrustConfig {
        spot_check_one_in: 1,
        ..TrustConfig::default()
    };
    let mut ledger = ledger(4, trust);
    let only = join(&mut ledger, "only", 1, 2, 0);
    let hand_in_unproved = |ledger: &mut Ledger, now| {
        let (task, epoch) = ask(ledger, only, (1, 0), now)[0];
        ledger.apply(
            Command::Claim {
                worker: only,
                task,
                epoch,
            },
            Millis(now),
        );
        let report = Report::Unproved(Finish::Exhausted, CertificateDigest([1; 32]), 5);
        let effects = ledger.apply(
            Command::Settle {
                task,
                epoch,
                report,
            },
            Millis(now),
        );
        match effects[..] {
            [
                Event::Follows(Effect::ClaimsChanged { .. }),
                Event::Follows(Effect::Arbitrate {
                    task,
                    epoch,
                    within: Some(5),
                }),
            ] => (task, epoch),
            ref other => panic!("{other:?}"),
        }
    };
    // The claim is true.
    let (id, epoch) = hand_in_unproved(&mut ledger, 1);
    let same = Report::Finished(Finish::Exhausted, CertificateDigest([1; 32]));
    let settle = Command::Settle {
        task: id,
        epoch,
        report: same,
    };
    let finished = Event::Follows(Effect::Finished {
        task: id,
        finish: Finish::Exhausted,
        backers: Vec::new(),
    });
    assert_eq!(ledger.apply(settle, Millis(2)), [finished]);
    // The claim is false: its worker is no longer trusted, and the true result is not known yet.
    let (id, epoch) = hand_in_unproved(&mut ledger, 3);
    let report = Report::Contradicted;
    let effects = ledger.apply(
        Command::Settle {
            task: id,
            epoch,
            report,
        },
        Millis(4),
    );
    let identity = WorkerIdentity::named("only");
    let why = Misconduct::OtherCertificate(id);
    assert_eq!(
        effects[0],
        Event::Follows(Effect::Distrusted { identity, why })
    );
    assert!(
        effects.contains(&Event::Follows(Effect::ClaimsChanged {
            task: id,
            claims: vec![]
        })),
        "{effects:?}"
    );
    assert_eq!(ledger.entry(id).unwrap().state, State::Ready);
    assert_eq!(ask(&mut ledger, only, (1, 0), 5), []);
}

/// The failures of a lone worker do not quarantine a game that another worker has done.
#[test]
fn a_failure_does_not_count_against_a_game_that_another_has_done() {
    let mut ledger = ledger(1, everybody_twice());
    let good = join(&mut ledger, "good", 1, 0, 0);
    let bad = join(&mut ledger, "bad", 1, 0, 0);
    let lease = ask(&mut ledger, good, (1, 0), 0)[0];
    hand_in(&mut ledger, good, lease, 1, 1);
    let lease = ask(&mut ledger, bad, (1, 0), 2)[0];
    let effects = fail(
        &mut ledger,
        bad,
        lease,
        Failure::OutOfMemory { limit: None },
        3,
    );
    assert!(
        matches!(effects[..], [Event::Follows(Effect::Retry { attempts, .. })] if attempts == Attempts::default())
    );
    assert_eq!(ask(&mut ledger, bad, (1, 0), 4), []);
    let lease = ask(&mut ledger, good, (1, 0), 5)[0];
    let effects = hand_in(&mut ledger, good, lease, 1, 6);
    assert!(
        matches!(effects[..], [Event::Follows(Effect::Finished { .. })]),
        "{effects:?}"
    );
}

/// L9: numbers are never issued twice.
#[test]
fn numbers_that_are_used_up_are_not_issued_again() {
    let mut ledger = ledger(10, nobody_twice());
    let worker = join(&mut ledger, "one", 1, 2, 0);
    assert!(!ledger.is_nearly_spent());
    (ledger.next_epoch, ledger.next_worker) = (u32::MAX - 1, u32::MAX - 1);
    assert!(ledger.is_nearly_spent());
    let last = ask(&mut ledger, worker, (4, 0), 1);
    assert!(last.len() <= 1, "{last:?}");
    join(&mut ledger, "two", 1, 2, 2);
    let register = Command::Register {
        identity: WorkerIdentity::named("three"),
        slots: 1,
        class: MemoryClass::TOP,
    };
    assert_eq!(ledger.apply(register, Millis(3)), [Event::Spent]);
    ledger.apply(Command::Begin(2), Millis(4));
    let three = join(&mut ledger, "three", 4, 2, 5);
    assert_eq!(three, WorkerId::issued(2, 1));
    let next = ask(&mut ledger, three, (2, 0), 6);
    assert_eq!(next[0].1, Epoch::issued(2, 0));
    assert!(last.iter().all(|lease| lease.1 < next[0].1));
}
