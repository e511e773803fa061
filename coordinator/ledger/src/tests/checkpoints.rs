use misere_census::{CertificateDigest, Finish, Misconduct, Statement};

use super::super::Effect;
use super::super::transcript::{Command, Event};
use super::super::*;
use super::dispatch::{ask, everybody_twice, hand_in, join, ledger, nobody_twice, task};

fn keep(
    ledger: &mut Ledger,
    worker: WorkerId,
    (task, epoch): (TaskId, Epoch),
    fuel: u64,
    now: u64,
) -> Vec<Event> {
    let keep = Command::Keep {
        worker,
        task,
        epoch,
        fuel,
    };
    ledger.apply(keep, Millis(now))
}

fn identity(name: &str) -> WorkerIdentity {
    WorkerIdentity::named(name)
}

fn kept(task: TaskId, contributors: &[&str]) -> Vec<Event> {
    let contributors = contributors.iter().map(|name| identity(name)).collect();
    vec![Event::Kept { task, contributors }]
}

/// Asks for one task, and returns it with whether it resumes from a checkpoint.
fn lease(ledger: &mut Ledger, worker: WorkerId, now: u64) -> Option<((TaskId, Epoch), bool)> {
    let lease = Command::Lease {
        worker,
        held: vec![],
        idle: 1,
        room: 0,
    };
    let effects = ledger.apply(lease, Millis(now));
    effects.into_iter().find_map(|effect| match effect {
        Event::Granted {
            task,
            epoch,
            resumed,
            ..
        } => Some(((task, epoch), resumed)),
        _ => None,
    })
}

fn give_up(
    ledger: &mut Ledger,
    worker: WorkerId,
    (task, epoch): (TaskId, Epoch),
    report: Report,
    now: u64,
) -> Vec<Event> {
    let give_up = Command::GiveUp {
        worker,
        task,
        epoch,
        report,
    };
    ledger.apply(give_up, Millis(now))
}

const STOPPED: Report = Report::Interrupted(InterruptCause::Shutdown);

#[test]
fn the_latest_is_kept_and_a_stale_one_changes_nothing() {
    let mut ledger = ledger(1, nobody_twice());
    let one = join(&mut ledger, "one", 1, 0, 0);
    let two = join(&mut ledger, "two", 1, 0, 0);
    let (held, resumed) = lease(&mut ledger, one, 0).unwrap();
    assert!(!resumed);
    let stale = vec![Event::Stale(held.0)];
    assert_eq!(keep(&mut ledger, one, held, 10, 1), kept(held.0, &["one"]));
    assert_eq!(keep(&mut ledger, one, held, 30, 1), kept(held.0, &["one"]));
    assert_eq!(keep(&mut ledger, one, held, 20, 1), stale);
    assert_eq!(keep(&mut ledger, two, held, 40, 1), stale);
    // Silence: the next worker resumes from it, and contributes to its result.
    let renew = Command::Renew {
        worker: one,
        held: vec![HeldLease {
            task: held.0,
            epoch: held.1,
            running: true,
        }],
    };
    ledger.apply(renew, Millis(2));
    ledger.apply(Command::Tick, Millis(1_500));
    assert_eq!(keep(&mut ledger, one, held, 50, 1_500), stale);
    let (held, resumed) = lease(&mut ledger, two, 1_500).unwrap();
    assert!(resumed);
    let both = kept(held.0, &["one", "two"]);
    // The silence before is forgotten.
    assert_eq!(keep(&mut ledger, two, held, 40, 1_501)[..1], both[..]);
    // The next worker also resumes after a stop, or lack of memory or time.
    let out_of_memory = Report::Failed(Failure::OutOfMemory { limit: None });
    for report in [
        STOPPED,
        Report::Interrupted(InterruptCause::TimeGuard),
        out_of_memory,
    ] {
        let top = join(&mut ledger, "two", 1, 2, 1_502);
        let (held, resumed) = lease(&mut ledger, top, 1_502).unwrap_or((held, true));
        assert!(resumed);
        let holder = ledger.entry(held.0).and_then(|entry| match entry.state {
            State::Leased { worker, .. } => Some(worker),
            _ => None,
        });
        give_up(&mut ledger, holder.unwrap(), held, report, 1_503);
    }
}

#[test]
fn a_worker_is_never_checked_from_its_own_checkpoint() {
    let mut ledger = ledger(1, everybody_twice());
    let one = join(&mut ledger, "one", 1, 0, 0);
    let two = join(&mut ledger, "two", 1, 0, 0);
    let (held, _) = lease(&mut ledger, one, 0).unwrap();
    keep(&mut ledger, one, held, 10, 1);
    let effects = hand_in(&mut ledger, one, held, 7, 2);
    assert!(matches!(
        effects[..],
        [
            Event::Follows(Effect::ClaimsChanged { .. }),
            Event::Follows(Effect::Dropped(_))
        ]
    ));
    let (again, resumed) = lease(&mut ledger, two, 3).unwrap();
    assert!(!resumed);
    // The second worker's own checkpoint is valid for the second worker's work.
    assert_eq!(keep(&mut ledger, two, again, 5, 4), kept(again.0, &["two"]));
    give_up(&mut ledger, two, again, STOPPED, 5);
    let (again, resumed) = lease(&mut ledger, two, 6).unwrap();
    assert!(resumed);
    let effects = hand_in(&mut ledger, two, again, 7, 7);
    assert!(matches!(
        effects[0],
        Event::Follows(Effect::Finished { .. })
    ));
}

