//! The growth of a game, the summary and the figures of solutions, judged for each code.

use misere_game::control::Control;
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::{PositionAutomaton, ThresholdLaw};
use serde_json::Value;

use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record::{self, number};
use crate::truth::rules;
use crate::truth::witnesses::Truth;
use crate::truth::words::{csv, number_after};

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut surfaces = growth(census);
    surfaces.extend([summary_document(census), summary_text(census), laws(census)]);
    surfaces.push(genera(census));
    surfaces.push(infinite_document(census));
    surfaces.extend(figures(census));
    surfaces
}

/// Judges the heap of an event beyond the last heap known.
fn judge_ending(surface: &mut Surface, truth: &Truth, text: &str) {
    for words in [
        "diverges at heap ",
        "infinite at heap ",
        "infinite to heap ",
    ] {
        if let Some(heap) = number_after(text, words) {
            surface.same(&truth.code, words, Some(heap), truth.diverges_at());
        }
    }
    if let Some(heap) = number_after(text, "open beyond heap ") {
        let holds = heap <= truth.heaps() && !truth.is_settled();
        surface.holds(&truth.code, "open beyond heap", holds, || heap);
    }
}

fn growth(census: &Census) -> Vec<Surface> {
    let mut documents = Surface::new("report growth X --format json", 3);
    let mut texts = Surface::new("report growth X", 2);
    for truth in &census.truths {
        let code = truth.code.to_string();
        let args = ["report", "growth", &code, "--format"];
        let said = census.json(&[&args[..], &["json"]].concat());
        documents.same(
            &truth.code,
            "code",
            said["code"].as_str(),
            Some(code.as_str()),
        );
        let heaps = number(&said["heaps"]).unwrap_or(u32::MAX);
        let all = truth.period().is_some() || truth.tame_relative().is_some();
        documents.holds(&truth.code, "heaps", all || heaps <= truth.heaps(), || {
            heaps
        });
        record::judge_partials(&mut documents, truth, &said["partials"], heaps);
        judge_ending(&mut documents, truth, said["ending"].as_str().unwrap_or(""));

        let text = census.text(&[&args[..], &["text"]].concat());
        let (head, _) = text.split_once("\nPlan ").unwrap();
        let title = head.lines().next().unwrap().to_owned();
        let is_of = title.starts_with(&format!("{code}: "));
        texts.holds(&truth.code, "title", is_of, || title.clone());
        let rows = head.lines().filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
            let starts = words.first()?.parse::<u32>().is_ok();
            (starts && numbers.len() >= 3).then(|| (numbers[0], numbers[1], numbers[2]))
        });
        let true_ones = truth.partials_to(heaps).into_iter();
        let true_ones: Vec<_> = true_ones.map(|at| (at.heap, at.order, at.p_size)).collect();
        texts.same(&truth.code, "partial quotients", rows.collect(), true_ones);
        judge_ending(&mut texts, truth, head);
    }
    vec![documents, texts]
}

fn code_of<'a>(census: &'a Census, said: &Value) -> &'a Truth {
    let code = said["code"].as_str().unwrap();
    census.truth(code).unwrap()
}

