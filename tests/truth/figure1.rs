//! The chart of all octal games of three digits, judged for each code and in every form.

use std::collections::BTreeMap;

use misere_game::ruleset::Code;
use serde_json::Value;

use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::record::{self, number};
use crate::truth::rules;
use crate::truth::witnesses::Truth;
use crate::truth::words::{all_between, csv, number_after, unescaped};

/// The number of heaps to which the chart computes normal play.
const NORMAL_HEAPS: &str = "300";

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let chart = |form: &str| {
        census.text(&[
            "report",
            "figure1",
            "--normal-heaps",
            NORMAL_HEAPS,
            "--format",
            form,
        ])
    };
    let mut document = Surface::new("report figure1, json", 4);
    let said: Value = serde_json::from_str(&chart("json")).unwrap();
    judge_games(&mut document, census, &said["games"]);

    let mut table = Surface::new("report figure1, csv", 4);
    for row in csv(&chart("csv")) {
        let Some(truth) = census.truth(&row["code"]) else {
            continue;
        };
        judge_row(&mut table, truth, &row);
        judge_same(&mut table, census, truth, &row["same_as"]);
    }
    let mut surfaces = vec![document, table];
    for (form, name) in [
        ("svg", "report figure1, tooltips (svg)"),
        ("html", "report figure1, tooltips (html)"),
    ] {
        let mut surface = Surface::new(name, 4);
        let text = chart(form);
        for title in all_between(&text, "<title>", "</title>") {
            judge_tooltip(&mut surface, census, &unescaped(title));
        }
        surfaces.push(surface);
    }
    let mut differences = Surface::new("report figure1, text", 0);
    for line in chart("text").lines() {
        let Some((code, says)) = line.split_once("  ") else {
            continue;
        };
        if let Some(truth) = census.truth(code) {
            judge_words(&mut differences, truth, says);
        }
    }
    surfaces.push(differences);
    surfaces
}

/// Judges the games of a chart as JSON: of the report, and of the interface for programs.
pub(crate) fn judge_games(surface: &mut Surface, census: &Census, games: &Value) {
    for game in games.as_array().unwrap() {
        let Some(truth) = census.truth(game["code"].as_str().unwrap()) else {
            continue;
        };
        surface.asked(&truth.code);
        judge_words(surface, truth, game["says"].as_str().unwrap_or(""));
        judge_words(surface, truth, game["difference"].as_str().unwrap_or(""));
        if let Some(kept) = game["same_as"].as_str() {
            judge_same(surface, census, truth, kept);
        }
        if let Some(heaps) = number(&game["heaps"]) {
            judge_sizes(surface, truth, heaps, number(&game["order"]));
        }
        let normal = &game["normal_play"];
        let period = number(&normal["period"]).zip(number(&normal["preperiod"]));
        judge_normal(surface, truth, period);
        judge_standing(surface, truth, game["standing"].as_str().unwrap());
    }
}

fn judge_row(surface: &mut Surface, truth: &Truth, row: &BTreeMap<String, String>) {
    let number = |name: &str| row.get(name).and_then(|cell| cell.parse::<u32>().ok());
    let named = |part: &str| row.keys().find(|name| name.contains(part)).cloned();
    for cell in row.values().filter(|cell| cell.contains(" heap ")) {
        judge_words(surface, truth, cell);
    }
    if let Some(heaps) = number("heaps") {
        judge_sizes(surface, truth, heaps, number("order"));
    }
    let normal = named("normal_period").zip(named("normal_preperiod"));
    if let Some((period, preperiod)) = normal {
        judge_normal(surface, truth, number(&period).zip(number(&preperiod)));
    }
    if let Some(standing) = row.get("standing") {
        judge_standing(surface, truth, standing);
    }
}

/// Judges `0.07: diverges at heap 34; quotient of order 638 to heap 33; the same game as 0.4; …`.
fn judge_tooltip(surface: &mut Surface, census: &Census, title: &str) {
    let Some((code, says)) = title.split_once(": ") else {
        return;
    };
    let Some(truth) = census.truth(code) else {
        return;
    };
    surface.asked(&truth.code);
    judge_words(surface, truth, says);
    if let Some(order) = number_after(says, "quotient of order ") {
        let heaps = number_after(says, &format!("quotient of order {order} to heap "));
        judge_sizes(surface, truth, heaps.unwrap_or(u32::MAX), Some(order));
    }
    judge_kept(surface, census, truth, says);
}