#[test]
fn all_contributors_are_suspected_of_a_false_certificate() {
    let mut ledger = ledger(0, everybody_twice());
    for round in 0..3 {
        let now = 100 * u64::from(round);
        ledger.apply(
            Command::Admit(vec![WindowTask::fresh(task(round))]),
            Millis(now),
        );
        let one = join(&mut ledger, "one", 1, 0, now);
        let two = join(&mut ledger, "two", 1, 0, now);
        let three = join(&mut ledger, "three", 1, 0, now);
        let (held, _) = lease(&mut ledger, one, now).unwrap();
        keep(&mut ledger, one, held, 10, now);
        give_up(&mut ledger, one, held, STOPPED, now);
        let (resumed, from) = lease(&mut ledger, two, now).unwrap();
        assert!(from);
        let effects = hand_in(&mut ledger, two, resumed, 7, now);
        let Event::Follows(Effect::ClaimsChanged { claims, .. }) = &effects[0] else {
            panic!("{effects:?}")
        };
        let statement: Vec<Statement> = claims.iter().map(|claim| claim.statement).collect();
        let digest = CertificateDigest([7; 32]);
        assert_eq!(
            statement,
            [Statement::Resumed(digest), Statement::Helped(digest)]
        );
        // Another worker claims otherwise, and the coordinator agrees with it.
        let (checked, from) = lease(&mut ledger, three, now).unwrap();
        assert_eq!((checked.0, from), (held.0, false));
        let decided = hand_in(&mut ledger, three, checked, 8, now);
        let Some(&Event::Follows(Effect::Arbitrate { task, epoch, .. })) = decided.last() else {
            panic!("{decided:?}")
        };
        let report = Report::Finished(Finish::Done, CertificateDigest([8; 32]));
        let settle = Command::Settle {
            task,
            epoch,
            report,
        };
        let effects = ledger.apply(settle, Millis(now));
        let caught: Vec<WorkerIdentity> = effects
            .iter()
            .filter_map(|effect| match effect {
                Event::Follows(Effect::Distrusted { identity, .. }) => Some(*identity),
                _ => None,
            })
            .collect();
        // One time is no proof against either; three times is once too often.
        let expected = match round {
            2 => vec![identity("two"), identity("one")],
            _ => vec![],
        };
        assert_eq!(caught, expected, "round {round}");
        for worker in [one, two, three] {
            ledger.apply(Command::Leave { worker }, Millis(now));
        }
    }
}

#[test]
fn a_suspect_checkpoint_is_dropped() {
    let crash = || Report::Failed(Failure::crashed("signal 11", ""));
    let mut ledger = ledger(1, nobody_twice());
    let one = join(&mut ledger, "one", 1, 0, 0);
    let (held, _) = lease(&mut ledger, one, 0).unwrap();
    keep(&mut ledger, one, held, 10, 1);
    // It crashed on its way, not because of the checkpoint it began from.
    assert!(matches!(
        give_up(&mut ledger, one, held, crash(), 2)[..],
        [Event::Follows(Effect::Retry { .. })]
    ));
    let (held, resumed) = lease(&mut ledger, one, 3).unwrap();
    assert!(resumed);
    assert!(matches!(
        give_up(&mut ledger, one, held, crash(), 4)[..],
        [
            Event::Follows(Effect::Retry { .. }),
            Event::Follows(Effect::Dropped(_))
        ]
    ));
    let (held, resumed) = lease(&mut ledger, one, 5).unwrap();
    assert!(!resumed);
    keep(&mut ledger, one, held, 10, 6);
    let effects = ledger.apply(
        Command::Distrust(identity("one"), Misconduct::CaughtBefore),
        Millis(7),
    );
    assert!(
        effects.contains(&Event::Follows(Effect::Dropped(held.0))),
        "{effects:?}"
    );
    // The same holds for a task that enters the window later.
    let late = WindowTask {
        kept: Some(CheckpointInfo {
            contributors: vec![identity("two"), identity("one")],
            fuel: 3,
        }),
        ..WindowTask::fresh(task(9))
    };
    let effects = ledger.apply(Command::Admit(vec![late]), Millis(8));
    assert_eq!(effects, [Event::Follows(Effect::Dropped(task(9)))]);
    let two = join(&mut ledger, "two", 4, 0, 9);
    assert_eq!(ask(&mut ledger, two, (4, 0), 9).len(), 2);
    assert!(ledger.entry(task(9)).unwrap().contributors.is_empty());
}
