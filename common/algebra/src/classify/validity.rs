//! The test whether a bipartite monoid has a valid minimex algebra.
//!
//! A **construction sequence** `x_1, …, x_k` generates the monoid, `x_1 = a`, each `x_i` outside
//! the submonoid `S_{i-1}` of those before. With `E_i = M_{x_i} ∩ S_{i-1}`, the pairs `(x_i, E_i)`
//! generate a transition algebra, the **minimex algebra** of the sequence (Siegel, Definitions 8.1
//! and 8.2). It is **valid** if parity holds: for every pair `(s, F)` but `(1, ∅)`, `s ∈ P` iff no
//! element of F is in P, and F is not empty. By Theorem 8.4 a reduced bipartite monoid is a misère
//! quotient iff it carries a valid one, and then the sequence is the values of games `G_i`, whose
//! options have the values `E_i`.
//!
//! For a pair `(s, F)` only `s` and the **hits** `H = {y : fy ∈ P for some f ∈ F}` matter: parity
//! means `s ∈ P ⇔ 1 ∉ H`, and `(s, F)·(x, E) = (sx, Fx ∪ sE)` has the hits `x⁻¹H ∪ s⁻¹h`, where `h`
//! are those of E. That is monotone in H, and as `F ⊆ M_s` for all pairs, `1 ∉ H` where `s ∈ P`; so
//! only the least H of every `s` is needed, and parity fails iff `s ∉ P` and `1 ∉ H` for one of
//! them.

use misere_game::control::{Control, Stop};

use super::extension::meximal_sets;
use super::small_monoid::{MAX_ORDER, Mask, SmallElement, SmallMonoid, elements};

/// Ticks of one product of pairs.
const PAIR_TICKS: u64 = 30;

/// A bipartite monoid whose construction sequences are queried.
pub(super) struct Candidate<'a> {
    monoid: &'a SmallMonoid,
    translates: &'a [Mask; MAX_ORDER],
    meximal: [Mask; MAX_ORDER],
    /// For each element `x` the map `H ↦ x⁻¹H`.
    pulled_back: Vec<PulledBack>,
}

/// The map `H ↦ x⁻¹H = {y : xy ∈ H}`, by four elements of H at a time.
struct PulledBack([[Mask; 16]; MAX_ORDER / 4]);

impl PulledBack {
    fn new(monoid: &SmallMonoid, x: SmallElement) -> Self {
        let mut parts = [[0; 16]; MAX_ORDER / 4];
        for y in 0..monoid.order() as SmallElement {
            let product = usize::from(monoid.product(x, y));
            parts[product / 4][1 << (product % 4)] |= 1 << y;
        }
        for part in &mut parts[..monoid.order().div_ceil(4)] {
            for set in 1..16_usize {
                let rest = set & (set - 1);
                part[set] |= part[rest] | part[set ^ rest];
            }
        }
        Self(parts)
    }

    #[inline]
    fn of(&self, set: Mask) -> Mask {
        let parts = self.0.iter().enumerate();
        parts.fold(0, |all, (at, part)| {
            all | part[(set >> (4 * at) & 15) as usize]
        })
    }
}

/// The least pairs of a valid transition algebra, besides `(1, ∅)`.
pub(super) struct Algebra {
    /// The values: a submonoid.
    pub(super) values: Mask,
    /// Values with their hits.
    least: Vec<(SmallElement, Mask)>,
}

impl<'a> Candidate<'a> {
    pub(super) fn new(monoid: &'a SmallMonoid, translates: &'a [Mask; MAX_ORDER]) -> Self {
        Self {
            monoid,
            translates,
            meximal: meximal_sets(&translates[..monoid.order()]),
            pulled_back: (0..monoid.order() as SmallElement)
                .map(|x| PulledBack::new(monoid, x))
                .collect(),
        }
    }

    /// Reports whether the sequence is a construction sequence whose minimex algebra is valid.
    pub(super) fn is_valid(
        &self,
        sequence: &[SmallElement],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let (mut algebra, mut next) = (Algebra::trivial(), Algebra::trivial());
        for &x in sequence {
            let options = self.options(x, algebra.values);
            if !self.extend(&algebra, x, options, &mut next, control)?
                || algebra.values >> x & 1 != 0
            {
                return Ok(false);
            }
            std::mem::swap(&mut algebra, &mut next);
        }
        Ok(algebra.values == self.monoid.all())
    }

