//! Lies about quotients with games of their own: games that have another quotient, and lists that
//! have a quotient twice.

use std::collections::{BTreeSet, HashMap};

use misere_check::construction::check;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::word::Word;
use misere_game::solution::Construction;
use misere_game::solution::construction::ConstructionDocument;

use super::dice::Dice;
use super::exact::{self, Products};
use super::known::QUOTIENTS;
use super::{Enemy, FUEL, tells};

/// Copies of each game in a sum.
type Sum = Vec<u32>;

/// The greatest number of games in the sums that are compared with the definition.
const MAX_SUMMANDS: u32 = 4;

/// Checks that the monoid is the misère quotient of the games.
fn hears(claim: &Construction) -> Result<(), String> {
    let products = Products::of(&claim.quotient)?;
    if let Some((x, y)) = products.alike() {
        return Err(format!("nothing tells the elements {x} and {y} apart"));
    }
    let value = |sum: &Sum| claim.quotient.product(sum.iter().copied().enumerate());
    let mut pairs: BTreeSet<(Element, BTreeSet<Element>)> = BTreeSet::new();
    for (game, options) in claim.options.iter().enumerate() {
        if options
            .iter()
            .any(|word| word.0.iter().skip(game).any(|&copies| copies > 0))
        {
            return Err(format!("game {game} is not earlier than itself"));
        }
        let own = claim.quotient.act(0, game);
        let of_options = options
            .iter()
            .map(|word| value(&word.0))
            .collect::<BTreeSet<_>>();
        match of_options.is_empty() {
            true if own != 0 => return Err(format!("game {game} has no options and is not 1")),
            true => {}
            false => drop(pairs.insert((own, of_options))),
        }
    }
    exact::outcomes(&products, &pairs)?;
    // By the definition, too.
    let games = claim.options.len();
    let mut known = HashMap::new();
    let mut open = vec![(vec![0; games], 0)];
    while let Some((sum, from)) = open.pop() {
        if is_p(claim, &sum, &mut known) != claim.quotient.in_p(value(&sum)) {
            return Err(format!("the sum {sum:?} has the other outcome"));
        }
        if sum.iter().sum::<u32>() < MAX_SUMMANDS {
            for game in from..games {
                let mut more = sum.clone();
                more[game] += 1;
                open.push((more, game));
            }
        }
    }
    Ok(())
}

/// Reports whether the player who has just moved wins.
fn is_p(claim: &Construction, sum: &Sum, known: &mut HashMap<Sum, bool>) -> bool {
    if let Some(&is_p) = known.get(sum) {
        return is_p;
    }
    let mut has_moves = false;
    let mut is_p_position = true;
    for game in (0..sum.len()).filter(|&game| sum[game] > 0) {
        for option in &claim.options[game] {
            has_moves = true;
            let mut left = sum.clone();
            left[game] -= 1;
            left.iter_mut()
                .zip(&option.0)
                .for_each(|(left, more)| *left += more);
            is_p_position = is_p_position && !is_p(claim, &left, known);
        }
    }
    let is_p_position = has_moves && is_p_position;
    known.insert(sum.clone(), is_p_position);
    is_p_position
}

impl Enemy {
    fn constructs(&mut self, seed: u64, claim: &Construction) -> bool {
        let answer = check(claim, &mut Control::new(FUEL, Interrupt::default()));
        self.note(&answer);
        if answer.is_err() {
            return false;
        }
        if let Err(reason) = hears(claim) {
            let certificate = serde_json::to_string(&ConstructionDocument::new(claim)).unwrap();
            panic!("seed {seed}: accepted, although {reason}\n{certificate}");
        }
        true
    }
}

/// Draws a short word in the games before this one, now and then in this one, too.
fn word(game: usize, dice: &mut Dice) -> Word {
    let games = game + usize::from(dice.below(12) == 0);
    let mut copies = vec![0; games];
    for _ in 0..dice.below(4) {
        if games > 0 {
            copies[dice.below(games)] += 1;
        }
    }
    Word(copies)
}

