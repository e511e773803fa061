//! Admission of callers: who is let in, and who is refused.
//!
//! Coordinators with mutual TLS, and callers with certificates that are expired, shared, revoked or
//! of another authority; other people's accounts on the same machine; keys that everybody can read.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use misere_coordinator::authority::{CertificateSpec, make, make_authority};
use misere_coordinator::rpc::Role;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::census;
use crate::support::process::{Process, copy_to, output};

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Games that keep a worker busy for longer than any test.
const LONG: [&str; 4] = ["--codes", "0.142,0.316,0.414", "--fuel", "100G"];

/// A directory with an authority, certificates, logs and the census `data`.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        make_authority(dir.path(), YEAR).unwrap();
        let lab = Self(dir);
        lab.certificate("coordinator", Role::Coordinator, &["127.0.0.1"], YEAR);
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn certificate(&self, name: &str, role: Role, hosts: &[&str], valid: Duration) {
        let wanted = CertificateSpec {
            name: name.parse().unwrap(),
            roles: vec![role],
            hosts: hosts.iter().map(ToString::to_string).collect(),
            valid,
        };
        make(self.0.path(), &wanted).unwrap();
    }

    fn worker_certificate(&self, name: &str) {
        self.certificate(name, Role::Worker, &[], YEAR);
    }

    /// Renews a certificate by the same authority.
    fn renew(&self, name: &str, role: Role, hosts: &[&str]) {
        for end in ["pem", "key"] {
            fs::remove_file(self.path(&format!("{name}.{end}"))).unwrap();
        }
        self.certificate(name, role, hosts, YEAR);
    }

    /// Returns the options that show a certificate.
    fn shows(&self, name: &str) -> Vec<String> {
        let file = |option: &str, name: String| [option.to_owned(), self.file(&name)];
        [
            file("--ca", "ca.pem".to_owned()),
            file("--cert", format!("{name}.pem")),
            file("--key", format!("{name}.key")),
        ]
        .concat()
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    /// Waits until a log says something.
    fn until_log(&self, name: &str, says: &str) {
        let ready = || self.log(name).contains(says);
        assert!(
            within(ready),
            "{name} does not say `{says}`: {}",
            self.log(name)
        );
    }

    /// Starts a process with a log of this name.
    fn start(&self, log: &str, filter: &str, args: &[String]) -> Process {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        Process::logging(&args, filter, &self.path(&format!("{log}.log")))
    }

    /// Starts a coordinator behind mutual TLS, and returns its port, too.
    fn coordinator(&self, listen: &str, filter: &str, more: &[&str]) -> (Process, u16) {
        let data = self.file("data");
        let given = [
            "coordinator",
            "--data",
            &data,
            "--listen",
            listen,
            "--lease",
            "2s",
        ];
        let given = [&given[..], &LONG, more].concat();
        let mut args: Vec<String> = given.iter().map(ToString::to_string).collect();
        args.extend(self.shows("coordinator"));
        let before = self.log("coordinator").len();
        let process = self.start("coordinator", filter, &args);
        let port = || {
            let log = self.log("coordinator");
            log[before..].lines().find_map(|line| {
                let (_, address) = line.split_once("listening on ")?;
                address.rsplit_once(':')?.1.trim().parse().ok()
            })
        };
        assert!(within(|| port().is_some()), "{}", self.log("coordinator"));
        (process, port().unwrap())
    }

    fn worker(&self, log: &str, shows: &str, port: u16, more: &[&str]) -> Process {
        let url = format!("https://127.0.0.1:{port}");
        let given = [
            "worker",
            "--coordinator",
            &url,
            "--slots",
            "1",
            "--grace",
            "0s",
            "--name",
            log,
        ];
        let given = [&given[..], more].concat();
        let mut args: Vec<String> = given.iter().map(ToString::to_string).collect();
        args.extend(self.shows(shows));
        self.start(log, "info", &args)
    }

    fn status(&self) -> Value {
        census::status(&self.file("data"))
    }

    fn until_workers(&self, number: usize) {
        let there = || self.status()["workers"].as_array().map_or(0, Vec::len) == number;
        assert!(within(there), "{}", self.status());
    }
}

