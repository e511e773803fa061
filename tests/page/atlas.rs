//! Every surface agrees with the atlas, and a contradictory atlas is refused.

use std::path::Path;

use misere_game::bipartite::ClassKey;
use serde_json::Value;

use crate::page::html::{check, check_file};
use crate::page::served::{Served, atlas, small};
use crate::support::process::{assert_refused, document, done};

fn atlas_of_two(dir: &Path) -> (String, String) {
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (data, day) = (path("census"), path("day-4"));
    let codes = "0.77,0.75,0.26,0.123";
    done(&[
        "census", "run", "--codes", codes, "--fuel", "40k", "--data", &data,
    ]);
    done(&["census", "run", "--born-by", "4", "--data", &day]);
    let file = atlas(dir, &[&data, &day]);
    (data, file)
}

/// Returns the name of the file of a class in pages as files.
fn class_file(class: &Value) -> String {
    let class: ClassKey = serde_json::from_value(class.clone()).unwrap();
    format!("class/{}.html", class.lasting_name())
}

#[test]
fn every_surface_names_the_least_games() {
    let dir = tempfile::tempdir().unwrap();
    let (data, file) = atlas_of_two(dir.path());
    let site = dir.path().join("site");
    let site = site.to_str().unwrap();
    // R_8 is a quotient of both censuses, and the game of day 4 has no page here.
    let restive = document(&["identify", "R_8", "--atlas", &file, "--json"]);
    let answers = restive["atlas"]["answers"].as_array().unwrap();
    assert_eq!(restive["atlas"]["list"], "listed");
    assert_eq!(answers[0]["answer"], "whole");
    assert_eq!(answers[0]["code"], "0.75");
    assert_eq!(answers[1]["bounds"]["games"], "born-by");
    let of_day_4 = answers[1]["code"].as_str().unwrap();
    // A key needs no census either, also that of a quotient without a name.
    let atlas: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    for entry in atlas["entries"].as_array().unwrap() {
        let key = &entry["class"].as_str().unwrap()[..16];
        let of_key = document(&["identify", key, "--atlas", &file, "--json"]);
        assert_eq!(of_key["class"], entry["class"]);
        let told = of_key["atlas"]["answers"].as_array().unwrap();
        let codes = entry["answers"].as_array().unwrap();
        for (told, answer) in told.iter().zip(codes) {
            assert_eq!(told.get("code"), answer.get("code"));
        }
    }
    // The game that is named has the quotient.
    let again = document(&["identify", of_day_4, "--json"]);
    assert_eq!(again["class"], restive["class"]);
    let line = format!(
        "4 listed games: <a href=\"ROOT/game/0.75.html\">0.75</a>; finite games born by day 4: \
         {of_day_4}</dd>"
    );
    done(&[
        "page",
        "--static",
        site,
        "--data",
        &data,
        "--atlas",
        &file,
        "--normal-heaps",
        "200",
    ]);
    let page = |name: &str| {
        let text = std::fs::read_to_string(Path::new(site).join(name)).unwrap();
        check_file(&text).unwrap();
        text
    };
    let class = page(&class_file(&restive["class"]));
    assert!(class.contains(&line.replace("ROOT", "..")), "{class}");
    assert!(class.contains("<a href=\"../atlas/8.html\">Atlas</a>"));
    let of_order = page("atlas/12.html");
    assert!(of_order.contains("Quotients 1 to 6 of 6"), "{of_order}");
    assert!(of_order.contains("<td>none</td>"), "{of_order}");
    assert!(page("quotients.html").contains("<a href=\"atlas.html\">Atlas of 10 misère quotients"));
    assert!(page("atlas.html").contains("href=\"atlas/12.html\">12</a>"));
    // Another atlas makes other pages, and so does no atlas.
    let without = [
        "page",
        "--static",
        site,
        "--data",
        &data,
        "--normal-heaps",
        "200",
        "--json",
    ];
    assert_eq!(document(&without)["kept"], "nothing");
    assert!(!Path::new(site).join("atlas.html").exists());

    let served = |args: &[&str]| {
        let common = ["--data", &data, "--atlas", &file];
        let served = Served::start(&[args, &common].concat());
        let class = served.followed(&format!("/class/{}", restive["class"].as_str().unwrap()));
        check(class.text()).unwrap();
        let line = line.replace("ROOT", "").replace(".html", "");
        assert!(class.text().contains(&line), "{}", class.text());
        for address in ["/atlas", "/atlas/12", "/atlas/12?offset=500", "/quotients"] {
            let answer = served.get(address);
            assert_eq!(answer.status, 200, "{address}");
            check(answer.text()).unwrap_or_else(|fault| panic!("{address}: {fault:?}"));
        }
    };
    served(&["serve", "--listen", "127.0.0.1:0", "--normal-heaps", "200"]);
    served(&[
        "coordinator",
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
        "--keep-serving",
    ]);
}

