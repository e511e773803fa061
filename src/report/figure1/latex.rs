//! The chart as a LaTeX table in the layout of the paper. Needs no packages.

use misere_coordinator::report::figure1::{COLUMNS, Chart, Row};

use super::look::{counts, look};

/// The table, with its provenance in comments and the legend as a caption.
pub(super) fn table(chart: &Chart, provenance: &[String]) -> String {
    let mut latex = String::new();
    for line in provenance {
        latex.push_str(&format!("% {line}\n"));
    }
    let columns = format!("r|*{{{COLUMNS}}}{{c}}");
    latex.push_str(&format!(
        "\\begin{{table}}\\centering\\footnotesize\n\\begin{{tabular}}{{{columns}@{{\\qquad}}{columns}}}\n"
    ));
    let head: String = (0..COLUMNS).map(|last| format!(" & {last}")).collect();
    let head = format!("$d_1d_2${head}");
    latex.push_str(&format!("{head} & {head} \\\\ \\hline\n"));
    let (left, right) = chart.rows.split_at(chart.rows.len() / 2);
    for (left, right) in left.iter().zip(right) {
        latex.push_str(&format!("{} & {} \\\\\n", row(left), row(right)));
    }
    latex.push_str("\\end{tabular}\n\\caption{Octal games with at most three digits.");
    for (all, _, look) in counts(chart) {
        latex.push_str(&format!(" {} {} ({all}).", look.latex, look.kind.meaning));
    }
    latex.push_str(" $^\\star$ normal play is known.}\n\\end{table}\n");
    latex
}

fn row(row: &Row) -> String {
    let boxes = row.entries.iter().map(|entry| {
        let star = if entry.has_star() { "$^\\star$" } else { "" };
        format!(" & {}{star}", look(entry).latex)
    });
    format!("{}{}", row.label, boxes.collect::<String>())
}