fn within(ready: impl Fn() -> bool) -> bool {
    let since = Instant::now();
    while since.elapsed() < WAIT_TIMEOUT {
        if ready() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// Returns the TCP ports on which a process listens.
fn ports(process: &Process) -> Vec<u16> {
    let place = PathBuf::from(format!("/proc/{}", process.0.id()));
    let sockets: Vec<String> = fs::read_dir(place.join("fd"))
        .unwrap()
        .filter_map(|fd| {
            let target = fs::read_link(fd.ok()?.path()).ok()?;
            let inode = target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']');
            inode.map(ToOwned::to_owned)
        })
        .collect();
    let mut ports = Vec::new();
    for table in ["net/tcp", "net/tcp6"] {
        let table = fs::read_to_string(place.join(table)).unwrap_or_default();
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // 0A: it listens.
            if fields[3] == "0A" && sockets.iter().any(|inode| inode == fields[9]) {
                let port = fields[1].rsplit_once(':').unwrap().1;
                ports.push(u16::from_str_radix(port, 16).unwrap());
            }
        }
    }
    ports
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Runs the command as `nobody`, from a directory that everybody may enter.
///
/// Returns `None` if this test may not change its user.
fn as_nobody(open_to_all: &Path, args: &[&str]) -> Option<std::process::Output> {
    if !is_root() {
        eprintln!("not tried as another user: that needs root");
        return None;
    }
    // The command may have been built below a directory that only its owner may enter.
    let mut command = std::process::Command::new(copy_to(open_to_all));
    command.args(args).stdin(Stdio::null());
    command.uid(65_534).gid(65_534);
    let told = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(told.output().unwrap())
}

fn assert_refused(output: &std::process::Output, says: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(says), "{said}");
}

/// H9: no port beside that of TLS, and no other account on the machine gives orders.
#[test]
fn behind_tls_the_owner_alone_gives_orders() {
    let lab = Lab::new();
    let (coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    assert_eq!(ports(&coordinator), [port]);
    let data = lab.file("data");
    // Everybody may enter the directory, so that the sockets alone keep others out.
    fs::set_permissions(lab.0.path(), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    for socket in ["rpc", "control"] {
        let mode = fs::metadata(Path::new(&data).join(socket)).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600, "{socket}");
    }
    for order in ["pause", "resume", "cancel"] {
        if let Some(said) = as_nobody(lab.0.path(), &["census", order, "--data", &data]) {
            assert_refused(&said, "the owner of that directory alone");
        }
    }
    for (order, paused) in [("pause", true), ("resume", false)] {
        let given = output(&["census", order, "--data", &data]);
        assert!(given.status.success(), "{given:?}");
        assert_eq!(lab.status()["paused"], paused);
    }
    // Queries and orders about workers use the same socket.
    lab.worker_certificate("worker-1");
    let mut worker = lab.worker("one", "worker-1", port, &[]);
    lab.until_workers(1);
    let found = output(&["query", "--data", &data, "--count"]);
    assert!(found.status.success(), "{found:?}");
    let number = lab.status()["workers"][0]["worker"]
        .as_str()
        .unwrap()
        .to_owned();
    let drained = output(&["census", "drain", &number, "--data", &data]);
    assert!(drained.status.success(), "{drained:?}");
    worker.signal(Signal::TERM);
    worker.ended(WAIT_TIMEOUT);
    drop(coordinator);
    // The remains of a killed coordinator are not taken for a running one.
    let said = output(&["census", "cancel", "--data", &data]);
    assert_refused(&said, "no coordinator is at work");
}

/// H9: a census of one process has no port at all, however long the path of its directory is.
#[test]
fn a_census_of_one_machine_has_no_port() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("a".repeat(90)).join("b".repeat(90));
    fs::create_dir_all(&deep).unwrap();
    for data in [dir.path().join("c"), deep.join("c")] {
        let data = data.to_str().unwrap();
        let run = [
            &["census", "run", "--data", data, "--workers", "1"][..],
            &LONG,
        ]
        .concat();
        let mut run = Process::spawn(&run);
        let paused = || {
            let given = output(&["census", "pause", "--data", data]);
            given.status.success()
        };
        assert!(within(paused));
        assert_eq!(ports(&run), [0; 0]);
        run.signal(Signal::TERM);
        assert_eq!(run.ended(WAIT_TIMEOUT), Some(4));
    }
}

