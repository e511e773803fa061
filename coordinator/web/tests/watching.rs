//! Tests of the surfaces for observers of a running coordinator: health, metrics, control socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use misere_census::{Budget, Plan, Space};
use misere_coordinator::control::{self, Answer, ControlError, Request};
use misere_coordinator::observer::Remaining;
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::{LeaseConfig, TrustConfig};
use misere_store::{CONTROL, Store};
use misere_web::http;
use misere_web::page::ExtraData;
use misere_worker::{Guards, Isolation, solve_task};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};

async fn coordinator(dir: &Path) -> Coordinator {
    let codes = ["0.3", "0.77", "0.123", "0.07"].map(|code| code.parse().unwrap());
    let settings = Settings {
        data: dir.to_owned(),
        plan: Plan::new(Space::Codes(codes.to_vec()), Budget::default()).unwrap(),
        listen: "127.0.0.1:0".parse().unwrap(),
        // A spot check of the claim about 0.07 would be a fifth check.
        terms: LeaseConfig {
            trust: TrustConfig {
                spot_check_one_in: 0,
                ..TrustConfig::USUAL
            },
            ..LeaseConfig::default()
        },
        check_threads: 1,
        retry_quarantined: false,
    };
    Coordinator::start(settings).await.unwrap()
}

