//! The solution of one game in the form of the papers' figures, and the argument for it.

use misere_answers::argument::Argument;
use misere_game::solution::Solution;

use super::solved_game;
use crate::citation::Reference;
use crate::sheet::{Format, Grid, Part, Sheet};
use crate::solved_game::SolvedGame;

/// Formats a solution as LaTeX, to be included in a paper.
///
/// It shows the game, its quotient, its P-portion and its pretending function, whose first full
/// period has a line above it.
///
/// `status` is the verdict in words. For a game without a period the presentation is that of the
/// last partial quotient. Lists of more than 120 relations and functions of more than 600 values
/// are cut, and say so.
///
/// Cost: words and presentation, `O(n · g²)` for order `n` and `g` generators.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// let mut control = Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::default(), &mut control);
/// let latex = misere_report::sheets::solution::latex(&solution, "solved: period 5 from heap 5 on");
/// assert!(latex.contains("\\subsubsection*{0.123}") && latex.contains("a^{2} = 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn latex(solution: &Solution, status: &str) -> String {
    let solved = SolvedGame::of(solution);
    let heading = heading(solution);
    let name = solved.name.as_ref();
    let name = name.map_or_else(String::new, |name| format!(" ({name})"));
    let order = format!(
        "order {}{name}, |P| = {}, class {}",
        solved.order, solved.p_size, solved.class
    );
    let mut parts = vec![
        Part::Subheading(heading.clone()),
        Part::Says(format!("{status}; {order}.")),
    ];
    parts.extend(solved_game::solution(&solved, None));
    let sheet = Sheet {
        title: format!("The misère quotient of {heading}"),
        parts,
        provenance: vec![Reference::program().text().trim_end().to_owned()],
        data: Grid::default(),
    };
    // JSON, the only format that sheets do not have, is not used here.
    sheet.set(Format::Latex, 0).unwrap_or_default()
}

/// The remark below an argument.
const CHECKED: &str = "The checker tests the hypotheses named from the code of the game alone. The \
    option `--out` of `misere solve` writes the certificate, `misere verify` checks it.";

/// Formats the argument for what a solution claims: theorem, tables, proof, sources.
///
/// Cost: as of [`latex`].
///
/// ```
/// use misere_answers::argument::argument;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// use misere_game::control::Control;
/// use misere_report::sheet::Format;
/// let mut control = Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::default(), &mut control);
/// let argument = argument(&solution);
/// let text = misere_report::sheets::solution::explained(&solution, &argument, Format::Text, 80);
/// assert!(text.contains("Φ(n + 5) = Φ(n)"));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn explained(solution: &Solution, argument: &Argument, format: Format, width: usize) -> String {
    let mut parts = vec![
        Part::Heading("Theorem".to_owned()),
        Part::Says(argument.theorem.clone()),
        Part::Heading("Tables".to_owned()),
    ];
    parts.extend(solved_game::solution(&SolvedGame::of(solution), None));
    parts.push(Part::Heading("Proof".to_owned()));
    for (step, number) in argument.steps.iter().zip(1..) {
        parts.push(Part::Subheading(format!("{number}. {}", step.title)));
        parts.push(Part::Says(step.text.clone()));
    }
    parts.push(Part::Heading("Sources".to_owned()));
    parts.push(Part::List(
        argument
            .sources
            .iter()
            .map(|&source| source.to_owned())
            .collect(),
    ));
    let sheet = Sheet {
        title: format!("{}: why it is true", heading(solution)),
        parts,
        provenance: vec![
            CHECKED.to_owned(),
            Reference::program().text().trim_end().to_owned(),
        ],
        data: Grid::default(),
    };
    // JSON, the only format that sheets do not have, is not used here.
    sheet.set(format, width).unwrap_or_default()
}

/// Returns the code, with the name in parentheses.
fn heading(solution: &Solution) -> String {
    match solution.code.name() {
        Some(name) => format!("{} ({name})", solution.code),
        None => solution.code.to_string(),
    }
}
