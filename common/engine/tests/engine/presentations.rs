//! Presentations of infinite quotients: published relations, the definition of outcomes, and false
//! claims.
//!
//! Each hypothesis W1 to W7 of `docs/presentations.md` is broken once, and each part of it that has
//! a line of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::{Family, PresentationCheckError, TotalEvidence};
use misere_engine::infinite::presentation::find;
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::monoid::word::Word;
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::solution::evidence::State;
use misere_game::solution::presentation::{Presentation, Reach, Relation, compare};
use misere_game::solution::{DiagramFamily, Evidence, EvidenceOutcomes, Verdict};
use proptest::prelude::*;
use serde_json::Value;

/// A game with the evidence for its quotient to a heap.
struct Game {
    code: &'static str,
    heap: u32,
    evidence: Evidence,
    diagram: DiagramFamily,
}

fn game(code: &'static str) -> Game {
    let fuel = 20_000_000;
    let solution = solve(
        &code.parse().unwrap(),
        &Limits::default(),
        Way::Exact,
        &mut Control::new(fuel, Interrupt::default()),
    );
    let Verdict::Diverges { heap, .. } = solution.verdict else {
        panic!("{code} does not diverge");
    };
    let evidence = solution.evidence.unwrap();
    Game {
        code,
        heap,
        diagram: evidence.as_diagram(),
        evidence,
    }
}

static OF_0_31011: LazyLock<Game> = LazyLock::new(|| game("0.31011"));
static RELATIONS: LazyLock<Presentation> = LazyLock::new(|| OF_0_31011.found());
static OF_0_3122: LazyLock<Game> = LazyLock::new(|| game("0.3122"));
static OF_0_005: LazyLock<Game> = LazyLock::new(|| game("0.005"));

impl Game {
    fn whole(&self) -> TotalEvidence<'_> {
        self.of(&self.diagram).unwrap()
    }

    fn of<'a>(
        &self,
        diagram: &'a DiagramFamily,
    ) -> Result<TotalEvidence<'a>, PresentationCheckError> {
        let code = self.code.parse().unwrap();
        TotalEvidence::new(&code, self.heap, diagram, &mut Control::unlimited())
    }

    fn found(&self) -> Presentation {
        find(&self.whole(), 40, 50_000_000, &mut Control::unlimited()).unwrap()
    }

    fn checked(&self, presentation: &Presentation) -> Result<(), PresentationCheckError> {
        self.whole().check(presentation, &mut Control::unlimited())
    }
}

fn word(text: &str, letters: usize) -> Word {
    Word::read(text, letters).unwrap()
}

fn relation(text: &str, letters: usize) -> Relation {
    let (left, right) = text.split_once('=').unwrap();
    Relation {
        left: word(left.trim(), letters),
        right: word(right.trim(), letters),
    }
}

fn counts(word: &Word) -> Vec<u64> {
    word.0.iter().map(|&count| u64::from(count)).collect()
}

fn by_degree(whole: &TotalEvidence<'_>, presentation: &Presentation, to: u64) -> Vec<u128> {
    let families = whole.families(presentation, &mut Control::unlimited());
    let families = families.unwrap();
    let words = |degree| families.iter().map(|family| family.words(degree)).sum();
    (0..=to).map(words).collect()
}

#[test]
fn the_lists_of_relations_are_found_and_complete() {
    let data: Value =
        serde_json::from_str(include_str!("../../../../tests/data/presentations.json")).unwrap();
    for game in [&*OF_0_31011, &*OF_0_3122] {
        let listed = &data[game.code];
        let found = game.found();
        let relations: Vec<String> = found.relations.iter().map(ToString::to_string).collect();
        assert_eq!(
            serde_json::to_value(&relations).unwrap(),
            listed["relations"]
        );
        assert_eq!(found.reach, Reach::All, "{}", game.code);
        assert_eq!(game.checked(&found), Ok(()), "{}", game.code);
        let numbers = listed["by_degree"].as_array().unwrap();
        let right: Vec<u128> = numbers.iter().map(|n| n.as_u64().unwrap().into()).collect();
        let degrees = by_degree(&game.whole(), &found, right.len() as u64 - 1);
        assert_eq!(degrees, right, "{}", game.code);
    }
}

