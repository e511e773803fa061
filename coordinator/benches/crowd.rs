//! Latency and cost of a coordinator with thousands of workers that do not solve.
//!
//! `cargo bench -p misere-coordinator --bench crowd -- WORKERS SECONDS HOLD` opens a session of the
//! real protocol for each worker, in a process of its own. A worker leases one task, renews its
//! lease until about HOLD seconds have passed, and reports the certificate that the engine makes
//! with one unit of fuel. The coordinator checks and stores each. The table has the time of each
//! kind of call as the workers see it, after all have registered; the processor time and the
//! memory are those of the coordinator's process alone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a bench"
)]

mod processor;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use misere_census::{Budget, InterruptCause, Lease, Plan, Space, Task, WorkerId, certificate};
use misere_coordinator::{Coordinator, Settings};
use misere_game::control::Interrupt;
use misere_ledger::LeaseConfig;
use misere_proto::Running;
use misere_worker::link::{Holdings, LeasedTask, Link, LinkError};
use misere_worker::pool::{ComputationResult, solve_task};
use tonic::transport::Endpoint;

use processor::processor_seconds;

/// Workers, seconds and the seconds for which a task is held, unless others are given.
const USUAL: [u64; 3] = [1_000, 30, 20];

/// The variable with the address of the coordinator, in the process of the workers.
const ADDRESS: &str = "MISERE_BENCH_COORDINATOR";

fn main() {
    let asked = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let mut asked = asked.collect::<Vec<u64>>().into_iter();
    let [workers, seconds, hold] = USUAL.map(|usual| asked.next().unwrap_or(usual));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    misere_store::descriptors::raise();
    match std::env::var(ADDRESS) {
        Ok(address) => runtime.block_on(crowd(address.parse().unwrap(), workers, seconds, hold)),
        Err(_) => runtime.block_on(coordinate(workers, seconds, hold)),
    }
}

/// Runs the coordinator, and the workers in another process.
async fn coordinate(workers: u64, seconds: u64, hold: u64) {
    let dir = tempfile::tempdir().unwrap();
    let budget = Budget {
        fuel: 1,
        ..Budget::default()
    };
    let settings = Settings {
        data: dir.path().to_owned(),
        plan: Plan::new(Space::Octal { digits: 6 }, budget).unwrap(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: LeaseConfig::default(),
        check_threads: 2,
        retry_quarantined: false,
    };
    let coordinator = Coordinator::start(settings).await.unwrap();
    let asked = [workers, seconds, hold].map(|number| number.to_string());
    let mut crowd = Command::new(std::env::current_exe().unwrap())
        .args(asked)
        .env(ADDRESS, coordinator.address().to_string())
        .spawn()
        .unwrap();
    let (start, processor) = (Instant::now(), processor_seconds());
    let ended = tokio::task::spawn_blocking(move || crowd.wait())
        .await
        .unwrap();
    assert!(ended.unwrap().success());
    let (elapsed, processor) = (
        start.elapsed().as_secs_f64(),
        processor_seconds() - processor,
    );
    let observer = coordinator.observer();
    println!(
        "coordinator: {:.0} % of a core, {} MiB at most, {} records, {} expired leases",
        100.0 * processor / elapsed,
        peak_mib(),
        observer.standing().counters.records(),
        observer
            .statistics()
            .failures()
            .into_iter()
            .map(|(_, count)| count)
            .sum::<u64>(),
    );
    coordinator.stop().await.unwrap();
}

/// Returns the greatest memory that this process has held, in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap() / 1024
}

/// The times of calls by their kind, and the errors by their text.
#[derive(Debug, Default)]
struct Seen {
    times: BTreeMap<&'static str, Vec<Duration>>,
    errors: BTreeMap<String, u64>,
}

type Shared = Arc<Mutex<Seen>>;

async fn timed<T>(
    seen: &Shared,
    kind: &'static str,
    call: impl Future<Output = Result<T, LinkError>>,
) -> Option<T> {
    let start = Instant::now();
    let answer = call.await;
    let mut seen = seen.lock().unwrap();
    match answer {
        Ok(answer) => {
            seen.times.entry(kind).or_default().push(start.elapsed());
            Some(answer)
        }
        Err(error) => {
            *seen.errors.entry(format!("{kind}: {error}")).or_default() += 1;
            None
        }
    }
}

