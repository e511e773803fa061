//! A sheet as a page by itself, without scripts or anything from elsewhere.

use super::{Grid, Part, Sheet};
use crate::report::markup::escaped;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}\
.wide{overflow-x:auto}\
table{border-collapse:collapse}\
caption{text-align:left;font-weight:600;padding:.4rem 0}\
th,td{padding:.25rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid #8884}\
th{white-space:nowrap}\
.number{text-align:right;font-variant-numeric:tabular-nums}\
i{font-family:Georgia,serif}\
code{font-family:ui-monospace,monospace}";

/// The page.
pub(super) fn page(sheet: &Sheet) -> String {
    let title = escaped(&sheet.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    for part in &sheet.parts {
        match part {
            Part::Says(says) => html.push_str(&format!("<p>{}</p>\n", escaped(says))),
            Part::Grid(grid) | Part::Items(grid) => html.push_str(&table(grid)),
        }
    }
    html.push_str("<h2>Where this comes from</h2>\n<ul>\n");
    for line in &sheet.provenance {
        html.push_str(&format!("<li>{}</li>\n", escaped(line)));
    }
    html.push_str("</ul>\n</main>\n</body>\n</html>\n");
    html
}

fn table(grid: &Grid) -> String {
    let is_number = |column: usize| {
        let mut cells = grid.rows.iter().filter_map(|row| row.get(column));
        cells.any(super::Cell::is_number)
    };
    let class = |column| {
        if is_number(column) {
            " class=\"number\""
        } else {
            ""
        }
    };
    let mut html = "<div class=\"wide\">\n<table>\n".to_owned();
    if !grid.title.is_empty() {
        html.push_str(&format!("<caption>{}</caption>\n", escaped(&grid.title)));
    }
    html.push_str("<thead><tr>");
    for (column, name) in grid.head.iter().enumerate() {
        html.push_str(&format!(
            "<th scope=\"col\"{}>{}</th>",
            class(column),
            escaped(name)
        ));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &grid.rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            html.push_str(&format!("<td{}>{}</td>", class(column), cell.html()));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    html
}
