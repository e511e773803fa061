//! Refusals of messages that are too old, too large or too many, once and clearly.

use misere_proto::v1;
use misere_proto::v1::report_header::Outcome;
use misere_proto::v1::report_part::Part;
use misere_proto::{CHUNK_BYTES, MAX_MESSAGE_BYTES, PROTOCOL, RefusalKind};
use misere_store::Store;
use tonic::{Code, Status};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};

use super::{client, finish, plain, to};

const SHORT_WAIT: std::time::Duration = std::time::Duration::from_millis(5);

fn introduction() -> v1::RegisterRequest {
    v1::RegisterRequest {
        protocol: PROTOCOL,
        name: "raw".to_owned(),
        slots: 1,
        engine: misere_census::engine_fingerprint(),
        memory_class: 0,
    }
}

fn header(worker: u64, lease: &v1::Leased, bytes: u64) -> v1::ReportPart {
    let task = lease.task.as_ref().unwrap().id.clone();
    let epoch = lease.epoch;
    v1::ReportPart {
        part: Some(Part::Header(v1::ReportHeader {
            worker,
            lease: Some(v1::LeaseKey { task, epoch }),
            outcome: Some(Outcome::Certificate(v1::CertificateHeader { bytes })),
        })),
    }
}

fn wish(worker: u64) -> v1::LeaseRequest {
    v1::LeaseRequest {
        worker,
        idle: 1,
        ..Default::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_release_does_not_take_part() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3"]).await;
    let mut client = client(&coordinator);
    let old = v1::RegisterRequest {
        engine: "misere engine 9".to_owned(),
        ..introduction()
    };
    let refused = client.register(old).await.unwrap_err();
    assert_eq!(RefusalKind::from(&refused), RefusalKind::GiveUp);
    for named in ["misere engine 9", &misere_census::engine_fingerprint()] {
        assert!(refused.message().contains(named), "{refused}");
    }
    let foreign = v1::RegisterRequest {
        protocol: PROTOCOL + 1,
        ..introduction()
    };
    let refused = client.register(foreign).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    client.register(introduction()).await.unwrap();
    coordinator.stop().await.unwrap();
}

/// A result that is too large would be too large again: it counts as a failure of the task.
///
/// Three of these failures quarantine the task.
#[tokio::test(flavor = "multi_thread")]
async fn an_oversize_message_is_a_failure_of_its_task() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3"]).await;
    let mut client = client(&coordinator);
    let worker = client.register(introduction()).await.unwrap();
    let worker = worker.into_inner().worker;
    for _ in 0..3 {
        let leases = client.lease(wish(worker)).await.unwrap().into_inner();
        let bytes = 2 * MAX_MESSAGE_BYTES;
        let chunk = v1::ReportPart {
            part: Some(Part::Chunk(vec![0; bytes])),
        };
        let parts = [header(worker, &leases.leased[0], bytes as u64), chunk];
        let refused = client.report(tokio_stream::iter(parts)).await.unwrap_err();
        assert_eq!(RefusalKind::from(&refused), RefusalKind::Oversize);
    }
    finish(coordinator).await;
    let store = Store::open_read_only(dir.path()).unwrap();
    let (_, why) = store.quarantined().unwrap().remove(0);
    assert_eq!(why.failures, 3);
    assert!(
        why.failure.to_string().contains("too large"),
        "{}",
        why.failure
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_on_their_way_take_bounded_memory() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3"]).await;
    let mut client = client(&coordinator);
    let worker = client.register(introduction()).await.unwrap();
    let worker = worker.into_inner().worker;
    let lease = client
        .lease(wish(worker))
        .await
        .unwrap()
        .into_inner()
        .leased
        .remove(0);
    let greatest = misere_census::MAX_CERTIFICATE_BYTES as u64;
    let report = |bytes| {
        let (sender, parts) = tokio::sync::mpsc::channel(1);
        sender.try_send(header(worker, &lease, bytes)).unwrap();
        let mut client = client.clone();
        let parts = tokio_stream::wrappers::ReceiverStream::new(parts);
        (
            sender,
            tokio::spawn(async move { client.report(parts).await }),
        )
    };
    // More than the greatest size that may be announced.
    let (_sender, refused) = report(greatest + 1);
    assert_eq!(
        refused.await.unwrap().unwrap_err().code(),
        Code::InvalidArgument
    );
    // An announcement reserves no memory: many of the greatest size, without any bytes.
    let announced: Vec<_> = (0..16).map(|_| report(greatest)).collect();
    // One report arrives except for its end; a second one of the same sender finds no room.
    let chunk = || v1::ReportPart {
        part: Some(Part::Chunk(vec![0; CHUNK_BYTES])),
    };
    let (whole, first) = report(greatest);
    for _ in 1..greatest / CHUNK_BYTES as u64 {
        whole.send(chunk()).await.unwrap();
    }
    let (more, second) = report(greatest);
    while more.send(chunk()).await.is_ok() {}
    let refused = second.await.unwrap().unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert_eq!(RefusalKind::from(&refused), RefusalKind::Retry);
    let (mut senders, mut answers) = (vec![whole], vec![first]);
    for (sender, answer) in announced {
        assert!(!answer.is_finished());
        senders.push(sender);
        answers.push(answer);
    }
    // Without these reports there is room again: now the error is that no bytes follow.
    drop(senders);
    for answer in answers {
        assert_eq!(
            answer.await.unwrap().unwrap_err().code(),
            Code::InvalidArgument
        );
    }
    let (sender, answer) = report(greatest);
    drop(sender);
    assert_eq!(
        answer.await.unwrap().unwrap_err().code(),
        Code::InvalidArgument
    );
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_makes_so_many_calls_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3"]).await;
    let mut client = client(&coordinator);
    let worker = client.register(introduction()).await.unwrap();
    let worker = worker.into_inner().worker;
    let lease = client.lease(wish(worker)).await.unwrap().into_inner();
    // Reports that begin and do not continue; those beyond the limit are refused at once.
    let mut stuck: Vec<_> = (0..600)
        .map(|_| {
            let (sender, parts) = tokio::sync::mpsc::channel(1);
            sender
                .try_send(header(worker, &lease.leased[0], 1))
                .unwrap();
            let parts = tokio_stream::wrappers::ReceiverStream::new(parts);
            let mut client = client.clone();
            let report = async move { client.report(parts).await };
            (sender, tokio::spawn(report))
        })
        .collect();
    let is_shed = |refused: &Status| {
        refused.code() == Code::ResourceExhausted
            && RefusalKind::from(refused) == RefusalKind::Retry
    };
    let mut refusals = 0;
    while refusals < 600 - 512 {
        let ended = stuck.iter().position(|(_, report)| report.is_finished());
        let Some(ended) = ended else {
            tokio::time::sleep(SHORT_WAIT).await;
            continue;
        };
        let refused = stuck.remove(ended).1.await.unwrap().unwrap_err();
        assert!(is_shed(&refused), "{refused:?} after {refusals}");
        refusals += 1;
    }
    let beat = || {
        let mut client = client.clone();
        let beat = v1::HeartbeatRequest {
            worker,
            ..Default::default()
        };
        async move { client.heartbeat(beat).await }
    };
    let refused = beat().await.unwrap_err();
    assert!(is_shed(&refused), "{refused:?}");
    // Another connection is not affected.
    let mut other = super::client(&coordinator);
    other.register(introduction()).await.unwrap();
    for (sender, report) in stuck {
        drop(sender);
        let refused = report.await.unwrap().unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    }
    beat().await.unwrap();
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watches_over_processes_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3"]).await;
    let mut health = HealthClient::new(to(&coordinator).connect_lazy());
    for service in ["", "census.v1.Census"] {
        let service = service.to_owned();
        let reply = health.check(HealthCheckRequest { service }).await.unwrap();
        assert_eq!(reply.into_inner().status(), ServingStatus::Serving);
    }
    coordinator.stop().await.unwrap();
}
