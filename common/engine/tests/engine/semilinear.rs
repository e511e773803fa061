//! P-positions of infinite quotients by linear conditions: the definition of outcomes, and false
//! conditions.
//!
//! S1, S2 and S3 of `docs/semilinear.md` are broken, each part that has a line of its own. W1 and
//! W2 are broken in `presentations.rs`.

use std::sync::LazyLock;

use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::{PresentationCheckError, TotalEvidence};
use misere_engine::infinite::semilinear::find;
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::solution::DiagramFamily;
use misere_game::solution::diagram::Node;
use misere_game::solution::evidence::State;
use misere_game::solution::semilinear::{Cell, Condition, Region};
use proptest::prelude::*;

/// A game with its regions as they were found.
struct Game {
    code: &'static str,
    heap: u32,
    diagram: DiagramFamily,
    regions: Vec<Region>,
}

fn game(code: &'static str, heap: u32) -> Game {
    let mut control = Control::new(60_000_000, Interrupt::default());
    let game = code.parse().unwrap();
    let solution = solve(&game, &Limits::default(), Way::Exact, &mut control);
    let diagram = solution.evidence.unwrap().as_diagram();
    let whole = TotalEvidence::new(&game, heap, &diagram, &mut Control::unlimited()).unwrap();
    let regions = find(&whole, &mut Control::unlimited()).unwrap().unwrap();
    Game {
        code,
        heap,
        diagram,
        regions,
    }
}

static OF_0_005: LazyLock<Game> = LazyLock::new(|| game("0.005", 18));
static OF_0_31011: LazyLock<Game> = LazyLock::new(|| game("0.31011", 5));

impl Game {
    fn checked(&self, regions: &[Region]) -> Result<(), PresentationCheckError> {
        let (code, control) = (self.code.parse().unwrap(), &mut Control::unlimited());
        let whole = TotalEvidence::new(&code, self.heap, &self.diagram, control).unwrap();
        whole.check_regions(regions, control)
    }

    /// Reports whether a position is a P-position by the regions.
    fn is_p(&self, position: &[u32]) -> bool {
        let family = &self.diagram;
        let mut counts = vec![0; self.heap as usize + 1];
        for heap in position {
            match family.words.iter().find(|word| word.heap == *heap) {
                Some(word) => {
                    let letters = word.word.iter();
                    letters
                        .for_each(|&(letter, count)| counts[letter as usize] += i64::from(count));
                }
                None => counts[*heap as usize] += 1,
            }
        }
        let mut place = family.root;
        while let Some(node) = self.node(place) {
            let (index, length) = (i64::from(node.index), node.children.len() as i64);
            let count = counts[node.letter as usize];
            let read = match count < length {
                true => count,
                false => index + (count - index) % (length - index),
            };
            place = node.children[read as usize];
        }
        let digits: Vec<i64> = family
            .digits
            .iter()
            .map(|&digit| counts[digit as usize])
            .collect();
        let mut regions = self.regions.iter();
        let region = regions.find(|region| region.states.contains(&place));
        holds(&region.unwrap().cells, &digits)
    }

    fn node(&self, place: u32) -> Option<&Node> {
        let number = (place as usize).checked_sub(self.diagram.states.len())?;
        Some(&self.diagram.nodes[number])
    }

    /// Reports whether the automaton that begins at a state says P of some counts.
    fn says_p(&self, state: u32, counts: &[i64]) -> bool {
        let mut state = &self.diagram.states[state as usize];
        for bit in 0..62 {
            let bits = counts.iter().enumerate();
            let bits: usize = bits
                .map(|(digit, count)| ((count >> bit & 1) as usize) << digit)
                .sum();
            state = &self.diagram.states[state.next[bits] as usize];
        }
        state.outcome == Some(Outcome::P)
    }
}

fn holds(cells: &[Cell], counts: &[i64]) -> bool {
    let all = |cell: &Cell| cell.iter().all(|condition| condition.holds(counts));
    cells.iter().any(all)
}

/// Returns the sums of at most `limit` heaps, with their heaps in ascending order.
fn positions(heaps: &[u32], limit: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..limit {
        let to = all.len();
        for number in from..to {
            let shorter: Vec<u32> = all[number].clone();
            let least = shorter.last().copied().unwrap_or(0);
            let longer = heaps.iter().filter(|&&heap| heap >= least);
            let longer: Vec<Vec<u32>> = longer
                .map(|&heap| [shorter.as_slice(), &[heap]].concat())
                .collect();
            all.extend(longer);
        }
        from = to;
    }
    all
}

