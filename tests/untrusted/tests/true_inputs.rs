//! The stored inputs of every reader include a true one.
//!
//! Changes of a true input come further than invented bytes. With `MISERE_REFRESH_INPUTS=1` the
//! test writes the inputs instead of comparing them: after a change of a form, or of the engine's
//! results.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use misere_algebra::classify::Classifier;
use misere_algebra::classify::batch::{Batch, Scheme};
use misere_algebra::classify::digest::ListDigest;
use misere_census::admission::verify;
use misere_census::chunk::{self, Form, Header, Seal, TaskResult};
use misere_census::normal_results::{BOUNDED, NormalResult, SOLVED};
use misere_census::{Budget, Epoch, Lease, Plan, Space, Task, WorkerId, certificate, schemes};
use misere_check::automaton;
use misere_check::normal_period::{check, check_values, check_with};
use misere_engine::normal::far::{Far, StopReason};
use misere_engine::quotient::{Limits, Strategy, solve, solve_spaced};
use misere_game::bipartite::families::by_name;
use misere_game::control::{Control, Interrupt, Progress};
use misere_game::solution::normal_period::CONVENTION;
use misere_game::solution::normal_values::RareHeaps;
use misere_game::solution::{
    AutomatonDocument, Document, Evidence, NormalPeriod, NormalValuesDocument, PositionAutomaton,
    Solution,
};
use misere_proto::{Running, checkpoint_parts, report, report_parts, v1};
use misere_untrusted::checked::TASKS;
use misere_untrusted::checkpoints;
use prost::Message;
use serde_json::json;

fn solved(code: &str, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    let control = &mut Control::unlimited();
    solve(&code.parse().unwrap(), &limits, Strategy::Exact, control)
}

/// Compares the stored bytes with these, or writes them.
fn keep(target: &str, name: &str, bytes: &[u8]) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions");
    let file = directory.join(target).join(name);
    if std::env::var_os("MISERE_REFRESH_INPUTS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, bytes).unwrap();
    }
    let kept = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    assert!(kept == bytes, "{} is not made any more", file.display());
}

/// Games that end in each of the ways: solved, tame, divergent with evidence, growing, exhausted.
const GAMES: [(&str, u32); 7] = [
    ("0.3", 100),
    ("0.123", 100),
    ("0.53", 100),
    ("0.37", 100),
    ("0.005", 100),
    ("0.26", 20),
    ("4.5", 16),
];

fn certificates() {
    for (code, max_heap) in GAMES {
        let mut claim = solved(code, max_heap);
        // The fuel that the engine spends may change without the claim changing.
        claim.fuel = 1_000;
        keep(
            "certificate_binary",
            code,
            &certificate::encode(&claim).unwrap(),
        );
        let document = serde_json::to_vec(&Document::new(&claim)).unwrap();
        keep("certificate_json", code, &document);
        if let Some(family) = claim.evidence.as_ref().and_then(Evidence::columns) {
            keep("evidence", code, &postcard::to_stdvec(family).unwrap());
        }
    }
}

fn checked_results() {
    let [game, schemes_task] = &*TASKS;
    let mut claim = solved("0.123", 100);
    claim.fuel = 1_000;
    let outcome = schemes::settle(
        schemes_task.as_schemes().unwrap(),
        &mut Control::unlimited(),
    );
    let certificates = [
        ("game", game, certificate::encode(&claim).unwrap()),
        (
            "schemes",
            schemes_task,
            schemes::encode(&outcome.unwrap()).unwrap(),
        ),
    ];
    for (name, task, certificate) in certificates {
        let verified = verify(task, &certificate, Interrupt::default()).unwrap();
        keep("checked_result", name, &verified.state().unwrap());
    }
}

fn texts() {
    let codes = [
        "0.77", "4.007", "0.(12)3", "0.1^5", "0.8F", "grundy", "*[2,0]", "0.137",
    ];
    for (number, code) in codes.into_iter().enumerate() {
        keep("code", &format!("code-{number}"), code.as_bytes());
    }
    let presentations = [
        "⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}",
        "<a,b,c|a^2=1,b^3=b,bc=ab,c^2=b^2>",
        "⟨⟩  P = {}",
        "<x_1,x_2|x_1^2=1,x_1x_2=x_2,x_2^4=x_2^2>",
    ];
    for (number, text) in presentations.into_iter().enumerate() {
        let name = format!("presentation-{number}");
        keep("presentation", &name, text.as_bytes());
    }
}

