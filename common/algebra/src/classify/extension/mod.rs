//! The simple extensions of a monoid by one more generator.
//!
//! A **simple extension** of S (Siegel, section 8) is a bipartite monoid `S⁺ = ⟨S, x⟩` that
//! contains S with its P-portion. Only one map of it is unknown: `X: u ↦ ux`, on the orbits of `a`.
//! The search takes an orbit whose image is undefined, the first of those with the fewest possible
//! images, and tries every existing element, and a new orbit, whose outcomes are chosen at once:
//! none of `u, au` in P, or one of them. As `X` commutes with the rows of the generators `g` of S,
//! every entry gives others (`X(gu) = g·X(u)`) or a contradiction. No other condition is needed:
//! the rows of the generators and `X` are then commuting maps under which every element is reached
//! from 1, so they are the Cayley graph of a commutative monoid.
//!
//! # Prunes
//!
//! Let `E = {e ∈ S : no z has xz, ez ∈ P} = M_x ∩ S`. In a valid minimex algebra in which `x` comes
//! last, its pairs are `(x, E)` and, for `s ∈ S`, pairs `(s, F)` with `F ⊆ M_s ∩ S`. So pairs
//! `(sx, Fx ∪ sE)` arise, and by parity
//!
//! - E is not empty;
//! - if `sx ∉ P` then `se ∈ P` for some `e ∈ E`, or `fx ∈ P` for some `f ∈ F ⊆ M_s ∩ S`. For
//!   `s = 1` the pair is `(1, ∅)`, for `s = a` it is `(a, {1})`.
//!
//! As more of `X` becomes known, E only loses elements, so a branch that breaks one of these has no
//! valid leaf. At the greatest order only reduced monoids are wanted: once no further orbit can
//! come, elements that S does not tell apart must be told apart by the new ones. Every element has
//! a product in P. (`docs/classification.md`: P1 to P3, and P5.)

mod base;
mod finished;
mod mirror;
#[cfg(test)]
mod tests;

pub(super) use base::{Base, meximal_sets};

use misere_game::control::{Control, Stop};

use self::base::Twins;
use self::mirror::{Mirror, are_exchanged, is_first};
use super::small_monoid::{
    MAX_GENERATORS, MAX_ORBITS, MAX_ORDER, Mask, SmallElement, SmallMonoid, all, elements, pair,
    times_a,
};

/// An entry that is not known yet.
const NONE: SmallElement = SmallElement::MAX;
/// Ticks of one entry of the search.
const NODE_TICKS: u64 = 150;

/// A simple extension that may carry a valid minimex algebra. Elements of S keep their numbers.
pub(super) struct SimpleExtension {
    pub(super) monoid: SmallMonoid,
    pub(super) translates: [Mask; MAX_ORDER],
    /// The new generator.
    pub(super) x: SmallElement,
}

/// Counts of the branches that the search visited.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    pub(super) nodes: u64,
    pub(super) leaves: u64,
    /// The entries that were searched, without those of mirror images.
    #[cfg(test)]
    gone_through: u64,
}

/// Finds the simple extensions with at most `most_orbits` orbits that pass the prunes.
pub(super) fn extensions(
    base: &Base<'_>,
    most_orbits: usize,
    control: &mut Control,
    found: &mut dyn FnMut(SimpleExtension),
) -> Result<Effort, Stop> {
    search(base, most_orbits, Mirror::Itself, control, found)
}

/// Performs the search, with or without the use of mirror images.
fn search(
    base: &Base<'_>,
    most_orbits: usize,
    mirror: Mirror,
    control: &mut Control,
    found: &mut dyn FnMut(SimpleExtension),
) -> Result<Effort, Stop> {
    let orbits = base.monoid.orbits;
    if orbits >= most_orbits {
        return Ok(Effort::default());
    }
    let mut search = Search {
        base,
        most_orbits,
        control,
        found,
        cells: [NONE; (MAX_GENERATORS + 1) * MAX_ORBITS],
        parent: [0; MAX_ORBITS],
        power: [(0, 0); MAX_ORBITS],
        trail: Vec::with_capacity(256),
        now: Now {
            orbits,
            p_portion: base.monoid.p_portion,
            won: 0,
            lost: 0,
            excluded: 0,
            mirror,
        },
        effort: Effort::default(),
    };
    for (index, &g) in base.generators.iter().enumerate() {
        let row = cell(index + 1, 0);
        search.cells[row..row + orbits].copy_from_slice(&base.monoid.table[g][..orbits]);
    }
    // x lies outside S.
    search.new_orbit(0)?;
    Ok(search.effort)
}

