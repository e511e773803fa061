//! Refinement of the partition of the elements by invariants.
//!
//! A *colour* is a 64-bit number given to every element such that isomorphisms preserve it. First
//! colours come from the P-portion, the identity, divisibility and irreducibility. Refinement then
//! mixes into the colour of `x` the colours of `x²` and `x³` and, for elements `s` from a set that
//! is itself invariant, the multiset of pairs (colour of `s`, colour of `xs`), until no further
//! elements are distinguished. Everything is computed from invariants alone, so colours are
//! invariants; a collision of hashes, where two elements share a colour without need, costs time
//! but never correctness.

use super::divisibility::Divisibility;
use super::multiplication::Multiplication;
use super::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// An element `s` with its row `x ↦ x·s`.
///
/// A row often has many times fewer values than entries: `Q·s` is small unless `s` is a unit.
#[derive(Clone, Debug)]
pub(super) struct Translation {
    /// The element `s`.
    pub(super) element: Element,
    /// The product `x·s` for each `x`.
    pub(super) row: Vec<Element>,
    /// The values of the row, each once.
    values: Vec<Element>,
    /// For each `x` the place of `x·s` among the values.
    places: Vec<u32>,
}

impl Translation {
    /// Returns the translation with a row. Cost: a step for each entry.
    pub(super) fn new(element: Element, row: Vec<Element>) -> Self {
        let mut place_of = vec![u32::MAX; row.len()];
        let mut values = Vec::new();
        let places = row.iter().map(|&image| {
            let place = &mut place_of[image as usize];
            if *place == u32::MAX {
                *place = values.len() as u32;
                values.push(image);
            }
            *place
        });
        let places = places.collect();
        Self {
            element,
            row,
            values,
            places,
        }
    }
}

/// The number of rounds after which refinement stops, even if more could be distinguished.
///
/// Long chains separate one element per round.
const ROUNDS: usize = 64;

/// The number of rows whose marks are added to the sums in one pass.
///
/// This way the sums, which are many, are read and written less often.
const ROWS_TOGETHER: usize = 4;

/// The colours of the elements.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    colour: Vec<u64>,
    distinct: usize,
}

/// The maps `x ↦ x²` and `x ↦ x³`, which every isomorphism respects.
#[derive(Debug)]
pub(super) struct PowerMaps {
    squares: Vec<Element>,
    cubes: Vec<Element>,
}

impl PowerMaps {
    pub(super) fn new(multiplication: &Multiplication<'_>) -> Self {
        Self {
            squares: multiplication.powers(2),
            cubes: multiplication.powers(3),
        }
    }
}

/// Adds the marks of some rows' entries to the sums of these entries.
///
/// `marks` has the marks of the rows' values.
fn add_marks(sums: &mut [u64], rows: &[&Translation], marks: &[Vec<u64>; ROWS_TOGETHER]) {
    if let [a, b, c, d] = rows {
        let [of_a, of_b, of_c, of_d] = marks;
        let places = a.places.iter().zip(&b.places).zip(&c.places).zip(&d.places);
        for (sum, (((&a, &b), &c), &d)) in sums.iter_mut().zip(places) {
            let one_pair = of_a[a as usize].wrapping_add(of_b[b as usize]);
            let other_pair = of_c[c as usize].wrapping_add(of_d[d as usize]);
            *sum = sum.wrapping_add(one_pair.wrapping_add(other_pair));
        }
    } else {
        for (translation, marks) in rows.iter().zip(marks) {
            for (sum, &place) in sums.iter_mut().zip(&translation.places) {
                *sum = sum.wrapping_add(marks[place as usize]);
            }
        }
    }
}

impl Colours {
    /// Returns the first colours.
    ///
    /// They are made of P, the identity, irreducibility, depth and size of the class of associates,
    /// and the number of square roots.
    pub(super) fn initial(
        monoid: &BipartiteMonoid,
        divisibility: &Divisibility,
        irreducible: &[Element],
        powers: &PowerMaps,
    ) -> Self {
        let mut roots = vec![0_u64; monoid.order()];
        powers.squares.iter().for_each(|&x| roots[x as usize] += 1);
        let mut colour: Vec<u64> = (0..monoid.order() as Element)
            .map(|x| {
                let class = divisibility.class[x as usize] as usize;
                let place = mix(
                    u64::from(divisibility.depth[class]),
                    u64::from(divisibility.size[class]),
                );
                mix(
                    mix(place, roots[x as usize]),
                    2 * u64::from(monoid.in_p(x)) + u64::from(x == 0),
                )
            })
            .collect();
        for &s in irreducible {
            colour[s as usize] = mix(colour[s as usize], 0x49_5252);
        }
        let mut colours = Self {
            colour,
            distinct: 0,
        };
        colours.distinct = colours.count();
        colours
    }

