//! The misère games born by day 4 and their eight quotients (Plambeck–Siegel supplement, Figures 10
//! and 11), and the meaning of their equality.

use std::collections::{BTreeMap, BTreeSet};

use misere_check::{CheckError, check};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::ClassKey;
use misere_game::control::Control;
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::{Code, FiniteGame, games_born_by};
use misere_game::solution::{Document, Solution, Stages, Tail, Verdict};
use serde::Deserialize;

const TABLES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/tables.json"
));

#[derive(Deserialize)]
struct Tables {
    figure10: Figure<Quotient>,
    figure11: Figure<Game>,
}

#[derive(Deserialize)]
struct Figure<Row> {
    #[serde(alias = "games")]
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Quotient {
    name: String,
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
}

#[derive(Deserialize)]
struct Game {
    game: String,
    quotient: String,
    birthday: u32,
    normal_nim_value: usize,
}

impl Game {
    /// Reads the game from the papers' text: a string of several items after `*` lists the options.
    fn read(&self) -> FiniteGame {
        let items = self.game.trim_start_matches('*');
        let text = match items.chars().filter(char::is_ascii_digit).count() {
            0 | 1 if self.game.starts_with('*') => self.game.clone(),
            0 | 1 => format!("*{items}"),
            _ => format!("*[{items}]"),
        };
        let code: Code = text.parse().unwrap();
        code.finite_game().unwrap().clone()
    }
}

fn tables() -> Tables {
    serde_json::from_str(TABLES).unwrap()
}

fn solved(game: &FiniteGame, strategy: Strategy) -> Solution {
    let code = Code::from(game.clone());
    let solution = solve(
        &code,
        &Limits::default(),
        strategy,
        &mut Control::new(1_000_000, Default::default()),
    );
    assert_eq!(check(&solution), Ok(()), "{code}");
    assert!(
        matches!(solution.verdict, Verdict::Solved { period: 1, .. }),
        "{code}: {:?}",
        solution.verdict
    );
    solution
}

/// Returns the nim-value in normal play, by the definition.
fn nim_value(game: &FiniteGame) -> usize {
    let mut values: Vec<usize> = Vec::new();
    for follower in 0..=game.heaps() {
        let options: BTreeSet<usize> = game
            .options(follower)
            .iter()
            .map(|&o| values[o as usize])
            .collect();
        values.push((0..).find(|value| !options.contains(value)).unwrap());
    }
    values.pop().unwrap()
}

#[test]
fn figure_11_lists_the_games_born_by_day_4() {
    let listed: Vec<FiniteGame> = tables().figure11.rows.iter().map(Game::read).collect();
    let born: Vec<FiniteGame> = games_born_by(4);
    let texts = |games: &[FiniteGame]| {
        games
            .iter()
            .map(ToString::to_string)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!((listed.len(), texts(&listed).len()), (22, 22));
    assert_eq!(texts(&listed), texts(&born));
}

#[test]
fn figure_10_and_11_by_both_strategies() {
    let tables = tables();
    let by_name: BTreeMap<String, ClassKey> = tables
        .figure10
        .rows
        .iter()
        .map(|row| {
            let presentation =
                FinitePresentation::from_lists(&row.generators, &row.relations).unwrap();
            let monoid = presentation
                .bipartite_monoid_of(&row.p_portion, 100)
                .unwrap();
            (row.name.clone(), monoid.class_key())
        })
        .collect();
    let mut met = BTreeSet::new();
    for row in &tables.figure11.rows {
        let game = row.read();
        assert_eq!(game.birthday(), row.birthday, "{game}");
        assert_eq!(nim_value(&game), row.normal_nim_value, "{game}");
        for strategy in [Strategy::Exact, Strategy::Classical] {
            let solution = solved(&game, strategy);
            assert_eq!(solution.class(), by_name[&row.quotient], "{game}");
            met.insert(solution.class());
        }
    }
    assert_eq!(met.len(), 8);
}

/// Equal games have the same outcome in the context of any game; two different simplest forms of
/// the 22 are told apart.
#[test]
fn simplest_forms_by_the_rules() {
    // All 22 as options of one game: every sum of them is a position of one oracle.
    let born = games_born_by(4);
    let all = FiniteGame::from_options(&born).unwrap();
    let mut oracle = Oracle::new(&Code::from(all.clone()), Convention::Misere);
    let mut control = Control::unlimited();
    let mut outcome = |heaps: &[u32]| oracle.outcome(heaps, &mut control).unwrap() == Outcome::P;
    let heaps: Vec<u32> = (0..all.heaps()).collect();
    let mut context: Vec<Vec<u32>> = Vec::new();
    for &a in &heaps {
        for &b in heaps.iter().filter(|&&b| b >= a) {
            context.push(vec![a, b]);
        }
    }
    let mut rows = BTreeSet::new();
    for &heap in &heaps {
        let row: Vec<bool> = context
            .iter()
            .map(|rest| outcome(&[heap, rest[0], rest[1]]))
            .collect();
        rows.insert(row);
    }
    assert_eq!(rows.len(), 22);

    // Every set of games born by day 3, simplified or not, wins in the same context as its simplest
    // form.
    let early = games_born_by(3);
    for subset in 0..1_u32 << early.len() {
        let chosen = (0..early.len()).filter(|at| subset >> at & 1 != 0);
        let game =
            FiniteGame::from_options(&chosen.map(|at| early[at].clone()).collect::<Vec<_>>())
                .unwrap();
        let form = game.simplest_form();
        let mut options = born.clone();
        options.extend([game.clone(), form.clone()]);
        let all = FiniteGame::from_options(&options).unwrap();
        let number = |game: &FiniteGame| {
            (0..all.heaps())
                .find(|&n| all.follower(n) == *game)
                .unwrap()
        };
        let mut oracle = Oracle::new(&Code::from(all.clone()), Convention::Misere);
        for rest in 0..all.heaps() {
            let one = oracle
                .outcome(&[number(&game), rest], &mut control)
                .unwrap();
            let other = oracle
                .outcome(&[number(&form), rest], &mut control)
                .unwrap();
            assert_eq!(one, other, "{game} and {form} with {}", all.follower(rest));
        }
    }
}

/// A certificate of a finite game may claim nothing about heaps that it does not have.
#[test]
fn claims_that_do_not_hold_are_refused() {
    let good = solved(
        &"*[2#0]"
            .parse::<Code>()
            .unwrap()
            .finite_game()
            .unwrap()
            .clone(),
        Strategy::Exact,
    );
    let json = serde_json::to_string(&Document::new(&good)).unwrap();
    let read: Document = serde_json::from_str(&json).unwrap();
    assert_eq!(check(&read.into_solution().unwrap()), Ok(()));
    for (period, preperiod) in [
        (0, 0),
        (2, 5),
        (3, 4),
        (u32::MAX, u32::MAX),
        (1, 0),
        (1, 6),
        (4, 0),
    ] {
        let mut bad = good.clone();
        bad.verdict = Verdict::Solved { period, preperiod };
        assert!(check(&bad).is_err(), "{period} {preperiod}");
    }
    let mut short = good;
    short.phi.truncate(4);
    assert!(check(&short).is_err());
}

/// The theorem behind "tame relative" is about codes. For other games the claim is refused, with
/// any other claims beside it.
#[test]
fn tameness_relative_to_a_heap_is_for_codes() {
    let limits = Limits {
        max_heap: 12,
        ..Limits::default()
    };
    let grundy = solve(
        &Code::grundy(),
        &limits,
        Strategy::Exact,
        &mut Control::unlimited(),
    );
    assert_eq!((check(&grundy), grundy.quotient.is_tame()), (Ok(()), true));
    let mut bad = grundy;
    bad.verdict = Verdict::TameRelative { heap: 5 };
    bad.tail = Some(Tail {
        nim_heaps: 12,
        nim_period: None,
        stages: Stages::AtLeast(0),
    });
    assert_eq!(check(&bad), Err(CheckError::NotACode));
}
