//! J: the monoid is the quotient of these games.

use misere_check::construction::{ConstructionCheckError, check};
use misere_game::bipartite::families::tame;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::monoid::word::Word;
use misere_game::solution::Construction;

fn word(copies: &[u32]) -> Word {
    Word(copies.to_vec())
}

/// Returns `*` and `*2`, whose quotient is `T_2`.
fn good() -> Construction {
    let games = vec![vec![word(&[])], vec![word(&[]), word(&[1])]];
    Construction::new(tame(2), games)
}

fn flaw(change: impl FnOnce(&mut Construction)) -> ConstructionCheckError {
    let mut changed = good();
    assert_eq!(check(&changed, &mut Control::unlimited()), Ok(()));
    change(&mut changed);
    check(&changed, &mut Control::unlimited()).unwrap_err()
}

/// Returns the flaw of the claim that `*` has a quotient with one generator.
fn star(row: &[Element], p: &[Element]) -> ConstructionCheckError {
    let monoid = BipartiteMonoid::new(row.len(), vec![row.to_vec()], p.iter().copied()).unwrap();
    let claim = Construction::new(monoid, vec![vec![word(&[])]]);
    check(&claim, &mut Control::unlimited()).unwrap_err()
}

#[test]
fn j1_sets_of_elements_fit_into_a_word() {
    let nim = (0..6).map(|_| vec![word(&[])]).collect();
    let claim = Construction::new(tame(6), nim);
    assert_eq!(
        check(&claim, &mut Control::unlimited()),
        Err(ConstructionCheckError::TooLarge(66))
    );
}

#[test]
fn j3_the_identity_is_not_in_p() {
    assert_eq!(star(&[1, 0], &[0]), ConstructionCheckError::IdentityInP);
}

#[test]
fn j4_elements_are_told_apart() {
    let (order, reduced) = (4, 2);
    assert_eq!(
        star(&[1, 2, 3, 0], &[1, 3]),
        ConstructionCheckError::NotReduced { order, reduced }
    );
}

#[test]
fn j5_there_is_a_game_for_each_generator() {
    let (games, generators) = (1, 2);
    assert_eq!(
        flaw(|claim| {
            claim.options.pop();
        }),
        ConstructionCheckError::GameCount { games, generators }
    );
    let (games, generators) = (3, 2);
    assert_eq!(
        flaw(|claim| claim.options.push(Vec::new())),
        ConstructionCheckError::GameCount { games, generators }
    );
}

/// A game that is its own option, and a word in games that do not exist.
#[test]
fn j6_options_are_sums_of_earlier_games() {
    let (game, option) = (0, 1);
    assert_eq!(
        flaw(|claim| claim.options[0].push(word(&[1]))),
        ConstructionCheckError::NotEarlier { game, option }
    );
    assert_eq!(
        flaw(|claim| claim.options[0].push(word(&[0, 0, 0]))),
        ConstructionCheckError::NotEarlier { game, option }
    );
}

#[test]
fn j7_options_have_no_more_copies_than_there_are_elements() {
    let (game, option) = (1, 0);
    assert_eq!(
        flaw(|claim| claim.options[1][0] = word(&[8])),
        ConstructionCheckError::TooManyCopies { game, option }
    );
}

/// As long a word as there are games, and as many copies as elements.
#[test]
fn j6_j7_the_longest_words_and_most_copies_are_read() {
    let order = good().quotient.order() as u32;
    let mut longest = good();
    longest.options[1] = vec![word(&[0, 0]), word(&[order + 1])];
    let flaw = check(&longest, &mut Control::unlimited()).unwrap_err();
    assert!(
        matches!(
            flaw,
            ConstructionCheckError::TooManyCopies { option: 1, .. }
        ),
        "{flaw}"
    );
    longest.options[1] = vec![word(&[0, 0]), word(&[1]), word(&[order])];
    assert_eq!(check(&longest, &mut Control::unlimited()), Ok(()));
}

/// In P with an option in P; not in P without one.
#[test]
fn j8_every_sum_of_games_has_the_outcome_of_its_value() {
    assert!(matches!(
        star(&[1, 1], &[1]),
        ConstructionCheckError::Parity {
            value: 1,
            in_p: true,
            ..
        }
    ));
    let silent = flaw(|claim| claim.options[1].clear());
    assert!(matches!(
        silent,
        ConstructionCheckError::Parity { in_p: false, .. }
    ));
}

/// The end alone has no options and is not in P.
#[test]
fn j8_a_game_without_options_has_the_value_1() {
    let dead = flaw(|claim| claim.options[0].clear());
    assert!(matches!(
        dead,
        ConstructionCheckError::Parity {
            value: 1,
            in_p: true,
            ..
        }
    ));
}

#[test]
fn j9_there_is_a_rank_for_each_element_and_0_for_the_identity() {
    assert_eq!(
        flaw(|claim| {
            claim.rank.pop();
        }),
        ConstructionCheckError::RankForm
    );
    assert_eq!(
        flaw(|claim| claim.rank.push(9)),
        ConstructionCheckError::RankForm
    );
    assert_eq!(
        flaw(|claim| claim.rank.iter_mut().for_each(|rank| *rank += 1)),
        ConstructionCheckError::RankForm
    );
}

#[test]
fn j10_options_have_smaller_ranks() {
    let star = good().quotient.act(0, 0);
    assert_eq!(
        flaw(|claim| claim.rank[star as usize] = 0),
        ConstructionCheckError::Rank(star)
    );
}
