//! The text of a classification.
//!
//! It has the counts as a table with the published numbers beside them and, on request, every
//! quotient with presentation, P-portion and games, and the facts that all have in common.

use std::collections::BTreeMap;
use std::time::Duration;

use misere_algebra::classify::digest::ListDigest;
use misere_algebra::classify::facts::{Distribution, Summary};
use misere_algebra::classify::smallest::in_papers_notation;
use misere_algebra::classify::{Level, published_tables};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::FiniteGame;
use misere_game::solution::Construction;
use misere_game::solution::construction::ConstructionDocument;

use crate::terminal::{Page, counted, flow, table};

/// The result of the choice of faithful games.
#[derive(Default, serde::Serialize)]
pub struct Faithful {
    /// The number of quotients whose games were replaced by faithful ones.
    pub replaced: usize,
    /// The quotients without faithful games: all sequences were tried.
    pub none: Vec<ClassKey>,
    /// The quotients whose search was stopped.
    pub undecided: Vec<ClassKey>,
}

/// A classification that is to be shown.
pub struct ClassificationView<'a> {
    /// The orders that are complete.
    pub levels: &'a [Level],
    /// The greatest order requested.
    pub max_order: usize,
    /// The quotients of these orders with games, in the order of the levels.
    pub constructions: &'a [Construction],
    /// Whether every quotient is listed.
    pub list: bool,
    /// Small finite games by the classes of their quotients.
    pub smallest: &'a BTreeMap<ClassKey, FiniteGame>,
    /// The common facts about the quotients, if requested.
    pub facts: Option<&'a Summary>,
    /// The choice of faithful games, if requested.
    pub faithful: Option<&'a Faithful>,
    /// The cause of the stop, if the classification was stopped.
    pub stopped_by: Option<String>,
    /// Whether all orders are complete.
    pub is_complete: bool,
    /// The duration of the classification.
    pub elapsed: Duration,
    /// The page for which the text is formatted.
    pub page: Page,
}

/// Formats a classification.
pub fn describe(shown: &ClassificationView<'_>) -> String {
    let mut text = counts(shown);
    if shown.list {
        let most = shown.page.rows.unwrap_or(usize::MAX);
        for (number, construction) in (1..).zip(shown.constructions).take(most) {
            text.push('\n');
            text.push_str(&quotient(number, construction, shown));
        }
        if shown.constructions.len() > most {
            text.push_str(&format!(
                "\n… and {} more; piped, all are printed\n",
                shown.constructions.len() - most
            ));
        }
    }
    if let Some(facts) = shown.facts {
        text.push('\n');
        text.push_str(&in_common(facts));
    }
    text
}

/// Formats the counts as a b-file, with the digest of the classes counted.
pub fn b_file(levels: &[Level], constructions: &[Construction]) -> String {
    let by_order: BTreeMap<usize, usize> = levels
        .iter()
        .map(|level| (level.order, level.quotients.len()))
        .collect();
    // Order 1 has the trivial quotient; other odd orders have none.
    let last = by_order.keys().last().copied().unwrap_or(1);
    let mut text = format!(
        "# a(n) is the number of misere quotients of order n, up to isomorphism.\n\
         # Offset 1, a(1) to a({last}). Each quotient has games, which were checked; that there are\n\
         # no others is proved on paper.\n\
         # Classes of order 2 or more: {}, with the digest\n\
         # {}.\n",
        constructions.len(),
        ListDigest::of(constructions)
    );
    for order in 1..=last {
        let count = match order {
            1 => 1,
            _ => by_order.get(&order).copied().unwrap_or(0),
        };
        text.push_str(&format!("{order} {count}\n"));
    }
    text
}

