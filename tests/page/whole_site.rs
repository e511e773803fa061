//! Every page of a small census, as links lead from one to the next, and the answers to other
//! requests.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::page::html::check;
use crate::page::served::{Answer, Served, small};

/// Returns the codes that the census has, aliases included.
fn codes() -> BTreeSet<String> {
    let list = small().get("/api/v1/games").json();
    let records = list["games"].as_array().unwrap().iter();
    records
        .flat_map(|record| {
            let aliases = record["aliases"].as_array().unwrap().iter();
            aliases
                .chain([&record["code"]])
                .map(|code| code.as_str().unwrap().to_owned())
        })
        .collect()
}

/// Returns the game of an address such as `/game/0.77/growth.svg`.
fn game(address: &str) -> Option<String> {
    let code = address.strip_prefix("/game/")?.split('/').next()?;
    let mut bytes = Vec::new();
    let mut rest = code.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn assert_guarded(address: &str, answer: &Answer) {
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'"),
        "{address}: {policy}"
    );
    assert!(
        !policy.contains("script-src 'unsafe"),
        "{address}: {policy}"
    );
    assert_eq!(
        answer.header("x-content-type-options"),
        Some("nosniff"),
        "{address}"
    );
    assert_eq!(
        answer.header("referrer-policy"),
        Some("no-referrer"),
        "{address}"
    );
}

#[test]
fn every_link_leads_to_a_good_page() {
    let codes = codes();
    let mut seen: BTreeMap<String, u16> = BTreeMap::new();
    let mut queue: VecDeque<String> = ["/", "/search", "/games?tame=wild"]
        .map(str::to_owned)
        .into();
    while let Some(address) = queue.pop_front() {
        if seen.contains_key(&address) || address == "/api/v1/live/events" {
            continue;
        }
        let answer = small().get(&address);
        seen.insert(address.clone(), answer.status);
        assert_guarded(&address, &answer);
        let is_page = answer
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html"));
        if is_page {
            let page =
                check(answer.text()).unwrap_or_else(|faults| panic!("{address}: {faults:#?}"));
            queue.extend(page.links);
        }
        if let Some(location) = answer.header("location") {
            queue.push_back(location.to_owned());
        }
        let expected = match game(&address) {
            // The chart shows all games of three digits, whether the census has them or not.
            Some(code) if !codes.contains(&code) => &[404][..],
            _ if address.starts_with("/search") => &[200, 303],
            _ => &[200, 303, 308],
        };
        assert!(
            expected.contains(&answer.status),
            "{address}: {}",
            answer.status
        );
    }
    // No page was skipped.
    assert!(seen.len() > 600, "{}", seen.len());
    for code in &codes {
        assert!(
            seen.iter()
                .any(|(address, &status)| game(address).as_ref() == Some(code) && status == 200),
            "{code} has no page that a link leads to: {seen:?}"
        );
    }
    let ends = |ending: &str| {
        seen.keys()
            .filter(|address| address.ends_with(ending))
            .count()
    };
    for ending in [
        ".css",
        ".js",
        "cayley.svg",
        "idempotents.svg",
        "growth.svg",
        "p-positions.svg",
        "certificate",
        "certificate.json",
    ] {
        assert!(ends(ending) > 0, "{ending}");
    }
}

#[test]
fn the_page_of_a_game_says_what_is_known() {
    let page = check(small().get("/game/4.4").text()).unwrap();
    for said in [
        "4.4 is 0.77 with every heap one larger; the census keeps the game under 0.77",
        "period 12 from heap 72 on",
        "40 elements",
        "proved",
        "One period: heaps 72 to 83",
    ] {
        assert!(
            page.text.contains(said) || said == "Other games with this quotient",
            "{said}: {}",
            page.text
        );
    }
    let html = small().get("/game/0.77").text().to_owned();
    assert!(html.contains("<i>a</i><sup>2</sup> = 1"), "{html}");
    assert!(html.contains("href=\"/class/"));
    let infinite = check(small().get("/game/0.005").text()).unwrap();
    assert!(infinite.text.contains("is infinite"), "{}", infinite.text);
    let finite = check(small().get("/game/%7B%7B%2A2%2C0%7D%2C%2A2%7D").text()).unwrap();
    assert!(
        finite.text.contains("a finite game born on day"),
        "{}",
        finite.text
    );
}

#[test]
fn a_certificate_can_be_taken_home_and_checked() {
    let answer = |address: &str| {
        let answer = small().get(&format!("/game/0.77/{address}"));
        assert_eq!(answer.status, 200);
        assert!(
            answer
                .header("content-disposition")
                .unwrap()
                .contains("filename=\"0.77.")
        );
        answer.body
    };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("kayles.json");
    std::fs::write(&file, answer("certificate.json")).unwrap();
    let verified = crate::support::process::output(&["verify", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{verified:?}");
    let document = misere_game::solution::Document::new(
        &misere_census::certificate::decode(&answer("certificate")).unwrap(),
    );
    let document = serde_json::to_vec(&document).unwrap();
    assert_eq!(document, std::fs::read(&file).unwrap());
}

#[test]
fn the_search_box_takes_codes_classes_and_presentations() {
    for (sought, found) in [
        ("0.77", "/game/0.77"),
        ("+4.4+", "/game/4.4"),
        ("grundy", "/game/grundy"),
        ("R_8", "/class/R_8"),
        ("0.7%3F", "/games?code=0.7%3F"),
    ] {
        let answer = small().get(&format!("/search?q={sought}"));
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(found)),
            "{sought}"
        );
    }
    // R_8 as the papers write it, and the whole way to its page.
    let r8 = "%E2%9F%A8a,b,c%20%7C%20a%5E2=1,%20b%5E3=b,%20bc=ab,%20c%5E2=b%5E2%E2%9F%A9%20P=%7Ba,b%5E2%7D";
    let answer = small().get(&format!("/search?q={r8}"));
    let location = answer.header("location").unwrap().to_owned();
    let page = small().get(&location);
    let checked = check(page.text()).unwrap();
    assert!(
        page.text().contains("<h1>R<sub>8</sub></h1>"),
        "{}",
        checked.text
    );
    assert!(checked.text.contains("0.75"), "{}", checked.text);
    // A quotient that the census does not have is reported as well.
    let other = small().get("/search?q=%3Ca%7Ca%5E4%3D1%3EP%3D%7Ba%7D");
    assert_eq!(other.status, 200, "{}", other.text());
    assert!(
        check(other.text())
            .unwrap()
            .text
            .contains("nowhere in this census")
    );
}

