//! The finite monoid of the values of all sums, and the types of heaps.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Refused;
use super::claim::{Claim, LAST, Label, SCARCE, Sort, closure, folded, heaps_of_a, is_in_a, need};

/// The greatest heap whose options are compared; from heap 61 on they repeat with period 6.
const HEAPS: usize = 114;

/// The value of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    /// A sum of A: its values in both tables, and its number of heaps `3j`, at most 3.
    A {
        other: usize,
        beside: usize,
        threes: usize,
    },
    /// One 16 with a sum of A.
    B { beside: usize, threes: usize },
    /// Any other sum.
    I { other: usize },
}

/// What the claim says of all sums of one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    P,
    N,
    /// Condition (Z) decides.
    Open,
}

/// A value is a number; 0 is that of the empty sum.
pub(super) struct Sums {
    pub(super) values: Vec<Value>,
    pub(super) outcomes: Vec<Outcome>,
    /// What each heap of the tables makes of each value.
    rows: Vec<Vec<usize>>,
    words: Vec<Vec<usize>>,
    products: Vec<OnceCell<Vec<usize>>>,
    /// The values of the options of each heap.
    moves: Vec<BTreeSet<usize>>,
    /// The heaps of one type have one value, and options of the same values.
    types: Vec<Vec<usize>>,
}

impl Sums {
    pub(super) fn new(claim: &Claim) -> Result<Self, Refused> {
        // The values, among the other sums, of 16 with the sums of each value beside 16.
        let with = |other, heap| claim.others.row(heap)[other];
        let others = claim.by_value_beside(claim.others.row(SCARCE)[0], with)?;
        let mut values = vec![Value::A {
            other: 0,
            beside: 0,
            threes: 0,
        }];
        let mut numbers = HashMap::from([(values[0], 0)]);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); LAST + 1];
        let mut words = vec![Vec::new()];
        let mut at = 0;
        while at < values.len() {
            for (heap, row) in rows.iter_mut().enumerate().skip(1) {
                let value = plus(claim, &others, values[at], heap);
                let number = *numbers.entry(value).or_insert_with(|| {
                    values.push(value);
                    words.push([&words[at][..], &[heap]].concat());
                    values.len() - 1
                });
                row.push(number);
            }
            at += 1;
        }
        rows[0] = (0..values.len()).collect();
        let distinct: BTreeSet<&Vec<usize>> = rows.iter().collect();
        let distinct: Vec<&Vec<usize>> = distinct.into_iter().collect();
        let commute = |p: &[usize], q: &[usize]| (0..values.len()).all(|x| p[q[x]] == q[p[x]]);
        for (at, p) in distinct.iter().enumerate() {
            need(
                distinct[..at].iter().all(|q| commute(p, q)),
                "heaps commute",
            )?;
        }
        let outcomes: Vec<Outcome> = values.iter().map(|&value| outcome(claim, value)).collect();
        need(outcomes[0] == Outcome::N, "the empty sum is N")?;
        let mut sums = Self {
            products: vec![OnceCell::new(); values.len()],
            values,
            outcomes,
            rows,
            words,
            moves: Vec::new(),
            types: Vec::new(),
        };
        sums.find_types()?;
        Ok(sums)
    }

    /// Lemma 2: the values of the options of a heap have period 6 from heap 61 on.
    fn find_types(&mut self) -> Result<(), Refused> {
        self.moves = (0..=HEAPS).map(|heap| self.values_of_moves(heap)).collect();
        let repeats = |heap: usize| self.moves[heap] == self.moves[heap + 6];
        need((61..=HEAPS - 6).all(repeats), "the options of heaps repeat")?;
        let mut types: BTreeMap<(usize, &BTreeSet<usize>), Vec<usize>> = BTreeMap::new();
        for heap in 1..=HEAPS {
            let kind = (self.of_heap(heap), &self.moves[heap]);
            types.entry(kind).or_default().push(heap);
        }
        let mut types: Vec<Vec<usize>> = types.into_values().collect();
        types.sort();
        need(
            types.last().is_some_and(|last| last[0] <= 66),
            "heaps of a type",
        )?;
        self.types = types;
        Ok(())
    }

    fn values_of_moves(&self, heap: usize) -> BTreeSet<usize> {
        if heap == 0 {
            return BTreeSet::new();
        }
        let value = |left: &Vec<usize>| left.iter().fold(0, |x, &heap| self.plus(x, heap));
        super::claim::moves(heap).iter().map(value).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the value of a sum of a value with a heap.
    pub(super) fn plus(&self, x: usize, heap: usize) -> usize {
        self.row(heap)[x]
    }

    pub(super) fn row(&self, heap: usize) -> &[usize] {
        &self.rows[folded(heap)]
    }

    pub(super) fn of_heap(&self, heap: usize) -> usize {
        self.plus(0, heap)
    }

    /// Returns the sum of each value with one of them.
    pub(super) fn products(&self, x: usize) -> &[usize] {
        self.products[x].get_or_init(|| {
            let product = |y: usize| self.words[x].iter().fold(y, |y, &heap| self.plus(y, heap));
            (0..self.len()).map(product).collect()
        })
    }

    /// Returns the least heap of each type.
    pub(super) fn heaps(&self) -> impl Iterator<Item = usize> {
        self.types.iter().map(|heaps| heaps[0])
    }

    pub(super) fn moves(&self, heap: usize) -> &BTreeSet<usize> {
        &self.moves[heap]
    }

    /// Reports whether only one heap has the type of a heap.
    pub(super) fn is_alone(&self, heap: usize) -> bool {
        self.types.iter().any(|heaps| heaps[..] == [heap])
    }
}

