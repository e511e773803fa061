//! The downloads of a game are certificates of that very game.

use misere_game::solution::{Document, Solution};
use serde_json::Value;

use crate::support::process::output;
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record;
use crate::truth::witnesses::{Truth, judge_solution};
use crate::truth::words::in_address;

/// The number of files that `misere verify` is given at once.
const AT_ONCE: usize = 50;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let served = census.served();
    let mut documents = Surface::new("/api/v1/games/X/solution", 12);
    let mut binaries = Surface::new("/api/v1/games/X/certificate", 3);
    let mut verified = Surface::new("certificates, misere verify", 2);
    let dir = census.scratch.path().join("certificates");
    std::fs::create_dir_all(&dir).unwrap();
    let mut files = Vec::new();
    for (at, truth) in census.truths.iter().enumerate() {
        let code = in_address(&truth.code.to_string());
        let answer = served.get(&format!("/api/v1/games/{code}/solution"));
        documents.same(&truth.code, "answer", answer.status, 200);
        record::judge_heaps(&mut documents, truth, &answer.json());
        judge_document(&mut documents, truth, answer.json());
        let file = dir.join(format!("{at}.json"));
        std::fs::write(&file, &answer.body).unwrap();
        let binary = served.get(&format!("/api/v1/games/{code}/certificate"));
        judge_binary(&mut binaries, truth, &binary.body);
        files.push((truth, file.to_str().unwrap().to_owned()));
    }
    for some in files.chunks(AT_ONCE) {
        let names = some.iter().map(|(_, file)| file.as_str());
        let args: Vec<&str> = ["verify"].into_iter().chain(names).collect();
        let said = output(&args).stdout;
        let said = String::from_utf8(said).unwrap();
        for (truth, file) in some {
            let line = said.lines().find(|line| line.contains(file.as_str()));
            let line = line.unwrap_or("").to_owned();
            let proved = line.starts_with("ok ");
            verified.holds(&truth.code, "verified", proved, || line.clone());
            let code = format!(": {} ", truth.code);
            let is_of = line.contains(&code);
            verified.holds(&truth.code, "whose certificate", is_of, || line.clone());
        }
    }
    vec![documents, binaries, verified]
}

/// Judges a certificate as the census keeps it.
fn judge_binary(surface: &mut Surface, truth: &Truth, bytes: &[u8]) {
    let solution = misere_census::certificate::decode(bytes).ok();
    surface.holds(
        &truth.code,
        "readable",
        solution.is_some(),
        || "no certificate",
    );
    if let Some(solution) = solution {
        judge_solution(surface, truth, &solution);
    }
}

/// Judges a solution as JSON: its claims, Φ, and the heaps of the generators.
pub(crate) fn judge_document(surface: &mut Surface, truth: &Truth, said: Value) {
    // The truth has a little more fuel, which may find a proof that the census did not.
    let ended_alike = said["status"] == truth.status();
    let solution = serde_json::from_value::<Document>(said).map(Document::into_solution);
    let solution: Option<Solution> = solution.ok().and_then(Result::ok);
    surface.holds(
        &truth.code,
        "readable",
        solution.is_some(),
        || "no solution",
    );
    let Some(solution) = solution else { return };
    judge_solution(surface, truth, &solution);
    if truth.is_settled() {
        let (said, true_ones) = (&solution.generator_heaps, &truth.solution.generator_heaps);
        surface.same(&truth.code, "heaps of generators", said, true_ones);
    }
    if truth.is_settled() && ended_alike {
        let multiples = |solution: &Solution| {
            let evidence = solution.evidence.as_ref();
            evidence.map(|evidence| evidence.distinct_multiples().to_vec())
        };
        let (said, true_ones) = (multiples(&solution), multiples(&truth.solution));
        surface.same(&truth.code, "distinct multiples", said, true_ones);
    }
}
