//! How many quotients do searches find that ask more of a construction sequence than Siegel's Algorithm 1?
//!
//! Table 1 has fewer from order 14 on than there are. Each variant here is an error that an implementation might make, or a shortcut that it might take; what it counts
//! is set beside the table in `docs/classification.md`.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::canonical::{Code, canonical};
use super::extension::{Base, extensions};
use super::levels::is_reduced;
use super::paired::{MAX_ORDER, Mask, Paired, Small, elements};
use super::validity::{Algebra, Candidate};
use crate::bipartite::ClassKey;
use crate::control::Control;

/// What is asked besides.
#[derive(Clone, Copy, Debug, Default)]
struct Variant {
    /// Every submonoid on the way is reduced.
    reduced: bool,
    /// Of a monoid only the sequences that go on from one sequence of the monoid that it was reached from.
    one_sequence: bool,
    /// Only new generators for which this holds: x even or odd in P terms.
    generator: Option<fn(&Paired, Small) -> bool>,
    /// Within `⟨S, x⟩`, `x` can be told apart from all of S.
    new: bool,
    /// As `new`, but from 1 and `a` only.
    new_to_first: bool,
    /// Options are fixed when a generator is added: `M_x` of the submonoid then, not of the whole.
    fixed: bool,
}

/// The counts of the reduced monoids found, order by order, up to isomorphism, and the keys.
fn counts(variant: Variant, most: usize) -> BTreeMap<usize, BTreeSet<ClassKey>> {
    let first = Paired::first();
    let code = canonical(&first, &first.translates()).code;
    type Pending = BTreeMap<Code, BTreeSet<Vec<Small>>>;
    let mut pending: BTreeMap<usize, Pending> = BTreeMap::new();
    pending
        .entry(2)
        .or_default()
        .insert(code, BTreeSet::from([vec![1]]));
    let mut found = BTreeMap::new();
    for order in (2..=most).step_by(2) {
        let candidates = pending.remove(&order).unwrap_or_default();
        let settled: Vec<_> = candidates
            .into_par_iter()
            .filter_map(|(code, hints)| {
                let monoid = Paired::of_code(&code);
                let translates = monoid.translates();
                let reduced = is_reduced(&translates[..order]);
                if variant.reduced && !reduced || order == most && !reduced {
                    return None;
                }
                let candidate = Candidate::new(&monoid, &translates);
                let sequence = hints
                    .iter()
                    .find(|hint| follows(variant, &candidate, &monoid, hint))
                    .cloned();
                let sequence = match sequence {
                    Some(sequence) => sequence,
                    None if variant.one_sequence => return None,
                    // What has no valid sequence at all has none that is asked more of.
                    None => {
                        candidate.sequence(&mut Control::unlimited()).unwrap()?;
                        search(variant, &candidate, &monoid)?
                    }
                };
                let mut reached = Vec::new();
                extensions(
                    &Base::new(&monoid),
                    most / 2,
                    &mut Control::unlimited(),
                    &mut |extended| {
                        if variant
                            .generator
                            .is_some_and(|may| !may(&extended.monoid, extended.x))
                        {
                            return;
                        }
                        let canonical = canonical(&extended.monoid, &extended.translates);
                        let hint: Vec<Small> = sequence
                            .iter()
                            .chain([&extended.x])
                            .map(|&x| canonical.number[usize::from(x)])
                            .collect();
                        reached.push((2 * extended.monoid.orbits, canonical.code, hint));
                    },
                )
                .unwrap();
                let class = reduced.then(|| monoid.unpaired(&sequence).class_key());
                Some((class, reached))
            })
            .collect();
        let keys: &mut BTreeSet<ClassKey> = found.entry(order).or_default();
        for (class, reached) in settled {
            keys.extend(class);
            for (order, code, hint) in reached {
                let hints = pending.entry(order).or_default().entry(code).or_default();
                if hints.len() < 4 {
                    hints.insert(hint);
                }
            }
        }
    }
    found
}

/// Whether `x` can be told apart from all of a set, within a submonoid.
fn is_new(monoid: &Paired, x: Small, set: Mask, submonoid: Mask) -> bool {
    let translates = monoid.translates();
    let row = |y: Small| translates[usize::from(y)] & submonoid;
    elements(set).all(|y| row(x) != row(y))
}

fn passes(variant: Variant, monoid: &Paired, x: Small, before: Mask) -> bool {
    let joined = monoid.joined(before, x);
    (!variant.reduced || submonoid_is_reduced(monoid, joined))
        && (!variant.new || is_new(monoid, x, before, joined))
        && (!variant.new_to_first || before == 1 || is_new(monoid, x, 0b11, joined))
        && variant.generator.is_none_or(|may| may(monoid, x) || x == 1)
}

