//! Mutual TLS: which callers are admitted, under which identity, and with which rights.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use misere_coordinator::authority::{CertificateFileError, CertificateSpec, make, make_authority};
use misere_coordinator::local;
use misere_coordinator::observer::CensusState;
use misere_coordinator::rpc::{self, Command, Role, order};
use misere_coordinator::{Coordinator, CoordinatorError};
use misere_proto::{Credentials, RefusalKind, Security, endpoint};
use misere_worker::link::{Holdings, Link};
use misere_worker::{
    CheckerSettings, Guards, Isolation, LinkError, check_secured, run_secured, solve_task,
};
use tokio::sync::watch;
use tonic::Code;
use tonic::transport::Endpoint;

use super::{finish, settings};

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A lab with its own certificate authority.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        assert!(make_authority(dir.path(), YEAR).unwrap().is_some());
        Self(dir)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn credentials(&self, name: &str, roles: &[Role], valid: Duration) -> Credentials {
        let hosts = match roles.contains(&Role::Coordinator) {
            true => vec!["127.0.0.1".to_owned(), "localhost".to_owned()],
            false => Vec::new(),
        };
        let wanted = CertificateSpec {
            name: name.parse().unwrap(),
            roles: roles.to_vec(),
            hosts,
            valid,
        };
        let written = make(self.path(), &wanted).unwrap();
        let read = |file: PathBuf| std::fs::read(file).unwrap();
        Credentials {
            authority: read(self.path().join("ca.pem")),
            certificate: read(written.certificate),
            key: read(written.key),
        }
    }

    fn with_role(&self, role: Role) -> Credentials {
        self.credentials(&role.to_string(), &[role], YEAR)
    }

    async fn coordinator(&self, dir: &Path, codes: &[&str]) -> Coordinator {
        let own = self.with_role(Role::Coordinator);
        let security = Security::Mutual(Box::new(own));
        Coordinator::start_secured(settings(dir, codes), &security)
            .await
            .unwrap()
    }
}

fn secured(coordinator: &Coordinator, credentials: Credentials) -> Endpoint {
    let url = format!("https://{}", coordinator.address());
    endpoint(&url, &Security::Mutual(Box::new(credentials))).unwrap()
}

async fn registered(endpoint: Endpoint) -> Result<(), LinkError> {
    Link::new(endpoint).register("x", 1).await.map(drop)
}

async fn refused(endpoint: Endpoint) -> String {
    let error = registered(endpoint).await.unwrap_err();
    // A certificate may be replaced, so a worker retries instead of giving up.
    assert_eq!(error.kind(), RefusalKind::Retry);
    error.to_string()
}

/// Returns the endpoint for the owner of the directory.
fn owners(coordinator: &Coordinator) -> Endpoint {
    let url = local::url(coordinator.data()).unwrap();
    endpoint(&url, &Security::Loopback).unwrap()
}

