//! The state of a classification, from which it is resumed after a stop.
//!
//! A **state** is written between two orders. It has the complete orders, and the candidates of the
//! orders to come. All numbers are bytes or little-endian:
//!
//! ```text
//! state    = "misere-classification 1\n"  most:u8  levels:u8 {level}  pending:u8 {order:u8 count:u64 {entry}}  hash:32 bytes (BLAKE3 of all before)
//! level    = order:u8  candidates:u64  carriers:u64  nodes:u64  fuel:u64  count:u64 {entry}
//! entry    = length:u16 code  length:u8 sequence
//! ```
//!
//! The hash detects accidents. Reading is total all the same: every code is checked to be a
//! bipartite monoid of its order, and every sequence of a complete order to be valid on it.

use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::Control;

use super::canonical::{Code, canonical};
use super::enumeration::{Candidates, Classifier, Level, classes, is_reduced};
use super::small_monoid::{MAX_ORBITS, MAX_ORDER, SmallElement, SmallMonoid};
use super::validity::Candidate;

const MAGIC: &[u8] = b"misere-classification 1\n";
const HASH: usize = 32;

/// The reason why bytes are not a state of a classification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The bytes have another format or another version.
    #[error("this is not a state of a classification, or it has another version")]
    Foreign,
    /// The bytes were changed or cut off since they were written.
    #[error("it was changed or cut off after it was written")]
    Damaged,
    /// The content contradicts itself.
    #[error("it contradicts itself")]
    Wrong,
}

impl Classifier {
    /// Returns the state as bytes.
    ///
    /// Cost: linear in the quotients found and the pending candidates.
    ///
    /// ```
    /// use misere_algebra::classify::Classifier;
    /// use misere_game::control::Control;
    /// let mut classifier = Classifier::new(8);
    /// classifier.next_order(&mut Control::unlimited())?;
    /// let read = Classifier::from_bytes(&classifier.to_bytes())?;
    /// assert_eq!(read.ahead(), classifier.ahead());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.most as u8);
        bytes.push(self.complete.len() as u8);
        for level in &self.complete {
            bytes.push(level.order as u8);
            for number in [
                level.candidates as u64,
                level.carriers as u64,
                level.nodes,
                level.fuel,
            ] {
                bytes.extend(number.to_le_bytes());
            }
            let entries = level.quotients.iter().flat_map(|quotient| {
                std::iter::once((&quotient.code, &quotient.sequence)).chain(
                    quotient
                        .others
                        .iter()
                        .map(|(code, sequence)| (code, sequence)),
                )
            });
            write_entries(&mut bytes, entries);
        }
        bytes.push(self.pending.len() as u8);
        for (&order, candidates) in &self.pending {
            bytes.push(order as u8);
            let mut candidates: Vec<_> = candidates.iter().collect();
            candidates.sort_unstable();
            write_entries(&mut bytes, candidates.into_iter());
        }
        bytes.extend(blake3::hash(&bytes).as_bytes());
        bytes
    }

    /// Reads back a classification.
    ///
    /// Cost: linear in the bytes, with a canonical code for each entry.
    ///
    /// ```
    /// use misere_algebra::classify::{StateError, Classifier};
    /// let mut bytes = Classifier::new(8).to_bytes();
    /// assert!(Classifier::from_bytes(&bytes).is_ok());
    /// bytes.pop();
    /// assert_eq!(Classifier::from_bytes(&bytes).err(), Some(StateError::Damaged));
    /// ```
    ///
    /// # Errors
    /// [`StateError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        if !bytes.starts_with(MAGIC) {
            return Err(StateError::Foreign);
        }
        let end = bytes.len().checked_sub(HASH).ok_or(StateError::Damaged)?;
        let (told, hash) = bytes.split_at(end);
        if blake3::hash(told).as_bytes() != hash {
            return Err(StateError::Damaged);
        }
        let mut reader = Reader(told.get(MAGIC.len()..).ok_or(StateError::Damaged)?);
        let most = usize::from(reader.byte()?);
        if most > MAX_ORDER || most % 2 != 0 {
            return Err(StateError::Wrong);
        }
        let mut read = Self {
            most,
            pending: Default::default(),
            complete: Vec::new(),
        };
        for at in 0..reader.byte()? {
            let order = usize::from(reader.byte()?);
            if order != 2 + 2 * usize::from(at) || order > most {
                return Err(StateError::Wrong);
            }
            let [candidates, carriers, nodes, fuel] = [(); 4].map(|()| reader.number());
            let quotients = reader.entries(order, is_complete)?;
            read.complete.push(Level {
                order,
                quotients: classes(quotients),
                candidates: candidates? as usize,
                carriers: carriers? as usize,
                nodes: nodes?,
                fuel: fuel?,
            });
        }
        let ahead = read.complete.len() * 2 + 2;
        for _ in 0..reader.byte()? {
            let order = usize::from(reader.byte()?);
            if order < ahead || order > most {
                return Err(StateError::Wrong);
            }
            let entries = reader.entries(order, |_, _| true)?;
            if !entries.is_sorted_by(|(one, _), (other, _)| one < other)
                || read.pending.contains_key(&order)
            {
                return Err(StateError::Wrong);
            }
            read.pending.insert(order, Candidates::from_iter(entries));
        }
        if reader.0.is_empty() {
            Ok(read)
        } else {
            Err(StateError::Wrong)
        }
    }
}

