//! The invariants of the ledger under random lists of commands.

use super::super::transcript::{Command, Event};
use super::super::*;
use super::{CONFIG, DIGEST, introduction, task};
use misere_census::{Attempts, Finish};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A command of a random list: workers, tasks and epochs by small numbers, many of them wrong.
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
        Step::Admit(n) => Command::Admit(vec![WindowTask::fresh(task(n))]),
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
    /// Leases are granted for ready tasks only, under ever greater epochs.
    ///
    /// Final tasks stay final; a task is in one state; the counters add up; a stale epoch changes
    /// nothing. This holds for any commands in any order.
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
            // The store admits unfinished tasks only, which the driver's cursor ensures.
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
