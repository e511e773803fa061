//! Counts of quotients under stronger conditions on construction sequences than Siegel's.
//!
//! From order 14 on Table 1 has fewer quotients than there are. Each restriction here is an error
//! that an implementation might make, or a shortcut that it might take; `docs/classification.md`
//! compares its counts with the table.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use misere_game::bipartite::ClassKey;
use misere_game::control::Control;

use super::canonical::{Code, canonical};
use super::enumeration::{Classifier, is_reduced};
use super::extension::{Base, extensions};
use super::small_monoid::{Mask, SmallElement, SmallMonoid, elements};
use super::validity::{Algebra, Candidate};

/// The additional demands on a construction sequence.
#[derive(Clone, Copy, Debug, Default)]
struct Restriction {
    /// Every submonoid on the way is reduced.
    reduced: bool,
    /// Only sequences that extend one sequence of the parent monoid are used.
    one_sequence: bool,
    /// The condition on new generators: x even or odd in P terms.
    generator: Option<fn(&SmallMonoid, SmallElement) -> bool>,
    /// Within `⟨S, x⟩`, `x` can be told apart from all of S.
    new: bool,
    /// Like `new`, but compared with 1 and `a` only.
    new_to_first: bool,
    /// Options are fixed when a generator is added: `M_x` of the submonoid then, not of the whole.
    fixed: bool,
    /// A generator adds no more elements than this.
    most_added: Option<usize>,
}