/// Judges the code under which a game is kept.
///
/// The text is "the same game as 0.4", or "0.07 is 0.4 with every heap one smaller".
pub(crate) fn judge_kept(surface: &mut Surface, census: &Census, truth: &Truth, says: &str) {
    let code = truth.code.to_string();
    let old = says.split_once("the same game as ");
    let new = says.split_once(&format!("{code} is "));
    let kept = old.or(new);
    let kept = kept.and_then(|(_, rest)| rest.split([';', ' ', ',']).next());
    judge_same(surface, census, truth, kept.unwrap_or(&code));
    if let Some((Ok(kept), (_, rest))) = kept.map(str::parse::<Code>).zip(new) {
        let end = rest
            .find([';', '.'])
            .filter(|_| rest.contains("with every heap"));
        let rest = match rest.split_once("; ") {
            Some((sentence, _)) => sentence,
            None => &rest[..end.unwrap_or(rest.len())],
        };
        let heaps = rules::same_heaps(&kept, &truth.code).unwrap_or_default();
        let sentence = format!("{code} is {rest}");
        record::judge_sentence(surface, &kept, &truth.code, &heaps, &sentence);
    }
}

/// Judges short texts about a game's heaps, in any output.
pub(crate) fn judge_words(surface: &mut Surface, truth: &Truth, says: &str) {
    let code = &truth.code;
    for words in ["diverges at heap ", "proved infinite at heap "] {
        if let Some(heap) = number_after(says, words) {
            let settled = truth.diverges_at();
            surface.same(code, words.trim_end(), Some(heap), settled);
        }
    }
    if let Some(heap) = number_after(says, "tame relative to heap ") {
        surface.same(
            code,
            "tame relative to heap",
            Some(heap),
            truth.tame_relative(),
        );
    }
    if let Some(period) = number_after(says, "solved by a law of period ") {
        surface.same(code, "law", Some(period), truth.law_period());
    }
    if let Some(states) = number_after(says, "solved by an automaton of ") {
        surface.same(code, "automaton", Some(states), truth.automaton_states());
    }
    if let Some(period) = number_after(says, "grows with period ") {
        let start = number_after(says, &format!("grows with period {period} from heap "));
        let holds = truth
            .growth()
            .is_none_or(|(from, of)| of == period && start.is_some_and(|start| start >= from));
        surface.holds(code, "grows from", holds, || says.to_owned());
    }
    for words in [
        "normal play has period ",
        "is normal play, which has period ",
        "normal play is proved to have period ",
    ] {
        if let Some(period) = number_after(says, words) {
            let from = number_after(says, &format!("{words}{period} from heap "));
            judge_normal(surface, truth, from.map(|from| (period, from)));
        }
    }
}

/// Judges a period of the nim-values by the recurrence, as far as that goes.
pub(crate) fn judge_normal(surface: &mut Surface, truth: &Truth, said: Option<(u32, u32)>) {
    let Some((period, preperiod)) = said else {
        return;
    };
    let values = &truth.nim_values;
    if values.len() as u32 > preperiod + 2 * period {
        let holds = rules::has_period(values, period as usize, preperiod as usize);
        surface.holds(&truth.code, "period of normal play", holds, || {
            format!("said {period} from heap {preperiod}")
        });
    }
}

fn judge_sizes(surface: &mut Surface, truth: &Truth, heaps: u32, order: Option<u32>) {
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    surface.holds(&truth.code, "heaps", all || heaps <= truth.heaps(), || {
        heaps
    });
    let true_order = truth.sizes_at(if all { u32::MAX } else { heaps }).0;
    surface.same(&truth.code, "order", order, Some(true_order));
}

/// Checks that the code a game is kept under is a name of it, and the same for all its names.
fn judge_same(surface: &mut Surface, census: &Census, truth: &Truth, kept: &str) {
    let other: Code = kept.parse().unwrap();
    let same = rules::same_heaps(&truth.code, &other).is_some();
    surface.holds(&truth.code, "same game", same, || kept.to_owned());
    let mut codes = census.truths.iter().map(|truth| &truth.code);
    let least = codes.find(|code| code.signature() == truth.code.signature());
    surface.same(&truth.code, "representative", Some(&other), least);
}

fn judge_standing(surface: &mut Surface, truth: &Truth, standing: &str) {
    let is_true = match (standing, truth.solution.tame()) {
        ("tame", tame) => tame == Some(true),
        ("wild-solved", tame) => tame == Some(false),
        ("law", _) => truth.solution.law().is_some(),
        ("automaton", _) => truth.solution.automaton().is_some(),
        ("past-infinite", _) => truth.all_heaps_period().is_some(),
        (standing, _) => truth.is_status(standing),
    };
    surface.holds(&truth.code, "standing", is_true, || {
        format!("said {standing}, true {}", truth.status())
    });
}
