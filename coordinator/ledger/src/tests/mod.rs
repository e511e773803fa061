mod checkpoints;
mod dispatch;
mod failures;
mod invariants;

use misere_census::{Attempts, Backer, CertificateDigest, Finish};

use super::transcript::{Command, Event};
use super::*;

const CONFIG: LeaseConfig = LeaseConfig {
    duration_ms: 100,
    max_failures: 3,
    max_batch: 4,
    work_ahead_ms: 2_000,
    max_queued_ms: 10_000,
    checks: CheckConfig::USUAL,
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
    let admitted = (0..tasks).map(|n| WindowTask::fresh(task(n))).collect();
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
    let awaited = WindowTask {
        is_awaited: true,
        ..WindowTask::fresh(task(7))
    };
    ledger.apply(Command::Admit(vec![awaited]), Millis(0));
    let worker = register(&mut ledger, 0);
    let leased = lease(&mut ledger, worker, 1, 1);
    assert_eq!(leased[0].0, task(7));
    // The task comes back, and goes first again.
    ledger.apply(Command::Leave { worker }, Millis(2));
    let worker = register(&mut ledger, 3);
    assert_eq!(lease(&mut ledger, worker, 1, 4)[0].0, task(7));
}

/// Workers that are killed from outside bring no task into quarantine soon.
///
/// A task that goes on costing workers is given up in the end.
#[test]
fn silence_says_little_about_a_task() {
    let mut ledger = ledger(1);
    let mut now = 0;
    for silences in 1..=12 {
        let introduction = introduction(&format!("worker {silences}"));
        let [Event::Registered(worker)] = ledger.apply(introduction, Millis(now))[..] else {
            panic!("not registered");
        };
        let held = lease(&mut ledger, worker, 1, now)[0];
        assert_eq!(renew(&mut ledger, worker, held, true, now), []);
        now += 2_000;
        let effects = ledger.apply(Command::Tick, Millis(now));
        let attempts = Attempts {
            silences,
            ..failed(silences)
        };
        match (&effects[0], silences) {
            (Event::Follows(Effect::Quarantined { attempts: then, .. }), 12)
            | (Event::Follows(Effect::Retry { attempts: then, .. }), 1..12) => {
                assert_eq!(*then, attempts);
            }
            (other, _) => panic!("{silences}: {other:?}"),
        }
    }
}

#[test]
fn a_withdrawn_task_has_no_holder() {
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
    let finished = ledger.apply(settle, Millis(3));
    assert!(matches!(
        finished[..],
        [Event::Follows(Effect::Finished { .. })]
    ));
    ledger.apply(Command::Withdraw(vec![task]), Millis(4));
    ledger.apply(Command::Admit(vec![WindowTask::fresh(task)]), Millis(5));
    // Its worker gets it as if it had never seen it.
    assert_eq!(lease(&mut ledger, worker, 6, 1)[0].0, task);
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
            finish: Finish::Done,
            backers: vec![Backer {
                worker: WorkerIdentity::named("one"),
                confirmed_by: None
            }]
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
    // The queued one goes back, without a failure.
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
    // Later messages of the silent worker change nothing.
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