    /// Returns a construction sequence whose minimex algebra is valid, if there is one.
    pub(super) fn sequence(
        &self,
        control: &mut Control,
    ) -> Result<Option<Vec<SmallElement>>, Stop> {
        if !self.may_be_founded() {
            return Ok(None);
        }
        let mut first = Algebra::trivial();
        if !self.extend(&Algebra::trivial(), 1, 1, &mut first, control)? {
            return Ok(None);
        }
        let irreducible = self.irreducible();
        let mut choices = Vec::new();
        self.choose(&first, irreducible, 0, &mut choices, control)?;
        let mut search = Sequences {
            candidate: self,
            reducible: self.monoid.all() & !irreducible,
            sequence: vec![1],
            spare: Vec::new(),
            control,
        };
        let found = search.continued(&first, 1, &choices)?;
        Ok(found.then_some(search.sequence))
    }

    /// Returns the elements of orbits that lie in no product of others.
    ///
    /// Every generating set has an element of each.
    fn irreducible(&self) -> Mask {
        let orbits = self.monoid.orbits;
        let mut reducible = 1_u32;
        for one in 1..orbits {
            for other in one..orbits {
                let product = usize::from(self.monoid.table[one][other] >> 1);
                if product != one && product != other {
                    reducible |= 1 << product;
                }
            }
        }
        (1..orbits)
            .filter(|orbit| reducible >> orbit & 1 == 0)
            .fold(0, |set, orbit| set | 3 << (2 * orbit))
    }

    /// Chooses the elements of the irreducible orbits that may be generators together.
    ///
    /// Parity must hold with all options that their meximal sets allow.
    fn choose(
        &self,
        algebra: &Algebra,
        left: Mask,
        chosen: Mask,
        choices: &mut Vec<Mask>,
        control: &mut Control,
    ) -> Result<(), Stop> {
        if left == 0 {
            choices.push(chosen);
            return Ok(());
        }
        let even = left.trailing_zeros() as SmallElement;
        let mut next = Algebra::trivial();
        for x in [even, even ^ 1] {
            let options = self.meximal[usize::from(x)] & !(3 << even);
            if self.extend(algebra, x, options, &mut next, control)? {
                self.choose(
                    &next,
                    left & !(3 << even),
                    chosen | 1 << x,
                    choices,
                    control,
                )?;
            }
        }
        Ok(())
    }

    /// Returns the options of each generator of a construction sequence: `E_i = M_{x_i} ∩ S_{i-1}`.
    pub(super) fn meximal_options(&self, sequence: &[SmallElement]) -> Vec<Mask> {
        let mut before = 1;
        sequence
            .iter()
            .map(|&x| {
                let options = self.options(x, before);
                before = self.monoid.joined(before, x);
                options
            })
            .collect()
    }

    /// Reports whether parity holds in the algebra that these pairs generate.
    pub(super) fn keeps_parity(
        &self,
        sequence: &[SmallElement],
        options: &[Mask],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let (mut algebra, mut next) = (Algebra::trivial(), Algebra::trivial());
        for (&x, &options) in sequence.iter().zip(options) {
            if !self.extend(&algebra, x, options, &mut next, control)? {
                return Ok(false);
            }
            std::mem::swap(&mut algebra, &mut next);
        }
        Ok(true)
    }

    /// Returns the options of `x` after a submonoid.
    pub(super) fn options(&self, x: SmallElement, before: Mask) -> Mask {
        self.meximal[usize::from(x)] & before
    }

    /// Reports whether every element can be reached.
    ///
    /// All elements reached before are available as options.
    fn may_be_founded(&self) -> bool {
        let mut reached = 0b11;
        loop {
            let next =
                elements(self.monoid.all() & !reached).find(|&x| self.may_follow(x, reached));
            match next {
                Some(x) => reached = self.monoid.joined(reached, x),
                None => return reached == self.monoid.all(),
            }
        }
    }

    /// Reports whether `x` itself keeps parity after a submonoid.
    pub(super) fn may_follow(&self, x: SmallElement, before: Mask) -> bool {
        let options = self.options(x, before);
        options != 0 && (self.monoid.in_p(x) || options & self.monoid.p_portion != 0)
    }

    /// Returns the algebra with `(x, E)` added, if it is valid.
    pub(super) fn extended(
        &self,
        algebra: &Algebra,
        x: SmallElement,
        options: Mask,
        control: &mut Control,
    ) -> Result<Option<Algebra>, Stop> {
        let mut next = Algebra::trivial();
        let is_valid = self.extend(algebra, x, options, &mut next, control)?;
        Ok(is_valid.then_some(next))
    }