fn submonoid_is_reduced(monoid: &Paired, submonoid: Mask) -> bool {
    let translates = monoid.translates();
    let rows: BTreeSet<Mask> = elements(submonoid)
        .map(|x| translates[usize::from(x)] & submonoid)
        .collect();
    rows.len() == submonoid.count_ones() as usize
}

/// `M_x` within a submonoid.
fn meximal_within(monoid: &Paired, x: Small, submonoid: Mask) -> Mask {
    let translates = monoid.translates();
    let of_x = translates[usize::from(x)] & submonoid;
    elements(submonoid)
        .filter(|&y| translates[usize::from(y)] & of_x == 0)
        .fold(0, |set, y| set | 1 << y)
}

fn options(
    variant: Variant,
    candidate: &Candidate<'_>,
    monoid: &Paired,
    x: Small,
    before: Mask,
) -> Mask {
    if variant.fixed {
        meximal_within(monoid, x, monoid.joined(before, x)) & before
    } else {
        candidate.options(x, before)
    }
}

/// Whether the sequence is one that the variant accepts.
fn follows(
    variant: Variant,
    candidate: &Candidate<'_>,
    monoid: &Paired,
    sequence: &[Small],
) -> bool {
    let control = &mut Control::unlimited();
    let mut algebra = Algebra::trivial();
    for &x in sequence {
        if !passes(variant, monoid, x, algebra.values) {
            return false;
        }
        let options = options(variant, candidate, monoid, x, algebra.values);
        match candidate.extended(&algebra, x, options, control).unwrap() {
            Some(next) if algebra.values >> x & 1 == 0 => algebra = next,
            _ => return false,
        }
        if variant.fixed && !all_are_right(variant, monoid, sequence) {
            return false;
        }
    }
    algebra.values == monoid.all()
}

/// With options that may lie outside the meximal sets of the whole, no option of an element of P is in P.
fn all_are_right(variant: Variant, monoid: &Paired, sequence: &[Small]) -> bool {
    let translates = monoid.translates();
    let candidate = Candidate::new(monoid, &translates);
    let mut before = 1;
    sequence.iter().all(|&x| {
        let options = options(variant, &candidate, monoid, x, before);
        before = monoid.joined(before, x);
        options & !candidate.options(x, before) == 0
    })
}

/// Any sequence that the variant accepts.
fn search(variant: Variant, candidate: &Candidate<'_>, monoid: &Paired) -> Option<Vec<Small>> {
    fn go(
        variant: Variant,
        candidate: &Candidate<'_>,
        monoid: &Paired,
        algebra: &Algebra,
        sequence: &mut Vec<Small>,
        dead: &mut BTreeSet<Mask>,
    ) -> bool {
        if algebra.values == monoid.all() {
            return true;
        }
        for x in elements(monoid.all() & !algebra.values) {
            if !candidate.may_follow(x, algebra.values)
                || !passes(variant, monoid, x, algebra.values)
            {
                continue;
            }
            let set = options(variant, candidate, monoid, x, algebra.values);
            let Some(next) = candidate
                .extended(algebra, x, set, &mut Control::unlimited())
                .unwrap()
            else {
                continue;
            };
            sequence.push(x);
            if (!variant.fixed || all_are_right(variant, monoid, sequence))
                && go(variant, candidate, monoid, &next, sequence, dead)
            {
                return true;
            }
            sequence.pop();
        }
        false
    }
    let first = candidate
        .extended(&Algebra::trivial(), 1, 1, &mut Control::unlimited())
        .unwrap()?;
    let mut sequence = vec![1];
    go(
        variant,
        candidate,
        monoid,
        &first,
        &mut sequence,
        &mut BTreeSet::new(),
    )
    .then_some(sequence)
}

