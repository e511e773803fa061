//! The chart as a picture: two blocks of boxes as in the paper, a legend, and the provenance.

use crate::facts::figure1::{COLUMNS, Chart, Entry, Row};

use misere_pictures::escaped;

use super::style::{STAR, counts, provenance, style, tooltip};

const CELL: usize = 28;
const HEIGHT: usize = 20;
const LABEL: usize = 40;
const MARGIN: usize = 24;
const GAP: usize = 36;
const TOP: usize = 66;
const BLOCK: usize = LABEL + COLUMNS * CELL;
const WIDTH: usize = 2 * MARGIN + 2 * BLOCK + GAP;
const LINE: usize = 18;
/// The number of characters of small print that fit into a line.
const PRINT: usize = 96;

/// Draws the picture. Hovering over a box shows what is known of its game.
pub(super) fn picture(chart: &Chart) -> String {
    let half = chart.rows.len() / 2;
    let legend = counts(chart);
    let print: Vec<String> = provenance(chart)
        .iter()
        .flat_map(|line| broken(line))
        .collect();
    let below = TOP + half * HEIGHT + 26;
    let height = below + (legend.len() + 2) * LINE + print.len() * 14 + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n\
         <title>Octal games with at most three digits</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"34\" font-size=\"17\" font-weight=\"600\" fill=\"#222222\">Octal games with at most three digits</text>\n"
    );
    let (left, right) = chart.rows.split_at(half);
    block(&mut svg, left, MARGIN);
    block(&mut svg, right, MARGIN + BLOCK + GAP);
    let mut y = below;
    for (all, starred, style) in legend {
        let stars = match starred {
            0 => String::new(),
            starred => format!(", {starred} with {STAR}"),
        };
        let middle = y - 4;
        svg.push_str(&format!(
            "<rect x=\"{MARGIN}\" y=\"{}\" width=\"{CELL}\" height=\"16\" fill=\"{}\" stroke=\"#bbbbbb\"/>\
             <text x=\"{}\" y=\"{middle}\" text-anchor=\"middle\" fill=\"{}\">{}</text>\
             <text x=\"{}\" y=\"{middle}\" fill=\"#222222\">{} ({all}{stars})</text>\n",
            y - 16,
            style.fill,
            MARGIN + CELL / 2,
            style.foreground,
            style.kind.symbol(),
            MARGIN + CELL + 10,
            style.kind.meaning(),
        ));
        y += LINE;
    }
    svg.push_str(&format!(
        "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#222222\">{STAR} normal play is known; a heavy frame: other than in the chart of 2007</text>\n",
        y - 4
    ));
    y += LINE;
    for line in print {
        y += 14;
        svg.push_str(&format!(
            "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"10\" fill=\"#666666\">{}</text>\n",
            y - 8,
            escaped(&line)
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

fn block(svg: &mut String, rows: &[Row], x: usize) {
    for last in 0..COLUMNS {
        let at = x + LABEL + last * CELL + CELL / 2;
        svg.push_str(&format!(
            "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\" fill=\"#666666\">{last}</text>\n",
            TOP - 7
        ));
    }
    for (row, y) in rows.iter().zip((TOP..).step_by(HEIGHT)) {
        svg.push_str(&format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#666666\">{}</text>\n",
            x + LABEL - 6,
            y + 14,
            row.label
        ));
        for (entry, x) in row.entries.iter().zip((x + LABEL..).step_by(CELL)) {
            cell(svg, entry, x, y);
        }
    }
}

fn cell(svg: &mut String, entry: &Entry, x: usize, y: usize) {
    let style = style(entry);
    svg.push_str(&format!(
        "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{HEIGHT}\" fill=\"{}\" stroke=\"#bbbbbb\"/>",
        escaped(&tooltip(entry)),
        style.fill
    ));
    if entry.difference.is_some() {
        svg.push_str(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"1.6\"/>",
            x + 1,
            y + 1,
            CELL - 2,
            HEIGHT - 2
        ));
    }
    let (foreground, symbol) = (style.foreground, style.kind.symbol());
    let at = x + CELL / 2 - if entry.has_star() { 4 } else { 0 };
    svg.push_str(&format!(
        "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\" fill=\"{foreground}\">{symbol}</text>",
        y + 14
    ));
    if entry.has_star() {
        svg.push_str(&format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\" fill=\"{foreground}\">{STAR}</text>",
            x + CELL - 8,
            y + 14
        ));
    }
    svg.push_str("</g>\n");
}

/// Breaks small print into lines.
fn broken(line: &str) -> Vec<String> {
    misere_census::running_text::flow(line.split(' '), 0, PRINT)
        .lines()
        .map(str::to_owned)
        .collect()
}