/// Tests that the values of the other sums tell the three sorts apart.
pub(super) fn check_sorts(claim: &Claim) -> Result<(), Refused> {
    let rows: Vec<&[usize]> = (1..=LAST).map(|heap| claim.others.row(heap)).collect();
    let of_a: Vec<&[usize]> = heaps_of_a().map(|heap| claim.others.row(heap)).collect();
    let a = closure([0], &of_a);
    let b = closure([claim.others.row(SCARCE)[0]], &of_a);
    let bad = || (1..=LAST).filter(|&heap| !is_in_a(heap));
    let from_a = bad()
        .filter(|&heap| heap != SCARCE)
        .flat_map(|heap| a.iter().map(move |&x| (heap, x)));
    let from_b = bad().flat_map(|heap| b.iter().map(move |&x| (heap, x)));
    let i = closure(
        from_a
            .chain(from_b)
            .map(|(heap, x)| claim.others.row(heap)[x]),
        &rows,
    );
    let apart = a.is_disjoint(&b) && a.is_disjoint(&i) && b.is_disjoint(&i);
    need(
        apart && a.len() + b.len() + i.len() == claim.others.order(),
        "the sorts are apart",
    )
}

fn plus(claim: &Claim, others: &[usize], value: Value, heap: usize) -> Value {
    let others_row = claim.others.row(heap);
    if !is_in_a(heap) {
        return match value {
            Value::A { beside, threes, .. } if heap == SCARCE => Value::B { beside, threes },
            Value::A { other, .. } | Value::I { other } => Value::I {
                other: others_row[other],
            },
            Value::B { beside, .. } => Value::I {
                other: others_row[others[beside]],
            },
        };
    }
    let beside_row = claim.beside.row(heap);
    let more = |threes: usize| (threes + usize::from(heap.is_multiple_of(3))).min(3);
    match value {
        Value::A {
            other,
            beside,
            threes,
        } => Value::A {
            other: others_row[other],
            beside: beside_row[beside],
            threes: more(threes),
        },
        Value::B { beside, threes } => Value::B {
            beside: beside_row[beside],
            threes: more(threes),
        },
        Value::I { other } => Value::I {
            other: others_row[other],
        },
    }
}

fn outcome(claim: &Claim, value: Value) -> Outcome {
    let is_p = match value {
        Value::A { other, .. } | Value::I { other } => claim.in_p[other],
        Value::B { beside, threes } => match (claim.labels[beside], threes) {
            (Label::P, _) => true,
            (Label::N, _) => false,
            (_, 1 | 2) => return Outcome::Open,
            (label, _) => (label == Label::Z) == (threes == 0),
        },
    };
    if is_p { Outcome::P } else { Outcome::N }
}

impl Value {
    pub(super) fn sort(self) -> Sort {
        match self {
            Self::A { .. } => Sort::A,
            Self::B { .. } => Sort::B,
            Self::I { .. } => Sort::I,
        }
    }
}
