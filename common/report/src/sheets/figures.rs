//! Figures 2 to 7: the solutions of wild games, beside the printed ones.

use crate::ReportError;
use crate::facts::solutions::{Comparison, Figure, GameKnowledge, Row};
use crate::report::{Census, Content, Report};
use crate::solved_game::SolvedGame;
use misere_game::control::Control;
use serde_json::{Value, json};

use super::same_game::with_same_game;
use super::solved_game::solution;
use crate::sheet::{Cell, Grid, Part};

/// The report of Figure `N`, 2 to 7.
pub(crate) struct WildFigure<const N: u8>;

impl<const N: u8> Report for WildFigure<N> {
    type Input = Census;
    type Facts = Figure;
    const NAME: &'static str = name(N);
    const ABOUT: &'static str = about(N);
    const HELP: &'static str = "\
Examples:
  misere census run --data quaternary \\
      --codes 0.123,0.1023,0.1032,0.1033,0.1331,0.3103,0.3112,0.1232,0.1323
  misere report figure3 --data quaternary
  misere report figure4 --data census-3 --format latex > figure4.tex
  misere report figure7 --data census-3 --json

Figures 2 to 7 of the supplement of Plambeck and Siegel (2007) from a census:
for each wild game the quotient, its P-portion and the pretending function,
whose first period is marked. Every game that the figure lists is compared with
the print, up to an isomorphism that takes our pretending function to theirs;
every difference is listed with its reason. Games of the same kind that the
census solved and the figure does not list come after. What the census does not
hold is said, and how to compute it.

Exit codes: 0 done, 1 failed, 2 usage.";

    fn facts(census: &Census, _: &mut Control) -> Result<Figure, ReportError> {
        Figure::of(&census.store, N)
    }

    fn content(census: &Census, figure: &Figure) -> Content {
        Content {
            title: title(N).to_owned(),
            parts: parts(figure),
            data: data(figure),
            document: document(figure),
            notes: coverage(figure, &census.directory),
        }
    }
}

const fn name(number: u8) -> &'static str {
    match number {
        2 => "figure2",
        3 => "figure3",
        4 => "figure4",
        5 => "figure5",
        6 => "figure6",
        _ => "figure7",
    }
}

const fn about(number: u8) -> &'static str {
    match number {
        2 => {
            "Wild games with quotient R_8, S_12 or R_14: presentations and pretending functions, \
             beside those of 2007"
        }
        3 => {
            "Wild quaternary games of four digits: presentations and functions, beside those of 2007"
        }
        4 => {
            "Further wild games of two and three digits: presentations and functions, beside those of 2007"
        }
        5 => "0.115 and games with its quotient: presentations and functions, beside those of 2007",
        6 => "0.152 and games with its quotient: presentations and functions, beside those of 2007",
        _ => {
            "Kayles and games with its quotient: presentations and functions, beside those of 2007"
        }
    }
}

fn title(number: u8) -> &'static str {
    match number {
        2 => "Figure 2: wild octal games with misère quotient R_8, S_12 or R_14",
        3 => "Figure 3: wild quaternary games of four digits, and 0.123",
        4 => "Figure 4: further wild octal games of two and three digits",
        5 => "Figure 5: 0.115, and games with its quotient",
        6 => "Figure 6: 0.152, and games with its quotient",
        _ => "Figure 7: Kayles, 0.77, and games with its quotient",
    }
}

/// Describes the coverage of the figure by the census, and how the values are compared.
fn coverage(figure: &Figure, data: &str) -> Vec<String> {
    let missing: Vec<String> = figure.missing().iter().map(ToString::to_string).collect();
    let mut sentences = vec![format!(
        "Printed and compared: Plambeck and Siegel, Misère quotients for impartial games, supplementary material (2007), Figure {}; the census holds {} of the \
         {} codes listed there, variants under dots and bars among them.",
        figure.number,
        figure.listed.saturating_sub(missing.len()),
        figure.listed
    )];
    if !missing.is_empty() {
        sentences.push(format!(
            "Not in this census, so not known here: {}. To compute them: misere census run --codes {} --data {data}-figure{}",
            missing.join(" "),
            missing.join(","),
            figure.number
        ));
    }
    sentences
}