/// Returns the relations that Weimerskirch printed, in the letters of the evidence.
fn published(id: &str, letters: &[(char, char)], count: usize) -> Vec<Relation> {
    let data = include_str!("../../../report/data/quotients.json");
    let data: Value = serde_json::from_str(data).unwrap();
    let infinite = data["infinite"].as_array().unwrap();
    let quotient = infinite.iter().find(|quotient| quotient["id"] == id);
    let translated = |text: &str| -> String {
        let names: BTreeMap<char, char> = letters.iter().copied().collect();
        text.chars().map(|c| *names.get(&c).unwrap_or(&c)).collect()
    };
    let relations = quotient.unwrap()["relations"].as_array().unwrap();
    let read = |text: &Value| relation(&translated(text.as_str().unwrap()), count);
    relations.iter().map(read).collect()
}

/// Returns the reduced confluent system of some equations (Buchberger's algorithm for binomials).
fn completed(mut open: Vec<Relation>) -> Vec<Relation> {
    let mut system: Vec<Relation> = Vec::new();
    while let Some(Relation { left, right }) = open.pop() {
        let (left, right) = (reduced(left, &system), reduced(right, &system));
        let (left, right) = match compare(&left, &right) {
            std::cmp::Ordering::Equal => continue,
            std::cmp::Ordering::Less => (right, left),
            std::cmp::Ordering::Greater => (left, right),
        };
        let (redundant, kept): (Vec<_>, Vec<_>) = system
            .into_iter()
            .partition(|other| divides(&left, &other.left));
        open.extend(redundant);
        system = kept;
        for other in &system {
            let both = left.0.iter().zip(&other.left.0);
            let multiple: Vec<u32> = both.map(|(&x, &y)| x.max(y)).collect();
            let after = |from: &Word, to: &Word| {
                let rest = multiple.iter().zip(&from.0).zip(&to.0);
                Word(rest.map(|((m, x), y)| m - x + y).collect())
            };
            open.push(Relation {
                left: after(&left, &right),
                right: after(&other.left, &other.right),
            });
        }
        system.push(Relation { left, right });
    }
    let all = system.clone();
    for relation in &mut system {
        relation.right = reduced(relation.right.clone(), &all);
    }
    system.sort_by(|one, other| compare(&one.left, &other.left));
    system
}

fn divides(one: &Word, other: &Word) -> bool {
    one.0.iter().zip(&other.0).all(|(x, y)| x <= y)
}

fn reduced(mut word: Word, system: &[Relation]) -> Word {
    while let Some(step) = system.iter().find(|step| divides(&step.left, &word)) {
        let sides = step.left.0.iter().zip(&step.right.0);
        let counts = word.0.iter().zip(sides);
        word = Word(counts.map(|(count, (x, y))| count - x + y).collect());
    }
    word
}

#[test]
fn the_relations_of_weimerskirch_are_true() {
    let of_0_3122 = [('c', 'd'), ('d', 'e'), ('e', 'f'), ('f', 'g')];
    let lists = [
        (&*OF_0_31011, published("0.31011_Q5_candidate", &[], 5)),
        (&*OF_0_31011, published("0.31011_Q5", &[], 5)),
        (&*OF_0_3122, published("0.3122_Q7", &of_0_3122, 7)),
    ];
    for (game, relations) in lists {
        assert!(relations.len() > 10);
        let whole = game.whole();
        let control = &mut Control::unlimited();
        for Relation { left, right } in relations {
            let apart = whole.difference(&counts(&left), &counts(&right), control);
            assert_eq!(apart, Ok(None), "{}: {left} = {right}", game.code);
        }
    }
}