/// Returns the index of the entry of an orbit in a row.
///
/// Row 0 is X, and row `g + 1` belongs to generator `g`.
#[inline]
fn cell(row: usize, orbit: usize) -> usize {
    row * MAX_ORBITS + orbit
}

/// The part of the state, besides the entries, that changes along a branch.
#[derive(Clone, Copy)]
struct Now {
    orbits: usize,
    p_portion: Mask,
    /// The elements `u` for which `ux ∈ P` is known.
    won: Mask,
    /// The elements `u` for which `ux ∉ P` is known.
    lost: Mask,
    /// The `e ∈ S` for which some `z` with `xz, ez ∈ P` is known.
    excluded: Mask,
    mirror: Mirror,
}

/// The known outcomes with the powers `xⁿ` of the new generator.
///
/// For each power there are the elements `u` for which `u·xⁿ ∈ P` is known, and those for which
/// `u·xⁿ ∉ P` is known.
struct Powers {
    /// The greatest exponent whose sets are known; 1 at first.
    known: u8,
    sets: [(Mask, Mask); MAX_ORBITS + 1],
}

struct Search<'a, 'b> {
    base: &'a Base<'a>,
    most_orbits: usize,
    control: &'a mut Control,
    found: &'b mut dyn FnMut(SimpleExtension),
    cells: [SmallElement; (MAX_GENERATORS + 1) * MAX_ORBITS],
    /// For every new orbit the orbit whose image it is.
    parent: [usize; MAX_ORBITS],
    /// Each orbit as a power of x times an orbit of S: that orbit, and the exponent.
    power: [(usize, u8); MAX_ORBITS],
    /// The entries made, in order.
    trail: Vec<u8>,
    now: Now,
    effort: Effort,
}

impl Search<'_, '_> {
    /// Tries all images of the orbit with the fewest possible images, of those without one.
    fn branch(&mut self) -> Result<(), Stop> {
        let mut fewest: Option<(u32, usize, Mask)> = None;
        for orbit in 0..self.now.orbits {
            if self.cells[orbit] == NONE {
                let images = self.images(orbit);
                let count = images.count_ones();
                if fewest.is_none_or(|(least, ..)| count < least) {
                    fewest = Some((count, orbit, images));
                }
            }
        }
        let Some((_, orbit, images)) = fewest else {
            return self.leaf();
        };
        for image in elements(images) {
            let of_image = self.power[usize::from(image >> 1)].1;
            if self.now.mirror == Mirror::Itself && are_exchanged(self.power[orbit].1, of_image) {
                if is_first(image) {
                    self.now.mirror = Mirror::Another;
                    self.attempt(orbit, image)?;
                    self.now.mirror = Mirror::Itself;
                }
            } else {
                self.attempt(orbit, image)?;
            }
        }
        if self.now.orbits < self.most_orbits {
            self.new_orbit(orbit)?;
        }
        Ok(())
    }

    /// Returns the elements that may be the image of an orbit.
    ///
    /// `g·X(u) = X(gu)` must hold or be open for all generators `g`.
    #[inline]
    fn images(&self, orbit: usize) -> Mask {
        let base = self.base;
        let old = base.monoid.orbits;
        let mut images = all(self.now.orbits);
        if orbit < old {
            images &= base.images[orbit] | !base.monoid.all();
        }
        for g in 0..base.generators.len() {
            let product = self.cells[cell(g + 1, orbit)];
            if product == NONE {
                continue;
            }
            let image = self.cells[usize::from(product >> 1)];
            if image == NONE {
                continue;
            }
            let image = image ^ product & 1;
            let mut allowed = base.quotients[g][usize::from(image)];
            for new in old..self.now.orbits {
                let known = self.cells[cell(g + 1, new)];
                allowed |= if known == NONE {
                    3
                } else {
                    Mask::from(known == image) | Mask::from(known ^ 1 == image) << 1
                } << (2 * new);
            }
            images &= allowed;
        }
        images
    }

