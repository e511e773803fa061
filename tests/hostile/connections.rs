//! Attacks by a client that only opens connections.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use misere_census::{Epoch, Lease, TaskId, WorkerId};
use misere_proto::report::ReportedOutcome;
use misere_proto::v1::census_client::CensusClient;
use misere_proto::v1::census_query_client::CensusQueryClient;
use misere_proto::{ReportHeader, v1};
use misere_worker::link::{Holdings, Link};
use tonic::codegen::tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Endpoint;

use crate::support::census::{address, digest, free_address, status, undisturbed};
use crate::support::process::{Process, command, command_with_files, output, text};
use crate::support::waiting::soon;

/// A time within which everything is over on any machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Some 300 games, over in a second or two.
const PLAN: [&str; 4] = ["--digits", "3", "--fuel", "4k"];

/// Descriptors that a coordinator has in these tests; a login shell gives 1,024.
const FILES: u32 = 256;

/// Waits until a check finds something.
fn until<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    soon(what, WAIT_TIMEOUT, look)
}

fn connect(address: &str) -> Option<TcpStream> {
    let address: SocketAddr = address.parse().unwrap();
    TcpStream::connect_timeout(&address, Duration::from_millis(200)).ok()
}

/// A client that opens connections, says nothing, and opens more, until it is dropped.
struct Flood {
    stop: Arc<AtomicBool>,
    opened: Arc<AtomicUsize>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Flood {
    /// Keeps `at_once` connections open, as far as the other side lets it.
    fn start(address: &str, at_once: usize) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let opened = Arc::new(AtomicUsize::new(0));
        let (stopped, counted, address) =
            (Arc::clone(&stop), Arc::clone(&opened), address.to_owned());
        let thread = std::thread::spawn(move || {
            let mut open = std::collections::VecDeque::new();
            while !stopped.load(Ordering::Relaxed) {
                match connect(&address) {
                    Some(stream) => {
                        open.push_back(stream);
                        counted.fetch_add(1, Ordering::Relaxed);
                    }
                    None => std::thread::sleep(Duration::from_millis(20)),
                }
                if open.len() > at_once {
                    open.pop_front();
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        Self {
            stop,
            opened,
            thread: Some(thread),
        }
    }

    fn opened(&self) -> usize {
        self.opened.load(Ordering::Relaxed)
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().unwrap().join();
    }
}

/// Returns the log of a coordinator, without the noise of an accept loop that spins.
fn said(log: &tempfile::NamedTempFile) -> String {
    let said = std::fs::read(log.path()).unwrap();
    let lines = text(&said);
    let lines = lines.lines().filter(|line| !line.contains("accept loop"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Checks that a worker finishes the census while the port is flooded.
///
/// The flood is a thousand connections that say nothing.
fn finishes_in_a_flood(listen: &str, serve: &[&str], data: &str, worker: &[&str]) {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut serving = command_with_files(FILES, serve);
    serving.stderr(log.reopen().unwrap());
    let mut coordinator = Process(serving.spawn().unwrap());
    address(data);
    let flood = Flood::start(listen, 600);
    until("the flood does not come", || {
        let ended = coordinator.0.try_wait().unwrap();
        assert!(ended.is_none(), "the coordinator has ended: {}", said(&log));
        (flood.opened() >= 1_000).then_some(())
    });
    assert_eq!(status(data)["running"], true);
    let mut worker = Process::spawn(worker);
    let ended = coordinator.ended(WAIT_TIMEOUT);
    let said = said(&log);
    assert_eq!(ended, Some(0), "{said}");
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    drop(flood);
    assert_eq!(digest(data), undisturbed(&PLAN));
    assert!(said.contains("connection turned away"), "{said}");
    assert!(said.contains("peer=127.0.0.1:"), "{said}");
}

#[test]
fn strangers_who_say_nothing_stop_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let listen = free_address();
    let url = format!("http://{listen}");
    let serve = ["coordinator", "--data", data, "--listen", &listen];
    let serve = [&serve[..], &PLAN].concat();
    let worker = ["worker", "--coordinator", &url, "--slots", "1"];
    finishes_in_a_flood(&listen, &serve, data, &worker);
}

#[test]
fn strangers_without_a_certificate_stop_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (data, certs) = (file("census"), file("certs"));
    for more in [
        &["--role", "coordinator", "--host", "127.0.0.1"][..],
        &["--name", "host-a"],
    ] {
        let made = output(&[&["coordinator", "certs", "--dir", &certs][..], more].concat());
        assert!(made.status.success(), "{}", text(&made.stderr));
    }
    let ca = file("certs/ca.pem");
    let (own, own_key) = (file("certs/coordinator.pem"), file("certs/coordinator.key"));
    let (its, its_key) = (file("certs/host-a.pem"), file("certs/host-a.key"));
    let listen = free_address();
    let url = format!("https://{listen}");
    let serve = ["coordinator", "--data", &data, "--listen", &listen];
    let shown = ["--ca", &ca, "--cert", &own, "--key", &own_key];
    let serve = [&serve[..], &PLAN, &shown].concat();
    let worker = ["worker", "--coordinator", &url, "--slots", "1"];
    let shown = ["--ca", &ca, "--cert", &its, "--key", &its_key];
    let worker = [&worker[..], &shown].concat();
    finishes_in_a_flood(&listen, &serve, &data, &worker);
}

/// A coordinator with pages, open to many clients.
struct Served {
    _dir: tempfile::TempDir,
    data: String,
    address: String,
    pages: String,
    _coordinator: Process,
}

impl Served {
    fn start(plan: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().to_str().unwrap().to_owned();
        let pages = free_address();
        let serve = ["coordinator", "--data", &data, "--listen", "127.0.0.1:0"];
        let more = ["--http", &pages, "--keep-serving", "--lease", "1s"];
        let mut serving = command(&[&serve[..], &more, plan].concat());
        serving.stderr(Stdio::null());
        let coordinator = Process(serving.spawn().unwrap());
        let address = address(&data);
        until("no pages", || connect(&pages));
        Self {
            _dir: dir,
            data,
            address,
            pages,
            _coordinator: coordinator,
        }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn worker(&self) -> Process {
        let url = self.url();
        let args = ["worker", "--coordinator", &url, "--slots", "1"];
        Process::spawn(&args)
    }

    /// Returns the status line of the answer to a request on a connection of its own.
    ///
    /// Returns `None` if no answer comes within seconds.
    fn get(&self, path: &str) -> Option<String> {
        let mut stream = connect(&self.pages)?;
        let patience = Some(Duration::from_secs(8));
        stream.set_read_timeout(patience).unwrap();
        let asked = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        Some(text(&answer).lines().next()?.to_owned())
    }

    fn probes_answer(&self) {
        for path in ["/healthz", "/readyz", "/metrics"] {
            let answer = self.get(path);
            assert_eq!(answer.as_deref(), Some("HTTP/1.1 200 OK"), "{path}");
        }
    }
}

/// Reports whether the other side closes the connection within `patience`.
fn is_closed(stream: &mut TcpStream, patience: Duration) -> bool {
    stream.set_read_timeout(Some(patience)).unwrap();
    let mut byte = [0; 1024];
    loop {
        match stream.read(&mut byte) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => {
                return !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
            }
        }
    }
}

#[test]
fn silence_is_ended_on_both_ports() {
    let served = Served::start(&["--codes", "0.3"]);
    let silent = [&served.address, &served.pages].map(|at| connect(at).unwrap());
    let mut preface = connect(&served.address).unwrap();
    preface
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")
        .unwrap();
    for mut stream in silent.into_iter().chain([preface]) {
        assert!(is_closed(&mut stream, Duration::from_secs(20)));
    }
}

#[test]
fn slow_callers_do_not_shut_out_the_probes() {
    let served = Served::start(&["--codes", "0.3"]);
    let mut slow: Vec<_> = (0..300).filter_map(|_| connect(&served.pages)).collect();
    for _ in 0..3 {
        for stream in &mut slow {
            // It may have been closed to make room.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: x");
        }
        served.probes_answer();
    }
}

#[test]
fn idle_callers_do_not_shut_out_the_probes() {
    let served = Served::start(&["--codes", "0.3"]);
    let mut idle = Vec::new();
    for _ in 0..300 {
        let Some(mut stream) = connect(&served.pages) else {
            continue;
        };
        let _ = stream.write_all(b"GET /about HTTP/1.1\r\nHost: x\r\n\r\n");
        idle.push(stream);
    }
    std::thread::sleep(Duration::from_secs(1));
    served.probes_answer();
    let page = served.get("/about");
    assert_eq!(page.as_deref(), Some("HTTP/1.1 200 OK"));
}

#[test]
fn callers_who_do_not_read_do_not_shut_out_the_probes() {
    let served = Served::start(&["--codes", "0.3"]);
    let mut open = Vec::new();
    for _ in 0..300 {
        let Some(mut stream) = connect(&served.pages) else {
            continue;
        };
        let _ = stream.write_all(b"GET /live/events HTTP/1.1\r\nHost: x\r\n\r\n");
        open.push(stream);
    }
    std::thread::sleep(Duration::from_secs(1));
    served.probes_answer();
    // A client that is told to come back is not kept.
    let (mut watching, mut refused) = (0, 0);
    for stream in &mut open {
        stream
            .set_read_timeout(Some(Duration::from_secs(2)))
            .unwrap();
        let mut head = [0; 16];
        let read = stream.read(&mut head).unwrap_or(0);
        if head[..read].starts_with(b"HTTP/1.1 200") {
            watching += 1;
        } else if head[..read].starts_with(b"HTTP/1.1 503") {
            refused += 1;
            assert!(is_closed(stream, Duration::from_secs(5)));
        }
    }
    assert!(watching > 0 && refused > 0, "{watching}, {refused}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap()
}

fn endpoint(url: &str) -> Endpoint {
    let endpoint = Endpoint::from_shared(url.to_owned()).unwrap();
    // A client that does not read stops the sender after this much.
    endpoint
        .initial_stream_window_size(65_535)
        .initial_connection_window_size(65_535)
}

/// Returns a report that announces the greatest certificate there is.
fn announcing(worker: WorkerId, lease: Lease) -> v1::ReportPart {
    let header = ReportHeader {
        worker,
        lease,
        outcome: ReportedOutcome::Certificate(misere_census::MAX_CERTIFICATE_BYTES),
    };
    v1::ReportPart {
        part: Some(v1::report_part::Part::Header((&header).into())),
    }
}

/// Returns a stream that begins, and then brings a byte a second for as long as there is a
/// listener.
fn trickle<T: Send + 'static>(
    first: T,
    byte: impl Fn() -> T + Send + 'static,
) -> ReceiverStream<T> {
    let (sender, parts) = tokio::sync::mpsc::channel(4);
    tokio::spawn(async move {
        let mut next = first;
        while sender.send(next).await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
            next = byte();
        }
    });
    ReceiverStream::new(parts)
}

/// Checks that an honest worker finishes the census while this goes on.
fn is_finished_by_an_honest_worker(served: &Served) {
    let _worker = served.worker();
    until("the honest worker does not get on", || {
        (status(&served.data)["pending"] == 0).then_some(())
    });
}

#[test]
fn streams_that_only_announce_keep_no_worker_out() {
    let served = Served::start(&PLAN);
    let runtime = runtime();
    let url = served.url();
    runtime.block_on(async {
        let mut link = Link::new(endpoint(&url));
        let (worker, _) = link.register("liar", 1).await.unwrap();
        for stream in 0..8 {
            let lease = Lease {
                task: TaskId([stream; 32]),
                epoch: Epoch(7),
            };
            let byte = || v1::ReportPart {
                part: Some(v1::report_part::Part::Chunk(vec![0])),
            };
            let parts = trickle(announcing(worker, lease), byte);
            let mut client = CensusClient::new(endpoint(&url).connect().await.unwrap());
            tokio::spawn(async move { client.report(parts).await });
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    });
    is_finished_by_an_honest_worker(&served);
}

#[test]
fn checkpoints_that_are_only_announced_keep_no_worker_out() {
    let served = Served::start(&PLAN);
    let runtime = runtime();
    let url = served.url();
    runtime.block_on(async {
        let mut link = Link::new(endpoint(&url));
        let (worker, _) = link.register("liar", 8).await.unwrap();
        let leases = link.lease(worker, Holdings::default(), 8, 0).await.unwrap();
        // Announces as much as there is room for.
        assert!(leases.leased.len() >= 8);
        for leased in leases.leased {
            let lease = Lease {
                task: leased.task.id(),
                epoch: leased.epoch,
            };
            let header = v1::CheckpointHeader {
                worker: worker.0,
                lease: Some(lease.into()),
                bytes: misere_census::MAX_CHECKPOINT_BYTES as u64,
            };
            let part = |part| v1::CheckpointPart { part: Some(part) };
            let byte = move || part(v1::checkpoint_part::Part::Chunk(vec![0]));
            let parts = trickle(part(v1::checkpoint_part::Part::Header(header)), byte);
            let mut client = CensusClient::new(endpoint(&url).connect().await.unwrap());
            tokio::spawn(async move { client.keep_checkpoint(parts).await });
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    });
    is_finished_by_an_honest_worker(&served);
}

#[test]
fn readers_who_do_not_read_block_no_other_client() {
    let served = Served::start(&["--digits", "4", "--fuel", "2k"]);
    is_finished_by_an_honest_worker(&served);
    let runtime = runtime();
    let url = served.url();
    let readers = runtime.block_on(async {
        let mut readers = Vec::new();
        for _ in 0..16 {
            let channel = endpoint(&url).connect().await.unwrap();
            let mut client = CensusQueryClient::new(channel);
            let asked = client.find(v1::FindRequest::default());
            // On the old coordinator no client gets a turn for it.
            if let Ok(answer) = tokio::time::timeout(Duration::from_secs(2), asked).await {
                readers.push(answer.unwrap().into_inner());
            }
        }
        readers
    });
    let mut asking = Process(
        command(&["query", "--data", &served.data, "--count"])
            .spawn()
            .unwrap(),
    );
    assert_eq!(asking.ended(Duration::from_secs(25)), Some(0));
    drop(readers);
}