/// For 0.3122 Weimerskirch's relations, with the value of heap 3, are complete; for 0.31011 he says
/// that more can be found, and exactly four of the relations do not follow from his.
#[test]
fn consequences_of_the_relations_of_weimerskirch() {
    let mut printed = published(
        "0.3122_Q7",
        &[('c', 'd'), ('d', 'e'), ('e', 'f'), ('f', 'g')],
        7,
    );
    printed.push(relation("c=b^2e^2", 7));
    assert_eq!(completed(printed), OF_0_3122.found().relations);

    let system = completed(published("0.31011_Q5", &[], 5));
    let found = OF_0_31011.found().relations;
    let follows =
        |r: &&Relation| reduced(r.left.clone(), &system) == reduced(r.right.clone(), &system);
    let (old, new): (Vec<&Relation>, Vec<&Relation>) = found.iter().partition(follows);
    assert_eq!((old.len(), new.len()), (13, 4));
    let new: Vec<String> = new.into_iter().map(ToString::to_string).collect();
    let right = [
        "c^2d^4e^2 = c^2d^2",
        "c^2d^2e^6 = c^2e^4",
        "cd^4e^6 = cd^2e^4",
        "cd^3e^7 = cde^5",
    ];
    assert_eq!(new, right);
}

/// Returns all words of at most `limit` letters, in order.
fn words(letters: usize, limit: u32) -> Vec<Word> {
    let mut all = vec![Word(vec![0; letters])];
    let mut from = 0;
    for _ in 0..limit {
        let mut longer = BTreeSet::new();
        for word in &all[from..] {
            for letter in 0..letters {
                let mut word = word.clone();
                word.0[letter] += 1;
                longer.insert(word.0);
            }
        }
        from = all.len();
        all.extend(longer.into_iter().map(Word));
    }
    all.sort_by(compare);
    all
}

#[test]
fn a_family_counts_its_words() {
    let all = words(4, 8);
    let base = word("b^2d", 4);
    for free in [vec![], vec![1], vec![0, 2], vec![0, 1, 3], vec![0, 1, 2, 3]] {
        let belongs = |word: &&Word| {
            let mut counts = word.0.iter().zip(&base.0).enumerate();
            counts.all(|(letter, (count, least))| {
                count == least || count > least && free.contains(&letter)
            })
        };
        let lengths = all.iter().filter(belongs).map(|word| word.0.iter().sum());
        let mut counted = [0_u128; 9];
        lengths.for_each(|length: u32| counted[length as usize] += 1);
        let (base, free) = (base.clone(), free.clone());
        let family = Family { base, free };
        let told: Vec<u128> = (0..9).map(|degree| family.words(degree)).collect();
        assert_eq!(told, counted, "{family:?}");
        assert_eq!(family.dimension(), family.free.len());
    }
}

/// Words are equal iff no context of few letters tells them apart, where the contexts printed have
/// few letters; and those printed are the least.
#[test]
fn equality_is_that_of_the_definition() {
    let game = &*OF_0_31011;
    let whole = game.whole();
    let (code, control) = (game.code.parse().unwrap(), &mut Control::unlimited());
    let mut oracle = Oracle::new(&code, Convention::Misere);
    let mut outcome = |one: &Word, other: &Word| {
        let both = one.0.iter().zip(&other.0).zip(1..);
        let heaps: Vec<u32> = both
            .flat_map(|((x, y), heap)| std::iter::repeat_n(heap, (x + y) as usize))
            .collect();
        oracle.outcome(&heaps, &mut Control::unlimited()).unwrap()
    };
    let contexts = words(5, 5);
    let (mut equal, mut apart) = (0, 0);
    for (number, one) in words(5, 3).iter().enumerate() {
        for other in words(5, 3).iter().skip(number + 1) {
            let least = contexts
                .iter()
                .find(|context| outcome(one, context) != outcome(other, context));
            let found = whole.difference(&counts(one), &counts(other), control);
            let found = found.unwrap();
            match least {
                Some(least) => assert_eq!(found, Some(counts(least)), "{one} {other}"),
                // The least context has more letters, or there is none.
                None => assert!(found.is_none_or(|z| z.iter().sum::<u64>() > 5)),
            }
            equal += usize::from(least.is_none());
            apart += usize::from(least.is_some());
        }
    }
    assert!(equal > 5 && apart > 1_000, "{equal} {apart}");
}

