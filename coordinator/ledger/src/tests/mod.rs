mod checkpoints;
mod conduct;
mod dispatch;

use super::transcript::{Command, Event};
use super::*;
use misere_census::{Attempts, CertificateDigest, Finish};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const CONFIG: LeaseConfig = LeaseConfig {
    duration_ms: 100,
    max_failures: 3,
    max_batch: 4,
    work_ahead_ms: 2_000,
    max_queued_ms: 10_000,
    trust: TrustConfig {
        first_one_in: 0,
        wait_for_others_ms: 1_000,
        spot_check_one_in: 0,
        ..TrustConfig::USUAL
    },
};

const DIGEST: CertificateDigest = CertificateDigest([7; 32]);

fn task(number: u8) -> TaskId {
    TaskId([number; 32])
}

fn ledger(tasks: u8) -> Ledger {
    let mut ledger = Ledger::new(CONFIG, 1);
    let admitted = (0..tasks).map(|n| Admitted::fresh(task(n))).collect();
    ledger.apply(Command::Admit(admitted), Millis(0));
    ledger
}

fn introduction(name: &str) -> Command {
    Command::Register {
        identity: WorkerIdentity::named(name),
        slots: 2,
        class: MemoryClass::TOP,
    }
}

fn register(ledger: &mut Ledger, now: u64) -> WorkerId {
    match ledger.apply(introduction("one"), Millis(now))[..] {
        [Event::Registered(worker)] => worker,
        ref other => panic!("{other:?}"),
    }
}

fn lease(ledger: &mut Ledger, worker: WorkerId, idle: u32, now: u64) -> Vec<(TaskId, Epoch)> {
    ledger
        .apply(
            Command::Lease {
                worker,
                held: vec![],
                idle,
                room: 0,
            },
            Millis(now),
        )
        .into_iter()
        .map(|effect| match effect {
            Event::Granted { task, epoch, .. } => (task, epoch),
            other => panic!("{other:?}"),
        })
        .collect()
}

fn failed(failures: u32) -> Attempts {
    Attempts {
        failures,
        ..Attempts::default()
    }
}

fn renew(
    ledger: &mut Ledger,
    worker: WorkerId,
    (task, epoch): (TaskId, Epoch),
    running: bool,
    now: u64,
) -> Vec<Event> {
    let held = vec![HeldLease {
        task,
        epoch,
        running,
    }];
    ledger.apply(Command::Renew { worker, held }, Millis(now))
}

#[test]
fn tasks_that_others_wait_for_go_first() {
    let mut ledger = ledger(3);
    let awaited = Admitted {
        is_awaited: true,
        ..Admitted::fresh(task(7))
    };
    ledger.apply(Command::Admit(vec![awaited]), Millis(0));
    let worker = register(&mut ledger, 0);
    let leased = lease(&mut ledger, worker, 1, 1);
    assert_eq!(leased[0].0, task(7));
    // It comes back, and goes first again.
    ledger.apply(Command::Leave { worker }, Millis(2));
    let worker = register(&mut ledger, 3);
    assert_eq!(lease(&mut ledger, worker, 1, 4)[0].0, task(7));
}

#[test]
fn a_task_that_is_withdrawn_is_nobodys() {
    let mut ledger = ledger(3);
    let worker = register(&mut ledger, 0);
    let (held, epoch) = lease(&mut ledger, worker, 1, 1)[0];
    let withdrawn = vec![held, task(1), task(9)];
    assert_eq!(ledger.apply(Command::Withdraw(withdrawn), Millis(2)), []);
    assert_eq!(ledger.counts().ready + ledger.counts().leased, 1);
    let lost = Event::Lost { task: held, epoch };
    assert_eq!(renew(&mut ledger, worker, (held, epoch), true, 3), [lost]);
    let claim = Command::Claim {
        worker,
        task: held,
        epoch,
    };
    assert_eq!(ledger.apply(claim, Millis(4)), [Event::Stale(held)]);
}

#[test]
fn a_task_that_comes_back_after_it_was_withdrawn_is_a_new_one() {
    let mut ledger = ledger(1);
    let worker = register(&mut ledger, 0);
    let (task, epoch) = lease(&mut ledger, worker, 1, 1)[0];
    let claim = Command::Claim {
        worker,
        task,
        epoch,
    };
    ledger.apply(claim, Millis(2));
    let settle = Command::Settle {
        task,
        epoch,
        report: Report::Finished(Finish::Done, DIGEST),
    };
    let finish = Finish::Done;
    let finished = Event::Follows(Effect::Finished { task, finish });
    assert_eq!(ledger.apply(settle, Millis(3)), [finished]);
    ledger.apply(Command::Withdraw(vec![task]), Millis(4));
    ledger.apply(Command::Admit(vec![Admitted::fresh(task)]), Millis(5));
    // Whoever finished it before, and is caught now, has no part in it any more.
    let caught = Command::Distrust(WorkerIdentity::named("one"), Misconduct::Banned);
    let effects = ledger.apply(caught, Millis(6));
    assert!(
        !effects.contains(&Event::Follows(Effect::Reopened(task))),
        "{effects:?}"
    );
}