fn counts(shown: &ClassificationView<'_>) -> String {
    let head = ["order", "quotients", "published", "candidates", "carriers"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let published = BTreeMap::from(published_tables::TABLE_1);
    for level in shown.levels {
        let beside = published
            .get(&level.order)
            .map_or_else(|| "-".to_owned(), ToString::to_string);
        rows.push(vec![
            level.order.to_string(),
            level.quotients.len().to_string(),
            beside,
            level.candidates.to_string(),
            level.carriers.to_string(),
        ]);
    }
    let last = shown.levels.last().map_or(0, |level| level.order);
    let mut text = format!("{}\n\n{}\n", headline(last), table(&rows));
    text.push_str(
        "published: Siegel, The structure and classification of misère quotients, Table 1\n",
    );
    let found: usize = shown.levels.iter().map(|level| level.quotients.len()).sum();
    text.push_str(&format!(
        "{}, each with games: parity and ranks checked, and the quotient of the games computed \
         again by exact kernels ({:.1} s)\n",
        counted(found as u64, "quotient"),
        shown.elapsed.as_secs_f64()
    ));
    if let Some(faithful) = shown.faithful {
        text.push_str(&chosen(faithful, found));
    }
    if !shown.is_complete {
        let why = shown
            .stopped_by
            .as_deref()
            .unwrap_or("when its fuel was spent");
        text.push_str(&format!(
            "stopped {why}: the orders from {} to {} are not complete\n",
            last + 2,
            shown.max_order
        ));
    }
    text
}

/// Describes the result of the choice of faithful games.
fn chosen(faithful: &Faithful, found: usize) -> String {
    let without = faithful.none.len() + faithful.undecided.len();
    let mut text = format!(
        "faithful games: {} of {found} (found by a search of their own: {})\n",
        found - without,
        faithful.replaced
    );
    for (classes, what) in [
        (
            &faithful.none,
            "no faithful games, all sequences were tried",
        ),
        (
            &faithful.undecided,
            "not decided whether it has faithful games",
        ),
    ] {
        for class in classes {
            text.push_str(&format!("  class {}: {what}\n", &class.to_string()[..12]));
        }
    }
    text
}

fn headline(last: usize) -> String {
    match last {
        0 => "Misère quotients, up to isomorphism: no order is complete yet".to_owned(),
        last => format!(
            "Misère quotients of order 2 to {last}, up to isomorphism; besides them there is the \
             trivial one, and none of odd order"
        ),
    }
}

fn quotient(number: usize, construction: &Construction, shown: &ClassificationView<'_>) -> String {
    let document = ConstructionDocument::new(construction);
    let name = document.name.as_deref().unwrap_or("no name");
    let p_portion: Vec<&str> = document
        .p_portion
        .iter()
        .filter_map(|&x| document.words.get(x as usize).map(String::as_str))
        .collect();
    let mut text = format!(
        "{number}. order {}, |P| = {}, {name}, class {}\n",
        document.order,
        document.p_size,
        &document.class.to_string()[..12]
    );
    let generators: Vec<&str> = document
        .generators
        .iter()
        .map(|game| game.name.as_str())
        .collect();
    let presentation = format!(
        "⟨{} | {}⟩",
        generators.join(","),
        document.presentation.join(", ")
    );
    let words: Vec<&str> = presentation.split(' ').collect();
    let line = |head: &str, items: &[&str]| {
        let indent = 3 + head.chars().count();
        format!(
            "   {head}{}\n",
            flow(items.iter().copied(), indent, shown.page.width)
        )
    };
    text.push_str(&line("", &words));
    text.push_str(&line("P = ", &[&format!("{{{}}}", p_portion.join(", "))]));
    let games: Vec<String> = document
        .generators
        .iter()
        .map(|game| format!("{} = {{{}}}", game.name, game.options.join(",")))
        .collect();
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    text.push_str(&line("games ", &games));
    if let Some(game) = shown.smallest.get(&document.class) {
        text.push_str(&line("smallest game found ", &[&in_papers_notation(game)]));
    }
    text
}

fn in_common(facts: &Summary) -> String {
    let mut text = String::from("In common\n\n");
    for (head, distribution) in [
        ("elements of P", &facts.p_size),
        ("idempotents", &facts.idempotents),
        ("units", &facts.units),
        ("order of the kernel", &facts.kernel),
        ("period of powers", &facts.period),
        ("index of powers", &facts.index),
    ] {
        text.push_str(&format!(
            "{head}, and how many quotients of each order have so many\n"
        ));
        text.push_str(&distribution_table(distribution));
        text.push('\n');
    }
    let per_order = |counter: &BTreeMap<usize, usize>| {
        if counter.is_empty() {
            return "none".to_owned();
        }
        let each = counter
            .iter()
            .map(|(order, count)| format!("{count} of order {order}"));
        each.collect::<Vec<_>>().join(", ")
    };
    let names = facts.names.values().flatten().cloned().collect::<Vec<_>>();
    for (head, what) in [
        ("with a name", names.join(", ")),
        ("not regular", per_order(&facts.not_regular)),
        ("regular, not normal", per_order(&facts.regular_not_normal)),
        ("games not faithful", per_order(&facts.not_faithful)),
        (
            "|P| = 2, neither tame nor restive (none by Siegel, Theorem 3.8)",
            per_order(&facts.two_in_p_neither_tame_nor_restive),
        ),
    ] {
        text.push_str(&format!("{head}: {what}\n"));
    }
    text
}

fn distribution_table(distribution: &Distribution) -> String {
    let mut values: Vec<u32> = distribution
        .values()
        .flat_map(|row| row.keys().copied())
        .collect();
    values.sort_unstable();
    values.dedup();
    let mut rows = vec![
        std::iter::once("order".to_owned())
            .chain(values.iter().map(ToString::to_string))
            .collect::<Vec<_>>(),
    ];
    for (order, row) in distribution {
        let cells = values.iter().map(|value| {
            row.get(value)
                .map_or_else(|| "·".to_owned(), ToString::to_string)
        });
        rows.push(std::iter::once(order.to_string()).chain(cells).collect());
    }
    table(&rows)
}
