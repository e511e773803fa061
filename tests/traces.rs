//! What a collector of OpenTelemetry gets of a census of real processes.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::{Span, status::StatusCode};
use rustix::process::Signal;
use tokio::runtime::Runtime;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

use crate::support::census::{address, digest, free_address, status, undisturbed};
use crate::support::process::{Process, assert_refused as refused};
use crate::support::waiting::until;

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

const PLAN: [&str; 4] = ["--codes", "0.3,0.77,0.123,0.07", "--fuel", "5k"];

/// A collector that keeps all spans, and the names of the services that sent them.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<(Vec<Span>, BTreeSet<String>)>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mut kept = self.0.lock().unwrap();
        for sent in request.into_inner().resource_spans {
            let resource = sent.resource.unwrap_or_default();
            kept.1.insert(value(&resource.attributes, "service.name"));
            let spans = sent.scope_spans.into_iter();
            kept.0.extend(spans.flat_map(|scope| scope.spans));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    /// Starts a collector, which ends with the runtime, and returns its URL.
    fn start(runtime: &Runtime) -> (Self, String) {
        let collector = Self::default();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tonic::transport::Server::builder()
            .add_service(TraceServiceServer::new(collector.clone()))
            .serve_with_incoming(TcpListenerStream::new(listener));
        runtime.spawn(server);
        (collector, url)
    }

    /// Returns the spans of each lease: the lease itself, and its stages by name.
    fn leases(&self) -> Vec<(Span, BTreeMap<String, Span>)> {
        let spans = self.0.lock().unwrap().0.clone();
        let (leases, stages): (Vec<Span>, Vec<Span>) =
            spans.into_iter().partition(|span| span.name == "lease");
        let mut leases: Vec<_> = leases.into_iter().map(|it| (it, BTreeMap::new())).collect();
        for stage in stages {
            let parent = leases.iter_mut().find(|(lease, _)| {
                lease.trace_id == stage.trace_id && lease.span_id == stage.parent_span_id
            });
            let (_, known) = parent.unwrap_or_else(|| panic!("a stage of no lease: {stage:?}"));
            assert!(known.insert(stage.name.clone(), stage).is_none());
        }
        leases
    }
}

fn value(attributes: &[KeyValue], key: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|found| found.value.clone()?.value) {
        Some(Value::StringValue(text)) => text,
        other => panic!("{key} is {other:?}"),
    }
}

#[test]
fn a_collector_sees_each_lease_from_grant_to_commit() {
    let runtime = Runtime::new().unwrap();
    let (collector, otlp) = Collector::start(&runtime);
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let listen = ["coordinator", "--data", data, "--listen", "127.0.0.1:0"];
    // The lease of a claim that is drawn for a spot check ends otherwise, as "to be confirmed".
    let options = ["--spot-checks", "0", "--otlp", &otlp];
    let mut coordinator = Process::spawn(&[&listen[..], &PLAN, &options].concat());
    let url = format!("http://{}", address(data));
    let mut worker = Process::spawn(&[
        "worker",
        "--coordinator",
        &url,
        "--slots",
        "1",
        "--name",
        "traced",
        "--otlp",
        &otlp,
    ]);
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(digest(data), undisturbed(&PLAN), "traces change nothing");

    let leases = collector.leases();
    let games: BTreeSet<String> = leases
        .iter()
        .map(|(lease, _)| value(&lease.attributes, "misere.game"))
        .collect();
    let expected = ["0.07", "0.123", "0.3", "0.77"].map(str::to_owned);
    assert_eq!(games, BTreeSet::from(expected));
    for (lease, stages) in &leases {
        assert!(lease.parent_span_id.is_empty(), "{lease:?}");
        assert_eq!(value(&lease.attributes, "misere.outcome"), "finished");
        assert_eq!(value(&lease.attributes, "misere.worker"), "traced");
        let names: Vec<&str> = stages.keys().map(String::as_str).collect();
        assert_eq!(names, ["check", "commit", "report", "solve"]);
        // The coordinator's stages follow one another within the lease; it reads one clock.
        let [check, commit] = ["check", "commit"].map(|name| &stages[name]);
        let times = [
            lease.start_time_unix_nano,
            check.start_time_unix_nano,
            check.end_time_unix_nano,
            commit.end_time_unix_nano,
        ];
        assert!(times.is_sorted(), "{times:?}");
    }
    let services = collector.0.lock().unwrap().1.clone();
    assert_eq!(services, BTreeSet::from(["misere".to_owned()]));
}

#[test]
fn the_lease_of_a_killed_worker_ends_as_a_failure() {
    let runtime = Runtime::new().unwrap();
    let (collector, otlp) = Collector::start(&runtime);
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let mut coordinator = Process::spawn(&[
        "coordinator",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--lease",
        "1s",
        "--codes",
        "0.142",
        "--fuel",
        "10G",
        "--otlp",
        &otlp,
    ]);
    let url = format!("http://{}", address(data));
    let worker = Process::spawn(&["worker", "--coordinator", &url, "--slots", "1"]);
    until("the game is leased", WAIT_TIMEOUT, || {
        status(data)["leased"].as_u64() == Some(1)
    });
    worker.signal(Signal::KILL);
    until("a failed lease", WAIT_TIMEOUT, || {
        collector.leases().iter().any(|(lease, stages)| {
            let failed = lease
                .status
                .as_ref()
                .filter(|it| it.code == StatusCode::Error as i32);
            failed.is_some() && stages.keys().eq(["commit"])
        })
    });
    coordinator.signal(Signal::TERM);
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), Some(4));
}

#[test]
fn a_collector_that_is_away_or_misnamed_costs_no_result() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let run = ["census", "run", "--data", data];
    let away = format!("http://{}", free_address());
    let mut running = Process::spawn(&[&run[..], &PLAN, &["--otlp", &away]].concat());
    assert_eq!(running.ended(WAIT_TIMEOUT), Some(0));
    assert_eq!(digest(data), undisturbed(&PLAN));
    for misnamed in ["https://127.0.0.1:4317", "127.0.0.1:4317", "http://", ""] {
        let args = [&run[..], &["--otlp", misnamed]].concat();
        refused(&args, 2, "cannot send traces to");
    }
}
