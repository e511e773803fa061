//! Every example that a page prints works.

use crate::page::html::check;
use crate::page::served::{Served, encoded, small};
use crate::support::process::output;

/// A game is drawn, and no answer of the draw is kept.
#[test]
fn some_game_is_drawn() {
    let drawn = small().get("/random");
    assert_eq!(drawn.header("cache-control"), Some("no-store"));
    let address = drawn.header("location").unwrap();
    assert!(address.starts_with("/game/"), "{address}");
    assert_eq!(small().followed("/random").status, 200);
}

/// Two presentations that are searched for at once are both answered: one waits for the other.
#[test]
fn presentations_wait_for_one_another() {
    let sought = format!("/search?q={}", encoded("<a,b | a^2=1, b^3=b> P={a,b^2}"));
    std::thread::scope(|scope| {
        let ask = || small().followed(&sought).status;
        let asked: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        for one in asked {
            assert_eq!(one.join().unwrap(), 200);
        }
    });
}

/// Checks that a text that names nothing leads on: to similar names, to the game that is the same,
/// to the board, to the classes of a monoid.
#[test]
fn a_search_that_finds_nothing_leads_on() {
    for (sought, leads_to) in [
        ("kayless", "/game/0.77"),
        ("dawson", "/game/0.07"),
        ("7+5+3", "/game/0.77/play?position=7%2B5%2B3&hints=on"),
        ("<a,b | a^2=1, b^3=b>", "/class/6.2.1"),
        ("4.61", "/game/0.77"),
    ] {
        let answer = small().get(&format!("/search?q={}", encoded(sought)));
        assert_eq!(answer.status, 200, "{sought}");
        let page = check(answer.text()).unwrap();
        let links = &page.links;
        assert!(links.contains(leads_to), "{sought}: {links:?}");
    }
    let board = small().get(&format!("/search?q={}", encoded("0.77:3+5+7")));
    let board = (board.status, board.header("location").map(str::to_owned));
    let position = "/game/0.77/play?position=3%2B5%2B7&hints=on".to_owned();
    assert_eq!(board, (303, Some(position)));
    // Too large for the board.
    let large = small().get(&format!("/search?q={}", encoded("0.77:1000000+999999")));
    let calculator = "/calculator?game=0.77&position=1000000%2B999999";
    assert_eq!(large.header("location"), Some(calculator));
    let turned = small().get(&format!("/search?q={}", encoded("\u{202e}77.0\0")));
    let turned = turned.text();
    assert!(
        turned.contains("U+202E") && turned.contains("U+0000"),
        "{turned}"
    );
    assert!(!turned.contains(['\u{202e}', '\0']), "{turned}");
    let nothing = small().get("/search?q=zebra");
    assert_eq!(nothing.status, 200);
    assert!(nothing.text().contains("Nothing is found"));
}

/// Checks that a census of another plan is not shown as that of Figure 1.
#[test]
fn the_first_page_names_the_census() {
    let page = check(small().get("/").text()).unwrap();
    assert!(
        page.text.contains("Census of codes 0.3 0.07"),
        "{}",
        page.text
    );
    assert!(
        page.text.contains("of 575 codes; the list of games"),
        "{}",
        page.text
    );
    assert!(!page.text.contains("What was open in 2007"));
}

/// The examples in empty fields, on every kind of page.
#[test]
fn every_example_in_an_empty_field_works() {
    let mut tried = std::collections::BTreeSet::new();
    for page in [
        "/",
        "/games",
        "/search",
        "/quotients",
        "/open",
        "/live",
        "/about",
        "/glossary",
        "/api",
        "/game/0.77",
        "/calculator",
    ] {
        let page = check(small().get(page).text()).unwrap();
        for (action, field, examples) in page.examples {
            // The search box has several.
            for example in examples.split(" · ") {
                let address = format!("{action}?{field}={}", encoded(example));
                let answer = small().followed(&address);
                assert_eq!(answer.status, 200, "{field}: {example}: {}", answer.text());
                check(answer.text()).unwrap();
                tried.insert((field.clone(), example.to_owned()));
            }
        }
    }
    assert!(tried.len() >= 10, "{tried:?}");
}

