//! The solver for browsers as a part of the pages, on a server and as files.

use std::path::Path;
use std::process::Command;

use crate::browser::chromium::{Browser, DESK, PHONE};
use crate::page::as_files::{census, files, target};
use crate::page::html::{check, check_file};
use crate::page::served::Served;
use crate::support::process::{assert_refused, document};

/// Makes a directory as `make browser-solver` does, with a module that only looks like one.
fn browser_solver(dir: &Path) -> String {
    let solver = dir.join("solver");
    std::fs::create_dir(&solver).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("common/browser/page");
    for source in std::fs::read_dir(sources).unwrap() {
        let source = source.unwrap();
        std::fs::copy(source.path(), solver.join(source.file_name())).unwrap();
    }
    std::fs::write(solver.join("misere_browser.js"), "export default null;\n").unwrap();
    std::fs::write(solver.join("misere.wasm"), b"\0asm\x01\0\0\0").unwrap();
    solver.to_str().unwrap().to_owned()
}

/// Games of the census can be verified in the browser, and those that it lacks are solved there.
#[test]
fn the_solver_for_browsers_belongs_to_the_pages() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), "0.3,0.75");
    let solver = browser_solver(dir.path());
    let site = dir.path().join("site");
    let write = ["page", "--static", site.to_str().unwrap(), "--data", &data];
    let write = [&write[..], &["--normal-heaps", "200", "--json"]].concat();
    let with = ["--browser-solver", &solver];
    assert_eq!(document(&write)["kept"], "nothing");
    assert!(!site.join("solve.html").exists());
    // The pages without the solver are others.
    assert_eq!(document(&[&write[..], &with].concat())["kept"], "nothing");
    assert_eq!(document(&[&write[..], &with].concat())["kept"], "all");
    let there = files(&site);
    for file in ["solve.html", "game/0.75.html", "index.html"] {
        let html = std::fs::read_to_string(site.join(file)).unwrap();
        let page = check_file(&html).unwrap_or_else(|faults| panic!("{file}: {faults:#?}"));
        for link in &page.links {
            let to = target(Path::new(file), link).unwrap();
            assert!(there.contains(&to), "{file}: {link} leads nowhere");
        }
        let solves = |link: &String| link.ends_with("solve.html");
        assert!(page.links.iter().any(solves), "{file}");
    }
    let game = std::fs::read_to_string(site.join("game/0.75.html")).unwrap();
    assert!(game.contains("src=\"../solver/verify.js\""), "{game}");
    assert!(game.contains("href=\"../solve.html#0.75\""), "{game}");
    let certificate = "href=\"../game/0.75.json\" id=\"certificate\"";
    assert!(game.contains(certificate), "{game}");
    let class = std::fs::read_to_string(site.join("class/8.2.1.html")).unwrap();
    assert!(
        class.contains("href=\"../solve.html#quotient=%E2%9F%A8"),
        "{class}"
    );
    let chart = std::fs::read_to_string(site.join("index.html")).unwrap();
    assert!(chart.contains("href=\"solve.html#0.001\""), "{chart}");
    let module = |dir: &Path| std::fs::read(dir.join("misere.wasm")).unwrap();
    assert_eq!(module(&site.join("solver")), module(Path::new(&solver)));
    // A directory without a solver is refused by name.
    std::fs::write(Path::new(&solver).join("solve.html"), "<p>else</p>").unwrap();
    assert_refused(&[&write[..], &with].concat(), 1, "no element `main`");
    std::fs::remove_file(Path::new(&solver).join("misere.wasm")).unwrap();
    let none = ["--browser-solver", "/nowhere"];
    assert_refused(
        &[&write[..], &none].concat(),
        1,
        "`make browser-solver` makes",
    );
}

