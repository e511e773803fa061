use std::collections::BTreeSet;

use misere_census::{Epoch, InterruptCause, TaskId};

use super::*;
use crate::message::{ComputationEnd, Holdings};

/// A session with a clock, and with the outputs of its last step.
struct Bench {
    session: Session,
    now: Timestamp,
    outputs: Vec<Output>,
}

const LEASE: Duration = Duration::from_secs(15);

fn config() -> Config {
    Config {
        slots: 2,
        time_limit: None,
        grace: Duration::from_secs(10),
        checkpoint_every: Duration::from_secs(30),
        give_up_after: None,
    }
}

fn lease(n: u8) -> Lease {
    Lease {
        task: TaskId([n; 32]),
        epoch: Epoch(n.into()),
    }
}

fn granted(tasks: std::ops::Range<u8>) -> Vec<GrantedLease> {
    let granted = tasks.map(|n| GrantedLease {
        lease: lease(n),
        resumed: false,
    });
    granted.collect()
}

fn leased(granted: Vec<GrantedLease>) -> Input {
    Input::Leased {
        granted,
        renewed: Renewal::default(),
        finished: false,
        retry: Duration::from_secs(1),
    }
}

impl Bench {
    fn new(config: Config) -> Self {
        let now = Timestamp::default();
        let session = Session::new(config, now);
        let mut bench = Self {
            session,
            now,
            outputs: Vec::new(),
        };
        bench.wait(Duration::ZERO);
        bench
    }

    /// Returns a worker that has a number and has requested tasks.
    fn registered(config: Config) -> Self {
        let mut bench = Self::new(config);
        assert_eq!(bench.outputs, [Output::Call(Call::Register)]);
        bench.input(Input::Registered {
            worker: WorkerId(1),
            lease: LEASE,
        });
        assert!(bench.asks());
        bench
    }

    fn input(&mut self, input: Input) -> &[Output] {
        self.session.input(input, self.now);
        self.outputs = self.session.step(self.now);
        &self.outputs
    }

    fn wait(&mut self, time: Duration) -> &[Output] {
        self.now = self.now.after(time);
        self.outputs = self.session.step(self.now);
        &self.outputs
    }

    /// Reports whether the last step requested tasks.
    fn asks(&self) -> bool {
        let asks = |output: &Output| matches!(output, Output::Call(Call::Lease { .. }));
        self.outputs.iter().any(asks)
    }

    fn held(&self) -> BTreeSet<Lease> {
        self.session.leases().collect()
    }
}

#[test]
fn tasks_are_started_kept_reported_and_requested() {
    let mut bench = Bench::registered(config());
    let started = bench.input(leased(granted(0..3)));
    assert_eq!(started, [Output::Start(lease(0)), Output::Start(lease(1))]);
    bench.input(Input::Begun(lease(0)));
    bench.input(Input::Begun(lease(1)));
    bench.now = bench.now.after(Duration::from_secs(1));
    bench.input(Input::Ended(lease(0), ComputationEnd::Certificate));
    let [
        Output::Report(reported, _),
        Output::Call(Call::Lease { holdings, .. }),
        Output::Start(next),
    ] = &bench.outputs[..]
    else {
        panic!("{:?}", bench.outputs)
    };
    assert_eq!((*reported, *next), (lease(0), lease(2)));
    let expected = Holdings {
        running: vec![lease(0), lease(1)],
        queued: vec![lease(2)],
    };
    assert_eq!(*holdings, expected);
    let forgotten = bench.input(Input::Delivered(vec![lease(0)]));
    assert_eq!(forgotten, [Output::Forget(lease(0))]);
    // The answer arrives; the coordinator may have more now that it has the result.
    bench.input(leased(Vec::new()));
    assert_eq!(bench.held(), BTreeSet::from([lease(1), lease(2)]));
}

