//! Orders of operators: pause, resume, drain and cancel.

use std::time::Duration;

use misere_census::Lease;
use misere_coordinator::observer::CensusState;
use misere_coordinator::rpc::{self, Command, order};
use misere_worker::link::{Holdings, LeasedTask, Link};
use tonic::Code;

use super::{plain, to};

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3", "0.77", "0.123"]).await;
    let endpoint = to(&coordinator);
    let mut link = Link::new(endpoint.clone());
    let (worker, _) = link.register("w", 1).await.unwrap();

    order(&endpoint, Command::Pause).await.unwrap();
    let told = rpc::status(&endpoint, false).await.unwrap();
    assert_eq!(told.status.state, CensusState::Paused);
    let paused = link.lease(worker, Holdings::default(), 3, 0).await.unwrap();
    assert!(paused.leased.is_empty() && !paused.finished);
    order(&endpoint, Command::Resume).await.unwrap();
    let told = rpc::status(&endpoint, false).await.unwrap();
    assert_eq!(told.status.state, CensusState::Running);
    let mut resumed = link.lease(worker, Holdings::default(), 1, 0).await.unwrap();
    let LeasedTask { task, epoch, .. } = resumed.leased.pop().unwrap();
    let task = task.id();
    let holding = || Holdings {
        running: Vec::new(),
        queued: vec![Lease { task, epoch }],
    };

    let unknown = order(&endpoint, Command::Drain(misere_census::WorkerId(1)));
    assert_eq!(unknown.await.unwrap_err().code(), Code::NotFound);
    order(&endpoint, Command::Drain(worker)).await.unwrap();
    let drained = link.lease(worker, holding(), 1, 0).await.unwrap();
    assert!(drained.leased.is_empty() && drained.renewed.lost.is_empty() && drained.finished);
    // Other workers continue.
    let (other, _) = link.register("other", 1).await.unwrap();
    let leases = link.lease(other, Holdings::default(), 1, 0).await.unwrap();
    assert_eq!((leases.leased.len(), leases.finished), (1, false));

    order(&endpoint, Command::Cancel).await.unwrap();
    let cancelled = coordinator.orders().cancelled();
    tokio::time::timeout(Duration::from_secs(5), cancelled)
        .await
        .unwrap();
    assert_eq!(
        link.heartbeat(worker, holding()).await.unwrap().lost,
        [Lease { task, epoch }]
    );
    let cancelled = link.lease(worker, holding(), 1, 0).await.unwrap();
    assert_eq!(cancelled.renewed.lost, [Lease { task, epoch }]);
    assert!(cancelled.finished);
    coordinator.stop().await.unwrap();
}