/// Has a worker complete the census.
async fn complete(coordinator: &Coordinator) {
    let settings = misere_worker::Settings {
        coordinator: format!("http://{}", coordinator.address()),
        name: "test".to_owned(),
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
    misere_worker::run(settings, Arc::new(solve_task), stops)
        .await
        .unwrap();
}

async fn get(address: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    if path == "/metrics" {
        assert!(head.contains("text/plain; version=0.0.4"), "{head}");
    }
    (status, body.to_owned())
}

/// Returns the metrics of a page in the text format.
///
/// It checks that every line is a comment or `name{labels} number`, and that every family is
/// declared before its lines.
fn metrics(page: &str) -> BTreeMap<String, f64> {
    let mut families = Vec::new();
    let mut values = BTreeMap::new();
    for line in page.lines() {
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            families.push(declared.split(' ').next().unwrap().to_owned());
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let family = families.last().unwrap();
            assert!(name.starts_with(family.as_str()), "{name} among {family}");
            let before = values.insert(name.to_owned(), value.parse().unwrap());
            assert_eq!(before, None, "{name} twice");
        }
    }
    values
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_metrics_report_the_state() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = http::serve(listener, coordinator.observer(), ExtraData::default());
    assert_eq!(get(address, "/healthz").await, (200, "alive\n".to_owned()));
    assert_eq!(get(address, "/readyz").await, (200, "ready\n".to_owned()));
    assert_eq!(get(address, "/else").await.0, 404);
    let before = metrics(&get(address, "/metrics").await.1);
    assert_eq!(before["misere_tasks{state=\"ready\"}"], 4.0);
    assert_eq!(before["misere_workers"], 0.0);
    assert!(before["misere_remaining_seconds{bound=\"likely\"}"].is_nan());

    complete(&coordinator).await;
    let after = metrics(&get(address, "/metrics").await.1);
    assert_eq!(after["misere_tasks{state=\"ready\"}"], 0.0);
    assert_eq!(after["misere_tasks{state=\"done\"}"], 4.0);
    assert_eq!(after["misere_records_total"], 4.0);
    assert!(after["misere_commits_total"] >= 1.0);
    let all = after["misere_commit_seconds_count"];
    assert!(all > before["misere_commit_seconds_count"]);
    assert_eq!(after["misere_commit_seconds_bucket{le=\"+Inf\"}"], all);
    assert!(after["misere_commit_seconds_sum"] > 0.0);
    assert!(after["misere_store_written_bytes_total"] > 1000.0);
    assert_eq!(after["misere_failures_total{kind=\"refused\"}"], 0.0);
    assert_eq!(before["misere_check_seconds_count"], 0.0);
    assert_eq!(after["misere_check_seconds_count"], 4.0);
    assert!(after["misere_check_seconds_sum"] > 0.0);
    assert_eq!(after["misere_oldest_unchecked_seconds"], 0.0);
    assert_eq!(before["misere_paused"], 0.0);
    coordinator.orders().pause(true);
    let paused = metrics(&get(address, "/metrics").await.1);
    assert_eq!(paused["misere_paused"], 1.0);
    // One call registers the worker, and each game is leased and reported. The worker may leave
    // before its last report is answered.
    let calls = |call| after[&format!("misere_call_seconds_count{{call=\"{call}\"}}")];
    assert_eq!(calls("Register"), 1.0);
    assert!(
        (1.0..=4.0).contains(&calls("Report")),
        "{}",
        calls("Report")
    );
    assert!(calls("Lease") >= 1.0);
    assert_eq!(calls("Evict"), 0.0);
    let within = "misere_call_seconds_bucket{call=\"Report\",le=\"60\"}";
    assert_eq!(after[within], calls("Report"));
    assert_eq!(after["misere_call_failures_total{call=\"Report\"}"], 0.0);
    #[cfg(target_os = "linux")]
    {
        assert!(after["process_resident_memory_bytes"] > 1e6);
        assert!(after["process_cpu_seconds_total"] > 0.0);
        let open = after["process_open_fds"];
        assert!(open > 5.0 && open <= after["process_max_fds"], "{open}");
        let started = after["process_start_time_seconds"];
        let now = std::time::SystemTime::now();
        let now = now
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_secs_f64();
        assert!(
            (now - 3_600.0..=now + 60.0).contains(&started),
            "{started}, now {now}"
        );
    }

    coordinator.stop().await.unwrap();
    assert_eq!(get(address, "/healthz").await.0, 200);
    assert_eq!(get(address, "/readyz").await.0, 503);
    serving.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_whose_work_is_stuck_is_alive_and_not_ready() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = http::serve(listener, coordinator.observer(), ExtraData::default());
    let url = format!("http://{}", coordinator.address());
    let endpoint = tonic::transport::Endpoint::from_shared(url).unwrap();
    let health = HealthClient::new(endpoint.connect_lazy());
    let until = async |wanted: ServingStatus| {
        for _ in 0..300 {
            let service = "census.v1.Census".to_owned();
            let asked = HealthCheckRequest { service };
            let reply = health.clone().check(asked).await.unwrap().into_inner();
            if reply.status() == wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("it never is {wanted:?}");
    };
    until(ServingStatus::Serving).await;
    let (release, stuck) = std::sync::mpsc::channel::<()>();
    let observer = coordinator.observer();
    let working = async move { observer.with_store(move |_| stuck.recv().is_err()).await };
    let working = tokio::spawn(working);
    until(ServingStatus::NotServing).await;
    assert_eq!(get(address, "/healthz").await, (200, "alive\n".to_owned()));
    let (status, said) = get(address, "/readyz").await;
    assert_eq!(status, 503);
    assert_eq!(said, "not ready: the store does not answer\n");
    drop(release);
    assert!(working.await.unwrap().unwrap());
    until(ServingStatus::Serving).await;
    assert_eq!(get(address, "/readyz").await, (200, "ready\n".to_owned()));
    serving.abort();
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_control_socket_answers_callers_with_access_to_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    assert!(control::ask(&data, &Request::Status).unwrap().is_none());
    let coordinator = coordinator(&data).await;
    let ask = async |request: Request| {
        let data = data.clone();
        tokio::task::spawn_blocking(move || control::ask(&data, &request))
            .await
            .unwrap()
    };
    let Ok(Some(Answer::Status(standing))) = ask(Request::Status).await else {
        panic!("it answers")
    };
    assert_eq!((standing.ready, standing.counters.tasks), (4, 4));
    assert_eq!(standing.remaining, Remaining::Unknown);
    complete(&coordinator).await;

    let copy = dir.path().join("copy");
    let copied = ask(Request::Backup(copy.clone())).await;
    assert!(matches!(copied, Ok(Some(Answer::Copied))));
    for to in [copy.clone(), "copy".into()] {
        let refused = ask(Request::Backup(to)).await;
        assert!(matches!(refused, Err(ControlError::Failed(_))));
    }
    let nobody = misere_census::TaskId([7; 32]);
    for request in [Request::Retry(vec![nobody]), Request::Drop(vec![nobody])] {
        let Err(ControlError::Failed(why)) = ask(request).await else {
            panic!("no such task")
        };
        assert!(why.contains("not in quarantine"), "{why}");
    }
    // A line that is not a request is answered as such.
    let mut stream = tokio::net::UnixStream::connect(data.join(CONTROL))
        .await
        .unwrap();
    stream.write_all(b"{\"status\": 7\n").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("not understood"), "{answer}");

    coordinator.stop().await.unwrap();
    assert!(!data.join(CONTROL).exists());
    let digest = |dir: &Path| Store::open_read_only(dir).unwrap().digest().unwrap();
    assert_eq!(digest(&data), digest(&copy));
}
