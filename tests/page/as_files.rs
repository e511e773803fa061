//! The pages as files: whole, with links that lead somewhere, and once for each census.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page::html::check_file;
use crate::support::process::{assert_refused, command, document, done};

/// A census with games under several codes and with a name that no file may have.
const CODES: &str = "0.77,4.4,0.123,0.07,0.005,0.75,{*2,{*2,0}}";

pub(crate) fn census(dir: &Path, codes: &str) -> String {
    let data = dir.join(codes.len().to_string());
    let data = data.to_str().unwrap().to_owned();
    done(&[
        "census", "run", "--codes", codes, "--fuel", "40k", "--data", &data,
    ]);
    data
}

fn page(site: &Path, data: &str) -> serde_json::Value {
    let site = site.to_str().unwrap();
    document(&[
        "page",
        "--static",
        site,
        "--data",
        data,
        "--normal-heaps",
        "200",
        "--json",
    ])
}

/// Lists all files below a directory, as paths from it.
pub(crate) fn files(dir: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![dir.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => assert!(found.insert(path.strip_prefix(dir).unwrap().to_owned())),
            }
        }
    }
    found
}

/// Returns the file to which an address leads from another file; `None` if it leads elsewhere.
pub(crate) fn target(from: &Path, address: &str) -> Option<PathBuf> {
    let path = address.split(['?', '#']).next().unwrap();
    if path.is_empty() {
        return Some(from.to_owned());
    }
    let mut at = from.parent().unwrap().to_owned();
    for part in path.split('/') {
        match part {
            ".." => assert!(at.pop(), "{address}"),
            "" => return None,
            part => at.push(part),
        }
    }
    Some(at)
}

#[test]
fn every_link_leads_to_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), CODES);
    let site = dir.path().join("site");
    let written = page(&site, &data);
    let there = files(&site);
    // The list of hashes is not in itself.
    assert_eq!(written["files"], there.len() - 1);
    let (mut links, mut met) = (0, BTreeSet::new());
    for file in &there {
        if file.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        let html = std::fs::read_to_string(site.join(file)).unwrap();
        let name = file.display();
        let page = check_file(&html).unwrap_or_else(|faults| panic!("{name}: {faults:#?}"));
        for word in ["/api/v1", "/live", "misere serve</code>, once"] {
            assert!(!html.contains(word), "{name} speaks of {word}");
        }
        for link in page.links {
            links += 1;
            let to = target(file, &link).unwrap_or_else(|| panic!("{name}: {link}"));
            assert!(there.contains(&to), "{name}: {link} leads nowhere");
            met.insert(to);
        }
    }
    assert!(links > 900, "{links}");
    for game in ["0.77.html", "4.4.html", "4.4.json", "0.123.growth.svg"] {
        assert!(met.contains(&Path::new("game").join(game)), "{game}");
    }
    assert!(
        there
            .iter()
            .any(|file| file.to_string_lossy().contains("_7B_2A2"))
    );
    // All is as it was written, and the certificates are certificates.
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--quiet", "SHA256SUMS"])
        .current_dir(&site);
    assert!(sums.status().unwrap().success());
    let certificate = site.join("game/4.4.json");
    let verified = done(&["verify", certificate.to_str().unwrap()]);
    assert!(verified.contains("4.4 solved"), "{verified}");
    let lines = std::fs::read_to_string(site.join("games.jsonl")).unwrap();
    let queried = done(&["query", "--data", &data, "--json"]);
    let queried: serde_json::Value = serde_json::from_str(&queried).unwrap();
    let records = queried["records"].as_array().unwrap();
    assert_eq!(lines.lines().count(), records.len());
}

#[test]
fn pages_are_written_once_and_replaced_when_the_census_is_another() {
    let dir = tempfile::tempdir().unwrap();
    let (small, large) = (census(dir.path(), "0.3"), census(dir.path(), "0.3,0.75"));
    let site = dir.path().join("site");
    assert_eq!(page(&site, &small)["kept"], "nothing");
    let first = files(&site);
    assert_eq!(page(&site, &small)["kept"], "all");
    assert_eq!(files(&site), first);
    // A changed file is detected, and made again.
    let index = site.join("index.html");
    let before = std::fs::read(&index).unwrap();
    std::fs::write(&index, "else").unwrap();
    assert_eq!(page(&site, &small)["kept"], "nothing");
    assert_eq!(std::fs::read(&index).unwrap(), before);
    assert_eq!(page(&site, &large)["kept"], "nothing");
    assert!(site.join("game/0.75.html").exists());
    let beside: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(beside.len(), 3, "{beside:?}");
    // Other people's files are not touched.
    let mine = dir.path().join("mine");
    std::fs::create_dir(&mine).unwrap();
    std::fs::write(mine.join("letter"), "dear").unwrap();
    let mine = mine.to_str().unwrap();
    assert_refused(
        &["page", "--static", mine, "--data", &small],
        1,
        "holds something else",
    );
    assert_eq!(std::fs::read_dir(mine).unwrap().count(), 1);
    assert_refused(
        &["page", "--static", "..", "--data", &small],
        1,
        "no name of its own",
    );
}

#[test]
fn a_copy_that_was_killed_is_taken_up_again() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), CODES);
    let site = dir.path().join("site");
    let part = dir.path().join("site.part");
    let write = [
        "page",
        "--static",
        site.to_str().unwrap(),
        "--data",
        &data,
        "--normal-heaps",
        "200",
    ];
    let mut killed = command(&write).spawn().unwrap();
    let begun = || std::fs::read_to_string(part.join("SHA256SUMS")).unwrap_or_default();
    while begun().lines().count() < 12 && killed.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    // However far it came, the final files are the same.
    let again = page(&site, &data);
    let other = dir.path().join("other");
    let whole = page(&other, &data);
    assert_ne!(again["kept"], "nothing");
    assert_eq!(
        (&again["files"], &again["bytes"]),
        (&whole["files"], &whole["bytes"])
    );
    let sums = |site: &Path| std::fs::read_to_string(site.join("SHA256SUMS")).unwrap();
    assert_eq!(sums(&site), sums(&other));
    assert!(!part.exists());
}
