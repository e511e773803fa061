//! Certificates, checkpoints and files that are expensive to read, make impossible claims, or were
//! changed on their way.

use std::fs;
use std::path::Path;
use std::time::Duration;

use misere_census::chunk::{Form, Header, Reader, TaskResult};
use misere_census::{InterruptCause, Task, certificate, plan};
use misere_census::{Lease, chunk};
use misere_engine::quotient::{Limits, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{Limit, Solution, Verdict};
use misere_worker::link::{Holdings, LeasedTask, Link, ReportReply};
use misere_worker::pool::ComputationResult;
use tonic::transport::Endpoint;

use crate::support::census;
use crate::support::process::{Process, command, done, output, text};

/// Time limit of short operations: long enough for a machine that is busy with other things.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Games none of which takes long.
const PLAN: [&str; 4] = [
    "--codes",
    "0.77,0.123,0.3,0.07,0.16,0.53,0.31,0.52",
    "--fuel",
    "2M",
];

/// A coordinator of its own process, in a directory of its own.
struct Coordinator {
    process: Process,
    dir: tempfile::TempDir,
}

impl Coordinator {
    /// Starts a coordinator that may have `data_kib` KiB of data, if that is bounded.
    fn start(data_kib: Option<u32>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().to_str().unwrap();
        let listen = [
            "coordinator",
            "--data",
            data,
            "--listen",
            "127.0.0.1:0",
            "--lease",
            "120s",
        ];
        let plain = command(&[&listen[..], &PLAN].concat());
        let process = match data_kib {
            None => plain,
            Some(most) => {
                let mut bounded = std::process::Command::new("sh");
                bounded
                    .args(["-c", &format!("ulimit -d {most} && exec \"$@\""), "sh"])
                    .arg(plain.get_program())
                    .args(plain.get_args())
                    .stdin(std::process::Stdio::null())
                    .stdout(std::process::Stdio::null())
                    .stderr(std::process::Stdio::null());
                bounded
            }
        }
        .spawn()
        .unwrap();
        Self {
            process: Process(process),
            dir,
        }
    }

    fn url(&self) -> String {
        let data = self.dir.path().to_str().unwrap();
        format!("http://{}", census::address(data))
    }

    /// Lets an honest worker do the rest, once the liar has returned its leases.
    ///
    /// Returns the exit code of the coordinator.
    fn finished_by_an_honest_worker(mut self, liar: Liar) -> Option<i32> {
        liar.leaves();
        let worker = ["worker", "--coordinator", &self.url(), "--name", "honest"];
        let _worker = Process::spawn(&worker);
        self.process.ended(2 * WAIT_TIMEOUT)
    }
}

/// A worker that sends false results.
struct Liar {
    link: Link,
    worker: misere_census::WorkerId,
    leased: Vec<LeasedTask>,
    runtime: tokio::runtime::Runtime,
}

impl Liar {
    fn of(coordinator: &Coordinator) -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let url = coordinator.url();
        let (link, worker, leased) = runtime.block_on(async {
            let mut link = Link::new(Endpoint::from_shared(url).unwrap());
            let (worker, _) = link.register("liar", 8).await.unwrap();
            let leases = link.lease(worker, Holdings::default(), 8, 0).await;
            (link, worker, leases.unwrap().leased)
        });
        assert!(leased.len() >= 4, "{leased:?}");
        Self {
            link,
            worker,
            leased,
            runtime,
        }
    }

    fn leaves(mut self) {
        let left = self.link.leave(self.worker);
        self.runtime.block_on(left).unwrap();
    }

    /// Returns the current lease.
    fn lease(&self) -> (Lease, Task) {
        let leased = &self.leased[0];
        let (task, epoch) = (leased.task.id(), leased.epoch);
        (Lease { task, epoch }, leased.task.clone())
    }

    fn code(&self) -> String {
        let (_, Task::Game(game)) = self.lease() else {
            panic!("no game")
        };
        game.code.to_string()
    }

    /// Reports a certificate for the current lease and returns the answer, which must come in time.
    ///
    /// The next lease is the current one then.
    fn reports(&mut self, certificate: Vec<u8>) -> ReportReply {
        let (lease, _) = self.lease();
        let computed = ComputationResult::Certificate(certificate);
        let cause = InterruptCause::Shutdown;
        let report = self.link.report(self.worker, lease, &computed, cause);
        let answered = async { tokio::time::timeout(WAIT_TIMEOUT, report).await };
        let answer = self.runtime.block_on(answered);
        self.leased.remove(0);
        answer.expect("it is answered in time").unwrap()
    }

    fn hands_in(&mut self, checkpoint: &[u8]) -> bool {
        let (lease, _) = self.lease();
        let kept = self.link.keep_checkpoint(self.worker, lease, checkpoint);
        let answered = async { tokio::time::timeout(WAIT_TIMEOUT, kept).await };
        let answer = self.runtime.block_on(answered);
        answer.expect("it is answered in time").unwrap()
    }
}

