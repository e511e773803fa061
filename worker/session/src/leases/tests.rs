use misere_census::{Epoch, TaskId};

use super::*;

fn lease(n: u64) -> Lease {
    Lease {
        task: TaskId([0; 32]),
        epoch: Epoch(n),
    }
}

fn at(ms: u64) -> Timestamp {
    Timestamp(Duration::from_millis(ms))
}

/// Returns leases of these tasks, all given to threads.
fn given(tasks: std::ops::Range<u64>) -> Leases {
    let mut leases = Leases::default();
    for n in tasks {
        let phase = Phase::AtThread;
        leases.jobs.insert(lease(n), Job::new(phase, at(0), at(0)));
        leases.computing += 1;
    }
    leases
}

fn ended(leases: &mut Leases, n: u64, took: Duration) {
    leases.begun(lease(n), at(0));
    let ended = ComputationEnd::Certificate;
    leases.ended(lease(n), ended, Timestamp(took), &mut Vec::new());
}

#[test]
fn threads_are_given_tiny_tasks_ahead_and_long_ones_not() {
    assert_eq!(Leases::default().startable(2), 2);
    let mut leases = given(0..2);
    assert_eq!(leases.startable(2), 0);
    ended(&mut leases, 0, Duration::from_micros(100));
    assert_eq!(leases.startable(2), 2 * 1_000 - 1);
    let mut leases = given(0..2);
    ended(&mut leases, 0, Duration::from_secs(60));
    assert_eq!(leases.startable(2), 1);
    // A task that never began does not count.
    let mut leases = given(0..2);
    let ended = ComputationEnd::NoCertificate;
    leases.ended(lease(0), ended, at(60_000), &mut Vec::new());
    assert_eq!((leases.startable(2), leases.mean), (1, None));
}

#[test]
fn a_task_at_a_thread_is_not_running() {
    let mut leases = given(0..3);
    leases.begun(lease(1), at(1));
    let holdings = leases.holdings();
    assert_eq!(holdings.running, [lease(1)]);
    assert_eq!(holdings.queued, [lease(0), lease(2)]);
    assert_eq!(leases.waiting(1), 2);
}

#[test]
fn a_worker_with_much_to_report_requests_no_tasks() {
    let most = MAX_WAITING as u64;
    let mut leases = given(0..most);
    (0..most).for_each(|n| ended(&mut leases, n, Duration::from_secs(1)));
    assert_eq!(leases.wants(2), (2, 2));
    assert!(!leases.wants_more(2, 0));
    (0..most).for_each(|n| leases.forget(lease(n), &mut Vec::new()));
    assert!(leases.wants_more(2, 0));
    assert_eq!(leases.startable(2), 2);
}

#[test]
fn every_lease_that_is_lost_is_forgotten_in_the_end() {
    /// One path of a lease to its loss, and the work still pending at that moment.
    type Way = fn(&mut Leases, &mut Vec<Output>);
    let one = lease(1);
    let fetching: Way = |leases, outputs| {
        let granted = GrantedLease {
            lease: lease(1),
            resumed: true,
        };
        leases.enqueue(granted, at(0));
        leases.start_queued(1, at(0), outputs);
    };
    let at_thread: Way = |leases, outputs| {
        let granted = GrantedLease {
            lease: lease(1),
            resumed: false,
        };
        leases.enqueue(granted, at(0));
        leases.start_queued(1, at(0), outputs);
    };
    let stopped: Way = |leases, outputs| {
        leases.interrupt(lease(1), InterruptCause::Shutdown, outputs);
    };
    let begun: Way = |leases, _| leases.begun(lease(1), at(1));
    let written: Way = |leases, _| leases.checkpoint(lease(1), 7);
    let has_ended: Way = |leases, outputs| {
        leases.ended(lease(1), ComputationEnd::NoCertificate, at(2), outputs);
    };
    let handed_in: Way = |leases, outputs| leases.submitted(lease(1), 7, at(3), outputs);
    let fetched: Way = |leases, outputs| leases.fetched(lease(1), outputs);
    let delivered: Way = |leases, outputs| leases.forget(lease(1), outputs);
    let cases: [(&[Way], &[Way]); 7] = [
        (&[fetching], &[fetched]),
        (&[fetching, stopped], &[fetched]),
        (&[at_thread], &[has_ended]),
        (&[at_thread, begun], &[has_ended]),
        (&[at_thread, stopped, begun], &[has_ended]),
        (&[at_thread, begun, written, has_ended], &[handed_in]),
        (
            &[at_thread, begun, written, has_ended, handed_in],
            &[delivered],
        ),
    ];
    for (n, (before, after)) in cases.into_iter().enumerate() {
        let (mut leases, mut outputs) = (Leases::default(), Vec::new());
        before.iter().for_each(|way| way(&mut leases, &mut outputs));
        assert_eq!(leases.all().collect::<Vec<_>>(), [one], "case {n}");
        outputs.clear();
        leases.lose(&[one], &mut outputs);
        assert_eq!(outputs, [Output::Abandon(one)], "case {n}");
        assert_eq!(leases.holdings(), Holdings::default(), "case {n}");
        outputs.clear();
        after.iter().for_each(|way| way(&mut leases, &mut outputs));
        assert_eq!(outputs, [Output::Forget(one)], "case {n}");
        assert_eq!((leases.counts(), leases.computing), ((0, 0), 0), "case {n}");
    }
}