    /// Makes `next` the algebra with `(x, E)` added and reports whether it is valid.
    ///
    /// If it is not, `next` has no meaning. The caller gives the memory, since this is done for nearly
    /// every sequence that is tried.
    pub(super) fn extend(
        &self,
        algebra: &Algebra,
        x: SmallElement,
        options: Mask,
        next: &mut Algebra,
        control: &mut Control,
    ) -> Result<bool, Stop> {
        if options == 0 {
            return Ok(false);
        }
        let hits = elements(options).fold(0, |hits, e| hits | self.translates[usize::from(e)]);
        next.values = algebra.values;
        next.least.clone_from(&algebra.least);
        let by_x = &self.pulled_back[usize::from(x)];
        // The sets `s⁻¹h`, which many pairs with one value need.
        let (mut moved, mut are_moved) = ([0; MAX_ORDER], 0_u32);
        let mut product = |s: SmallElement, of_s: Mask| {
            let at = usize::from(s);
            if are_moved >> s & 1 == 0 {
                are_moved |= 1 << s;
                moved[at] = self.pulled_back[at].of(hits);
            }
            (self.monoid.product(s, x), by_x.of(of_s) | moved[at])
        };
        // The number of pairs that have been multiplied by (x, E).
        let mut multiplied = 0;
        let (value, of_value) = product(0, 0);
        if !self.add(next, value, of_value) {
            return Ok(false);
        }
        while let Some(&(s, of_s)) = next.least.get(multiplied) {
            control.spend(PAIR_TICKS)?;
            multiplied += 1;
            if s == NO_ELEMENT {
                continue;
            }
            let (value, of_value) = product(s, of_s);
            if !self.add(next, value, of_value) {
                return Ok(false);
            }
        }
        next.least.retain(|&(s, _)| s != NO_ELEMENT);
        Ok(true)
    }

    /// Adds a pair with its hits unless there is a smaller one; returns false if parity breaks.
    fn add(&self, algebra: &mut Algebra, value: SmallElement, of_value: Mask) -> bool {
        if !self.monoid.in_p(value) && of_value & 1 == 0 {
            return false;
        }
        let mut is_least = true;
        for (other, of_other) in &mut algebra.least {
            if *other == value {
                if *of_other & !of_value == 0 {
                    is_least = false;
                    break;
                }
                if of_value & !*of_other == 0 {
                    *other = NO_ELEMENT;
                }
            }
        }
        if is_least {
            algebra.values |= 1 << value;
            algebra.least.push((value, of_value));
        }
        true
    }
}

/// The search for a construction sequence with a valid minimex algebra.
struct Sequences<'a, 'b> {
    candidate: &'a Candidate<'a>,
    reducible: Mask,
    sequence: Vec<SmallElement>,
    /// Memory for the state after one more generator.
    spare: Vec<(Algebra, Vec<Mask>)>,
    control: &'b mut Control,
}

impl Sequences<'_, '_> {
    /// Searches for a continuation; `before` is the submonoid before the last generator.
    ///
    /// Let `y, x` be neighbours in a valid sequence such that `x` has no option outside `before`.
    /// The exchanged sequence is valid too: `x` keeps its options, and `y` can only gain some. If
    /// `y` is a product of `x` and earlier ones it can be left out. So a shortest sequence, and
    /// among these the least, has `x` greater than `y` there, and `y` not among the products.
    fn continued(
        &mut self,
        algebra: &Algebra,
        before: Mask,
        choices: &[Mask],
    ) -> Result<bool, Stop> {
        let candidate = self.candidate;
        let all = candidate.monoid.all();
        if algebra.values == all {
            return Ok(true);
        }
        let last = self.sequence[self.sequence.len() - 1];
        let allowed = choices
            .iter()
            .fold(self.reducible, |set, choice| set | choice);
        if choices.is_empty() {
            return Ok(false);
        }
        let (mut next, mut still) = self.spare.pop().unwrap_or_default();
        for x in elements(all & !algebra.values & allowed) {
            if !candidate.may_follow(x, algebra.values) {
                continue;
            }
            let options = candidate.options(x, algebra.values);
            if options & !before == 0
                && last != 1
                && (x < last || candidate.monoid.joined(before, x) >> last & 1 != 0)
            {
                continue;
            }
            if !candidate.extend(algebra, x, options, &mut next, self.control)? {
                continue;
            }
            let is_free = self.reducible >> x & 1 != 0;
            let may_go_on = |choice: &&Mask| is_free || **choice >> x & 1 != 0;
            still.clear();
            still.extend(choices.iter().filter(may_go_on));
            self.sequence.push(x);
            if self.continued(&next, algebra.values, &still)? {
                return Ok(true);
            }
            self.sequence.pop();
        }
        self.spare.push((next, still));
        Ok(false)
    }
}

/// Marks a pair that has been replaced by a smaller one.
const NO_ELEMENT: SmallElement = SmallElement::MAX;

impl Algebra {
    pub(super) fn trivial() -> Self {
        Self {
            values: 1,
            least: Vec::new(),
        }
    }
}

impl Default for Algebra {
    fn default() -> Self {
        Self::trivial()
    }
}
