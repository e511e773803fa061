//! The JSON document of a game, judged for the code requested.

use std::collections::BTreeSet;

use misere_game::ruleset::Code;
use serde_json::Value;

use crate::truth::compared::Surface;
use crate::truth::rules;
use crate::truth::witnesses::{MISERE_HEAPS, Truth};

/// Returns a number of a document, if it is there.
pub(crate) fn number(value: &Value) -> Option<u32> {
    value.as_u64().map(|number| number as u32)
}

/// Returns the code under which a document describes a game.
///
/// Older documents named it `found_as`.
fn told_as(said: &Value) -> Option<&str> {
    said["found_as"].as_str().or(said["code"].as_str())
}

/// Judges everything in the document of a record.
pub(crate) fn judge(surface: &mut Surface, truth: &Truth, said: &Value) {
    let code = &truth.code;
    let text = code.to_string();
    surface.same(code, "code", told_as(said), Some(text.as_str()));
    judge_heaps(surface, truth, said);
    let known = number(&said["heaps"]).unwrap_or(0);
    let (order, p_size) = match truth.is_settled() {
        true => truth.sizes_at(u32::MAX),
        false => truth.sizes_at(known),
    };
    surface.same(code, "order", number(&said["order"]), Some(order));
    surface.same(code, "|P|", number(&said["p_size"]), Some(p_size));
    let class = truth.partials_to(known).pop();
    if let Some(class) = class.filter(|_| truth.is_settled()) {
        let class = class.class.to_string();
        surface.same(code, "class", said["class"].as_str(), Some(class.as_str()));
    }
    let multiples = said["distinct_multiples"].as_array();
    let multiples = multiples.map(|heaps| heaps.iter().filter_map(number).collect::<Vec<_>>());
    if said["status"] == truth.status() {
        let truth_says = Some(truth.distinct_multiples());
        surface.same(code, "distinct multiples", multiples, truth_says);
    }
    let wild_from = number(&said["wild_from"]);
    surface.same(code, "wild from", wild_from, truth.wild_from(known));
    let not_tame = number(&said["first_not_tame"]);
    judge_genus(surface, truth, not_tame, number(&said["first_wild"]));
    judge_same_game(surface, code, said);
}

/// Judges the first heaps that are not tame and wild by their genera.
///
/// The least code of the game decides how far they were sought.
pub(crate) fn judge_genus(
    surface: &mut Surface,
    truth: &Truth,
    not_tame: Option<u32>,
    wild: Option<u32>,
) {
    let code = &truth.code;
    let near = |heap: Option<u32>| heap.filter(|&heap| heap <= MISERE_HEAPS);
    surface.same(code, "first not tame", near(not_tame), truth.first_not_tame);
    let computed = truth.classes.first_not_tame();
    surface.holds(
        code,
        "not tame, computed",
        not_tame.is_none() || not_tame == computed,
        || format!("said {not_tame:?}, computed {computed:?}"),
    );
    let computed = truth.classes.first_wild;
    surface.holds(
        code,
        "wild, computed",
        wild.is_none() || wild == computed,
        || format!("said {wild:?}, computed {computed:?}"),
    );
}

