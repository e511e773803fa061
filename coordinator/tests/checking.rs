//! Checkers of other machines, honest, lying, slow and dying, over real sockets with a real store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use misere_census::admission::verify;
use misere_census::{
    Budget, CensusDigest, Misconduct, Plan, Space, Task, WorkerIdentity, certificate,
    engine_fingerprint,
};
use misere_coordinator::driver::Snapshot;
use misere_coordinator::{Coordinator, Settings};
use misere_game::control::Interrupt;
use misere_ledger::{CheckConfig, CheckCounts, LeaseConfig, TrustConfig};
use misere_proto::v1::census_checker_client::CensusCheckerClient;
use misere_proto::v1::check_answer::Verdict;
use misere_proto::v1::{self, checker_message::Message};
use misere_proto::{PROTOCOL, Security, dial};
use misere_store::{EventKind, Store};
use misere_worker::{
    CheckerSettings, Compute, Guards, Isolation, WorkerError, check_secured, solve_task,
};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;

fn plan() -> Plan {
    let budget = Budget {
        fuel: 20_000,
        ..Budget::default()
    };
    Plan::new(Space::Octal { digits: 2 }, budget).unwrap()
}

/// Settings under which nothing that is accepted is checked again.
const ALL_BELIEVED: CheckConfig = CheckConfig {
    trust: TrustConfig {
        first_one_in: 0,
        ..CheckConfig::USUAL.trust
    },
    ..CheckConfig::USUAL
};

fn settings(dir: &Path, plan: Plan, checks: CheckConfig) -> Settings {
    Settings {
        data: dir.to_owned(),
        plan,
        listen: "127.0.0.1:0".parse().unwrap(),
        // The coordinator computes nothing itself, so that it checks only what checkers do not.
        terms: LeaseConfig {
            trust: TrustConfig {
                spot_check_one_in: 0,
                ..TrustConfig::USUAL
            },
            checks,
            ..LeaseConfig::default()
        },
        check_threads: 2,
        retry_quarantined: false,
    }
}

/// A census at work, with the address of the owner's socket.
struct Census {
    coordinator: Coordinator,
    url: String,
}

impl Census {
    async fn start(dir: &Path) -> Self {
        Self::start_with(dir, CheckConfig::USUAL).await
    }

    async fn start_with(dir: &Path, checks: CheckConfig) -> Self {
        Self::of(dir, plan(), checks).await
    }

    async fn of(dir: &Path, plan: Plan, checks: CheckConfig) -> Self {
        let settings = settings(dir, plan, checks);
        let (coordinator, url) = Coordinator::start_locally(settings).await.unwrap();
        Self { coordinator, url }
    }

    /// Lets workers solve everything, and waits until all is on disk.
    async fn solved_by(&self, compute: Compute) {
        let settings = misere_worker::Settings {
            coordinator: self.url.clone(),
            name: "worker".to_owned(),
            slots: 2,
            guards: Guards::default(),
            isolation: Isolation::default(),
            grace: Duration::ZERO,
            sign_of_life: None,
            memory_class: misere_census::MemoryClass::TOP,
            checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
            give_up_after: None,
        };
        let (_stop, stops) = watch::channel(false);
        let working = tokio::spawn(misere_worker::run(settings, compute, stops));
        self.finished().await;
        working.await.unwrap().unwrap();
    }

    async fn finished(&self) {
        let mut snapshots = self.coordinator.snapshots();
        let finished = snapshots.wait_for(Snapshot::is_finished);
        if tokio::time::timeout(Duration::from_secs(60), finished)
            .await
            .is_err()
        {
            let snapshot = self.coordinator.snapshots().borrow().clone();
            panic!("it does not end: {snapshot:?}, {:?}", self.counts());
        }
    }

    fn counts(&self) -> CheckCounts {
        self.coordinator.observer().check_counts()
    }

