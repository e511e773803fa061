//! A data set is as the script that publishes a census describes it, or is not written at all.

use std::path::Path;
use std::process::{Command, Output};

use crate::export::made::{census, read};
use crate::export::quotients;
use crate::support::process::text;

fn publish(source: &str, to: &Path, more: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/data_set.py");
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_misere"), source]);
    command
        .arg(to)
        .args(["--name", "ten-games", "--title", "Ten games"]);
    let output = command.args(more).output();
    output.expect("Python is needed: apt-get install python3, as `make test-slow` does")
}

fn shell(script: &str, at: &Path) -> String {
    let mut command = Command::new("sh");
    let output = command.args(["-c", script]).current_dir(at).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
#[ignore = "slow: needs Python, which `make test-slow` installs"]
fn a_data_set_is_checked_as_its_first_page_says() {
    let dir = tempfile::tempdir().unwrap();
    let run = ["--run", "One core, one second."];
    let of = [&run[..], &["--command", "misere census run"]].concat();
    let made = publish(census(), dir.path(), &of);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let set = dir.path().join("ten-games");
    shell(
        "sha256sum --check SHA256SUMS && tar -xf ten-games.tar.xz",
        &set,
    );
    let inner = set.join("ten-games");
    let page = read(&inner, "README.md");
    let digest = text(&made.stdout);
    let digest = digest.trim().rsplit(' ').next().unwrap();
    for says in [run[1], "    misere census run\n", "9 of the 9 were", digest] {
        assert!(page.contains(says), "`{says}` is not in\n{page}");
    }
    // The steps of the page under "How to check them", with the command in its place.
    let steps: Vec<&str> = page
        .split("## How to check them")
        .nth(1)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert_eq!(steps.len(), 4, "{page}");
    let script = steps
        .join(" && ")
        .replace("misere ", concat!(env!("CARGO_BIN_EXE_misere"), " "));
    assert!(shell(&script, &inner).contains("ok    -"));
    // The same source gives the same bytes.
    let again = tempfile::tempdir().unwrap();
    assert!(publish(census(), again.path(), &of).status.success());
    assert_eq!(
        read(&set, "SHA256SUMS"),
        read(&again.path().join("ten-games"), "SHA256SUMS")
    );
}

#[test]
#[ignore = "slow: needs Python, which `make test-slow` installs"]
fn a_failed_publication_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let false_claim = dir.path().join("false.json");
    let solved = crate::export::made::done(&["solve", "0.77", "--json"]);
    std::fs::write(
        &false_claim,
        solved.replacen("\"period\":12", "\"period\":11", 1),
    )
    .unwrap();
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for (source, says) in [
        (false_claim.to_str().unwrap(), "a certificate was refused"),
        (empty.to_str().unwrap(), "no census in"),
        ("/nowhere", "does not exist"),
    ] {
        let made = publish(source, &dir.path().join("sets"), &[]);
        assert_eq!(made.status.code(), Some(1), "{source}");
        let said = text(&made.stderr);
        assert!(
            said.starts_with("error: ") && said.contains(says),
            "{source}: {said}"
        );
        assert!(!dir.path().join("sets/ten-games").exists());
    }
}

#[test]
#[ignore = "slow: needs Python, which `make test-slow` installs"]
fn a_list_of_quotients_is_published_with_its_games() {
    let dir = tempfile::tempdir().unwrap();
    let made = publish(quotients::census(), dir.path(), &[]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let set = dir.path().join("ten-games");
    shell("tar -xf ten-games.tar.xz", &set);
    let inner = set.join("ten-games");
    let page = read(&inner, "README.md");
    let list = "misere verify lines/quotients.json";
    for says in ["4 misère quotients of small order, with games", list] {
        assert!(page.contains(says), "`{says}` is not in\n{page}");
    }
    let check = list.replace("misere ", concat!(env!("CARGO_BIN_EXE_misere"), " "));
    assert!(shell(&check, &inner).starts_with("ok    "));
    assert!(!inner.join("tables").exists());
}
