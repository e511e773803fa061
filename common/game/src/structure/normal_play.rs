//! Nim-values of the elements of a quotient, and its normal-play quotient.
//!
//! Every position of a game has a value in the misère quotient and a nim-value. The quotient is
//! *faithful* if positions of equal value have equal nim-values (Siegel, *Structure and
//! classification*, Definition 3.2); then every element has a nim-value, and the nim-value of a
//! product is the exclusive or of the nim-values of its factors. Example: in the quotient of 0.123
//! the elements `1`, `b²` and `d²` have the nim-value 0.
//!
//! The **normal-play quotient** of the game consists of the nim-values of its positions; the
//! nim-values of the heaps generate it, so it is an elementary abelian 2-group. If the quotient is
//! faithful, the kernel is mapped onto it, since `x` and `xz` have the same nim-value for the
//! identity `z` of the kernel. If it is also normal, the map of the kernel is one to one (loc.
//! cit., Fact 3.3): the kernel *is* normal play, which Plambeck shows for Kayles (Plambeck 2005,
//! Figure 28).

use std::collections::VecDeque;

use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// Nim-values on a quotient, if they are a function of the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NimValuesOfElements {
    /// The nim-value of every element: the quotient is faithful.
    Faithful(Vec<u32>),
    /// Two positions of the same value with different nim-values.
    Unfaithful(Box<Clash>),
}

/// Two positions with the same value and different nim-values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The value of both positions.
    pub element: Element,
    /// The nim-values of the positions.
    pub nim_values: [u32; 2],
    /// The heaps of each position, as places in the given list of heaps, ascending.
    pub heaps: [Vec<usize>; 2],
}

/// Returns the nim-values of all elements, from the value and the nim-value of every heap.
///
/// Elements that are not a product of values have no nim-value; they get 0.
///
/// Cost: `O(n · k)` for order `n` and `k` different pairs of a value and a nim-value.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_game::control::Control;
/// use misere_game::structure::normal_play::{NimValuesOfElements, nim_values_of_elements};
/// // T_2 is the quotient of * and *2.
/// let t2 = tame(2);
/// let (a, b) = (t2.act(0, 0), t2.act(0, 1));
/// let control = &mut Control::unlimited();
/// let found = nim_values_of_elements(&t2, &[(a, 1), (b, 2)], control)?;
/// let NimValuesOfElements::Faithful(values) = found else { unreachable!() };
/// assert_eq!(values[t2.product([(0, 1), (1, 2)]) as usize], 1);
/// // Not with a heap that has another nim-value and the value b.
/// let found = nim_values_of_elements(&t2, &[(a, 1), (b, 2), (b, 3)], control)?;
/// assert!(matches!(found, NimValuesOfElements::Unfaithful(_)));
/// # Ok::<(), misere_game::control::Stop>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn nim_values_of_elements(
    monoid: &BipartiteMonoid,
    heaps: &[(Element, u32)],
    control: &mut Control,
) -> Result<NimValuesOfElements, Stop> {
    let order = monoid.order();
    let multiplication = Multiplication::new(monoid);
    let mut letters: Vec<(Element, u32, usize)> = Vec::new();
    for (place, &(value, nim_value)) in heaps.iter().enumerate() {
        letters.push((value, nim_value, place));
    }
    letters.sort_unstable();
    letters.dedup_by_key(|&mut (value, nim_value, _)| (value, nim_value));
    letters.retain(|&(value, ..)| (value as usize) < order);
    let mut rows = Vec::with_capacity(letters.len());
    for &(value, ..) in &letters {
        control.spend(2 * order as u64)?;
        rows.push(multiplication.row(value));
    }
    // For each element reached its nim-value, and the element and letter before it.
    let mut met: Vec<Option<(u32, Element, usize)>> = vec![None; order];
    met[0] = Some((0, 0, usize::MAX));
    let mut queue = VecDeque::from([0]);
    while let Some(x) = queue.pop_front() {
        let of_x = met[x as usize].map_or(0, |(nim_value, ..)| nim_value);
        for (letter, &(_, nim_value, place)) in letters.iter().enumerate() {
            let (y, of_y) = (rows[letter][x as usize], of_x ^ nim_value);
            match met[y as usize] {
                None => {
                    met[y as usize] = Some((of_y, x, letter));
                    queue.push_back(y);
                }
                Some((known, ..)) if known != of_y => {
                    let sum = |x: Element| sum(&met, &letters, x);
                    let mut longer = sum(x);
                    longer.push(place);
                    longer.sort_unstable();
                    return Ok(NimValuesOfElements::Unfaithful(Box::new(Clash {
                        element: y,
                        nim_values: [known, of_y],
                        heaps: [sum(y), longer],
                    })));
                }
                Some(_) => {}
            }
        }
    }
    let values = met.iter().map(|met| met.map_or(0, |(value, ..)| value));
    Ok(NimValuesOfElements::Faithful(values.collect()))
}

/// Returns the heaps by which an element was reached.
fn sum(
    met: &[Option<(u32, Element, usize)>],
    letters: &[(Element, u32, usize)],
    mut x: Element,
) -> Vec<usize> {
    let mut heaps = Vec::new();
    while let Some((_, before, letter)) = met[x as usize]
        && let Some(&(_, _, place)) = letters.get(letter)
    {
        heaps.push(place);
        x = before;
    }
    heaps.sort_unstable();
    heaps
}

/// Returns the order of the normal-play quotient of a game.
///
/// It is the number of nim-values of sums of heaps.
///
/// ```
/// use misere_game::structure::normal_play::normal_order;
/// // The heaps of Kayles to 9 have the nim-values 1, 2, 3, 1, 4, 3, 2, 1, 4.
/// assert_eq!(normal_order([1, 2, 3, 1, 4, 3, 2, 1, 4]), 8);
/// assert_eq!(normal_order([]), 1);
/// ```
#[must_use]
pub fn normal_order(nim_values: impl IntoIterator<Item = u32>) -> u64 {
    // Numbers whose highest bits differ, so that each doubles the sums.
    let mut basis: Vec<u32> = Vec::new();
    for value in nim_values {
        let rest = basis.iter().fold(value, |rest, &one| rest.min(rest ^ one));
        if rest != 0 {
            basis.push(rest);
            basis.sort_unstable_by(|one, other| other.cmp(one));
        }
    }
    1 << basis.len()
}

/// Returns the elements of the kernel by their nim-values, ascending.
///
/// If the nim-values are all different, this is the image of normal play.
///
/// Cost: sorting the kernel.
///
/// ```
/// use misere_game::structure::normal_play::kernel_by_nim_value;
/// // T_2 with the elements 1, a, z, az, b, ab.
/// let found = kernel_by_nim_value(&[2, 3, 4, 5], &[0, 1, 0, 1, 2, 3]);
/// assert_eq!(found, [(0, 2), (1, 3), (2, 4), (3, 5)]);
/// ```
#[must_use]
pub fn kernel_by_nim_value(kernel: &[Element], nim_values: &[u32]) -> Vec<(u32, Element)> {
    let value = |&x: &Element| Some((*nim_values.get(x as usize)?, x));
    let mut by_value: Vec<(u32, Element)> = kernel.iter().filter_map(value).collect();
    by_value.sort_unstable();
    by_value
}
