//! All pages show the nim-values of many heaps, served or as files.

use std::path::Path;

use crate::page::html::{check, check_file};
use crate::page::served::Served;
use crate::support::process::{assert_refused, document, done};

/// The heaps of a run that is short, but longer than the part that a chart computes itself.
const HEAPS: &str = "3000";

/// Returns what `misere normal list` says of 0.6, in the words of the game's page and of the chart.
fn said(normal: &str) -> [String; 2] {
    let listed = document(&["normal", "list", "--data", normal, "--json"]);
    let game = &listed["games"][0];
    assert_eq!(game["code"], "0.6");
    let last = game["marks"].as_array().unwrap().last().unwrap();
    let mask = game["mask"].as_u64().unwrap();
    let spaced = |number: &serde_json::Value| {
        let number = number.as_u64().unwrap();
        match number >= 1_000 {
            true => format!("{}\u{202f}{:03}", number / 1_000, number % 1_000),
            false => number.to_string(),
        }
    };
    [
        format!(
            "Under the mask {mask:b} {} heaps are rare, the last of them heap {}.",
            spaced(&last["rare"]),
            spaced(&last["last_rare"])
        ),
        format!(
            "nim-values of 0.6 known to heap {HEAPS}: mask {mask:b}, {} heaps rare, the last heap {}",
            last["rare"], last["last_rare"]
        ),
    ]
}

#[test]
fn every_surface_says_how_far_and_what_is_rare() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (data, normal, site) = (path("census"), path("normal"), path("site"));
    done(&[
        "census", "run", "--codes", "0.6,0.77", "--fuel", "20k", "--data", &data,
    ]);
    done(&["normal", "run", "0.6", "--heaps", HEAPS, "--data", &normal]);
    let [on_the_page, on_the_chart] = said(&normal);
    let to_heap = "computed to heap 3\u{202f}000; no period is proved.";
    let compare = |game: &str, chart: &str| {
        assert!(
            game.contains(to_heap) && game.contains(&on_the_page),
            "{game}"
        );
        assert!(chart.contains(&on_the_chart), "{chart}");
        assert!(chart.contains("by nim-values computed beforehand (of 1 boxes)"));
        assert!(!chart.contains("still to be computed"), "{chart}");
    };

    done(&[
        "page",
        "--static",
        &site,
        "--data",
        &data,
        "--normal",
        &normal,
        "--normal-heaps",
        "600",
    ]);
    let file = |name: &str| {
        let text = std::fs::read_to_string(Path::new(&site).join(name)).unwrap();
        check_file(&text).unwrap();
        text
    };
    compare(&file("game/0.6.html"), &file("index.html"));
    // Other nim-values are other pages.
    let again = [
        "page",
        "--static",
        &site,
        "--data",
        &data,
        "--normal-heaps",
        "600",
        "--json",
    ];
    assert_eq!(document(&again)["kept"], "nothing");
    assert!(!file("game/0.6.html").contains(to_heap));

    let serve = [
        "serve",
        "--data",
        &data,
        "--listen",
        "127.0.0.1:0",
        "--normal",
        &normal,
        // The pages wait for nim-values that go further than the results.
        "--normal-heaps",
        "600",
    ];
    let coordinator = [
        "coordinator",
        "--data",
        &data,
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
        "--keep-serving",
        "--normal",
        &normal,
    ];
    for surface in [&serve[..], &coordinator] {
        let served = Served::start(surface);
        let (game, chart) = (served.get("/game/0.6"), served.get("/"));
        check(game.text()).unwrap();
        check(chart.text()).unwrap();
        compare(game.text(), chart.text());
    }

    // A result that contradicts itself is not shown.
    let result = Path::new(&normal).join("0.6.json");
    let text = std::fs::read_to_string(&result).unwrap();
    std::fs::write(&result, text.replace("\"bounded\"", "\"solved\"")).unwrap();
    let fault = "a period and a preperiod are stated exactly of a game that is solved";
    for surface in [&serve[..], &coordinator] {
        assert_refused(surface, 1, fault);
    }
    let page = [
        "page", "--static", &site, "--data", &data, "--normal", &normal,
    ];
    assert_refused(&page, 1, fault);
}
