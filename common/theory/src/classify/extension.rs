//! The simple extensions of a monoid by one more generator.
//!
//! A **simple extension** of S (Siegel, section 8) is a bipartite monoid `S⁺ = ⟨S, x⟩` that
//! contains S with its P-portion. What is unknown of it is one map: `X: u ↦ ux`, on the orbits of
//! `a`. The search takes the first orbit whose image is undefined and tries every element there is,
//! and a new orbit, whose outcomes are chosen at once: none of `u, au` in P, or one of them. As `X`
//! commutes with the rows of the generators `g` of S, every entry gives others (`X(gu) = g·X(u)`)
//! or a contradiction. Nothing else need be asked: the rows of the generators and `X` are then
//! commuting maps under which every element is reached from 1, so they are the Cayley graph of a
//! commutative monoid.
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
//! As more of `X` gets known E only loses elements, so a branch that breaks one of these has no
//! valid leaf. And of the greatest order only reduced monoids are wanted: once no orbit can come
//! any more, elements that S does not tell apart must be told apart by the new ones.
//! (`docs/classification.md`: P1 to P3.)

use super::small_monoid::{
    MAX_GENERATORS, MAX_ORBITS, MAX_ORDER, Mask, SmallElement, SmallMonoid, all, elements, pair,
    times_a,
};
use crate::control::{Control, Stop};

/// An entry that is not known yet.
const NONE: SmallElement = SmallElement::MAX;
/// Ticks of one entry of the search.
const NODE_TICKS: u64 = 150;
/// Ticks of one finished table.
const LEAF_TICKS: u64 = 1_000;

/// A monoid to be extended, with the tables that the search needs all the time.
pub(super) struct Base<'a> {
    monoid: &'a SmallMonoid,
    generators: Vec<usize>,
    /// For every element `s` the set of those `y` with `sy ∈ P`.
    translates: [Mask; MAX_ORDER],
    /// For every element `s` a set that contains the options of `s` in any valid minimex algebra;
    /// for 1 and `a` the options of one pair.
    options: [Mask; MAX_ORDER],
    /// For every orbit the generators and orbits whose product lies there.
    factors: Vec<Vec<(usize, usize)>>,
    /// Pairs of elements that cannot be told apart; of `(s, s')` and `(as, as')` one.
    twins: Vec<(SmallElement, SmallElement)>,
    /// For every generator and element the set of those whose product with the generator is that
    /// element.
    quotients: Vec<[Mask; MAX_ORDER]>,
    /// For every orbit the elements of S on which equal products with it are equal too: the images
    /// of it that lie in S.
    images: [Mask; MAX_ORBITS],
}

impl<'a> Base<'a> {
    pub(super) fn new(monoid: &'a SmallMonoid) -> Self {
        let generators = monoid.generators();
        let translates = monoid.translates();
        let mut options = meximal_sets(&translates[..monoid.order()]);
        options[0] = 0;
        options[1] = 1;
        let mut factors = vec![Vec::new(); monoid.orbits];
        for (index, &g) in generators.iter().enumerate() {
            for orbit in 0..monoid.orbits {
                let product = usize::from(monoid.table[g][orbit] >> 1);
                factors[product].push((index, orbit));
            }
        }
        let mut twins = Vec::new();
        for x in (0..monoid.order()).step_by(2) {
            for y in x + 2..monoid.order() {
                if translates[x] == translates[y] {
                    twins.push((x as SmallElement, y as SmallElement));
                }
            }
        }
        let quotients = generators
            .iter()
            .map(|&g| {
                let mut quotients = [0; MAX_ORDER];
                for x in 0..monoid.order() as SmallElement {
                    quotients[usize::from(monoid.product(x, 2 * g as SmallElement))] |= 1 << x;
                }
                quotients
            })
            .collect();
        let mut images = [0; MAX_ORBITS];
        for (orbit, images) in images[..monoid.orbits].iter_mut().enumerate() {
            *images = images_within(monoid, orbit);
        }
        Self {
            monoid,
            generators,
            translates,
            options,
            factors,
            twins,
            quotients,
            images,
        }
    }
}

/// The elements `v` of S such that `tu = t'u` implies `tv = t'v` for all `t, t' ∈ S`, where `u` is
/// in the orbit.
fn images_within(monoid: &SmallMonoid, orbit: usize) -> Mask {
    let row = &monoid.table[orbit][..monoid.orbits];
    let mut images = 0;
    for other in 0..monoid.orbits {
        let image = &monoid.table[other][..monoid.orbits];
        let agrees = (0..row.len()).all(|t| {
            (t + 1..row.len())
                .all(|u| row[t] >> 1 != row[u] >> 1 || row[t] ^ row[u] == image[t] ^ image[u])
        });
        images |= if agrees { 3 << (2 * other) } else { 0 };
    }
    images
}

