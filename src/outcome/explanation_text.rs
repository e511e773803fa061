//! The explanation of an outcome, for people.

use misere_answers::explanation::{Counts, Explanation, Factor, Reached};
use misere_answers::{Answer, Ground};

use crate::terminal::{counted, flow};

/// The greatest width to which sums in the list of moves are aligned.
const WIDEST_SUM: usize = 40;

/// Writes the whole explanation: heaps, product, moves, and the reason.
pub(super) fn describe(
    answer: &Answer,
    explanation: &Explanation,
    width: usize,
    rows: usize,
) -> String {
    let mut text = factors(answer.method, &explanation.factors, rows);
    paragraph(&mut text, &deciding(answer, explanation), width);
    if let Some(counts) = explanation.moves {
        text.push_str(&moves(answer, explanation, counts, rows));
    }
    paragraph(&mut text, &reason(answer, explanation.moves), width);
    text
}

fn paragraph(text: &mut String, sentences: &str, width: usize) {
    let words = sentences.split_whitespace();
    text.push_str(&format!("  {}\n", flow(words, 2, width.saturating_sub(2))));
}

/// Returns the names of the values in the table of heaps, and of their running total.
fn names(method: Ground) -> Option<(&'static str, &'static str)> {
    match method {
        Ground::Quotient => Some(("value Φ", "product so far")),
        Ground::NormalPlay => Some(("nim-value", "nim-sum so far")),
        Ground::Evidence => Some(("letters", "letters so far")),
        Ground::Law => Some(("unit, weight, threshold", "sum so far")),
        Ground::Automaton => Some(("alone", "so far")),
        Ground::Definition => None,
    }
}

fn factors(method: Ground, factors: &[Factor], most: usize) -> String {
    let Some((value, product)) = names(method) else {
        return String::new();
    };
    if factors.is_empty() {
        return String::new();
    }
    let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let mut rows = vec![["heap".to_owned(), value.to_owned(), product.to_owned()]];
    for factor in factors.iter().take(most) {
        let (heap, value) = match factor.copies {
            1 => (factor.heap.to_string(), word(&factor.value)),
            copies => (
                format!("{copies}·{}", factor.heap),
                format!("{}: {}", word(&factor.value), word(&factor.of_copies)),
            ),
        };
        rows.push([heap, value, word(&factor.product)]);
    }
    let mut text = "heaps\n".to_owned();
    let widest = |column: usize| {
        let widths = rows
            .iter()
            .map(|row| console::measure_text_width(&row[column]));
        widths.max().unwrap_or(0)
    };
    let widths = [widest(0), widest(1)];
    for [heap, value, product] in &rows {
        let value = padded(value, widths[1]);
        text.push_str(&format!(
            "  {}  {value}  {product}\n",
            padded(heap, widths[0])
        ));
    }
    if factors.len() > most {
        let more = factors.len() - most;
        text.push_str(&format!(
            "  … and {more} more sizes of heaps (--all lists them)\n"
        ));
    }
    text
}

fn padded(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(console::measure_text_width(text));
    format!("{text}{}", " ".repeat(blanks))
}

/// Writes the sentence that derives the outcome from the values.
fn deciding(answer: &Answer, explanation: &Explanation) -> String {
    let in_p = answer.outcome == 'P';
    match answer.method {
        Ground::Quotient => {
            let word = answer.word.as_deref().unwrap_or("1");
            let not = if in_p { "" } else { "not " };
            let p_portion = match &explanation.p_portion {
                Some(elements) => format!("P = {{{}}}", elements.join(", ")),
                None => "the P-portion".to_owned(),
            };
            format!("The element {word} is {not}in {p_portion}.")
        }
        Ground::NormalPlay => {
            let is = if in_p { "is" } else { "is not" };
            format!(
                "A heap is so large that misère play is normal play here: the sum of the \
                 nim-values decides, and it {is} 0."
            )
        }
        Ground::Evidence => format!(
            "The numbers of letters decide: the proof that the quotient is infinite reads {} \
             from them.",
            answer.outcome
        ),
        Ground::Law => format!(
            "The units add as nim-values do, the weights as numbers. A heap is free if the others \
             weigh less than its threshold. The law, which `misere solve {}` prints, says which \
             units make a P-position if a heap is free, and which do for each weight if none is. \
             Here the law says {}.",
            answer.code, answer.outcome
        ),
        Ground::Automaton => format!(
            "An automaton reads the heaps in the order of their sizes, and its last state decides. \
             `misere automaton {} --states` prints it. Here the last state is one of {}-positions.",
            answer.code, answer.outcome
        ),
        Ground::Definition => "No quotient is known that far, so the value of a position is its \
                               outcome: it is N if no move is left or some move leaves a \
                               P-position, and P otherwise."
            .to_owned(),
    }
}

/// Lists the moves with the positions, outcomes and values that they reach.
fn moves(answer: &Answer, explanation: &Explanation, counts: Counts, rows: usize) -> String {
    if counts.all() == 0 {
        return "moves\n  none is left\n".to_owned();
    }
    let undecided = match counts.undecided {
        0 => String::new(),
        number => format!(", {number} undecided"),
    };
    let mut text = format!(
        "moves          {}: {} to P, {} to N{undecided}\n",
        counted(counts.all(), "move"),
        counts.to_p,
        counts.to_n
    );
    let shown: Vec<&Reached> = explanation.options.iter().take(rows).collect();
    let line = |reached: &Reached| {
        let sum = &reached.made.sum;
        [reached.made.in_words(&answer.code), format!("to {sum}")]
    };
    let lines: Vec<[String; 2]> = shown.iter().map(|reached| line(reached)).collect();
    let widest = |column: usize| {
        let widths = lines
            .iter()
            .map(|line| console::measure_text_width(&line[column]));
        widths.max().unwrap_or(0)
    };
    let widths = [widest(0), widest(1).min(WIDEST_SUM)];
    for (reached, [said, to]) in shown.iter().zip(&lines) {
        let outcome = reached.outcome.map_or("?".to_owned(), String::from);
        let value = reached.value.as_deref().unwrap_or("");
        let line = format!(
            "  {outcome}  {}  {}  {value}",
            padded(said, widths[0]),
            padded(to, widths[1])
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let more = counts.all() - shown.len() as u64;
    if more > 0 {
        text.push_str(&format!("  … and {more} more (--all lists them)\n"));
    }
    text
}

/// Explains by the moves why the position is P or N.
fn reason(answer: &Answer, counts: Option<Counts>) -> String {
    match (answer.outcome, counts) {
        (_, Some(counts)) if counts.all() == 0 => {
            "So it is an N-position: the other player made the last move, and so has lost.".into()
        }
        ('N', Some(Counts { to_p: 1, .. })) => {
            "So it is an N-position: one move leaves a P-position, and it wins.".into()
        }
        ('N', Some(Counts { to_p, .. })) if to_p > 0 => format!(
            "So it is an N-position: {to_p} moves leave a P-position, and each of them wins."
        ),
        ('P', Some(Counts { undecided: 0, .. })) => {
            "So it is a P-position: every move leaves an N-position.".into()
        }
        (_, Some(_)) => "Some moves leave positions that are not decided here.".into(),
        (_, None) => "There are too many moves to look at each of them.".into(),
    }
}
