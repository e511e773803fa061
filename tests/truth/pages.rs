//! The pages, judged for each code.

use misere_game::ruleset::Code;
use misere_game::ruleset::renumbering::Renumbering;

use crate::truth::compared::Surface;
use crate::truth::figure1::{judge_kept, judge_normal, judge_words};
use crate::truth::plan::Census;
use crate::truth::rules;
use crate::truth::witnesses::Truth;
use crate::truth::words::{all_between, between, in_address, number_after, plain, unescaped};

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let served = census.served();
    let page = |path: &str| served.get(path);
    let mut game = Surface::new("/game/X", 10);
    let mut listed = Surface::new("/games?code=X", 7);
    let mut growth = Surface::new("/game/X/growth.svg", 0);
    for truth in &census.truths {
        let code = in_address(&truth.code.to_string());
        let answer = page(&format!("/game/{code}"));
        game.same(&truth.code, "answer", answer.status, 200);
        judge_game(&mut game, truth, answer.text());
        judge_row(
            &mut listed,
            truth,
            page(&format!("/games?code={code}")).text(),
        );
        let svg = page(&format!("/game/{code}/growth.svg"));
        judge_growth(&mut growth, truth, svg.text());
    }
    let mut chart = Surface::new("/chart, tooltips", 3);
    let text = page("/").text().to_owned();
    for title in all_between(&text, " title=\"", "\"") {
        let title = unescaped(title);
        let Some((code, says)) = title.split_once(": ") else {
            continue;
        };
        if let Some(truth) = census.truth(code) {
            chart.asked(&truth.code);
            judge_words(&mut chart, truth, says);
            judge_order(&mut chart, truth, says);
            judge_kept(&mut chart, census, truth, says);
        }
    }
    vec![game, listed, growth, chart, classes(census)]
}

/// Returns the text of several elements, with blanks between.
fn apart(html: &str) -> String {
    plain(&html.replace('<', " <"))
}

fn judge_order(surface: &mut Surface, truth: &Truth, says: &str) {
    if let Some(order) = number_after(says, "order ") {
        let heap = number_after(says, &format!("order {order} to heap "));
        let all = truth.period().is_some() || truth.tame_relative().is_some();
        let to = heap.filter(|_| !all).unwrap_or(u32::MAX);
        surface.same(&truth.code, "order", order, truth.sizes_at(to).0);
        if let Some(heap) = heap.filter(|_| !all) {
            surface.holds(&truth.code, "heaps", heap <= truth.heaps(), || heap);
        }
    }
}

/// Judges the page of a game: claims, facts, generators, strip, changes.
fn judge_game(surface: &mut Surface, truth: &Truth, html: &str) {
    let code = &truth.code;
    let text = plain(html);
    let lead = plain(between(html, "<p class=\"lead\">", "</p>").unwrap_or(""));
    judge_words(surface, truth, &lead);
    if let Some((_, sentence)) = lead.split_once(". ") {
        let sentence = sentence.split(';').next().unwrap_or("");
        judge_other_name(surface, truth, sentence);
    }
    let claims = plain(between(html, "<ul class=\"claims\">", "</ul>").unwrap_or(""));
    judge_claims(surface, truth, &claims);
    let facts = between(html, "<dl class=\"pairs\">", "</dl>").unwrap_or("");
    let facts = apart(facts);
    let known = number_after(&facts, "Heaps known ").unwrap_or(u32::MAX);
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    surface.holds(code, "heaps known", all || known <= truth.heaps(), || known);
    let order = number_after(&facts, "Order ").zip(number_after(&facts, "|P| = "));
    let sizes = truth.sizes_at(if all { u32::MAX } else { known });
    surface.same(code, "order and |P|", order, Some(sizes));
    let period = number_after(&facts, "Period ").zip(number_after(&facts, "from heap "));
    let finite = code.finite_game().is_some();
    surface.same(
        code,
        "period",
        period.filter(|_| !finite),
        truth.period().filter(|_| !finite),
    );
    for alias in all_between(html, "title=\"", "\"") {
        let alias = unescaped(alias);
        if let Some((other, _)) = alias.split_once(&format!(" is {code}")) {
            let heaps = rules::same_heaps(code, &other.parse().unwrap()).unwrap_or_default();
            let other = other.parse().unwrap();
            crate::truth::record::judge_sentence(surface, code, &other, &heaps, &alias);
        }
    }
    judge_generators(surface, truth, &text);
    judge_strip(surface, truth, html);
    let rows = between(
        html,
        "at which the partial quotient changed</caption>",
        "</table>",
    );
    let rows = all_between(rows.unwrap_or(""), "<tr><th scope=\"row\">", "</tr>");
    let rows: Vec<[Option<u32>; 3]> = rows
        .into_iter()
        .map(|row| {
            let row = apart(row);
            let mut words = row.split(' ').map(|word| word.parse().ok());
            [0; 3].map(|_| words.next().flatten())
        })
        .collect();
    let true_ones = truth.partials_to(known).into_iter();
    let mut true_ones: Vec<_> = true_ones
        .map(|at| [at.heap, at.order, at.p_size].map(Some))
        .collect();
    // A page shows the last sixty.
    true_ones.drain(..true_ones.len().saturating_sub(rows.len().max(60)));
    surface.same(code, "partial quotients", rows, true_ones);
}

