//! The chart as a LaTeX table in the layout of the paper.

use crate::facts::figure1::{COLUMNS, Chart, Row};

use super::style::{counts, style};
use crate::sheet::{LATEX_NEEDS, latex_provenance};

/// Formats the table, with the legend as a caption and its provenance as a note below.
pub(super) fn table(chart: &Chart, provenance: &[String]) -> String {
    let mut latex = format!("% Octal games with at most three digits\n{LATEX_NEEDS}");
    let columns = format!("r*{{{COLUMNS}}}{{c}}");
    // Two blocks of nine columns are side by side, so there is little space between columns.
    latex.push_str(&format!(
        "\\begin{{table}}\\centering\\scriptsize\\setlength{{\\tabcolsep}}{{1.6pt}}\n\\begin{{tabular}}{{@{{}}{columns}@{{\\quad}}{columns}@{{}}}}\n\\toprule\n"
    ));
    let head: String = (0..COLUMNS).map(|last| format!(" & {last}")).collect();
    let head = format!("$d_1d_2${head}");
    latex.push_str(&format!("{head} & {head} \\\\ \\midrule\n"));
    let (left, right) = chart.rows.split_at(chart.rows.len() / 2);
    for (left, right) in left.iter().zip(right) {
        latex.push_str(&format!("{} & {} \\\\\n", row(left), row(right)));
    }
    latex
        .push_str("\\bottomrule\n\\end{tabular}\n\\caption{Octal games with at most three digits.");
    for (all, _, style) in counts(chart) {
        latex.push_str(&format!(
            " {} {} ({all}).",
            style.latex,
            style.kind.meaning()
        ));
    }
    latex.push_str(" $^\\star$ normal play is known.}\n\\end{table}\n");
    // Not within the table, which cannot be broken into pages.
    latex.push_str(&latex_provenance(provenance));
    latex
}

fn row(row: &Row) -> String {
    let boxes = row.entries.iter().map(|entry| {
        let star = if entry.has_star() { "$^\\star$" } else { "" };
        format!(" & {}{star}", style(entry).latex)
    });
    format!("{}{}", row.label, boxes.collect::<String>())
}