/// H7: two processes with one certificate are reported, in the log and in status; those with their
/// own are not.
#[test]
fn workers_that_share_a_certificate_are_told_of() {
    let lab = Lab::new();
    for name in ["lab", "own"] {
        lab.worker_certificate(name);
    }
    let (_coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let _one = lab.worker("one", "lab", port, &[]);
    lab.until_workers(1);
    let _own = lab.worker("own", "own", port, &[]);
    lab.until_workers(2);
    std::thread::sleep(Duration::from_secs(2));
    assert!(!lab.log("coordinator").contains("show one certificate"));
    let _two = lab.worker("two", "lab", port, &[]);
    lab.until_log("coordinator", "two workers show one certificate");
    let shared = lab.status()["shared_certificates"].clone();
    assert_eq!(shared.as_array().map_or(0, Vec::len), 1, "{shared}");
    assert_eq!(shared[0]["name"], "lab");
    assert_eq!(shared[0]["workers"].as_array().unwrap().len(), 2);
    assert_eq!(shared[0]["hosts"], serde_json::json!(["127.0.0.1"]));
    let said = output(&["census", "status", "--data", &lab.file("data")]).stdout;
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("they do not check each other"), "{said}");
}

/// H7: a certificate for each worker in one command, and one more in another.
#[test]
fn a_lab_gets_a_certificate_for_each_worker() {
    let dir = tempfile::tempdir().unwrap();
    let certs = |args: &[&str]| {
        let dir = dir.path().to_str().unwrap();
        let made = output(&[&["coordinator", "certs", "--dir", dir, "--json"][..], args].concat());
        assert!(made.status.success(), "{made:?}");
        serde_json::from_slice::<Value>(&made.stdout).unwrap()
    };
    let many = certs(&["--count", "3"]);
    let names: Vec<_> = many["certificates"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 3);
    assert_eq!(names[2]["name"], "worker-3");
    assert_eq!(names[2]["roles"], serde_json::json!(["worker"]));
    let more = certs(&["--count", "4"]);
    assert_eq!(more["kept"], 3);
    assert_eq!(more["certificates"].as_array().unwrap().len(), 1);
    let one = certs(&["--worker", "host-a", "--worker", "host-b"]);
    assert_eq!(one["certificates"][1]["name"], "host-b");
    for file in ["worker-1.pem", "worker-4.key", "host-b.key"] {
        assert!(dir.path().join(file).exists(), "{file}");
    }
}

/// L2: a refusal is reported with its reason, on both sides.
#[test]
fn a_refused_handshake_is_told_on_both_sides() {
    let (lab, other) = (Lab::new(), Lab::new());
    lab.certificate("late", Role::Worker, &[], Duration::ZERO);
    lab.worker_certificate("known");
    other.worker_certificate("stranger");
    std::thread::sleep(Duration::from_millis(2_100));
    // The filter does not matter.
    let (_coordinator, port) = lab.coordinator("127.0.0.1:0", "error", &[]);
    let gives_up = ["--give-up-after", "1s"];
    let mut late = lab.worker("late", "late", port, &gives_up);
    assert_eq!(late.ended(WAIT_TIMEOUT), Some(6), "{}", lab.log("late"));
    let said = lab.log("late");
    assert!(
        said.contains("error: no coordinator for 1 s, so this worker ends: the coordinator refuses this certificate: it has expired"),
        "{said}"
    );
    lab.until_log(
        "coordinator",
        "the caller's certificate is refused: it has expired",
    );
    assert!(lab.log("coordinator").contains("127.0.0.1:"));
    // Signed by another authority, whose owner trusts ours.
    for end in ["pem", "key"] {
        let file = format!("stranger.{end}");
        fs::copy(other.path(&file), lab.path(&file)).unwrap();
    }
    let mut stranger = lab.worker("stranger", "stranger", port, &gives_up);
    assert_eq!(stranger.ended(WAIT_TIMEOUT), Some(6));
    let said = lab.log("stranger");
    assert!(
        said.contains("refuses this certificate: it is signed by an authority"),
        "{said}"
    );
    // A caller that trusts another authority refuses itself, and so does one that expects another
    // host.
    fs::rename(lab.path("ca.pem"), lab.path("kept.pem")).unwrap();
    fs::copy(other.path("ca.pem"), lab.path("ca.pem")).unwrap();
    let mut trusting = lab.worker("trusting", "known", port, &gives_up);
    assert_eq!(trusting.ended(WAIT_TIMEOUT), Some(6));
    let said = lab.log("trusting");
    assert!(
        said.contains("the coordinator's certificate is refused here"),
        "{said}"
    );
    fs::rename(lab.path("kept.pem"), lab.path("ca.pem")).unwrap();
    let url = format!("https://localhost:{port}");
    let given = ["worker", "--coordinator", &url, "--give-up-after", "1s"];
    let mut args: Vec<String> = given.iter().map(ToString::to_string).collect();
    args.extend(lab.shows("known"));
    let mut elsewhere = lab.start("elsewhere", "info", &args);
    assert_eq!(elsewhere.ended(WAIT_TIMEOUT), Some(6));
    let said = lab.log("elsewhere");
    assert!(
        said.contains("it is not for the host `localhost` but for 127.0.0.1;"),
        "{said}"
    );
}

