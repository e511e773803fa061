//! Games whose verdict is more, or less, than a period of `Φ`: tame relative to a heap, growing;
//! and normal play.

use misere_check::{CheckError, check};
use misere_engine::normal::{self, Ending};
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{
    Document, Limit, NimPeriod, Polynomial, Solution, Stages, Tail, Verdict,
};

fn solved(code: &str, fuel: u64, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    let mut control = Control::new(fuel, Interrupt::default());
    let solution = solve(&code.parse().unwrap(), &limits, Way::Exact, &mut control);
    assert_eq!(check(&solution), Ok(()), "{code}");
    solution
}

fn refuted(good: &Solution, change: impl FnOnce(&mut Solution)) -> CheckError {
    let mut solution = good.clone();
    change(&mut solution);
    check(&solution).unwrap_err()
}

/// Published and recomputed periods of nim-values; sequences that need more than a few thousand
/// heaps are tested apart.
#[test]
fn normal_play_is_as_published() {
    let text = include_str!("../../../tests/data/normal_play.csv");
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(7, ',').collect();
        let number = |at: usize| fields[at].parse::<u32>().ok();
        let Some((preperiod, period)) = number(2).zip(number(3)) else {
            continue;
        };
        if preperiod > 5_000 {
            continue;
        }
        let code = fields[0].parse().unwrap();
        let play = normal::solve(&code, 20_000, &mut Control::unlimited());
        let expected = NimPeriod { period, preperiod };
        assert_eq!(play.ending, Ending::Periodic(expected), "{code}");
        assert_eq!(play.nim_values.iter().copied().max(), number(4), "{code}");
        compared += 1;
    }
    assert!(compared > 600, "{compared}");
}

#[test]
#[ignore = "slow: 653,569 nim-values"]
fn the_longest_period_of_normal_play() {
    let code = "0.56".parse().unwrap();
    let play = normal::solve(&code, 1_000_000, &mut Control::unlimited());
    let expected = NimPeriod {
        period: 144,
        preperiod: 326_640,
    };
    assert_eq!(play.ending, Ending::Periodic(expected));
    assert_eq!(play.nim_values.len(), 653_570);
    // The same through misère play: the game is tame relative to heap 7.
    let whole = solved("0.56", 10_000_000, 10_000);
    assert_eq!(whole.verdict, Verdict::TameRelative { heap: 7 });
    assert_eq!(
        whole.tail,
        Some(Tail {
            nim_heaps: 653_569,
            nim_period: Some(expected),
            stages: Stages::Known(4),
        })
    );
}

#[test]
fn normal_play_ends_with_its_limits() {
    let code = "0.007".parse().unwrap();
    let play = normal::solve(&code, 500, &mut Control::unlimited());
    assert_eq!(play.ending, Ending::Exhausted(Limit::MaxHeap));
    assert_eq!(play.nim_values.len(), 501);
    let play = normal::solve(&code, 500, &mut Control::new(3, Interrupt::default()));
    assert_eq!(play.ending, Ending::Exhausted(Limit::Fuel));
    assert!(play.nim_values.len() < 501);
    let interrupt = Interrupt::default();
    interrupt.raise();
    let play = normal::solve(&code, 500, &mut Control::new(1_000, interrupt));
    assert_eq!(play.ending, Ending::Interrupted);
}

