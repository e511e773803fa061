//! The text of a solution.
//!
//! It follows the style of the papers' figures: order and P-portion, a presentation
//! `⟨a, b | a^2 = 1, …⟩`, the pretending function as a table whose rows have the length of the
//! period, and the partial quotients. Long lists are cut short and say so: relations and elements
//! always, tables on a terminal. `--full` prints everything.

use std::fmt::Write;

use console::Style;
use misere_answers::{Conclusion, rules};
use misere_game::bipartite::ClassKey;
use misere_game::monoid::word::{Word, generator_name, lex_least_words};
use misere_game::ruleset::FiniteGame;
use misere_game::solution::all_heaps::written;
use misere_game::solution::{
    AllHeaps, Document, Evidence, Growth, NimPeriod, Solution, SolvedBy, Stages, Tail,
};

use misere_census::quantity::write_fuel;

use crate::computation::CheckedSolution;
use crate::terminal::{Page, flow, table};
use crate::{automaton_text, law_text};

/// The number of columns of the labels of the first lines.
const LABEL: usize = 14;

/// The number of lines of relations, or of elements of P, that are shown.
const LINES: usize = 10;

/// The number of columns of the pretending function if no period determines it.
const FREE_COLUMNS: usize = 10;

/// Formats a solution, whose document is `document`; `full` prints everything.
pub fn describe(computed: &CheckedSolution, document: &Document, page: Page, full: bool) -> String {
    let page = match full {
        true => Page { rows: None, ..page },
        false => page,
    };
    let lines = (!full).then_some(LINES);
    let solution = &computed.solution;
    let words = lex_least_words(&solution.quotient);
    let name = solution.code.name();
    let name = name.map_or_else(String::new, |name| format!("  {name}"));
    let rules = rules::in_words(&solution.code);
    let rules = flow(rules.split(' '), 0, page.width);
    let status = status(computed);
    let (verdict, rest) = status.split_once("; ").unwrap_or((&status, ""));
    let rest = rest.replace("; ", "\n");
    let end = if rest.is_empty() { "" } else { "\n" };
    let mut text = format!(
        "{}{name}\n{rules}\n{}\n{rest}{end}\n",
        console::style(&solution.code).bold(),
        verdict_style(Conclusion::of(solution)).apply_to(verdict),
    );
    label(
        &mut text,
        "order",
        &format!(
            "{}, |P| = {}{}",
            solution.quotient.order(),
            solution.quotient.p_size(),
            extent(solution)
        ),
    );
    label(&mut text, "class", &class(solution, full));
    if let Some(evidence) = &solution.evidence {
        label(&mut text, "infinite", &infinite(evidence, page));
        if let Some(all) = evidence.all_heaps() {
            label(&mut text, "all heaps", &all_heaps(evidence, all, page));
        }
    }
    label(&mut text, "quotient", &quotient(document, page, lines));
    label(&mut text, "P", &p_portion(solution, &words, page, lines));
    label(
        &mut text,
        "spent",
        &format!(
            "{} fuel, {:.3} s",
            write_fuel(solution.fuel),
            computed.elapsed.as_secs_f64()
        ),
    );
    if let Some(tail) = &solution.tail {
        label(&mut text, "normal play", &tail_in_words(tail));
    }
    if let Some(growth) = &solution.growth {
        text.push_str("\npattern (a conjecture; it holds to the last heap known)\n");
        text.push_str(&growth_table(solution, growth));
        match &growth.solved_by {
            Some(SolvedBy::Law(law)) => {
                text.push_str("\nlaw (proved: it decides every position of all heaps)\n");
                text.push_str(&law_text::law(law, page.width));
            }
            Some(SolvedBy::Automaton(automaton)) => {
                text.push_str("\nautomaton (proved: it decides every position of all heaps)\n");
                text.push_str(&automaton_text::first_states(
                    &solution.code,
                    automaton,
                    page.width,
                ));
            }
            None => {}
        }
    }
    text.push_str("\npretending function Φ\n");
    text.push_str(&pretending_function(solution, &words, page));
    text.push_str("\npartial quotients\n");
    text.push_str(&partials(solution, page));
    text
}

fn label(text: &mut String, name: &str, content: &str) {
    let _ = writeln!(text, "{name:<LABEL$}{content}");
}

