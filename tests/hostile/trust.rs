//! Workers that fail at everything, hoard, lie or write to the terminal: which are trusted or held
//! back, and what an operator can do.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use misere_census::{Failure, InterruptCause, Lease, WorkerId};
use misere_worker::link::{Holdings, LeasedTask, Link};
use misere_worker::pool::ComputationResult;
use misere_worker::{Guards, Isolation};
use rustix::process::Signal;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tonic::transport::Endpoint;

use super::lies;
use crate::support::census::{address, digest, undisturbed};
use crate::support::process::{Process, done, output, text};
use crate::support::waiting;

const WAIT_TIMEOUT: Duration = Duration::from_secs(240);

/// 46 games, over in a moment.
const SHORT: [&str; 4] = ["--digits", "2", "--fuel", "5k"];

/// 2,136 games; more than a thousand of them spend all their fuel.
///
/// Of such a claim of a worker that is alone one in 32 is computed again.
const LONG: [&str; 4] = ["--digits", "4", "--fuel", "1k"];

/// The time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// The heartbeats of a worker.
struct Heartbeats {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Link>,
}

impl Heartbeats {
    /// Stops the heartbeats, and returns the link of the worker.
    fn stopped(self, runtime: &Runtime) -> Link {
        self.stop.send_replace(true);
        runtime.block_on(self.task).unwrap()
    }
}

/// A census with a coordinator at work.
struct Census {
    _dir: tempfile::TempDir,
    data: PathBuf,
    coordinator: Process,
    runtime: Runtime,
}

impl Census {
    fn of(plan: &[&str], options: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("census");
        let coordinator = coordinator(&data, &[plan, options].concat());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        Self {
            _dir: dir,
            data,
            coordinator,
            runtime,
        }
    }

    fn data(&self) -> &str {
        self.data.to_str().unwrap()
    }

    /// Kills the coordinator, and starts it again.
    fn restart(&mut self) {
        self.coordinator.signal(Signal::KILL);
        self.coordinator.ended(WAIT_TIMEOUT);
        let _ = std::fs::remove_file(self.data.join("endpoint"));
        self.coordinator = coordinator(&self.data, &[]);
    }

    fn url(&self) -> String {
        format!("http://{}", address(self.data()))
    }

    fn link(&self) -> Link {
        let _within = self.runtime.enter();
        Link::new(Endpoint::from_shared(self.url()).unwrap())
    }

    /// Keeps the leases of a worker by heartbeats, however busy the machine is.
    fn heartbeats(&self, mut link: Link, worker: WorkerId, queued: Vec<Lease>) -> Heartbeats {
        let (stop, mut stopped) = watch::channel(false);
        let task = self.runtime.spawn(async move {
            while !*stopped.borrow() {
                let holdings = Holdings {
                    queued: queued.clone(),
                    ..Holdings::default()
                };
                let _ = link.heartbeat(worker, holdings).await;
                let _ = tokio::time::timeout(HEARTBEAT, stopped.changed()).await;
            }
            link
        });
        Heartbeats { stop, task }
    }

    /// Starts an honest worker.
    fn honest(&self, name: &str) -> Process {
        let args = ["worker", "--coordinator", &self.url(), "--slots", "2"];
        Process::spawn(&[&args[..], &["--name", name]].concat())
    }

    /// Returns the output of a command on this census.
    fn says(&self, command: &[&str]) -> String {
        done(&[command, &["--data", self.data()]].concat())
    }

    fn document(&self, command: &[&str]) -> Value {
        serde_json::from_str(&self.says(&[command, &["--json"]].concat())).unwrap()
    }

    fn status(&self) -> Value {
        self.document(&["census", "status"])
    }

    /// Returns the worker of this name, as an operator sees it.
    fn worker(&self, name: &str) -> Value {
        let roll = self.document(&["census", "workers"]);
        let workers = roll["workers"].as_array().unwrap();
        let found = workers.iter().find(|worker| worker["name"] == name);
        found.cloned().unwrap_or(Value::Null)
    }