/// L2: a worker whose URL asks for plaintext learns that the coordinator speaks TLS.
#[test]
fn plaintext_to_a_tls_coordinator_is_explained() {
    let lab = Lab::new();
    let (_coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let url = format!("http://127.0.0.1:{port}");
    let args = ["worker", "--coordinator", &url, "--give-up-after", "1s"];
    let mut plain = lab.start("plain", "info", &args.map(str::to_owned));
    assert_eq!(plain.ended(WAIT_TIMEOUT), Some(6), "{}", lab.log("plain"));
    let said = lab.log("plain");
    let why = format!("so this worker ends: 127.0.0.1:{port} speaks TLS; write https:// in");
    assert!(said.contains(&why), "{said}");
}

/// L2: a flood of refusals does not fill the log.
#[test]
fn refusals_are_told_a_few_at_a_time() {
    use std::io::Write;
    let lab = Lab::new();
    let (_coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    for _ in 0..200 {
        let mut stranger = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
        stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    }
    lab.until_log("coordinator", "not logged one by one");
    let told = lab.log("coordinator");
    let lines = told.matches("the caller does not speak TLS").count();
    assert!((1..100).contains(&lines), "{lines}");
}

/// L3: a worker whose census is over ends by itself.
#[test]
fn a_worker_without_a_coordinator_ends() {
    let lab = Lab::new();
    lab.worker_certificate("worker-1");
    let (coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let mut worker = lab.worker("one", "worker-1", port, &["--give-up-after", "3s"]);
    lab.until_workers(1);
    drop(coordinator);
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(6));
    let said = lab.log("one");
    assert!(
        said.contains(
            "error: no coordinator for 3 s, so this worker ends: no connection to 127.0.0.1:"
        ),
        "{said}"
    );
    // A worker that never reaches any coordinator.
    let mut late = lab.worker("late", "worker-1", port, &["--give-up-after", "1s"]);
    assert_eq!(late.ended(WAIT_TIMEOUT), Some(6));
}

/// L12: a certificate is refused from one moment to the next, by its name or by its fingerprint,
/// and no other one is.
#[test]
fn a_certificate_is_revoked_without_a_restart() {
    let lab = Lab::new();
    for name in ["worker-1", "worker-2"] {
        lab.worker_certificate(name);
    }
    let list = lab.file("revoked");
    fs::write(&list, "# nobody yet\n").unwrap();
    let (coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &["--revoked", &list]);
    let gives_up = ["--give-up-after", "2s"];
    let mut one = lab.worker("one", "worker-1", port, &gives_up);
    let mut two = lab.worker("two", "worker-2", port, &gives_up);
    lab.until_workers(2);
    fs::write(&list, "worker-1   # stolen\n").unwrap();
    coordinator.signal(Signal::HUP);
    // Its connection is closed, and no other is made.
    assert_eq!(one.ended(WAIT_TIMEOUT), Some(6));
    assert!(
        lab.log("one").contains("it is revoked"),
        "{}",
        lab.log("one")
    );
    let mut again = lab.worker("again", "worker-1", port, &gives_up);
    assert_eq!(again.ended(WAIT_TIMEOUT), Some(6));
    let said = lab.log("again");
    assert!(
        said.contains("refuses this certificate: it is revoked"),
        "{said}"
    );
    assert!(two.0.try_wait().unwrap().is_none());
    lab.until_workers(1);
    // A line that is not understood lifts no ban and keeps no other out of force; a changed list is
    // read without a request.
    fs::write(&list, "no name at all\nWORKER-2\n").unwrap();
    assert_eq!(two.ended(WAIT_TIMEOUT), Some(6));
    lab.until_log("coordinator", "line 1: \"no name at all\" is neither");
    let mut again = lab.worker("once-more", "worker-1", port, &gives_up);
    assert_eq!(again.ended(WAIT_TIMEOUT), Some(6));
}

/// L12: certificates are renewed on both sides while both run.
#[test]
fn certificates_are_renewed_without_a_restart() {
    let lab = Lab::new();
    lab.renew("coordinator", Role::Coordinator, &["elsewhere.example"]);
    lab.certificate("worker-1", Role::Worker, &[], Duration::ZERO);
    std::thread::sleep(Duration::from_millis(2_100));
    let (coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let mut worker = lab.worker("one", "worker-1", port, &[]);
    lab.until_log("one", "but for elsewhere.example");
    lab.renew("coordinator", Role::Coordinator, &["127.0.0.1"]);
    coordinator.signal(Signal::HUP);
    lab.until_log(
        "coordinator",
        "the caller's certificate is refused: it has expired",
    );
    lab.renew("worker-1", Role::Worker, &[]);
    lab.until_workers(1);
    worker.signal(Signal::TERM);
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(4));
}

/// A worker first finds the coordinator away, and then that its own certificate has expired.
#[test]
fn a_certificate_that_expired_meanwhile_is_told_at_once() {
    let lab = Lab::new();
    lab.worker_certificate("worker-1");
    let (mut coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let _worker = lab.worker("one", "worker-1", port, &[]);
    lab.until_log("one", "joined");
    coordinator.signal(Signal::KILL);
    assert_eq!(coordinator.ended(WAIT_TIMEOUT), None);
    lab.until_log("one", "the coordinator is away");
    for end in ["pem", "key"] {
        fs::remove_file(lab.path(&format!("worker-1.{end}"))).unwrap();
    }
    lab.certificate("worker-1", Role::Worker, &[], Duration::ZERO);
    std::thread::sleep(Duration::from_millis(2_100));
    let (_coordinator, _) = lab.coordinator(&format!("127.0.0.1:{port}"), "info", &[]);
    lab.until_log("one", "refuses this certificate: it has expired");
}

/// L12: a key that others can read is not a secret.
#[test]
fn a_key_that_others_can_read_is_refused() {
    let lab = Lab::new();
    lab.worker_certificate("worker-1");
    for key in ["worker-1.key", "ca.key"] {
        fs::set_permissions(lab.path(key), Permissions::from_mode(0o644)).unwrap();
    }
    let mut worker = lab.worker("one", "worker-1", 1, &[]);
    assert_eq!(worker.ended(WAIT_TIMEOUT), Some(1));
    let mends = format!("chmod 600 {}", lab.file("worker-1.key"));
    assert!(lab.log("one").contains(&mends), "{}", lab.log("one"));
    let dir = lab.0.path().to_str().unwrap();
    let made = output(&["coordinator", "certs", "--dir", dir, "--name", "two"]);
    assert_refused(&made, &format!("chmod 600 {}", lab.file("ca.key")));
}

/// L5: a line of the log does not grow with every coordinator that a worker has seen.
#[test]
fn the_log_of_a_worker_names_its_number_once() {
    let lab = Lab::new();
    lab.worker_certificate("worker-1");
    let (mut coordinator, port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let _worker = lab.worker("one", "worker-1", port, &[]);
    for number in 1..=3 {
        let joined = || lab.log("one").matches("joined").count() == number;
        assert!(within(joined), "{}", lab.log("one"));
        drop(coordinator);
        coordinator = lab.coordinator(&format!("127.0.0.1:{port}"), "info", &[]).0;
    }
    let log = lab.log("one");
    for line in log.lines() {
        assert!(line.matches("worker=").count() <= 1, "{line}");
    }
}

/// Status, metrics and log say when the certificate of the coordinator expires, also after it was
/// replaced.
#[test]
fn a_certificate_that_expires_is_announced() {
    let lab = Lab::new();
    let (_coordinator, _port) = lab.coordinator("127.0.0.1:0", "info", &[]);
    let day_ms = 86_400_000;
    let now = || {
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
        u64::try_from(since.as_millis()).unwrap()
    };
    let left =
        || lab.status()["certificate_expires_ms"].as_u64().unwrap() / day_ms - now() / day_ms;
    assert!((300..=366).contains(&left()), "{}", left());
    let said = || {
        let said = output(&["census", "status", "--data", &lab.file("data")]).stdout;
        String::from_utf8(said).unwrap()
    };
    assert!(!said().contains("the certificate of the coordinator"));
    for end in ["pem", "key"] {
        fs::remove_file(lab.path(&format!("coordinator.{end}"))).unwrap();
    }
    let week = Duration::from_secs(7 * 86_400);
    lab.certificate("coordinator", Role::Coordinator, &["127.0.0.1"], week);
    lab.until_log("coordinator", "are read again");
    assert!(left() <= 8, "{}", left());
    assert!(
        within(|| said().contains("the certificate of the coordinator expires in 6 days")),
        "{}",
        said()
    );
}
