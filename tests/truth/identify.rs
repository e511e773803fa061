//! `misere identify` gives the partial quotient of the game and heap requested.

use serde_json::Value;

use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record::number;
use crate::truth::witnesses::Truth;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut documents = Surface::new("identify X --heap H --json", 6);
    let mut texts = Surface::new("identify X --heap H", 4);
    for truth in &census.truths {
        // The heaps where the numbering matters: the second change, and just before the last.
        let changes: Vec<u32> = truth.solution.partials.iter().map(|at| at.heap).collect();
        let heaps = [changes.get(1).copied(), changes.last().map(|heap| heap - 1)];
        let most = if census.is_large() { 1 } else { 2 };
        for heap in heaps
            .into_iter()
            .flatten()
            .filter(|&heap| heap > 0)
            .take(most)
        {
            let Some(true_one) = truth.partials_to(heap).pop() else {
                continue;
            };
            let (code, heap) = (truth.code.to_string(), heap.to_string());
            let args = ["identify", &code, "--heap", &heap, "--limit", "3"];
            let said = census.json(&[&args[..], &["--json"]].concat());
            let title = titles(truth, &heap);
            let given = said["given"].as_str().unwrap_or("").to_owned();
            documents.holds(
                &truth.code,
                "whose quotient",
                title.contains(&given),
                || given,
            );
            let sizes = number(&said["order"]).zip(number(&said["p_size"]));
            let truth_says = Some((true_one.order, true_one.p_size));
            documents.same(&truth.code, "order and |P|", sizes, truth_says);
            let class = true_one.class.to_string();
            let said_class = said["class"].as_str().unwrap_or("");
            documents.same(&truth.code, "class", said_class, class.as_str());
            judge_generators(&mut documents, truth, &said);
            judge_occurrences(&mut documents, census, &said, true_one.class.to_string());
            let text = census.text(&[&args[..], &["--full"]].concat());
            judge_text(&mut texts, truth, &title, &text);
        }
    }
    vec![documents, texts]
}

/// Returns the possible titles of the answer.
fn titles(truth: &Truth, heap: &str) -> [String; 2] {
    let code = &truth.code;
    [
        format!("the partial quotient of {code} to heap {heap}"),
        format!("the quotient of {code}"),
    ]
}

/// Judges the heaps of the generators: heaps with options, under this very code.
fn judge_generators(surface: &mut Surface, truth: &Truth, said: &Value) {
    let heaps = said["generator_heaps"].as_array();
    let heaps: Vec<u32> = heaps.into_iter().flatten().filter_map(number).collect();
    let live = heaps.iter().all(|&heap| truth.code.is_live(heap));
    surface.holds(&truth.code, "generators", live && !heaps.is_empty(), || {
        format!("some of {heaps:?} have no options")
    });
}

/// Judges the other occurrences of the class: games from a heap on at which they change to the
/// class.
fn judge_occurrences(surface: &mut Surface, census: &Census, said: &Value, class: String) {
    let places = said["census"]["occurrences"].as_array();
    let places = places.into_iter().flatten().map(|place| {
        let first = number(&place["ranges"][0][0]);
        (place["code"].as_str().unwrap().to_owned(), first)
    });
    let named = ["smallest", "earliest"].map(|name| &said["census"][name]);
    let named = named.into_iter().filter_map(|place| {
        let code = place["code"].as_str()?;
        Some((code.to_owned(), number(&place["heap"])))
    });
    for (code, first) in places.chain(named) {
        let Some(truth) = census.truth(&code) else {
            continue;
        };
        let mut partials = truth.solution.partials.iter();
        let truth_says = partials.find(|at| at.class.to_string() == class);
        if truth_says.is_some() || truth.is_settled() {
            let heap = truth_says.map(|at| at.heap);
            surface.same(&truth.code, "first heap with the class", first, heap);
        }
    }
}

fn judge_text(surface: &mut Surface, truth: &Truth, titles: &[String; 2], text: &str) {
    let mut lines = text.lines();
    let title = lines.next().unwrap_or("");
    let known = titles.iter().any(|known| known == title);
    surface.holds(&truth.code, "whose quotient", known, || title);
    let heap = title.rsplit(' ').next().and_then(|word| word.parse().ok());
    if let Some(true_one) = truth.partials_to(heap.unwrap_or(u32::MAX)).pop() {
        let sizes = format!("order {}, {} in P", true_one.order, true_one.p_size);
        let says = text.lines().any(|line| line.ends_with(&sizes));
        surface.holds(&truth.code, "order and |P|", says, || sizes);
        let key = true_one.class;
        let class = match key.label() {
            Some(label) => format!("class {label}, key {key}"),
            None => format!("class {key}"),
        };
        surface.holds(&truth.code, "class", text.contains(&class), || {
            class.clone()
        });
    }
    let generators = text
        .lines()
        .find_map(|line| line.strip_prefix("generators: "));
    for generator in generators
        .unwrap_or("")
        .split(", ")
        .filter(|one| !one.is_empty())
    {
        let heap = generator
            .split(" = heap ")
            .nth(1)
            .and_then(|heap| heap.parse().ok());
        let is_one = heap.is_some_and(|heap| truth.code.is_live(heap));
        surface.holds(&truth.code, "generator", is_one, || generator.to_owned());
    }
}