    /// Waits for the end: the census is that of an undisturbed run.
    fn ends_as(mut self, plan: &[&str]) {
        assert_eq!(self.coordinator.ended(WAIT_TIMEOUT), Some(0));
        assert_eq!(digest(self.data()), undisturbed(plan));
    }
}

fn coordinator(data: &Path, more: &[&str]) -> Process {
    let listen = ["coordinator", "--listen", "127.0.0.1:0", "--data"];
    let lease: &[&str] = match more.contains(&"--lease") {
        true => &[],
        false => &["--lease", "1s"],
    };
    let args = [&listen[..], &[data.to_str().unwrap()], lease, more].concat();
    Process::logging(&args, "info", &data.with_extension("log"))
}

fn until(what: &str, holds: impl Fn() -> bool) {
    waiting::until(what, WAIT_TIMEOUT, holds);
}

fn key(leased: &LeasedTask) -> Lease {
    Lease {
        task: leased.task.id(),
        epoch: leased.epoch,
    }
}

/// Leases everything that a worker is given at once.
async fn all(link: &mut Link, worker: WorkerId) -> Vec<Lease> {
    let leases = link.lease(worker, Holdings::default(), 64, 4_096).await;
    leases.map_or_else(
        |_| Vec::new(),
        |leases| leases.leased.iter().map(key).collect(),
    )
}

/// Returns the failure of a computation that crashed.
fn crashed() -> ComputationResult {
    ComputationResult::Failed(Failure::Crashed {
        end: "signal 11".to_owned(),
        last_words: String::new(),
    })
}