#[test]
fn p_positions_are_those_of_the_definition() {
    for (game, most, number) in [(&*OF_0_005, 5, 8_000), (&*OF_0_31011, 11, 4_000)] {
        let mut heaps = game.diagram.letters.clone();
        heaps.extend(game.diagram.words.iter().map(|word| word.heap));
        heaps.sort_unstable();
        let mut oracle = Oracle::new(&game.code.parse().unwrap(), Convention::Misere);
        let positions = positions(&heaps, most);
        assert!(positions.len() > number, "{}", positions.len());
        for position in positions {
            let outcome = oracle.outcome(&position, &mut Control::unlimited());
            let is_p = outcome.unwrap() == Outcome::P;
            assert_eq!(game.is_p(&position), is_p, "{}: {position:?}", game.code);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Far from the counts that were examined, cells say what the automaton says.
    #[test]
    fn great_counts_are_read_rightly(
        great in 0_i64..1_000_000_000_000,
        near in -20_i64..20,
        region in any::<prop::sample::Index>(),
    ) {
        for game in [&*OF_0_005, &*OF_0_31011] {
            let region = region.get(&game.regions);
            for counts in [[great, (great + near).max(0)], [great, near.abs()], [near.abs(), great]] {
                let is_p = holds(&region.cells, &counts);
                for &state in &region.states {
                    prop_assert_eq!(game.says_p(state, &counts), is_p, "{:?}", counts);
                }
            }
        }
    }
}

/// Finds counts that tell cells from the automaton, one by one.
fn found_wrong(game: &Game, state: u32, cells: &[Cell]) -> Option<[i64; 2]> {
    let counts = (0..40 * 40).map(|number| [number % 40, number / 40]);
    counts
        .into_iter()
        .find(|counts| holds(cells, counts) != game.says_p(state, counts))
}

/// Every change of a cell is refused, unless it changes nothing; and the counts named are wrong.
#[test]
fn s3_cells_have_to_agree_with_the_automaton() {
    let game = &*OF_0_005;
    let (mut refused, mut harmless) = (0, 0);
    let mut judge = |changed: Vec<Region>, number: usize| {
        let Region { states, cells } = &changed[number];
        let wrong = found_wrong(game, states[0], cells);
        match game.checked(&changed) {
            Ok(()) => {
                assert_eq!(wrong, None, "{cells:?}");
                harmless += 1;
            }
            Err(PresentationCheckError::Misplaced { state, counts }) => {
                assert!(wrong.is_some() && state == states[0], "{cells:?}");
                let of_digit = |digit| counts.iter().find(|(heap, _)| heap == digit);
                let counts: Vec<i64> = game
                    .diagram
                    .digits
                    .iter()
                    .map(|digit| of_digit(digit).map_or(0, |&(_, count)| count as i64))
                    .collect();
                assert_ne!(holds(cells, &counts), game.says_p(state, &counts));
                refused += 1;
            }
            Err(flaw) => panic!("{flaw}"),
        }
    };
    for (number, region) in game.regions.iter().enumerate() {
        let mut more = game.regions.clone();
        more[number].cells.push(Vec::new());
        judge(more, number);
        for (cell, conditions) in region.cells.iter().enumerate() {
            let mut fewer = game.regions.clone();
            fewer[number].cells.remove(cell);
            judge(fewer, number);
            for condition in 0..conditions.len() {
                let mut fewer = game.regions.clone();
                fewer[number].cells[cell].remove(condition);
                judge(fewer, number);
                for by in [-2, -1, 1, 2] {
                    let mut other = game.regions.clone();
                    match &mut other[number].cells[cell][condition] {
                        Condition::AtLeast { at_least, .. } => *at_least += by,
                        Condition::Remainder { remainder, .. } => *remainder = 1 - *remainder,
                    }
                    judge(other, number);
                }
            }
        }
    }
    assert!(refused > 100 && harmless > 0, "{refused} {harmless}");
}

/// A state with other P-positions does not pass beside a state that is right.
#[test]
fn s3_is_asked_of_every_state_of_a_region() {
    let game = &*OF_0_005;
    let mut merged = game.regions.clone();
    let last = merged.pop().unwrap();
    merged[0].states.extend(&last.states);
    merged[0].states.sort_unstable();
    let flaw = game.checked(&merged);
    let misplaced = matches!(flaw, Err(PresentationCheckError::Misplaced { state, .. }) if state == last.states[0]);
    assert!(misplaced, "{flaw:?}");
}

#[test]
fn s1_every_state_stands_in_one_region() {
    let game = &*OF_0_005;
    for number in 0..game.regions.len() {
        let mut fewer = game.regions.clone();
        let left_out = fewer.remove(number);
        let state = left_out.states[0];
        assert_eq!(
            game.checked(&fewer),
            Err(PresentationCheckError::NoRegion { state })
        );

        let mut twice = game.regions.clone();
        twice.push(left_out);
        let number = game.regions.len();
        assert_eq!(
            game.checked(&twice),
            Err(PresentationCheckError::Region { number })
        );
    }
    let mut empty = game.regions.clone();
    empty[2].states.clear();
    assert_eq!(
        game.checked(&empty),
        Err(PresentationCheckError::Region { number: 2 })
    );
    let mut descending = game.regions.clone();
    let last = descending.pop().unwrap();
    descending[0].states.extend(&last.states);
    descending[0].states.sort_unstable();
    descending[0].states.reverse();
    assert_eq!(
        game.checked(&descending),
        Err(PresentationCheckError::Region { number: 0 })
    );

    let mut beyond = game.regions.clone();
    beyond[3].states.push(game.diagram.states.len() as u32);
    assert_eq!(
        game.checked(&beyond),
        Err(PresentationCheckError::Region { number: 3 })
    );
    assert_eq!(
        game.checked(&[]),
        Err(PresentationCheckError::NoRegion {
            state: game
                .regions
                .iter()
                .map(|region| region.states[0])
                .min()
                .unwrap()
        })
    );
}

/// 0.1 has a quotient of two elements. The claim about its P-positions is true; the claim that the
/// quotient is infinite is not.
#[test]
fn w7_a_finite_quotient_is_not_proved_infinite() {
    let state = |outcome, next: [u32; 2]| State {
        outcome: Some(outcome),
        next: next.to_vec(),
    };
    let diagram = DiagramFamily {
        distinct_multiples: vec![1],
        letters: vec![1],
        digits: vec![1],
        words: Vec::new(),
        states: vec![
            state(Outcome::N, [1, 2]),
            state(Outcome::N, [1, 1]),
            state(Outcome::P, [2, 2]),
        ],
        nodes: Vec::new(),
        root: 0,
        order: Vec::new(),
        all_heaps: None,
    };
    let odd = Condition::Remainder {
        digit: 0,
        remainder: 1,
        modulus: 2,
    };
    let regions = [Region {
        states: vec![0],
        cells: vec![vec![odd]],
    }];
    let (code, control) = ("0.1".parse().unwrap(), &mut Control::unlimited());
    let whole = TotalEvidence::new(&code, 1, &diagram, control).unwrap();
    let flaw = PresentationCheckError::Evidence(FamilyCheckError::Multiples { heap: 1 });
    assert_eq!(whole.check_regions(&regions, control), Err(flaw));
}

#[test]
fn s2_conditions_are_about_the_digits() {
    let game = &*OF_0_005;
    let at_least = |form: &[i64], at_least| Condition::AtLeast {
        form: form.to_vec(),
        at_least,
    };
    let remainder = |digit, remainder, modulus| Condition::Remainder {
        digit,
        remainder,
        modulus,
    };
    // Conditions that hold always, or never, and would change nothing.
    let allowed = [
        at_least(&[1, 1], 0),
        at_least(&[1_000_000, 0], -1_000_000),
        remainder(1, 0, 1),
    ];
    let refused = [
        at_least(&[1], 0),
        at_least(&[1, 1, 1], 0),
        at_least(&[1_000_001, 0], 0),
        at_least(&[0, i64::MIN], i64::MIN),
        at_least(&[0, 0], -1_000_001),
        at_least(&[0, 0], i64::MIN),
        remainder(2, 0, 1),
        remainder(u32::MAX, 0, 1),
        remainder(0, 2, 2),
        remainder(0, 0, 0),
        remainder(0, 0, u32::MAX),
    ];
    let number = game
        .regions
        .iter()
        .position(|region| !region.cells.is_empty());
    let number = number.unwrap();
    let with = |condition: &Condition| {
        let mut regions = game.regions.clone();
        regions[number].cells[0].push(condition.clone());
        game.checked(&regions)
    };
    for condition in &allowed {
        assert_eq!(with(condition), Ok(()), "{condition:?}");
    }
    for condition in &refused {
        assert_eq!(
            with(condition),
            Err(PresentationCheckError::Region { number }),
            "{condition:?}"
        );
    }
}

/// A search that would take too long, or too much memory, is refused before it does.
#[test]
fn searches_end() {
    let game = &*OF_0_005;
    let mut many = game.regions.clone();
    let odd = Condition::Remainder {
        digit: 0,
        remainder: 1,
        modulus: 2,
    };
    many[0].cells.push(vec![odd; 100_001]);
    assert!(matches!(
        game.checked(&many),
        Err(PresentationCheckError::Evidence(
            FamilyCheckError::TooLarge { .. }
        ))
    ));
    // There are too many cells for the fuel.
    let (code, control) = (game.code.parse().unwrap(), &mut Control::unlimited());
    let whole = TotalEvidence::new(&code, game.heap, &game.diagram, control).unwrap();
    let mut wild = game.regions.clone();
    wild[0].cells = (0..500)
        .map(|bound| {
            vec![Condition::AtLeast {
                form: vec![999_983 - bound, -999_979],
                at_least: 1_000 * bound,
            }]
        })
        .collect();
    let control = &mut Control::new(10_000_000, Interrupt::default());
    assert!(whole.check_regions(&wild, control).is_err());
}