/// The examples of the page of the search, and those of its advice.
#[test]
fn every_example_of_the_search_works() {
    let page = check(small().get("/search").text()).unwrap();
    let mut tried = 0;
    for link in page
        .links
        .iter()
        .filter(|link| link.starts_with("/search?q="))
    {
        let answer = small().followed(link);
        assert_eq!(answer.status, 200, "{link}: {}", answer.text());
        tried += 1;
    }
    assert!(tried >= 12, "{tried}");
    let advice = small().get("/search?q=what");
    let advised: Vec<&str> = advice.text().split("<code>").skip(1).collect();
    assert!(advised.len() >= 5, "{}", advice.text());
    for example in advised {
        let example = example.split("</code>").next().unwrap();
        let example = example.replace("&lt;", "<").replace("&gt;", ">");
        if example.starts_with("misere ") || example.contains("0.12") {
            continue;
        }
        let answer = small().followed(&format!("/search?q={}", encoded(&example)));
        assert_eq!(answer.status, 200, "{example}: {}", answer.text());
    }
}

#[test]
fn the_search_box_knows_names_conditions_and_other_notations() {
    for (sought, found) in [
        ("kayles", "/game/0.77"),
        ("Dawson's Kayles", "/game/0.07"),
        ("order 20", "/games?order=20"),
        ("period 12", "/games?period=12"),
        ("wild", "/games?tame=wild"),
        (
            "wild solved order 8..40",
            "/games?tame=wild&status=solved&order=8..40",
        ),
        ("T3", "/class/T_3"),
        ("T_3", "/class/T_3"),
        ("r8", "/class/R_8"),
        ("0.[0-3][0-3]", "/games?code=0.%5B0-3%5D%5B0-3%5D"),
    ] {
        let answer = small().get(&format!("/search?q={}", encoded(sought)));
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(found)),
            "{sought}"
        );
        assert_eq!(small().followed(found).status, 200, "{found}");
    }
    let latex = r"\langle a,b,c \mid a^{2}=1, b^{3}=b, bc=ab, c^{2}=b^{2} \rangle,\ \mathcal{P}=\{a,b^{2}\}";
    let r8 = small().followed(&format!("/search?q={}", encoded(latex)));
    assert!(
        r8.text().contains("<h1>R<sub>8</sub></h1>"),
        "{}",
        r8.text()
    );
    let kayles = small().get("/api/v1/games/0.77").json();
    for named in [&kayles["class"].as_str().unwrap()[..8], "40.9.2"] {
        let answer = small().get(&format!("/search?q={named}"));
        assert_eq!(answer.header("location"), Some("/class/40.9.2"), "{named}");
    }
    // A name that the census does not have.
    let t9 = check(small().get("/class/T9").text()).unwrap();
    assert!(
        t9.text.contains(
            "T_9 by its definition; no game of this census has it; excluded by that: all 9 \
                 tasks of the census ended, each game as far as its budget went."
        ),
        "{}",
        t9.text
    );
}

/// A text that can be read in several ways is never read as only one of them.
#[test]
fn ambiguous_texts_are_answered_by_all_readings() {
    for (sought, readings) in [
        (
            "077",
            &[
                "the game 0.077",
                "the game 0.77",
                "a class whose key begins with 077",
            ][..],
        ),
        ("20", &["the game 0.2", "a class whose key begins with 20"]),
        ("c", &["the game C", "a class whose key begins with c"]),
        (
            "1234",
            &["a class whose key begins with 1234", "the game 0.1234"],
        ),
    ] {
        let answer = small().get(&format!("/search?q={sought}"));
        assert_eq!(answer.status, 200, "{sought}: {}", answer.text());
        let page = check(answer.text()).unwrap();
        for reading in readings {
            assert!(page.text.contains(reading), "{sought}: {}", page.text);
        }
    }
    let page = check(small().get("/search?q=077").text()).unwrap();
    assert!(page.links.contains("/game/0.77"), "{:?}", page.links);
}