#[test]
fn a_task_goes_from_ready_to_done() {
    let mut ledger = ledger(1);
    let worker = register(&mut ledger, 0);
    let (task, epoch) = lease(&mut ledger, worker, 2, 1)[0];
    assert_eq!(lease(&mut ledger, worker, 2, 1), []);
    let claim = Command::Claim {
        worker,
        task,
        epoch,
    };
    assert_eq!(
        ledger.apply(claim.clone(), Millis(2)),
        [Event::Claimed { task, epoch }]
    );
    assert_eq!(ledger.apply(claim.clone(), Millis(2)), [Event::Stale(task)]);
    let settle = Command::Settle {
        task,
        epoch,
        report: Report::Finished(Finish::Done, DIGEST),
    };
    assert_eq!(
        ledger.apply(settle.clone(), Millis(3)),
        [Event::Follows(Effect::Finished {
            task,
            finish: Finish::Done
        })]
    );
    assert_eq!(ledger.apply(settle, Millis(4)), [Event::Stale(task)]);
    assert_eq!(ledger.counts(), Counts::default());
}

#[test]
fn silence_costs_the_lease_and_a_running_task_an_attempt() {
    let mut ledger = ledger(2);
    let worker = register(&mut ledger, 0);
    let leases = lease(&mut ledger, worker, 2, 0);
    renew(&mut ledger, worker, leases[0], true, 50);
    assert_eq!(ledger.apply(Command::Tick, Millis(100)), []);
    // The queued one goes back without blame.
    assert_eq!(ledger.apply(Command::Tick, Millis(101)), []);
    assert_eq!(
        ledger.counts(),
        Counts {
            ready: 1,
            leased: 1,
            checking: 0
        }
    );
    let effects = ledger.apply(Command::Tick, Millis(151));
    assert_eq!(
        effects,
        [Event::Follows(Effect::Retry {
            task: leases[0].0,
            attempts: Attempts {
                silences: 1,
                ..failed(1)
            },
            failure: Failure::Silence
        })]
    );
    // What the silent worker says later changes nothing.
    let lost = renew(&mut ledger, worker, leases[0], true, 160);
    assert_eq!(
        lost,
        [Event::Lost {
            task: leases[0].0,
            epoch: leases[0].1
        }]
    );
    let claim = Command::Claim {
        worker,
        task: leases[0].0,
        epoch: leases[0].1,
    };
    assert_eq!(
        ledger.apply(claim, Millis(161)),
        [Event::Stale(leases[0].0)]
    );
    assert_eq!(
        ledger.counts(),
        Counts {
            ready: 2,
            leased: 0,
            checking: 0
        }
    );
}

#[test]
fn three_failures_end_in_quarantine() {
    let mut ledger = ledger(1);
    let worker = register(&mut ledger, 0);
    for failures in 1..=3 {
        let (task, epoch) = lease(&mut ledger, worker, 1, 0)[0];
        let failure = Failure::computation("no");
        let report = Report::Failed(failure.clone());
        let effects = ledger.apply(
            Command::GiveUp {
                worker,
                task,
                epoch,
                report,
            },
            Millis(1),
        );
        let expected = if failures < 3 {
            Event::Follows(Effect::Retry {
                task,
                attempts: failed(failures),
                failure,
            })
        } else {
            Event::Follows(Effect::Quarantined {
                task,
                attempts: failed(failures),
                failure,
                by: vec![WorkerIdentity::named("one")],
            })
        };
        assert_eq!(effects, [expected]);
    }
    assert_eq!(lease(&mut ledger, worker, 1, 0), []);
}

