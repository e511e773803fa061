//! The least context in which two positions differ.
//!
//! Whether `V(z + u) = V(z + v)` for all `z` is decided by reading both sides together: first the
//! counts of the letters that are not digits, from the greatest letter down, then the binary digits
//! of all digits, one at a time (T5 in `docs/presentations.md`). There are finitely many pairs of
//! places with what is still to be added. If the two sides differ somewhere, the algorithm of Knuth
//! (1977), which generalizes Dijkstra's, finds the least `z`: a context `z` read after the bits `b`
//! is the context `b + 2z`, and this grows with `z`.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use misere_game::control::Control;
use misere_game::outcome::Outcome;

use super::super::diagram::reading::{Place, Reading, common_multiple};
use super::super::{FamilyCheckError, too_large};

/// The most counts of one letter that are examined.
const MAX_COUNTS: u64 = 1 << 20;
/// The most pairs that are kept in memory.
const MAX_PAIRS: usize = 4_000_000;
/// The most steps from pairs of places that are kept in memory (16 bytes each).
const MAX_STEPS: usize = 20_000_000;

/// The contexts to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchGoal {
    /// Contexts in which the two sides have different outcomes.
    Different,
    /// Contexts in which nothing is claimed of the first side.
    Silent,
}

impl SearchGoal {
    fn is_met(self, one: Option<Outcome>, other: Option<Outcome>) -> bool {
        match self {
            Self::Different => one != other,
            Self::Silent => one.is_none(),
        }
    }
}

/// Counts of letters in degree-lexicographic order.
///
/// Fewer letters come first, then fewer of the last letter, and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Context(Vec<u64>);

impl Context {
    fn letters(&self) -> u128 {
        self.0.iter().map(|&count| u128::from(count)).sum()
    }
}

