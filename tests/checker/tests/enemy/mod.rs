//! A search for false claims that the checker accepts.
//!
//! The enemy does not damage true certificates. The enemy invents false ones that are right in all
//! but one respect, and searches among them for one that passes. A claim that passes has to be true
//! by a judge that shares no code with the checker: outcomes by the rules and by a second way to
//! decide all positions ([`exact`]), periods by going on further than the claim does ([`truth`]).
//!
//! | lies about | are made in |
//! |---|---|
//! | values of heaps, dead heaps, normal play claimed as misère play | [`values`] |
//! | quotients that are too small or too large, elements that no position has, the P-portion | [`quotients`] |
//! | periods and preperiods | [`periods`] |
//! | partial quotients | [`partials`] |
//! | tameness relative to a heap | [`tails`] |
//! | growth | [`growth`] |
//! | infinite quotients | [`infinite`] |
//! | quotients of games of their own, and quotients that are listed twice | [`constructions`] |
//! | certificates of other games, and codes of one game | [`aliases`] |
//!
//! All lies are made from seeds, and a lie that passes is printed with its seed as JSON. The tests
//! that always run make ten thousand of them, `a_million_claims` a million.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod aliases;
mod borrowed;
mod claims;
mod constructions;
mod diagrams;
mod dice;
mod exact;
mod families;
mod growth;
mod infinite;
mod known;
mod partials;
mod periods;
mod quotients;
mod readers;
pub(crate) mod rules;
mod tails;
mod truth;
mod values;

use std::collections::BTreeMap;

use misere_check::check_within;
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{Document, Solution};

/// Fuel for the check of one small claim.
const FUEL: u64 = 2_000_000;

/// The enemy, with the judge of what is accepted.
#[derive(Default)]
struct Enemy {
    judge: truth::Judge,
    /// The number of claims made.
    told: u64,
    /// The answers, with how often each was given.
    answers: BTreeMap<String, u64>,
}

impl Enemy {
    /// Makes a claim, and reports whether it is accepted.
    ///
    /// # Panics
    /// If it is accepted and false.
    fn claims(&mut self, seed: u64, claim: &Solution) -> bool {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let answer = check_within(claim, control);
        self.note(&answer);
        if answer.is_err() {
            return false;
        }
        if let Err(reason) = self.judge.hears(claim) {
            let certificate = serde_json::to_string(&Document::new(claim)).unwrap();
            panic!("seed {seed}: accepted, although {reason}\n{certificate}");
        }
        true
    }

    /// Counts an answer by the variants of the errors in it.
    fn note<E: std::fmt::Debug>(&mut self, answer: &Result<(), E>) {
        self.told += 1;
        let kind = match answer {
            Ok(()) => "Ok".to_owned(),
            Err(flaw) => {
                let text = format!("{flaw:?}");
                let end = text.find([' ', '{']).unwrap_or(text.len());
                text[..end].trim_end_matches([')', '}']).to_owned()
            }
        };
        *self.answers.entry(kind).or_default() += 1;
    }
}

/// Fails unless each of these answers was given.
///
/// Lies that all end at the first step would show nothing.
fn came_to(enemy: &Enemy, kinds: &[&str]) {
    println!("{} claims: {:#?}", enemy.told, enemy.answers);
    for kind in kinds {
        let given = enemy.answers.keys().any(|answer| answer.starts_with(kind));
        assert!(given, "no `{kind}` in {:?}", enemy.answers);
    }
}

/// Lets the enemy make `claims` claims of one kind, and fails unless each of these answers was
/// given.
fn tells(attack: Attack, claims: u64, kinds: &[&str]) {
    let mut enemy = Enemy::default();
    attack(&mut enemy, claims, 0);
    came_to(&enemy, kinds);
}

/// A function that makes a number of claims of one kind, from a seed on.
type Attack = fn(&mut Enemy, u64, u64);

/// The kinds of lies, with their shares of a hundred claims.
const KINDS: [(&str, Attack, u64); 9] = [
    ("values", values::attack, 30),
    ("quotients", quotients::attack, 16),
    ("periods", periods::attack, 12),
    ("partials", partials::attack, 8),
    ("tails", tails::attack, 3),
    ("growth", growth::attack, 1),
    ("constructions", constructions::attack, 12),
    ("aliases", aliases::attack, 2),
    ("infinite", infinite::attack, 16),
];

/// The claims that [`by_dice`] makes of one input.
const CLAIMS_OF_BYTES: u64 = 4;

/// Makes a few claims that bytes choose: the first byte selects the kind, the rest are the dice.
/// The target `enemy` of `tests/fuzz` calls this.
///
/// # Panics
/// If a claim is accepted and false.
pub(crate) fn by_dice(bytes: &[u8]) {
    let Some((kind, dice)) = bytes.split_first() else {
        return;
    };
    // The known games are made with dice of their own, at their first use.
    let _ = (&*known::GAMES, &*known::QUOTIENTS);
    let (_, attack, _) = KINDS[usize::from(*kind) % KINDS.len()];
    dice::throw(dice);
    attack(&mut Enemy::default(), CLAIMS_OF_BYTES, 0);
    dice::throw(&[]);
}

/// Dice that a target of `tests/fuzz` has thrown, one file for each kind of lie, and further ones.
#[test]
fn bytes_are_dice() {
    let kept = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fuzz/regressions/enemy"
    );
    let kept = std::fs::read_dir(kept).unwrap();
    let kept: Vec<Vec<u8>> = kept
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .collect();
    assert!(kept.len() >= KINDS.len(), "there is one for each kind");
    kept.iter().for_each(|bytes| by_dice(bytes));
    for seed in 0..90 {
        let dice = &mut dice::Dice(seed);
        let mut bytes = vec![seed as u8];
        bytes.extend((0..200).map(|_| dice.roll() as u8));
        by_dice(&bytes);
    }
}

/// Other lies than those of the tests that always run.
#[test]
#[ignore = "slow: a million claims, two minutes of a core"]
fn a_million_claims() {
    const CLAIMS: u64 = 1_000_000;
    let mut enemy = Enemy::default();
    for part in 0..10 {
        for (_, attack, percent) in KINDS {
            attack(&mut enemy, CLAIMS / 1_000 * percent, 1_000_000 * (part + 1));
        }
        println!("{} claims made", enemy.told);
    }
    assert!(enemy.told >= CLAIMS);
    came_to(&enemy, &["Ok"]);
}

/// Makes `ENEMY_CLAIMS` claims from the seed `ENEMY_SEED` on, to see whether the enemy notices that
/// the checker was weakened.
#[test]
#[ignore = "for trials by hand"]
fn as_many_as_wished() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
    };
    let kind = std::env::var("ENEMY_KIND").unwrap_or_else(|_| "values".to_owned());
    let (_, attack, _) = KINDS.iter().find(|(name, ..)| *name == kind).unwrap();
    let mut enemy = Enemy::default();
    attack(
        &mut enemy,
        number("ENEMY_CLAIMS", 100_000),
        number("ENEMY_SEED", 77),
    );
    came_to(&enemy, &["Ok"]);
}
