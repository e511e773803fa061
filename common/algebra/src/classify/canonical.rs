//! The canonical code of a bipartite monoid of small order, up to isomorphisms that fix `a`.
//!
//! The **code** of a generating sequence consists of the tables in the numbering that the sequence
//! gives. The canonical code is the least over an invariant set of sequences: colours that
//! isomorphisms preserve are computed first, and the next generator is taken from one smallest cell
//! of equal colour. Nearly always all elements have colours of their own and there is one sequence.
//! (Isomorphism that need not fix `a` is left to [`misere_game::bipartite::canonical`].)

use super::small_monoid::{MAX_ORBITS, MAX_ORDER, Mask, SmallElement, SmallMonoid, elements};

/// The tables of a bipartite monoid in canonical numbers.
///
/// Two codes are equal iff there is an isomorphism that fixes `a`.
pub(super) type Code = Box<[u8]>;

/// A code with its numbering of the elements.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    pub(super) code: Code,
    /// The canonical number of every element.
    pub(super) number: [SmallElement; MAX_ORDER],
}

/// Returns the canonical code. Cost: a few passes over the table, times the automorphisms.
pub(super) fn canonical(monoid: &SmallMonoid, translates: &[Mask; MAX_ORDER]) -> Canonical {
    let search = Search {
        monoid,
        colour: colours(monoid, translates),
        multiples: multiples(monoid),
    };
    let mut best = None;
    search.descend(&Numbering::first(), &mut best);
    let (code, numbering) = best.unwrap_or_else(|| {
        // Every proper submonoid has elements outside, so the search reaches a leaf.
        let numbering = Numbering::first();
        (search.code(&numbering), numbering)
    });
    Canonical {
        code,
        number: numbering.number,
    }
}

impl SmallMonoid {
    /// Returns the monoid that a canonical code describes.
    pub(super) fn of_code(code: &[u8]) -> Self {
        let orbits = usize::from(code[0]);
        let p_portion = (0..orbits).fold(0, |set, orbit| {
            set | Mask::from(code[1 + orbit]) << (2 * orbit)
        });
        let generators = &code[1 + orbits..];
        let rows: Vec<&[u8]> = generators.chunks_exact(orbits).collect();
        let mut monoid = Self {
            orbits,
            p_portion,
            table: [[0; MAX_ORBITS]; MAX_ORBITS],
        };
        // The numbering is by breadth, so an orbit comes after the orbit and the generator whose
        // product it is.
        let by = |row: &[u8], x: u8| row[usize::from(x >> 1)] ^ x & 1;
        let mut known = 1_u32;
        for orbit in 0..orbits {
            monoid.table[0][orbit] = 2 * orbit as SmallElement;
        }
        let mut parents: Vec<usize> = vec![0];
        while let Some(parent) = parents.pop() {
            for row in &rows {
                let child = row[parent];
                let orbit = usize::from(child >> 1);
                if known >> orbit & 1 != 0 {
                    continue;
                }
                known |= 1 << orbit;
                parents.push(orbit);
                for other in 0..orbits {
                    monoid.table[orbit][other] = by(row, monoid.table[parent][other]) ^ child & 1;
                }
            }
        }
        monoid
    }
}

struct Search<'a> {
    monoid: &'a SmallMonoid,
    colour: [u64; MAX_ORDER],
    /// The number of orbits that contain multiples of each element.
    multiples: [u32; MAX_ORBITS],
}

/// The numbering of a submonoid that a sequence of generators gives.
#[derive(Clone)]
struct Numbering {
    generators: Vec<SmallElement>,
    /// The even element of each canonical orbit.
    reached: Vec<SmallElement>,
    /// The canonical number of every element that has one.
    number: [SmallElement; MAX_ORDER],
    members: Mask,
}

impl Numbering {
    fn first() -> Self {
        let mut number = [0; MAX_ORDER];
        number[1] = 1;
        Self {
            generators: Vec::new(),
            reached: vec![0],
            number,
            members: 0b11,
        }
    }

    fn with(&self, monoid: &SmallMonoid, generator: SmallElement) -> Self {
        let mut with = self.clone();
        with.generators.push(generator);
        let mut next = 0;
        while let Some(&x) = with.reached.get(next) {
            next += 1;
            for at in 0..with.generators.len() {
                with.reach(monoid.product(x, with.generators[at]));
            }
        }
        with
    }