impl Ord for Context {
    fn cmp(&self, other: &Self) -> Ordering {
        let letters = self.letters().cmp(&other.letters());
        letters.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Context {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The places that two sides have reached.
type Places = [Place; 2];

/// The states that two sides have reached, and what is still to be added to the digit counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pair {
    states: [u32; 2],
    rests: [Vec<u64>; 2],
}

/// Returns the least counts `z` of all letters for which `z + u` and `z + v` satisfy `wanted`.
///
/// Returns `None` if there are none.
///
/// Cost: pairs of places times counts, and pairs of states times choices of binary digits.
pub(super) fn least(
    reading: &Reading<'_>,
    sides: [&[u64]; 2],
    wanted: SearchGoal,
    control: &mut Control,
) -> Result<Option<Vec<u64>>, FamilyCheckError> {
    let mut layers: Vec<BTreeMap<Places, Vec<(u64, Places)>>> = Vec::new();
    let mut reached = vec![[reading.root; 2]];
    let mut kept = 0;
    for (level, &letter) in reading.levels.iter().enumerate() {
        let added = sides.map(|side| side[letter]);
        let mut layer = BTreeMap::new();
        let mut next = Vec::new();
        for places in reached {
            let steps = steps(reading, level, places, added, control)?;
            kept += steps.len();
            if kept > MAX_STEPS {
                return Err(too_large("steps of pairs of places", kept, MAX_STEPS));
            }
            next.extend(steps.iter().map(|&(_, places)| places));
            layer.insert(places, steps);
        }
        next.sort_unstable();
        next.dedup();
        if next.len() > MAX_PAIRS {
            return Err(too_large("pairs of places", next.len(), MAX_PAIRS));
        }
        layers.push(layer);
        reached = next;
    }
    let rests = sides.map(|side| reading.digits.iter().map(|&digit| side[digit]).collect());
    let pairs = |&states: &Places| Pair {
        states,
        rests: rests.clone(),
    };
    let starts: Vec<Pair> = reached.iter().map(pairs).collect();
    let of_digits = least_of_digits(reading, &starts, wanted, control)?;
    let all = |context: Context| {
        let mut counts = vec![0; reading.letters.len()];
        for (&digit, count) in reading.digits.iter().zip(context.0) {
            counts[digit] = count;
        }
        Context(counts)
    };
    let mut best: HashMap<Places, Context> = HashMap::new();
    for (places, context) in reached.into_iter().zip(of_digits) {
        if let Some(context) = context {
            best.insert(places, all(context));
        }
    }
    for (layer, &letter) in layers.iter().zip(&reading.levels).rev() {
        let mut before: HashMap<Places, Context> = HashMap::new();
        for (&places, steps) in layer {
            control.spend(20 * steps.len() as u64)?;
            let contexts = steps.iter().filter_map(|(count, after)| {
                let mut context = best.get(after)?.clone();
                context.0[letter] = *count;
                Some(context)
            });
            if let Some(context) = contexts.min() {
                before.insert(places, context);
            }
        }
        best = before;
    }
    Ok(best.remove(&[reading.root; 2]).map(|context| context.0))
}

/// Returns the pairs of places that can follow a pair at a level, each with its least count.
fn steps(
    reading: &Reading<'_>,
    level: usize,
    places: Places,
    added: [u64; 2],
    control: &mut Control,
) -> Result<Vec<(u64, Places)>, FamilyCheckError> {
    let mut from = 0;
    let mut period = 1;
    for (place, added) in places.into_iter().zip(added) {
        if let Some(node) = reading.node(place, level) {
            from = u64::from(node.index).saturating_sub(added).max(from);
            let cycle = node.children.len() as u64 - u64::from(node.index);
            period = common_multiple(period, cycle);
        }
    }
    let counts = from.saturating_add(period);
    if counts > MAX_COUNTS {
        return Err(too_large(
            "counts of a letter",
            counts as usize,
            MAX_COUNTS as usize,
        ));
    }
    let mut steps: HashMap<Places, u64> = HashMap::new();
    for count in 0..counts {
        control.spend(100)?;
        let side = |side: usize| reading.child(places[side], level, count + added[side]);
        steps.entry([side(0), side(1)]).or_insert(count);
    }
    let mut steps: Vec<(u64, Places)> = steps.into_iter().map(|(to, count)| (count, to)).collect();
    steps.sort_unstable();
    Ok(steps)
}

/// All pairs that can be reached, with the pairs that follow for each choice of binary digits.
struct Pairs {
    list: Vec<Pair>,
    next: Vec<Vec<u32>>,
}

/// Returns for each start the least counts of the digits that satisfy `wanted`.
fn least_of_digits(
    reading: &Reading<'_>,
    starts: &[Pair],
    wanted: SearchGoal,
    control: &mut Control,
) -> Result<Vec<Option<Context>>, FamilyCheckError> {
    let pairs = all_pairs(reading, starts, wanted, control)?;
    let mut before: Vec<Vec<(u32, usize)>> = vec![Vec::new(); pairs.list.len()];
    for (from, next) in (0..).zip(&pairs.next) {
        for (bits, &to) in next.iter().enumerate() {
            before[to as usize].push((from, bits));
        }
    }
    let mut least: Vec<Option<Context>> = vec![None; pairs.list.len()];
    let mut open = BinaryHeap::new();
    for (number, pair) in (0..).zip(&pairs.list) {
        let [one, other] = [0, 1].map(|side| outcome_after(reading, pair, side));
        if wanted.is_met(one, other) {
            let nobody = Context(vec![0; reading.digits.len()]);
            open.push(Reverse((nobody, number)));
        }
    }
    let mut overflow = false;
    while let Some(Reverse((context, number))) = open.pop() {
        if least[number as usize].is_some() {
            continue;
        }
        for &(from, bits) in &before[number as usize] {
            control.spend(200)?;
            if least[from as usize].is_none() {
                match lengthened(&context, bits) {
                    Some(context) => open.push(Reverse((context, from))),
                    None => overflow = true,
                }
            }
        }
        least[number as usize] = Some(context);
    }
    least.truncate(starts.len());
    // A context that was left out has a count of at least 2^64, so at least as many letters.
    let is_certain = |context: &Option<Context>| {
        let found = context.as_ref();
        found.is_some_and(|context| context.letters() < 1 << 64)
    };
    match overflow && !least.iter().all(is_certain) {
        true => Err(too_large("binary digits of a count", 65, 64)),
        false => Ok(least),
    }
}

/// Returns the context `b + 2z` after a context `z`; `None` if a count is too great.
fn lengthened(context: &Context, bits: usize) -> Option<Context> {
    let counts = context.0.iter().enumerate();
    let longer = counts.map(|(digit, &count)| {
        let bit = (bits >> digit & 1) as u64;
        count.checked_mul(2)?.checked_add(bit)
    });
    longer.collect::<Option<Vec<u64>>>().map(Context)
}

fn all_pairs(
    reading: &Reading<'_>,
    starts: &[Pair],
    wanted: SearchGoal,
    control: &mut Control,
) -> Result<Pairs, FamilyCheckError> {
    let mut list: Vec<Pair> = starts.to_vec();
    let mut number: HashMap<Pair, u32> = list.iter().cloned().zip(0..).collect();
    let mut next: Vec<Vec<u32>> = Vec::new();
    while let Some(pair) = list.get(next.len()).cloned() {
        // Two sides that have become equal stay equal.
        let same = pair.states[0] == pair.states[1] && pair.rests[0] == pair.rests[1];
        if same && wanted == SearchGoal::Different {
            next.push(Vec::new());
            continue;
        }
        control.spend(600 << reading.digits.len())?;
        let mut of_pair = Vec::with_capacity(1 << reading.digits.len());
        for bits in 0..1 << reading.digits.len() {
            let mut after = pair.clone();
            for side in 0..2 {
                after.states[side] =
                    advance(reading, pair.states[side], &mut after.rests[side], bits);
            }
            of_pair.push(*number.entry(after).or_insert_with_key(|after| {
                list.push(after.clone());
                list.len() as u32 - 1
            }));
        }
        if list.len() > MAX_PAIRS {
            return Err(too_large("pairs of states", list.len(), MAX_PAIRS));
        }
        next.push(of_pair);
    }
    Ok(Pairs { list, next })
}

/// Returns the state after one more binary digit of each count. `rest` becomes the carry.
fn advance(reading: &Reading<'_>, state: u32, rest: &mut [u64], bits: usize) -> u32 {
    let mut read = 0;
    for (digit, rest) in rest.iter_mut().enumerate() {
        let bit = (bits >> digit & 1) as u64;
        read |= (((*rest ^ bit) & 1) as usize) << digit;
        // Half of the sum, rounded down.
        *rest = *rest / 2 + (*rest & bit);
    }
    reading.states[state as usize].next[read]
}

/// Returns the outcome of one side if all further binary digits of the context are zeros.
fn outcome_after(reading: &Reading<'_>, pair: &Pair, side: usize) -> Option<Outcome> {
    let (mut state, mut rest) = (pair.states[side], pair.rests[side].clone());
    while rest.iter().any(|&x| x > 0) {
        state = advance(reading, state, &mut rest, 0);
    }
    reading.states[state as usize].outcome
}

/// Returns the outcome claimed of a position of letters.
pub(super) fn outcome_of(reading: &Reading<'_>, counts: &[u64]) -> Option<Outcome> {
    let mut place = reading.root;
    for (level, &letter) in reading.levels.iter().enumerate() {
        place = reading.child(place, level, counts[letter]);
    }
    let rest: Vec<u64> = reading.digits.iter().map(|&digit| counts[digit]).collect();
    let pair = Pair {
        states: [place; 2],
        rests: [rest.clone(), rest],
    };
    outcome_after(reading, &pair, 0)
}

/// Reports whether two positions have equal outcomes with any number of copies of one digit more.
///
/// Cost: pairs of states.
pub(super) fn agree_along(
    reading: &Reading<'_>,
    digit: usize,
    sides: [&[u64]; 2],
    control: &mut Control,
) -> Result<bool, FamilyCheckError> {
    let place = |side: &[u64]| {
        let levels = reading.levels.iter().enumerate();
        levels.fold(reading.root, |place, (level, &letter)| {
            reading.child(place, level, side[letter])
        })
    };
    let rest = |side: &[u64]| reading.digits.iter().map(|&digit| side[digit]).collect();
    let start = Pair {
        states: sides.map(place),
        rests: sides.map(rest),
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(pair) = open.pop() {
        control.spend(500)?;
        let [one, other] = [0, 1].map(|side| outcome_after(reading, &pair, side));
        if one != other {
            return Ok(false);
        }
        for bits in [0, 1 << digit] {
            let mut after = pair.clone();
            for side in 0..2 {
                let state = pair.states[side];
                after.states[side] = advance(reading, state, &mut after.rests[side], bits);
            }
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
        if seen.len() > MAX_PAIRS {
            return Err(too_large("pairs of states", seen.len(), MAX_PAIRS));
        }
    }
    Ok(true)
}