fn checkpoint() -> Vec<u8> {
    let (game, limits) = (checkpoints::game(), checkpoints::limits());
    let mut first = None;
    let mut keep = |at: &misere_engine::quotient::Checkpoint| {
        first.get_or_insert_with(|| at.clone());
    };
    let control = &mut Control::unlimited();
    let every = 500_000;
    let _ = solve_spaced(
        &game,
        &limits,
        Strategy::Exact,
        None,
        &mut keep,
        every,
        control,
    );
    misere_census::checkpoint::encode(&game, &limits, &first.unwrap()).unwrap()
}

fn normal_checkpoint() -> Vec<u8> {
    let mut far = Far::new(&checkpoints::far_game()).unwrap();
    far.run_until(300, |_, _| {}, &mut Control::unlimited());
    far.to_bytes(7)
}

/// Keeps the results of a game with a period and of one without, as `misere normal run` states
/// them.
///
/// Changes of them keep the form: no reader can refuse the changed results, but the checker does.
fn normal_results() {
    let made = |code: &str, heaps: u32| {
        let mut far = Far::new(&code.parse().unwrap()).unwrap();
        let ended = far.run_until(heaps, |_, _| {}, &mut Control::unlimited());
        let claim = match ended {
            StopReason::Periodic(claim) => Some(claim),
            _ => None,
        };
        let known = claim.as_ref().map_or(far.heap(), |claim| claim.heaps);
        let rare = far.rare().iter().copied().filter(|&heap| heap <= known);
        let marks = far.marks(known);
        let result = NormalResult {
            values: NormalValuesDocument {
                schema: 1,
                code: far.code().clone(),
                convention: CONVENTION.to_owned(),
                status: if claim.is_some() { SOLVED } else { BOUNDED }.to_owned(),
                heaps: known,
                mask: far.space().mask,
                parity: far.space().parity,
                rare_heaps: Some(RareHeaps(rare.collect())),
                max_nim_value: marks.last().map(|mark| mark.max_nim_value),
                limit: None,
                marks,
            },
            period: claim.as_ref().map(|claim| claim.period),
            preperiod: claim.as_ref().map(|claim| claim.preperiod),
            aliases: Vec::new(),
        };
        (result, claim)
    };
    let (solved, claim) = made("0.156", 5_000);
    check(&claim.unwrap(), &mut Control::unlimited()).unwrap();
    let (bounded, _) = made("0.06", 1_200);
    let keep = |name: &str, result: &NormalResult| {
        keep("normal_result", name, &serde_json::to_vec(result).unwrap());
    };
    keep("solved", &solved);
    keep("bounded", &bounded);
    for result in [&solved, &bounded] {
        assert!(is_true(result));
    }
    // Another period, which this number of heaps could prove.
    let mut other_period = solved.clone();
    other_period.period = Some(350);
    other_period.values.heaps += 1;
    if let Some(last) = other_period.values.marks.last_mut() {
        last.heaps += 1;
    }
    // Another list of rare heaps, and one mark that agrees with it.
    let mut another_rare = bounded.clone();
    let last = another_rare.values.heaps;
    let list = another_rare.values.rare_heaps.as_mut().unwrap();
    match list.0.last() == Some(&last) {
        true => drop(list.0.pop()),
        false => list.0.push(last),
    }
    let (count, end) = (list.0.len() as u32, list.0.last().copied().unwrap());
    let mark = another_rare.values.marks.last_mut().unwrap();
    (mark.rare, mark.last_rare) = (count, end);
    // The nim-values of another game.
    let mut other_game = bounded.clone();
    other_game.values.code = "0.6".parse().unwrap();
    for (name, result) in [
        ("other-period", other_period),
        ("another-rare-heap", another_rare),
        ("other-game", other_game),
    ] {
        keep(name, &result);
        let bytes = serde_json::to_vec(&result).unwrap();
        assert!(
            NormalResult::of_bytes(Path::new(name), &bytes).is_ok(),
            "{name}"
        );
        assert!(!is_true(&result), "{name}");
    }
}

