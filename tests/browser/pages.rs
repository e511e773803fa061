//! The pages as people use them.

use std::sync::OnceLock;

use serde_json::json;

use crate::browser::chromium::{Browser, DESK, PHONE, Viewport};
use crate::page::served::Served;
use crate::support::process::{command_that_ends_with_us, output};

/// Returns a census of three digits, served; once for all tests.
fn census() -> &'static Served {
    static CENSUS: OnceLock<(Served, tempfile::TempDir)> = OnceLock::new();
    let (served, _) = CENSUS.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let data = std::env::var("MISERE_CENSUS").unwrap_or_else(|_| {
            let data = dir.path().join("census").to_str().unwrap().to_owned();
            let run = [
                "census", "run", "--digits", "3", "--fuel", "100k", "--data", &data,
            ];
            assert!(output(&run).status.success());
            data
        });
        let serve = [
            "serve",
            "--data",
            &data,
            "--listen",
            "127.0.0.1:0",
            "--normal-heaps",
            "1000",
        ];
        (Served::said_by(command_that_ends_with_us(&serve)), dir)
    });
    served
}

/// Checks that nothing was requested from another host, and nothing went wrong.
fn assert_content(browser: &Browser, served: &Served) {
    assert_eq!(browser.complaints, Vec::<String>::new());
    let elsewhere = browser
        .asked
        .iter()
        .filter(|url| !url.starts_with(&served.url("")) && *url != "about:blank");
    assert_eq!(elsewhere.collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(!browser.asked.is_empty());
}

const PAGES: [(&str, &str); 21] = [
    ("chart", "/"),
    ("game", "/game/0.77"),
    ("growing", "/game/0.26"),
    ("diverging", "/game/0.104"),
    ("board", "/game/0.77/play?position=3+5+7+12&hints=on"),
    ("board-large", "/game/0.77/play?position=100+99"),
    ("games", "/games?tame=wild&status=solved"),
    ("class", "/class/R_8"),
    ("large-class", "/class/c3984c70"),
    ("quotients", "/quotients"),
    ("open", "/open"),
    ("atlas", "/atlas"),
    ("found", "/search?q=dawson"),
    ("beginnings", "/search?q=0,1,2,3,1,4"),
    ("ambiguous", "/search?q=077"),
    ("about", "/about"),
    ("glossary", "/glossary"),
    ("calculator", "/calculator?game=0.77&position=3%2B5%2B7"),
    ("live", "/live"),
    ("api", "/api"),
    ("failure", "/game/0.12345"),
];

#[test]
#[ignore = "slow: needs chromium"]
fn the_chart_tells_on_hovering_and_leads_to_games() {
    let (mut browser, census) = (Browser::start(), census());
    browser.look(DESK);
    browser.open(&census.url("/"));
    browser.point_at(".boxes a[href='/game/0.77']");
    let read = browser.text("document.getElementById('reading').textContent");
    assert!(
        read.starts_with("0.77: solved: period 12 from heap 71 on; wild; quotient of order 40"),
        "{read}"
    );
    browser.picture("chart-hover");
    // The keyboard: one stop for Tab, arrows within.
    browser.value("document.querySelector(\".boxes a[href='/game/0.77']\").focus()");
    let at = |browser: &mut Browser| browser.text("document.activeElement.getAttribute('href')");
    for (key, expected) in [
        ("ArrowRight", "/game/0.771"),
        ("ArrowUp", "/game/0.761"),
        ("ArrowDown", "/game/0.771"),
        ("Home", "/game/0.77"),
        ("End", "/game/0.777"),
        ("ArrowRight", "/game/0.777"),
        ("ArrowLeft", "/game/0.776"),
    ] {
        browser.press(key);
        assert_eq!(at(&mut browser), expected, "{key}");
    }
    let stops = browser.value("document.querySelectorAll('.boxes a[tabindex=\"0\"]').length");
    assert_eq!(stops, json!(1));
    let outline = browser.text("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid");
    browser.press("Enter");
    browser.until_at("/game/0.776");
    // The legend picks boxes out.
    browser.open(&census.url("/"));
    browser.click("input[value='wild-solved']");
    browser.until("getComputedStyle(document.querySelector('.boxes td.tame')).opacity < 0.5");
    let opacity =
        browser.text("getComputedStyle(document.querySelector('.boxes td.wild-solved')).opacity");
    assert_eq!(opacity, "1");
    browser.value("window.scrollTo(0, 0)");
    browser.picture("chart-wild");
    browser.click("a[href='/game/0.123']");
    browser.until_at("/game/0.123");
    assert_content(&browser, census);
}

#[test]
#[ignore = "slow: needs chromium"]
fn from_the_search_box_to_a_game_and_its_class() {
    let (mut browser, census) = (Browser::start(), census());
    browser.look(DESK);
    browser.open(&census.url("/"));
    browser.value("document.getElementById('q').focus()");
    browser.write("4.4");
    browser.press("Enter");
    browser.until_at("/game/4.4");
    let heading = browser.text("document.querySelector('h1').textContent");
    assert!(heading.contains("4.4"), "{heading}");
    // The strip: colours by value, the period bracketed, words read by mouse and keyboard.
    let period = browser.value("document.querySelectorAll('.strip.period li').length");
    assert_eq!(period, json!(12));
    let colours = browser.value(
        "new Set(Array.from(document.querySelectorAll('.heaps li')).map((li) => getComputedStyle(li).backgroundColor)).size",
    );
    assert!(colours.as_u64() > Some(8), "{colours}");
    browser.point_at(".strip.period li");
    let read = browser.text("document.getElementById('reading').textContent");
    assert!(read.starts_with("heap 72: "), "{read}");
    browser.value("document.querySelector('.strip.period li').focus()");
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    let read = browser.text("document.getElementById('reading').textContent");
    assert!(read.starts_with("heap 74: "), "{read}");
    browser.press("ArrowUp");
    let read = browser.text("document.getElementById('reading').textContent");
    assert!(read.starts_with("heap 6"), "{read}");
    browser.picture("game-strip");
    browser.until(
        "Array.from(document.images).every((image) => image.complete && image.naturalWidth > 0)",
    );
    browser.click("dd a[href^='/class/']");
    browser.until("location.pathname.startsWith('/class/') && document.readyState === 'complete'");
    browser.until("document.images.length === 3 && Array.from(document.images).every((image) => image.complete && image.naturalWidth > 0)");
    browser.picture("class-of-kayles");
    // A presentation as the papers write it.
    browser.value("document.getElementById('q').focus()");
    browser.write("⟨a,b,c | a²=1, b³=b, bc=ab, c²=b²⟩ P = {a, b²}");
    browser.press("Enter");
    browser.until("document.querySelector('h1').textContent === 'R8'");
    browser.picture("class-r8");
    // A text that is not understood is reported, with an example, and the box is there for another
    // try.
    browser.value("document.getElementById('q').focus()");
    browser.write("what is this");
    browser.press("Enter");
    browser.until(
        "document.querySelector('.lead') && document.querySelector('.lead').textContent.includes('is no code, no name, no class')",
    );
    assert_content(&browser, census);
}

/// A term opens its meaning beside it, by mouse and keyboard, and Escape leads back to the term.
#[test]
#[ignore = "slow: needs chromium"]
fn terms_open_in_place() {
    let (mut browser, census) = (Browser::start(), census());
    let open = "Array.from(document.querySelectorAll(':popover-open')).map((one) => one.id).join()";
    for (size, picture) in [(DESK, "term"), (PHONE, "term-phone")] {
        browser.look(size);
        browser.open(&census.url("/game/0.77"));
        browser.click("a.term[href='/glossary#partial-quotient']");
        assert_eq!(browser.text(open), "term-partial-quotient");
        let inside = "(({ left, right }) => left >= 0 && right <= document.documentElement.clientWidth)\
                      (document.querySelector(':popover-open').getBoundingClientRect())";
        assert_eq!(browser.value(inside), json!(true));
        browser.picture(picture);
        browser.press("Escape");
        assert_eq!(browser.text(open), "");
    }
    browser.value("document.querySelector('a.term[href=\"/glossary#order\"]').focus()");
    browser.press("Enter");
    assert_eq!(browser.text(open), "term-order");
    let focused = "document.activeElement.closest('.explained') !== null";
    assert_eq!(browser.value(focused), json!(true));
    browser.press("Escape");
    let back = browser.text("document.activeElement.getAttribute('href')");
    assert_eq!(back, "/glossary#order");
    assert_content(&browser, census);
}

#[test]
#[ignore = "slow: needs chromium"]
fn readable_on_a_desk_and_a_phone_in_light_and_dark() {
    let (mut browser, census) = (Browser::start(), census());
    let looks = [
        ("desk", DESK),
        (
            "desk-dark",
            Viewport {
                is_dark: true,
                ..DESK
            },
        ),
        ("phone", PHONE),
        (
            "phone-dark",
            Viewport {
                is_dark: true,
                ..PHONE
            },
        ),
    ];
    for (kind, look) in looks {
        browser.look(look);
        for (name, path) in PAGES {
            browser.open(&census.url(path));
            let wide = browser.value("document.documentElement.scrollWidth - window.innerWidth");
            assert!(
                wide.as_i64() <= Some(0),
                "{path} on a {kind} is {wide} too wide"
            );
            let background = browser.text("getComputedStyle(document.body).backgroundColor");
            assert_eq!(
                background == "rgb(20, 22, 23)",
                look.is_dark,
                "{path}: {background}"
            );
            browser.until("Array.from(document.images).every((image) => image.complete)");
            browser.picture(&format!("{name}-{kind}"));
            if look.is_phone {
                let small = browser.value(
                    "Array.from(document.querySelectorAll('.boxes a, button, nav a')).filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML.slice(0, 200))",
                );
                assert_eq!(small, json!([]), "{path} on a {kind}");
            }
        }
    }
    assert_content(&browser, census);
}

#[test]
#[ignore = "slow: needs chromium"]
fn a_game_is_played_on_the_board() {
    let (mut browser, census) = (Browser::start(), census());
    browser.look(DESK);
    browser.open(&census.url("/game/0.77/play?position=3+5+7&hints=on"));
    browser.value("window.never_loaded_again = true");
    // A move shows what it takes before it is made.
    browser.point_at(".moves button[value='3 4 7']");
    let taken = "document.querySelectorAll('circle.taken').length";
    assert_eq!(browser.value(taken), json!(1));
    browser.picture("board-hover");
    browser.click(".moves button[value='3 4 7']");
    browser.until("document.getElementById('said').textContent.includes('The computer’s move')");
    assert_eq!(browser.value("window.never_loaded_again"), json!(true));
    let address = browser.text("location.search");
    assert!(address.contains("turn=computer"), "{address}");
    browser.picture("board-played");
    // Back is a step back; the keyboard makes moves as well.
    browser.value("window.history.back()");
    browser.until("document.querySelector('.lead').textContent.includes('3 + 5 + 7')");
    browser.value("document.querySelector('.moves .wins').focus()");
    assert_eq!(browser.value(taken), json!(1));
    browser.press("Enter");
    browser.until(
        "document.getElementById('said').textContent.includes('The position was 3 + 4 + 7')",
    );
    // To the end, by the winning moves.
    for _ in 0..20 {
        let over = "document.getElementById('said').textContent.includes('you win')";
        if browser.value(over) == json!(true) {
            break;
        }
        let before = browser.text("location.search");
        browser.value("document.querySelector('.moves .wins').click()");
        browser.until(&format!("location.search !== {before:?}"));
        browser.until("!!document.getElementById('said')");
    }
    browser.until("document.getElementById('said').textContent.includes('you win')");
    assert_eq!(browser.value("window.never_loaded_again"), json!(true));
    browser.picture("board-won");
    // The same without scripts.
    browser.scripts(false);
    browser.open(&census.url("/game/0.77/play?position=1+2"));
    browser.click(".moves button[value='1 1']");
    browser
        .until("document.readyState === 'complete' && location.search.includes('turn=computer')");
    let said = browser.text("document.getElementById('said').textContent");
    assert!(said.contains("The computer’s move"), "{said}");
    assert_content(&browser, census);
}

#[test]
#[ignore = "slow: needs chromium"]
fn everything_is_there_without_scripts() {
    let (mut browser, census) = (Browser::start(), census());
    browser.look(DESK);
    browser.scripts(false);
    browser.open(&census.url("/"));
    assert_eq!(
        browser.value("document.documentElement.className"),
        json!("")
    );
    assert_eq!(
        browser.value("document.querySelectorAll('.boxes a').length"),
        json!(575)
    );
    let title = browser.text("document.querySelector(\"a[href='/game/0.123']\").title");
    assert!(title.starts_with("0.123: solved: period 5"), "{title}");
    browser.picture("chart-without-scripts");
    browser.click("input[value='tame']");
    browser
        .until("getComputedStyle(document.querySelector('.boxes td.wild-solved')).opacity < 0.5");
    browser.click("a[href='/game/0.123']");
    browser.until_at("/game/0.123");
    browser.value("document.getElementById('q').focus()");
    browser.write("R_8");
    browser.press("Enter");
    browser.until("document.querySelector('h1').textContent === 'R8'");
    browser.open(&census.url("/games"));
    browser.value("document.querySelector('[name=period]').focus()");
    browser.write("2");
    browser.press("Enter");
    browser.until("location.search.includes('period=2') && document.readyState === 'complete'");
    assert!(
        browser
            .text("document.querySelector('caption').textContent")
            .starts_with("Games 1 to")
    );
    browser.open(&census.url("/live"));
    let refreshed = "document.querySelector('noscript').innerHTML.includes('http-equiv=\"refresh\"') || !!document.querySelector('noscript meta')";
    assert_eq!(browser.value(refreshed), json!(true));
    assert_content(&browser, census);
}

#[test]
#[ignore = "slow: needs chromium"]
fn the_live_view_of_a_running_census_moves() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let run = [
        "census",
        "run",
        "--digits",
        "3",
        "--fuel",
        "2M",
        "--workers",
        "1",
        "--http",
        "127.0.0.1:0",
        "--data",
        data.to_str().unwrap(),
    ];
    let running = Served::start(&run);
    let mut browser = Browser::start();
    browser.look(DESK);
    browser.open(&running.url("/live"));
    browser.until("document.getElementById('link').textContent.startsWith('Connected')");
    browser.value("window.never_loaded_again = true");
    let finished = "document.querySelector('progress').value";
    browser.until(&format!(
        "{finished} > 0 && !!document.querySelector('#live td a')"
    ));
    let first = browser.value(finished).as_f64().unwrap();
    browser.picture("live-running");
    browser.until(&format!("{finished} > {first}"));
    let state = browser.text("document.querySelector('#live strong').textContent");
    assert_eq!(state, "running");
    assert_eq!(browser.value("window.never_loaded_again"), json!(true));
    browser.picture("live-running-later");
    browser.look(PHONE);
    browser.picture("live-running-phone");
    let wide = browser.value("document.documentElement.scrollWidth - window.innerWidth");
    assert!(wide.as_i64() <= Some(0), "{wide}");
    assert_content(&browser, &running);
    // When the census goes away the page says so.
    browser.look(DESK);
    drop(running);
    browser.until("document.getElementById('link').textContent.startsWith('Not connected')");
}

/// axe-core finds no fault on any page, on a desk and on a phone, in light and in dark colours.
#[test]
#[ignore = "slow: needs chromium, and axe-core, which `make test-browser` fetches"]
fn keyboards_and_screen_readers_find_their_way() {
    let axe = std::env::var("MISERE_AXE").expect("MISERE_AXE names axe.min.js");
    let axe = std::fs::read_to_string(axe).unwrap();
    let (mut browser, census) = (Browser::start(), census());
    let report = "axe.run().then(found => found.violations.map(fault => \
                  `${fault.id}: ${fault.nodes[0].html}`).join('\\n'))";
    let dark = Viewport {
        is_dark: true,
        ..PHONE
    };
    for look in [DESK, dark] {
        browser.look(look);
        for (name, path) in PAGES {
            browser.open(&census.url(path));
            browser.value(&format!("{axe}; 0"));
            let faults = browser.text(report);
            assert_eq!(faults, "", "{name}");
        }
    }
}