/// Judges each game under the code that represents it, and how its other codes number heaps.
fn summary_document(census: &Census) -> Surface {
    let mut surface = Surface::new("report summary --json", 3);
    let said = census.json(&["report", "summary", "--json"]);
    let listed = |name: &str| said[name].as_array().unwrap().clone();
    for game in listed("wild_games") {
        let truth = code_of(census, &game);
        let period = number(&game["period"]).zip(number(&game["preperiod"]));
        surface.same(&truth.code, "period", period, truth.period());
        let sizes = number(&game["order"]).zip(number(&game["p_size"]));
        surface.same(&truth.code, "sizes", sizes, Some(truth.sizes_at(u32::MAX)));
        surface.same(&truth.code, "tame", truth.solution.tame(), Some(false));
        judge_same_game(&mut surface, truth, &game);
    }
    for game in listed("tame_relative_games") {
        let truth = code_of(census, &game);
        let heap = number(&game["heap"]);
        surface.same(&truth.code, "heap", heap, truth.tame_relative());
        let order = number(&game["order"]);
        surface.same(
            &truth.code,
            "order",
            order,
            Some(truth.sizes_at(u32::MAX).0),
        );
        let period = number(&game["nim_period"]).zip(number(&game["nim_preperiod"]));
        let tail = truth.solution.tail.and_then(|tail| tail.nim_period);
        let true_period = tail.map(|nim| (nim.period, nim.preperiod));
        surface.same(&truth.code, "nim period", period, true_period);
        judge_same_game(&mut surface, truth, &game);
    }
    for game in listed("growing_games") {
        let truth = code_of(census, &game);
        let growth = number(&game["start"]).zip(number(&game["period"]));
        let known = truth.growth();
        let holds = known.is_none() || growth == known;
        surface.holds(&truth.code, "growth", holds, || {
            format!("{growth:?}, true {known:?}")
        });
        let heaps = number(&game["heaps"]).unwrap();
        let order = number(&game["order"]).unwrap();
        surface.same(&truth.code, "order", order, truth.sizes_at(heaps).0);
        judge_same_game(&mut surface, truth, &game);
    }
    for game in listed("law_games") {
        let truth = code_of(census, &game);
        let period = number(&game["law"]["period"]);
        surface.same(&truth.code, "law", period, truth.law_period());
        judge_same_game(&mut surface, truth, &game);
    }
    for game in listed("automaton_games") {
        let truth = code_of(census, &game);
        let states = number(&game["automaton"]["states"]);
        surface.same(&truth.code, "automaton", states, truth.automaton_states());
        judge_same_game(&mut surface, truth, &game);
    }
    for game in listed("past_infinite_games") {
        let truth = code_of(census, &game);
        let period = number(&game["all_heaps"]["period"]);
        surface.same(&truth.code, "all heaps", period, truth.all_heaps_period());
        judge_same_game(&mut surface, truth, &game);
    }
    surface
}

/// Judges the report of the laws, and their outcomes of small positions.
fn laws(census: &Census) -> Surface {
    let mut surface = Surface::new("report laws --json", 0);
    let said = census.json(&["report", "laws", "--json"]);
    for game in said["solved"].as_array().unwrap() {
        let truth = code_of(census, game);
        let code = &truth.code;
        surface.same(code, "law", number(&game["period"]), truth.law_period());
        let law: ThresholdLaw = serde_json::from_value(game["law"].clone()).unwrap();
        let mut rules = Oracle::new(code, Convention::Misere);
        for (a, b) in (0..9).flat_map(|a| (a..9).map(move |b| (a, b))) {
            let by_rules = rules.outcome(&[a, b], &mut Control::unlimited()).unwrap();
            let by_law = law.outcome([(a.into(), 1), (b.into(), 1)]);
            surface.same(code, &format!("{a} + {b}"), by_law, Some(by_rules));
        }
        judge_same_game(&mut surface, truth, game);
    }
    for game in said["automata"].as_array().unwrap() {
        let truth = code_of(census, game);
        let code = &truth.code;
        let states = number(&game["states"]);
        surface.same(code, "automaton", states, truth.automaton_states());
        let automaton: PositionAutomaton =
            serde_json::from_value(game["automaton"].clone()).unwrap();
        let mut rules = Oracle::new(code, Convention::Misere);
        for (a, b) in (0..9).flat_map(|a| (a..9).map(move |b| (a, b))) {
            let by_rules = rules.outcome(&[a, b], &mut Control::unlimited()).unwrap();
            let said = automaton.outcome([(a.into(), 1), (b.into(), 1)]);
            surface.same(code, &format!("{a} + {b}"), said, Some(by_rules));
        }
        judge_same_game(&mut surface, truth, game);
    }
    for game in said["unsolved"].as_array().unwrap() {
        let truth = code_of(census, game);
        surface.holds(&truth.code, "grows", truth.growth().is_some(), || {
            truth.status()
        });
        judge_same_game(&mut surface, truth, game);
    }
    surface
}