/// Returns other games for the same monoid, or another monoid for the same games.
fn lie(dice: &mut Dice) -> Construction {
    let construction = dice.pick(&QUOTIENTS);
    let mut options = construction.options.clone();
    let mut quotient = construction.quotient.clone();
    for _ in 0..=dice.below(2) {
        let game = dice.below(options.len());
        let at = dice.below(options.get(game).map_or(0, Vec::len));
        match dice.below(10) {
            0 if !options.is_empty() => options[game].truncate(at),
            1 | 2 if !options.is_empty() => options[game].push(word(game, dice)),
            3 if at < options.get(game).map_or(0, Vec::len) => options[game][at] = word(game, dice),
            4 if !options.is_empty() => {
                options[game] = (0..dice.below(4)).map(|_| word(game, dice)).collect();
            }
            5 => {
                let other = dice.pick(&QUOTIENTS);
                if other.options.len() == options.len() {
                    options.clone_from(&other.options);
                }
            }
            6 => {
                let x = dice.below(quotient.order()) as Element;
                let p = (0..quotient.order() as Element).filter(|&y| quotient.in_p(y) != (x == y));
                quotient =
                    BipartiteMonoid::new(quotient.order(), quotient.action().to_vec(), p).unwrap();
            }
            7 if !options.is_empty() => {
                // A game more, of the value of a product, so that the quotient would stay as it is.
                let value = dice.below(quotient.order()) as Element;
                let mut values: Vec<Element> = (0..quotient.generators())
                    .map(|g| quotient.act(0, g))
                    .collect();
                let game = options.len();
                options.push((0..=dice.below(3)).map(|_| word(game, dice)).collect());
                values.push(value);
                quotient = with_generators(&quotient, &values);
            }
            8 => options.truncate(game),
            _ => {}
        }
    }
    let mut claim = Construction::new(quotient, options);
    match dice.below(30) {
        0 => claim.rank.reverse(),
        1 => claim.rank.iter_mut().for_each(|rank| *rank = 0),
        2 => drop(claim.rank.pop()),
        _ => {}
    }
    claim
}

/// Returns the monoid with these generators, which have to generate it, in this order.
fn with_generators(monoid: &BipartiteMonoid, values: &[Element]) -> BipartiteMonoid {
    let products = Products::of(monoid).unwrap();
    let all = 0..monoid.order() as Element;
    let rows = values
        .iter()
        .map(|&g| all.clone().map(|x| products.times(x, g)).collect());
    BipartiteMonoid::new(monoid.order(), rows.collect(), monoid.p_portion().iter()).unwrap()
}

/// Returns the monoid with its elements and generators in another order, the identity first.
fn renumbered(monoid: &BipartiteMonoid, dice: &mut Dice) -> BipartiteMonoid {
    let order = monoid.order();
    let mut to: Vec<Element> = (0..order as Element).collect();
    for at in 2..order {
        to.swap(at, 1 + dice.below(at));
    }
    let mut rows: Vec<Vec<Element>> = monoid
        .action()
        .iter()
        .map(|row| {
            let mut renumbered = vec![0; order];
            (0..order).for_each(|x| renumbered[to[x] as usize] = to[row[x] as usize]);
            renumbered
        })
        .collect();
    for at in 1..rows.len() {
        rows.swap(at, dice.below(at + 1));
    }
    let p = monoid.p_portion().iter().map(|x| to[x as usize]);
    BipartiteMonoid::new(order, rows, p).unwrap()
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    for number in 0..claims {
        enemy.constructs(seed + number, &lie(&mut Dice(seed + number)));
    }
}

#[test]
fn games_with_another_quotient() {
    tells(
        attack,
        1_200,
        &[
            "Ok",
            "GameCount",
            "IdentityInP",
            "NotEarlier",
            "NotReduced",
            "Parity",
            "Rank",
            "RankForm",
        ],
    );
}

/// A quotient that is listed twice, under other numbers and with other generators, is detected by
/// the key of its class.
#[test]
fn a_quotient_listed_twice_has_one_key() {
    for (number, construction) in QUOTIENTS.iter().enumerate() {
        let monoid = &construction.quotient;
        for seed in 0..40 {
            let dice = &mut Dice(1_000 * number as u64 + seed);
            let mut values: Vec<Element> =
                (0..monoid.generators()).map(|g| monoid.act(0, g)).collect();
            (0..dice.below(3)).for_each(|_| values.push(dice.below(monoid.order()) as Element));
            let other = renumbered(&with_generators(monoid, &values), dice);
            assert_eq!(
                other.class_key(),
                monoid.class_key(),
                "quotient {number}, seed {seed}"
            );
        }
    }
    let keys: BTreeSet<_> = QUOTIENTS
        .iter()
        .map(|one| one.quotient.class_key().0)
        .collect();
    assert_eq!((keys.len(), QUOTIENTS.len()), (22, 22));
}
