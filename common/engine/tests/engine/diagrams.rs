//! Diagrams that prove quotients infinite: published examples, the definition of outcomes, and
//! Dawson's Kayles.

use misere_check::infinite::diagram::check;
use misere_engine::infinite::diagram::find;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::{DiagramFamily, Document, Evidence, Solution, Verdict};

/// Returns evidence that is a diagram, with all live heaps as letters.
fn all_letters(code: &Code, heaps: u32) -> DiagramFamily {
    let live = |heap: &u32| code.is_live(*heap);
    let letters: Vec<u32> = (0..=heaps).filter(live).collect();
    let word = |heap| match code.is_live(heap) {
        true => vec![(heap, 1)],
        false => Vec::new(),
    };
    let words: Vec<_> = (0..=heaps).map(word).collect();
    let control = &mut Control::new(20_000_000, Interrupt::default());
    let family = find(code, &letters, &words, control).unwrap();
    let checked = check(code, heaps, &family, &mut Control::unlimited());
    assert_eq!(checked, Ok(()), "{code}");
    family
}

/// Returns the outcome that a diagram claims of a position, read as `docs/infinite.md` says.
fn claimed(family: &DiagramFamily, position: &[u32]) -> Option<Outcome> {
    let mut counts = vec![0; family.letters.len()];
    let letter = |heap| family.letters.binary_search(&heap).ok();
    for &heap in position {
        match letter(heap) {
            Some(at) => counts[at] += 1,
            None => {
                let word = family.words.iter().find(|word| word.heap == heap)?;
                for &(heap, count) in &word.word {
                    counts[letter(heap)?] += count;
                }
            }
        }
    }
    let mut place = family.root as usize;
    while let Some(node) = place.checked_sub(family.states.len()) {
        let node = &family.nodes[node];
        let (index, all) = (node.index, node.children.len() as u32);
        let count = counts[letter(node.letter)?];
        let read = if count < all {
            count
        } else {
            index + (count - index) % (all - index)
        };
        place = node.children[read as usize] as usize;
    }
    let digits = family
        .digits
        .iter()
        .map(|&digit| letter(digit).map(|at| counts[at]));
    let mut digits: Vec<u32> = digits.collect::<Option<_>>()?;
    while digits.iter().any(|&x| x > 0) {
        let bits = digits.iter().enumerate();
        let bits: usize = bits.map(|(d, x)| ((x & 1) as usize) << d).sum();
        place = family.states[place].next[bits] as usize;
        digits.iter_mut().for_each(|x| *x /= 2);
    }
    family.states[place].outcome
}

/// Compares the claims with the definition on all sums of the heaps that the evidence covers.
///
/// The sums have at most `beans` beans and `summands` summands. Returns their number.
fn compare(code: &Code, family: &DiagramFamily, beans: u32, summands: usize) -> usize {
    let heaps = family.heaps();
    let mut oracle = Oracle::new(code, Convention::Misere);
    let control = &mut Control::unlimited();
    let mut compared = 0;
    let mut open = vec![(Vec::new(), 0, 0)];
    while let Some((position, from, sum)) = open.pop() {
        let outcome = claimed(family, &position).expect("all is claimed");
        assert_eq!(
            outcome,
            oracle.outcome(&position, control).unwrap(),
            "{code} {position:?}"
        );
        compared += 1;
        for (at, &heap) in heaps.iter().enumerate().skip(from) {
            if position.len() < summands && sum + heap <= beans {
                let mut greater = position.clone();
                greater.push(heap);
                open.push((greater, at, sum + heap));
            }
        }
    }
    compared
}

#[test]
fn weimerskirchs_games_by_diagrams() {
    // The numbers of states and nodes are the prototype's, written independently.
    let code = "0.31011".parse().unwrap();
    let family = all_letters(&code, 5);
    assert_eq!(
        (family.digits.clone(), family.distinct_multiples.clone()),
        (vec![4, 5], vec![4, 5])
    );
    assert_eq!((family.states.len(), family.nodes.len()), (75, 15));
    assert!(compare(&code, &family, 40, 40) > 15_000);
    let code = "0.3122".parse().unwrap();
    let family = all_letters(&code, 7);
    assert_eq!(
        (family.digits.clone(), family.distinct_multiples.clone()),
        (vec![5, 7], vec![5, 7])
    );
    assert_eq!((family.states.len(), family.nodes.len()), (64, 55));
    assert!(compare(&code, &family, 32, 32) > 15_000);
}

