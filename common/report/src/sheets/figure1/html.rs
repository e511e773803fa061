//! The chart as a self-contained page, without scripts or external resources.

use crate::facts::figure1::Chart;

use misere_pictures::escaped;

use super::style::differences;
use super::svg::picture;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
figure{margin:0;overflow-x:auto}\
figure svg{max-width:100%;height:auto;border-radius:4px}\
table{border-collapse:collapse}\
th,td{padding:.2rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid #8884}\
td.number{text-align:right}\
ul{padding-left:1.2rem}\
code{font-family:ui-monospace,monospace}";

/// Formats the page.
pub(super) fn page(chart: &Chart, provenance: &[String]) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Octal games with at most three digits</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Octal games with at most three digits</h1>\n<figure>\n"
    );
    html.push_str(&picture(chart));
    html.push_str("</figure>\n<h2>In the terms of 2007</h2>\n<table>\n<thead><tr><th></th><th>2007</th><th>now</th></tr></thead>\n<tbody>\n");
    for (kind, then, now) in chart.then_and_now() {
        html.push_str(&format!(
            "<tr><td>{}</td><td class=\"number\">{then}</td><td class=\"number\">{now}</td></tr>\n",
            kind.describe()
        ));
    }
    let differences = differences(chart);
    html.push_str(&format!(
        "</tbody>\n</table>\n<h2>Different from 2007 ({} boxes)</h2>\n<table>\n<thead><tr><th>game</th><th>2007</th><th>now</th></tr></thead>\n<tbody>\n",
        differences.len()
    ));
    for (entry, why) in differences {
        html.push_str(&format!(
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
            entry.code,
            entry.published.describe(),
            escaped(why)
        ));
    }
    html.push_str("</tbody>\n</table>\n<h2>Where this comes from</h2>\n<ul>\n");
    for line in provenance {
        html.push_str(&format!("<li>{}</li>\n", escaped(line)));
    }
    html.push_str("</ul>\n</main>\n</body>\n</html>\n");
    html
}
