//! Does `Φ` predict the outcome of every position of the heaps listed?
//!
//! Two things have to hold for every position: (P) if it is predicted P, no option is; (N) if it is predicted N and is not
//! the end, some option is. Then predictions and outcomes agree by induction.
//!
//! (P) is a statement about single heaps in company (Plambeck–Siegel supplement, Fact C.1): for each heap `H`, option
//! value `e` and element `z`, not both `Φ(H)z ∈ P` and `ez ∈ P`.
//!
//! (N) For a position `X` of value `x` let its *want* be `{z : xz ∉ P, and no option value e of X has ez ∈ P}`: the company in
//! which `X` needs help. `X` violates (N) iff 1 is wanted. The want of `X + H` is `{z : zΦ(H) ∈ want(X), zx ∈ want(H)}`, so wants are
//! found from those of single heaps, and a greater want of `X` makes a greater want of `X + H`. The checker builds a set of
//! pairs (value, want), realised by positions, that is **closed**: adding any heap to any pair gives an empty want or one that
//! lies inside a want of the set at the same value; and 1 is in none. By induction on the number of heaps the want of every
//! position lies inside one of the set, so (N) holds. (The empty position has everything outside P for its want. It is
//! not violated itself, and a position of value 1 other than it wants less and not 1; that is all that is needed to let
//! such positions be represented by it.) Pairs are taken breadth first: positions of few heaps have the great wants.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Flaw;
use super::table::Table;
use crate::bipartite::{Element, ElementSet};
use crate::control::{Control, Stop};
use crate::ruleset::Code;

/// A heap with its want; heaps that want nothing, or less than another of equal value, are not needed.
struct Heap {
    heap: u32,
    value: Element,
    want: ElementSet,
    /// `sources[t]`: the elements `z` with `z·value = t`.
    sources: Vec<Vec<Element>>,
}

/// A pair (value, want) of the closed set, with the position that realises it: the heap added last and the pair before.
struct Pair {
    value: Element,
    want: Vec<Element>,
    last: usize,
    before: Option<usize>,
}