#[test]
fn a_monoid_that_is_a_quotient_is_named_as_one() {
    for (sought, said) in [
        (
            "<a,b | a^2=1, b^2=1> P={a}",
            "It is not a misère quotient: no set of games has it",
        ),
        (
            "<x | x^40=1> P={x}",
            "Whether it is a misère quotient is not known",
        ),
    ] {
        let page = check(
            small()
                .get(&format!("/search?q={}", encoded(sought)))
                .text(),
        )
        .unwrap();
        assert!(page.text.contains(said), "{}", page.text);
    }
    let renamed = small().get(&format!("/search?q={}", encoded("<x | x^40=1> P={x}")));
    assert!(renamed.text().contains("x is a"), "{}", renamed.text());
}

#[test]
fn open_problems_are_listed_with_what_may_decide_them() {
    let page = check(small().get("/open").text()).unwrap();
    let games = check(small().get("/games?status=diverges,grows,exhausted").text()).unwrap();
    let of = |page: &crate::page::html::PageContents| {
        let links = page.links.iter();
        let links = links.filter(|link| link.starts_with("/game/") && !link.contains("/play"));
        links.cloned().collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(of(&page), of(&games));
    assert!(page.links.contains("/game/0.07"), "{:?}", page.links);
    let text = small().get("/open");
    assert!(
        text.text()
            .contains("<code>misere solve 0.07 --fuel 1G</code>"),
        "{}",
        text.text()
    );
    assert!(!page.links.contains("/game/0.77"));
}

#[test]
fn the_quotients_of_a_census_can_be_browsed() {
    let page = check(small().get("/quotients").text()).unwrap();
    assert!(page.text.contains("classes occur"), "{}", page.text);
    assert!(page.links.contains("/quotients/40"));
    let forty = check(small().get("/quotients/40").text()).unwrap();
    let class = small().get("/api/v1/games/0.77").json()["label"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        forty.links.contains(&format!("/class/{class}")),
        "{:?}",
        forty.links
    );
    assert!(
        forty
            .links
            .contains(&format!("/games?class={class}&status=solved"))
    );
    assert_eq!(small().get("/quotients/39").status, 404);
    let eight = small().get("/quotients/8");
    assert!(eight.text().contains("R<sub>8</sub>"), "{}", eight.text());

    // The API counts the same; every class of every record is there, and no other.
    let classes = small().get("/api/v1/classes").json();
    let classes = classes["classes"].as_array().unwrap();
    let mut expected: std::collections::BTreeMap<String, u64> = Default::default();
    for game in small().get("/api/v1/games").json()["games"]
        .as_array()
        .unwrap()
    {
        let partials = game["partials"].as_array().unwrap().iter();
        let own: std::collections::BTreeSet<&str> = partials
            .map(|partial| partial["class"].as_str().unwrap())
            .collect();
        for class in own {
            *expected.entry(class.to_owned()).or_default() += 1;
        }
    }
    let found: std::collections::BTreeMap<String, u64> = classes
        .iter()
        .map(|class| {
            (
                class["class"].as_str().unwrap().to_owned(),
                class["games"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn lists_tell_how_many_there_are_and_can_be_sorted_and_taken_home() {
    let all = small().get("/api/v1/games").json();
    let games = all["games"].as_array().unwrap().len();
    assert_eq!(all["total"], games);
    let page = check(small().get("/games?limit=2").text()).unwrap();
    assert!(
        page.text.contains(&format!("Games 1 to 2 of {games}")),
        "{}",
        page.text
    );
    assert!(page.text.contains("Next page"));
    assert!(
        page.links.contains("/games?limit=2&sort=order"),
        "{:?}",
        page.links
    );
    assert!(page.links.contains("/games?limit=2&offset=2"));
    let sorted = check(small().get("/games?sort=order").text()).unwrap();
    assert!(
        sorted.links.contains("/games?descending=1&sort=order"),
        "{:?}",
        sorted.links
    );
    // Parameters are spelled as the fields of records too, and have all conditions of the command.
    for asked in ["p-size=2", "p_size=2"] {
        let found = small().get(&format!("/api/v1/games?{asked}")).json();
        assert!(found["total"].as_u64().unwrap() >= 1, "{asked}");
        let records = found["games"].as_array().unwrap();
        assert!(records.iter().all(|game| game["p_size"] == 2));
    }
    for asked in [
        "diverges-at=1..100",
        "changes_at=1",
        "wild-from=1..",
        "spent=1..",
        "status=Solved",
    ] {
        let answer = small().get(&format!("/games?{asked}"));
        assert_eq!(answer.status, 200, "{asked}: {}", answer.text());
    }
    let csv = small().get("/games.csv?tame=wild");
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let wild = small().get("/api/v1/games?tame=wild").json()["total"]
        .as_u64()
        .unwrap();
    assert_eq!(csv.text().lines().count() as u64, wild + 1);
    assert!(csv.text().starts_with("code,kept_as,status,"));
    // Finite games have commas in their names.
    let whole = small().get("/games.csv");
    assert!(
        whole.text().contains("\"{{*2,0},*2}\","),
        "{}",
        whole.text()
    );
}

#[test]
fn scripts_elsewhere_and_supervisors_may_ask() {
    let answer = small().get("/api/v1/games/0.77");
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(
        small()
            .get("/game/0.77")
            .header("access-control-allow-origin"),
        None
    );
    for (address, said) in [("/healthz", "alive\n"), ("/readyz", "ready\n")] {
        let answer = small().get(address);
        assert_eq!((answer.status, answer.text()), (200, said), "{address}");
    }
    let api = small().get("/api");
    assert!(!api.text().contains('`'), "{}", api.text());
}

/// The chart never takes a statement back: before normal play is computed it says so.
#[test]
fn the_chart_says_nothing_before_it_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    // The nim-values of these repeat behind heap 500 only.
    let run = [
        "census",
        "run",
        "--codes",
        "0.156,0.165,0.77",
        "--fuel",
        "20k",
        "--data",
        data,
    ];
    assert!(output(&run).status.success());
    let served = Served::start(&["serve", "--data", data, "--listen", "127.0.0.1:0"]);
    let differences = |chart: &serde_json::Value| -> std::collections::BTreeMap<String, String> {
        let boxes = chart["games"].as_array().unwrap().iter();
        let of = |entry: &serde_json::Value| {
            let why = entry["difference"].as_str()?.to_owned();
            Some((entry["code"].as_str().unwrap().to_owned(), why))
        };
        boxes.filter_map(of).collect()
    };
    let first_page = check(served.get("/").text()).unwrap();
    let first = served.get("/api/v1/chart").json();
    let since = std::time::Instant::now();
    let last = loop {
        let chart = served.get("/api/v1/chart").json();
        if chart["computing"] == 0 && chart["normal_heaps"] == 20_000 {
            break chart;
        }
        assert!(
            since.elapsed() < std::time::Duration::from_secs(120),
            "it is never computed"
        );
        std::thread::sleep(std::time::Duration::from_millis(200));
    };
    let (early, late) = (differences(&first), differences(&last));
    for (code, why) in &early {
        assert_eq!(late.get(code), Some(why), "{code} was said to differ");
    }
    if first["computing"] != 0 {
        assert!(
            first_page.text.contains("still to be computed"),
            "{}",
            first_page.text
        );
        assert!(
            first_page.text.contains("being computed"),
            "{}",
            first_page.text
        );
    }
    let last_page = check(served.get("/").text()).unwrap();
    assert!(
        !last_page.text.contains("being computed"),
        "{}",
        last_page.text
    );
}

#[test]
fn words_lead_to_their_meanings() {
    let glossary = small().get("/glossary");
    let anchors: Vec<&str> = glossary
        .text()
        .split("<dt id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(anchors.len() >= 25, "{anchors:?}");
    let mut led = std::collections::BTreeSet::new();
    for page in [
        "/",
        "/games",
        "/game/0.77",
        "/game/0.005",
        "/class/R_8",
        "/quotients",
        "/quotients/8",
    ] {
        let answer = small().followed(page);
        for link in check(answer.text()).unwrap().links {
            if let Some(anchor) = link.strip_prefix("/glossary#") {
                assert!(anchors.contains(&anchor), "{page}: {anchor}");
                led.insert(anchor.to_owned());
            }
        }
    }
    assert!(led.len() >= 12, "{led:?}");
    let about = check(small().get("/about").text()).unwrap();
    assert!(about.text.contains("How to cite") && about.text.contains("Census with digest"));
}