#[test]
fn the_list_comes_in_parts_and_by_order() {
    let get = |address: &str| small().get(address).json();
    let met = get("/api/v1/atlas");
    assert!(met["entries"].as_array().unwrap().iter().all(|entry| {
        let answer = &entry["answers"][0]["answer"];
        answer == "whole" || answer == "partial"
    }));
    let whole = get("/api/v1/atlas?order=12");
    assert_eq!(whole["total"], 6);
    assert_eq!(whole["complete_orders"]["4"], 0);
    let (mut parts, mut next) = (Vec::new(), "/api/v1/atlas?order=12&limit=4".to_owned());
    loop {
        let part = get(&next);
        parts.extend(part["entries"].as_array().unwrap().clone());
        match part["next"].as_str() {
            Some(address) => next = address.to_owned(),
            None => break,
        }
    }
    assert_eq!(Value::Array(parts), whole["entries"]);
    for (address, status) in [
        ("/atlas/7", 404),
        ("/atlas/many", 400),
        ("/atlas?offset=first", 400),
        ("/atlas?order=8", 400),
        ("/api/v1/atlas?limit=1001", 400),
        ("/api/v1/atlas?order=-1", 400),
    ] {
        assert_eq!(small().get(address).status, status, "{address}");
    }
}

#[test]
fn quotients_that_are_not_listed_are_distinguished() {
    let dir = tempfile::tempdir().unwrap();
    let (data, file) = atlas_of_two(dir.path());
    let list = |what: &str| {
        let said = document(&["identify", what, "--atlas", &file, "--json"]);
        assert_eq!(said["atlas"]["answers"], serde_json::json!([]));
        said["atlas"]["list"].as_str().unwrap().to_owned()
    };
    assert_refused(
        &["identify", "00000000", "--atlas", &file],
        1,
        "the atlas does not list the class 00000000",
    );
    assert_eq!(list("T_0"), "trivial");
    assert_eq!(list("0.123"), "beyond");
    // A reduced bipartite monoid of order 4 that is not a misère quotient.
    assert_eq!(list("⟨a,b | a^2=1, b^2=1⟩ P = {a}"), "no-quotient");
    // An atlas that contradicts itself is refused by all, before anything is served or written.
    let text = std::fs::read_to_string(&file).unwrap();
    let other = text.replacen("\"order\":8", "\"order\":10", 1);
    assert_ne!(other, text);
    std::fs::write(&file, other).unwrap();
    for args in [
        &["identify", "R_8", "--atlas", &file][..],
        &["serve", "--data", &data, "--atlas", &file],
        &[
            "page", "--static", "site", "--data", &data, "--atlas", &file,
        ],
        &[
            "coordinator",
            "--data",
            &data,
            "--http",
            "127.0.0.1:0",
            "--atlas",
            &file,
        ],
        &[
            "census",
            "run",
            "--data",
            &data,
            "--http",
            "127.0.0.1:0",
            "--atlas",
            &file,
        ],
    ] {
        assert_refused(args, 1, "is not an atlas");
    }
}