/// Judges the genera of each game: their outcomes are those of the heaps by the rules.
fn genera(census: &Census) -> Surface {
    let mut surface = Surface::new("report genus --json", 8);
    let said = census.json(&["report", "genus", "--json"]);
    for game in said["games"].as_array().unwrap() {
        let truth = code_of(census, game);
        let code = &truth.code;
        let mut rules = Oracle::new(code, Convention::Misere);
        let genera = game["genera"].as_array().unwrap();
        for (heap, genus) in (0..).zip(genera).take(12) {
            let (_, above) = genus.as_str().unwrap().split_once('^').unwrap();
            let by_genus = match above.starts_with('0') {
                true => Outcome::P,
                false => Outcome::N,
            };
            let by_rules = rules.outcome(&[heap], &mut Control::unlimited()).unwrap();
            surface.same(
                code,
                &format!("heap {heap}"),
                Some(by_genus),
                Some(by_rules),
            );
        }
        judge_same_game(&mut surface, truth, game);
    }
    surface
}

/// Judges each game that diverges, with the heap, and the heaps with distinct multiples.
fn infinite_document(census: &Census) -> Surface {
    let mut surface = Surface::new("report infinite --json", 2);
    let said = census.json(&["report", "infinite", "--json"]);
    for (kind, is_proved) in [("infinite", true), ("diverging", false)] {
        for game in said[kind]["games"].as_array().unwrap() {
            let truth = code_of(census, game);
            let heap = number(&game["heap"]);
            surface.same(&truth.code, "heap", heap, truth.diverges_at());
            let distinct = game["distinct_multiples"].as_array().into_iter().flatten();
            let distinct: Vec<u32> = distinct.filter_map(number).collect();
            surface.same(&truth.code, "multiples", !distinct.is_empty(), is_proved);
            judge_same_game(&mut surface, truth, game);
        }
    }
    surface
}

/// Checks that aliases beside numbers of another code come with the change of the heaps.
fn judge_same_game(surface: &mut Surface, truth: &Truth, said: &Value) {
    let code = &truth.code;
    let all = said["renumberings"].as_array();
    for alias in said["aliases"].as_array().unwrap() {
        let alias: Code = alias.as_str().unwrap().parse().unwrap();
        let heaps = rules::same_heaps(code, &alias);
        surface.holds(code, "same game", heaps.is_some(), || alias.to_string());
        let mut renumberings = all.into_iter().flatten();
        let text = alias.to_string();
        let renumbering = renumberings.find(|one| one["code"] == text.as_str());
        let sentence = renumbering.and_then(|one| one["sentence"].as_str());
        let heaps = heaps.unwrap_or_default();
        record::judge_sentence(surface, code, &alias, &heaps, sentence.unwrap_or(""));
    }
}

/// Judges the marks behind aliases in a text: `4.4 (+1)`. Without a mark heaps keep their numbers.
pub(crate) fn judge_marks(surface: &mut Surface, code: &Code, words: &str) {
    let mut words = words.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let Ok(alias) = word.parse::<Code>() else {
            continue;
        };
        let mark = words.next_if(|word| word.starts_with('('));
        let mark = mark.map(|mark| mark.trim_end_matches(','));
        let heaps = rules::same_heaps(code, &alias).unwrap_or_default();
        let shifts: Vec<i64> = rules::shifts(&heaps).into_iter().collect();
        let truth = match shifts[..] {
            [0] => None,
            [shift] => Some(format!("({shift:+})")),
            _ => Some("(renumbered)".to_owned()),
        };
        surface.same(
            code,
            &format!("mark of {alias}"),
            mark.map(str::to_owned),
            truth,
        );
    }
}

