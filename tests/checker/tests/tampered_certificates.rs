//! Tampered certificates, each of which the checker rejects with the name of the flaw.

use misere_check::infinite::FamilyCheckError;
use misere_check::{CheckError, check, check_within};
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::solution::evidence::State;
use misere_game::solution::{Document, Evidence, InfiniteFamily, Reason, Solution, Verdict};
use proptest::prelude::*;

fn solution(code: &str) -> Solution {
    solved_within(code, Limits::default())
}

fn solved_within(code: &str, limits: Limits) -> Solution {
    solve(
        &code.parse().unwrap(),
        &limits,
        Way::Exact,
        &mut Control::unlimited(),
    )
}

fn rebuilt(
    solution: &Solution,
    change: impl FnOnce(&mut Vec<Vec<Element>>, &mut Vec<Element>),
) -> Result<Solution, misere_game::bipartite::MonoidError> {
    let mut action = solution.quotient.action().to_vec();
    let mut p_portion = solution.quotient.p_portion().iter().collect();
    change(&mut action, &mut p_portion);
    let quotient = BipartiteMonoid::new(solution.quotient.order(), action, p_portion)?;
    Ok(Solution {
        quotient,
        ..solution.clone()
    })
}

#[test]
fn every_single_p_bit_matters() {
    for code in ["0.123", "0.77", "0.53"] {
        let solution = solution(code);
        for x in 0..solution.quotient.order() as Element {
            let flipped = rebuilt(&solution, |_, p| match p.iter().position(|&y| y == x) {
                Some(at) => {
                    p.remove(at);
                }
                None => p.push(x),
            });
            assert!(check(&flipped.unwrap()).is_err(), "{code} {x}");
        }
    }
}

