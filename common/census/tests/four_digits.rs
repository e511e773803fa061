//! Tests whether the engine finds today what it found before for a sample of games of four digits.
//!
//! The sample is every seventh game of the plan `--digits 4`, 300 games in all, with a fiftieth of
//! the default fuel. The result of each is in `tests/data/four_digits.csv`. A change of the engine
//! that finds more changes the table: `MISERE_REFRESH_SAMPLE=1` with this test writes it again, and
//! the difference shows the gains and losses of the change.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;

use misere_census::plan::tasks;
use misere_census::{Budget, GameTask, Plan, Record, Space, Task};
use misere_check::check;
use misere_engine::quotient::solve;
use misere_game::control::{Control, Interrupt};
use rayon::prelude::*;

/// The sample has one game in this many.
const STEP: usize = 7;
const GAMES: usize = 300;
const FUEL: u64 = 200_000;

fn sample() -> Vec<GameTask> {
    let budget = Budget {
        fuel: FUEL,
        ..Budget::default()
    };
    let plan = Plan::new(Space::Octal { digits: 4 }, budget).unwrap();
    let all = tasks(&plan).step_by(STEP).take(GAMES);
    all.map(|task| match task {
        Task::Game(game) => game,
        Task::Schemes(_) => unreachable!("a space of octal codes has games alone"),
    })
    .collect()
}

/// Returns the line of the table for a game, which is solved and checked here.
fn line(game: &GameTask) -> String {
    let mut control = Control::new(game.budget.fuel, Interrupt::default());
    let (limits, strategy) = (&game.budget.limits, game.budget.strategy);
    let solution = solve(&game.code, limits, strategy, &mut control);
    assert_eq!(check(&solution), Ok(()), "{}", game.code);
    let record = Record::new(game, &solution).unwrap();
    let class = record.class.to_string();
    format!(
        "{},{},{},{},{},{}\n",
        record.code,
        record.status().unwrap(),
        record.heaps,
        record.order,
        record.p_size,
        &class[..8]
    )
}

#[test]
#[ignore = "slow: 300 games of four digits"]
fn a_sample_of_the_games_of_four_digits() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/four_digits.csv"
    );
    let games = sample();
    assert_eq!(games.len(), GAMES);
    let lines: Vec<String> = games.par_iter().map(line).collect();
    let found = format!("code,status,heaps,order,p_size,class\n{}", lines.concat());
    if std::env::var_os("MISERE_REFRESH_SAMPLE").is_some() {
        std::fs::write(Path::new(file), &found).unwrap();
    }
    let kept = std::fs::read_to_string(Path::new(file)).unwrap();
    for (kept, found) in kept.lines().zip(found.lines()) {
        assert_eq!(kept, found);
    }
    assert_eq!(kept.lines().count(), found.lines().count());
}
