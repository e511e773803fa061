//! A sheet as a self-contained page, without scripts or external resources.

use misere_pictures::escaped;

use super::{Cell, Grid, Part, Sheet};

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
sup,sub{line-height:0}\
h2{margin-top:2.5rem}\
figure{margin:1rem 0;overflow-x:auto}\
figure svg{max-width:100%;height:auto}\
p.values{line-height:2}\
p.values span{margin-right:.7em}\
table.values td,table.values th{padding:.1rem .5rem;border:0;text-align:center}\
table.values th{font:.75rem system-ui,sans-serif;opacity:.7}\
.period{border-top:2px solid #c2571a!important}\
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:.2rem 0 1.2rem 1rem}\
dt{opacity:.7}\
dd{margin:0}\
h3{margin:1rem 0 0;font-size:1rem}\
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}\
code.key{white-space:nowrap}";

/// Formats the page.
pub(super) fn page(sheet: &Sheet) -> String {
    let title = escaped(&sheet.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
        heading_set(&sheet.title)
    );
    for part in &sheet.parts {
        match part {
            Part::Says(says) => html.push_str(&format!("<p>{}</p>\n", escaped(says))),
            Part::Grid(grid) => html.push_str(&table(grid)),
            Part::Items(grid) => html.push_str(&items(grid)),
            Part::Heading(heading) => {
                html.push_str(&format!("<h2>{}</h2>\n", heading_set(heading)))
            }
            Part::Subheading(heading) => {
                html.push_str(&format!("<h3>{}</h3>\n", heading_set(heading)));
            }
            Part::List(lines) => {
                let items = lines
                    .iter()
                    .map(|line| format!("<li>{}</li>\n", escaped(line)));
                html.push_str(&format!("<ul>\n{}</ul>\n", items.collect::<String>()));
            }
            Part::Formula(name, items) => {
                let set = |text: String| Cell::Formula(text).html();
                let (name, items) = (set(name.clone()), set(items.join(" ")));
                html.push_str(&format!("<p>{name} = {items}</p>\n"));
            }
            Part::Values(values) => html.push_str(&values.html()),
            Part::Picture(svg) => html.push_str(&format!("<figure>\n{svg}</figure>\n")),
        }
    }
    html.push_str("<h2>Where this comes from</h2>\n<ul>\n");
    for line in &sheet.provenance {
        html.push_str(&format!("<li>{}</li>\n", escaped(line)));
    }
    html.push_str("</ul>\n</main>\n</body>\n</html>\n");
    html
}

/// Formats items one below the other, each with its cells.
fn items(grid: &Grid) -> String {
    let mut html = String::new();
    if !grid.title.is_empty() {
        html.push_str(&format!("<h2>{}</h2>\n", escaped(&grid.title)));
    }
    for row in &grid.rows {
        let mut cells = row.iter().zip(&grid.head);
        if let Some((first, _)) = cells.next() {
            html.push_str(&format!("<h3>{}</h3>\n", first.html()));
        }
        html.push_str("<dl>\n");
        for (cell, name) in cells.filter(|(cell, _)| **cell != Cell::None) {
            let (name, said) = (escaped(name), cell.html());
            html.push_str(&format!("<dt>{name}</dt><dd>{said}</dd>\n"));
        }
        html.push_str("</dl>\n");
    }
    html
}

/// Formats a heading, in which numbers after an underscore are indices: `R_8`.
fn heading_set(text: &str) -> String {
    let mut html = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_index = c == '_' && chars.peek().is_some_and(char::is_ascii_digit);
        if !is_index {
            html.push_str(&escaped(&c.to_string()));
            continue;
        }
        html.push_str("<sub>");
        while let Some(digit) = chars.next_if(char::is_ascii_digit) {
            html.push(digit);
        }
        html.push_str("</sub>");
    }
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