/// Siegel, *Structure and classification*, after Theorem 3.9. (4.76, named there, has no finite
/// quotient to heap 6; its normal play is periodic.)
#[test]
fn games_named_as_tame_relative_to_a_heap() {
    for (code, heap) in [("0.414", 19), ("0.776", 11), ("4.44", 12), ("0.764", 12)] {
        let solution = solved(code, 100_000, 1_000);
        assert_eq!(solution.verdict, Verdict::TameRelative { heap }, "{code}");
        let tail = solution.tail.unwrap();
        assert_eq!(tail.nim_period, None, "{code} is open in normal play");
        assert!(matches!(tail.stages, Stages::AtLeast(1..)), "{code}");
        // With all heaps to that one known, and no more.
        let needed = 2 * heap + solution.code.length() as u32 - 1;
        assert_eq!(solution.heaps(), needed, "{code}");
    }
    // The hexadecimal one: R_8 at heap 12, which is the last heap with a value outside the kernel.
    let solution = solved("0.9092", 100_000, 300);
    assert_eq!(solution.verdict, Verdict::TameRelative { heap: 13 });
    let r8 = solution.partials.iter().find(|partial| partial.heap == 12);
    assert_eq!((r8.unwrap().order, r8.unwrap().p_size), (8, 2));
    assert!(matches!(
        solution.tail.unwrap().stages,
        Stages::AtLeast(2..)
    ));
}

/// Values continued by nim-values belong to the game: the checker proves every position of the
/// heaps listed.
#[test]
fn periods_beyond_heap_seven_thousand_are_proved() {
    for (code, order, period, preperiod) in [("0.156", 34, 349, 3479), ("0.644", 172, 442, 3256)] {
        let solution = solved(code, 10_000_000, 10_000);
        assert_eq!(solution.verdict, Verdict::Solved { period, preperiod });
        assert_eq!(solution.quotient.order(), order);
    }
}

#[test]
fn every_part_of_a_tail_matters() {
    let good = solved("0.414", 100_000, 1_000);
    let tail = good.tail.unwrap();
    let with = |tail: Tail| refuted(&good, |s| s.tail = Some(tail));
    let at = |heap: u32| refuted(&good, |s| s.verdict = Verdict::TameRelative { heap });
    assert!(matches!(at(20), CheckError::TooFewHeaps { needed: 42, .. }));
    assert_eq!(at(18), CheckError::OutsideKernel { heap: 18 });
    assert!(matches!(at(0), CheckError::TooFewHeaps { .. }));
    assert!(matches!(at(u32::MAX), CheckError::TooFewHeaps { .. }));
    assert_eq!(refuted(&good, |s| s.tail = None), CheckError::OtherClaim);
    let other_verdict = Verdict::Exhausted(Limit::Fuel);
    assert_eq!(
        refuted(&good, |s| s.verdict = other_verdict),
        CheckError::OtherClaim
    );
    let Stages::AtLeast(stages) = tail.stages else {
        panic!("its normal play is open");
    };
    for stages in [
        Stages::AtLeast(stages + 1),
        Stages::AtLeast(stages - 1),
        Stages::Known(stages),
    ] {
        assert!(matches!(
            with(Tail { stages, ..tail }),
            CheckError::Stages { .. }
        ));
    }
    let nim_period = Some(NimPeriod {
        period: 3,
        preperiod: 5,
    });
    assert!(matches!(
        with(Tail { nim_period, ..tail }),
        CheckError::NormalPlay(_)
    ));
    // Another game with the same live heaps.
    assert!(
        check(&Solution {
            code: "0.454".parse().unwrap(),
            ..good.clone()
        })
        .is_err()
    );
}

/// A tame game with only its first heaps listed is tame relative to heap 1 or 2 as well, with a
/// known period.
#[test]
fn every_part_of_a_periodic_tail_matters() {
    // 0.52: T_2; period 4 from heap 6 on, in normal play from heap 4 on.
    let whole = solved("0.52", 1_000_000, 10_000);
    let good = (3..whole.heaps())
        .find_map(|heaps| {
            let solution = solved("0.52", 1_000_000, heaps);
            matches!(solution.verdict, Verdict::TameRelative { .. }).then_some(solution)
        })
        .unwrap();
    let tail = good.tail.unwrap();
    let nim = tail.nim_period.unwrap();
    assert_eq!((nim.period, nim.preperiod), (4, 4));
    assert_eq!(tail.stages, Stages::Known(0));
    let with = |tail: Tail| refuted(&good, |s| s.tail = Some(tail));
    let period = |period, preperiod| {
        with(Tail {
            nim_period: Some(NimPeriod { period, preperiod }),
            ..tail
        })
    };
    for (p, r) in [(4, 3), (4, 5), (8, 4), (3, 4), (0, 4)] {
        assert!(matches!(period(p, r), CheckError::NormalPlay(_)), "{p} {r}");
    }
    assert!(matches!(
        with(Tail {
            nim_period: None,
            ..tail
        }),
        CheckError::PeriodNotSaid {
            period: 4,
            preperiod: 4
        }
    ));
    assert!(matches!(
        with(Tail {
            nim_heaps: tail.nim_heaps - 1,
            ..tail
        }),
        CheckError::NormalPlay(_)
    ));
    for stages in [Stages::Known(1), Stages::AtLeast(0)] {
        assert!(matches!(
            with(Tail { stages, ..tail }),
            CheckError::Stages { .. }
        ));
    }
}