    fn new_orbit(&mut self, orbit: usize) -> Result<(), Stop> {
        let before = self.now;
        let image = 2 * before.orbits as SmallElement;
        let exponent = self.power[orbit].1 + 1;
        let outcomes_exchanged = before.mirror == Mirror::Itself && exponent % 2 == 1;
        for outcomes in 0..3 {
            match outcomes {
                1 if outcomes_exchanged => self.now.mirror = Mirror::Another,
                2 if outcomes_exchanged => break,
                _ => {}
            }
            self.now.orbits = before.orbits + 1;
            self.now.p_portion = before.p_portion | outcomes << image;
            self.parent[before.orbits] = orbit;
            let from = if orbit < self.base.monoid.orbits {
                orbit
            } else {
                self.power[orbit].0
            };
            self.power[before.orbits] = (from, exponent);
            self.attempt(orbit, image)?;
            self.now = before;
        }
        Ok(())
    }

    /// Sets an entry and everything that follows from it, and continues the search.
    ///
    /// The next branch is entered only if there is no contradiction.
    fn attempt(&mut self, orbit: usize, image: SmallElement) -> Result<(), Stop> {
        let branches = self.now.mirror.branches();
        self.effort.nodes += branches;
        #[cfg(test)]
        {
            self.effort.gone_through += 1;
        }
        self.control.spend(NODE_TICKS * branches)?;
        let (mark, before) = (self.trail.len(), self.now);
        self.set(cell(0, orbit), image);
        if self.follow(mark) && self.may_be_valid() {
            self.branch()?;
        }
        for &entry in &self.trail[mark..] {
            self.cells[usize::from(entry)] = NONE;
        }
        self.trail.truncate(mark);
        self.now = before;
        Ok(())
    }

    #[inline]
    fn set(&mut self, at: usize, value: SmallElement) {
        self.cells[at] = value;
        self.trail.push(at as u8);
    }

    /// Draws the conclusions from the entries since `mark` and reports whether they agree.
    fn follow(&mut self, mark: usize) -> bool {
        let mut next = mark;
        while let Some(&entry) = self.trail.get(next) {
            next += 1;
            let (row, orbit) = (
                usize::from(entry) / MAX_ORBITS,
                usize::from(entry) % MAX_ORBITS,
            );
            let agrees = if row == 0 {
                self.image_known(orbit)
            } else {
                self.product_known(row - 1, orbit)
            };
            if !agrees {
                return false;
            }
        }
        true
    }

    /// Applies all relations that contain the image of an orbit under X.
    fn image_known(&mut self, orbit: usize) -> bool {
        let base = self.base;
        self.note_outcomes(orbit);
        if orbit < base.monoid.orbits
            && !base.factors[orbit]
                .iter()
                .all(|&(g, other)| self.relate(g, other))
        {
            return false;
        }
        for g in 0..base.generators.len() {
            if !self.relate(g, orbit) {
                return false;
            }
            for other in base.monoid.orbits..self.now.orbits {
                if usize::from(self.cells[cell(g + 1, other)] >> 1) == orbit
                    && !self.relate(g, other)
                {
                    return false;
                }
            }
        }
        true
    }

    /// Applies all relations that contain the product of generator `g` and a new orbit.
    fn product_known(&mut self, g: usize, orbit: usize) -> bool {
        if !self.relate(g, orbit) {
            return false;
        }
        for other in 0..self.now.orbits {
            if usize::from(self.cells[other] >> 1) == orbit && !self.relate(g, other) {
                return false;
            }
        }
        true
    }

    /// Applies `X(g·u) = g·X(u)` and reports whether there is no contradiction.
    ///
    /// The known side gives the other. If both are known and differ, it returns false.
    #[inline]
    fn relate(&mut self, g: usize, orbit: usize) -> bool {
        let (image, product) = (self.cells[orbit], self.cells[cell(g + 1, orbit)]);
        if image == NONE || product == NONE {
            return true;
        }
        let (left, right) = (
            usize::from(product >> 1),
            cell(g + 1, usize::from(image >> 1)),
        );
        let turned = (product ^ image) & 1;
        match (self.cells[left], self.cells[right]) {
            (NONE, NONE) => {}
            (known, NONE) => self.set(right, known ^ turned),
            (NONE, known) => self.set(left, known ^ turned),
            (one, other) => return one == other ^ turned,
        }
        true
    }