/// Reports whether the checker accepts a result, as `misere verify` calls it.
fn is_true(result: &NormalResult) -> bool {
    let control = &mut Control::unlimited();
    let claim = result.values.clone().into_claim().unwrap();
    let (Some(period), Some(preperiod)) = (result.period, result.preperiod) else {
        return check_values(&claim, control).is_ok();
    };
    let period = NormalPeriod {
        code: claim.code,
        period,
        preperiod,
        heaps: claim.heaps,
        mask: claim.mask,
        parity: claim.parity,
        rare: claim.rare.unwrap_or_default(),
    };
    check_with(&period, &claim.marks, control).is_ok()
}

/// Encodes a stream of messages as the target reads it.
fn stream<W: Message>(kind: u8, parts: impl IntoIterator<Item = W>) -> Vec<u8> {
    let mut bytes = vec![kind];
    for part in parts {
        let part = part.encode_to_vec();
        bytes.extend(u16::try_from(part.len()).unwrap().to_le_bytes());
        bytes.extend(part);
    }
    bytes
}

fn messages() {
    let message = |kind: u8, message: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = vec![kind];
        message(&mut bytes);
        bytes
    };
    let task = Task::game(
        "0.07".parse().unwrap(),
        vec!["0.137".parse().unwrap()],
        Budget::default(),
    );
    let batch = Batch {
        most: 8,
        order: 2,
        schemes: vec![Scheme::first()],
    };
    let lease = Lease {
        task: task.id(),
        epoch: Epoch(3),
    };
    let progress = Progress { heap: 7, order: 40 };
    let running = Running { lease, progress };
    let header = report::ReportHeader {
        worker: WorkerId(5),
        lease,
        outcome: report::ReportedOutcome::Certificate(40),
    };
    let all = [
        (
            "lease",
            message(0, &|to| v1::LeaseKey::from(lease).encode(to).unwrap()),
        ),
        (
            "running",
            message(1, &|to| v1::Running::from(running).encode(to).unwrap()),
        ),
        (
            "budget",
            message(2, &|to| {
                v1::Budget::from(Budget::default()).encode(to).unwrap()
            }),
        ),
        (
            "schemes",
            message(3, &|to| v1::Schemes::from(&batch).encode(to).unwrap()),
        ),
        (
            "task",
            message(4, &|to| v1::Task::from(&task).encode(to).unwrap()),
        ),
        (
            "header",
            message(5, &|to| v1::ReportHeader::from(&header).encode(to).unwrap()),
        ),
        ("report", stream(6, report_parts(&header, &[9; 40]))),
        (
            "checkpoint",
            stream(7, checkpoint_parts(WorkerId(5), lease, vec![8; 50])),
        ),
    ];
    for (name, bytes) in all {
        keep("wire_message", name, &bytes);
    }
}

fn chunk_files() {
    for (name, form, space) in [
        ("checked", Form::Checked, Space::Octal { digits: 2 }),
        ("older", Form::WithoutChecksums, Space::Octal { digits: 2 }),
        ("day_five", Form::Checked, Space::BornByFive { late: 0 }),
        ("sealed", Form::Sealed, Space::Octal { digits: 2 }),
    ] {
        let header = Header {
            plan: Plan::new(space, Budget::default()).unwrap(),
            engine: "an engine".to_owned(),
            residue: 1,
            modulus: 3,
        };
        let mut file = Vec::new();
        chunk::begin(&mut file, form, &header).unwrap();
        for code in ["0.3", "0.123"] {
            let mut claim = solved(code, 100);
            claim.fuel = 1_000;
            let found = TaskResult {
                task: Task::game(claim.code.clone(), Vec::new(), Budget::default()).id(),
                certificate: certificate::encode(&claim).unwrap(),
                stated: (form == Form::Sealed).then(|| code.as_bytes().to_vec()),
            };
            chunk::add(&mut file, form, &found).unwrap();
        }
        if form == Form::Sealed {
            let seal = Seal {
                chain: vec![vec![0x30, 3, 2, 1, 0]],
                scheme: 0x0403,
                signature: vec![7; 70],
            };
            chunk::close(&mut file, &seal).unwrap();
        }
        keep("chunk_file", name, &file);
    }
}