/// 0.26 and 4.7 (Plambeck–Siegel supplement, Figures 8 and 9).
#[test]
fn algebraic_periodic_games_grow() {
    let solution = solved("0.26", 600_000, 10_000);
    let growth = solution.growth.clone().unwrap();
    assert_eq!(
        solution.verdict,
        Verdict::Grows {
            start: 11,
            period: 4
        }
    );
    assert!(solution.heaps() >= 100);
    assert_eq!(growth.degree(), 2);
    // Φ(n) is a new generator for odd n and a·b·Φ(n − 3) for even n.
    for (residue, word) in growth.words.iter().enumerate() {
        if residue % 2 == 0 {
            assert_eq!(
                (word.fixed.as_slice(), word.moving.as_slice()),
                (&[][..], &[(0, 1)][..])
            );
        } else {
            assert_eq!(
                (word.fixed.as_slice(), word.moving.as_slice()),
                (&[(2, 1, 0), (3, 1, 0)][..], &[(3, 1)][..])
            );
        }
    }
    let solution = solved("4.7", 300_000, 10_000);
    assert_eq!(
        solution.verdict,
        Verdict::Grows {
            start: 9,
            period: 2
        }
    );
    let words = solution.growth.unwrap().words;
    assert!(
        words
            .iter()
            .all(|word| word.fixed.is_empty() && word.moving == [(0, 1)])
    );
    // The growth does not end the list of heaps before the number that is requested.
    let solution = solved("0.26", 10_000_000, 110);
    assert_eq!(solution.heaps(), 110);
    assert!(matches!(solution.verdict, Verdict::Grows { .. }));
}

