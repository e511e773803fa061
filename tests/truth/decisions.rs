//! Positions decided by the library, the command and the board: the same outcome, by the same
//! ground; and how a game ended, in one sentence everywhere.

use std::collections::BTreeMap;

use misere_answers::{Answer, Conclusion, Effort, Ground};
use misere_game::control::Control;
use misere_game::position::Position;
use misere_game::ruleset::Code;
use misere_game::solution::{Document, Solution};

use crate::support::process::{document, done};
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::witnesses::Truth;
use crate::truth::words::{between, in_address, plain};

/// The number of codes of each conclusion that are queried.
const CODES_PER_CONCLUSION: usize = 5;

/// The number of positions for each of them.
const POSITIONS: usize = 8;

/// The greatest heap of a position; the board has room for it.
const MAX_HEAP: u32 = 90;

/// The grounds by the words of the board.
const GROUNDS: [(&str, Ground); 6] = [
    ("The value of the position is", Ground::Quotient),
    ("misère play is normal play", Ground::NormalPlay),
    ("The proof that the quotient is infinite", Ground::Evidence),
    ("The law of the game", Ground::Law),
    ("The automaton of the game", Ground::Automaton),
    ("All ways to go on were tried", Ground::Definition),
];

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let served = census.served();
    let mut command = Surface::new("misere outcome, and its ground", 4);
    let mut board = Surface::new("/game/X/play, and its ground", 1);
    let mut sentences = Surface::new("how a game ended", 2);
    let file = census.scratch.path().join("decided.json");
    let file = file.to_str().unwrap();
    for truth in chosen(&census.truths) {
        let code = &truth.code;
        let address = in_address(&code.to_string());
        let answer = served.get(&format!("/api/v1/games/{address}/solution"));
        std::fs::write(file, &answer.body).unwrap();
        let solution: Document = serde_json::from_slice(&answer.body).unwrap();
        let solution = solution.into_solution().unwrap();
        for position in positions(&solution) {
            let right = library(&solution, &position);
            let words: Vec<String> = (position.heaps())
                .map(|(heap, copies)| format!("{heap}^{copies}"))
                .collect();
            let text = code.to_string();
            let mut args = vec!["outcome", &text, "--certificate", file, "--json"];
            args.extend(words.iter().map(String::as_str));
            if let Some((outcome, ground)) = &right {
                let said = document(&args);
                let said = (said["outcome"].as_str(), said["method"].as_str());
                let right = (Some(outcome.as_str()), Some(ground.name()));
                command.same(code, "decision", said, right);
            }
            let query = words.join("+").replace('^', "%5E").replace('+', "%2B");
            let page = served.get(&format!("/game/{address}/play?position={query}&hints=on"));
            board.asked(code);
            let said = decided(page.text());
            // A page spends less, and decides no position that the library does not.
            if let Some((outcome, ground)) = said {
                let said = Some((outcome.to_owned(), ground));
                board.same(code, "decision", said, right);
            }
        }
        judge_sentences(&mut sentences, census, truth, &solution);
    }
    vec![command, board, sentences]
}

/// Returns some codes of each conclusion.
fn chosen(truths: &[Truth]) -> Vec<&Truth> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let of_conclusion = |truth: &&Truth| {
        let ending = Conclusion::of(&truth.solution).ending();
        let count = counts.entry(ending.label()).or_default();
        *count += 1;
        // A code without live heaps has no position to decide.
        *count <= CODES_PER_CONCLUSION && (1..20).any(|heap| truth.code.is_live(heap))
    };
    truths.iter().filter(of_conclusion).collect()
}

/// Returns positions of one to three live heaps, some of them beyond the heaps listed.
fn positions(solution: &Solution) -> Vec<Position> {
    let code: &Code = &solution.code;
    let last = code.finite_game().map_or(MAX_HEAP, |game| game.heaps());
    let near = (solution.heaps() + 6).min(last).min(MAX_HEAP);
    let live: Vec<u32> = (1..=near).filter(|&heap| code.is_live(heap)).collect();
    // A linear congruential generator, so that every run has the same positions.
    let mut seed = 12_345_u32;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    let position = |number: usize| -> Position {
        let small = live.len().min(12);
        let heaps = (0..=number % 3).map(|at| match (number + at) % 4 {
            0 => live[next(live.len())],
            _ => live[next(small)],
        });
        heaps.collect()
    };
    (0..POSITIONS).map(position).collect()
}

fn library(solution: &Solution, position: &Position) -> Option<(String, Ground)> {
    let control = &mut Control::unlimited();
    let answer = Answer::new(solution, position, Effort::THOROUGH, None, control).unwrap();
    answer.map(|answer| (answer.outcome.to_string(), answer.method))
}

/// Returns the outcome and the ground that the board states, if it decides the position.
fn decided(html: &str) -> Option<(&'static str, Ground)> {
    let text = plain(html);
    let outcome = match text.contains("You can win") {
        true => "N",
        false if text.contains("No move wins") => "P",
        false => return None,
    };
    let ground = GROUNDS.iter().find(|(words, _)| text.contains(words));
    let (_, ground) = ground.unwrap_or_else(|| panic!("no ground is stated: {text}"));
    Some((outcome, *ground))
}

/// Compares the sentence on how the game ended on its page and in its citation.
fn judge_sentences(surface: &mut Surface, census: &Census, truth: &Truth, solution: &Solution) {
    let code = &truth.code;
    let conclusion = Conclusion::of(solution);
    let sentence = conclusion.sentence();
    let address = in_address(&code.to_string());
    let html = census.served().get(&format!("/game/{address}"));
    let claims = between(html.text(), "<ul class=\"claims\">", "</ul>").unwrap_or("");
    let claims = plain(claims).to_lowercase();
    let on_page = claims.contains(&sentence.to_lowercase());
    surface.holds(code, "sentence on the page", on_page, || claims.clone());
    let text = code.to_string();
    let args = ["cite", &text, "--format", "text", "--data", &census.data];
    let cited = done(&args);
    let sentence = conclusion.sentence_with(solution.tame()).to_lowercase();
    let is_cited = cited.to_lowercase().contains(&sentence);
    surface.holds(code, "sentence of a citation", is_cited, || cited.clone());
}
