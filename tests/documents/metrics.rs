//! The pages name every metric with its labels, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::documents::markdown::{Page, book};
use crate::documents::running::Directory;

/// For each metric with its labels (`misere_tasks{state}`) the values of the label.
type Metrics = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_metric_is_named() {
    let all = tempfile::tempdir().unwrap();
    let mut directory = Directory::new(all.path().to_owned(), false);
    directory.start(
        "misere coordinator --codes 0.77 --data census --listen 127.0.0.1:7117 --http 127.0.0.1:8117",
        &[],
    );
    let served = served(&directory.free("127.0.0.1:8117"));
    assert_eq!(named(&book()), served, "left: on the page; right: served");
    let names: BTreeSet<&str> = served
        .keys()
        .filter_map(|name| name.split('{').next())
        .collect();
    for (file, name) in watched() {
        // A histogram has three families.
        let whole = ["_count", "_sum", "_bucket"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        let is_served = names.contains(&*name) || whole.is_some_and(|name| names.contains(name));
        assert!(is_served, "{file}: a coordinator has no metric {name}");
    }
}

/// Returns the metrics in the alerts and on the dashboard.
fn watched() -> BTreeSet<(&'static str, String)> {
    let files = [
        (
            "alerts.yaml",
            include_str!("../../deploy/monitoring/alerts.yaml"),
        ),
        (
            "dashboard.json",
            include_str!("../../deploy/monitoring/dashboard.json"),
        ),
    ];
    let mut watched = BTreeSet::new();
    for (file, text) in files {
        let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '_');
        let names = words.filter(|word| word.starts_with("misere_"));
        let before = watched.len();
        watched.extend(names.map(|name| (file, name.to_owned())));
        assert!(watched.len() > before, "{file} has no metric");
    }
    watched
}

/// Returns the metrics in the table behind `<!-- metrics -->`.
fn named(pages: &[Page]) -> Metrics {
    let tables = pages.iter().flat_map(Page::tables);
    let mut tables = tables.filter(|table| table.marker.as_deref() == Some("metrics"));
    let table = tables.next().expect("no page has a table of metrics");
    let rows = table.rows.iter();
    rows.flat_map(|(_, cells)| codes(&cells[0]).map(|name| (name, codes(&cells[1]).collect())))
        .collect()
}

fn codes(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// Returns the metrics that a coordinator serves; those of a histogram under its name.
fn served(address: &str) -> Metrics {
    let text = get(address, "/metrics");
    let histogram = |line: &str| {
        Some(
            line.strip_prefix("# TYPE ")?
                .strip_suffix(" histogram")?
                .to_owned(),
        )
    };
    let histograms: Vec<String> = text.lines().filter_map(histogram).collect();
    let mut metrics = Metrics::new();
    for line in text.lines().filter(|line| line.starts_with("misere_")) {
        let (name, _) = line.rsplit_once(' ').unwrap();
        if let Some(whole) = histograms
            .iter()
            .find(|whole| name.starts_with(whole.as_str()))
        {
            metrics.entry(whole.clone()).or_default();
        } else if let Some((metric, rest)) = name.split_once('{') {
            let (label, value) = rest.split_once('=').unwrap();
            let value = value.trim_matches(['"', '}']).to_owned();
            metrics
                .entry(format!("{metric}{{{label}}}"))
                .or_default()
                .insert(value);
        } else {
            metrics.entry(name.to_owned()).or_default();
        }
    }
    metrics
}

fn get(address: &str, path: &str) -> String {
    let since = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(since.elapsed() < Duration::from_secs(300), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