/// Returns the colour of a verdict: green if the game is solved, cyan if its quotient is proved
/// infinite, yellow if it is open.
fn verdict_style(conclusion: Conclusion) -> Style {
    match conclusion {
        Conclusion::FiniteGame { .. }
        | Conclusion::Periodic { .. }
        | Conclusion::Law { .. }
        | Conclusion::Automaton { .. }
        | Conclusion::PastInfinite { .. }
        | Conclusion::TameRelative { .. } => Style::new().green(),
        Conclusion::Infinite { .. } => Style::new().cyan(),
        Conclusion::Diverges { .. }
        | Conclusion::Grows { .. }
        | Conclusion::Exhausted(_)
        | Conclusion::Interrupted => Style::new().yellow(),
    }
}

/// Names the heaps whose quotient is listed, if it is not the quotient of the whole game.
fn extent(solution: &Solution) -> String {
    match solution.verdict.is_periodic() {
        true => String::new(),
        false => format!(" (the partial quotient to heap {})", solution.heaps()),
    }
}

/// Names the isomorphism class: by its name in the papers if it has one, its label and its key.
fn class(solution: &Solution, full: bool) -> String {
    let class = class_line(&solution.class(), full);
    match solution.quotient.known_name() {
        Some(name) => format!("{name}, {class}"),
        None => class,
    }
}

/// Names a class by its label and its key; `full` prints the whole key.
pub fn class_line(class: &ClassKey, full: bool) -> String {
    let key = match full {
        true => class.to_string(),
        false => class.short(),
    };
    match class.label() {
        Some(label) => format!("{label}, key {key}"),
        None => key,
    }
}

/// Describes the verdict.
pub fn status(computed: &CheckedSolution) -> String {
    let solution = &computed.solution;
    let known = format!("Φ known to heap {}", solution.heaps());
    let conclusion = Conclusion::of(solution);
    let sentence = match conclusion {
        Conclusion::Interrupted => match computed.stopped_by {
            Some(by) => format!("interrupted {by}: no verdict"),
            None => conclusion.sentence(),
        },
        _ => match conclusion.option_that_may_help() {
            Some("--evidence") => format!(
                "{} (raise --evidence, to 40M for example)",
                conclusion.sentence()
            ),
            Some(option) => format!("{} (raise {option})", conclusion.sentence()),
            None => conclusion.sentence(),
        },
    };
    let tame = match solution.tame() {
        Some(true) => "; tame",
        Some(false) => "; wild",
        // A solved game has no property only "so far".
        None if solution.all_heaps().is_some() => "",
        None => "; tame so far",
    };
    match conclusion {
        Conclusion::FiniteGame { .. } | Conclusion::Periodic { .. } => format!("{sentence}{tame}"),
        _ => format!("{sentence}; {known}{tame}"),
    }
}

/// Describes the normal play of a game that is tame relative to a heap.
fn tail_in_words(tail: &Tail) -> String {
    let play = match tail.nim_period {
        Some(NimPeriod { period, preperiod }) => {
            format!("nim-values have period {period} from heap {preperiod} on (proved)")
        }
        None => format!(
            "no period of the nim-values known, computed to heap {}",
            tail.nim_heaps
        ),
    };
    match tail.stages {
        Stages::Known(0) => format!("{play}; the quotient is that of the whole game"),
        Stages::Known(k) => {
            format!("{play}; the quotient of the whole game is the tame extension T^{k}(Q)")
        }
        Stages::AtLeast(k) => format!(
            "{play}; the quotient of the whole game is a tame extension T^k(Q), k open, at least \
             {k}"
        ),
    }
}

