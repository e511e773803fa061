//! `misere play` keeps to the rules, and wins the games that can be won.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::cli::command::error_line;

/// Plays a game with these lines as input; returns the exit code and the output.
fn played(arguments: &[&str], lines: &[&str]) -> (i32, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_misere"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = lines.iter().map(|line| format!("{line}\n"));
    let mut to_program = program.stdin.take().unwrap();
    // The program may have ended before it has read everything.
    let _ = to_program.write_all(input.collect::<String>().as_bytes());
    drop(to_program);
    let output = program.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), said)
}

#[test]
fn the_program_wins_what_can_be_won() {
    // The first player wins 3 + 4 + 5 in Nim, and leaves the last bean to the other one.
    let (exit, said) = played(&["nim", "3", "4", "5", "--second"], &["5 4", "4", "1"]);
    assert_eq!(exit, 0);
    assert!(
        said.contains("I take 2 from the heap of 3, leaving 1"),
        "{said}"
    );
    assert!(said.ends_with("no move is left: you lose\n"), "{said}");
    // The first player wins 1 + 1, and loses 1.
    let (_, said) = played(&["nim", "1", "1", "--second"], &["1"]);
    assert!(said.ends_with("no move is left: you lose\n"), "{said}");
    let (_, said) = played(&["nim", "1", "--second"], &[]);
    assert!(said.ends_with("no move is left: you win\n"), "{said}");
}

#[test]
fn lines_that_are_no_moves_change_nothing() {
    let lines = [
        "9", "7 7", "7 3 3 3", "nonsense", "", "moves", "undo", "hint", "quit",
    ];
    let (exit, said) = played(&["kayles", "3", "7"], &lines);
    assert_eq!(exit, 0);
    for words in [
        "there is no heap of 9",
        "the rules do not allow that move in the heap of 7",
        "write a heap and what the move leaves of it",
        "take 2 from the heap of 3, leaving 1",
        "splitting it into",
        "you have made no move yet",
        "you win if you ",
        "the game is left",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // The end of the input leaves the game, too, and a move can be taken back.
    let (exit, said) = played(&["kayles", "3", "7"], &["7 3 2", "undo", "7 5"]);
    assert_eq!(exit, 0);
    assert_eq!(said.matches("3 + 7\n").count(), 2, "{said}");
}

#[test]
fn a_game_that_cannot_be_played_is_refused() {
    let (exit, too_large) = (1, ["play", "0.77", "1000000000"]);
    assert!(error_line(&too_large, exit).contains("too many moves"));
    let too_many = error_line(&["play", "0.77", "3^1001"], 1);
    assert!(too_many.contains("at most 1000 heaps"), "{too_many}");
    error_line(&["play", "0.77"], 2);
}
