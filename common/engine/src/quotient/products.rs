//! Products in a candidate quotient, and the elements in whose context a move wins.
//!
//! Multiplication by an element is a *row* `z ↦ x·z`. Rows are made on first use, each by one
//! gather from the row of a shorter word, and kept; rows of rarely used elements of a large
//! quotient never exist. Entries are 16 bits, so a candidate has at most [`MAX_ELEMENTS`] elements;
//! a row costs two bytes and [`TICKS_PER_ENTRY`] per element. The context of an element is a
//! bitset, pulled back from that of a shorter word, and needs no row.
//!
//! The kept rows may grow to a table of order × order while it is smaller than [`MAX_BYTES`], which
//! holds for all orders up to 15,000. For larger orders everything is forgotten now and then and
//! made again on demand.

use misere_game::bipartite::{BipartiteMonoid, Element, ElementSet};
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::{Word, lex_least_tree, word_in_tree};

/// The greatest order of a candidate quotient (entries of rows are 16 bits).
pub(super) const MAX_ELEMENTS: usize = 1 << 16;

/// Ticks per entry of a gather.
pub(super) const TICKS_PER_ENTRY: u64 = 1;

/// The most bytes of rows and contexts that are kept at one time.
const MAX_BYTES: usize = 512 << 20;

/// The multiplication of a candidate quotient, row by row on demand.
#[derive(Clone)]
pub(super) struct Products {
    generators: Vec<Box<[u16]>>,
    /// For each element the last step of its lex-least word.
    before: Vec<(Element, usize)>,
    rows: Vec<Option<Box<[u16]>>>,
    /// For each element `e` the set `{z : ez is settled}`, once it has been needed.
    context: Vec<Option<ElementSet>>,
    settled: ElementSet,
    bytes: usize,
}

impl Products {
    /// Returns the multiplication of `monoid`.
    ///
    /// Its P-portion and the elements of `unknown` outcome are settled: a move there may be
    /// sufficient. A truncated quotient has some elements of unknown outcome, a quotient has none.
    pub(super) fn new(monoid: &BipartiteMonoid, unknown: Option<&ElementSet>) -> Self {
        let order = monoid.order();
        debug_assert!(order <= MAX_ELEMENTS);
        let generators: Vec<Box<[u16]>> = monoid
            .action()
            .iter()
            .map(|row| row.iter().map(|&x| x as u16).collect())
            .collect();
        let mut settled = monoid.p_portion().clone();
        if let Some(unknown) = unknown {
            settled.union_with(unknown);
        }
        Self {
            before: lex_least_tree(monoid),
            generators,
            rows: vec![None; order],
            context: vec![None; order],
            settled,
            bytes: 0,
        }
    }

    /// Forgets rows and contexts if they take too much memory. None may be in use.
    pub(super) fn forget_if_large(&mut self) {
        if self.bytes > MAX_BYTES {
            self.bytes = 0;
            self.rows.iter_mut().for_each(|row| *row = None);
            self.context.iter_mut().for_each(|set| *set = None);
        }
    }

    pub(super) fn order(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn settled(&self) -> &ElementSet {
        &self.settled
    }

    /// Returns the lex-least word of `x` in the generators.
    pub(super) fn word(&self, x: Element) -> Word {
        word_in_tree(&self.before, x, self.generators.len())
    }

    /// Reports whether the row of `x` is there.
    pub(super) fn is_prepared(&self, x: Element) -> bool {
        self.rows[x as usize].is_some()
    }

    /// Computes the row of `x`, so that [`row`](Self::row) may be called.
    pub(super) fn prepare(&mut self, x: Element, control: &mut Control) -> Result<(), Stop> {
        let mut missing = Vec::new();
        let mut at = x;
        while self.rows[at as usize].is_none() {
            missing.push(at);
            if at == 0 {
                break;
            }
            at = self.before[at as usize].0;
        }
        let order = self.order();
        for x in missing.into_iter().rev() {
            control.spend(40 + TICKS_PER_ENTRY * order as u64)?;
            let row = if x == 0 {
                (0..order).map(|z| z as u16).collect()
            } else {
                let (shorter, generator) = self.before[x as usize];
                let by = &self.generators[generator];
                self.row(shorter)
                    .iter()
                    .map(|&z| by[usize::from(z)])
                    .collect()
            };
            self.rows[x as usize] = Some(row);
            self.bytes += 2 * order;
        }
        Ok(())
    }

    /// Returns the row `z ↦ x·z` of an element that was prepared (otherwise an empty row).
    #[inline]
    pub(super) fn row(&self, x: Element) -> &[u16] {
        self.rows[x as usize].as_deref().unwrap_or(&[])
    }

    /// Returns `x·y`, if the first of the two is prepared.
    #[inline]
    pub(super) fn product(&self, prepared: Element, other: Element) -> Element {
        Element::from(self.row(prepared)[other as usize])
    }

    /// Returns `{z : ez is settled}`: the context in which leaving `e` wins.
    pub(super) fn context(
        &mut self,
        e: Element,
        control: &mut Control,
    ) -> Result<&ElementSet, Stop> {
        // x·z is settled iff z is in the context of x; so the context of x·g is that of x pulled
        // back along g.
        let mut missing = Vec::new();
        let mut at = e;
        while self.context[at as usize].is_none() {
            if at == 0 {
                self.context[0] = Some(self.settled.clone());
                break;
            }
            missing.push(at);
            at = self.before[at as usize].0;
        }
        for x in missing.into_iter().rev() {
            control.spend(40 + TICKS_PER_ENTRY * self.order() as u64)?;
            let (shorter, generator) = self.before[x as usize];
            let set = self.context[shorter as usize]
                .as_ref()
                .unwrap_or(&self.settled)
                .pulled_back(&self.generators[generator]);
            self.bytes += set.words().len() * 8;
            self.context[x as usize] = Some(set);
        }
        Ok(self.context[e as usize].as_ref().unwrap_or(&self.settled))
    }
}
