//! Certificates made of nothing for any code, in a form that lets them come far.

use misere_engine::normal;
use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::bipartite::families::{restive, tame};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Evidence, Limit, NimPeriod, Partial, Solution, Stages, Tail, Verdict};
use proptest::prelude::*;

use super::families;
use super::games::{codes, games, number};

/// Generates claims of all these kinds.
pub(crate) fn claims() -> impl Strategy<Value = Solution> {
    prop_oneof![
        3 => tame_relative(),
        2 => periodic(),
        2 => true_at_first(),
    ]
}

fn solution(
    code: Code,
    quotient: BipartiteMonoid,
    phi: Vec<Element>,
    verdict: Verdict,
) -> Solution {
    // The first heap that has the value of a generator represents it.
    let heap_of = |g| phi.iter().position(|&x| x == quotient.act(0, g));
    let mut by_heap: Vec<(usize, usize)> = (0..quotient.generators())
        .filter_map(|g| Some((heap_of(g)?, g)))
        .collect();
    by_heap.sort_unstable();
    let rows = by_heap
        .iter()
        .map(|&(_, g)| quotient.row(g).to_vec())
        .collect();
    let p_portion = quotient.p_portion().iter();
    let on_these = BipartiteMonoid::new(quotient.order(), rows, p_portion);
    Solution {
        code,
        verdict,
        generator_heaps: by_heap.iter().map(|&(heap, _)| heap as u32).collect(),
        // Where values do not generate, no generator is left out: one error more to be found.
        quotient: on_these.unwrap_or(quotient),
        phi,
        partials: Vec::new(),
        tail: None,
        growth: None,
        evidence: None,
        reason: None,
        fuel: 0,
    }
}

/// Generates claims that a game becomes tame, made of its nim-values.
///
/// This is the one kind in which the checker computes nim-values.
fn tame_relative() -> impl Strategy<Value = Solution> {
    let period = prop::option::weighted(0.4, (number(), number()));
    let tail = (0_u32..700, period, 0_u32..4, prop::bool::weighted(0.2));
    (codes(), 0_u32..12, 0_usize..20, tail).prop_map(
        |(code, later, more, (nim_more, period, stages_more, is_odd))| {
            let control = &mut Control::new(20_000, Interrupt::default());
            let mut known = normal::solve(&code, 1_200, control).nim_values;
            // Outside the kernel are dead heaps, and those of nim-value 0 or 1 as far as drawn.
            let first = (0..).zip(&known).find(|&(_, &nim)| nim > 0);
            let wished = first.map_or(0, |(heap, _)| heap) + later;
            let is_outside = |heap: u32, nim| !code.is_live(heap) || nim < 2 && heap <= wished;
            let last_outside = (0..)
                .zip(&known)
                .filter(|&(heap, &nim)| is_outside(heap, nim))
                .last();
            let heap = last_outside.map_or(0, |(heap, _)| heap) + 1;
            let parts = u64::from(code.max_parts().max(2));
            let needed = parts * u64::from(heap) + code.length() as u64;
            known.truncate(needed as usize + more);
            let (quotient, of_nim) = with_nim_values(&known);
            let value = |(heap, &nim): (u32, &u32)| match nim {
                nim if is_outside(heap, nim) => {
                    if code.is_live(heap) {
                        nim
                    } else {
                        0
                    }
                }
                nim => of_nim[nim as usize % of_nim.len()],
            };
            let phi: Vec<Element> = (0..).zip(&known).map(value).collect();
            let nim_heaps = phi.len().saturating_sub(1) as u32 + nim_more;
            let largest = known.iter().copied().max().unwrap_or(0);
            let right = (largest as usize / of_nim.len())
                .checked_ilog2()
                .map_or(0, |n| n + 1);
            let nim_period = period.map(|(period, preperiod)| NimPeriod { period, preperiod });
            let stages = right + if is_odd { stages_more } else { 0 };
            let mut claim = solution(code, quotient, phi, Verdict::TameRelative { heap });
            claim.tail = Some(Tail {
                nim_heaps,
                nim_period,
                stages: match nim_period {
                    Some(_) => Stages::Known(stages),
                    None => Stages::AtLeast(stages),
                },
            });
            claim
        },
    )
}