/// Judges "0.07 is 0.4 with every heap one smaller".
fn judge_other_name(surface: &mut Surface, truth: &Truth, sentence: &str) {
    let code = &truth.code;
    let Some((name, rest)) = sentence.split_once(" is ") else {
        return;
    };
    let other = rest.split([' ', ',']).next().unwrap_or("");
    let Ok(other) = other.parse() else { return };
    surface.same(code, "whose sentence", name, code.to_string().as_str());
    let heaps = rules::same_heaps(&other, code).unwrap_or_default();
    crate::truth::record::judge_sentence(surface, &other, code, &heaps, sentence);
}

fn judge_claims(surface: &mut Surface, truth: &Truth, claims: &str) {
    let code = &truth.code;
    let capital = [
        ("Diverges at heap ", truth.diverges_at()),
        ("quotient of the heaps to ", truth.diverges_at()),
        ("Tame relative to heap ", truth.tame_relative()),
    ];
    for (words, truth_says) in capital {
        if let Some(heap) = number_after(claims, words) {
            surface.same(code, words.trim_end(), Some(heap), truth_says);
        }
    }
    if let Some(period) = number_after(claims, "Solved: period ") {
        let from = number_after(claims, &format!("Solved: period {period} from heap "));
        surface.same(
            code,
            "period",
            from.map(|from| (period, from)),
            truth.period(),
        );
    }
    if let Some(multiples) = between(claims, "no two multiples of heap ", " are alike.") {
        let heaps = multiples
            .split(" are alike, and no two of heap ")
            .map(|heap| heap.parse().ok());
        let heaps: Option<Vec<u32>> = heaps.collect();
        let true_ones = Some(truth.distinct_multiples());
        surface.same(code, "distinct multiples", heaps, true_ones);
    }
    if let Some(period) = number_after(claims, "Grows with period ") {
        let start = number_after(claims, &format!("Grows with period {period} from heap "));
        let holds = truth
            .growth()
            .is_none_or(|(from, of)| of == period && start.is_some_and(|start| start >= from));
        surface.holds(code, "grows from", holds, || period);
    }
    if let Some(heap) = number_after(claims, "To heap ") {
        let order = number_after(claims, &format!("To heap {heap} the misère quotient has "));
        let sizes = match truth.tame_relative() {
            Some(_) => truth.sizes_at(u32::MAX),
            None => truth.sizes_at(heap),
        };
        surface.same(code, "order to the last heap", order, Some(sizes.0));
    }
    if let Some(period) = number_after(claims, "nim-values have period ") {
        let from = number_after(
            claims,
            &format!("nim-values have period {period} from heap "),
        );
        judge_normal(surface, truth, from.map(|from| (period, from)));
    }
    let says = [
        ("Tame: ", Some(true)),
        ("Wild: ", Some(false)),
        ("Tame as far as seen", None),
    ];
    let said = says.iter().find(|(words, _)| claims.contains(words));
    let tame = truth.solution.tame();
    surface.same(
        code,
        "tame or wild",
        said.map(|&(_, tame)| tame),
        Some(tame),
    );
}

/// Judges "a = Φ(1), b = Φ(2)".
fn judge_generators(surface: &mut Surface, truth: &Truth, text: &str) {
    let heaps = all_between(text, "= Φ(", ")").into_iter();
    let heaps: Vec<u32> = heaps.filter_map(|heap| heap.parse().ok()).collect();
    let true_ones = &truth.solution.generator_heaps;
    if truth.is_settled() {
        surface.same(&truth.code, "heaps of generators", &heaps, true_ones);
    } else {
        // With more heaps known there may be other generators.
        let live = heaps.iter().all(|&heap| truth.code.is_live(heap));
        surface.holds(&truth.code, "heaps of generators", live, || {
            format!("said {heaps:?}, true {true_ones:?}")
        });
    }
}