/// Checks that a renewal gives back no task at a thread or waiting for its checkpoint.
#[test]
fn a_renewal_stops_only_what_it_names() {
    let mut bench = Bench::registered(config());
    let mut tasks = granted(0..2);
    tasks[1].resumed = true;
    let started = bench.input(leased(tasks));
    assert_eq!(started, [Output::Start(lease(0)), Output::Fetch(lease(1))]);
    let heartbeat = bench.wait(LEASE / 3);
    assert!(matches!(heartbeat, [Output::Call(Call::Heartbeat { .. })]));
    assert_eq!(bench.input(Input::Renewed(Renewal::default())), []);
    let heartbeat = bench.wait(LEASE / 3);
    assert_eq!(heartbeat.len(), 1);
    let stopped = bench.input(Input::Renewed(Renewal {
        lost: Vec::new(),
        stop: vec![lease(1)],
    }));
    let cause = InterruptCause::Shutdown;
    assert_eq!(stopped, [Output::Interrupt(lease(1), cause)]);
    // The checkpoint arrives too late, and the task is given back without a thread.
    let reported = bench.input(Input::Fetched(lease(1)));
    assert_eq!(reported.first(), Some(&Output::Report(lease(1), cause)));
}

#[test]
fn the_last_checkpoint_arrives_before_the_report() {
    let every = Duration::from_secs(10);
    let mut bench = Bench::registered(Config {
        checkpoint_every: every,
        ..config()
    });
    bench.input(leased(granted(0..1)));
    bench.input(Input::Begun(lease(0)));
    bench.input(Input::Checkpoint {
        lease: lease(0),
        fuel: 10,
    });
    let due = bench.wait(every);
    assert!(due.contains(&Output::HandIn(lease(0))), "{due:?}");
    bench.input(Input::Checkpoint {
        lease: lease(0),
        fuel: 20,
    });
    bench.input(Input::Guarded(lease(0), InterruptCause::MemoryGuard));
    // One is on its way already, and it is not the last one.
    let ended = Input::Ended(lease(0), ComputationEnd::NoCertificate);
    assert_eq!(bench.input(ended), []);
    let handed_in = |fuel| Input::HandedIn {
        lease: lease(0),
        fuel,
    };
    assert_eq!(bench.input(handed_in(10)), [Output::HandIn(lease(0))]);
    let report = Output::Report(lease(0), InterruptCause::MemoryGuard);
    assert_eq!(bench.input(handed_in(20)), [report]);
}

#[test]
fn a_lease_that_cannot_be_renewed_is_given_up() {
    let mut bench = Bench::registered(config());
    bench.input(leased(granted(0..3)));
    bench.input(Input::Begun(lease(0)));
    bench.wait(LEASE / 3);
    let pause = Duration::from_secs(60);
    bench.input(Input::Unanswered { pause });
    assert_eq!(bench.wait(LEASE / 2), []);
    let gone = bench.wait(LEASE / 2);
    let abandoned = [0, 1].map(|n| Output::Abandon(lease(n)));
    assert_eq!(gone[0], Output::Forget(lease(2)));
    assert_eq!(gone[1..], abandoned);
}

#[test]
fn a_draining_worker_gives_back_even_tasks_on_their_way() {
    let mut bench = Bench::registered(config());
    bench.input(leased(granted(0..3)));
    bench.input(Input::Begun(lease(0)));
    bench.now = bench.now.after(Duration::from_secs(1));
    bench.input(Input::Ended(lease(0), ComputationEnd::Certificate));
    assert!(bench.asks());
    let draining = bench.input(Input::Drain);
    assert_eq!(
        draining[0],
        Output::Draining {
            running: 3,
            queued: 0
        }
    );
    let cause = InterruptCause::Shutdown;
    let interrupted = [1, 2].map(|n| Output::Interrupt(lease(n), cause));
    assert_eq!(draining[1..], interrupted);
    // The coordinator had answered before it could know.
    let given_back = bench.input(leased(granted(3..4)));
    assert_eq!(given_back, [Output::Report(lease(3), cause)]);
    for n in [1, 2] {
        bench.input(Input::Ended(lease(n), ComputationEnd::NoCertificate));
    }
    bench.input(Input::Delivered((0..4).map(lease).collect()));
    let worker = Some(WorkerId(1));
    assert_eq!(bench.outputs.last(), Some(&Output::End { worker }));
    assert!(bench.session.is_ended() && bench.held().is_empty());
}