/// Returns a tame quotient, and the elements of its kernel by their nim-values.
///
/// It has as many generators as there are nim-values 1, 2, 4, … for, two at least and seven at
/// most.
fn with_nim_values(known: &[u32]) -> (BipartiteMonoid, Vec<Element>) {
    let generators = 2 + (2..7).take_while(|&n| known.contains(&(1 << n))).count();
    let monoid = tame(generators as u32);
    let square_of_second = monoid.product([(1, 2)]);
    let of_nim = (0..1_usize << generators)
        .map(|nim| {
            let bits = (0..generators).filter(|&g| nim >> g & 1 == 1);
            monoid.product_from(square_of_second, bits.map(|g| (g, 1)))
        })
        .collect();
    (monoid, of_nim)
}

/// Generates reduced monoids of all kinds.
fn monoids() -> impl Strategy<Value = BipartiteMonoid> {
    let cyclic = (
        1_usize..7,
        1_usize..7,
        prop::collection::vec(any::<bool>(), 13),
    )
        .prop_map(|(index, period, is_p)| {
            let order = index + period;
            let row = (0..order).map(|x| if x + 1 < order { x + 1 } else { index });
            let row: Vec<Element> = row.map(|x| x as Element).collect();
            let square = row.iter().map(|&x| row[x as usize]).collect();
            let p_portion = (1..order as Element).filter(|&x| is_p[x as usize]);
            let monoid = BipartiteMonoid::new(order, vec![row, square], p_portion).unwrap();
            monoid.reduce().monoid
        });
    prop_oneof![
        2 => cyclic,
        1 => (0_u32..5).prop_map(tame),
        1 => (3_u32..5).prop_filter_map("no such restive monoid", restive),
    ]
}

/// Generates claims that a game is solved.
///
/// The values repeat as far as the theorem requires, or one heap less far.
fn periodic() -> impl Strategy<Value = Solution> {
    let values = prop::collection::vec(any::<u32>(), 1..12);
    let lengths = (1_u32..6, 0_u32..12, -1_i64..4, number(), number());
    (games(), monoids(), values, lengths).prop_map(
        |(code, quotient, values, (period, preperiod, more, other_period, other_preperiod))| {
            let needed = code.heaps_to_prove(preperiod, period) as i64 + more;
            let order = quotient.order() as u32;
            let mut phi: Vec<Element> = Vec::new();
            // The first live heaps are generators, if there are as many before values repeat.
            let mut generators = (0..quotient.generators()).map(|g| quotient.act(0, g));
            for heap in 0..=needed.clamp(0, 2_000) as u32 {
                let before = heap
                    .checked_sub(period)
                    .filter(|&before| before >= preperiod);
                phi.push(match before {
                    _ if !code.is_live(heap) => 0,
                    Some(before) => phi[before as usize],
                    None => generators
                        .next()
                        .unwrap_or(values[heap as usize % values.len()] % order),
                });
            }
            let verdict = if more < 3 {
                Verdict::Solved { period, preperiod }
            } else {
                Verdict::Solved {
                    period: other_period,
                    preperiod: other_preperiod,
                }
            };
            solution(code, quotient, phi, verdict)
        },
    )
}

/// Generates what the solver finds of a game with little fuel.
///
/// The verdict or the evidence is replaced, or neither.
fn true_at_first() -> impl Strategy<Value = Solution> {
    let verdict = prop_oneof![
        Just(Verdict::Exhausted(Limit::MaxOrder)),
        Just(Verdict::Interrupted),
        (number(), number()).prop_map(|(start, period)| Verdict::Grows { start, period }),
        (number(), number()).prop_map(|(heap, copies)| Verdict::Diverges { heap, copies }),
        (number(), number()).prop_map(|(period, preperiod)| Verdict::Solved { period, preperiod }),
    ];
    let verdict = prop::option::weighted(0.4, verdict);
    let partial = prop::option::weighted(0.1, (number(), number()));
    (
        games(),
        0_u32..9,
        verdict,
        partial,
        prop::option::of(families::families()),
    )
        .prop_map(|(code, max_heap, verdict, partial, family)| {
            let code = match &family {
                Some((code, ..)) => code.clone(),
                None => code,
            };
            let limits = Limits {
                max_heap,
                max_evidence: 0,
                ..Limits::default()
            };
            let control = &mut Control::new(5_000, Interrupt::default());
            let mut claim = solve(&code, &limits, Way::Exact, control);
            claim.verdict = verdict.unwrap_or(claim.verdict);
            if let Some((_, _, family)) = family {
                let heap = claim.heaps() + 1;
                claim.verdict = Verdict::Diverges { heap, copies: 9 };
                claim.evidence = Some(Evidence::Columns(family));
            }
            if let Some((heap, order)) = partial {
                claim.partials.push(Partial {
                    heap,
                    order,
                    p_size: 1,
                    class: claim.class(),
                });
            }
            claim
        })
}