/// Judges what depends on the numbers of heaps, and is in documents of records and of solutions
/// alike.
pub(crate) fn judge_heaps(surface: &mut Surface, truth: &Truth, said: &Value) {
    let code = &truth.code;
    let status = said["status"].as_str().unwrap_or("nothing");
    surface.holds(
        code,
        "status",
        truth.is_status(status) || is_diverging(truth, said),
        || format!("said {status}, true {}", truth.status()),
    );
    let heaps = number(&said["heaps"]).unwrap_or(u32::MAX);
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    surface.holds(code, "heaps known", all || heaps <= truth.heaps(), || {
        format!("said {heaps}, true {}", truth.heaps())
    });
    let period = number(&said["period"]).zip(number(&said["preperiod"]));
    surface.same(code, "period and preperiod", period, truth.period());
    let diverges = number(&said["diverges_at"]);
    if truth.is_settled() && (diverges.is_some() || truth.is_status(status)) {
        let at = truth
            .diverges_at()
            .filter(|_| status != "exhausted" && status != "grows");
        surface.same(code, "diverges at", diverges, at);
    }
    if let Some(tame) = said.get("tame") {
        surface.same(code, "tame", tame.as_bool(), truth.solution.tame());
    }
    judge_partials(surface, truth, &said["partials"], heaps);
    judge_tail(surface, truth, &said["tame_relative"]);
    judge_growth(surface, truth, &said["growth"]);
    if let Some(period) = number(&said["law"]["period"]) {
        surface.same(code, "law", Some(period), truth.law_period());
        let has_status = said["status"] == "solved";
        surface.holds(code, "solved by a law", has_status, || status.to_owned());
    }
    if let Some(states) = number(&said["automaton"]["states"]) {
        surface.same(code, "automaton", Some(states), truth.automaton_states());
        let has_status = said["status"] == "solved";
        surface.holds(code, "solved by an automaton", has_status, || {
            status.to_owned()
        });
    }
    if let Some(period) = number(&said["all_heaps"]["period"]) {
        surface.same(code, "all heaps", Some(period), truth.all_heaps_period());
        let has_status = said["status"] == "solved";
        surface.holds(code, "solved past infinity", has_status, || {
            status.to_owned()
        });
    }
}

/// Reports whether a document of a solution calls the game diverging.
///
/// It does so for a game that is proved infinite, with the evidence beside it.
fn is_diverging(truth: &Truth, said: &Value) -> bool {
    said["status"] == "diverges" && truth.status() == "infinite" && said["evidence"].is_object()
}

pub(crate) fn judge_partials(surface: &mut Surface, truth: &Truth, said: &Value, heaps: u32) {
    let said: Option<Vec<_>> = said.as_array().map(|all| {
        let one = |at: &Value| {
            let numbers = ["heap", "order", "p_size"].map(|name| number(&at[name]));
            (numbers, at["class"].as_str().unwrap_or("").to_owned())
        };
        all.iter().map(one).collect()
    });
    let true_ones = truth.partials_to(heaps).into_iter().map(|at| {
        let numbers = [at.heap, at.order, at.p_size].map(Some);
        (numbers, at.class.to_string())
    });
    let true_ones = Some(true_ones.collect());
    surface.same(&truth.code, "partial quotients", said, true_ones);
}

fn judge_tail(surface: &mut Surface, truth: &Truth, said: &Value) {
    let code = &truth.code;
    let heap = number(&said["heap"]);
    surface.same(code, "tame relative to", heap, truth.tame_relative());
    let period = number(&said["nim_period"]).zip(number(&said["nim_preperiod"]));
    if heap.is_none() {
        return;
    }
    let tail = truth.solution.tail.unwrap();
    let true_period = tail.nim_period.map(|nim| (nim.period, nim.preperiod));
    surface.same(code, "nim period", period, true_period);
    if let Some((period, preperiod)) = period {
        let values = &truth.nim_values;
        if values.len() as u32 >= preperiod + 2 * period {
            let holds = rules::has_period(values, period as usize, preperiod as usize);
            surface.holds(code, "nim period by the recurrence", holds, || {
                format!("said {period} from {preperiod}")
            });
        }
    }
}

/// Judges a pattern: it may begin later than the true one, by whole periods; not earlier.
fn judge_growth(surface: &mut Surface, truth: &Truth, said: &Value) {
    let start = number(&said["start"]).zip(number(&said["period"]));
    if let (Some((start, period)), Some(growth)) = (start, truth.growth()) {
        let holds = period == growth.1 && start >= growth.0 && start < growth.0 + 2 * period;
        surface.holds(&truth.code, "grows from", holds, || {
            format!("said {start} with period {period}, true {growth:?}")
        });
    } else {
        let grows = truth.growth().is_some() || truth.is_status("grows");
        surface.holds(&truth.code, "grows", start.is_none() || grows, || {
            format!("said {start:?}, true {}", truth.status())
        });
    }
}