fn parts(figure: &Figure) -> Vec<Part> {
    let mut parts = vec![Part::Says(
        "Q is the misère quotient, P its P-portion; generators are named in the order of the heaps that need them. Φ is the pretending function, heap by \
         heap from heap 1 on; its first full period is marked."
            .to_owned(),
    )];
    let mut before: Option<(&SolvedGame, &Row)> = None;
    let mut is_beyond = false;
    for row in &figure.rows {
        if !row.is_listed && !is_beyond {
            is_beyond = true;
            parts.push(Part::Heading(
                "Solved by this census, not in the figure".to_owned(),
            ));
        }
        match &row.ours {
            GameKnowledge::Missing => continue,
            GameKnowledge::NotSolved(why) => {
                parts.push(Part::Subheading(row.code.to_string()));
                parts.push(Part::Says(format!("Not solved: {why}.")));
            }
            GameKnowledge::Solved(solved) => {
                parts.push(Part::Subheading(heading(row, solved)));
                let same = |other: &SolvedGame| {
                    other.relations == solved.relations && other.p_portion == solved.p_portion
                };
                let as_for = before.filter(|(other, _)| same(other));
                parts.extend(solution(
                    solved,
                    as_for.map(|(other, row)| (other, &row.code)),
                ));
                if as_for.is_none() {
                    before = Some((solved, row));
                }
            }
        }
        if let Some(note) = compared(row) {
            parts.push(Part::Says(note));
        }
    }
    let differences = differences(figure);
    if figure.rows.iter().any(|row| row.comparison.is_some()) {
        parts.push(Part::Heading(match differences.len() {
            0 => "Nothing differs from the print".to_owned(),
            1 => "Different from the print: 1 game".to_owned(),
            games => format!("Different from the print: {games} games"),
        }));
        parts.push(Part::List(differences));
    }
    let repairs: Vec<String> = figure
        .rows
        .iter()
        .filter(|row| !row.repairs.is_empty())
        .map(|row| format!("{}: {}", row.code, row.repairs.join("; ")))
        .collect();
    if !repairs.is_empty() {
        parts.push(Part::Heading(
            "Where our copy of the print was corrected".to_owned(),
        ));
        parts.push(Part::List(repairs));
    }
    parts
}

fn heading(row: &Row, solved: &SolvedGame) -> String {
    let mut heading = row.code.to_string();
    if !row.aliases.is_empty() {
        let aliases: Vec<String> = row.aliases.iter().map(ToString::to_string).collect();
        heading.push_str(&format!(" = {}", aliases.join(" = ")));
    }
    let name = solved
        .name
        .as_ref()
        .map_or(String::new(), |name| format!("{name}, "));
    heading.push_str(&format!(
        " — {name}order {}, |P| = {}",
        solved.order, solved.p_size
    ));
    match solved.period {
        Some(period) => heading.push_str(&format!(
            ", period {period} from heap {} on",
            solved.preperiod
        )),
        None => heading.push_str(&format!(", tame relative to heap {}", solved.preperiod)),
    }
    heading
}

/// Describes the result of the comparison of a game with the print.
fn compared(row: &Row) -> Option<String> {
    let comparison = row.comparison.as_ref()?;
    if !comparison.differences.is_empty() {
        return Some(format!(
            "Different from the print: {}.",
            comparison.differences.join("; ")
        ));
    }
    let renamed = renamed(comparison);
    Some(match renamed.is_empty() {
        true => format!(
            "The same as printed, in the same letters; {} heaps compared.",
            comparison.heaps
        ),
        false => format!(
            "The same as printed up to an isomorphism that takes {}; {} heaps compared.",
            renamed.join(", "),
            comparison.heaps
        ),
    })
}

fn renamed(comparison: &Comparison) -> Vec<String> {
    let letters = comparison.letters.iter().flatten();
    let renamed = letters.filter(|(ours, theirs)| ours != theirs);
    renamed
        .map(|(ours, theirs)| format!("{ours} to {theirs}"))
        .collect()
}