    fn reach(&mut self, x: SmallElement) {
        if self.members >> x & 1 == 0 {
            let number = 2 * self.reached.len() as SmallElement;
            self.number[usize::from(x)] = number;
            self.number[usize::from(x ^ 1)] = number + 1;
            self.members |= 3 << (x & !1);
            self.reached.push(x);
        }
    }
}

impl Search<'_> {
    fn descend(&self, numbering: &Numbering, best: &mut Option<(Code, Numbering)>) {
        let outside = self.monoid.all() & !numbering.members;
        if outside == 0 {
            let code = self.code(numbering);
            if best.as_ref().is_none_or(|(least, _)| code < *least) {
                *best = Some((code, numbering.clone()));
            }
            return;
        }
        for generator in elements(self.cell(outside)) {
            self.descend(&numbering.with(self.monoid, generator), best);
        }
    }

    /// Returns the smallest cell of equal colour among outside elements with the most multiples.
    fn cell(&self, outside: Mask) -> Mask {
        let most = elements(outside)
            .map(|x| self.multiples[usize::from(x >> 1)])
            .max()
            .unwrap_or(0);
        let top: Mask = elements(outside)
            .filter(|&x| self.multiples[usize::from(x >> 1)] == most)
            .fold(0, |set, x| set | 1 << x);
        let mut least = (u32::MAX, u64::MAX, 0);
        let mut rest = top;
        while rest != 0 {
            let colour = self.colour[rest.trailing_zeros() as usize];
            let cell = elements(rest)
                .filter(|&x| self.colour[usize::from(x)] == colour)
                .fold(0, |set, x| set | 1 << x);
            rest &= !cell;
            least = least.min((cell.count_ones(), colour, cell));
        }
        least.2
    }

    fn code(&self, numbering: &Numbering) -> Code {
        let orbits = numbering.reached.len();
        let mut code = Vec::with_capacity(1 + orbits * (1 + numbering.generators.len()));
        code.push(orbits as u8);
        for &x in &numbering.reached {
            code.push(self.monoid.in_p(x) as u8 | (self.monoid.in_p(x ^ 1) as u8) << 1);
        }
        for &generator in &numbering.generators {
            for &x in &numbering.reached {
                code.push(numbering.number[usize::from(self.monoid.product(x, generator))]);
            }
        }
        code.into()
    }
}

/// Returns for each orbit the number of orbits that contain its multiples.
fn multiples(monoid: &SmallMonoid) -> [u32; MAX_ORBITS] {
    let mut multiples = [0; MAX_ORBITS];
    for (orbit, count) in multiples[..monoid.orbits].iter_mut().enumerate() {
        *count = monoid.table[orbit][..monoid.orbits]
            .iter()
            .fold(0_u32, |set, product| set | 1 << (product >> 1))
            .count_ones();
    }
    multiples
}

/// Rounds of refinement; more rounds hardly separate more elements.
const ROUNDS: usize = 2;

/// Returns colours that isomorphisms fixing `a` preserve.
fn colours(monoid: &SmallMonoid, translates: &[Mask; MAX_ORDER]) -> [u64; MAX_ORDER] {
    let order = monoid.order();
    let mut colour = [0_u64; MAX_ORDER];
    for x in 0..order as SmallElement {
        let square = monoid.product(x, x);
        let kind = u64::from(monoid.in_p(x))
            | u64::from(monoid.in_p(x ^ 1)) << 1
            | u64::from(square == x) << 2
            | u64::from(square == x ^ 1) << 3
            | u64::from(square == 0) << 4
            | u64::from(translates[usize::from(x)].count_ones()) << 8;
        colour[usize::from(x)] = mix(kind);
    }
    for _ in 0..ROUNDS {
        let mut finer = [0_u64; MAX_ORDER];
        for x in 0..order as SmallElement {
            let (mut even, mut odd) = (0_u64, 0_u64);
            for y in (0..order as SmallElement).step_by(2) {
                let product = usize::from(monoid.product(x, y));
                let y = usize::from(y);
                even = even.wrapping_add(mix(colour[y] ^ colour[product].rotate_left(23)));
                odd = odd.wrapping_add(mix(colour[y ^ 1] ^ colour[product ^ 1].rotate_left(23)));
            }
            let square = colour[usize::from(monoid.product(x, x))];
            finer[usize::from(x)] = mix(colour[usize::from(x)]
                .wrapping_add(even.wrapping_add(odd))
                .wrapping_add(colour[usize::from(x ^ 1)].rotate_left(41))
                .wrapping_add(square.rotate_left(7)));
        }
        colour = finer;
    }
    colour
}

/// Spreads the bits by a bijection (the finalizer of splitmix64).
#[inline]
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