fn refused(answer: &ReportReply) -> &str {
    match answer {
        ReportReply::Refused(why) => why,
        other => panic!("{other:?}"),
    }
}

fn varint(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Encodes a table of this many rows with this many entries, all of them the same.
fn table(order: u64, rows: u64, entry: u64) -> Vec<u8> {
    let mut row = Vec::new();
    varint(order, &mut row);
    (0..order).for_each(|_| varint(entry, &mut row));
    let mut bytes = Vec::new();
    varint(order, &mut bytes);
    varint(rows, &mut bytes);
    (0..rows).for_each(|_| bytes.extend(&row));
    // No P-element.
    bytes.push(0);
    bytes
}

/// Encodes a certificate "exhausted: fuel" of a code, without fuel.
///
/// It has this table, and these bytes for what follows.
fn certificate_with(
    code: &str,
    table: &[u8],
    generator_heaps_and_phi: &[u8],
    growth: &[u8],
) -> Vec<u8> {
    let mut bytes = vec![certificate::CERTIFICATE_VERSION, code.len() as u8];
    bytes.extend(code.as_bytes());
    bytes.extend([4, 0]);
    bytes.extend(table);
    bytes.extend(generator_heaps_and_phi);
    // No partial quotients, no tail.
    bytes.extend([0, 0]);
    bytes.extend(growth);
    // No evidence, no fuel.
    bytes.extend([0, 0]);
    bytes
}

/// Encodes a list that is announced and present, all of whose entries are the byte 0.
fn zeros(count: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(count, &mut bytes);
    bytes.resize(bytes.len() + count as usize, 0);
    bytes
}

/// H2. One certificate of 1.2 MB kept a checker busy for minutes.
#[test]
fn a_table_of_many_rows_is_refused_in_a_moment() {
    let coordinator = Coordinator::start(None);
    let mut liar = Liar::of(&coordinator);
    let no_heaps = [0, 1, 0];
    let many_rows = certificate_with(&liar.code(), &table(1, 600_000, 0), &no_heaps, &[0]);
    let answer = liar.reports(many_rows);
    assert!(refused(&answer).contains("unreadable"), "{answer:?}");
    // Where orders allow for many rows, and all of them commute.
    let as_many = certificate_with(&liar.code(), &table(3_000, 3_000, 1), &no_heaps, &[0]);
    refused(&liar.reports(as_many));
    assert_eq!(coordinator.finished_by_an_honest_worker(liar), Some(0));
}

/// H2, through the checkpoint.
#[test]
fn a_checkpoint_of_many_rows_is_refused_in_a_moment() {
    let coordinator = Coordinator::start(None);
    let mut liar = Liar::of(&coordinator);
    let code = liar.code();
    let limits = Limits::default();
    let mut bytes = vec![
        misere_census::checkpoint::CHECKPOINT_VERSION,
        code.len() as u8,
    ];
    bytes.extend(code.as_bytes());
    for limit in [limits.max_heap, limits.max_order, limits.max_copies] {
        varint(limit.into(), &mut bytes);
    }
    varint(limits.max_evidence, &mut bytes);
    // Ticks, levels, words, stand-ins.
    bytes.extend([0, 0, 0, 0]);
    bytes.extend(table(1, 600_000, 0));
    // The longest sequence, partial quotients, the next look.
    bytes.extend([0, 0, 0]);
    assert!(!liar.hands_in(&bytes));
    let honest = output(&[
        "census",
        "status",
        "--data",
        coordinator.dir.path().to_str().unwrap(),
    ]);
    assert!(honest.status.success());
}

/// H3. A certificate of 60 MB took 29 times as much memory and killed a coordinator that may have 1
/// GiB.
#[test]
fn large_certificates_do_not_kill_a_coordinator_of_one_gigabyte() {
    const BYTES: u64 = 60 << 20;
    let coordinator = Coordinator::start(Some(1 << 20));
    let trivial = [1, 0, 0];
    // Rows of one element, as in the finding; rows as many as elements; a function of many heaps; a
    // pattern of many polynomials.
    let mut liar = Liar::of(&coordinator);
    for kind in 0..4 {
        let code = liar.code();
        let bytes = match kind {
            0 => certificate_with(&code, &table(1, BYTES / 2, 0), &[0, 1, 0], &[0]),
            1 => certificate_with(&code, &table(5_400, 5_400, 5_399), &[0, 1, 0], &[0]),
            2 => certificate_with(&code, &trivial, &[&[0][..], &zeros(BYTES)].concat(), &[0]),
            _ => {
                let growth = [&[1, 1, 1][..], &zeros(BYTES), &[0, 0, 0]].concat();
                certificate_with(&code, &trivial, &[0, 1, 0], &growth)
            }
        };
        assert!(bytes.len() as u64 > BYTES - (8 << 20), "{}", bytes.len());
        refused(&liar.reports(bytes));
    }
    assert_eq!(coordinator.finished_by_an_honest_worker(liar), Some(0));
}

/// M7 and L8. A claim that no plan produces is refused, and so is the truth in another spelling.
#[test]
fn verdicts_that_no_computation_has_are_refused() {
    let coordinator = Coordinator::start(None);
    type Claim = fn(&mut Solution);
    let claims: [(&str, Claim); 4] = [
        ("heap 0", |solution| {
            solution.verdict = Verdict::Exhausted(Limit::MaxOrder);
            solution.fuel = 0;
        }),
        ("one copy", |solution| {
            solution.verdict = Verdict::Diverges { heap: 1, copies: 1 };
            solution.fuel = 0;
        }),
        ("all fuel", |solution| {
            solution.verdict = Verdict::Exhausted(Limit::MaxOrder);
            solution.fuel = 2_000_000;
        }),
        ("all copies", |solution| {
            solution.verdict = Verdict::Diverges {
                heap: 1,
                copies: 200,
            };
            solution.fuel = 2_000_000;
        }),
    ];
    let mut liar = Liar::of(&coordinator);
    for (name, claim) in claims {
        let (_, Task::Game(game)) = liar.lease() else {
            panic!("no game")
        };
        let control = &mut Control::new(0, Interrupt::default());
        let mut nothing = solve(
            &game.code,
            &game.budget.limits,
            game.budget.strategy,
            control,
        );
        claim(&mut nothing);
        let answer = liar.reports(certificate::encode(&nothing).unwrap());
        assert!(refused(&answer).contains("budget"), "{name}: {answer:?}");
    }
}

/// L8: one solution has one certificate.
#[test]
fn the_truth_in_capitals_is_refused() {
    let coordinator = Coordinator::start(None);
    let mut liar = Liar::of(&coordinator);
    let (_, Task::Game(game)) = liar.lease() else {
        panic!("no game")
    };
    let budget = game.budget;
    let control = &mut Control::new(budget.fuel, Interrupt::default());
    let solution = solve(&game.code, &budget.limits, budget.strategy, control);
    let mut bytes = certificate::encode(&solution).unwrap();
    let key = solution.class().to_string();
    let at = bytes
        .windows(64)
        .position(|part| part == key.as_bytes())
        .unwrap();
    bytes[at..at + 64].make_ascii_uppercase();
    let answer = liar.reports(bytes);
    assert!(refused(&answer).contains("not written as"), "{answer:?}");
    assert_eq!(coordinator.finished_by_an_honest_worker(liar), Some(0));
}

/// A directory with parts and a census.
struct Lab(tempfile::TempDir);

const PARTS: [&str; 4] = ["--digits", "3", "--fuel", "2k"];

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes the whole plan as one honest part.
    fn honest(&self) -> String {
        let out = self.path("honest");
        let part = ["census", "chunk", "--res", "0", "--mod", "1", "--out", &out];
        done(&[&part[..], &PARTS].concat());
        out
    }

    fn merge(
        &self,
        census: &str,
        file: &str,
        more: &[&str],
    ) -> (Option<i32>, serde_json::Value, String) {
        let census = self.path(census);
        let merge = ["census", "merge", "--json", "--data", &census, file];
        let merged = output(&[&merge[..], more].concat());
        let document = serde_json::from_slice(&merged.stdout).unwrap_or_default();
        (merged.status.code(), document, text(&merged.stderr))
    }

    fn digest(&self, census: &str) -> String {
        census::digest(&self.path(census))
    }
}