fn differences(figure: &Figure) -> Vec<String> {
    let all = figure.rows.iter().filter_map(|row| {
        let comparison = row.comparison.as_ref()?;
        let differences = &comparison.differences;
        (!differences.is_empty()).then(|| format!("{}: {}", row.code, differences.join("; ")))
    });
    all.collect()
}

/// Returns the degree of certainty of the row, in one word.
fn status(row: &Row) -> &'static str {
    match &row.ours {
        GameKnowledge::Solved(_) => "proved",
        GameKnowledge::NotSolved(_) => "not solved",
        GameKnowledge::Missing => "not in this census",
    }
}

/// Reports whether the row is as printed; `None` if the print or the solution is missing.
fn agrees(row: &Row) -> Option<bool> {
    row.comparison
        .as_ref()
        .map(|comparison| comparison.differences.is_empty())
}

fn data(figure: &Figure) -> Grid {
    let mut grid = Grid::new(
        "",
        &[
            "code",
            "same_game",
            "in_figure",
            "status",
            "order",
            "p_size",
            "name",
            "period",
            "preperiod",
            "class",
            "quotient",
            "p_portion",
            "values",
            "as_printed",
            "differences",
        ],
    );
    for row in &figure.rows {
        let aliases: Vec<String> = row.aliases.iter().map(ToString::to_string).collect();
        let solved = match &row.ours {
            GameKnowledge::Solved(solved) => Some(solved),
            _ => None,
        };
        let of = |what: &dyn Fn(&SolvedGame) -> String| {
            let text = solved.map_or(String::new(), |solved| what(solved));
            Cell::text(text)
        };
        let differences = row
            .comparison
            .iter()
            .flat_map(|comparison| &comparison.differences);
        let differences: Vec<String> = differences.cloned().collect();
        grid.rows.push(vec![
            Cell::text(row.code.to_string()),
            Cell::text(aliases.join(" ")),
            Cell::text(if row.is_listed { "yes" } else { "no" }),
            Cell::text(status(row)),
            of(&|solved| solved.order.to_string()),
            of(&|solved| solved.p_size.to_string()),
            of(&|solved| solved.name.clone().unwrap_or_default()),
            of(&|solved| {
                solved
                    .period
                    .map_or(String::new(), |period| period.to_string())
            }),
            of(&|solved| solved.preperiod.to_string()),
            of(&|solved| solved.class.to_string()),
            of(&|solved| {
                format!(
                    "⟨{} | {}⟩",
                    solved.generators.join(", "),
                    solved.relations.join(", ")
                )
            }),
            of(&|solved| format!("{{{}}}", solved.p_portion.join(", "))),
            of(&|solved| solved.values.join(" ")),
            Cell::text(agrees(row).map_or("", |agrees| if agrees { "yes" } else { "no" })),
            Cell::text(differences.join("; ")),
        ]);
    }
    grid
}

fn document(figure: &Figure) -> Value {
    let rows = figure.rows.iter().map(|row| {
        let (solution, why) = match &row.ours {
            GameKnowledge::Solved(solved) => (Some(solution_document(solved)), None),
            GameKnowledge::NotSolved(why) => (None, Some(why.clone())),
            GameKnowledge::Missing => (None, None),
        };
        let comparison = row.comparison.as_ref().map(|comparison| {
            json!({
                "same": comparison.differences.is_empty(),
                "differences": comparison.differences,
                "letters": comparison.letters,
                "heaps": comparison.heaps,
            })
        });
        let document = json!({
            "code": row.code,
            "in_figure": row.is_listed,
            "status": status(row),
            "why_not": why,
            "solution": solution,
            "comparison": comparison,
            "repairs": row.repairs,
        });
        with_same_game(document, &row.code, &row.aliases)
    });
    json!({
        "figure": figure.number,
        "missing": figure.missing(),
        "games": rows.collect::<Vec<_>>(),
    })
}

fn solution_document(solved: &SolvedGame) -> Value {
    json!({
        "order": solved.order,
        "p_size": solved.p_size,
        "name": solved.name,
        "class": solved.class,
        "generators": solved.generators,
        "relations": solved.relations,
        "p_portion": solved.p_portion,
        "values": solved.values,
        "period": solved.period,
        "preperiod": solved.preperiod,
        "note": solved.note,
    })
}
