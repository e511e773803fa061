//! Q: this is the misère quotient of the heaps listed.

use misere_check::{CheckError, check};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::solution::{Limit, NimPeriod, Stages, Tail, Verdict};

use super::{claim, flaw, refused, solved, solved_to};

/// Two elements, the second of order 2.
const GROUP: &[&[u32]] = &[&[1, 0]];
/// Two elements, the second idempotent.
const IDEMPOTENT: &[&[u32]] = &[&[1, 1]];

#[test]
fn q4_every_generator_is_the_value_of_a_heap_listed() {
    let good = solved("0.123");
    let generators = good.generator_heaps.len();
    let heaps = generators - 1;
    assert_eq!(
        flaw(&good, |s| {
            s.generator_heaps.pop();
        }),
        CheckError::GeneratorCount { heaps, generators }
    );
    let last = generators - 1;
    // A greater heap with another value, and one that is not listed.
    let of_last = good.phi[good.generator_heaps[last] as usize];
    let other =
        (good.generator_heaps[last]..=good.heaps()).find(|&h| good.phi[h as usize] != of_last);
    for heap in [other.unwrap(), good.heaps() + 1] {
        let generator = last;
        assert_eq!(
            flaw(&good, |s| s.generator_heaps[last] = heap),
            CheckError::Generator { generator, heap }
        );
    }
}

/// The same generators with their heaps in another order.
#[test]
fn q4_the_heaps_of_the_generators_ascend() {
    let good = solved("0.123");
    let mut rows = good.quotient.action().to_vec();
    rows.swap(0, 1);
    let p = good.quotient.p_portion().iter();
    let swapped = BipartiteMonoid::new(good.quotient.order(), rows, p).unwrap();
    let heap = good.generator_heaps[0];
    assert_eq!(
        flaw(&good, |s| {
            s.quotient = swapped;
            s.generator_heaps.swap(0, 1);
        }),
        CheckError::Generator { generator: 1, heap }
    );
}

#[test]
fn q5_heap_0_is_listed_and_values_are_elements() {
    let nothing = claim("0.1", &[], &[], &[], &[], None);
    assert_eq!(refused(&nothing), CheckError::NoHeaps);
    let outside = claim("0.1", GROUP, &[1], &[1], &[0, 1, 2], Some(1));
    assert_eq!(
        refused(&outside),
        CheckError::NotAnElement { heap: 2, value: 2 }
    );
}

/// No move leaves heap 2 of 0.1, so nothing else depends on its value.
#[test]
fn q6_dead_heaps_have_the_value_1() {
    assert_eq!(
        check(&claim("0.1", GROUP, &[1], &[1], &[0, 1, 0], Some(1))),
        Ok(())
    );
    let dead = claim("0.1", GROUP, &[1], &[1], &[0, 1, 1], Some(1));
    assert_eq!(refused(&dead), CheckError::DeadHeap { heap: 2, value: 1 });
    let empty = claim("0.1", GROUP, &[1], &[1], &[1, 1], Some(1));
    assert_eq!(refused(&empty), CheckError::DeadHeap { heap: 0, value: 1 });
}

/// The normal play of 0.1: every outcome but the one of the end follows from the options.
#[test]
fn q7_the_identity_is_not_in_p() {
    let normal = claim("0.1", GROUP, &[0], &[1], &[0, 1], Some(1));
    assert_eq!(refused(&normal), CheckError::IdentityInP);
}

/// Any number of heaps 1 is claimed to be a P-position, but one of two can be taken.
#[test]
fn q8_no_p_position_has_an_option_in_p() {
    let always = claim("0.1", IDEMPOTENT, &[1], &[1], &[0, 1], Some(1));
    assert_eq!(
        refused(&always),
        CheckError::PToP {
            heap: 1,
            context: 1
        }
    );
}

/// Every position is claimed to be N, but the player who takes heap 1 loses.
#[test]
fn q9_every_n_position_but_the_end_has_an_option_in_p() {
    let never = claim("0.1", &[], &[], &[], &[0, 0], None);
    let position = vec![(1, 1)];
    assert_eq!(refused(&never), CheckError::NWithoutP { position });
}

