//! A report to include in a paper: needs no packages beyond LaTeX itself (`longtable` is not used; long tables are cut by hand).

use super::{Block, Cell, Sheet, Table, Values};

/// Rows of one tabular; more begin another, so that pages can break between.
const MOST_ROWS: usize = 40;

pub(super) fn set(sheet: &Sheet) -> String {
    let mut latex = format!("% misere report {}\n", sheet.name);
    for sentence in sheet.provenance.sentences() {
        latex.push_str(&format!("% {sentence}\n"));
    }
    latex.push_str(&format!("\\section*{{{}}}\n", words(&sheet.title)));
    for block in &sheet.blocks {
        latex.push_str(&set_block(block));
    }
    latex.push_str("\\par\\bigskip\n{\\footnotesize\\begin{itemize}\n");
    for sentence in sheet.provenance.sentences() {
        latex.push_str(&format!("\\item {}\n", words(sentence)));
    }
    latex.push_str("\\end{itemize}}\n");
    latex
}

fn set_block(block: &Block) -> String {
    match block {
        Block::Heading(heading) => format!("\\subsection*{{{}}}\n", words(heading)),
        Block::Paragraph(text) => format!("{}\n\n", words(text)),
        Block::List(lines) if lines.is_empty() => String::new(),
        Block::List(lines) => {
            let items: String = lines
                .iter()
                .map(|line| format!("\\item {}\n", words(line)))
                .collect();
            format!("\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
        }
        Block::Table(shown) => table(shown),
        Block::Formula { name, items } => {
            // Breaks are allowed between items only.
            let set: Vec<String> = items
                .iter()
                .map(|item| format!("${}$", math(item)))
                .collect();
            format!(
                "\\par\\noindent\\hangindent=2em ${} = {{}}$ {}\\par\n",
                math(name),
                set.join(" ")
            )
        }
        Block::Values(shown) => values(shown),
        Block::Picture(_) => "% a picture: see --format svg\n".to_owned(),
    }
}

fn table(table: &Table) -> String {
    let is_number = |column: usize| {
        table
            .rows
            .iter()
            .any(|row| matches!(row.get(column), Some(Cell::Number(_))))
    };
    let columns: String = (0..table.columns.len())
        .map(|column| if is_number(column) { 'r' } else { 'l' })
        .collect();
    let heads: Vec<String> = table.columns.iter().map(|name| words(name)).collect();
    let mut latex = String::new();
    for rows in table.rows.chunks(MOST_ROWS) {
        latex.push_str(&format!(
            "\\par\\medskip\\noindent{{\\footnotesize\\begin{{tabular}}{{{columns}}}\n{} \\\\ \\hline\n",
            heads.join(" & ")
        ));
        for row in rows {
            let cells: Vec<String> = row.iter().map(cell).collect();
            latex.push_str(&format!("{} \\\\\n", cells.join(" & ")));
        }
        latex.push_str("\\end{tabular}}\\par\n");
    }
    latex
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => words(text),
        Cell::Number(number) => number.to_string(),
        Cell::Math(text) if text.is_empty() => String::new(),
        Cell::Math(text) => format!("${}$", math(text)),
        Cell::Game(code) => format!("\\textbf{{{}}}", words(code)),
        Cell::Empty => String::new(),
    }
}

/// A line stands over the period, as over that of a decimal fraction.
fn values(values: &Values) -> String {
    let set = |at: usize| {
        let word = math(&values.values[at]);
        match values.period {
            Some((begin, end)) if (begin..end).contains(&at) => format!("$\\overline{{{word}}}$"),
            _ => format!("${word}$"),
        }
    };
    let all: Vec<String> = (0..values.values.len()).map(set).collect();
    let rest = if values.period.is_some() {
        "\\dots"
    } else {
        "?"
    };
    if values.columns == 0 {
        return format!(
            "\\par\\noindent\\hangindent=2em $\\Phi = {{}}$ {} {rest}\\par\n",
            all.join(" ")
        );
    }
    let heads: String = (1..=values.columns)
        .map(|heap| format!(" & {heap}"))
        .collect();
    let mut latex = String::new();
    for (part, lines) in all.chunks(values.columns * MOST_ROWS).enumerate() {
        latex.push_str(&format!(
            "\\par\\medskip\\noindent{{\\footnotesize\\begin{{tabular}}{{r|*{{{}}}{{l}}}}\n{heads} \\\\ \\hline\n",
            values.columns
        ));
        for (row, line) in lines.chunks(values.columns).enumerate() {
            let begin = (part * MOST_ROWS + row) * values.columns;
            let more = if begin + line.len() == all.len() && line.len() < values.columns {
                format!(" & {rest}")
            } else {
                String::new()
            };
            latex.push_str(&format!("${begin}+$ & {}{more} \\\\\n", line.join(" & ")));
        }
        latex.push_str("\\end{tabular}}\\par\n");
    }
    latex
}

/// Running text: what is special to LaTeX is escaped, signs that its fonts lack are written out.
fn words(text: &str) -> String {
    let mut latex = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                latex.push('\\');
                latex.push(c);
            }
            '\\' => latex.push_str("\\textbackslash{}"),
            '~' => latex.push_str("\\textasciitilde{}"),
            '^' => latex.push_str("\\textasciicircum{}"),
            '|' => latex.push_str("$|$"),
            '<' => latex.push_str("$<$"),
            '>' => latex.push_str("$>$"),
            '…' => latex.push_str("\\dots{}"),
            'è' => latex.push_str("\\`e"),
            c if c.is_ascii() => latex.push(c),
            c => latex.push_str(&format!("${}$", sign(c))),
        }
    }
    latex
}

/// Mathematical notation: exponents and indices of more than one digit need braces.
fn math(text: &str) -> String {
    let mut latex = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '^' | '_' => {
                let mut digits = String::new();
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                latex.push_str(&format!("{c}{{{digits}}}"));
            }
            '{' | '}' | '#' | '%' | '&' | '$' => {
                latex.push('\\');
                latex.push(c);
            }
            '|' => latex.push_str("\\mid "),
            '\\' => latex.push_str("\\backslash "),
            '~' => latex.push_str("\\sim "),
            c if c.is_ascii() => latex.push(c),
            c => latex.push_str(&sign(c)),
        }
    }
    latex
}

/// A sign in mathematics; one that is not known is named by its number.
fn sign(c: char) -> String {
    let known = match c {
        '⟨' => "\\langle ",
        '⟩' => "\\rangle ",
        '∅' => "\\emptyset ",
        '≅' => "\\cong ",
        '≥' => "\\geq ",
        '≤' => "\\leq ",
        '×' => "\\times ",
        '∞' => "\\infty ",
        '·' => "\\cdot ",
        '…' => "\\dots ",
        '−' => "-",
        '–' | '—' => "\\text{--}",
        'Φ' => "\\Phi ",
        'ℤ' => "\\mathbf{Z}",
        'è' => "\\grave e",
        '²' => "^2",
        '³' => "^3",
        '⁰'..='⁹' => return format!("^{}", c as u32 - '⁰' as u32),
        '₀'..='₉' => return format!("_{}", c as u32 - '₀' as u32),
        _ => return format!("\\mathrm{{U{:x}}}", c as u32),
    };
    known.replace("\\text{--}", "\\mbox{--}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_special_any_more() {
        assert_eq!(words("50% of {a_1} & è"), "50\\% of \\{a\\_1\\} \\& \\`e");
        assert_eq!(
            math("⟨a, b_12 | b^10 = 1⟩"),
            "\\langle a, b_{12} \\mid  b^{10} = 1\\rangle "
        );
    }
}