/// The meximal set of `x`: those `y` for which no `z` has both `xz` and `yz` in P (Siegel,
/// Definition 1.1).
pub(super) fn meximal(translates: &[Mask], x: SmallElement) -> Mask {
    let of_x = translates[usize::from(x)];
    translates
        .iter()
        .enumerate()
        .filter(|(_, row)| *row & of_x == 0)
        .fold(0, |set, (y, _)| set | 1 << y)
}

/// The meximal sets of all elements.
pub(super) fn meximal_sets(translates: &[Mask]) -> [Mask; MAX_ORDER] {
    let mut sets = [0; MAX_ORDER];
    for (x, set) in sets[..translates.len()].iter_mut().enumerate() {
        *set = meximal(translates, x as SmallElement);
    }
    sets
}

/// A simple extension that may carry a valid minimex algebra. Elements of S keep their numbers.
pub(super) struct Extended {
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
}

/// The simple extensions of the base, with at most so many orbits, that pass the prunes.
pub(super) fn extensions(
    base: &Base<'_>,
    most_orbits: usize,
    control: &mut Control,
    found: &mut dyn FnMut(Extended),
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

/// The index of the entry of an orbit: row 0 is X, and row `g + 1` is that of generator `g`.
#[inline]
fn cell(row: usize, orbit: usize) -> usize {
    row * MAX_ORBITS + orbit
}

/// The part of the state, besides the entries, that changes along a branch.
#[derive(Clone, Copy)]
struct Now {
    orbits: usize,
    p_portion: Mask,
    /// The `s ∈ S` for which `sx ∈ P` is known.
    won: Mask,
    /// The `s ∈ S` for which `sx ∉ P` is known.
    lost: Mask,
    /// The `e ∈ S` for which some `z` with `xz, ez ∈ P` is known.
    excluded: Mask,
}

struct Search<'a, 'b> {
    base: &'a Base<'a>,
    most_orbits: usize,
    control: &'a mut Control,
    found: &'b mut dyn FnMut(Extended),
    cells: [SmallElement; (MAX_GENERATORS + 1) * MAX_ORBITS],
    /// For every new orbit the one whose image it is.
    parent: [usize; MAX_ORBITS],
    /// Each orbit as a power of x times an orbit of S: that orbit, and the exponent.
    power: [(usize, u8); MAX_ORBITS],
    /// The entries made, in order.
    trail: Vec<u8>,
    now: Now,
    effort: Effort,
}

impl Search<'_, '_> {
    /// Tries all images of an orbit without one: of that with the fewest.
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
            self.attempt(orbit, image)?;
        }
        if self.now.orbits < self.most_orbits {
            self.new_orbit(orbit)?;
        }
        Ok(())
    }

    /// The elements there are that may be the image of an orbit: `g·X(u) = X(gu)` must hold or be
    /// open for all generators `g`.
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
        for outcomes in 0..3 {
            self.now.orbits = before.orbits + 1;
            self.now.p_portion = before.p_portion | outcomes << image;
            self.parent[before.orbits] = orbit;
            let (from, power) = if orbit < self.base.monoid.orbits {
                (orbit, 0)
            } else {
                self.power[orbit]
            };
            self.power[before.orbits] = (from, power + 1);
            self.attempt(orbit, image)?;
            self.now = before;
        }
        Ok(())
    }

    /// Sets an entry and everything that follows from it, and then takes the next branch if there
    /// is no contradiction.
    fn attempt(&mut self, orbit: usize, image: SmallElement) -> Result<(), Stop> {
        self.effort.nodes += 1;
        self.control.spend(NODE_TICKS)?;
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

    /// Draws the conclusions from the entries since `mark`; whether they agree.
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
        if orbit < base.monoid.orbits {
            self.note_outcomes(orbit);
            if !base.factors[orbit]
                .iter()
                .all(|&(g, other)| self.relate(g, other))
            {
                return false;
            }
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

    /// `X(g·u) = g·X(u)`: gives the side that is not known from the other; false if both are known
    /// and differ.
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

    /// Keeps `won`, `lost` and `excluded` up to date with the image of an orbit of S.
    #[inline]
    fn note_outcomes(&mut self, orbit: usize) {
        let image = self.cells[orbit];
        let won = pair(self.now.p_portion, image);
        self.now.won |= won << (2 * orbit);
        self.now.lost |= (won ^ 3) << (2 * orbit);
        for z in elements(won << (2 * orbit)) {
            self.now.excluded |= self.base.translates[usize::from(z)];
        }
    }

    /// The prunes of the module's text, with what is known so far.
    fn may_be_valid(&mut self) -> bool {
        let base = self.base;
        let is_full = self.now.orbits == self.most_orbits && !base.twins.is_empty();
        let mut apart: u64 = 0;
        for new in base.monoid.orbits..self.now.orbits {
            let square = self.cells[new];
            let outcomes = if square == NONE {
                0
            } else {
                pair(self.now.p_portion, square)
            };
            if outcomes == 0 && !is_full {
                continue;
            }
            let (won, lost) = self.outcomes_with(new);
            // With z = w and z = aw, for the new orbit w.
            if outcomes & 1 != 0 {
                self.now.excluded |= won;
            }
            if outcomes & 2 != 0 {
                self.now.excluded |= times_a(won);
            }
            if is_full {
                for (at, &(one, other)) in base.twins.iter().take(64).enumerate() {
                    let alike = |one: SmallElement, other: SmallElement| {
                        (won >> one & won >> other | lost >> one & lost >> other) & 1 != 0
                    };
                    let is_alike = alike(one, other) && alike(one ^ 1, other ^ 1);
                    apart |= u64::from(!is_alike) << at;
                }
            }
        }
        if is_full && apart.count_ones() as usize != base.twins.len().min(64) {
            return false;
        }
        let options = base.monoid.all() & !self.now.excluded;
        if options == 0 {
            return false;
        }
        let may_be_won = !self.now.lost;
        elements(self.now.lost).all(|s| {
            let s = usize::from(s);
            options & base.translates[s] != 0 || base.options[s] & may_be_won != 0
        })
    }

    /// For a new orbit `w` the `s ∈ S` for which `sw ∈ P` is known, and those for which `sw ∉ P`
    /// is.
    fn outcomes_with(&self, new: usize) -> (Mask, Mask) {
        let (from, power) = self.power[new];
        let row = &self.base.monoid.table[from];
        let (mut won, mut lost) = (0, 0);
        for (s, &product) in row[..self.base.monoid.orbits].iter().enumerate() {
            let mut image = product;
            let mut is_known = true;
            for _ in 0..power {
                let next = self.cells[usize::from(image >> 1)];
                if next == NONE {
                    is_known = false;
                    break;
                }
                image = next ^ image & 1;
            }
            if is_known {
                let outcomes = pair(self.now.p_portion, image);
                won |= outcomes << (2 * s);
                lost |= (outcomes ^ 3) << (2 * s);
            }
        }
        (won, lost)
    }

    fn leaf(&mut self) -> Result<(), Stop> {
        self.effort.leaves += 1;
        self.control.spend(LEAF_TICKS)?;
        let monoid = self.table();
        let extended = Extended {
            translates: monoid.translates(),
            monoid,
            x: 2 * self.base.monoid.orbits as SmallElement,
        };
        if self.passes(&extended) {
            (self.found)(extended);
        }
        Ok(())
    }

    /// The table of all products, from X and those of S.
    fn table(&self) -> SmallMonoid {
        let (old, orbits) = (self.base.monoid.orbits, self.now.orbits);
        let mut monoid = SmallMonoid {
            orbits,
            p_portion: self.now.p_portion,
            table: self.base.monoid.table,
        };
        let times_x = |y: SmallElement| self.cells[usize::from(y >> 1)] ^ y & 1;
        for new in old..orbits {
            for s in 0..old {
                let product = times_x(monoid.table[s][self.parent[new]]);
                monoid.table[s][new] = product;
                monoid.table[new][s] = product;
            }
        }
        for new in old..orbits {
            for other in old..orbits {
                monoid.table[new][other] = times_x(monoid.table[self.parent[new]][other]);
            }
        }
        monoid
    }

    /// The prunes again, with everything known.
    fn passes(&self, extended: &Extended) -> bool {
        let Extended {
            monoid,
            translates,
            x,
        } = extended;
        let rows = &translates[..monoid.order()];
        let old = self.base.monoid.all();
        let options = meximal(rows, *x) & old;
        if options == 0 || rows.contains(&0) {
            return false;
        }
        let powers = [*x, monoid.product(*x, *x)];
        elements(old).all(|s| {
            let at = usize::from(s);
            let of_s = if s < 2 {
                self.base.options[at]
            } else {
                self.base.options[at] & meximal(rows, s)
            };
            let mut rest = s;
            let in_s = s == 0 || monoid.in_p(s) || of_s & rows[0] != 0;
            in_s && powers.iter().all(|&power| {
                // rest = s·x^(i-1): an option of x, or an option of s, must win s·x^i.
                let whole = monoid.product(s, power);
                let answered = monoid.in_p(whole)
                    || options & rows[usize::from(rest)] != 0
                    || of_s & rows[usize::from(power)] != 0;
                rest = whole;
                answered
            })
        })
    }
}
