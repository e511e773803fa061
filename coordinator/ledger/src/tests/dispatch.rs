use misere_census::{Backer, CertificateDigest, Claim, Finish, Statement};

use super::super::Effect;
use super::super::transcript::{Command, Event};
use super::super::*;

pub(super) fn task(number: u16) -> TaskId {
    let mut id = [0; 32];
    id[..2].copy_from_slice(&number.to_be_bytes());
    TaskId(id)
}

pub(super) fn ledger(tasks: u16, trust: TrustConfig) -> Ledger {
    let config = LeaseConfig {
        duration_ms: 1_000,
        trust,
        ..LeaseConfig::default()
    };
    let mut ledger = Ledger::new(config, 1);
    let admitted = (0..tasks).map(|n| WindowTask::fresh(task(n))).collect();
    ledger.apply(Command::Admit(admitted), Millis(0));
    ledger
}

pub(super) fn nobody_twice() -> TrustConfig {
    TrustConfig {
        first_one_in: 0,
        spot_check_one_in: 0,
        ..TrustConfig::default()
    }
}

pub(super) fn everybody_twice() -> TrustConfig {
    TrustConfig {
        first_one_in: 1,
        least_one_in: 1,
        wait_for_others_ms: 1_500,
        spot_check_one_in: 0,
        ..TrustConfig::default()
    }
}

pub(super) fn join(ledger: &mut Ledger, name: &str, slots: u32, class: u8, now: u64) -> WorkerId {
    let register = Command::Register {
        identity: WorkerIdentity::named(name),
        slots,
        class: MemoryClass::new(class),
    };
    match ledger.apply(register, Millis(now))[..] {
        [Event::Registered(worker)] => worker,
        ref other => panic!("{other:?}"),
    }
}

pub(super) fn ask(
    ledger: &mut Ledger,
    worker: WorkerId,
    (idle, room): (u32, u32),
    now: u64,
) -> Vec<(TaskId, Epoch)> {
    let lease = Command::Lease {
        worker,
        held: vec![],
        idle,
        room,
    };
    let granted = ledger.apply(lease, Millis(now)).into_iter();
    granted
        .filter_map(|effect| match effect {
            Event::Granted { task, epoch, .. } => Some((task, epoch)),
            _ => None,
        })
        .collect()
}

pub(super) fn hand_in(
    ledger: &mut Ledger,
    worker: WorkerId,
    (task, epoch): (TaskId, Epoch),
    digest: u8,
    now: u64,
) -> Vec<Event> {
    let claim = Command::Claim {
        worker,
        task,
        epoch,
    };
    assert_eq!(
        ledger.apply(claim, Millis(now)),
        [Event::Claimed { task, epoch }]
    );
    let report = Report::Finished(Finish::Done, CertificateDigest([digest; 32]));
    let settle = Command::Settle {
        task,
        epoch,
        report,
    };
    ledger.apply(settle, Millis(now))
}

fn fail(
    ledger: &mut Ledger,
    worker: WorkerId,
    (task, epoch): (TaskId, Epoch),
    failure: Failure,
) -> Vec<Event> {
    let report = Report::Failed(failure);
    let give_up = Command::GiveUp {
        worker,
        task,
        epoch,
        report,
    };
    ledger.apply(give_up, Millis(1))
}

/// A million tiny tasks are granted by hundreds, long ones one by one.
#[test]
fn leases_hold_two_seconds_of_work() {
    let mut tiny = ledger(10_000, nobody_twice());
    let worker = join(&mut tiny, "one", 2, 0, 0);
    let first = ask(&mut tiny, worker, (2, 4_096), 0);
    assert_eq!(first.len(), 4);
    // Four in two milliseconds on two threads: one millisecond each, so 2 × 2,000 tasks are two
    // seconds of work.
    for (n, lease) in first.into_iter().enumerate() {
        hand_in(&mut tiny, worker, lease, 1, (n as u64).div_ceil(2));
    }
    assert!(ask(&mut tiny, worker, (2, 4_096), 2).len() > 1_000);

    let mut long = ledger(10_000, nobody_twice());
    let worker = join(&mut long, "one", 2, 0, 0);
    for (n, lease) in (1..).zip(ask(&mut long, worker, (2, 0), 0)) {
        hand_in(&mut long, worker, lease, 1, 60_000 * n);
    }
    assert_eq!(ask(&mut long, worker, (2, 4_096), 120_000).len(), 2);
}

/// Near the end no worker gets more than its share.
#[test]
fn the_last_tasks_are_spread() {
    let mut ledger = ledger(4, nobody_twice());
    let workers = ["a", "b", "c", "d"].map(|name| join(&mut ledger, name, 8, 0, 0));
    for worker in workers {
        assert_eq!(ask(&mut ledger, worker, (8, 8), 0).len(), 1);
    }
}