#[test]
fn every_outcome_of_a_state_and_every_child_matters() {
    let code = "0.3122".parse().unwrap();
    let family = all_letters(&code, 7);
    let control = || Control::new(2_000_000, Interrupt::default());
    for at in 0..family.states.len() {
        let mut wrong = family.clone();
        wrong.states[at].outcome = match wrong.states[at].outcome {
            Some(Outcome::N) => Some(Outcome::P),
            _ => Some(Outcome::N),
        };
        assert!(
            check(&code, 7, &wrong, &mut control()).is_err(),
            "state {at}"
        );
    }
    let states = family.states.len() as u32;
    for (at, node) in family.nodes.iter().enumerate() {
        for child in 0..node.children.len() {
            let mut wrong = family.clone();
            let other = (wrong.nodes[at].children[child] + 1) % states;
            wrong.nodes[at].children[child] = other;
            assert!(
                check(&code, 7, &wrong, &mut control()).is_err(),
                "node {at}, child {child}"
            );
        }
    }
}

/// Solves a game as `misere solve` does, with this fuel for evidence.
fn infinite_at(code: &str, heap: u32, max_evidence: u64) -> Solution {
    let limits = Limits {
        max_evidence,
        ..Limits::default()
    };
    let control = &mut Control::new(2 * max_evidence + 20_000_000, Interrupt::default());
    let solution = solve(&code.parse().unwrap(), &limits, Strategy::Exact, control);
    assert!(
        matches!(solution.verdict, Verdict::Diverges { heap: at, .. } if at == heap),
        "{code}: {:?}",
        solution.verdict
    );
    assert!(solution.evidence.is_some(), "{code}");
    assert_eq!(misere_check::check(&solution), Ok(()), "{code}");
    let text = serde_json::to_string(&Document::new(&solution)).unwrap();
    let read: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(read.into_solution().unwrap(), solution);
    solution
}

/// The games for which prizes were offered.
#[test]
#[ignore = "slow: a minute"]
fn games_with_four_digits() {
    for (code, heap) in [
        ("0.3102", 12),
        ("0.3122", 7),
        ("0.3123", 12),
        ("0.3312", 14),
    ] {
        infinite_at(code, heap, 20_000_000);
    }
}

/// Games whose letters, but for the digits, need few copies only. The search comes to their
/// diagrams before it has tried all columns, so the fuel that every game has is enough.
#[test]
#[ignore = "slow: a minute"]
fn games_with_three_digits() {
    for (code, heap) in [
        ("0.024", 17),
        ("0.14", 22),
        ("0.166", 18),
        ("0.171", 21),
        ("0.205", 14),
        ("0.207", 15),
        ("0.224", 21),
        ("0.366", 17),
        ("0.524", 17),
        ("0.536", 15),
    ] {
        let solution = infinite_at(code, heap, 3_000_000);
        let Some(Evidence::Diagram(family)) = &solution.evidence else {
            panic!("{code}: no diagram");
        };
        assert!(compare(&solution.code, family, 30, 3) > 100, "{code}");
    }
}

/// The misère quotient of Dawson's Kayles is infinite.
#[test]
#[ignore = "slow: a minute"]
fn dawsons_kayles_to_heap_34() {
    let solution = infinite_at("0.07", 34, 40_000_000);
    let Some(Evidence::Diagram(family)) = &solution.evidence else {
        panic!("no diagram");
    };
    assert_eq!(family.digits, [30, 34]);
    assert_eq!(family.distinct_multiples, [30, 34]);
    assert_eq!(family.states.len(), 129);
    // The evidence covers all heaps to 34 but heap 1, which is dead.
    assert_eq!(family.heaps(), (2..=34).collect::<Vec<u32>>());
    assert!(compare(&solution.code, family, 62, 62) > 1_000_000);
    assert!(compare(&solution.code, family, 102, 2) > 500);
}