fn classifications() {
    let batch = Batch {
        most: 8,
        order: 2,
        schemes: vec![Scheme::first()],
    };
    let settled = batch.settle(1_000_000, &mut Control::unlimited()).unwrap();
    let outcomes = [
        ("settled", schemes::Outcome::Settled(settled)),
        ("exhausted", schemes::Outcome::Exhausted),
    ];
    for (name, outcome) in outcomes {
        keep("schemes", name, &schemes::encode(&outcome).unwrap());
    }
    let mut classifier = Classifier::new(8);
    for level in ["begun", "order-2", "order-4"] {
        let state = classifier.to_bytes();
        // The target appends the hash itself.
        keep("classification", level, &state[..state.len() - 32]);
        classifier.next_order(&mut Control::unlimited()).unwrap();
    }
}

/// Keeps the atlas of some quotients in the codes 0.1, 0.22 and 0.75.
///
/// The engine finds the quotient of a whole game, a partial quotient, and two that a game without
/// record may have.
fn atlas() {
    let whole = |code: &str| {
        let quotient = solved(code, 100).quotient;
        let answer = json!({ "answer": "whole", "code": code });
        (quotient, answer)
    };
    let part = solved("0.123", 100);
    let first = part.phi.iter().position(|&value| value >= 2).unwrap();
    let part = part
        .quotient
        .generated_by(&part.phi[..=first])
        .monoid
        .reduce()
        .monoid;
    let partial = json!({ "answer": "partial", "code": "0.123", "heap": first });
    let mut found = vec![whole("0.1"), whole("0.22"), whole("0.75"), (part, partial)];
    found.sort_by_key(|(quotient, _)| quotient.order());
    found.dedup_by_key(|(quotient, _)| quotient.class_key());
    let restive = by_name("R_12").unwrap();
    found.push((restive, json!({ "answer": "open", "open": 1 })));
    let classes = found
        .iter()
        .map(|(quotient, _)| (quotient.order(), quotient.class_key()));
    let digest = ListDigest::of_classes(classes).to_string();
    let entries = found.iter().map(|(quotient, answer)| {
        json!({
            "order": quotient.order(),
            "p_size": quotient.p_size(),
            "name": quotient.known_name(),
            "class": quotient.class_key(),
            "answers": [answer],
        })
    });
    let document = json!({
        "schema": 1,
        "report": "atlas",
        "digest": digest,
        "complete_orders": { "2": 1, "4": 0, "6": 1, "8": 1 },
        "censuses": [{
            "directory": "octal",
            "bounds": { "games": "octal", "digits": 3 },
            "completeness": { "tasks": 500, "records": 499, "digest": "0".repeat(64) },
        }],
        "entries": entries.collect::<Vec<_>>(),
    });
    keep("atlas", "octal", document.to_string().as_bytes());
    // Without the open game, no game can have the quotient.
    let other = document
        .to_string()
        .replace("\"records\":499", "\"records\":500");
    keep(
        "atlas",
        "no-open-game",
        other.replace("\"open\":1", "\"open\":0").as_bytes(),
    );
}

#[test]
fn true_inputs_are_kept() {
    certificates();
    checked_results();
    texts();
    keep("checkpoint", "sealed", &checkpoint());
    // The older form has no seal of nine bytes.
    keep("checkpoint", "older", &checkpoint()[9..]);
    keep("normal_checkpoint", "300-heaps", &normal_checkpoint());
    normal_results();
    atlas();
    messages();
    chunk_files();
    classifications();
}

/// The automaton of 0.3: an odd number of heaps of odd sizes is a P-position.
#[test]
fn the_automaton_of_a_game() {
    let automaton = PositionAutomaton {
        heap: vec![1, 0, 2, 3],
        step: vec![2, 3, 0, 1],
        p_states: vec![1, 3],
    };
    let code = "0.3".parse().unwrap();
    automaton::check(&code, &automaton, &mut Control::unlimited()).unwrap();
    let document = AutomatonDocument::new(code, automaton, false);
    keep("automaton", "0.3", &serde_json::to_vec(&document).unwrap());
}
