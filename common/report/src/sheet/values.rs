//! The layout of a pretending function.
//!
//! It is the layout of the papers: `a 1 b b (a d^2 1 c d) …`, in one line if it is short, otherwise
//! in rows one period long, with the heaps at the margins. The first full period is marked: by
//! parentheses at a terminal, by a line above it in print.

use misere_census::running_text::flow;

use super::cell::Cell;

/// The width of the text of LaTeX's article class in ten points, in points.
const TEXT: f64 = 345.0;

/// The number of rows of one LaTeX table; more rows begin another, so that pages can break between.
const MAX_ROWS: usize = 40;

/// The values of a pretending function, from heap 1 to the end of the first full period.
///
/// Without a period they end at the last known heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values {
    /// The words, from heap 1 on.
    pub(crate) values: Vec<String>,
    /// The indices in `values` at which the period begins and ends (exclusive), if it is known.
    pub(crate) period: Option<(usize, usize)>,
    /// The number of values in a row; 0 if all are in one line that may be broken anywhere.
    pub(crate) columns: usize,
}

impl Values {
    fn rest(&self) -> &'static str {
        if self.period.is_some() { "…" } else { "?" }
    }

    fn is_marked(&self, at: usize) -> bool {
        self.period
            .is_some_and(|(begin, end)| (begin..end).contains(&at))
    }

    /// Returns each value with parentheses where the period begins and ends, and its continuation.
    fn marked(&self) -> Vec<String> {
        let of = |(at, word): (usize, &String)| match self.period {
            Some((begin, end)) => format!(
                "{}{word}{}",
                if at == begin { "(" } else { "" },
                if at + 1 == end { ")" } else { "" }
            ),
            None => word.clone(),
        };
        let marked = self.values.iter().enumerate().map(of);
        marked.chain([self.rest().to_owned()]).collect()
    }

    /// Formats the values for a terminal.
    pub(super) fn text(&self, width: usize) -> String {
        let breadth = console::measure_text_width;
        let marked = self.marked();
        if self.columns == 0 {
            let opening = "  Φ = ";
            let set = flow(marked.iter().map(String::as_str), breadth(opening), width);
            return format!("{opening}{set}\n");
        }
        let cell = marked.iter().map(|word| breadth(word)).max().unwrap_or(1);
        let margin = self.values.len().to_string().len() + 1;
        let mut text = format!("  {:margin$}", "");
        for heap in 1..=self.columns {
            text.push_str(&format!("  {heap:<cell$}"));
        }
        text = format!("{}\n", text.trim_end());
        for (row, line) in marked.chunks(self.columns).enumerate() {
            let mut set = format!("  {:>margin$}", format!("{}+", row * self.columns));
            for word in line {
                set.push_str(&format!("  {word}{}", " ".repeat(cell - breadth(word))));
            }
            text.push_str(set.trim_end());
            text.push('\n');
        }
        text
    }

    /// Formats the values for a page.
    pub(super) fn html(&self) -> String {
        let tagged = |tag: &str, at: usize| {
            let class = if self.is_marked(at) {
                " class=\"period\""
            } else {
                ""
            };
            let word = Cell::Formula(self.values[at].clone()).html();
            format!("<{tag}{class} title=\"heap {}\">{word}</{tag}>", at + 1)
        };
        if self.columns == 0 {
            let words: String = (0..self.values.len())
                .map(|at| tagged("span", at))
                .collect();
            return format!(
                "<p class=\"values\"><span>Φ =</span>{words}<span>{}</span></p>\n",
                self.rest()
            );
        }
        let heads: String = (1..=self.columns)
            .map(|heap| format!("<th>{heap}</th>"))
            .collect();
        let mut html =
            format!("<div class=\"wide\"><table class=\"values\">\n<tr><th>Φ</th>{heads}</tr>\n");
        let all: Vec<usize> = (0..self.values.len()).collect();
        for line in all.chunks(self.columns) {
            let first = line.first().copied().unwrap_or(0);
            let cells: String = line.iter().map(|&at| tagged("td", at)).collect();
            html.push_str(&format!("<tr><th>{first}+</th>{cells}"));
            if line.last().is_some_and(|&at| at + 1 == self.values.len()) {
                html.push_str(&format!("<td>{}</td>", self.rest()));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</table></div>\n");
        html
    }

    /// Reports whether its rows are no wider than the text of a page.
    fn fits_on_paper(&self) -> bool {
        /// The space between columns, and for the heap at the margin.
        const APART: f64 = 6.0;
        const MARGIN: f64 = 36.0;
        let width = |column: usize| {
            let words = self.values.iter().skip(column).step_by(self.columns);
            let widths = words.map(|word| formula_width(word));
            widths.fold(formula_width(&(column + 1).to_string()), f64::max) + APART
        };
        (0..self.columns).map(width).sum::<f64>() + MARGIN <= TEXT
    }

    /// Formats the values in LaTeX.
    pub(super) fn latex(&self) -> String {
        let set = |at: usize| {
            let word = Cell::Formula(self.values[at].clone()).latex();
            match self.is_marked(at) {
                true => format!("$\\overline{{{}}}$", word.trim_matches('$')),
                false => word,
            }
        };
        let all: Vec<String> = (0..self.values.len()).map(set).collect();
        let rest = if self.period.is_some() { "\\dots" } else { "?" };
        if self.columns == 0 || !self.fits_on_paper() {
            return format!(
                "\\par\\noindent\\hangindent=2em $\\Phi = {{}}$ {} {rest}\\par\n",
                all.join(" ")
            );
        }
        let heads: String = (1..=self.columns)
            .map(|heap| format!(" & {heap}"))
            .collect();
        let mut latex = String::new();
        for (part, lines) in all.chunks(self.columns * MAX_ROWS).enumerate() {
            latex.push_str(&format!(
                "\\par\\medskip\\noindent{{\\footnotesize\\tabcolsep=.35em\\begin{{tabular}}{{r|*{{{}}}{{l}}}}\n{heads} \\\\ \\midrule\n",
                self.columns
            ));
            for (row, line) in lines.chunks(self.columns).enumerate() {
                let first = (part * MAX_ROWS + row) * self.columns;
                let is_last = first + line.len() == all.len();
                let more = match is_last && line.len() < self.columns {
                    true => format!(" & {rest}"),
                    false => String::new(),
                };
                latex.push_str(&format!("${first}+$ & {}{more} \\\\\n", line.join(" & ")));
            }
            latex.push_str("\\end{tabular}}\\par\n");
        }
        latex
    }
}

/// Estimates the width of a formula in eight points of Computer Modern, in points.
fn formula_width(text: &str) -> f64 {
    let mut width = 0.0;
    let mut is_script = false;
    for c in text.chars() {
        width += match c {
            '^' | '_' => {
                is_script = true;
                0.3
            }
            '0'..='9' if is_script => 3.6,
            '0'..='9' => 4.4,
            '=' | '↦' | '≅' | '∈' => 11.5,
            '|' => 7.2,
            ' ' => 2.9,
            ',' | '⟨' | '⟩' | '(' | ')' => 4.0,
            'A'..='Z' | 'Φ' | 'm' | 'w' | '#' => 7.0,
            _ => 5.0,
        };
        is_script = is_script && c.is_ascii_digit() || matches!(c, '^' | '_');
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_is_marked() {
        let words = ["a", "1", "b", "ab^2"].map(str::to_owned).to_vec();
        let short = Values {
            values: words.clone(),
            period: Some((1, 3)),
            columns: 0,
        };
        assert_eq!(short.text(80), "  Φ = a (1 b) ab^2 …\n");
        assert!(
            short
                .latex()
                .contains("$a$ $\\overline{1}$ $\\overline{b}$ $ab^{2}$ \\dots")
        );
        assert!(
            short
                .html()
                .contains("<span class=\"period\" title=\"heap 2\">1</span>")
        );
        let rows = Values {
            values: words,
            period: None,
            columns: 3,
        };
        assert_eq!(
            rows.text(80),
            "      1     2     3\n  0+  a     1     b\n  3+  ab^2  ?\n"
        );
        assert_eq!(rows.html().matches("<tr>").count(), 3);
        assert_eq!(rows.latex().matches("\\\\\n").count(), 2);
    }
}