/// Judges "heap 3: ab, N-position": outcomes of single heaps, and which heaps are equal.
fn judge_strip(surface: &mut Surface, truth: &Truth, html: &str) {
    // The strip of the genera, which comes later, says other things of the heaps.
    let html = html.split("id=\"genera-title\"").next().unwrap_or(html);
    let mut wrong = Vec::new();
    let mut seen: Vec<(String, u32)> = vec![("1".to_owned(), 0)];
    let mut boxes = 0;
    // Heaps that are equal to some heap need not be equal to a greater one.
    let drawn = all_between(html, " title=\"heap ", "\"").len();
    let is_comparable = truth.is_settled() || drawn as u32 == truth.heaps();
    for title in all_between(html, " title=\"heap ", "\"") {
        let Some((heap, says)) = title.split_once(": ") else {
            continue;
        };
        let (Ok(heap), Some((word, outcome))) = (heap.parse(), says.rsplit_once(", ")) else {
            continue;
        };
        boxes += 1;
        let said = outcome.starts_with('P');
        let rules_say = truth
            .positions
            .iter()
            .find(|(position, _)| *position == [heap]);
        let solved = truth.is_p(heap);
        let value = truth.value(heap);
        let is_true = rules_say.is_none_or(|&(_, is_p)| is_p == said)
            && solved.is_none_or(|is_p| is_p == said);
        let Some(value) = value else { continue };
        let known = seen.iter().find(|(one, of)| one == word || *of == value);
        let alike = known.is_none_or(|(one, of)| one == word && *of == value);
        if known.is_none() {
            seen.push((word.to_owned(), value));
        }
        if !is_true || (is_comparable && !alike) {
            wrong.push(heap);
        }
    }
    surface.holds(
        &truth.code,
        "strip of values",
        wrong.is_empty() && boxes > 0,
        || {
            format!(
                "{} of {boxes} boxes are wrong: {:?}",
                wrong.len(),
                wrong.first()
            )
        },
    );
}

/// Judges the row of the table of games.
fn judge_row(surface: &mut Surface, truth: &Truth, html: &str) {
    let code = &truth.code;
    let rows = all_between(html, "<tr><th scope=\"row\">", "</tr>");
    surface.same(code, "rows", rows.len(), 1);
    let Some(row) = rows.first() else { return };
    let cells: Vec<String> = row.split("</td>").map(plain).collect();
    let (name, stands) = row.split_once("</th>").unwrap();
    let shown = plain(name);
    let (shown, name) = shown.split_once(' ').unwrap_or((&shown, ""));
    surface.same(code, "code", shown, &*code.to_string());
    let is_true = match (
        code.name(),
        name.strip_suffix(')')
            .and_then(|name| name.split_once(" (")),
    ) {
        (Some(own), _) => own == name,
        (None, Some((name, other))) => other.parse::<Code>().is_ok_and(|other| {
            other.name() == Some(name) && Renumbering::between(code, &other).is_some()
        }),
        (None, None) => name.is_empty(),
    };
    surface.holds(code, "name", is_true, || name.to_owned());
    judge_words(surface, truth, &apart(stands));
    let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<u32>().ok());
    let known = number(5).unwrap_or(u32::MAX);
    let all = truth.period().is_some() || truth.tame_relative().is_some();
    surface.holds(code, "heaps", all || known <= truth.heaps(), || known);
    let sizes = truth.sizes_at(if all { u32::MAX } else { known });
    let order = cells.get(1).map_or("", String::as_str);
    let is_partial = order.ends_with('*');
    surface.same(code, "partial", is_partial, truth.period().is_none());
    let order = order.trim_end_matches('*').parse::<u32>().ok();
    surface.same(code, "order and |P|", order.zip(number(2)), Some(sizes));
    surface.same(code, "period", number(3).zip(number(4)), truth.period());
}

/// Judges the end of the picture of growth.
fn judge_growth(surface: &mut Surface, truth: &Truth, svg: &str) {
    let text = apart(svg);
    surface.asked(&truth.code);
    judge_words(surface, truth, &text);
    for words in [
        "diverges at heap ",
        "infinite at heap ",
        "infinite to heap ",
    ] {
        if let Some(heap) = number_after(&text, words) {
            surface.same(&truth.code, words, Some(heap), truth.diverges_at());
        }
    }
}

/// Judges the occurrences of classes: each game at the heaps of the code that is named.
fn classes(census: &Census) -> Surface {
    let mut surface = Surface::new("/class/C, places", 1);
    let mut classes: Vec<String> = Vec::new();
    for truth in &census.truths {
        classes.extend(
            truth
                .solution
                .partials
                .iter()
                .map(|at| at.class.to_string()),
        );
    }
    classes.sort();
    classes.dedup();
    for class in classes.into_iter().step_by(7).take(40) {
        let answer = census.served().get(&format!("/class/{class}"));
        if answer.status != 200 {
            continue;
        }
        for row in all_between(answer.text(), "<tr><th scope=\"row\">", "</tr>") {
            let Some((name, rest)) = row.split_once("</th>") else {
                continue;
            };
            let Some(truth) = census.truth(&plain(name)) else {
                continue;
            };
            let heaps = plain(rest.split("</td>").next().unwrap_or(""));
            let first = heaps.split(|c: char| !c.is_ascii_digit()).next();
            let first = first.and_then(|heap| heap.parse::<u32>().ok());
            let mut partials = truth.solution.partials.iter();
            let true_one = partials.find(|at| at.class.to_string() == class);
            if true_one.is_some() || truth.is_settled() {
                let heap = true_one.map(|at| at.heap);
                surface.same(&truth.code, "first heap with a class", first, heap);
            }
        }
    }
    surface
}
