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

    let unknown = rpc::drain(&endpoint, "host-*".to_owned()).await;
    assert_eq!(unknown.unwrap_err().code(), Code::NotFound);
    let drained = rpc::drain(&endpoint, worker.to_string()).await.unwrap();
    assert_eq!(drained.len(), 1);
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

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_lasts_over_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3", "0.77"]).await;
    order(&to(&coordinator), Command::Pause).await.unwrap();
    coordinator.stop().await.unwrap();
    let coordinator = plain(dir.path(), &["0.3", "0.77"]).await;
    let endpoint = to(&coordinator);
    let mut link = Link::new(endpoint.clone());
    let (worker, _) = link.register("w", 1).await.unwrap();
    let paused = link.lease(worker, Holdings::default(), 1, 0).await.unwrap();
    assert!(paused.leased.is_empty() && !paused.finished);
    order(&endpoint, Command::Resume).await.unwrap();
    let resumed = link.lease(worker, Holdings::default(), 1, 0).await.unwrap();
    assert_eq!(resumed.leased.len(), 1);
    coordinator.stop().await.unwrap();
    let coordinator = plain(dir.path(), &["0.3", "0.77"]).await;
    assert!(!coordinator.orders().paused());
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_name_several_workers_by_a_pattern() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3", "0.77", "0.123"]).await;
    let endpoint = to(&coordinator);
    let mut link = Link::new(endpoint.clone());
    let mut register = async |name: &str| link.register(name, 1).await.unwrap().0;
    let [one, two, other] = [
        register("rack-1-a").await,
        register("rack-1-b").await,
        register("rack-2-a").await,
    ];
    let drained = rpc::drain(&endpoint, "rack-1-*".to_owned()).await.unwrap();
    let drained: Vec<_> = drained.into_iter().map(|(worker, _)| worker).collect();
    assert_eq!(drained, [one, two]);
    let told = rpc::status(&endpoint, false)
        .await
        .unwrap()
        .status
        .live
        .unwrap();
    let draining: Vec<bool> = told.workers.iter().map(|worker| worker.draining).collect();
    assert_eq!(draining, [true, true, false]);
    let evicted = rpc::evict(&endpoint, "*-?-a".to_owned()).await.unwrap();
    let evicted: Vec<_> = evicted.workers.into_iter().map(|(id, _)| id).collect();
    assert_eq!(evicted, [one, other]);
    // Names that were shown before are known after the worker has left.
    let ban = rpc::ban(&endpoint, "rack-*".to_owned()).await.unwrap();
    let mut names = ban.names.clone();
    names.sort();
    assert_eq!(names, ["rack-1-a", "rack-1-b", "rack-2-a"]);
    assert_eq!(ban.workers, 1);
    assert!(link.register("rack-1-a", 1).await.is_err());
    // A pattern bans no worker that is not known yet.
    let unknown = rpc::ban(&endpoint, "shelf-*".to_owned()).await;
    assert_eq!(unknown.unwrap_err().code(), Code::FailedPrecondition);
    let pardon = rpc::pardon(&endpoint, "*".to_owned()).await.unwrap();
    assert_eq!(pardon.names.len(), 3);
    assert!(link.register("rack-1-a", 1).await.is_ok());
    coordinator.stop().await.unwrap();
}