#[test]
fn a_refused_certificate_and_a_guard_count_and_a_shutdown_does_not() {
    let mut ledger = ledger(1);
    let worker = register(&mut ledger, 0);
    let (task, epoch) = lease(&mut ledger, worker, 1, 0)[0];
    let report = Report::Interrupted(InterruptCause::Shutdown);
    assert_eq!(
        ledger.apply(
            Command::GiveUp {
                worker,
                task,
                epoch,
                report
            },
            Millis(1)
        ),
        []
    );
    let (_, epoch) = lease(&mut ledger, worker, 1, 0)[0];
    let report = Report::Interrupted(InterruptCause::TimeGuard);
    let effects = ledger.apply(
        Command::GiveUp {
            worker,
            task,
            epoch,
            report,
        },
        Millis(1),
    );
    assert!(
        matches!(effects[..], [Event::Follows(Effect::Retry { attempts, .. })] if attempts.failures == 1)
    );
    let (_, epoch) = lease(&mut ledger, worker, 1, 0)[0];
    ledger.apply(
        Command::Claim {
            worker,
            task,
            epoch,
        },
        Millis(1),
    );
    // While the coordinator checks, no deadline runs.
    assert_eq!(
        ledger.apply(Command::Tick, Millis(10_000)),
        [Event::Follows(Effect::Left(worker))]
    );
    let report = Report::Failed(Failure::Refused("wrong".to_owned()));
    let effects = ledger.apply(
        Command::Settle {
            task,
            epoch,
            report,
        },
        Millis(10_001),
    );
    assert!(
        matches!(effects[..], [Event::Follows(Effect::Retry { attempts, .. })] if attempts.failures == 2)
    );
}

#[test]
fn another_workers_epoch_is_stale() {
    let mut ledger = ledger(1);
    let one = register(&mut ledger, 0);
    let other = register(&mut ledger, 0);
    let (task, epoch) = lease(&mut ledger, one, 1, 0)[0];
    assert_eq!(
        ledger.apply(
            Command::Claim {
                worker: other,
                task,
                epoch
            },
            Millis(0)
        ),
        [Event::Stale(task)]
    );
    let before = WorkerId::issued(0, 1);
    assert_eq!(
        ledger.apply(Command::Leave { worker: before }, Millis(0)),
        [Event::UnknownWorker(before)]
    );
    assert_eq!(
        ledger.apply(Command::Leave { worker: one }, Millis(0)),
        [Event::Follows(Effect::Left(one))]
    );
    assert_eq!(ledger.counts().ready, 1);
}

/// A command as a random list knows it: workers, tasks and epochs by small numbers, many of them
/// wrong.
#[derive(Clone, Debug)]
enum Step {
    Admit(u8),
    Register,
    Lease {
        worker: u32,
        idle: u32,
        room: u32,
    },
    Renew {
        worker: u32,
        task: u8,
        epoch: u32,
        running: bool,
    },
    Claim {
        worker: u32,
        task: u8,
        epoch: u32,
    },
    Settle {
        task: u8,
        epoch: u32,
        report: Report,
    },
    GiveUp {
        worker: u32,
        task: u8,
        epoch: u32,
        report: Report,
    },
    Leave {
        worker: u32,
    },
    Tick,
}

fn report() -> impl Strategy<Value = Report> {
    prop::sample::select(vec![
        Report::Finished(Finish::Done, DIGEST),
        Report::Finished(Finish::Exhausted, DIGEST),
        Report::Failed(Failure::Silence),
        Report::Interrupted(InterruptCause::Shutdown),
        Report::Interrupted(InterruptCause::TimeGuard),
    ])
}

fn step() -> impl Strategy<Value = Step> {
    let (worker, task, epoch) = (1..4_u32, 0..4_u8, 0..12_u32);
    prop_oneof![
        task.clone().prop_map(Step::Admit),
        Just(Step::Register),
        (worker.clone(), 0..3_u32, 0..3_u32).prop_map(|(worker, idle, room)| Step::Lease {
            worker,
            idle,
            room
        }),
        (worker.clone(), task.clone(), epoch.clone(), any::<bool>()).prop_map(
            |(worker, task, epoch, running)| Step::Renew {
                worker,
                task,
                epoch,
                running
            }
        ),
        (worker.clone(), task.clone(), epoch.clone()).prop_map(|(worker, task, epoch)| {
            Step::Claim {
                worker,
                task,
                epoch,
            }
        }),
        (task.clone(), epoch.clone(), report()).prop_map(|(task, epoch, report)| Step::Settle {
            task,
            epoch,
            report
        }),
        (worker.clone(), task, epoch, report())
            .prop_filter(
                "only the coordinator finishes a task",
                |(.., report)| !matches!(report, Report::Finished(..))
            )
            .prop_map(|(worker, task, epoch, report)| Step::GiveUp {
                worker,
                task,
                epoch,
                report
            }),
        worker.prop_map(|worker| Step::Leave { worker }),
        Just(Step::Tick),
    ]
}