/// The same on a server. Only the files of the solver may compile WebAssembly.
#[test]
fn a_server_offers_the_solver_for_browsers() {
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), "0.3,0.75");
    let solver = browser_solver(dir.path());
    let serve = ["serve", "--data", &data, "--listen", "127.0.0.1:0"];
    let served = Served::start(&[&serve[..], &["--browser-solver", &solver]].concat());
    let page = served.get("/solve");
    assert_eq!(page.status, 200);
    let contents = check(page.text()).unwrap_or_else(|faults| panic!("{faults:#?}"));
    assert!(contents.links.iter().any(|link| link == "/games"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(!policy.contains("wasm-unsafe-eval"), "{policy}");
    let module = served.get("/solver/misere.wasm");
    assert_eq!(module.header("content-type"), Some("application/wasm"));
    let policy = module.header("content-security-policy").unwrap();
    assert!(policy.contains("'wasm-unsafe-eval'"), "{policy}");
    assert_eq!(served.get("/solver/other").status, 404);
    let game = served.get("/game/0.75");
    assert!(game.text().contains("id=\"verify-here\""));
    let missing = served.get("/game/0.123");
    assert_eq!(missing.header("location"), Some("/solve#0.123"));
    let without = Served::start(&serve);
    assert_eq!(without.get("/solve").status, 404);
    assert_eq!(without.get("/game/0.123").status, 404);
    assert!(!without.get("/game/0.75").text().contains("verify-here"));
}

/// A release installs the solver with the command, which then needs no option.
#[test]
fn the_installed_solver_is_found() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let data = census(dir.path(), "0.3");
    let (bin, share) = (dir.path().join("bin"), dir.path().join("share/misere"));
    std::fs::create_dir(&bin).unwrap();
    std::fs::create_dir_all(&share).unwrap();
    std::fs::rename(browser_solver(dir.path()), share.join("browser")).unwrap();
    let command = bin.join("misere");
    std::fs::hard_link(env!("CARGO_BIN_EXE_misere"), &command).unwrap();
    let site = dir.path().join("site");
    let mut page = Command::new(command);
    page.args(["page", "--normal-heaps", "200", "--data", &data, "--static"]);
    assert!(page.arg(&site).output().unwrap().status.success());
    assert!(site.join("solve.html").exists());
}

/// The module that `make browser-solver` has compiled, on the pages of a census in Chromium. The
/// variable `MISERE_BROWSER_SOLVER` names its directory.
#[test]
#[ignore = "needs Chromium and `make browser-solver`; `make test-browser-solver` runs it"]
fn the_module_solves_and_verifies_on_the_pages() {
    let solver = std::env::var("MISERE_BROWSER_SOLVER").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let data = census(dir.path(), "0.3,0.75");
    let serve = ["serve", "--data", &data, "--listen", "127.0.0.1:0"];
    let served = Served::start(&[&serve[..], &["--browser-solver", &solver]].concat());
    let mut browser = Browser::start();
    browser.look(DESK);
    browser.open(&served.url("/game/0.75"));
    browser.until("!document.getElementById('verify-here').hidden");
    browser.click("#verify-here");
    browser.until("document.getElementById('verified').textContent.startsWith('Verified by this')");
    let said = browser.text("document.getElementById('verified').textContent");
    assert!(said.contains(": 0.75, solved, order 8,"), "{said}");
    browser.picture("verified");
    // The page of a class leads to its quotient, whose generators can be multiplied.
    browser.open(&served.url("/class/8.2.1"));
    browser.click("a[href^='/solve#quotient']");
    browser.until("(document.querySelector('#quotient-answer li') || {}).textContent === 'R_8, order 8, 2 in P'");
    browser.write("b·c·c");
    browser.press("Enter");
    browser.until("document.querySelector('#quotient-answer li').textContent.startsWith('b·c·c = b, not in P')");
    browser.picture("multiplied");
    // The census lacks this game.
    browser.open(&served.url("/game/0.123"));
    browser.until("!document.getElementById('result').hidden");
    let verdict = browser.text("document.getElementById('verdict').textContent");
    assert_eq!(verdict, "Solved: period 5 from heap 5 on.");
    browser.picture("solved");
    browser.look(PHONE);
    browser.picture("solved-phone");
    assert_eq!(browser.complaints, Vec::<String>::new());
}
