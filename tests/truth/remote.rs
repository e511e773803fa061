//! The coordinator of a running census, judged for each code.
//!
//! The plan has one game more, which is far from an end, so that the coordinator is queried while
//! it is at work; the others are games whose end no fuel changes. The coordinator goes on to serve
//! if that game should end, too.

use std::time::Duration;

use crate::support::census::{address, status};
use crate::support::process::{Process, document};
use crate::support::waiting::until;
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record;
use crate::truth::witnesses::Truth;

/// A game that is far from an end.
const ENDLESS: &str = "0.16";

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Games that need no more fuel than this.
const QUICK: u64 = 60_000;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut surface = Surface::new("query --coordinator URL --json", 17);
    let ends = |truth: &&Truth| {
        truth.solution.fuel < QUICK && matches!(truth.status(), "solved" | "infinite")
    };
    let asked: Vec<&Truth> = census.truths.iter().filter(ends).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let codes = asked.iter().map(|truth| truth.code.to_string());
    let codes: Vec<String> = codes.chain([ENDLESS.to_owned()]).collect();
    let dir = census.scratch.path().join("coordinated");
    let data = dir.to_str().unwrap();
    let evidence = census.budget.limits.max_evidence.to_string();
    let coordinator = Process::spawn(&[
        "coordinator",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--fuel",
        "100G",
        "--keep-serving",
        "--evidence",
        &evidence,
        "--codes",
        &codes.join(","),
    ]);
    let url = format!("http://{}", address(data));
    let worker = Process::spawn(&["worker", "--coordinator", &url, "--slots", "2"]);
    until_one_is_left(data);
    // No worker is left for the last game.
    drop(worker);
    for truth in asked
        .into_iter()
        .step_by(if census.is_large() { 3 } else { 1 })
    {
        let code = truth.code.to_string();
        let said = document(&["query", "--json", "--code", &code, "--coordinator", &url]);
        let records = said["records"].as_array().unwrap();
        surface.same(&truth.code, "games found", records.len(), 1);
        records
            .iter()
            .for_each(|said| record::judge(&mut surface, truth, said));
    }
    drop(coordinator);
    vec![surface]
}

fn until_one_is_left(data: &str) {
    until("all but one game", WAIT_TIMEOUT, || {
        let pending = status(data)["pending"].as_u64();
        pending.is_some_and(|pending| pending <= 1)
    });
}