#[test]
fn failures_shrink_what_a_worker_may_hold() {
    let trust = TrustConfig {
        broken_after: 0,
        ..nobody_twice()
    };
    let mut ledger = ledger(1_000, trust);
    let worker = join(&mut ledger, "one", 8, 0, 0);
    let before = ask(&mut ledger, worker, (8, 0), 0);
    assert_eq!(before.len(), 8);
    let crash = || Failure::crashed("signal 9", "");
    for lease in before {
        fail(&mut ledger, worker, lease, crash());
    }
    for _ in 0..4 {
        for lease in ask(&mut ledger, worker, (8, 0), 0) {
            fail(&mut ledger, worker, lease, crash());
        }
    }
    let one = ask(&mut ledger, worker, (8, 0), 0);
    assert_eq!(one.len(), 1);
    hand_in(&mut ledger, worker, one[0], 1, 1);
    assert_eq!(ask(&mut ledger, worker, (8, 0), 1).len(), 2);
}

#[test]
fn out_of_memory_climbs_the_classes_and_the_census_says_what_it_waits_for() {
    let mut ledger = ledger(1, nobody_twice());
    assert_eq!(ledger.waiting(), [Waiting::ForWorkers]);
    let small = join(&mut ledger, "small", 1, 0, 0);
    assert_eq!(ledger.waiting(), []);
    let out_of_memory = || Failure::OutOfMemory { limit: Some(1) };
    let lease = ask(&mut ledger, small, (1, 0), 0)[0];
    fail(&mut ledger, small, lease, out_of_memory());
    assert_eq!(ask(&mut ledger, small, (1, 0), 0), []);
    let waiting = Waiting::ForMemory {
        class: MemoryClass::new(1),
        tasks: 1,
        example: task(0),
    };
    assert_eq!(ledger.waiting(), [waiting]);
    let large = join(&mut ledger, "large", 1, 2, 0);
    assert_eq!(ledger.waiting(), []);
    let lease = ask(&mut ledger, large, (1, 0), 0)[0];
    fail(&mut ledger, large, lease, out_of_memory());
    let lease = ask(&mut ledger, large, (1, 0), 0)[0];
    let effects = fail(&mut ledger, large, lease, out_of_memory());
    assert!(matches!(
        effects[..],
        [Event::Follows(Effect::Quarantined { .. })]
    ));
}

#[test]
fn a_sampled_task_goes_to_another_worker() {
    let mut ledger = ledger(1, everybody_twice());
    let one = join(&mut ledger, "one", 1, 0, 0);
    let two = join(&mut ledger, "two", 1, 0, 0);
    let lease = ask(&mut ledger, one, (1, 0), 0)[0];
    let effects = hand_in(&mut ledger, one, lease, 1, 1);
    assert!(matches!(
        effects[..],
        [Event::Follows(Effect::ClaimsChanged { .. })]
    ));
    assert_eq!(ask(&mut ledger, one, (1, 0), 2), []);
    let lease = ask(&mut ledger, two, (1, 0), 3)[0];
    let effects = hand_in(&mut ledger, two, lease, 1, 4);
    assert!(matches!(
        effects[..],
        [Event::Follows(Effect::Finished { .. })]
    ));
}

/// One certificate waits to be confirmed, another's is refused, and no third worker is there.
///
/// Neither worker gets the task again.
#[test]
fn the_coordinator_decides_a_task_that_only_one_of_two_workers_can_do() {
    let mut ledger = ledger(1, everybody_twice());
    let one = join(&mut ledger, "one", 1, 0, 0);
    let two = join(&mut ledger, "two", 1, 0, 0);
    let lease = ask(&mut ledger, one, (1, 0), 0)[0];
    hand_in(&mut ledger, one, lease, 1, 1);
    let (task, epoch) = ask(&mut ledger, two, (1, 0), 2)[0];
    let claim = Command::Claim {
        worker: two,
        task,
        epoch,
    };
    ledger.apply(claim, Millis(3));
    let report = Report::Failed(Failure::Refused("no".to_owned()));
    let settle = Command::Settle {
        task,
        epoch,
        report,
    };
    assert!(matches!(
        ledger.apply(settle, Millis(4))[..],
        [Event::Follows(Effect::Retry { .. })]
    ));
    assert_eq!(ask(&mut ledger, two, (1, 0), 5), []);
    assert_eq!(ask(&mut ledger, one, (1, 0), 6), []);
    let decided = ledger.apply(Command::Tick, Millis(7));
    let [Event::Follows(Effect::Arbitrate { task, epoch, .. })] = decided[..] else {
        panic!("{decided:?}")
    };
    let report = Report::Finished(Finish::Done, CertificateDigest([1; 32]));
    let settle = Command::Settle {
        task,
        epoch,
        report,
    };
    let effects = ledger.apply(settle, Millis(8));
    assert!(
        matches!(effects[0], Event::Follows(Effect::Finished { .. })),
        "{effects:?}"
    );
}