fn write_entries<'a>(
    bytes: &mut Vec<u8>,
    entries: impl Iterator<Item = (&'a Code, &'a Vec<SmallElement>)>,
) {
    let entries: Vec<_> = entries.collect();
    bytes.extend((entries.len() as u64).to_le_bytes());
    for (code, sequence) in entries {
        bytes.extend((code.len() as u16).to_le_bytes());
        bytes.extend(code.iter());
        bytes.push(sequence.len() as u8);
        bytes.extend(sequence);
    }
}

/// Reports whether a monoid of a complete order carries a valid minimex algebra.
fn is_complete(monoid: &SmallMonoid, sequence: &[SmallElement]) -> bool {
    let translates = monoid.translates();
    let candidate = Candidate::new(monoid, &translates);
    is_reduced(&translates[..monoid.order()])
        && Control::without_limit(|control| candidate.is_valid(sequence, control))
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], StateError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(StateError::Wrong)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, StateError> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self) -> Result<u64, StateError> {
        let bytes = self.take(8)?.try_into().map_err(|_| StateError::Wrong)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn entries(
        &mut self,
        order: usize,
        is_right: impl Fn(&SmallMonoid, &[SmallElement]) -> bool,
    ) -> Result<Vec<(Code, Vec<SmallElement>)>, StateError> {
        let count = self.number()?;
        let mut entries = Vec::new();
        for _ in 0..count {
            let length = u16::from_le_bytes([self.byte()?, self.byte()?]);
            let code = self.take(usize::from(length))?;
            let monoid = read_code(code, order).ok_or(StateError::Wrong)?;
            let length = usize::from(self.byte()?);
            let sequence = self.take(length)?;
            let is_sequence = sequence.first() == Some(&1)
                && sequence.len() <= MAX_ORBITS
                && sequence.iter().all(|&x| usize::from(x) < order);
            if !is_sequence || !is_right(&monoid, sequence) {
                return Err(StateError::Wrong);
            }
            entries.push((code.into(), sequence.to_vec()));
        }
        Ok(entries)
    }
}

/// Returns the monoid of a code, if the code is valid.
///
/// It must be the canonical tables of a bipartite monoid of that order, paired off by `a`.
pub(super) fn read_code(code: &[u8], order: usize) -> Option<SmallMonoid> {
    let orbits = order / 2;
    let (&first, rest) = code.split_first()?;
    if usize::from(first) != orbits || rest.len() % orbits != 0 {
        return None;
    }
    let (outcomes, rows) = rest.split_at_checked(orbits)?;
    if outcomes.iter().any(|&outcome| outcome > 2) || rows.iter().any(|&x| usize::from(x) >= order)
    {
        return None;
    }
    let row = |row: &[u8]| -> Vec<u32> {
        row.iter()
            .flat_map(|&x| [u32::from(x), u32::from(x ^ 1)])
            .collect()
    };
    let a = (0..order as u32).map(|x| x ^ 1).collect();
    let action = std::iter::once(a).chain(rows.chunks_exact(orbits).map(row));
    BipartiteMonoid::new(order, action.collect(), []).ok()?;
    let monoid = SmallMonoid::of_code(code);
    let is_canonical = *canonical(&monoid, &monoid.translates()).code == *code;
    (is_canonical && monoid.p_portion & 0b11 == 0b10).then_some(monoid)
}