/// A value for which no single heap is wrong, but a sum of heaps.
#[test]
fn q9_sums_of_heaps_are_looked_at() {
    let good = solved_to("0.123", 12);
    let elements = 0..good.quotient.order() as u32;
    let refuting = elements.filter_map(|value| {
        let mut changed = good.clone();
        changed.phi[12] = value;
        match check(&changed) {
            Err(CheckError::NWithoutP { position }) => Some(position),
            _ => None,
        }
    });
    let summands = |position: Vec<(u32, u32)>| position.iter().map(|&(_, count)| count).sum();
    let most: u32 = refuting.map(summands).max().unwrap();
    assert!(most > 1, "{most}");
}

/// `*` of order 4 instead of 2.
#[test]
fn q10_elements_are_told_apart() {
    let four = claim(
        "0.3",
        &[&[1, 2, 3, 0]],
        &[1, 3],
        &[1],
        &[0, 1, 0, 1],
        Some(1),
    );
    let (order, reduced) = (4, 2);
    assert_eq!(refused(&four), CheckError::NotReduced { order, reduced });
}

#[test]
fn q11_the_partial_quotients_are_those_that_occur() {
    let good = solved("0.123");
    let second = good.partials[1].heap;
    let wrong = |number, heap| CheckError::Partial { number, heap };
    // One is missing, in the middle or at the end; one more; another heap, order, P-portion, class.
    assert_eq!(
        flaw(&good, |s| {
            s.partials.remove(1);
        }),
        wrong(2, second)
    );
    let (count, last) = (good.partials.len(), good.partials[good.partials.len() - 1]);
    assert_eq!(
        flaw(&good, |s| {
            s.partials.pop();
        }),
        wrong(count, last.heap)
    );
    assert_eq!(
        flaw(&good, |s| s.partials.push(last)),
        wrong(count + 1, last.heap)
    );
    assert_eq!(flaw(&good, |s| s.partials[1].heap += 1), wrong(2, second));
    assert_eq!(flaw(&good, |s| s.partials[1].order += 1), wrong(2, second));
    assert_eq!(flaw(&good, |s| s.partials[1].p_size += 1), wrong(2, second));
    assert_eq!(
        flaw(&good, |s| s.partials[1].class = ClassKey([7; 32])),
        wrong(2, second)
    );
}

#[test]
fn q12_each_verdict_comes_with_its_claims_and_no_others() {
    let good = solved("0.123");
    let tail = Tail {
        nim_heaps: good.heaps(),
        nim_period: Some(NimPeriod {
            period: 5,
            preperiod: 5,
        }),
        stages: Stages::Known(0),
    };
    let growth = super::growth::good().growth;
    assert_eq!(flaw(&good, |s| s.tail = Some(tail)), CheckError::OtherClaim);
    assert_eq!(
        flaw(&good, |s| s.growth.clone_from(&growth)),
        CheckError::OtherClaim
    );
    for verdict in [
        Verdict::TameRelative { heap: 2 },
        Verdict::Grows {
            start: 9,
            period: 2,
        },
    ] {
        assert_eq!(flaw(&good, |s| s.verdict = verdict), CheckError::OtherClaim);
    }
    let grown = super::growth::good();
    let Verdict::Grows { start, period } = grown.verdict else {
        panic!("{:?}", grown.verdict);
    };
    for verdict in [
        Verdict::Grows {
            start: start + 1,
            period,
        },
        Verdict::Grows {
            start,
            period: 2 * period,
        },
        Verdict::Exhausted(Limit::Fuel),
    ] {
        assert_eq!(
            flaw(&grown, |s| s.verdict = verdict),
            CheckError::OtherClaim
        );
    }
}

#[test]
fn q13_a_quotient_diverges_at_the_next_heap() {
    let good = solved_to("4.77", 10);
    let Verdict::Diverges { heap, copies } = good.verdict else {
        panic!("{:?}", good.verdict);
    };
    for heap in [heap - 1, heap + 1, u32::MAX] {
        let heaps = good.heaps();
        assert_eq!(
            flaw(&good, |s| s.verdict = Verdict::Diverges { heap, copies }),
            CheckError::DivergesElsewhere { heap, heaps }
        );
    }
}