async fn nobody_is_there(coordinator: &Coordinator) -> bool {
    let told = rpc::status(&owners(coordinator), false).await.unwrap();
    told.status.live.unwrap().workers.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_a_certificate_does_the_work() {
    let (lab, dir) = (Lab::new(), tempfile::tempdir().unwrap());
    let codes = ["0.3", "0.77", "0.123", "0.07"];
    let coordinator = lab.coordinator(dir.path(), &codes).await;
    let settings = misere_worker::Settings {
        coordinator: format!("https://localhost:{}", coordinator.address().port()),
        name: "machine".to_owned(),
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
    let own = lab.credentials("lab-1", &[Role::Worker], YEAR);
    let security = Security::Mutual(Box::new(own));
    let mut snapshots = coordinator.snapshots();
    let seen = tokio::spawn(async move {
        let joined = snapshots.wait_for(|snapshot| !snapshot.workers.is_empty());
        joined.await.unwrap().workers[0].name.clone()
    });
    let compute: misere_worker::Compute = Arc::new(|task, interrupt| {
        std::thread::sleep(Duration::from_millis(20));
        solve_task(task, interrupt)
    });
    let work = tokio::spawn(async move { run_secured(settings, &security, compute, stops).await });
    assert_eq!(seen.await.unwrap(), "lab-1/machine");
    finish(coordinator).await;
    drop(work);
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_not_let_in() {
    let (lab, other, dir) = (Lab::new(), Lab::new(), tempfile::tempdir().unwrap());
    let coordinator = lab.coordinator(dir.path(), &["0.3"]).await;
    // Signed by another authority; the coordinator says so.
    let mut stranger = other.with_role(Role::Worker);
    stranger.authority = std::fs::read(lab.path().join("ca.pem")).unwrap();
    refused(secured(&coordinator, stranger)).await;
    // Trusts another authority: the worker itself refuses the connection.
    let trusting = other.credentials("w", &[Role::Worker], YEAR);
    let said = refused(secured(&coordinator, trusting)).await;
    assert!(said.contains("UnknownIssuer"), "{said}");
    // Expired.
    let expired = lab.credentials("late", &[Role::Worker], Duration::ZERO);
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    refused(secured(&coordinator, expired)).await;
    // A coordinator's certificate is not valid for a caller.
    let own = lab.credentials("other", &[Role::Coordinator], YEAR);
    refused(secured(&coordinator, own)).await;
    // Plaintext.
    let url = format!("http://{}", coordinator.address());
    refused(endpoint(&url, &Security::Insecure).unwrap()).await;
    assert!(nobody_is_there(&coordinator).await);
    // A worker with a certificate of this authority is admitted.
    let worker = lab.credentials("known", &[Role::Worker], YEAR);
    registered(secured(&coordinator, worker)).await.unwrap();
    assert!(!nobody_is_there(&coordinator).await);
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_cannot_pose_as_the_coordinator() {
    let (lab, dir) = (Lab::new(), tempfile::tempdir().unwrap());
    let posing = Security::Mutual(Box::new(lab.with_role(Role::Worker)));
    let posing = Coordinator::start_secured(settings(dir.path(), &["0.3"]), &posing)
        .await
        .unwrap();
    let victim = lab.credentials("victim", &[Role::Worker], YEAR);
    let said = refused(secured(&posing, victim)).await;
    assert!(said.contains("certificate"), "{said}");
    posing.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_does_what_the_role_allows() {
    let (lab, dir) = (Lab::new(), tempfile::tempdir().unwrap());
    let coordinator = lab.coordinator(dir.path(), &["0.3"]).await;
    let nobody = lab.credentials("nobody", &[], YEAR);
    let both = lab.credentials("both", &[Role::Worker, Role::Reader], YEAR);
    let [worker, reader, operator] =
        [Role::Worker, Role::Reader, Role::Operator].map(|role| lab.with_role(role));
    for (who, works, reads, orders) in [
        (worker, true, false, false),
        (reader, false, true, false),
        (operator, true, true, true),
        (both, true, true, false),
        (nobody, false, false, false),
    ] {
        let endpoint = secured(&coordinator, who);
        let denied = |status: &tonic::Status| {
            assert_eq!(status.code(), Code::PermissionDenied, "{status}");
            assert!(status.message().contains("needs the role"), "{status}");
        };
        match registered(endpoint.clone()).await {
            Ok(()) => assert!(works),
            Err(LinkError::Refused(status)) => {
                assert!(!works);
                denied(&status);
            }
            Err(error) => panic!("{error}"),
        }
        let asked = rpc::status(&endpoint, false).await;
        assert_eq!(asked.is_ok(), reads);
        asked.as_ref().err().into_iter().for_each(denied);
        let ordered = order(&endpoint, Command::Resume).await;
        assert_eq!(ordered.is_ok(), orders);
        ordered.as_ref().err().into_iter().for_each(denied);
    }
    // The owner of the directory has all rights.
    let local = owners(&coordinator);
    registered(local.clone()).await.unwrap();
    order(&local, Command::Pause).await.unwrap();
    let told = rpc::status(&local, true).await.unwrap();
    assert_eq!(told.status.state, CensusState::Paused);
    assert!(!told.completeness.unwrap().sentences.is_empty());
    coordinator.stop().await.unwrap();
}

/// A connection whose calls are all refused counts as waiting, like a stranger's.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_without_a_role_gets_no_place() {
    let (lab, dir) = (Lab::new(), tempfile::tempdir().unwrap());
    let coordinator = lab.coordinator(dir.path(), &["0.3"]).await;
    let no_role = lab.credentials("no-role", &[], YEAR);
    let gate = coordinator.observer().gates().remove(0);
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut link = Link::new(secured(&coordinator, no_role.clone()));
        let denied = link.register("x", 1).await.unwrap_err();
        assert!(denied.to_string().contains("needs the role"), "{denied}");
        open.push(link);
    }
    let worker = lab.credentials("known", &[Role::Worker], YEAR);
    let mut known = Link::new(secured(&coordinator, worker));
    let (id, _) = known.register("x", 1).await.unwrap();
    assert_eq!(gate.open(), 4);
    // A connection without a place is closed at its deadline; one with a place stays.
    let closed = async {
        while gate.open() > 1 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let within = Duration::from_secs(60);
    tokio::time::timeout(within, closed)
        .await
        .expect("they are closed");
    known.leave(id).await.unwrap();
    assert_eq!(gate.open(), 1);
    coordinator.stop().await.unwrap();
}

/// A coordinator whose address is taken never opens its store.
#[tokio::test(flavor = "multi_thread")]
async fn the_address_is_had_before_the_store() {
    let dir = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let data = dir.path().join("census");
    let mut settings = settings(&data, &["0.3"]);
    settings.listen = taken.local_addr().unwrap();
    let refused = Coordinator::start(settings).await.unwrap_err();
    assert!(
        matches!(refused, CoordinatorError::Listen { .. }),
        "{refused}"
    );
    assert!(!data.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workers_number_is_its_own() {
    let (lab, dir) = (Lab::new(), tempfile::tempdir().unwrap());
    let coordinator = lab.coordinator(dir.path(), &["0.3"]).await;
    let mut mine = Link::new(secured(&coordinator, lab.with_role(Role::Worker)));
    let thief = lab.credentials("thief", &[Role::Worker], YEAR);
    let mut thief = Link::new(secured(&coordinator, thief));
    let (id, _) = mine.register("mine", 1).await.unwrap();
    let stolen = thief.leave(id).await.unwrap_err();
    assert!(
        stolen.to_string().contains("another certificate"),
        "{stolen}"
    );
    assert!(thief.lease(id, Holdings::default(), 1, 0).await.is_err());
    assert!(thief.heartbeat(id, Holdings::default()).await.is_err());
    let leases = mine.lease(id, Holdings::default(), 1, 0).await.unwrap();
    assert_eq!(leases.leased.len(), 1);
    mine.leave(id).await.unwrap();
    let gone = mine.heartbeat(id, Holdings::default()).await.unwrap_err();
    assert_eq!(gone.kind(), RefusalKind::Register);
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn plaintext_for_other_machines_must_be_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings(dir.path(), &["0.3"]);
    settings.listen = "0.0.0.0:0".parse().unwrap();
    let refused = Coordinator::start(settings.clone()).await.unwrap_err();
    assert!(matches!(refused, CoordinatorError::Plaintext(_)));
    assert!(refused.to_string().contains("--insecure"));
    let allowed = Coordinator::start_secured(settings, &Security::Insecure)
        .await
        .unwrap();
    assert!(nobody_is_there(&allowed).await);
    allowed.stop().await.unwrap();
}

/// The directory may be in a place where no socket can be created.
#[tokio::test(flavor = "multi_thread")]
async fn the_owners_socket_stands_elsewhere_if_it_must() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    // Blocks the path of the socket.
    std::fs::create_dir_all(data.join("rpc/full")).unwrap();
    let (coordinator, url) = Coordinator::start_locally(settings(&data, &["0.3"]))
        .await
        .unwrap();
    let path = PathBuf::from(url.strip_prefix("unix:").unwrap());
    assert!(!path.starts_with(&data), "{url}");
    let place = std::fs::metadata(path.parent().unwrap()).unwrap();
    assert_eq!(place.permissions().mode() & 0o777, 0o700);
    assert!(nobody_is_there(&coordinator).await);
    coordinator.stop().await.unwrap();
    assert!(!path.exists());
    assert!(local::url(&data).is_err());
}

#[test]
fn certificates_are_kept_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    let wanted = |name: &str, role, hosts: &[&str]| CertificateSpec {
        name: name.parse().unwrap(),
        roles: vec![role],
        hosts: hosts.iter().map(ToString::to_string).collect(),
        valid: YEAR,
    };
    let made = make(lab.path(), &wanted("a", Role::Worker, &[])).unwrap();
    for key in [&made.key, &lab.path().join("ca.key")] {
        let mode = std::fs::metadata(key).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let before = std::fs::read(&made.key).unwrap();
    let again = make(lab.path(), &wanted("a", Role::Worker, &[]));
    assert!(matches!(again, Err(CertificateFileError::Exists(_))));
    assert_eq!(std::fs::read(&made.key).unwrap(), before);
    assert!(make_authority(lab.path(), YEAR).unwrap().is_none());
    let reserved = make(lab.path(), &wanted("ca", Role::Worker, &[]));
    assert!(matches!(reserved, Err(CertificateFileError::Reserved)));
    let nowhere = make(lab.path(), &wanted("c", Role::Coordinator, &[]));
    assert!(matches!(nowhere, Err(CertificateFileError::NoHost)));
    let bad = make(lab.path(), &wanted("c", Role::Coordinator, &["a b"]));
    assert!(matches!(bad, Err(CertificateFileError::Host(_))));
    std::fs::remove_file(lab.path().join("ca.pem")).unwrap();
    let half = make_authority(lab.path(), YEAR);
    assert!(matches!(half, Err(CertificateFileError::HalfAuthority(_))));
}

/// Tests that the word of a checker is taken only with its role, which is none of the others.
#[tokio::test(flavor = "multi_thread")]
async fn checking_needs_the_role_of_a_checker() {
    let (lab, dir) = (Lab::new(), tempfile::tempdir().unwrap());
    let coordinator = lab
        .coordinator(dir.path(), &["0.3", "0.77", "0.123", "0.07"])
        .await;
    let url = format!("https://localhost:{}", coordinator.address().port());
    let check = |credentials: Credentials, stops| {
        let settings = CheckerSettings {
            coordinator: url.clone(),
            name: "machine".to_owned(),
            slots: 1,
            sign_of_life: None,
            give_up_after: None,
        };
        async move {
            let security = Security::Mutual(Box::new(credentials));
            check_secured(settings, &security, stops).await
        }
    };
    let (_stop, stops) = watch::channel(false);
    for role in [Role::Worker, Role::Reader, Role::Operator] {
        let refused = check(lab.with_role(role), stops.clone()).await;
        let error = refused.unwrap_err().to_string();
        assert!(
            error.contains("this call needs the role checker"),
            "{error}"
        );
    }
    let own = lab.with_role(Role::Checker);
    let error = registered(secured(&coordinator, own.clone()))
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("needs the role worker or operator"),
        "{error}"
    );
    let checking = tokio::spawn(check(own, stops.clone()));
    while coordinator.observer().check_counts().checkers == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let settings = misere_worker::Settings {
        coordinator: url,
        name: "machine".to_owned(),
        slots: 1,
        guards: Guards::default(),
        isolation: Isolation::default(),
        grace: Duration::ZERO,
        sign_of_life: None,
        memory_class: misere_census::MemoryClass::TOP,
        checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
        give_up_after: None,
    };
    let own = lab.credentials("lab-1", &[Role::Worker], YEAR);
    let security = Security::Mutual(Box::new(own));
    run_secured(settings, &security, Arc::new(solve_task), stops)
        .await
        .unwrap();
    let counts = coordinator.observer().check_counts();
    assert!(counts.believed + counts.sampled > 0, "{counts:?}");
    checking.await.unwrap().unwrap();
    finish(coordinator).await;
}