pub(super) fn check(
    code: &Code,
    phi: &[Element],
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<(), Flaw> {
    let heaps = wanting_heaps(code, phi, table, control)?;
    let order = table.monoid().order();
    let nothing_but_the_end = ElementSet::where_true(order, |z| z != 0 && !table.monoid().in_p(z));
    let mut wants: HashMap<Element, Vec<(ElementSet, Option<usize>)>> = HashMap::new();
    wants.insert(0, vec![(nothing_but_the_end, None)]);
    let mut pairs: Vec<Pair> = Vec::new();
    let mut queue = VecDeque::new();
    for (index, heap) in heaps.iter().enumerate() {
        let want = heap.want.iter().collect();
        let pair = Pair {
            value: heap.value,
            want,
            last: index,
            before: None,
        };
        take(
            pair, &heaps, &mut pairs, &mut wants, &mut queue, order, control,
        )?;
    }
    while let Some(at) = queue.pop_front() {
        let current = wants
            .get(&pairs[at].value)
            .is_some_and(|list| list.iter().any(|(_, pair)| *pair == Some(at)));
        if !current {
            continue;
        }
        for (index, heap) in heaps.iter().enumerate() {
            let x = pairs[at].value;
            let row = table.row(x, control)?;
            let mut want = Vec::new();
            let mut seen = 0;
            for &target in &pairs[at].want {
                let sources = &heap.sources[target as usize];
                seen += 1 + sources.len() as u64;
                want.extend(
                    sources
                        .iter()
                        .copied()
                        .filter(|&z| heap.want.contains(row[z as usize])),
                );
            }
            control.spend(30 + 3 * seen)?;
            let value = row[heap.value as usize];
            let pair = Pair {
                value,
                want,
                last: index,
                before: Some(at),
            };
            take(
                pair, &heaps, &mut pairs, &mut wants, &mut queue, order, control,
            )?;
        }
    }
    Ok(())
}

/// Takes a pair into the set unless it is represented there already.
fn take(
    pair: Pair,
    heaps: &[Heap],
    pairs: &mut Vec<Pair>,
    wants: &mut HashMap<Element, Vec<(ElementSet, Option<usize>)>>,
    queue: &mut VecDeque<usize>,
    order: usize,
    control: &mut Control,
) -> Result<(), Flaw> {
    if pair.want.is_empty() {
        return Ok(());
    }
    if pair.want.contains(&0) {
        return Err(Flaw::NWithoutP {
            position: position(&pair, heaps, pairs),
        });
    }
    let list = wants.entry(pair.value).or_default();
    control.spend(20 + 4 * list.len() as u64)?;
    if list
        .iter()
        .any(|(greater, _)| pair.want.iter().all(|&z| greater.contains(z)))
    {
        return Ok(());
    }
    let mut members = ElementSet::empty(order);
    pair.want.iter().for_each(|&z| {
        members.insert(z);
    });
    list.retain(|(smaller, _)| !smaller.is_subset(&members));
    list.push((members, Some(pairs.len())));
    queue.push_back(pairs.len());
    pairs.push(pair);
    Ok(())
}

fn position(pair: &Pair, heaps: &[Heap], pairs: &[Pair]) -> Vec<(u32, u32)> {
    let mut counts = std::collections::BTreeMap::new();
    let mut at = Some(pair);
    while let Some(pair) = at {
        *counts.entry(heaps[pair.last].heap).or_insert(0) += 1;
        at = pair.before.map(|before| &pairs[before]);
    }
    counts.into_iter().collect()
}

/// Proves (P) and lists the heaps whose wants are needed for (N).
fn wanting_heaps(
    code: &Code,
    phi: &[Element],
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<Vec<Heap>, Flaw> {
    let order = table.monoid().order();
    let mut heaps: Vec<Heap> = Vec::new();
    let mut seen = HashSet::new();
    for (heap, image) in option_values(code, phi, table, control)? {
        let value = phi[heap as usize];
        let case = (image, value);
        if seen.contains(&case) {
            continue;
        }
        let mut won = ElementSet::empty(order);
        for e in case.0.iter() {
            control.spend(10 + order as u64 / 64)?;
            won.union_with(table.wins_by(e, control)?);
        }
        let in_p = table.wins_by(value, control)?.clone();
        if let Some(company) = (0..order as Element).find(|&z| in_p.contains(z) && won.contains(z))
        {
            return Err(Flaw::PToP { heap, company });
        }
        control.spend(order as u64)?;
        let want = ElementSet::where_true(order, |z| !in_p.contains(z) && !won.contains(z));
        seen.insert(case);
        control.spend(10 * heaps.len() as u64)?;
        let represented = heaps
            .iter()
            .any(|other| other.value == value && want.is_subset(&other.want));
        if !want.is_empty() && !represented {
            heaps.retain(|other| other.value != value || !other.want.is_subset(&want));
            heaps.push(Heap {
                heap,
                value,
                want,
                sources: sources(table, value, control)?,
            });
        }
    }
    Ok(heaps)
}

/// The values of the options of each live heap.
fn option_values(
    code: &Code,
    phi: &[Element],
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<Vec<(u32, ElementSet)>, Stop> {
    for &value in phi {
        table.row(value, control)?;
    }
    let row_of_heap: Vec<&[Element]> = phi.iter().map(|&value| table.made(value)).collect();
    let mut images = Vec::new();
    for heap in (0..phi.len() as u32).filter(|&heap| code.is_live(heap)) {
        control.spend(20 + table.monoid().order() as u64 / 64 + 2 * code.most_options(heap))?;
        let mut values = ElementSet::empty(table.monoid().order());
        code.for_each_option(heap, |option| {
            let [a, b, c] = option.0.map(|part| part as usize);
            values.insert(row_of_heap[c][row_of_heap[b][phi[a] as usize] as usize]);
        });
        images.push((heap, values));
    }
    Ok(images)
}

fn sources(
    table: &mut Table<'_>,
    value: Element,
    control: &mut Control,
) -> Result<Vec<Vec<Element>>, Stop> {
    let row = table.row(value, control)?;
    let mut sources = vec![Vec::new(); row.len()];
    for (z, &t) in row.iter().enumerate() {
        sources[t as usize].push(z as Element);
    }
    control.spend(10 * sources.len() as u64)?;
    Ok(sources)
}
