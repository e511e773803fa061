//! Finite quotients that are not normal, not regular, and have elements of order 3.
//!
//! A quotient is *regular* if exactly one element of its kernel is in P, and *normal* if that one
//! is the identity of the kernel (Siegel, *The structure and classification of misère quotients*,
//! Definition 3.1). Every quotient of order 2 to 22 but T_1 is both. Those of some games born on
//! day 5 are not.

use std::collections::{BTreeSet, HashMap};

use misere_check::check;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::Verdict;
use misere_game::structure::kernel::Kernel;

use super::games::{Games, Sum, first_wins, none, one, told_apart};

/// `{{{*2},*2},{{*2},*},*3,{*2}}` and its followers: `*`, `*2`, `{*2}`, `*3`, `{{*2},*}` and
/// `{{*2},*2}`.
const NOT_NORMAL: Games<7> = [
    &[none()],
    &[none(), one(0)],
    &[one(1)],
    &[none(), one(0), one(1)],
    &[one(2), one(0)],
    &[one(2), one(1)],
    &[one(4), one(5), one(3), one(2)],
];

/// `{{*3,{*2},*2,*},{*3,*2},{{*2},*},0}` and its followers: `*`, `*2`, `{*2}`, `*3`, `{{*2},*}`,
/// `{*3,*2}` and `{*3,{*2},*2,*}`.
const NOT_REGULAR: Games<8> = [
    &[none()],
    &[none(), one(0)],
    &[one(1)],
    &[none(), one(0), one(1)],
    &[one(2), one(0)],
    &[one(3), one(1)],
    &[one(3), one(2), one(1), one(0)],
    &[one(6), one(5), one(4), none()],
];

/// A game with its followers, and their quotient.
struct Solved {
    quotient: BipartiteMonoid,
    /// The values of the games.
    values: Vec<Element>,
}

impl Solved {
    /// Solves a game born on day 5 and proves its quotient by the certificate.
    ///
    /// The followers of the game have to be those listed.
    fn new<const N: usize>(text: &str, games: &Games<N>) -> Self {
        let code: Code = text.parse().unwrap();
        let game = code.finite_game().unwrap();
        for (number, of_game) in (1..).zip(games) {
            let options = game.options(number).iter().map(|&option| match option {
                0 => none(),
                option => one(option as usize - 1),
            });
            assert_eq!(
                BTreeSet::from_iter(options),
                BTreeSet::from_iter(of_game.to_vec())
            );
        }
        let control = &mut Control::unlimited();
        let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
        assert!(matches!(solution.verdict, Verdict::Solved { .. }));
        assert_eq!(check(&solution), Ok(()));
        Self {
            quotient: solution.quotient,
            values: solution.phi[1..].to_vec(),
        }
    }

    fn value<const N: usize>(&self, sum: Sum<N>) -> Element {
        let products = Multiplication::new(&self.quotient);
        let summands = self.values.iter().zip(sum);
        summands.fold(0, |value, (&of_game, count)| {
            let row = products.row(of_game);
            (0..count).fold(value, |value, _| row[value as usize])
        })
    }
}

const STAR_2: usize = 1;
/// The game `{*3,{*2},*2,*}`.
const UNIT: usize = 6;

fn copies(game: usize, count: u32) -> Sum<8> {
    let mut sum = none();
    sum[game] = count;
    sum
}

fn kernel(quotient: &BipartiteMonoid) -> Kernel {
    Kernel::new(quotient, &Idempotents::new(quotient))
}

/// Returns the elements that every element divides, ascending, found from all products.
fn least_ideal(quotient: &BipartiteMonoid) -> Vec<Element> {
    let products = Multiplication::new(quotient);
    let mut left = BTreeSet::from_iter(products.row(0));
    for element in products.row(0) {
        let multiples = BTreeSet::from_iter(products.row(element));
        left = &left & &multiples;
    }
    left.into_iter().collect()
}

#[test]
fn a_quotient_of_order_440_is_regular_and_not_normal() {
    let solved = Solved::new("{{{*2},*2},{{*2},*},*3,{*2}}", &NOT_NORMAL);
    let quotient = &solved.quotient;
    assert_eq!((quotient.order(), quotient.p_size()), (440, 78));
    let kernel = kernel(quotient);
    assert_eq!(kernel.elements, least_ideal(quotient));
    assert!(kernel.is_regular() && !kernel.is_normal());
    // Nim-value 1 wins where nim-value 0 should.
    let star = solved.value(one::<7>(0));
    let times_star = Multiplication::new(quotient).row(star);
    assert_eq!(kernel.in_p, [times_star[kernel.identity as usize]]);
}

#[test]
fn a_quotient_of_order_528_is_not_regular() {
    let solved = Solved::new("{{*3,{*2},*2,*},{*3,*2},{{*2},*},0}", &NOT_REGULAR);
    let quotient = &solved.quotient;
    assert_eq!((quotient.order(), quotient.p_size()), (528, 85));
    let kernel = kernel(quotient);
    assert_eq!(kernel.elements, least_ideal(quotient));
    assert_eq!(kernel.invariants, [2, 2, 2, 3, 4]);
    assert_eq!(kernel.in_p.len(), 12);

    // Two P-positions in the kernel, which a context tells apart.
    let mut with_units = copies(STAR_2, 2);
    with_units[UNIT] = 2;
    let pair = [copies(STAR_2, 2), with_units];
    for sum in pair {
        assert!(kernel.in_p.contains(&solved.value(sum)));
        assert!(!first_wins(&NOT_REGULAR, sum, &mut HashMap::new()));
    }
    assert!(told_apart(&NOT_REGULAR, pair, 3).is_some());
}

/// Six copies of a game are worth nothing, and fewer are not: the game generates a group of order
/// 6.
#[test]
fn a_game_has_order_six() {
    let solved = Solved::new("{{*3,{*2},*2,*},{*3,*2},{{*2},*},0}", &NOT_REGULAR);
    let nothing = copies(UNIT, 0);
    for count in 1..=6 {
        let sum = copies(UNIT, count);
        let same = solved.value(sum) == solved.value(nothing);
        let context = told_apart(&NOT_REGULAR, [sum, nothing], 3);
        assert_eq!(
            (same, context.is_none()),
            (count == 6, count == 6),
            "{count}"
        );
    }
}