/// Returns one line for each residue of the pattern: heap, order, size of P, value.
fn growth_table(solution: &Solution, growth: &Growth) -> String {
    let mut rows = vec![
        ["heap n", "order", "|P|", "Φ(n)"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let sizes = growth.orders.iter().zip(&growth.p_sizes);
    for (residue, ((order, p_size), word)) in (0_u32..).zip(sizes.zip(&growth.words)) {
        rows.push(vec![
            format!("{} + {}t", growth.start + residue, growth.period),
            order.to_string(),
            p_size.to_string(),
            word.written(&solution.generator_heaps),
        ]);
    }
    table(&rows)
}

/// Lists heaps for a sentence.
fn list(heaps: &[u32]) -> String {
    let all: Vec<String> = heaps.iter().map(u32::to_string).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

/// Describes the theorem that the evidence proves.
fn infinite(evidence: &Evidence, page: Page) -> String {
    let of = match evidence.distinct_multiples() {
        [heap] => format!("heap {heap}"),
        heaps => format!("each of the heaps {}", list(heaps)),
    };
    let text = format!(
        "proved: all multiples of {of} are pairwise distinguishable among positions of the heaps \
         {}",
        list(&evidence.heaps())
    );
    flow(text.split(' '), LABEL, page.width)
}

/// Lists the words of the heaps that are not letters, to the end of the first period.
fn all_heaps(evidence: &Evidence, all: &AllHeaps, page: Page) -> String {
    let end = all.preperiod.saturating_add(all.period);
    let extended = evidence.with_listed_words();
    let words = extended.words().iter();
    let listed = words.take_while(|other| other.heap < end);
    let listed: Vec<String> = listed
        .map(|other| format!("heap {} as {},", other.heap, written(&other.word)))
        .collect();
    let text = format!(
        "proved: every position is decided. The letters {} count for themselves, {} and so on with \
         period {} from heap {} on",
        list(&evidence.letters()),
        listed.join(" "),
        all.period,
        all.preperiod
    );
    flow(text.split(' '), LABEL, page.width)
}

fn quotient(document: &Document, page: Page, lines: Option<usize>) -> String {
    let generators = &document.quotient.generators;
    if generators.is_empty() {
        return "the trivial monoid {1}".to_owned();
    }
    let mut names: Vec<String> = (0..generators.len())
        .map(|generator| format!("{},", generator_name(generator)))
        .collect();
    if let Some(first) = names.first_mut() {
        first.insert(0, '⟨');
    }
    if let Some(last) = names.last_mut() {
        last.pop();
        last.push_str(" |");
    }
    let relations = document.quotient.presentation.iter();
    let relations: Vec<String> = relations.map(ToString::to_string).collect();
    let list = List {
        before: names,
        items: relations,
        what: "relations",
        close: '⟩',
    };
    list.flow(page.width, lines)
}

fn p_portion(solution: &Solution, words: &[Word], page: Page, lines: Option<usize>) -> String {
    let mut elements: Vec<&Word> = solution
        .quotient
        .p_portion()
        .iter()
        .map(|x| &words[x as usize])
        .collect();
    elements.sort_by(|x, y| x.0.iter().rev().cmp(y.0.iter().rev()));
    if elements.is_empty() {
        return "∅".to_owned();
    }
    let mut items: Vec<String> = elements.iter().map(ToString::to_string).collect();
    if let Some(first) = items.first_mut() {
        first.insert(0, '{');
    }
    let list = List {
        before: Vec::new(),
        items,
        what: "elements",
        close: '}',
    };
    list.flow(page.width, lines)
}

/// A list that may be cut short.
struct List {
    /// The words before the list.
    before: Vec<String>,
    /// The items, without the commas between them.
    items: Vec<String>,
    /// The name of the items.
    what: &'static str,
    /// The bracket after the last item.
    close: char,
}

impl List {
    /// Breaks the list into lines, after a label; into at most that many lines if they are given.
    fn flow(&self, width: usize, lines: Option<usize>) -> String {
        let whole = self.first(self.items.len(), width);
        let is_short = |text: &str, lines| text.lines().count() <= lines;
        let Some(lines) = lines.filter(|&lines| !is_short(&whole, lines)) else {
            return whole;
        };
        let counts: Vec<usize> = (1..self.items.len()).collect();
        let most = counts.partition_point(|&shown| is_short(&self.first(shown, width), lines));
        self.first(most.max(1), width)
    }

    /// Breaks the first items into lines, with the number of those left out.
    fn first(&self, shown: usize, width: usize) -> String {
        let mut parts = self.before.clone();
        for (index, item) in self.items[..shown].iter().enumerate() {
            let is_last = index + 1 == self.items.len();
            let after = if is_last { self.close } else { ',' };
            parts.push(format!("{item}{after}"));
        }
        if shown < self.items.len() {
            let more = cut(self.items.len() - shown, self.what);
            parts.push(format!("…{} {more}", self.close));
        }
        flow(parts.iter().map(String::as_str), LABEL, width)
    }
}

/// Formats the values `Φ(heap 1), Φ(heap 2), …` in rows.
///
/// For a solved game they end with the row in which the first full period ends.
fn pretending_function(solution: &Solution, words: &[Word], page: Page) -> String {
    let values: Vec<String> = solution
        .phi
        .iter()
        .skip(1)
        .map(|&x| words[x as usize].to_string())
        .collect();
    if let Some(game) = solution.code.finite_game() {
        return followers(game, &values, page);
    }
    if values.is_empty() {
        return "  (no heap is known)\n".to_owned();
    }
    let cell = values
        .iter()
        .map(String::len)
        .max()
        .unwrap_or(1)
        .max(values.len().to_string().len())
        + 2;
    let room = (page
        .width
        .saturating_sub(2 + values.len().to_string().len() + 1)
        / cell)
        .max(1);
    let repeats = solution.verdict.period();
    let columns = repeats.map_or(FREE_COLUMNS.min(room), |(period, _)| {
        row_length(period as usize, room)
    });
    let known = values.len();
    let end = repeats.map_or(known, |(period, preperiod)| {
        let full = ((preperiod + period) as usize).next_multiple_of(columns);
        full.min(known)
    });
    let mut rows = vec![
        std::iter::once(String::new())
            .chain((1..=columns).map(|n| n.to_string()))
            .collect(),
    ];
    let lines: Vec<&[String]> = values[..end].chunks(columns).collect();
    let shown = shown(lines.len(), page.rows);
    for (row, line) in lines[..shown].iter().enumerate() {
        rows.push(
            std::iter::once(format!("{}+", row * columns))
                .chain(line.iter().cloned())
                .collect::<Vec<_>>(),
        );
    }
    let mut text = table(&rows);
    if shown < lines.len() {
        let _ = writeln!(text, "  … {}", cut(lines.len() - shown, "rows"));
    } else if let Some((period, _)) = repeats {
        let _ = writeln!(
            text,
            "  … and so on with period {period} (proved; values stored to heap {known})"
        );
    }
    text
}

/// Lists the followers of a finite game, one in a row: its number as a heap, the game, its value.
fn followers(game: &FiniteGame, values: &[String], page: Page) -> String {
    let known = (game.heaps() as usize).min(values.len());
    let shown = shown(known, page.rows);
    let mut rows = vec![["heap", "Φ", "game"].map(str::to_owned).to_vec()];
    for (number, value) in (1..).zip(&values[..shown]) {
        rows.push(vec![
            number.to_string(),
            value.clone(),
            game.follower(number).to_string(),
        ]);
    }
    let mut text = table(&rows);
    if shown < known {
        let _ = writeln!(text, "  … {}", cut(known - shown, "followers"));
    }
    text
}

/// Returns the length of a row: the period, or a divisor that fits.
///
/// The divisor is the greatest one that fits and is not far too short.
fn row_length(period: usize, room: usize) -> usize {
    if period == 1 {
        return FREE_COLUMNS.min(room);
    }
    (2..=room.min(period))
        .rev()
        .find(|&length| period.is_multiple_of(length) && 4 * length >= room.min(period))
        .unwrap_or(FREE_COLUMNS.min(room))
}

fn partials(solution: &Solution, page: Page) -> String {
    if solution.partials.is_empty() {
        return "  (the quotient is trivial at every heap)\n".to_owned();
    }
    let mut rows = vec![["heap", "order", "|P|"].map(str::to_owned).to_vec()];
    let total = solution.partials.len();
    let shown = shown(total, page.rows);
    // The last ones are the most informative.
    for partial in &solution.partials[total - shown..] {
        rows.push(vec![
            partial.heap.to_string(),
            partial.order.to_string(),
            partial.p_size.to_string(),
        ]);
    }
    let mut text = table(&rows);
    if shown < total {
        let _ = writeln!(text, "  the last {shown} of {total} {}", EVERYTHING);
    }
    text
}

const EVERYTHING: &str = "(--full shows all)";

fn cut(more: usize, what: &str) -> String {
    format!("{more} more {what} {EVERYTHING}")
}

/// Returns the number of items shown under `limit`; all, if they exceed it only slightly.
fn shown(total: usize, limit: Option<usize>) -> usize {
    match limit {
        Some(limit) if total > limit + limit / 4 => limit,
        _ => total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_period_or_a_divisor() {
        assert_eq!(row_length(12, 40), 12);
        assert_eq!(row_length(48, 20), 16);
        assert_eq!(row_length(5, 3), FREE_COLUMNS.min(3));
        assert_eq!(row_length(1, 20), FREE_COLUMNS);
        assert_eq!(row_length(149, 20), FREE_COLUMNS);
    }

    #[test]
    fn lists_are_cut_only_if_that_saves_something() {
        assert_eq!(shown(29, Some(24)), 29);
        assert_eq!(shown(31, Some(24)), 24);
        assert_eq!(shown(1_000, None), 1_000);
    }
}