/// Returns the classes of the reduced monoids found, order by order.
fn counts(restriction: Restriction, max_order: usize) -> BTreeMap<usize, BTreeSet<ClassKey>> {
    let first = SmallMonoid::first();
    let code = canonical(&first, &first.translates()).code;
    type Pending = BTreeMap<Code, BTreeSet<Vec<SmallElement>>>;
    let mut pending: BTreeMap<usize, Pending> = BTreeMap::new();
    pending
        .entry(2)
        .or_default()
        .insert(code, BTreeSet::from([vec![1]]));
    let mut found = BTreeMap::new();
    for order in (2..=max_order).step_by(2) {
        let candidates = pending.remove(&order).unwrap_or_default();
        let settled: Vec<_> = candidates
            .into_par_iter()
            .filter_map(|(code, hints)| {
                let monoid = SmallMonoid::of_code(&code);
                let translates = monoid.translates();
                let reduced = is_reduced(&translates[..order]);
                if !reduced && (restriction.reduced || order == max_order) {
                    return None;
                }
                let candidate = Candidate::new(&monoid, &translates);
                let sequence = hints
                    .iter()
                    .find(|hint| follows(restriction, &candidate, &monoid, hint))
                    .cloned();
                let sequence = match sequence {
                    Some(sequence) => sequence,
                    None if restriction.one_sequence => return None,
                    // A monoid without a valid sequence has none that meets more conditions.
                    None => {
                        candidate.sequence(&mut Control::unlimited()).unwrap()?;
                        search(restriction, &candidate, &monoid)?
                    }
                };
                let mut reached = Vec::new();
                extensions(
                    &Base::new(&monoid),
                    max_order / 2,
                    &mut Control::unlimited(),
                    &mut |extended| {
                        if restriction
                            .generator
                            .is_some_and(|may| !may(&extended.monoid, extended.x))
                        {
                            return;
                        }
                        let added = 2 * extended.monoid.orbits - order;
                        if restriction
                            .most_added
                            .is_some_and(|max_order| added > max_order)
                        {
                            return;
                        }
                        let canonical = canonical(&extended.monoid, &extended.translates);
                        let hint: Vec<SmallElement> = sequence
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
                hints.insert(hint);
                // The least four, in any order of discovery.
                if hints.len() > 4 {
                    hints.pop_last();
                }
            }
        }
    }
    found
}

/// Reports whether `x` can be told apart from all of a set, within a submonoid.
fn is_new(monoid: &SmallMonoid, x: SmallElement, set: Mask, submonoid: Mask) -> bool {
    let translates = monoid.translates();
    let row = |y: SmallElement| translates[usize::from(y)] & submonoid;
    elements(set).all(|y| row(x) != row(y))
}

fn passes(restriction: Restriction, monoid: &SmallMonoid, x: SmallElement, before: Mask) -> bool {
    let joined = monoid.joined(before, x);
    let added = (joined & !before).count_ones() as usize;
    restriction.most_added.is_none_or(|most| added <= most)
        && (!restriction.reduced || submonoid_is_reduced(monoid, joined))
        && (!restriction.new || is_new(monoid, x, before, joined))
        && (!restriction.new_to_first || before == 1 || is_new(monoid, x, 0b11, joined))
        && restriction
            .generator
            .is_none_or(|may| may(monoid, x) || x == 1)
}

fn submonoid_is_reduced(monoid: &SmallMonoid, submonoid: Mask) -> bool {
    let translates = monoid.translates();
    let rows: BTreeSet<Mask> = elements(submonoid)
        .map(|x| translates[usize::from(x)] & submonoid)
        .collect();
    rows.len() == submonoid.count_ones() as usize
}

/// Returns `M_x` within a submonoid.
fn meximal_within(monoid: &SmallMonoid, x: SmallElement, submonoid: Mask) -> Mask {
    let translates = monoid.translates();
    let of_x = translates[usize::from(x)] & submonoid;
    elements(submonoid)
        .filter(|&y| translates[usize::from(y)] & of_x == 0)
        .fold(0, |set, y| set | 1 << y)
}

fn options(
    restriction: Restriction,
    candidate: &Candidate<'_>,
    monoid: &SmallMonoid,
    x: SmallElement,
    before: Mask,
) -> Mask {
    if restriction.fixed {
        meximal_within(monoid, x, monoid.joined(before, x)) & before
    } else {
        candidate.options(x, before)
    }
}

/// Reports whether the restriction accepts the sequence.
fn follows(
    restriction: Restriction,
    candidate: &Candidate<'_>,
    monoid: &SmallMonoid,
    sequence: &[SmallElement],
) -> bool {
    let control = &mut Control::unlimited();
    let mut algebra = Algebra::trivial();
    for &x in sequence {
        if !passes(restriction, monoid, x, algebra.values) {
            return false;
        }
        let options = options(restriction, candidate, monoid, x, algebra.values);
        match candidate.extended(&algebra, x, options, control).unwrap() {
            Some(next) if algebra.values >> x & 1 == 0 => algebra = next,
            _ => return false,
        }
        if restriction.fixed && !all_are_right(restriction, monoid, sequence) {
            return false;
        }
    }
    algebra.values == monoid.all()
}

/// Reports whether the options of the sequence lie in the meximal sets of the whole.
///
/// Then no option of an element of P is in P.
fn all_are_right(
    restriction: Restriction,
    monoid: &SmallMonoid,
    sequence: &[SmallElement],
) -> bool {
    let translates = monoid.translates();
    let candidate = Candidate::new(monoid, &translates);
    let mut before = 1;
    sequence.iter().all(|&x| {
        let options = options(restriction, &candidate, monoid, x, before);
        before = monoid.joined(before, x);
        options & !candidate.options(x, before) == 0
    })
}

/// Finds some sequence that the restriction accepts.
fn search(
    restriction: Restriction,
    candidate: &Candidate<'_>,
    monoid: &SmallMonoid,
) -> Option<Vec<SmallElement>> {
    fn go(
        restriction: Restriction,
        candidate: &Candidate<'_>,
        monoid: &SmallMonoid,
        algebra: &Algebra,
        sequence: &mut Vec<SmallElement>,
    ) -> bool {
        if algebra.values == monoid.all() {
            return true;
        }
        for x in elements(monoid.all() & !algebra.values) {
            if !candidate.may_follow(x, algebra.values)
                || !passes(restriction, monoid, x, algebra.values)
            {
                continue;
            }
            let set = options(restriction, candidate, monoid, x, algebra.values);
            let Some(next) = candidate
                .extended(algebra, x, set, &mut Control::unlimited())
                .unwrap()
            else {
                continue;
            };
            sequence.push(x);
            if (!restriction.fixed || all_are_right(restriction, monoid, sequence))
                && go(restriction, candidate, monoid, &next, sequence)
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
    go(restriction, candidate, monoid, &first, &mut sequence).then_some(sequence)
}

/// Prints the counts of each restriction.
///
/// Put 18 for `MAX_SEARCHED_ORDER` to go further (some then take half an hour). `new` and
/// `new to 1, a` give 9 and 50 as Table 1 does, and at order 14 the rows of Table 3 that can be
/// read; at order 18 they give 142 and 143, not 211. The next test shows the restrictions that do
/// give 211.
#[test]
#[ignore = "slow: a dozen searches"]
fn counts_of_restricted_searches() {
    const MAX_SEARCHED_ORDER: usize = 16;
    let marked: fn(&SmallMonoid, SmallElement) -> bool = |monoid, x| !monoid.in_p(x ^ 1);
    let unmarked: fn(&SmallMonoid, SmallElement) -> bool = |monoid, x| !monoid.in_p(x);
    let all = Restriction::default();
    let restrictions = [
        ("all", all),
        (
            "reduced",
            Restriction {
                reduced: true,
                ..all
            },
        ),
        (
            "one sequence",
            Restriction {
                one_sequence: true,
                ..all
            },
        ),
        ("fixed options", Restriction { fixed: true, ..all }),
        (
            "fixed options, one sequence",
            Restriction {
                fixed: true,
                one_sequence: true,
                ..all
            },
        ),
        (
            "x in P if ax or x is",
            Restriction {
                generator: Some(marked),
                ..all
            },
        ),
        (
            "x not in P",
            Restriction {
                generator: Some(unmarked),
                ..all
            },
        ),
        ("new", Restriction { new: true, ..all }),
        (
            "new to 1, a",
            Restriction {
                new_to_first: true,
                ..all
            },
        ),
        (
            "new, one sequence",
            Restriction {
                new: true,
                one_sequence: true,
                ..all
            },
        ),
        (
            "six elements a step at most",
            Restriction {
                most_added: Some(6),
                ..all
            },
        ),
        (
            "new, x not in P",
            Restriction {
                new: true,
                generator: Some(unmarked),
                ..all
            },
        ),
    ];
    for (name, restriction) in restrictions {
        let found = counts(restriction, MAX_SEARCHED_ORDER);
        let numbers: Vec<usize> = found.values().map(BTreeSet::len).collect();
        println!("{name}: {numbers:?}");
        match name {
            "all" => assert_eq!(numbers[..8], [1, 0, 1, 1, 1, 6, 12, 67]),
            "new" | "new to 1, a" => assert_eq!(numbers[..8], [1, 0, 1, 1, 1, 6, 9, 50]),
            _ => {}
        }
    }
}

/// Checks that two shortcuts count 211 quotients of order 18, as Table 1 does.
///
/// They do not give its 9 and 50 of orders 14 and 16: a single entry can agree by chance.
#[test]
#[ignore = "slow: two searches to order 18"]
fn single_entries_of_table_1_agree_by_chance() {
    let unmarked: fn(&SmallMonoid, SmallElement) -> bool = |monoid, x| !monoid.in_p(x);
    let restrictions = [
        (
            Restriction {
                generator: Some(unmarked),
                ..Restriction::default()
            },
            [1, 1, 1, 5, 11, 62, 211],
        ),
        (
            Restriction {
                most_added: Some(6),
                ..Restriction::default()
            },
            [1, 1, 1, 6, 12, 65, 211],
        ),
    ];
    for (restriction, expected) in restrictions {
        let found = counts(restriction, 18);
        let numbers = [6, 8, 10, 12, 14, 16, 18].map(|order| found[&order].len());
        assert_eq!(numbers, expected);
    }
}

/// Checks that the searches for new generators find all but three quotients at order 14.
///
/// They find the legible rows of Table 3 and one more, whose games begin like the games of the row
/// that cannot be read.
#[test]
fn new_generators_only_give_table_3() {
    let all = counts(Restriction::default(), 14);
    let new = counts(
        Restriction {
            new: true,
            ..Restriction::default()
        },
        14,
    );
    assert_eq!((all[&14].len(), new[&14].len()), (12, 9));
    let lost: Vec<String> = all[&14]
        .difference(&new[&14])
        .map(|key| key.short())
        .collect();
    assert_eq!(lost, ["42a62d43", "7eaf1112", "e6c6dbd8"]);
}

/// Prints the greatest saving that symmetry breaking by the automorphisms of S could give.
///
/// It counts the extensions of one monoid that are the same up to isomorphism.
#[test]
#[ignore = "slow: counts all extensions up to order 16"]
fn possible_saving_by_symmetry() {
    let mut classifier = Classifier::new(16);
    let mut saved = 0;
    while let Some((order, _)) = classifier.ahead() {
        let pending = classifier.pending.get(&order).cloned().unwrap_or_default();
        let most = classifier.max_order();
        let counted: Vec<[usize; 3]> = pending
            .into_par_iter()
            .map(|(code, hint)| {
                let monoid = SmallMonoid::of_code(&code);
                let translates = monoid.translates();
                let candidate = Candidate::new(&monoid, &translates);
                let control = &mut Control::unlimited();
                if !candidate.is_valid(&hint, control).unwrap()
                    && candidate.sequence(control).unwrap().is_none()
                {
                    return [0; 3];
                }
                let mut reached = 0;
                let mut different = BTreeSet::new();
                let effort = extensions(&Base::new(&monoid), most / 2, control, &mut |extended| {
                    reached += 1;
                    different.insert(canonical(&extended.monoid, &extended.translates).code);
                });
                [effort.unwrap().nodes as usize, reached, different.len()]
            })
            .collect();
        let sum = counted
            .iter()
            .fold([0; 3], |sum, of| [0, 1, 2].map(|at| sum[at] + of[at]));
        println!(
            "order {order}: entries tried {}, extensions {}, up to isomorphism {}",
            sum[0], sum[1], sum[2]
        );
        saved += sum[1] - sum[2];
        classifier.next_order(&mut Control::unlimited()).unwrap();
    }
    assert!(saved > 0, "symmetry would save something");
}