    /// Keeps `won`, `lost` and `excluded` up to date with the image of an orbit.
    #[inline]
    fn note_outcomes(&mut self, orbit: usize) {
        let image = self.cells[orbit];
        let won = pair(self.now.p_portion, image);
        self.now.won |= won << (2 * orbit);
        self.now.lost |= (won ^ 3) << (2 * orbit);
        if orbit >= self.base.monoid.orbits {
            return;
        }
        for z in elements(won << (2 * orbit)) {
            self.now.excluded |= self.base.translates[usize::from(z)];
        }
    }

    /// Applies the prunes of the module's text, with everything known so far.
    fn may_be_valid(&mut self) -> bool {
        let base = self.base;
        let is_full = self.now.orbits == self.most_orbits;
        let mut twins = if is_full {
            base.twins
        } else {
            Twins::default()
        };
        let mut powers = Powers {
            known: 1,
            sets: [(self.now.won, self.now.lost); MAX_ORBITS + 1],
        };
        for new in base.monoid.orbits..self.now.orbits {
            let outcomes = self.now.won >> (2 * new) & 3;
            if outcomes == 0 && twins.distances == 0 {
                continue;
            }
            let (won, lost) = self.outcomes_with(new, &mut powers);
            // With z = w and z = aw, for the new orbit w.
            if outcomes & 1 != 0 {
                self.now.excluded |= won;
            }
            if outcomes & 2 != 0 {
                self.now.excluded |= times_a(won);
            }
            twins.keep_alike(won, lost);
        }
        // No further element can come that tells twins apart.
        if twins.distances != 0 {
            return false;
        }
        let options = base.monoid.all() & !self.now.excluded;
        if options == 0 {
            return false;
        }
        // The `s` for which `sx ∉ P` is known and no option of `x` answers.
        let mut unanswered = self.now.lost & base.monoid.all();
        for e in elements(options) {
            unanswered &= !base.translates[usize::from(e)];
            if unanswered == 0 {
                return true;
            }
        }
        if unanswered & 0b10 != 0 && self.now.mirror == Mirror::Another {
            // With `ax` this is the pair of 1, whose only options come from the generator.
            self.now.mirror = Mirror::None;
        }
        let may_be_won = !self.now.lost;
        elements(unanswered).all(|s| base.options[usize::from(s)] & may_be_won != 0)
    }

    /// Returns for a new orbit `w` the `s ∈ S` with `sw ∈ P` known, and those with `sw ∉ P` known.
    ///
    /// If `w = u·xⁿ` then `sw = (su)·xⁿ`, so the sets are the sets of `xⁿ`, pulled back by `u`.
    #[inline]
    fn outcomes_with(&self, new: usize, powers: &mut Powers) -> (Mask, Mask) {
        let (from, power) = self.power[new];
        while powers.known < power {
            self.next_power(powers);
        }
        let (won, lost) = powers.sets[usize::from(power)];
        let old = self.base.monoid.all();
        if from == 0 {
            return (won & old, lost & old);
        }
        let row = &self.base.monoid.table[from][..self.base.monoid.orbits];
        let (mut pulled_won, mut pulled_lost) = (0, 0);
        for (s, &product) in row.iter().enumerate() {
            pulled_won |= pair(won, product) << (2 * s);
            pulled_lost |= pair(lost, product) << (2 * s);
        }
        (pulled_won, pulled_lost)
    }

    /// Finds the sets of the next power of `x` from those of the previous one.
    fn next_power(&self, powers: &mut Powers) {
        let at = usize::from(powers.known);
        let (won, lost) = powers.sets[at];
        let (mut next_won, mut next_lost) = (0, 0);
        for (orbit, &image) in self.cells[..self.now.orbits].iter().enumerate() {
            if image != NONE {
                next_won |= pair(won, image) << (2 * orbit);
                next_lost |= pair(lost, image) << (2 * orbit);
            }
        }
        powers.known += 1;
        powers.sets[at + 1] = (next_won, next_lost);
    }
}