/// Judges the other codes of the game, and the numbers of their heaps.
pub(crate) fn judge_same_game(surface: &mut Surface, code: &Code, said: &Value) {
    if let Some(kept) = said["representative"].as_str() {
        let same = rules::same_heaps(code, &kept.parse().unwrap()).is_some();
        surface.holds(code, "representative", same, || kept);
    }
    for alias in said["aliases"].as_array().into_iter().flatten() {
        let alias: Code = alias.as_str().unwrap().parse().unwrap();
        let same = alias != *code || said.get("found_as").is_some();
        let same = same && rules::same_heaps(code, &alias).is_some();
        surface.holds(code, "alias", same, || alias.to_string());
    }
    if let Some(all) = said["renumberings"].as_array() {
        let aliases = said["aliases"].as_array().map_or(0, Vec::len);
        surface.same(code, "number of renumberings", all.len(), aliases);
        all.iter()
            .for_each(|one| judge_renumbering(surface, code, one));
    }
}

/// Judges how the heaps of a code are numbered in another, by the options of both.
fn judge_renumbering(surface: &mut Surface, code: &Code, said: &Value) {
    let other: Code = said["code"].as_str().unwrap().parse().unwrap();
    let Some(heaps) = rules::same_heaps(code, &other) else {
        surface.holds(code, "renumbering", false, || other.to_string());
        return;
    };
    let listed = |name: &str| {
        let list = said[name].as_array()?;
        Some(list.iter().filter_map(number).collect::<BTreeSet<u32>>())
    };
    let is_live = |heap: u32| match (listed("dead_heaps"), listed("live_heaps")) {
        (Some(dead), None) => !dead.contains(&heap),
        (None, Some(live)) => live.contains(&heap),
        _ => false,
    };
    let wrong = (1..40).find(|&heap| is_live(heap) == other.options(heap).is_empty());
    surface.same(code, "live heaps of an alias", wrong, None);
    let shifts = rules::shifts(&heaps);
    let mark = match shifts.iter().copied().collect::<Vec<_>>()[..] {
        [] | [0] => None,
        [shift] => Some(format!("{shift:+}")),
        _ => Some("renumbered".to_owned()),
    };
    surface.same(code, "mark", said["mark"].as_str().map(str::to_owned), mark);
    let goes_on = listed("dead_heaps").is_some();
    let last = heaps
        .last()
        .map(|&(from, to)| i64::from(to) - i64::from(from));
    surface.same(
        code,
        "shift",
        said["shift"].as_i64(),
        last.filter(|_| goes_on),
    );
    let sentence = said["sentence"].as_str().unwrap_or("");
    judge_sentence(surface, code, &other, &heaps, sentence);
}

/// Judges a sentence such as "0.07 is 0.4 with every heap one smaller".
pub(crate) fn judge_sentence(
    surface: &mut Surface,
    from: &Code,
    to: &Code,
    heaps: &[(u32, u32)],
    sentence: &str,
) {
    let rest = sentence.strip_prefix(&format!("{to} is {from}"));
    let shifts: Vec<i64> = rules::shifts(heaps).into_iter().collect();
    let words = ["", "one", "two", "three"];
    let said_to_move = |said: &str| -> Option<i64> {
        let (count, way) = said.trim_end_matches(['.', ',']).split_once(' ')?;
        let count = words.iter().position(|&word| word == count)? as i64;
        Some(if way == "smaller" { -count } else { count })
    };
    let is_true = match rest {
        Some(", heap for heap") => shifts.iter().all(|&shift| shift == 0),
        Some(rest) => match rest.split_once("with every heap ") {
            Some((_, said)) => said_to_move(said).is_some_and(|shift| shifts == [shift]),
            None => heaps
                .iter()
                .take_while(|(heap, _)| *heap < 4)
                .all(|(one, other)| rest.contains(&format!("{one} → {other}"))),
        },
        None => false,
    };
    surface.holds(from, "sentence", is_true, || {
        format!("{sentence:?}, true {heaps:?}")
    });
}
