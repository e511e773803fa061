//! Lies about aliases: a true certificate under the code of another game, and two codes that are
//! claimed to be one game.
//!
//! A census files a proved certificate under the aliases of its code, each only after
//! [`same_game::check`] has proved that it is the same game. So the enemy offers pairs of codes
//! with a renumbering that is not theirs, and pairs that are different games.

use misere_check::same_game;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::Solution;

use super::dice::Dice;
use super::known::GAMES;
use super::rules::{Position, Rules};
use super::{Enemy, tells};

/// The number of heaps of two codes that are compared.
const MAX_HEAPS: u32 = 24;

/// Returns a true certificate under another code, whole or cut short.
fn lie(dice: &mut Dice) -> Solution {
    let mut claim = dice.pick(&GAMES).clone();
    let other = dice.pick(&GAMES);
    if dice.below(2) == 0 {
        let heaps = claim.heaps().min(1 + dice.below(16) as u32);
        claim = super::claims::Values::of(&claim)
            .to(heaps as usize)
            .claimed_of(&claim.code, true);
    }
    claim.code = other.code.clone();
    claim
}

/// Returns the options of the live heaps, numbered from 1 in order, without the dead heaps.
fn by_rank(rules: &mut Rules) -> Vec<Vec<Position>> {
    let live: Vec<u32> = (0..MAX_HEAPS).filter(|&heap| rules.is_live(heap)).collect();
    let rank = |heap: &u32| live.iter().position(|other| other == heap);
    let of_heap = |&heap: &u32| {
        let options = rules.options(heap).iter();
        let mut ranked: Vec<Position> = options
            .map(|option| {
                option
                    .iter()
                    .filter_map(rank)
                    .map(|rank| rank as u32)
                    .collect()
            })
            .collect();
        ranked.sort_unstable();
        ranked.dedup();
        ranked
    };
    live.iter().map(of_heap).collect()
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    for number in 0..claims {
        enemy.claims(seed + number, &lie(&mut Dice(seed + number)));
    }
}

#[test]
fn certificates_of_other_games() {
    tells(attack, 600, &["Ok", "DeadHeap", "NWithoutP", "PToP"]);
}

/// Two codes are one game for the program if and only if they are one by their rules, as far as
/// heaps are compared.
#[test]
fn codes_of_one_game() {
    let codes: Vec<_> = GAMES
        .iter()
        .map(|game| &game.code)
        .filter(|code| code.is_take_and_break())
        .collect();
    let ranked: Vec<_> = codes
        .iter()
        .map(|code| by_rank(&mut Rules::of(&code.to_string())))
        .collect();
    let named = |text: &str| text.parse::<Code>().unwrap();
    let pairs = [
        ("0.4", "0.07"),
        ("0.07", "0.4"),
        ("0.11", "0.101"),
        ("0.77", "0.77"),
        ("0.3", "0.3"),
    ];
    let offered: Vec<Renumbering> = pairs
        .iter()
        .map(|(from, to)| Renumbering::between(&named(from), &named(to)).unwrap())
        .collect();
    let (mut aliases, mut refused) = (0, 0);
    for (one, code) in codes.iter().enumerate() {
        for (other, another) in codes.iter().enumerate().take(one) {
            let is_claimed = code.signature() == another.signature();
            let shorter = ranked[one].len().min(ranked[other].len());
            let few = MAX_HEAPS as usize - 8;
            let is_one = match ranked[one].len().max(ranked[other].len()) > few {
                true => {
                    ranked[one].len().min(few) == ranked[other].len().min(few)
                        && ranked[one][..shorter] == ranked[other][..shorter]
                }
                false => ranked[one] == ranked[other],
            };
            // Codes without digits match only one another: `4` is `0.7` with every heap one larger,
            // and has another signature.
            let is_known = is_one && (code.length() > 0) == (another.length() > 0);
            assert_eq!(is_claimed, is_known, "{code} and {another}");
            aliases += usize::from(is_claimed);
            let theirs = Renumbering::between(code, another);
            for renumbering in &offered {
                let is_theirs = theirs.as_ref() == Some(renumbering);
                let accepted = same_game::check(code, another, renumbering).is_ok();
                // `4` and `0.7`: the same game, with the renumbering of others.
                let is_true = is_theirs || theirs.is_none() && is_one && accepted;
                assert_eq!(accepted, is_true, "{code} and {another}");
                refused += usize::from(!accepted);
            }
            if let Some(theirs) = theirs {
                assert_eq!(same_game::check(code, another, &theirs), Ok(()));
            }
        }
    }
    assert!(aliases > 20, "{aliases}");
    assert!(refused > 1_000, "{refused}");
}