#[test]
fn failures_are_reported_on_a_page() {
    let long = "7".repeat(5_000);
    for (address, status, said) in [
        ("/nowhere", 404, "nothing at this address"),
        ("/game/0.6", 404, "misere solve '0.6'"),
        ("/game/0.9x", 400, "is not a code of a game"),
        ("/game/%ff", 400, "the address is not text"),
        ("/game/0.6/certificate", 404, "has no record"),
        ("/class/R_9", 400, "no misère quotient is called R_9"),
        (
            &format!("/class/{}", "0".repeat(64)),
            404,
            "no game of this census",
        ),
        ("/class/00000000", 404, "no game of this census"),
        (
            "/search?q=what",
            200,
            "is no code, no name, no class, no presentation and no condition",
        ),
        (
            "/search?q=wild+beasts",
            200,
            "this is not understood: beasts",
        ),
        ("/search?q=T_40", 200, "T_40 has more than 2^16"),
        ("/class/T_12", 400, "too many for a page"),
        ("/quotients/39", 404, "no quotients of order 39"),
        ("/search?q=%3Ca,b%7Ca%5E2=1%3E", 200, "P = {a, b^2}"),
        ("/search?q=%3Ca,b%7Ca%5E2=1%3E%20P=%7Ba%7D", 200, "infinite"),
        ("/games?order=6..2", 400, "is not a range"),
        ("/games?nosuch=1", 400, "nothing is called"),
        ("/games?limit=99999999", 400, "at most 1000"),
        ("/games?status=%00", 400, "is not a status"),
        ("/assets/style.0.css", 404, "nothing at this address"),
        (&format!("/game/{long}"), 400, "too long"),
    ] {
        let answer = small().get(address);
        let page = check(answer.text()).unwrap_or_else(|faults| panic!("{address}: {faults:#?}"));
        assert_eq!(answer.status, status, "{address}: {}", page.text);
        assert!(
            page.text.to_lowercase().contains(&said.to_lowercase()),
            "{address}: {}",
            page.text
        );
        assert_guarded(address, &answer);
    }
    let posted = small().ask("POST", "/", "Content-Length: 0\r\n");
    assert_eq!(posted.status, 405);
    check(posted.text()).unwrap();
    // Text from the request comes back as text.
    let script = small().get("/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E");
    assert_eq!(script.status, 200);
    assert!(!script.text().contains("<script>"));
}

#[test]
fn a_cached_page_is_not_sent_again() {
    for address in ["/", "/game/0.77", "/api/v1/games/0.77"] {
        let first = small().get(address);
        let tag = first.header("etag").unwrap();
        let again = small().ask("GET", address, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!((again.status, again.body.len()), (304, 0), "{address}");
        let other = small().ask("GET", address, "If-None-Match: \"other\"\r\n");
        assert_eq!(other.status, 200, "{address}");
        let head = small().ask("HEAD", address, "");
        assert_eq!((head.status, head.body.len()), (200, 0), "{address}");
    }
    let page = small().get("/");
    let links = check(page.text()).unwrap().links;
    let assets: Vec<_> = links
        .iter()
        .filter(|link| link.starts_with("/assets/"))
        .collect();
    assert_eq!(assets.len(), 3);
    for asset in assets {
        let kept = small().get(asset);
        assert!(
            kept.header("cache-control").unwrap().contains("immutable"),
            "{asset}"
        );
    }
}

#[test]
fn a_census_of_quotients_has_pages_too() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let run = [
        "census",
        "run",
        "--space",
        "quotients",
        "--order",
        "8",
        "--data",
        data,
    ];
    assert!(crate::support::process::output(&run).status.success());
    let served = Served::start(&["serve", "--data", data, "--listen", "127.0.0.1:0"]);
    assert_eq!(served.get("/").header("location"), Some("/quotients"));
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from(["/quotients".to_owned()]);
    while let Some(address) = queue.pop_front() {
        if !seen.insert(address.clone()) || address.starts_with("/api/") {
            continue;
        }
        let answer = served.get(&address);
        if !answer
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html"))
        {
            continue;
        }
        let page = check(answer.text()).unwrap_or_else(|faults| panic!("{address}: {faults:#?}"));
        assert_eq!(answer.status, 200, "{address}: {}", page.text);
        queue.extend(page.links);
    }
    let r8 = check(served.get("/quotients/8").text()).unwrap();
    assert!(r8.text.contains("R8"), "{}", r8.text);
    let class = r8
        .links
        .iter()
        .find(|link| link.starts_with("/class/"))
        .unwrap();
    assert!(
        check(served.get(class).text())
            .unwrap()
            .elements
            .contains_key("img")
    );
    assert_eq!(small().get("/quotients").status, 200);
    assert_eq!(small().get("/quotients/x").status, 400);
}
