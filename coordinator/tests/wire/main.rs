//! Admission checks of the service over real sockets: callers, messages and their sizes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod half_open;
mod limits;
mod orders;
mod security;

use std::path::Path;
use std::time::Duration;

use misere_census::{Budget, Plan, Space};
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::LeaseConfig;
use misere_proto::v1::census_client::CensusClient;
use misere_proto::{Security, endpoint};
use tonic::transport::{Channel, Endpoint};

pub(crate) fn settings(dir: &Path, codes: &[&str]) -> Settings {
    let codes = codes.iter().map(|code| code.parse().unwrap()).collect();
    let budget = Budget {
        fuel: 200_000,
        ..Budget::default()
    };
    Settings {
        data: dir.to_owned(),
        plan: Plan::new(Space::Codes(codes), budget).unwrap(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: LeaseConfig::default(),
        check_threads: 1,
        retry_quarantined: false,
    }
}

pub(crate) async fn plain(dir: &Path, codes: &[&str]) -> Coordinator {
    Coordinator::start(settings(dir, codes)).await.unwrap()
}

pub(crate) fn to(coordinator: &Coordinator) -> Endpoint {
    let url = format!("http://{}", coordinator.address());
    endpoint(&url, &Security::Loopback).unwrap()
}

pub(crate) fn client(coordinator: &Coordinator) -> CensusClient<Channel> {
    CensusClient::new(to(coordinator).connect_lazy())
}

pub(crate) async fn finish(coordinator: Coordinator) {
    let mut snapshots = coordinator.snapshots();
    let finished = snapshots.wait_for(misere_coordinator::driver::Snapshot::is_finished);
    tokio::time::timeout(Duration::from_secs(120), finished)
        .await
        .expect("it ends")
        .unwrap();
    coordinator.stop().await.unwrap();
}