/// Reports the same failure or false certificate for every lease, for a while.
///
/// The worker registers under a new number again and again. Returns the number of failures.
async fn fail_at_everything(
    mut link: Link,
    name: &str,
    computed: ComputationResult,
    lasting: Duration,
) -> u32 {
    let since = Instant::now();
    let mut failures = 0;
    while since.elapsed() < lasting {
        let Ok((worker, _)) = link.register(name, 64).await else {
            break;
        };
        for lease in all(&mut link, worker).await {
            let cause = InterruptCause::Shutdown;
            if link.report(worker, lease, &computed, cause).await.is_ok() {
                failures += 1;
            }
        }
        let _ = link.leave(worker).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    failures
}

/// H4: a worker that is alone and fails at every task is at fault, not all games.
#[test]
fn one_worker_does_not_put_a_census_into_quarantine() {
    let census = Census::of(&SHORT, &[]);
    let lasting = Duration::from_secs(5);
    let enemy = fail_at_everything(census.link(), "enemy", crashed(), lasting);
    let failures = census.runtime.block_on(enemy);
    let status = census.status();
    assert_eq!(
        status["quarantined"], 0,
        "after {failures} failures: {status}"
    );
    let log = std::fs::read_to_string(census.data.with_extension("log")).unwrap();
    assert!(log.contains("a worker is held back"), "{log}");
    let honest = census.honest("honest");
    census.ends_as(&SHORT);
    drop(honest);
}

/// H4: one of three workers that share a name is a liar, whichever comes first. Its claims are not
/// held against the games, since the others have not failed at them: all games are solved.
#[test]
fn a_liar_under_a_shared_name_puts_no_game_into_quarantine() {
    let plan = ["--digits", "3", "--fuel", "10k"];
    let false_certificate = || ComputationResult::Certificate(b"{}".to_vec());
    for (computed, liar_first) in [(crashed(), false), (false_certificate(), true)] {
        // On a busy machine an honest worker may be silent for a second; without the honest ones
        // the liar would be alone with their name, and what they finished would speak for it.
        let census = Census::of(&plan, &["--lease", "5s"]);
        let workers = || census.status()["workers"].as_array().map_or(0, Vec::len);
        let honest = || [(); 2].map(|()| census.honest("lab"));
        let lie = || {
            let link = census.link();
            let lying =
                async move { fail_at_everything(link, "lab", computed, WAIT_TIMEOUT).await };
            census.runtime.spawn(lying)
        };
        let (honest, lying) = if liar_first {
            let lying = lie();
            until("the liar is held back", || {
                let log = std::fs::read_to_string(census.data.with_extension("log")).unwrap();
                log.contains("a worker is held back")
            });
            (honest(), lying)
        } else {
            let honest = honest();
            until("the honest workers are there", || workers() == 2);
            (honest, lie())
        };
        until("the census is over, or a game is in quarantine", || {
            let status = census.status();
            status["quarantined"] != 0 || status["state"] == "finished"
        });
        assert_eq!(census.status()["quarantined"], 0);
        census.ends_as(&plan);
        drop((lying, honest));
    }
}

/// H4: a game that fails for a worker that does everything else is still at fault.
#[test]
fn a_game_that_fails_on_a_laptop_is_put_into_quarantine() {
    let mut census = Census::of(&SHORT, &["--max-failures", "4"]);
    let mut link = census.link();
    let url = census.url();
    let failed = census.runtime.block_on(async {
        let (worker, _) = link.register("laptop", 1).await.unwrap();
        let mut bad = None;
        let mut failed = 0;
        for _ in 0..10_000 {
            let Ok(leases) = link.lease(worker, Holdings::default(), 1, 0).await else {
                break;
            };
            if leases.finished {
                break;
            }
            for leased in &leases.leased {
                let (task, lease) = (leased.task.clone(), key(leased));
                let computed = match *bad.get_or_insert(lease.task) == lease.task {
                    true => {
                        failed += 1;
                        ComputationResult::Failed(Failure::OutOfMemory { limit: None })
                    }
                    false => honestly(&task),
                };
                link.report(worker, lease, &computed, InterruptCause::Shutdown)
                    .await
                    .unwrap();
            }
            if leases.leased.is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        let _ = link.leave(worker).await;
        failed
    });
    assert!(!url.is_empty());
    assert_eq!(census.coordinator.ended(WAIT_TIMEOUT), Some(1));
    assert_eq!(census.status()["quarantined"], 1);
    // Twice in the top class, whatever --max-failures says.
    assert_eq!(failed, 4);
}

/// Returns the certificate of a game.
fn honestly(task: &misere_census::Task) -> ComputationResult {
    let game = task.as_game().unwrap();
    let solution = misere_worker::solve_task(game, Default::default());
    ComputationResult::Certificate(misere_census::certificate::encode(&solution).unwrap())
}

/// H5: a worker that lets games wait loses them when another one is idle.
#[test]
fn a_hoarder_loses_what_waits_at_it() {
    let census = Census::of(&SHORT, &[]);
    let mut link = census.link();
    let (hoarder, hoard) = census.runtime.block_on(async {
        let (worker, _) = link.register("hoarder", u32::MAX).await.unwrap();
        let leases = link
            .lease(worker, Holdings::default(), u32::MAX, u32::MAX)
            .await;
        let hoard: Vec<Lease> = leases.unwrap().leased.iter().map(key).collect();
        (worker, hoard)
    });
    until("the hoard is seen", || {
        census.status()["leased"] == hoard.len()
    });
    assert!(hoard.len() > 30);
    // They end with the runtime of the census.
    let _heartbeats = census.heartbeats(link, hoarder, hoard);
    let honest = census.honest("honest");
    census.ends_as(&SHORT);
    drop(honest);
}

/// M8: an operator lists workers, sends one away, refuses it, also after a restart, and lifts the
/// ban.
#[test]
fn an_operator_sends_workers_away_refuses_and_pardons_them() {
    let mut census = Census::of(&SHORT, &[]);
    let mut link = census.link();
    let (worker, hoard) = census.runtime.block_on(async {
        let (worker, _) = link.register("mallory", 4).await.unwrap();
        (worker, all(&mut link, worker).await)
    });
    let heartbeats = census.heartbeats(link, worker, hoard.clone());
    until("the hoard is seen", || {
        census.worker("mallory")["held"] == hoard.len()
    });
    let seen = census.worker("mallory");
    assert_eq!(seen["worker"], worker.to_string());
    assert_eq!(seen["trust"]["state"], "trusted");
    let said = census.says(&["census", "workers"]);
    assert!(
        said.contains("`mallory`") && said.contains("trusted"),
        "{said}"
    );

    let evicted = census.document(&["census", "evict", "mallory"]);
    assert_eq!(evicted["games"], hoard.len(), "{evicted}");
    let mut link = heartbeats.stopped(&census.runtime);
    until("nothing is leased any more", || {
        census.status()["leased"] == 0 && census.worker("mallory").is_null()
    });
    let nobody = output(&["census", "evict", "mallory", "--data", census.data()]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(text(&nobody.stderr).contains("there is no worker `mallory`"));
    let gone = census
        .runtime
        .block_on(link.heartbeat(worker, Holdings::default()));
    assert!(gone.is_err());

    census
        .runtime
        .block_on(link.register("mallory", 4))
        .unwrap();
    let said = census.says(&["census", "ban", "mallory"]);
    assert!(
        said.contains("`mallory` is refused from now on; 1 worker sent away"),
        "{said}"
    );
    let refused = census
        .runtime
        .block_on(link.register("mallory", 4))
        .unwrap_err();
    assert!(refused.to_string().contains("banned"), "{refused}");
    let mut worker = census.honest("mallory");
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(6));

    census.restart();
    let mut link = census.link();
    let refused = census
        .runtime
        .block_on(link.register("mallory", 4))
        .unwrap_err();
    assert!(refused.to_string().contains("banned"), "{refused}");
    until("the ban is seen", || {
        let roll = census.document(&["census", "workers"]);
        roll["caught"][0]["name"] == "mallory" && roll["caught"][0]["banned"] == true
    });

    census.says(&["census", "pardon", "mallory"]);
    census
        .runtime
        .block_on(link.register("mallory", 4))
        .unwrap();
    until("no liar is caught", || {
        census.document(&["census", "workers"])["caught"] == Value::Array(vec![])
    });
    drop(link);
    let honest = census.honest("mallory");
    census.ends_as(&SHORT);
    drop(honest);
}

/// M8: without a coordinator at work a ban is written to the directory.
#[test]
fn a_ban_is_written_and_taken_back_without_a_coordinator() {
    let mut census = Census::of(&SHORT, &[]);
    census.url();
    census.coordinator.signal(Signal::TERM);
    assert_eq!(census.coordinator.ended(WAIT_TIMEOUT), Some(4));
    let said = census.says(&["census", "ban", "mallory"]);
    assert!(said.contains("`mallory` is refused from now on"), "{said}");
    let said = census.says(&["census", "workers"]);
    assert!(said.contains("`mallory` is banned"), "{said}");
    census.coordinator = coordinator(&census.data, &[]);
    let mut link = census.link();
    let refused = census
        .runtime
        .block_on(link.register("mallory", 4))
        .unwrap_err();
    assert!(refused.to_string().contains("banned"), "{refused}");
    census.coordinator.signal(Signal::TERM);
    assert_eq!(census.coordinator.ended(WAIT_TIMEOUT), Some(4));
    let said = census.says(&["census", "pardon", "mallory"]);
    assert!(said.contains("`mallory` is trusted again"), "{said}");
    let nobody = output(&["census", "pardon", "mallory", "--data", census.data()]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(text(&nobody.stderr).contains("nothing is held against"));
}

/// H7: a worker that is alone and makes a false claim is caught by the coordinator, and none of its
/// work stays.
#[test]
fn a_liar_that_is_alone_is_caught() {
    let census = Census::of(&LONG, &[]);
    let settings = misere_worker::Settings {
        coordinator: census.url(),
        name: "lazy".to_owned(),
        slots: 1,
        guards: Guards::default(),
        isolation: Isolation::default(),
        grace: Duration::ZERO,
        sign_of_life: None,
        memory_class: misere_census::MemoryClass::TOP,
        checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
        give_up_after: None,
    };
    let (stop, stops) = watch::channel(false);
    let work = census.runtime.spawn(misere_worker::run(
        settings,
        lies::lie("lazy").unwrap(),
        stops,
    ));
    until("the liar is caught", || {
        let status = census.status();
        // A busy machine may not answer in time.
        let state = status["state"].as_str();
        assert!(
            !matches!(state, Some("finished" | "at its end, but not complete")),
            "the census ended on the word of a liar"
        );
        status["caught"]
            .as_array()
            .is_some_and(|caught| !caught.is_empty())
    });
    let roll = census.document(&["census", "workers"]);
    let caught = &roll["caught"][0];
    assert_eq!(caught["name"], "lazy", "{roll}");
    assert_eq!(caught["misdeed"], "other_certificate");
    assert_eq!(census.worker("lazy")["trust"]["state"], "distrusted");
    let log = std::fs::read_to_string(census.data.with_extension("log")).unwrap();
    assert!(
        log.contains("a worker is no longer trusted") && log.contains("lazy"),
        "{log}"
    );
    let honest = census.honest("honest");
    stop.send_replace(true);
    census.ends_as(&LONG);
    drop((work, honest));
}

/// L1: text from a worker reaches terminals and logs only as text on one line.
#[test]
fn what_a_worker_writes_cannot_steer_a_terminal() {
    let wild = "\x1b[31mred\r\nforged: all is well\u{9b}2J\u{202e}dettimda";
    let mut census = Census::of(&["--codes", "0.3"], &[]);
    let mut link = census.link();
    census.runtime.block_on(async {
        let (worker, _) = link.register(&format!("name{wild}"), 1).await.unwrap();
        for _ in 0..100 {
            let Ok(leases) = link.lease(worker, Holdings::default(), 1, 0).await else {
                break;
            };
            if leases.finished {
                break;
            }
            for leased in &leases.leased {
                let failed = ComputationResult::Failed(Failure::Computation(wild.repeat(1_000)));
                let cause = InterruptCause::Shutdown;
                let _ = link.report(worker, key(leased), &failed, cause).await;
            }
        }
        let _ = link.leave(worker).await;
    });
    assert_eq!(census.coordinator.ended(WAIT_TIMEOUT), Some(1));
    let listed = census.says(&["census", "quarantine", "list"]);
    let shown = census.says(&["census", "quarantine", "show", "--all"]);
    let log = std::fs::read_to_string(census.data.with_extension("log")).unwrap();
    assert_eq!(listed.lines().count(), 1, "{listed:?}");
    for said in [&listed, &shown, &log] {
        assert!(said.contains("forged"), "{said:?}");
        let lines = said.lines();
        assert!(
            lines
                .clone()
                .all(|line| !line.trim_start().starts_with("forged")),
            "{said:?}"
        );
        let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!said.contains(steers), "{said:?}");
        assert!(said.len() < 100_000);
    }
}

/// H8: a game whose checkpoint advances is not at fault because its workers are lost.
#[test]
#[ignore = "slow: a game of a minute"]
fn a_game_that_advances_outlives_its_workers() {
    // A busy machine must not lose workers by itself.
    let lease = ["--lease", "10s"];
    let mut census = Census::of(&["--codes", "0.316", "--fuel", "60M"], &lease);
    let kept = |census: &Census| {
        let status = census.status();
        let workers = status["workers"].as_array().cloned().unwrap_or_default();
        let running = workers
            .iter()
            .filter_map(|worker| worker["running"].as_array());
        let fuel = running
            .flatten()
            .filter_map(|task| task["checkpoint"]["fuel"].as_u64());
        fuel.max().unwrap_or(0)
    };
    let worker = |census: &Census| {
        let url = census.url();
        let args = ["worker", "--coordinator", &url, "--slots", "1"];
        let often = ["--checkpoint-every", "1s"];
        Process::spawn(&[&args[..], &often].concat())
    };
    let mut before = 0;
    // Three lost workers were enough for quarantine. The game has three checkpoints, one after
    // every ten million units of fuel, however long they take.
    for life in 1..=3 {
        let mut worker = worker(&census);
        waiting::until("a later checkpoint", 10 * WAIT_TIMEOUT, || {
            kept(&census) > before
        });
        before = kept(&census);
        worker.signal(Signal::KILL);
        worker.ended(WAIT_TIMEOUT);
        until("it is missed", || census.status()["leased"] == 0);
        assert_eq!(census.status()["quarantined"], 0, "after life {life}");
    }
    let _last = worker(&census);
    assert_eq!(census.coordinator.ended(10 * WAIT_TIMEOUT), Some(0));
    assert_eq!(census.status()["pending"], 0);
}
