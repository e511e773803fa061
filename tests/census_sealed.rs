//! Parts that a checker has checked and sealed: a merge takes its word, within limits.
#![cfg(unix)]

use std::fs;
use std::io::BufReader;
use std::process::Output;

use misere_census::admission::verify;
use misere_census::chunk::{self, Form, Header, Reader, TaskResult};
use misere_census::{Task, certificate};
use misere_coordinator::seal::{hash_of, seal};
use misere_game::control::Interrupt;
use misere_proto::Credentials;

use crate::support::census::{digest, undisturbed};
use crate::support::process::{assert_refused, done, output, text};

const PLAN: [&str; 4] = ["--digits", "2", "--fuel", "2k"];

/// A directory with an authority, a checker's certificate, and a part that is the whole census.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        let lab = Self(tempfile::tempdir().unwrap());
        let (certs, part) = (lab.path("certs"), lab.path("part"));
        let made = ["coordinator", "certs", "--dir", &certs, "--role", "checker"];
        done(&[&made[..], &["--name", "check-1"]].concat());
        let whole = [
            "census", "chunk", "--res", "0", "--mod", "1", "--out", &part,
        ];
        done(&[&whole[..], &PLAN].concat());
        lab
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Checks a part with the certificate of this name.
    fn check(&self, part: &str, out: &str, name: &str) -> Output {
        let (part, out) = (self.path(part), self.path(out));
        let ca = self.path("certs/ca.pem");
        let cert = self.path(&format!("certs/{name}.pem"));
        let key = self.path(&format!("certs/{name}.key"));
        output(&[
            "census", "chunk", "--json", "--check", &part, "--out", &out, "--ca", &ca, "--cert",
            &cert, "--key", &key,
        ])
    }

    fn merge(&self, census: &str, file: &str, ca: Option<&str>) -> Output {
        let (data, file) = (self.path(census), self.path(file));
        let ca = ca.map(|ca| self.path(ca));
        let mut merge = vec!["census", "merge", "--json", "--data", &data, &file];
        if let Some(ca) = &ca {
            merge.extend(["--ca", ca]);
        }
        output(&merge)
    }

    fn results(&self, part: &str) -> (Header, Vec<TaskResult>) {
        let file = fs::File::open(self.path(part)).unwrap();
        let mut reader = Reader::open(BufReader::new(file)).unwrap().unwrap();
        let header = reader.header().clone();
        let mut results = Vec::new();
        while let Some(found) = reader.next_found().unwrap() {
            results.push(found);
        }
        (header, results)
    }

    /// Writes a file that the checker has sealed, whatever it states.
    fn seal(&self, name: &str, header: &Header, results: &[TaskResult]) {
        let mut bytes = Vec::new();
        chunk::begin(&mut bytes, Form::Sealed, header).unwrap();
        for found in results {
            chunk::add(&mut bytes, Form::Sealed, found).unwrap();
        }
        let read = |file: &str| fs::read(self.path(file)).unwrap();
        let credentials = Credentials {
            authority: read("certs/ca.pem"),
            certificate: read("certs/check-1.pem"),
            key: read("certs/check-1.key"),
        };
        let hash = hash_of(&bytes[..], bytes.len() as u64).unwrap();
        chunk::close(&mut bytes, &seal(&hash, &credentials).unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

#[test]
fn a_sealed_part_makes_the_same_census_without_its_checks() {
    let lab = Lab::new();
    let checked = lab.check("part", "sealed", "check-1");
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    let checked = json(&checked);
    assert_eq!(
        (&checked["refused"], &checked["damaged"]),
        (&0.into(), &0.into())
    );
    for (census, ca) in [("believed", Some("certs/ca.pem")), ("checked", None)] {
        let merged = lab.merge(census, "sealed", ca);
        assert!(merged.status.success(), "{}", text(&merged.stderr));
        let merged = json(&merged);
        assert_eq!(merged["new"], checked["proved"]);
        let believed = merged["files"][0]["believed"].as_u64().unwrap();
        match ca {
            // One in 32 is checked.
            Some(_) => assert!(
                believed * 2 > checked["proved"].as_u64().unwrap(),
                "{merged}"
            ),
            None => assert_eq!(believed, 0),
        }
        assert_eq!(digest(&lab.path(census)), undisturbed(&PLAN));
        // Each record is all that its certificate states.
        done(&["census", "check", "--proofs", "--data", &lab.path(census)]);
    }
    // A sealed file is not continued, and checking is a thing of its own.
    let sealed = lab.path("sealed");
    assert_refused(
        &["census", "chunk", "--out", &sealed],
        1,
        "sealed by a checker",
    );
}

/// Tests a checker that accepts false certificates, and states of them what is true of the game.
#[test]
fn a_checker_that_errs_is_distrusted_and_what_it_sealed_is_checked() {
    let lab = Lab::new();
    let (header, honest) = lab.results("part");
    let tasks: Vec<Task> = header.tasks().collect();
    let mut lies = 0;
    let lying: Vec<TaskResult> = honest
        .iter()
        .map(|found| {
            let task = tasks.iter().find(|task| task.id() == found.task).unwrap();
            let verified = verify(task, &found.certificate, Interrupt::default()).unwrap();
            let mut solution = certificate::decode(&found.certificate).unwrap();
            let order = solution.quotient.order() as u32;
            if lies < 5 && order > 1 {
                lies += 1;
                let last = solution.phi.len() - 1;
                solution.phi[last] = (solution.phi[last] + 1) % order;
            }
            TaskResult {
                task: found.task,
                certificate: certificate::encode(&solution).unwrap(),
                stated: Some(verified.state().unwrap()),
            }
        })
        .collect();
    // Nothing can be read of the last statement, so the checker is found out in any case.
    let mut lying = lying;
    lying.last_mut().unwrap().stated = Some(b"nonsense".to_vec());
    lab.seal("lying", &header, &lying);
    let merged = lab.merge("census", "lying", Some("certs/ca.pem"));
    assert_eq!(merged.status.code(), Some(5), "{}", text(&merged.stderr));
    let said = text(&merged.stderr);
    assert!(
        said.contains("the checker of") && said.contains("erred"),
        "{said}"
    );
    let merged = json(&merged);
    assert!(merged["files"][0]["erred"].is_string(), "{merged}");
    // Everything false is out again. (So may be true claims without proof, if a lie among them was
    // drawn.)
    let records = merged["records"].as_u64().unwrap() as usize;
    assert!(records > 0 && records <= honest.len() - lies, "{merged}");
    done(&["census", "check", "--proofs", "--data", &lab.path("census")]);
    let workers = done(&["census", "workers", "--data", &lab.path("census")]);
    assert!(workers.contains("check-1"), "{workers}");
    // Its word counts no more, also for what is true.
    assert!(lab.check("part", "sealed", "check-1").status.success());
    let again = lab.merge("census", "sealed", Some("certs/ca.pem"));
    assert!(
        text(&again.stderr).contains("is not trusted"),
        "{}",
        text(&again.stderr)
    );
    assert_eq!(json(&again)["files"][0]["believed"], 0);
    assert_eq!(digest(&lab.path("census")), undisturbed(&PLAN));
}

#[test]
fn a_seal_without_worth_is_no_seal() {
    let lab = Lab::new();
    assert!(lab.check("part", "sealed", "check-1").status.success());
    let certs = lab.path("certs");
    done(&[
        "coordinator",
        "certs",
        "--dir",
        &certs,
        "--worker",
        "worker-1",
    ]);
    let others = lab.path("others");
    done(&[
        "coordinator",
        "certs",
        "--dir",
        &others,
        "--role",
        "checker",
    ]);
    let sealed = fs::read(lab.path("sealed")).unwrap();
    let mut flipped = sealed.clone();
    let place = flipped.len() - 20;
    flipped[place] ^= 1;
    fs::write(lab.path("flipped"), flipped).unwrap();
    fs::write(lab.path("cut"), &sealed[..sealed.len() - 1]).unwrap();
    for (file, ca, says) in [
        ("sealed", "others/ca.pem", "its certificate is not accepted"),
        ("flipped", "certs/ca.pem", "all of it is checked here"),
        ("cut", "certs/ca.pem", "the seal is missing"),
    ] {
        let census = format!("census-{file}");
        let merged = lab.merge(&census, file, Some(ca));
        assert!(
            text(&merged.stderr).contains(says),
            "{}",
            text(&merged.stderr)
        );
        assert_eq!(json(&merged)["files"][0]["believed"], 0);
        assert_eq!(digest(&lab.path(&census)), undisturbed(&PLAN));
    }
    // A worker's certificate seals nothing, and no half-written file is left.
    let refused = lab.check("part", "other", "worker-1");
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("lacks the role checker"));
    assert!(!fs::exists(lab.path("other")).unwrap());
    let merged = lab.merge("none", "sealed", Some("nowhere.pem"));
    assert!(
        text(&merged.stderr).contains("cannot read"),
        "{}",
        text(&merged.stderr)
    );
}
