//! The atlas names the least game with a quotient, and says "none" only where no game has it.

use misere_game::bipartite::ClassKey;
use serde_json::Value;

use crate::page::served::atlas;
use crate::support::process::document;
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record::number;
use crate::truth::witnesses::Truth;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let file = atlas(census.scratch.path(), &[&census.data]);
    let text = std::fs::read_to_string(&file).unwrap();
    let said: Value = serde_json::from_str(&text).unwrap();
    let mut report = Surface::new("report atlas --json", 3);
    let mut asked = Surface::new("identify X --atlas FILE --json", 2);
    for entry in said["entries"].as_array().unwrap() {
        let class: ClassKey = entry["class"].as_str().unwrap().parse().unwrap();
        let answer = &entry["answers"][0];
        for truth in &census.truths {
            judge_answer(&mut report, truth, class, answer);
        }
        // The game that is named is queried by itself.
        let Some(code) = answer["code"].as_str() else {
            continue;
        };
        let heap = answer["heap"].as_u64().map(|heap| heap.to_string());
        let mut args = vec!["identify", code, "--atlas", &file, "--json"];
        args.extend(heap.as_ref().into_iter().flat_map(|heap| ["--heap", heap]));
        let again = document(&args);
        if let Some(truth) = census.truth(code) {
            let (said, true_one) = (again["class"].as_str(), class.to_string());
            asked.same(&truth.code, "class", said, Some(true_one.as_str()));
            let again = again["atlas"]["answers"][0].as_object().unwrap();
            let mut alike = again.clone();
            alike.retain(|name, _| name != "bounds" && name != "digest");
            asked.same(&truth.code, "answer", &Value::Object(alike), answer);
        }
    }
    vec![report, asked]
}

/// Judges an answer of the atlas on a class by the truth about a code.
fn judge_answer(surface: &mut Surface, truth: &Truth, class: ClassKey, answer: &Value) {
    let code = &truth.code;
    let mut partials = truth.solution.partials.iter();
    let first = partials.find(|at| at.class == class).map(|at| at.heap);
    let is_whole = truth.period().is_some() && truth.solution.quotient.class_key() == class;
    match answer["answer"].as_str().unwrap_or("") {
        "none" => surface.same(code, "no quotient", first, None),
        // With other heap numbers a little more may be found before the fuel is spent.
        "open" if truth.is_settled() => surface.same(code, "open quotient", first, None),
        "whole" => {
            let named = answer["code"].as_str().unwrap();
            if code.to_string() == named {
                surface.holds(code, "quotient of the whole game", is_whole, || named);
            } else if is_whole {
                let is_less = named.parse().is_ok_and(|named| *code > named);
                surface.holds(code, "least game", is_less, || named);
            }
        }
        "partial" => {
            let named = answer["code"].as_str().unwrap();
            surface.holds(code, "no whole game", !is_whole, || named);
            if code.to_string() == named {
                surface.same(code, "heap", number(&answer["heap"]), first);
            } else if first.is_some() && truth.is_settled() {
                let is_less = named.parse().is_ok_and(|named| *code > named);
                surface.holds(code, "least game", is_less, || named);
            }
        }
        _ => {}
    }
}