#[test]
fn every_part_of_a_pattern_matters() {
    let good = solved("0.26", 600_000, 10_000);
    let changed = |change: &dyn Fn(&mut misere_game::solution::Growth)| {
        refuted(&good, |s| {
            let growth = s.growth.as_mut().unwrap();
            change(growth);
            s.verdict = Verdict::Grows {
                start: growth.start,
                period: growth.period,
            };
        })
    };
    for residue in 0..4 {
        for at in 0..3 {
            for by in [-1, 1] {
                assert!(matches!(
                    changed(&|g| g.orders[residue].0[at] += by),
                    CheckError::OffPattern { .. } | CheckError::NoPattern
                ));
                assert!(matches!(
                    changed(&|g| g.p_sizes[residue].0[at] += by),
                    CheckError::OffPattern { .. } | CheckError::NoPattern
                ));
            }
        }
        assert!(matches!(
            changed(&|g| g.words[residue].moving[0].0 += 1),
            CheckError::WordOffPattern { .. }
        ));
        assert!(matches!(
            changed(&|g| g.words[residue].fixed.push((2, 1, 0))),
            CheckError::WordOffPattern { .. }
        ));
        assert!(matches!(
            changed(&|g| g.words[residue].moving[0].1 = u32::MAX),
            CheckError::WordOffPattern { .. }
        ));
    }
    assert!(matches!(
        changed(&|g| g.words_to += 1),
        CheckError::WordOffPattern { .. }
    ));
    assert!(matches!(
        changed(&|g| g.words_to -= 1),
        CheckError::PatternGoesOn { .. }
    ));
    assert!(matches!(
        changed(&|g| g.words_to = u32::MAX),
        CheckError::NoPattern
    ));
    assert!(matches!(changed(&|g| g.period = 0), CheckError::NoPattern));
    assert!(matches!(
        changed(&|g| g.period = u32::MAX),
        CheckError::NoPattern
    ));
    assert!(matches!(changed(&|g| g.start = 0), CheckError::NoPattern));
    assert!(matches!(
        changed(&|g| g.start = u32::MAX),
        CheckError::NoPattern
    ));
    assert!(matches!(
        changed(&|g| g.orders[0] = Polynomial(vec![1, 0, 0, 0, 0])),
        CheckError::NoPattern
    ));
    // A true pattern, but not from its first heap on: everything one period later.
    let later = changed(&|g| {
        g.start += g.period;
        for polynomial in g.orders.iter_mut().chain(&mut g.p_sizes) {
            for j in 0..polynomial.0.len() - 1 {
                polynomial.0[j] += polynomial.0[j + 1];
            }
        }
    });
    assert_eq!(later, CheckError::PatternGoesOn { heap: 14 });
    assert_eq!(refuted(&good, |s| s.growth = None), CheckError::OtherClaim);
    assert_eq!(
        refuted(&good, |s| s.verdict = Verdict::Exhausted(Limit::Fuel)),
        CheckError::OtherClaim
    );
    let elsewhere = Verdict::Grows {
        start: 12,
        period: 4,
    };
    assert_eq!(
        refuted(&good, |s| s.verdict = elsewhere),
        CheckError::OtherClaim
    );
    let shorter = refuted(&good, |s| s.phi.truncate(40));
    assert!(
        matches!(
            shorter,
            CheckError::NoPattern | CheckError::Generator { .. }
        ),
        "{shorter:?}"
    );
}

#[test]
fn documents_keep_the_claims() {
    for (code, fuel) in [("0.414", 100_000), ("0.26", 600_000)] {
        let solution = solved(code, fuel, 10_000);
        let text = serde_json::to_string(&Document::new(&solution)).unwrap();
        let document: Document = serde_json::from_str(&text).unwrap();
        assert_eq!(document.into_solution().unwrap(), solution, "{code}");
    }
}

/// 0.175: every other word is a power that grows with the heap, `b^(…+2t)`.
#[test]
fn exponents_may_grow() {
    let good = solved("0.175", 2_500_000, 10_000);
    assert!(matches!(good.verdict, Verdict::Grows { .. }));
    let growth = good.growth.clone().unwrap();
    let grows = |&(_, _, more): &(u32, u32, u32)| more > 0;
    let residue = growth
        .words
        .iter()
        .position(|word| word.fixed.iter().any(grows));
    let residue = residue.unwrap();
    for by in [0, 2] {
        let flaw = refuted(&good, |s| {
            let word = &mut s.growth.as_mut().unwrap().words[residue];
            word.fixed
                .iter_mut()
                .filter(|fixed| grows(fixed))
                .for_each(|fixed| {
                    fixed.2 = fixed.2 + by - 1;
                });
        });
        assert!(matches!(flaw, CheckError::WordOffPattern { .. }));
    }
}

/// 0.357: heaps 3m − 1 name the generators, and their neighbours below and above are `a·b` times as
/// much.
#[test]
fn generators_may_be_named_by_a_later_heap() {
    let good = solved("0.357", 3_000_000, 10_000);
    assert!(matches!(good.verdict, Verdict::Grows { .. }));
    let words = good.growth.unwrap().words;
    let moves = |word: &misere_game::solution::GrowingWord| word.moving[0].0;
    assert!(words.iter().any(|word| moves(word) == -1));
    assert!(words.iter().any(|word| moves(word) == 1));
}