/// Writes the honest part with every game given up early.
///
/// After half of the fuel the lie says that all of it is spent. Returns the number of lies.
fn lazy(honest: &str, to: &str) -> u64 {
    let honest = fs::read(honest).unwrap();
    let header: Header = Reader::open(&honest[..]).unwrap().unwrap().header().clone();
    // The form that any release reads.
    let form = Form::WithoutChecksums;
    let mut bytes = Vec::new();
    chunk::begin(&mut bytes, form, &header).unwrap();
    let mut lies = 0;
    for task in plan::tasks(&header.plan) {
        let Task::Game(game) = &task else { continue };
        let fuel = game.budget.fuel;
        let solved = |fuel| {
            let control = &mut Control::new(fuel, Interrupt::default());
            solve(
                &game.code,
                &game.budget.limits,
                game.budget.strategy,
                control,
            )
        };
        let early = solved(fuel / 2);
        if early.verdict != Verdict::Exhausted(Limit::Fuel) {
            continue;
        }
        let lie = Solution { fuel, ..early };
        lies += u64::from(lie != solved(fuel));
        let certificate = certificate::encode(&lie).unwrap();
        let task = task.id();
        chunk::add(
            &mut bytes,
            form,
            &TaskResult {
                task,
                certificate,
                stated: None,
            },
        )
        .unwrap();
    }
    fs::write(to, bytes).unwrap();
    lies
}