#[test]
fn every_single_action_entry_matters() {
    for code in ["0.123", "0.53"] {
        let solution = solution(code);
        let order = solution.quotient.order() as Element;
        for g in 0..solution.quotient.generators() {
            for x in 0..order {
                for other in (0..order).filter(|&y| y != solution.quotient.act(x, g)) {
                    let changed = rebuilt(&solution, |action, _| action[g][x as usize] = other);
                    assert!(
                        changed.is_err() || check(&changed.unwrap()).is_err(),
                        "{code} {g} {x} {other}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_single_value_matters() {
    for code in ["0.123", "0.53", "0.72"] {
        let solution = solution(code);
        for heap in 0..solution.phi.len() {
            for other in
                (0..solution.quotient.order() as Element).filter(|&x| x != solution.phi[heap])
            {
                let mut changed = solution.clone();
                changed.phi[heap] = other;
                assert!(check(&changed).is_err(), "{code} heap {heap} value {other}");
            }
        }
    }
}

#[test]
fn periods_are_proved_and_least() {
    let solution = solution("0.123");
    let with = |period, preperiod| Solution {
        verdict: Verdict::Solved { period, preperiod },
        ..solution.clone()
    };
    assert_eq!(check(&with(5, 5)), Ok(()));
    assert!(matches!(
        check(&with(4, 5)),
        Err(CheckError::NotPeriodic { .. })
    ));
    assert!(matches!(
        check(&with(5, 4)),
        Err(CheckError::NotPeriodic { .. })
    ));
    assert!(matches!(
        check(&with(10, 5)),
        Err(CheckError::PeriodUnproved { .. })
    ));
    assert_eq!(check(&with(0, 5)), Err(CheckError::NoPeriod));
    assert_eq!(check(&with(0, u32::MAX)), Err(CheckError::NoPeriod));
    assert!(matches!(
        check(&with(u32::MAX, u32::MAX)),
        Err(CheckError::PeriodUnproved { .. })
    ));
    // One heap fewer than the theorem asks for.
    let mut short = solution.clone();
    short.phi.pop();
    assert!(matches!(
        check(&short),
        Err(CheckError::PeriodUnproved {
            needed: 22,
            heaps: 21,
            ..
        })
    ));
    // Enough heaps for a multiple of the period, and for a later start.
    let mut long = solution.clone();
    while long.phi.len() < 60 {
        long.phi.push(long.phi[long.phi.len() - 5]);
    }
    long.verdict = Verdict::Solved {
        period: 10,
        preperiod: 5,
    };
    assert_eq!(
        check(&long),
        Err(CheckError::NotLeast {
            period: 5,
            preperiod: 5
        })
    );
    long.verdict = Verdict::Solved {
        period: 5,
        preperiod: 7,
    };
    assert_eq!(
        check(&long),
        Err(CheckError::NotLeast {
            period: 5,
            preperiod: 6
        })
    );
}

#[test]
fn a_quotient_too_large_is_not_reduced() {
    // 0.3 is *1, *0, *1, …: its quotient T_1 as a group of order 4.
    let mut solution = solution("0.3");
    solution.quotient = BipartiteMonoid::new(4, vec![vec![1, 2, 3, 0]], [1, 3]).unwrap();
    solution.phi = solution
        .phi
        .iter()
        .map(|&x| if x == 0 { 0 } else { 1 })
        .collect();
    assert_eq!(
        check(&solution),
        Err(CheckError::NotReduced {
            order: 4,
            reduced: 2
        })
    );
}

#[test]
fn partial_quotients_are_recomputed() {
    let solution = solution("0.123");
    let mut missing = solution.clone();
    missing.partials.remove(1);
    assert_eq!(
        check(&missing),
        Err(CheckError::Partial {
            number: 2,
            heap: solution.partials[1].heap
        })
    );
    let mut more = solution.clone();
    more.partials.push(more.partials[0]);
    assert!(matches!(check(&more), Err(CheckError::Partial { .. })));
    let mut other_class = solution.clone();
    other_class.partials[0].class = ClassKey([7; 32]);
    assert_eq!(
        check(&other_class),
        Err(CheckError::Partial {
            number: 1,
            heap: solution.partials[0].heap
        })
    );
}

#[test]
fn structure_is_checked() {
    let good = solution("0.123");
    let broken = |change: &dyn Fn(&mut Solution)| {
        let mut solution = good.clone();
        change(&mut solution);
        check(&solution).unwrap_err()
    };
    assert_eq!(broken(&|s| s.phi.clear()), CheckError::NoHeaps);
    assert_eq!(
        broken(&|s| s.phi[22] = 99),
        CheckError::NotAnElement {
            heap: 22,
            value: 99
        }
    );
    assert_eq!(
        broken(&|s| s.phi[2] = 1),
        CheckError::DeadHeap { heap: 2, value: 1 }
    );
    assert!(matches!(
        broken(&|s| s.generator_heaps[1] = 4_000_000_000),
        CheckError::Generator { .. }
    ));
    assert!(matches!(
        broken(&|s| s.generator_heaps.reverse()),
        CheckError::Generator { .. }
    ));
    assert!(matches!(
        broken(&|s| s.generator_heaps.clear()),
        CheckError::GeneratorCount { .. }
    ));
    let diverges = Verdict::Diverges {
        heap: 20,
        copies: 200,
    };
    assert_eq!(
        broken(&|s| s.verdict = diverges),
        CheckError::DivergesElsewhere {
            heap: 20,
            heaps: 22
        }
    );
    // The code of another game with the same live heaps but other options.
    assert!(
        check(&Solution {
            code: "0.133".parse().unwrap(),
            ..good.clone()
        })
        .is_err()
    );
}

#[test]
fn the_check_can_be_stopped() {
    let solution = solution("0.77");
    let stopped = check_within(&solution, &mut Control::new(10, Interrupt::default()));
    assert_eq!(stopped, Err(CheckError::Unchecked(Stop::FuelSpent)));
}

proptest! {
    /// Reading and checking any file ends in a typed error or in a proof, never in a panic.
    #[test]
    fn mangled_documents_never_panic(at in 0_usize..6_000, byte in 0_u8..128, cut in 0_usize..6_000) {
        let mut text = serde_json::to_string(&Document::new(&solution("0.53"))).unwrap().into_bytes();
        let length = text.len();
        text[at % length] = byte;
        if cut % 5 == 0 {
            text.truncate(cut % length);
        }
        if let Ok(document) = serde_json::from_slice::<Document>(&text)
            && let Ok(solution) = document.into_solution()
        {
            let _ = check_within(&solution, &mut Control::new(1_000_000, Interrupt::default()));
        }
    }
}

/// 4.77, without evidence: the search for it takes a hundred times as long and is tested in
/// `infinite_quotients.rs`.
/// A reason says why there is no evidence, and nothing else may have one.
#[test]
fn reasons_belong_to_divergence() {
    let diverges = divergent();
    for reason in Reason::ALL.map(Some).into_iter().chain([None]) {
        let named = Solution {
            reason,
            ..diverges.clone()
        };
        assert_eq!(check(&named), Ok(()), "{reason:?}");
        let document = serde_json::to_string(&Document::new(&named)).unwrap();
        let read: Document = serde_json::from_str(&document).unwrap();
        assert_eq!(read.into_solution().unwrap(), named);
    }
    for code in ["0.77", "0.31011"] {
        let other = Solution {
            reason: Some(Reason::Fuel),
            ..solved_within(code, Limits::default())
        };
        assert_eq!(check(&other), Err(CheckError::OtherClaim), "{code}");
    }
}

fn divergent() -> Solution {
    let limits = Limits {
        max_evidence: 0,
        ..Limits::default()
    };
    solved_within("4.77", limits)
}

#[test]
fn divergence_is_seen_at_the_next_heap() {
    let solution = divergent();
    let Verdict::Diverges { heap, copies } = solution.verdict else {
        panic!("{:?}", solution.verdict);
    };
    assert_eq!((heap, check(&solution)), (solution.heaps() + 1, Ok(())));
    for heap in [0, heap - 2, heap - 1, heap + 1, u32::MAX] {
        let verdict = Verdict::Diverges { heap, copies };
        let moved = Solution {
            verdict,
            ..solution.clone()
        };
        assert_eq!(
            check(&moved),
            Err(CheckError::DivergesElsewhere { heap, heaps: 5 })
        );
    }
}

/// The content of evidence is tested in `infinite_quotients.rs`; here, that it is checked, and
/// where it does not belong.
#[test]
fn evidence_is_not_taken_on_trust() {
    let state = |at| State {
        outcome: None,
        next: vec![at],
    };
    let says_nothing = InfiniteFamily {
        all_heaps: None,
        distinct_multiples: Vec::new(),
        letters: Vec::new(),
        words: Vec::new(),
        columns: Vec::new(),
        states: (0..60_000).map(state).collect(),
    };
    let diverges = divergent();
    let with_evidence = |solution: &Solution| Solution {
        evidence: Some(Evidence::Columns(says_nothing.clone())),
        reason: None,
        ..solution.clone()
    };
    assert_eq!(
        check(&with_evidence(&diverges)),
        Err(CheckError::Evidence(FamilyCheckError::NoMultiples))
    );
    assert_eq!(
        check(&with_evidence(&solution("0.123"))),
        Err(CheckError::Evidence(FamilyCheckError::NotDivergent))
    );
    // As much fuel as everything else takes: it ends in the evidence, which is then neither proved
    // nor refuted.
    let mut control = Control::unlimited();
    assert_eq!(check_within(&diverges, &mut control), Ok(()));
    let mut control = Control::new(control.fuel_spent(), Interrupt::default());
    assert_eq!(
        check_within(&with_evidence(&diverges), &mut control),
        Err(CheckError::Unchecked(Stop::FuelSpent))
    );
}

/// The position named is really one whose outcome is predicted wrongly. No period is claimed, so
/// only outcomes refute a wrong value of the last heaps.
#[test]
fn positions_are_named_that_refute() {
    let mut named = 0;
    for code in ["0.53", "0.77", "0.26", "0.9092"] {
        let solution = solution_to(code, 16);
        assert_eq!(check(&solution), Ok(()), "{code}");
        for heap in 1..solution.phi.len() {
            for value in 0..solution.quotient.order() as Element {
                let mut changed = solution.clone();
                changed.phi[heap] = value;
                match check(&changed) {
                    Ok(()) => assert_eq!(value, solution.phi[heap], "{code} {heap}"),
                    Err(CheckError::NWithoutP { position }) => {
                        named += 1;
                        assert!(
                            is_n_without_p(&changed, &position),
                            "{code} {heap} {value}: {position:?}"
                        );
                    }
                    Err(_) => {}
                }
            }
        }
    }
    assert!(named > 10, "{named}");
    let flaw = CheckError::NWithoutP {
        position: vec![(3, 1), (5, 2)],
    };
    assert!(
        flaw.to_string().contains("the position 3 + 2·5 is"),
        "{flaw}"
    );
}

fn solution_to(code: &str, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    solved_within(code, limits)
}

fn is_n_without_p(claim: &Solution, position: &[(u32, u32)]) -> bool {
    let words = misere_game::monoid::word::lex_least_words(&claim.quotient);
    let value = |heaps: &[u32]| {
        heaps.iter().fold(0, |x, &heap| {
            let word = &words[claim.phi[heap as usize] as usize].0;
            claim
                .quotient
                .product_from(x, word.iter().copied().enumerate())
        })
    };
    let heaps: Vec<u32> = position
        .iter()
        .flat_map(|&(heap, count)| std::iter::repeat_n(heap, count as usize))
        .collect();
    let is_p = |heaps: &[u32]| claim.quotient.in_p(value(heaps));
    // The end, also as heaps without moves, is rightly N.
    let is_live = |&heap: &u32| !claim.code.options(heap).is_empty();
    !heaps.is_empty()
        && position.iter().all(|&(_, count)| count > 0)
        && heaps.iter().all(is_live)
        && !is_p(&heaps)
        && (0..heaps.len()).all(|at| {
            let mut rest = heaps.clone();
            let moved = rest.remove(at);
            claim.code.options(moved).iter().all(|option| {
                let parts: Vec<u32> = option.parts().collect();
                !is_p(&[&rest[..], &parts].concat())
            })
        })
}
