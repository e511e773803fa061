//! The pages as files, opened from a disk.

use serde_json::json;

use crate::browser::chromium::{Browser, DESK, PHONE};
use crate::support::process::done;

#[test]
#[ignore = "slow: needs chromium"]
fn pages_that_are_files_need_no_server() {
    let dir = tempfile::tempdir().unwrap();
    let [data, site] = ["census", "site"].map(|name| dir.path().join(name));
    let [data, site] = [data.to_str().unwrap(), site.to_str().unwrap()];
    let codes = "0.77,4.4,0.123,0.07,0.005,0.75,0.3";
    done(&[
        "census", "run", "--codes", codes, "--fuel", "40k", "--data", data,
    ]);
    done(&[
        "page",
        "--static",
        site,
        "--data",
        data,
        "--normal-heaps",
        "200",
    ]);
    let url = |file: &str| format!("file://{site}/{file}");
    let mut browser = Browser::start();
    browser.look(DESK);
    browser.open(&url("index.html"));
    browser.click("a[href='game/0.77.html']");
    browser.until("document.querySelector('h1').textContent.includes('Kayles')");
    browser.until(
        "Array.from(document.images).every((image) => image.complete && image.naturalWidth > 0)",
    );
    let search = |browser: &mut Browser, text: &str, until: &str| {
        browser.value("document.getElementById('q').value = ''");
        browser.value("document.getElementById('q').focus()");
        browser.write(text);
        browser.press("Enter");
        browser.until(&format!("document.readyState === 'complete' && {until}"));
    };
    // A code, a name, a quotient lead to their pages.
    search(&mut browser, "4.4", "document.title.startsWith('4.4')");
    search(
        &mut browser,
        "dawson's kayles",
        "document.title.startsWith('0.07')",
    );
    search(
        &mut browser,
        "r8",
        "document.querySelector('h1').textContent === 'R8'",
    );
    // Conditions lead to a list, which a heading sorts.
    let rows = "document.querySelectorAll('#found tbody tr').length";
    search(&mut browser, "wild order 8..40", &format!("{rows} === 4"));
    browser.click("#found th:nth-child(3) button");
    let first = "document.querySelector('#found tbody th').textContent";
    browser.until(&format!("{first} === '0.75'"));
    browser.picture("files-search");
    let said = "(document.getElementById('found') || document.body).textContent";
    search(
        &mut browser,
        "wild beasts",
        &format!("{said}.includes('not understood: beasts')"),
    );
    search(
        &mut browser,
        "what is this",
        &format!("{said}.includes('names no game')"),
    );
    // The form of the list of games.
    browser.open(&url("games.html"));
    browser.value("document.querySelector('[name=period]').focus()");
    browser.write("2..12");
    browser.press("Enter");
    browser.until(&format!(
        "document.readyState === 'complete' && {rows} === 4"
    ));
    // A list of numbers, which begins with heap 1.
    browser.open(&url("search.html?q=1,2,3,1,4,3"));
    browser.until("document.querySelector('#found li a') !== null");
    let first = browser.text("document.querySelector('#found li a').textContent");
    assert_eq!(first, "0.77");
    // What names nothing leads on.
    for (sought, to) in [("kales", "the game 0.77"), ("3+5+7", "a position of 0.77")] {
        browser.open(&url(&format!(
            "search.html?q={}",
            sought.replace('+', "%2B")
        )));
        browser.until(&format!("{said}.includes('It may mean')"));
        let found = browser.text(said);
        assert!(found.contains(to), "{sought}: {found}");
    }
    browser.look(PHONE);
    for file in [
        "index.html",
        "games.html",
        "game/0.77.html",
        "search.html?q=wild",
        "data.html",
    ] {
        browser.open(&url(file));
        let wide = browser.value("document.documentElement.scrollWidth - window.innerWidth");
        assert!(
            wide.as_i64() <= Some(0),
            "{file} on a phone is {wide} too wide"
        );
        browser.picture(&format!(
            "files-phone-{}",
            file.split(['.', '/']).next().unwrap()
        ));
    }
    // Lists and pages need no script, and the search says that it needs one.
    browser.scripts(false);
    browser.open(&url("games.html"));
    browser.click("a[href='game/0.123.html']");
    browser.until("document.querySelector('h1').textContent.includes('0.123')");
    browser.open(&url("search.html"));
    let hint =
        browser.value("document.querySelector('noscript').textContent.includes('needs scripts')");
    assert_eq!(hint, json!(true));
    assert_eq!(browser.complaints, Vec::<String>::new());
    let elsewhere = browser
        .asked
        .iter()
        .filter(|url| !url.starts_with("file:") && *url != "about:blank");
    assert_eq!(elsewhere.collect::<Vec<_>>(), Vec::<&String>::new());
}