/// M1. A part that gives up early was believed, and the honest parts after it passed over.
#[test]
fn a_lazy_part_is_caught_and_undone() {
    let lab = Lab::new();
    let (honest, forged) = (lab.honest(), lab.path("lazy"));
    let lies = lazy(&honest, &forged);
    assert!(lies > 50, "{lies}");
    let (code, _, _) = lab.merge("right", &honest, &[]);
    assert_eq!(code, Some(0));
    let right = lab.digest("right");
    // The lies first.
    let (code, merged, said) = lab.merge("census", &forged, &[]);
    assert_eq!(code, Some(5), "{merged} {said}");
    assert!(merged["disagreements"].as_u64() > Some(0), "{merged}");
    assert!(said.contains("in dispute: "), "{said}");
    // The rest of it was confirmed, so the truth contradicts nothing.
    let (code, merged, said) = lab.merge("census", &honest, &[]);
    assert_eq!(
        (code, merged["disagreements"].as_u64()),
        (Some(0), Some(0)),
        "{said}"
    );
    assert_eq!(lab.digest("census"), right);
    // The truth first.
    let (code, merged, said) = lab.merge("right", &forged, &[]);
    assert_eq!(code, Some(5), "{merged} {said}");
    assert!(merged["disagreements"].as_u64() >= Some(lies), "{merged}");
    assert_eq!(lab.digest("right"), right);
}

/// M1. Lies that are in the census already are replaced when the truth comes.
#[test]
fn lies_that_were_believed_are_replaced_by_the_truth() {
    let lab = Lab::new();
    let (honest, forged) = (lab.honest(), lab.path("lazy"));
    let lies = lazy(&honest, &forged);
    let believed = lab.merge("census", &forged, &["--confirm-one-in", "0"]);
    assert_eq!(believed.0, Some(0), "{}", believed.2);
    let (code, merged, said) = lab.merge("census", &honest, &[]);
    assert_eq!(code, Some(5), "{merged} {said}");
    assert_eq!(merged["disagreements"].as_u64(), Some(lies), "{merged}");
    assert!(said.contains("the census was wrong"), "{said}");
    let (code, _, _) = lab.merge("right", &honest, &[]);
    assert_eq!(code, Some(0));
    assert_eq!(lab.digest("census"), lab.digest("right"));
}

/// L6. A bit in the header began the census of another plan; one in a length lost the whole part.
#[test]
fn a_flipped_bit_in_a_part_is_reported_and_loses_one_record() {
    let lab = Lab::new();
    let honest = lab.honest();
    let bytes = fs::read(&honest).unwrap();
    let (code, merged, _) = lab.merge("right", &honest, &[]);
    assert_eq!(code, Some(0));
    let all = merged["new"].as_u64().unwrap();
    let damaged = lab.path("damaged");
    let flip = |at: usize| {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        fs::write(&damaged, flipped).unwrap();
    };
    let header = Reader::open(&bytes[..]).unwrap().unwrap().whole() as usize;
    for at in (0..header).step_by(5) {
        flip(at);
        let (code, _, said) = lab.merge("none", &damaged, &[]);
        assert_eq!(code, Some(1), "{at}: {said}");
        assert!(
            !Path::new(&lab.path("none")).join("db").exists(),
            "{at}: {said}"
        );
    }
    for (at, census) in [
        (header, "a"),
        (header + 5, "b"),
        (header + 40, "c"),
        (bytes.len() / 2, "d"),
    ] {
        flip(at);
        let (code, merged, said) = lab.merge(census, &damaged, &[]);
        assert_eq!(code, Some(5), "{at}: {said}");
        assert_eq!(
            merged["new"].as_u64(),
            Some(all - 1),
            "{at}: {merged} {said}"
        );
        assert!(said.contains("damaged: "), "{at}: {said}");
    }
    // The job's own command goes on from it.
    flip(header + 40);
    let part = [
        "census", "chunk", "--res", "0", "--mod", "1", "--out", &damaged,
    ];
    done(&[&part[..], &PARTS].concat());
    let (_, merged, said) = lab.merge("c", &damaged, &[]);
    assert_eq!(merged["new"].as_u64(), Some(1), "{merged} {said}");
    assert_eq!(lab.digest("c"), lab.digest("right"));
}