/// A lone worker confirms itself, but only after other workers have been waited for.
#[test]
fn a_lone_worker_does_not_wait_for_ever() {
    let mut ledger = ledger(2, everybody_twice());
    let one = join(&mut ledger, "one", 1, 0, 0);
    let two = join(&mut ledger, "two", 1, 0, 0);
    let lease = ask(&mut ledger, one, (1, 0), 0)[0];
    hand_in(&mut ledger, one, lease, 1, 1);
    let lease = ask(&mut ledger, one, (1, 0), 1_000)[0];
    hand_in(&mut ledger, one, lease, 1, 1_001);
    assert_eq!(ask(&mut ledger, one, (2, 0), 1_500), []);
    let lease = ask(&mut ledger, one, (1, 0), 1_600)[0];
    let effects = hand_in(&mut ledger, one, lease, 1, 1_601);
    assert!(matches!(
        effects[..],
        [Event::Follows(Effect::Finished { .. })]
    ));
    // A worker that says goodbye is not waited for.
    let two_again = ledger.apply(Command::Leave { worker: two }, Millis(1_602));
    assert!(matches!(
        two_again[..],
        [Event::Follows(Effect::Left(_)) | Event::UnknownWorker(_)]
    ));
    assert_eq!(ask(&mut ledger, one, (1, 0), 1_603).len(), 1);
}

#[test]
fn a_request_to_stop_reaches_the_holder() {
    let mut ledger = ledger(1, nobody_twice());
    let worker = join(&mut ledger, "one", 1, 0, 0);
    assert_eq!(
        ledger.apply(Command::Stop(task(0)), Millis(0)),
        [Event::Stale(task(0))]
    );
    let (id, epoch) = ask(&mut ledger, worker, (1, 0), 0)[0];
    assert_eq!(ledger.apply(Command::Stop(id), Millis(1)), []);
    let held = vec![HeldLease {
        task: id,
        epoch,
        running: true,
    }];
    let renewed = ledger.apply(Command::Renew { worker, held }, Millis(2));
    assert_eq!(renewed, [Event::StopAsked { task: id, epoch }]);
}

/// A result that two workers reached rests on the word of both, and of those who helped them.
#[test]
fn a_result_comes_with_the_workers_that_reached_it() {
    let mut ledger = ledger(1, everybody_twice());
    let [one, two] = ["one", "two"].map(|name| join(&mut ledger, name, 1, 0, 0));
    let held = ask(&mut ledger, one, (1, 0), 0)[0];
    hand_in(&mut ledger, one, held, 7, 0);
    let held = ask(&mut ledger, two, (1, 0), 0)[0];
    let effects = hand_in(&mut ledger, two, held, 7, 0);
    let backer = |worker, other| Backer {
        worker: WorkerIdentity::named(worker),
        confirmed_by: Some(WorkerIdentity::named(other)),
    };
    let finished = Event::Follows(Effect::Finished {
        task: task(0),
        finish: Finish::Done,
        backers: vec![backer("two", "one"), backer("one", "two")],
    });
    assert_eq!(effects, [finished]);
}

/// Two claims differed when the coordinator was restarted, before it decided.
#[test]
fn a_dispute_from_before_a_restart_is_not_voted_on() {
    let claims = [("honest", 7), ("one", 9)].map(|(name, digest)| Claim {
        by: WorkerIdentity::named(name),
        statement: Statement::Certificate(CertificateDigest([digest; 32])),
    });
    let disputed = || WindowTask {
        claims: claims.to_vec(),
        ..WindowTask::fresh(task(0))
    };
    let is_decided = |effects: &[Event]| {
        let last = effects.last();
        matches!(last, Some(Event::Follows(Effect::Arbitrate { .. })))
    };
    // The accomplice of the liar is first.
    let mut voted = ledger(0, everybody_twice());
    voted.apply(Command::Admit(vec![disputed()]), Millis(0));
    let two = join(&mut voted, "two", 1, 0, 0);
    let held = ask(&mut voted, two, (1, 0), 0)[0];
    assert!(is_decided(&hand_in(&mut voted, two, held, 9, 0)));
    // The clock of the coordinator is first, though another worker is there.
    let mut waiting = ledger(0, everybody_twice());
    waiting.apply(Command::Admit(vec![disputed()]), Millis(0));
    join(&mut waiting, "two", 1, 0, 0);
    assert!(is_decided(&waiting.apply(Command::Tick, Millis(1))));
}