/// A normal word is the only one of its value, and no lesser one has the value.
#[test]
fn normal_words_are_the_least_of_their_values() {
    let game = &*OF_0_005;
    let (whole, found) = (game.whole(), game.found());
    assert_eq!(game.checked(&found), Ok(()));
    let control = &mut Control::unlimited();
    let normal = whole.normal_words(&found, 4, control).unwrap();
    let mut representatives: Vec<Word> = Vec::new();
    for word in words(5, 4) {
        let mut same = |other: &Word| {
            let apart = whole.difference(&counts(&word), &counts(other), control);
            apart.unwrap().is_none()
        };
        if !representatives.iter().any(&mut same) {
            representatives.push(word);
        }
    }
    assert_eq!(normal, representatives);
    let by_degree = by_degree(&whole, &found, 4);
    assert_eq!(by_degree.iter().sum::<u128>(), normal.len() as u128);
}

/// The words and progressions of the P-portion are the normal words that are P-positions.
#[test]
fn the_p_portion_is_where_p_positions_are() {
    for game in [&*OF_0_31011, &*OF_0_005] {
        let (whole, found) = (game.whole(), game.found());
        let control = &mut Control::unlimited();
        let families = whole.families(&found, control).unwrap();
        let portion = whole.portion(&families, control).unwrap().unwrap();
        let mut listed: BTreeSet<Vec<u32>> = portion.words.iter().map(|w| w.0.clone()).collect();
        for progression in &portion.progressions {
            let mut word = progression.first.clone();
            for _ in 0..25 {
                assert!(listed.insert(word.0.clone()), "{word} is listed twice");
                let step = word.0.iter().zip(&progression.step.0);
                word = Word(step.map(|(x, y)| x + y).collect());
            }
        }
        let told = EvidenceOutcomes::new(&game.evidence);
        let normal = whole.normal_words(&found, 20, control).unwrap();
        assert!(normal.len() > 300);
        for word in normal {
            let heaps = whole.letters().iter().copied().zip(counts(&word));
            let is_p = told.outcome(heaps) == Some(Outcome::P);
            assert_eq!(listed.contains(&word.0), is_p, "{}: {word}", game.code);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Equal words have equal outcomes in any context, and different ones differ in the context
    /// that is named, however many letters there are.
    #[test]
    fn contexts_tell_apart(
        one in proptest::collection::vec(0_u64..40, 5),
        other in proptest::collection::vec(0_u64..40, 5),
        many in proptest::collection::vec(0_u64..1_000_000_000_000, 5),
    ) {
        let game = &*OF_0_31011;
        let told = EvidenceOutcomes::new(&game.evidence);
        let outcome = |word: &[u64], context: &[u64]| {
            let both = word.iter().zip(context).zip(1..);
            told.outcome(both.map(|((x, y), heap)| (heap, x + y)))
        };
        let control = &mut Control::unlimited();
        let system = &RELATIONS.relations;
        let small = |word: &[u64]| Word(word.iter().map(|&x| x as u32).collect());
        let same = reduced(small(&one), system) == reduced(small(&other), system);
        let whole = game.whole();
        match whole.difference(&one, &other, control).unwrap() {
            None => {
                prop_assert!(same);
                prop_assert_eq!(outcome(&one, &many), outcome(&other, &many));
            }
            Some(context) => {
                prop_assert!(!same);
                prop_assert_ne!(outcome(&one, &context), outcome(&other, &context));
            }
        }
        // With many copies the answer is right in the context named, too.
        if let Some(context) = whole.difference(&one, &many, control).unwrap() {
            prop_assert_ne!(outcome(&one, &context), outcome(&many, &context));
        }
    }
}

#[test]
fn a_diagram_agrees_with_columns() {
    for game in [&*OF_0_31011, &*OF_0_005] {
        let Evidence::Columns(family) = &game.evidence else {
            panic!("{} has a diagram", game.code);
        };
        // With columns left out, nothing is said of some positions.
        let mut partial = family.clone();
        partial.columns.retain(|column| column.counts[0] < 2);
        for evidence in [game.evidence.clone(), Evidence::Columns(partial)] {
            let diagram = Evidence::Diagram(evidence.as_diagram());
            let (columns, diagram) = (
                EvidenceOutcomes::new(&evidence),
                EvidenceOutcomes::new(&diagram),
            );
            let letters = evidence.as_diagram().letters;
            for word in words(letters.len(), 7) {
                let position = || letters.iter().copied().zip(counts(&word));
                assert_eq!(
                    columns.outcome(position()),
                    diagram.outcome(position()),
                    "{word}"
                );
            }
        }
    }
}

#[test]
fn w1_outcomes_have_to_be_right() {
    let game = &*OF_0_005;
    let mut wrong = game.diagram.clone();
    wrong.states[0].outcome = Some(Outcome::P);
    let flaw = game.of(&wrong).err();
    assert!(
        matches!(flaw, Some(PresentationCheckError::Evidence(_))),
        "{flaw:?}"
    );
    // The word of heap 5; nothing else depends on one of its outcomes.
    let mut wrong = game.diagram.clone();
    let last = wrong.words.last_mut().unwrap();
    let heap = last.heap;
    last.word = vec![(7, 1)];
    let context = vec![(7, 1)];
    let flaw = FamilyCheckError::Context { heap, context };
    assert_eq!(
        game.of(&wrong).err(),
        Some(PresentationCheckError::Evidence(flaw))
    );
}

#[test]
fn w2_something_has_to_be_said_of_every_position() {
    let game = &*OF_0_005;
    let Evidence::Columns(mut family) = game.evidence.clone() else {
        panic!("0.005 has a diagram");
    };
    // A position with a heap of 17 has options without it, so its columns may be left out.
    let at = family.letters.iter().filter(|l| l.heap < 17);
    let at = at.count() - 1;
    family.columns.retain(|column| column.counts[at] == 0);
    let diagram = Evidence::Columns(family).as_diagram();
    let flaw = game.of(&diagram).err();
    let position = vec![(17, 1)];
    assert_eq!(flaw, Some(PresentationCheckError::Silent { position }));
}

fn presentation(relations: &[&str], letters: usize, reach: Reach) -> Presentation {
    let relations = relations.iter().map(|text| relation(text, letters));
    Presentation {
        relations: relations.collect(),
        reach,
    }
}

#[test]
fn w3_the_left_side_is_a_greater_word() {
    let game = &*OF_0_005;
    for text in ["1 = a^2", "a^2 = a^2", "ab = bd", "a^10001 = a"] {
        let claim = presentation(&[text], 5, Reach::Degree(1));
        let flaw = PresentationCheckError::NotShorter { number: 0 };
        assert_eq!(game.checked(&claim), Err(flaw), "{text}");
    }
    for letters in [4, 6] {
        let claim = presentation(&["a^2 = 1"], letters, Reach::Degree(1));
        let flaw = PresentationCheckError::NotShorter { number: 0 };
        assert_eq!(game.checked(&claim), Err(flaw));
    }
}

#[test]
fn w4_both_sides_have_equal_value() {
    let game = &*OF_0_005;
    let claim = presentation(&["a^2 = 1", "b^2 = a"], 5, Reach::Degree(1));
    let Err(PresentationCheckError::Unequal { number: 1, context }) = game.checked(&claim) else {
        panic!("{:?}", game.checked(&claim));
    };
    let told = EvidenceOutcomes::new(&game.evidence);
    let with = |position: &[(u32, u64)]| {
        told.outcome(position.iter().copied().chain(context.iter().copied()))
    };
    assert_ne!(with(&[(7, 2)]), with(&[(3, 1)]));
}

#[test]
fn w5_no_relation_shortens_another() {
    let game = &*OF_0_005;
    let flaw = |number| Err(PresentationCheckError::NotReduced { number });
    let left = presentation(&["a^2 = 1", "a^3 = a"], 5, Reach::Degree(0));
    assert_eq!(game.checked(&left), flaw(1));
    let right = presentation(&["a^2 = 1", "b^5 = a^2b^3"], 5, Reach::Degree(0));
    assert!(matches!(
        game.checked(&right),
        Err(PresentationCheckError::NotReduced { .. })
    ));
    let later = presentation(&["b^7 = b^3", "b^3 = b"], 5, Reach::Degree(0));
    assert_eq!(game.checked(&later), flaw(0));
}

#[test]
fn w6_no_relation_is_missing() {
    for game in [&*OF_0_31011, &*OF_0_005] {
        let found = game.found();
        assert_eq!(game.checked(&found), Ok(()));
        for left_out in 0..found.relations.len() {
            let mut claim = found.clone();
            let relation = claim.relations.remove(left_out);
            let degree = relation.left.0.iter().sum::<u32>();
            for reach in [Reach::All, Reach::Degree(degree)] {
                claim.reach = reach;
                let checked = game.checked(&claim);
                let Err(PresentationCheckError::Missing {
                    words: [one, other],
                }) = checked
                else {
                    panic!("{}: {relation} left out: {checked:?}", game.code);
                };
                assert_ne!(one, other);
                let control = &mut Control::unlimited();
                let apart = game
                    .whole()
                    .difference(&counts(&one), &counts(&other), control);
                assert_eq!(apart, Ok(None), "{}: {one} = {other}", game.code);
            }
            // The other relations decide all shorter words.
            claim.reach = Reach::Degree(degree - 1);
            assert_eq!(game.checked(&claim), Ok(()), "{}: {relation}", game.code);
        }
    }
}

/// Returns the multiples of heap 1 in 0.3, read by their parity: equal heaps cancel in pairs.
///
/// Every outcome is right, and the quotient has two elements.
fn of_two_elements() -> DiagramFamily {
    let state = |outcome, next: [u32; 2]| State {
        outcome: Some(outcome),
        next: next.to_vec(),
    };
    DiagramFamily {
        distinct_multiples: vec![1],
        letters: vec![1],
        digits: vec![1],
        words: Vec::new(),
        states: vec![
            state(Outcome::N, [2, 1]),
            state(Outcome::P, [1, 1]),
            state(Outcome::N, [2, 2]),
        ],
        nodes: Vec::new(),
        root: 0,
        order: Vec::new(),
        all_heaps: None,
    }
}

#[test]
fn w7_a_finite_quotient_is_not_presented_as_infinite() {
    let (diagram, control) = (of_two_elements(), &mut Control::unlimited());
    let whole = TotalEvidence::new(&"0.3".parse().unwrap(), 1, &diagram, control).unwrap();
    assert_eq!(whole.difference(&[2], &[0], control), Ok(None));
    for reach in [Reach::All, Reach::Degree(3)] {
        let claim = presentation(&["a^2 = 1"], 1, reach);
        let flaw = PresentationCheckError::Evidence(FamilyCheckError::Multiples { heap: 1 });
        assert_eq!(whole.check(&claim, control), Err(flaw), "{reach:?}");
    }
}

/// The heaps up to the greatest are examined one by one, to name those without a claim.
#[test]
fn a_greatest_heap_without_end_is_refused() {
    let diagram = of_two_elements();
    let whole = |heaps| {
        let (code, control) = ("0.3".parse().unwrap(), &mut Control::unlimited());
        TotalEvidence::new(&code, heaps, &diagram, control).err()
    };
    assert_eq!(whole(100_000), None);
    for heaps in [100_001, u32::MAX] {
        let flaw = whole(heaps);
        let Some(PresentationCheckError::Evidence(FamilyCheckError::TooLarge { what, .. })) = flaw
        else {
            panic!("{heaps}: {flaw:?}");
        };
        assert_eq!(what, "heaps");
    }
}

#[test]
fn fuel_bounds_the_search_and_the_check() {
    let game = &*OF_0_31011;
    let (whole, found) = (game.whole(), game.found());
    let little = || Control::new(10, Interrupt::default());
    assert_eq!(
        find(&whole, 40, 1, &mut Control::new(0, Interrupt::default())),
        Err(Stop::FuelSpent)
    );
    let stopped = PresentationCheckError::Evidence(FamilyCheckError::Unchecked(Stop::FuelSpent));
    assert_eq!(whole.check(&found, &mut little()), Err(stopped));
    // Without fuel to check that they are enough, the relations reach as far as words were seen.
    let found = find(&whole, 9, 0, &mut Control::unlimited()).unwrap();
    assert_eq!(found.reach, Reach::Degree(9));
    assert_eq!(game.checked(&found), Ok(()));
    // Counts that are too great are refused.
    let control = &mut Control::unlimited();
    assert!(whole.difference(&[u64::MAX; 5], &[0; 5], control).is_err());
    assert!(whole.difference(&[0; 4], &[0; 5], control).is_err());
}