#[test]
fn a_worker_whose_grace_is_over_waits_for_its_last_checkpoint() {
    let mut bench = Bench::registered(config());
    bench.input(leased(granted(0..1)));
    bench.input(Input::Begun(lease(0)));
    bench.input(Input::Checkpoint {
        lease: lease(0),
        fuel: 10,
    });
    // The request for more is answered, or the end would wait for it.
    bench.input(leased(Vec::new()));
    bench.input(Input::Drain);
    let cause = InterruptCause::Shutdown;
    bench.wait(config().grace / 2);
    bench.input(Input::Renewed(Renewal::default()));
    let over = bench.wait(config().grace / 2);
    assert_eq!(over, [Output::Interrupt(lease(0), cause)]);
    let ended = bench.input(Input::Ended(lease(0), ComputationEnd::NoCertificate));
    assert_eq!(ended, [Output::HandIn(lease(0))]);
    assert_eq!(bench.wait(END_WINDOW), []);
    let worker = Some(WorkerId(1));
    assert_eq!(bench.wait(LAST_CHECKPOINT_WINDOW), [Output::End { worker }]);
}

#[test]
fn a_worker_that_is_not_known_starts_over_with_nothing() {
    let mut bench = Bench::registered(config());
    bench.input(leased(granted(0..3)));
    bench.wait(LEASE / 3);
    let unknown = bench.input(Input::UnknownWorker);
    let expected = [
        Output::Forget(lease(2)),
        Output::Abandon(lease(0)),
        Output::Abandon(lease(1)),
        Output::Call(Call::Register),
    ];
    assert_eq!(unknown, expected);
    bench.input(Input::Registered {
        worker: WorkerId(2),
        lease: LEASE,
    });
    // The threads are still busy with lost tasks.
    assert!(!bench.asks());
    bench.input(Input::Ended(lease(0), ComputationEnd::NoCertificate));
    let [
        Output::Forget(_),
        Output::Call(Call::Lease { idle, holdings, .. }),
    ] = &bench.outputs[..]
    else {
        panic!("{:?}", bench.outputs)
    };
    assert_eq!((*idle, holdings), (1, &Holdings::default()));
}

#[test]
fn a_worker_waits_for_its_coordinator_within_its_limit() {
    let after = Duration::from_secs(10);
    let mut bench = Bench::new(Config {
        give_up_after: Some(after),
        ..config()
    });
    let pause = Duration::from_secs(7);
    assert_eq!(bench.input(Input::Unanswered { pause }), []);
    assert_eq!(bench.session.wake(bench.now), {
        bench.now.after(CHECK_INTERVAL)
    });
    assert_eq!(bench.wait(pause), [Output::Call(Call::Register)]);
    bench.input(Input::Unanswered { pause });
    // The remaining time is shorter than the pause.
    let rest = after - pause;
    assert_eq!(bench.wait(rest), [Output::Call(Call::Register)]);
    let given_up = bench.input(Input::Unanswered { pause });
    assert_eq!(given_up, [Output::GiveUp { after }]);
    assert!(bench.session.is_ended());
}

#[test]
fn a_worker_without_a_number_ends_at_once() {
    let mut bench = Bench::new(config());
    // Its introduction is in flight.
    assert!(
        !bench
            .input(Input::Drain)
            .contains(&Output::End { worker: None })
    );
    let pause = Duration::from_secs(1);
    let ended = bench.input(Input::Unanswered { pause });
    assert_eq!(ended, [Output::End { worker: None }]);
}