fn command(step: Step) -> Command {
    let worker = |serial| WorkerId::issued(1, serial);
    let epoch = |serial| Epoch::issued(1, serial);
    match step {
        Step::Admit(n) => Command::Admit(vec![Admitted::fresh(task(n))]),
        Step::Register => introduction("one"),
        Step::Lease {
            worker: w,
            idle,
            room,
        } => Command::Lease {
            worker: worker(w),
            held: vec![],
            idle,
            room,
        },
        Step::Renew {
            worker: w,
            task: t,
            epoch: e,
            running,
        } => {
            let held = vec![HeldLease {
                task: task(t),
                epoch: epoch(e),
                running,
            }];
            Command::Renew {
                worker: worker(w),
                held,
            }
        }
        Step::Claim {
            worker: w,
            task: t,
            epoch: e,
        } => Command::Claim {
            worker: worker(w),
            task: task(t),
            epoch: epoch(e),
        },
        Step::Settle {
            task: t,
            epoch: e,
            report,
        } => Command::Settle {
            task: task(t),
            epoch: epoch(e),
            report,
        },
        Step::GiveUp {
            worker: w,
            task: t,
            epoch: e,
            report,
        } => Command::GiveUp {
            worker: worker(w),
            task: task(t),
            epoch: epoch(e),
            report,
        },
        Step::Leave { worker: w } => Command::Leave { worker: worker(w) },
        Step::Tick => Command::Tick,
    }
}

proptest! {
    /// Whatever is said in whatever order: leases are granted for ready tasks only, under ever
    /// greater epochs; what is final stays final; a task is in one state; the counters add up; a
    /// stale epoch changes nothing.
    #[test]
    fn invariants_hold(steps in prop::collection::vec((step(), 0..60_u64), 0..120)) {
        let mut ledger = Ledger::new(CONFIG, 1);
        let mut now = 0;
        let mut last_epoch = None;
        let mut admitted = BTreeSet::new();
        let mut finished = BTreeSet::new();
        let mut failures: BTreeMap<TaskId, u32> = BTreeMap::new();
        for (step, wait) in steps {
            now += wait;
            // The store hands out unfinished tasks only, which the driver's cursor makes sure of.
            if let Step::Admit(n) = step {
                if finished.contains(&task(n)) { continue; }
                admitted.insert(task(n));
            }
            let before: BTreeMap<TaskId, Entry> = ledger.entries().map(|(task, entry)| (task, entry.clone())).collect();
            let effects = ledger.apply(command(step), Millis(now));
            for effect in effects {
                match effect {
                    Event::Granted { task, epoch, .. } => {
                        prop_assert_eq!(before[&task].state, State::Ready);
                        prop_assert!(last_epoch < Some(epoch));
                        last_epoch = Some(epoch);
                    }
                    Event::Claimed { task, epoch } => {
                        let leased = matches!(before[&task].state, State::Leased { epoch: live, .. } if live == epoch);
                        prop_assert!(leased);
                    }
                    Event::Follows(Effect::Finished { task, .. }) => {
                        let checked = matches!(before[&task].state, State::Checking { .. });
                        prop_assert!(checked);
                        prop_assert!(finished.insert(task));
                        prop_assert!(ledger.entry(task).is_none());
                    }
                    Event::Follows(Effect::Retry { task, attempts: Attempts { failures: count, .. }, .. }) => {
                        let known = failures.entry(task).or_default();
                        *known += 1;
                        prop_assert_eq!(*known, count);
                        prop_assert!(count < CONFIG.max_failures);
                        prop_assert_eq!(ledger.entry(task).map(|entry| (entry.state, entry.attempts.failures)), Some((State::Ready, count)));
                    }
                    Event::Follows(Effect::Quarantined { task, attempts: Attempts { failures: count, .. }, .. }) => {
                        prop_assert_eq!(count, CONFIG.max_failures);
                        prop_assert!(finished.insert(task));
                        prop_assert!(ledger.entry(task).is_none());
                    }
                    Event::Stale(task) | Event::Lost { task, .. } => {
                        prop_assert_eq!(ledger.entry(task), before.get(&task));
                    }
                    Event::UnknownWorker(_) => {
                        let after: BTreeMap<TaskId, Entry> = ledger.entries().map(|(task, entry)| (task, entry.clone())).collect();
                        prop_assert_eq!(&after, &before);
                    }
                    _ => {}
                }
            }
            let Counts { ready, leased, checking } = ledger.counts();
            prop_assert_eq!((ready + leased + checking) as usize, admitted.len() - finished.len());
            let epochs: Vec<Epoch> = ledger.entries().filter_map(|(_, entry)| match entry.state {
                State::Ready => None,
                State::Leased { epoch, .. } | State::Checking { epoch, .. } => Some(epoch),
            }).collect();
            prop_assert_eq!(epochs.iter().collect::<BTreeSet<_>>().len(), epochs.len());
        }
    }
}