    pub(super) fn of(&self, x: Element) -> u64 {
        self.colour[x as usize]
    }

    /// Reports whether all elements have different colours.
    pub(super) fn are_discrete(&self) -> bool {
        self.distinct == self.colour.len()
    }

    /// Returns an invariant of the whole colouring.
    pub(super) fn digest(&self) -> u64 {
        self.colour
            .iter()
            .fold(self.distinct as u64, |sum, &colour| {
                sum.wrapping_add(mix(colour, 0x5452))
            })
    }

    /// Gives `x` a colour of its own, made from its present one and `mark`.
    pub(super) fn individualise(&mut self, x: Element, mark: u64) {
        self.colour[x as usize] = mix(mix(self.colour[x as usize], 0x494e_4449), mark);
    }

    /// Refines the colouring until it is stable under powers and the given translations.
    ///
    /// Cost: `rounds · n · translations`.
    pub(super) fn refine<'a>(
        &mut self,
        powers: &PowerMaps,
        translations: impl Iterator<Item = &'a Translation>,
        control: &mut Control,
    ) -> Result<(), Stop> {
        self.distinct = self.count();
        let mut next = Vec::with_capacity(self.colour.len());
        let mut marks: [Vec<u64>; ROWS_TOGETHER] = Default::default();
        let rows: Vec<&Translation> = translations.collect();
        for _ in 0..ROUNDS {
            if self.are_discrete() {
                break;
            }
            let colour = &self.colour;
            control.spend(10 + 40 * colour.len() as u64)?;
            next.clear();
            next.extend(powers.squares.iter().zip(&powers.cubes).zip(colour).map(
                |((&square, &cube), &own)| {
                    mix(mix(own, colour[square as usize]), colour[cube as usize])
                },
            ));
            for together in rows.chunks(ROWS_TOGETHER) {
                for (translation, marks) in together.iter().zip(&mut marks) {
                    control.spend(3 * translation.row.len() as u64)?;
                    let label = colour[translation.element as usize];
                    marks.clear();
                    let values = translation.values.iter();
                    marks.extend(values.map(|&image| mix(label, colour[image as usize])));
                }
                add_marks(&mut next, together, &marks);
            }
            next.iter_mut().for_each(|colour| *colour = mix(*colour, 0));
            std::mem::swap(&mut self.colour, &mut next);
            let distinct = self.count();
            if distinct == self.distinct {
                break;
            }
            self.distinct = distinct;
        }
        Ok(())
    }

    /// Groups `elements` by colour: smaller cells first, then by colour.
    pub(super) fn cells(&self, elements: impl IntoIterator<Item = Element>) -> Vec<Vec<Element>> {
        let mut coloured: Vec<(u64, Element)> =
            elements.into_iter().map(|x| (self.of(x), x)).collect();
        coloured.sort_unstable();
        let mut cells: Vec<Vec<Element>> = coloured
            .chunk_by(|(one, _), (other, _)| one == other)
            .map(|cell| cell.iter().map(|&(_, x)| x).collect())
            .collect();
        // Stable, so cells of equal size stay in order of colour.
        cells.sort_by_key(Vec::len);
        cells
    }

    /// Returns the number of different colours.
    ///
    /// It counts in a table with twice as many places, in which the lowest bits of a colour give
    /// the place where the search for it begins. That is faster than sorting.
    fn count(&self) -> usize {
        let places = (2 * self.colour.len()).next_power_of_two();
        let place_of = |colour: u64| colour as usize & (places - 1);
        let mut table = vec![0; places];
        let mut distinct = usize::from(self.colour.contains(&0));
        for &colour in self.colour.iter().filter(|&&colour| colour != 0) {
            let mut at = place_of(colour);
            while table[at] != 0 && table[at] != colour {
                at = place_of(at as u64 + 1);
            }
            distinct += usize::from(table[at] == 0);
            table[at] = colour;
        }
        distinct
    }
}

/// Mixes two words of 64 bits (multiply and fold, constants of splitmix64).
///
/// Deterministic on every machine.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mut h = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.rotate_left(32).wrapping_add(0x2545_f491_4f6c_dd1d);
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}