#[test]
#[ignore = "slow: many searches"]
fn variants_of_the_search() {
    const { assert!(MAX_ORDER >= 18) };
    let most = std::env::var("MOST")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(14);
    let in_p: fn(&Paired, Small) -> bool = |monoid, x| !monoid.in_p(x ^ 1);
    let out_p: fn(&Paired, Small) -> bool = |monoid, x| !monoid.in_p(x);
    for (name, variant) in [
        ("all", Variant::default()),
        (
            "new",
            Variant {
                new: true,
                ..Variant::default()
            },
        ),
        (
            "new to 1, a",
            Variant {
                new_to_first: true,
                ..Variant::default()
            },
        ),
        (
            "new, x not in P",
            Variant {
                new: true,
                generator: Some(out_p),
                ..Variant::default()
            },
        ),
        (
            "new to first, x not in P",
            Variant {
                new_to_first: true,
                generator: Some(out_p),
                ..Variant::default()
            },
        ),
        (
            "new, one",
            Variant {
                new: true,
                one_sequence: true,
                ..Variant::default()
            },
        ),
        (
            "x in P if ax is not",
            Variant {
                generator: Some(in_p),
                ..Variant::default()
            },
        ),
    ] {
        let found = counts(variant, most);
        let numbers: Vec<(usize, usize)> = found
            .iter()
            .map(|(order, keys)| (*order, keys.len()))
            .collect();
        println!("{name}: {numbers:?}");
        let last: Vec<String> = found
            .get(&14)
            .into_iter()
            .flatten()
            .map(|key| key.to_string()[..8].to_owned())
            .collect();
        println!("   of 14: {last:?}");
    }
}

/// Sequences of what `new` loses: where is the generator that is not new?
#[test]
#[ignore = "slow: many searches"]
fn defects() {
    let most: usize = std::env::var("MOST")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(14);
    let mut classifier = super::Classifier::new(most);
    while classifier
        .next_order(&mut Control::unlimited())
        .unwrap()
        .is_some()
    {}
    for level in classifier.complete() {
        let lines: Vec<Option<String>> = level
            .quotients
            .par_iter()
            .map(|quotient| {
                let mut patterns: BTreeSet<(usize, Vec<String>)> = BTreeSet::new();
                for code in std::iter::once(&quotient.code)
                    .chain(quotient.others.iter().map(|(code, _)| code))
                {
                    let monoid = Paired::of_code(code);
                    let translates = monoid.translates();
                    let candidate = Candidate::new(&monoid, &translates);
                    let first = candidate
                        .extended(&Algebra::trivial(), 1, 1, &mut Control::unlimited())
                        .unwrap()
                        .unwrap();
                    walk(
                        &candidate,
                        &monoid,
                        &first,
                        &mut Vec::new(),
                        &mut patterns,
                        &mut 200_000,
                    );
                }
                let least = patterns.first()?.0;
                if least == 0 {
                    return None;
                }
                let shown: Vec<String> = patterns
                    .iter()
                    .filter(|(count, _)| *count == least)
                    .map(|(_, pattern)| pattern.join(" "))
                    .collect();
                Some(format!(
                    "{} {} |P| {} defects {least}: {}",
                    level.order,
                    &quotient.class().to_string()[..8],
                    quotient.monoid().p_size(),
                    shown[..shown.len().min(6)].join(" ; ")
                ))
            })
            .collect();
        for line in lines.into_iter().flatten() {
            println!("{line}");
        }
    }
}

fn reduction_size(monoid: &Paired, submonoid: Mask) -> usize {
    let translates = monoid.translates();
    elements(submonoid)
        .map(|x| translates[usize::from(x)] & submonoid)
        .collect::<BTreeSet<_>>()
        .len()
}

fn walk(
    candidate: &Candidate<'_>,
    monoid: &Paired,
    algebra: &Algebra,
    trace: &mut Vec<String>,
    patterns: &mut BTreeSet<(usize, Vec<String>)>,
    budget: &mut usize,
) {
    if *budget == 0 {
        return;
    }
    *budget -= 1;
    if algebra.values == monoid.all() {
        patterns.insert((
            trace.iter().filter(|text| text.contains('~')).count(),
            trace.clone(),
        ));
        return;
    }
    let before = algebra.values;
    for x in elements(monoid.all() & !before) {
        if !candidate.may_follow(x, before) {
            continue;
        }
        let Some(next) = candidate
            .extended(
                algebra,
                x,
                candidate.options(x, before),
                &mut Control::unlimited(),
            )
            .unwrap()
        else {
            continue;
        };
        let joined = next.values;
        let translates = monoid.translates();
        let row = |y: Small| translates[usize::from(y)] & joined;
        let image = elements(before).find(|&y| row(x) == row(y));
        let kind = match image {
            None => "",
            Some(0) => "~1",
            Some(1) => "~a",
            Some(_) => "~s",
        };
        trace.push(format!(
            "{}/{}{kind}",
            joined.count_ones(),
            reduction_size(monoid, joined)
        ));
        walk(candidate, monoid, &next, trace, patterns, budget);
        trace.pop();
    }
}