/// Judges the tables of the summary: columns code, order, |P|, period, preperiod; or code, heap.
fn summary_text(census: &Census) -> Surface {
    let mut surface = Surface::new("report summary", 1);
    let text = census.text(&["report", "summary"]);
    let mut table = "";
    for line in text.lines() {
        if !line.starts_with("  ") {
            table = line;
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(truth) = words.first().and_then(|code| census.truth(code)) else {
            continue;
        };
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok());
        let code = &truth.code;
        let tail = if table.starts_with("Wild games") {
            let sizes = number(1).zip(number(2));
            surface.same(code, "sizes", sizes, Some(truth.sizes_at(u32::MAX)));
            let period = number(3).zip(number(4));
            surface.same(code, "period", period, truth.period());
            6
        } else if table.starts_with("Tame relative") {
            surface.same(code, "tame relative", number(1), truth.tame_relative());
            8
        } else if table.starts_with("Solved by a law") {
            surface.same(code, "law", number(1), truth.law_period());
            8
        } else if table.starts_with("Solved by an automaton") {
            surface.same(code, "automaton", number(2), truth.automaton_states());
            7
        } else if table.starts_with("Partial quotients grow") {
            let said = number(1).zip(number(2));
            let holds = truth.growth().is_none() || said == truth.growth();
            surface.holds(code, "growth", holds, || format!("{said:?}"));
            5
        } else {
            continue;
        };
        let rest = words.get(tail..).unwrap_or(&[]);
        let codes = rest
            .iter()
            .filter(|word| word.contains('.') || word.starts_with('('));
        let codes: Vec<&str> = codes.copied().collect();
        judge_marks(&mut surface, code, &codes.join(" "));
    }
    surface
}

/// Judges Figures 2 to 7: values heap by heap, period, and the codes of the same game.
fn figures(census: &Census) -> Vec<Surface> {
    let mut documents = Surface::new("report figure2 to 7, json", 3);
    let mut tables = Surface::new("report figure2 to 7, csv", 2);
    let mut texts = Surface::new("report figure2 to 7, text", 1);
    for figure in 2..=7 {
        let name = format!("figure{figure}");
        let said = census.json(&["report", &name, "--json"]);
        for game in said["games"].as_array().unwrap() {
            let (Some(truth), solution) = (
                census.truth(game["code"].as_str().unwrap()),
                &game["solution"],
            ) else {
                continue;
            };
            if !solution.is_object() {
                continue;
            }
            let values = solution["values"].as_array().unwrap().iter();
            let values: Vec<&str> = values.filter_map(Value::as_str).collect();
            let period = number(&solution["period"]).zip(number(&solution["preperiod"]));
            judge_values(&mut documents, truth, &values, period);
            judge_same_game(&mut documents, truth, game);
        }
        for row in csv(&census.text(&["report", &name, "--format", "csv"])) {
            let Some(truth) = census
                .truth(&row["code"])
                .filter(|_| row["status"] == "proved")
            else {
                continue;
            };
            let values: Vec<&str> = row["values"].split_whitespace().collect();
            let period = row["period"]
                .parse()
                .ok()
                .zip(row["preperiod"].parse().ok());
            judge_values(&mut tables, truth, &values, period);
            judge_marks(&mut tables, &truth.code, &row["same_game"]);
        }
        for line in census.text(&["report", &name]).lines() {
            let Some((codes, rest)) = line.split_once(" — ") else {
                continue;
            };
            let Some(code) = codes.split_whitespace().next() else {
                continue;
            };
            let Some(truth) = census.truth(code) else {
                continue;
            };
            let period = number_after(rest, "period ").zip(number_after(rest, "from heap "));
            texts.same(&truth.code, "period", period, truth.period());
            judge_marks(
                &mut texts,
                &truth.code,
                codes.split_once(' ').map_or("", |(_, rest)| rest),
            );
        }
    }
    vec![documents, tables, texts]
}

/// Judges the values of the heaps from 1 on: equal where the true ones are.
fn judge_values(surface: &mut Surface, truth: &Truth, values: &[&str], period: Option<(u32, u32)>) {
    let code = &truth.code;
    if period.is_some() {
        surface.same(code, "period and preperiod", period, truth.period());
    }
    let mut seen: Vec<(&str, u32)> = vec![("1", 0)];
    let mut wrong = None;
    for (heap, word) in (1..).zip(values) {
        let Some(value) = truth.value(heap) else {
            continue;
        };
        match seen
            .iter()
            .find(|(known, value_of)| known == word || *value_of == value)
        {
            Some(&pair) if pair != (*word, value) => wrong = wrong.or(Some(heap)),
            Some(_) => {}
            None => seen.push((word, value)),
        }
    }
    surface.same(code, "values that are equal", wrong, None);
}
