//! Measurements of what each layer of the engine costs.
//!
//! They are entry points for the benches, which otherwise could only time whole games. Each method
//! does the work of one layer from scratch on a game solved up to some heap, and returns a number
//! that depends on the result, so that no work can be optimized away.

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::ruleset::Code;

use super::Limits;
use super::candidate::Candidate;
use super::extension::Extension;
use super::kernel::{KernelBuilder, LevelGame};
use super::products::Products;

/// A game at the last heap, up to a given one, that changed its quotient, and just before it.
pub struct Layers<'a> {
    code: &'a Code,
    before: Extension<'a>,
    game: LevelGame,
    levels: Vec<u32>,
    monoid: BipartiteMonoid,
    values: Vec<Element>,
}

impl<'a> Layers<'a> {
    /// Solves the game up to `heap`.
    ///
    /// Returns `None` if that fails or if no heap changes the quotient.
    ///
    /// ```
    /// use misere_engine::quotient::layers::Layers;
    /// let code = "0.123".parse()?;
    /// let layers = Layers::at(&code, 20).unwrap();
    /// assert_eq!((layers.order(), layers.kernel(), layers.extension()), (20, 20, 20));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn at(code: &'a Code, heap: u32) -> Option<Self> {
        let control = &mut Control::unlimited();
        let mut extension = Extension::new(code, &Limits::default());
        let mut last_change = None;
        for _ in 0..heap {
            let before = extension.clone();
            if extension.next_heap(control).ok()? {
                let candidate = extension.candidate();
                last_change = Some(Self {
                    code,
                    before,
                    game: extension.level_game(),
                    levels: extension.levels().to_vec(),
                    monoid: candidate.monoid.clone(),
                    values: candidate.values.clone(),
                });
            }
        }
        last_change
    }

    /// Returns the order of the quotient.
    #[must_use]
    pub fn order(&self) -> usize {
        self.monoid.order()
    }

    /// Returns the number of generators: the levels of the kernel.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Computes the context in which every element wins and returns the number of pairs that win.
    ///
    /// The result of the computation has order × order bits.
    #[must_use]
    pub fn gather(&self) -> usize {
        let mut products = Products::new(&self.monoid, None);
        let control = &mut Control::unlimited();
        (0..self.monoid.order() as Element)
            .filter_map(|x| Some(products.context(x, control).ok()?.len()))
            .sum()
    }

    /// Reduces the quotient, which is reduced already, and returns its order.
    #[must_use]
    pub fn reduction(&self) -> usize {
        self.monoid.reduce().monoid.order()
    }

    /// Computes the kernel of all levels and lists its shifts; returns their number.
    #[must_use]
    pub fn kernel(&self) -> usize {
        KernelBuilder::new()
            .quotient(&self.game, u32::MAX, usize::MAX, &mut Control::unlimited())
            .map_or(0, |monoid| monoid.order())
    }

    /// Verifies all heaps, with nothing known; returns 1 if all is right.
    #[must_use]
    pub fn verification(&self) -> usize {
        let mut candidate = Candidate::unverified(self.monoid.clone(), None, self.values.clone());
        let verified = candidate.verify(self.code, &self.levels, None, &mut Control::unlimited());
        usize::from(verified == Ok(None))
    }

    /// Adds the last heap that changed the quotient, given all known before; returns the new order.
    #[must_use]
    pub fn extension(&self) -> usize {
        let mut extension = self.before.clone();
        match extension.next_heap(&mut Control::unlimited()) {
            Ok(_) => extension.candidate().monoid.order(),
            Err(_) => 0,
        }
    }
}
