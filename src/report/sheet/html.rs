//! A report as a page by itself, without scripts or anything from elsewhere.

use super::{Block, Cell, Sheet, Table, Values};
use crate::report::markup::escaped;

/// The style of all pages.
pub const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}\
h2{margin-top:2.2rem}\
figure,.wide{margin:1rem 0;overflow-x:auto}\
figure svg{max-width:100%;height:auto;border-radius:4px}\
table{border-collapse:collapse}\
th,td{padding:.2rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid #8884}\
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums}\
.math,.values{font-family:'STIX Two Math','Latin Modern Math',Cambria,Georgia,serif}\
.math i,.values i{font-style:italic}\
.values td,.values th{padding:.1rem .5rem;border:0;text-align:center}\
.values th{font:.75rem system-ui,sans-serif;opacity:.7}\
.line{line-height:2}\
.line span{margin-right:.7em}\
.period{border-top:2px solid #c2571a}\
code{font-family:ui-monospace,monospace}\
footer{margin-top:3rem;font-size:.9rem}";

pub(super) fn set(sheet: &Sheet) -> String {
    let title = escaped(&sheet.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    for block in &sheet.blocks {
        html.push_str(&set_block(block));
    }
    html.push_str("<footer>\n<h2>Where this comes from</h2>\n<ul>\n");
    for sentence in sheet.provenance.sentences() {
        html.push_str(&format!("<li>{}</li>\n", escaped(sentence)));
    }
    html.push_str("</ul>\n</footer>\n</main>\n</body>\n</html>\n");
    html
}

fn set_block(block: &Block) -> String {
    match block {
        Block::Heading(heading) => format!("<h2>{}</h2>\n", escaped(heading)),
        Block::Paragraph(words) => format!("<p>{}</p>\n", escaped(words)),
        Block::List(lines) => {
            let items: String = lines
                .iter()
                .map(|line| format!("<li>{}</li>\n", escaped(line)))
                .collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Table(shown) => table(shown),
        Block::Formula { name, items } => {
            format!(
                "<p class=\"math\">{} = {}</p>\n",
                math(name),
                math(&items.join(" "))
            )
        }
        Block::Values(shown) => values(shown),
        Block::Picture(svg) => format!("<figure>\n{svg}</figure>\n"),
    }
}

fn table(table: &Table) -> String {
    let mut html = "<div class=\"wide\"><table>\n<thead><tr>".to_owned();
    for (column, name) in table.columns.iter().enumerate() {
        let is_number = table
            .rows
            .iter()
            .any(|row| matches!(row.get(column), Some(Cell::Number(_))));
        let class = if is_number { " class=\"number\"" } else { "" };
        html.push_str(&format!("<th scope=\"col\"{class}>{}</th>", escaped(name)));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for cell in row {
            html.push_str(&match cell {
                Cell::Text(text) => format!("<td>{}</td>", escaped(text)),
                Cell::Number(number) => format!("<td class=\"number\">{number}</td>"),
                Cell::Math(text) => format!("<td class=\"math\">{}</td>", math(text)),
                Cell::Game(code) => format!("<td><code>{}</code></td>", escaped(code)),
                Cell::Empty => "<td></td>".to_owned(),
            });
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}

/// Heap by heap; a line stands over the first period.
fn values(values: &Values) -> String {
    let class = |at: usize| match values.period {
        Some((begin, end)) if (begin..end).contains(&at) => " class=\"period\"",
        _ => "",
    };
    let rest = if values.period.is_some() { "…" } else { "?" };
    let titled = |at: usize| format!("title=\"heap {}\"", at + 1);
    if values.columns == 0 {
        let words: String = (0..values.values.len())
            .map(|at| {
                format!(
                    "<span{} {}>{}</span>",
                    class(at),
                    titled(at),
                    math(&values.values[at])
                )
            })
            .collect();
        return format!(
            "<p class=\"values line\"><span>Φ =</span>{words}<span>{rest}</span></p>\n"
        );
    }
    let heads: String = (1..=values.columns)
        .map(|heap| format!("<th>{heap}</th>"))
        .collect();
    let mut html =
        format!("<div class=\"wide\"><table class=\"values\">\n<tr><th>Φ</th>{heads}</tr>\n");
    let mut at = 0;
    for line in values.values.chunks(values.columns) {
        html.push_str(&format!("<tr><th>{at}+</th>"));
        for word in line {
            html.push_str(&format!(
                "<td{} {}>{}</td>",
                class(at),
                titled(at),
                math(word)
            ));
            at += 1;
        }
        if at == values.values.len() {
            html.push_str(&format!("<td>{rest}</td>"));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
    html
}

/// Letters slanted, exponents raised, indices lowered.
fn math(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let tag = match c {
            '^' => "sup",
            '_' => "sub",
            c if c.is_ascii_alphabetic() => {
                html.push_str(&format!("<i>{c}</i>"));
                continue;
            }
            c => {
                html.push_str(&escaped(&c.to_string()));
                continue;
            }
        };
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        html.push_str(&format!("<{tag}>{digits}</{tag}>"));
    }
    html
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_set() {
        assert_eq!(
            super::math("ab^12c_3<"),
            "<i>a</i><i>b</i><sup>12</sup><i>c</i><sub>3</sub>&lt;"
        );
    }
}