/// Runs the workers against a coordinator.
async fn crowd(address: SocketAddr, workers: u64, seconds: u64, hold: u64) {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    let seen = Shared::default();
    let arrival = Duration::from_secs(20);
    // Until the first tasks are reported the calls are more even than later.
    let measured = Instant::now() + arrival + Duration::from_secs(hold);
    let end = measured + Duration::from_secs(seconds);
    let mut sessions = Vec::new();
    for number in 0..workers {
        // One address may have three quarters of the connections: each host has a hundred workers.
        let host = Ipv4Addr::new(127, 0, 1, 1 + (number / 100 % 250) as u8);
        let endpoint = endpoint.clone().local_address(Some(host.into()));
        let seen = Arc::clone(&seen);
        let hold = Duration::from_millis(1_000 * hold * (50 + number % 100) / 100);
        sessions.push(tokio::spawn(async move {
            let mut link = Link::new(endpoint);
            let name = format!("w{number}");
            while Instant::now() < end {
                let registered = timed(&seen, "register", link.register(&name, 1)).await;
                if let Some((worker, lease)) = registered {
                    let session = Session {
                        link,
                        worker,
                        renew: lease / 3,
                        hold,
                        seen,
                    };
                    return session.work(end).await;
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }));
        tokio::time::sleep(arrival / workers as u32).await;
    }
    tokio::time::sleep(measured.saturating_duration_since(Instant::now())).await;
    println!("{workers} workers, while they come:");
    print(&seen);
    *seen.lock().unwrap() = Seen::default();
    tokio::time::sleep(end.saturating_duration_since(Instant::now())).await;
    println!("later:");
    print(&seen);
    for one in sessions {
        one.await.unwrap();
    }
}

struct Session {
    link: Link,
    worker: WorkerId,
    /// The time between two renewals.
    renew: Duration,
    /// The time for which a task is held.
    hold: Duration,
    seen: Shared,
}

impl Session {
    async fn work(mut self, end: Instant) {
        while Instant::now() < end {
            let leasing = self.link.lease(self.worker, Holdings::default(), 1, 0);
            let Some(mut leases) = timed(&self.seen, "lease", leasing).await else {
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            };
            match leases.leased.pop() {
                Some(leased) => self.hold(leased, end).await,
                None => tokio::time::sleep(leases.retry).await,
            }
        }
    }

    /// Holds a task for its time, and reports it.
    async fn hold(&mut self, leased: LeasedTask, end: Instant) {
        let lease = Lease {
            task: leased.task.id(),
            epoch: leased.epoch,
        };
        let until = (Instant::now() + self.hold).min(end);
        while Instant::now() < until {
            let rest = until.saturating_duration_since(Instant::now());
            tokio::time::sleep(rest.min(self.renew)).await;
            let running = vec![Running {
                lease,
                progress: Default::default(),
            }];
            let holdings = Holdings {
                running,
                queued: Vec::new(),
            };
            timed(
                &self.seen,
                "heartbeat",
                self.link.heartbeat(self.worker, holdings),
            )
            .await;
        }
        let Task::Game(task) = &leased.task else {
            return;
        };
        let solution = solve_task(task, Interrupt::default());
        let written = certificate::encode(&solution).unwrap();
        let computed = ComputationResult::Certificate(written);
        let report = self
            .link
            .report(self.worker, lease, &computed, InterruptCause::Shutdown);
        timed(&self.seen, "report", report).await;
    }
}

fn print(seen: &Shared) {
    let mut seen = seen.lock().unwrap();
    println!(
        "{:>10} {:>8} {:>10} {:>10} {:>10}",
        "call", "calls", "p50, ms", "p99, ms", "most, ms"
    );
    for (kind, times) in &mut seen.times {
        times.sort_unstable();
        let at =
            |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!(
            "{kind:>10} {:>8} {:>10.1} {:>10.1} {:>10.1}",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    for (error, count) in &seen.errors {
        println!("{count} times: {error}");
    }
}