    /// Waits for something that must happen without further cause; a limit only ends a broken test.
    async fn wait_for(&self, what: &str, holds: impl Fn(CheckCounts) -> bool) {
        let waiting = async {
            while !holds(self.counts()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(60), waiting).await;
        waited.unwrap_or_else(|_| panic!("{what}: {:?}", self.counts()));
    }

    /// Starts an honest checker; it ends with the census, or when the sender is used.
    fn checker(&self, name: &str) -> (watch::Sender<bool>, Checking) {
        let settings = CheckerSettings {
            coordinator: self.url.clone(),
            name: name.to_owned(),
            slots: 1,
            sign_of_life: None,
            give_up_after: None,
        };
        let (stop, stops) = watch::channel(false);
        let checking = async move { check_secured(settings, &Security::Loopback, stops).await };
        (stop, tokio::spawn(checking))
    }

    /// Connects a checker that the test answers for.
    async fn connect(&self, name: &str) -> Result<Puppet, tonic::Status> {
        let (channel, _) = dial(&self.url, &Security::Loopback).unwrap();
        let (answers, messages) = mpsc::unbounded_channel();
        let introduction = v1::CheckerIntroduction {
            protocol: PROTOCOL,
            name: name.to_owned(),
            slots: 1,
            engine: engine_fingerprint(),
        };
        answers
            .send(message(Message::Introduction(introduction)))
            .unwrap();
        let mut client = CensusCheckerClient::new(channel);
        let requests = client.check(UnboundedReceiverStream::new(messages)).await?;
        let mut requests = requests.into_inner();
        assert_eq!(requests.message().await?, Some(v1::CheckRequest::default()));
        Ok(Puppet { answers, requests })
    }

    async fn stop(self, dir: &Path) -> Store {
        self.coordinator.stop().await.unwrap();
        Store::open_read_only(dir).unwrap()
    }
}

type Checking = tokio::task::JoinHandle<Result<(), WorkerError>>;

/// A checker that answers as a test says.
struct Puppet {
    answers: mpsc::UnboundedSender<v1::CheckerMessage>,
    requests: Streaming<v1::CheckRequest>,
}

impl Puppet {
    /// Answers every certificate with a verdict, until the call ends.
    async fn answer(mut self, verdict: impl Fn(&Task, &[u8]) -> Verdict) {
        while let Ok(Some(request)) = self.requests.message().await {
            let Some(task) = request.task else {
                return;
            };
            let task = Task::try_from(task).unwrap();
            let answer = v1::CheckAnswer {
                check: request.check,
                verdict: Some(verdict(&task, &request.certificate)),
                more: false,
            };
            let _ = self.answers.send(message(Message::Answer(answer)));
        }
    }
}

fn message(message: Message) -> v1::CheckerMessage {
    v1::CheckerMessage {
        message: Some(message),
    }
}

fn honest() -> Compute {
    Arc::new(solve_task)
}

/// Returns a worker that claims a wrong element for the last heap of each game that is solved.
fn sloppy() -> Compute {
    Arc::new(|task, interrupt| {
        let mut solution = solve_task(task, interrupt);
        let last = solution.phi.len() - 1;
        solution.phi[last] = (solution.phi[last] + 1) % solution.quotient.order() as u32;
        solution
    })
}

/// Returns the verdicts of a checker that accepts the first 15 certificates, and then refuses one.
///
/// It states of each what would be stated of a true one.
fn accepts_15() -> impl Fn(&Task, &[u8]) -> Verdict {
    let given = AtomicU32::new(0);
    move |task, _| {
        if given.fetch_add(1, Ordering::Relaxed) >= 15 {
            return Verdict::Refused("it is false".to_owned());
        }
        let solution = solve_task(task.as_game().unwrap(), Interrupt::default());
        let honest = certificate::encode(&solution).unwrap();
        let verified = verify(task, &honest, Interrupt::default()).unwrap();
        Verdict::Accepted(verified.state().unwrap())
    }
}

/// Returns the digest of the census that one honest worker makes alone.
async fn truth() -> CensusDigest {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    census.solved_by(honest()).await;
    let store = census.stop(dir.path()).await;
    store.digest().unwrap()
}

fn caught(store: &Store) -> Vec<(WorkerIdentity, Misconduct)> {
    let events = store.events().unwrap().into_iter();
    let caught = events.filter_map(|event| match event.what {
        EventKind::WorkerDistrusted { identity, why } => Some((identity, why)),
        _ => None,
    });
    caught.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn checkers_check_everything_and_the_census_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start_with(dir.path(), ALL_BELIEVED).await;
    let checkers = [census.checker("one"), census.checker("two")];
    census
        .wait_for("both connect", |counts| counts.checkers == 2)
        .await;
    census.solved_by(honest()).await;
    let counts = census.counts();
    let (here, _) = census.coordinator.observer().backlog().checked();
    assert!(counts.believed > 40, "{counts:?}");
    assert_eq!((here, counts.errors, counts.unanswered), (0, 0, 0));
    // The checkers hear that the census is finished.
    for (_stop, checking) in checkers {
        checking.await.unwrap().unwrap();
    }
    let store = census.stop(dir.path()).await;
    assert_eq!(store.digest().unwrap(), truth().await);
    let vouched = |name| {
        store
            .vouched(WorkerIdentity::named(name), usize::MAX)
            .unwrap()
    };
    let vouched = vouched("one").len() + vouched("two").len();
    assert!(
        vouched as u64 + here == counts.believed,
        "{vouched}, {counts:?}, {here} here"
    );
}

/// Tests a certificate of 600 KiB, which is sent in parts.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_certificate_is_checked_by_a_checker() {
    let dir = tempfile::tempdir().unwrap();
    let budget = Budget {
        fuel: 1_000_000,
        ..Budget::default()
    };
    let game = "0.167".parse().unwrap();
    let plan = Plan::new(Space::Codes(vec![game]), budget).unwrap();
    let census = Census::of(dir.path(), plan, ALL_BELIEVED).await;
    let (_stop, checking) = census.checker("one");
    census
        .wait_for("it connects", |counts| counts.checkers == 1)
        .await;
    census.solved_by(honest()).await;
    assert_eq!(census.counts().believed, 1);
    checking.await.unwrap().unwrap();
    let store = census.stop(dir.path()).await;
    let record = store.records().unwrap().next().unwrap().unwrap();
    let certificate = store.certificate(&record.code).unwrap().unwrap();
    assert!(certificate.len() > 2 * misere_proto::CHUNK_BYTES);
    let task = Task::game(record.code, Vec::new(), budget);
    let verified = verify(&task, &certificate, Interrupt::default());
    assert!(verified.is_ok(), "{verified:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checker_that_accepts_lies_is_found_out_and_all_it_accepted_is_checked_again() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start_with(dir.path(), ALL_BELIEVED).await;
    let liar = census.connect("liar").await.unwrap();
    let lying = tokio::spawn(liar.answer(accepts_15()));
    // Its word is taken until it is found out, so false certificates enter the census. They are
    // taken out again, and the tasks are done once more.
    census.solved_by(sloppy_until_found_out()).await;
    lying.await.unwrap();
    let counts = census.counts();
    assert_eq!(counts.believed, 15);
    assert!(counts.errors > 0);
    assert_eq!(
        census.connect("liar").await.err().unwrap().code(),
        tonic::Code::PermissionDenied
    );
    let store = census.stop(dir.path()).await;
    let liar = WorkerIdentity::named("liar");
    assert!(
        matches!(caught(&store)[..], [(who, Misconduct::OtherVerdict(_))] if who == liar),
        "{:?}",
        caught(&store)
    );
    assert_eq!(store.vouched(liar, 10).unwrap(), []);
    assert_eq!(store.digest().unwrap(), truth().await);
}

/// Returns a worker whose first 15 certificates are false.
fn sloppy_until_found_out() -> Compute {
    let made = AtomicU32::new(0);
    let (sloppy, honest) = (sloppy(), honest());
    Arc::new(
        move |task, interrupt| match made.fetch_add(1, Ordering::Relaxed) < 15 {
            true => sloppy(task, interrupt),
            false => honest(task, interrupt),
        },
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checker_that_slanders_is_found_out_at_once_and_harms_no_worker() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    let slanderer = census.connect("slanderer").await.unwrap();
    let slander = |_: &Task, _: &[u8]| Verdict::Refused("it is false".to_owned());
    let slandering = tokio::spawn(slanderer.answer(slander));
    census.solved_by(honest()).await;
    slandering.await.unwrap();
    assert!(census.counts().errors > 0);
    let store = census.stop(dir.path()).await;
    let slanderer = WorkerIdentity::named("slanderer");
    assert!(matches!(caught(&store)[..], [(who, Misconduct::OtherVerdict(_))] if who == slanderer));
    assert_eq!(store.counters().quarantined, 0);
    assert_eq!(store.digest().unwrap(), truth().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    let fool = census.connect("fool").await.unwrap();
    let fooling = tokio::spawn(fool.answer(|_, _| Verdict::Accepted(vec![1, 2, 3])));
    census.solved_by(honest()).await;
    fooling.await.unwrap();
    assert_eq!(census.counts().believed, 0);
    assert!(census.counts().errors > 0);
    let store = census.stop(dir.path()).await;
    assert_eq!(store.digest().unwrap(), truth().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dying_checker_held_is_checked_by_others() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    let silent = census.connect("silent").await.unwrap();
    census
        .wait_for("it connects", |counts| counts.checkers == 1)
        .await;
    let dying = async {
        census
            .wait_for("it holds some", |counts| counts.sent > 0)
            .await;
        let (_stop, checking) = census.checker("honest");
        census
            .wait_for("another comes", |counts| counts.checkers == 2)
            .await;
        drop(silent);
        census
            .wait_for("it goes", |counts| counts.checkers == 1)
            .await;
        (_stop, checking)
    };
    let ((_stop, checking), ()) = tokio::join!(dying, census.solved_by(honest()));
    checking.await.unwrap().unwrap();
    assert!(census.counts().believed > 0);
    let store = census.stop(dir.path()).await;
    assert_eq!(store.digest().unwrap(), truth().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_checkers_the_coordinator_checks_again() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    let silent = census.connect("silent").await.unwrap();
    census
        .wait_for("it connects", |counts| counts.checkers == 1)
        .await;
    let leaving = async {
        census
            .wait_for("it holds some", |counts| counts.sent > 0)
            .await;
        drop(silent);
    };
    tokio::join!(leaving, census.solved_by(honest()));
    let store = census.stop(dir.path()).await;
    assert_eq!(store.digest().unwrap(), truth().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_stops_though_a_checker_holds_certificates() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    let _silent = census.connect("silent").await.unwrap();
    let holding = census.wait_for("it holds some", |counts| counts.sent > 0);
    tokio::select! {
        () = holding => {}
        () = census.solved_by(honest()) => panic!("a silent checker answered"),
    }
    let began = std::time::Instant::now();
    let store = census.stop(dir.path()).await;
    // The last checks have five seconds, and the connections that they answer then end.
    assert!(
        began.elapsed() < Duration::from_secs(9),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(store.counters().records(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn over_plaintext_nobody_is_a_checker() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = Coordinator::start(settings(dir.path(), plan(), CheckConfig::USUAL))
        .await
        .unwrap();
    let settings = CheckerSettings {
        coordinator: format!("http://{}", coordinator.address()),
        name: "anyone".to_owned(),
        slots: 1,
        sign_of_life: None,
        give_up_after: None,
    };
    let (_stop, stops) = watch::channel(false);
    let refused = check_secured(settings, &Security::Loopback, stops).await;
    let error = refused.expect_err("it is refused").to_string();
    assert!(
        error.contains("a certificate with the role checker"),
        "{error}"
    );
    coordinator.stop().await.unwrap();
}

/// Tests that a coordinator that was killed while it checked again goes on with it.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_to_check_again_is_checked_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let census = Census::start(dir.path()).await;
    let (_stop, checking) = census.checker("one");
    census
        .wait_for("it connects", |counts| counts.checkers == 1)
        .await;
    census.solved_by(honest()).await;
    checking.await.unwrap().unwrap();
    census.stop(dir.path()).await;
    let one = WorkerIdentity::named("one");
    let mut store =
        Store::open(dir.path(), &plan(), || misere_census::plan::tasks(&plan())).unwrap();
    assert!(store.vouched(one, 1000).unwrap().len() > 20);
    store.ban("one").unwrap();
    drop(store);
    let census = Census::start(dir.path()).await;
    let all_checked = async {
        let vouched = || Store::open_read_only(dir.path()).unwrap().vouched(one, 1);
        while !vouched().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let all_checked = tokio::time::timeout(Duration::from_secs(60), all_checked).await;
    all_checked.expect("they are checked again");
    let (here, _) = census.coordinator.observer().backlog().checked();
    assert!(here > 20, "{here}");
    let store = census.stop(dir.path()).await;
    assert_eq!(store.digest().unwrap(), truth().await);
}
