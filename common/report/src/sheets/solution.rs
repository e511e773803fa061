//! The solution of one game as LaTeX, in the form of the papers' figures.

use misere_game::solution::Solution;

use super::figures;
use crate::citation::Reference;
use crate::facts::solutions::SolvedGame;
use crate::sheet::{Format, Grid, Part, Sheet};

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
    let mut heading = solution.code.to_string();
    if let Some(name) = solution.code.name() {
        heading.push_str(&format!(" ({name})"));
    }
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
    parts.extend(figures::solution(&solved, None));
    let sheet = Sheet {
        title: format!("The misère quotient of {heading}"),
        parts,
        provenance: vec![Reference::program().text().trim_end().to_owned()],
        data: Grid::default(),
    };
    // JSON, the only format that sheets do not have, is not used here.
    sheet.set(Format::Latex, 0).unwrap_or_default()
}
