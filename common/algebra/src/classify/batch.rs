//! A batch of candidates of one order: its settlement, and the validation of its result.
//!
//! The candidates of an order are independent, so an order can be settled in batches by independent
//! processes. The process that has the batches done merges the candidates they reach under the
//! canonical codes, keeps the least hint of each, and starts the next order when all batches of the
//! previous one are settled ([`crate::classify::Classifier`] does the same in one process). The
//! result of a batch is a function of its candidates and of the greatest order alone.
//!
//! All reading here is total: a code is checked to be the canonical code of a bipartite monoid, a
//! quotient is rebuilt from its code, and its games are left to [`misere_check::construction`].
//! Only a repetition can show that a batch has left nothing out.

use serde::{Deserialize, Serialize};

use misere_game::control::{Control, Progress, Stop, TICKS_PER_FUEL};
use misere_game::monoid::word::Word;
use misere_game::solution::Construction;

use super::canonical::canonical;
use super::enumeration::{Candidates, SettledCandidates, settle};
use super::games;
use super::small_monoid::{MAX_ORBITS, MAX_ORDER, SmallElement, SmallMonoid};
use super::state::read_code;

/// A bipartite monoid that may carry a valid minimex algebra.
///
/// Two candidates have equal codes iff there is an isomorphism that fixes `a = Φ(*)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Scheme {
    /// Its tables in canonical numbers.
    pub code: Box<[u8]>,
    /// A sequence of generators that is worth trying, `a` first.
    pub hint: Vec<u8>,
}

/// Candidates of one order, to be judged and extended up to a greatest order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The greatest order of extensions.
    pub most: u8,
    /// The order of the candidates.
    pub order: u8,
    /// The candidates in ascending order of their codes.
    pub schemes: Vec<Scheme>,
}

/// The result of settling a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchResult {
    /// The candidates that are misère quotients, ascending.
    pub quotients: Vec<FoundQuotient>,
    /// Bipartite monoids of the batch that carry a valid minimex algebra and were extended.
    ///
    /// See [`super::Level::carriers`].
    pub carriers: u64,
    /// The candidates reached from the batch, sorted by order and code, each with its least hint.
    pub reached: Vec<Scheme>,
    /// Entries of the extension search tried.
    pub nodes: u64,
    /// Fuel spent.
    pub fuel: u64,
}

/// A candidate that is a misère quotient, with games that prove it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundQuotient {
    /// The place of the candidate in the batch.
    pub place: u32,
    /// A construction sequence with a valid minimex algebra.
    pub sequence: Vec<u8>,
    /// For each element of the sequence the options of its game, as exponents of the games before.
    pub options: Vec<Vec<Vec<u32>>>,
    /// The rank of every element.
    pub rank: Vec<u32>,
}

/// The reason why data is not a candidate or not a result of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemeError {
    /// The greatest order, or the order of the candidates.
    #[error("order {0} is out of range or odd")]
    Order(u8),
    /// The code.
    #[error("not the canonical code of a bipartite monoid of its order")]
    Code,
    /// The hint, or a construction sequence.
    #[error("not a sequence of elements that begins with a")]
    Sequence,
    /// The entries are not sorted by their codes.
    #[error("entries are out of order or there twice")]
    Unsorted,
    /// A quotient without a candidate in the batch.
    #[error("a quotient that is not in the batch")]
    Place,
    /// A candidate that is not an extension by one generator of a candidate of the batch.
    #[error("a candidate is listed as reached but is not an extension of one of the batch")]
    Unreached,
}

impl Scheme {
    /// Returns `T_1 = {1, a}`, with which every classification begins.
    ///
    /// ```
    /// use misere_algebra::classify::batch::Scheme;
    /// let first = Scheme::first();
    /// assert_eq!((first.order(), first.check()), (2, Ok(())));
    /// ```
    #[must_use]
    pub fn first() -> Self {
        let first = SmallMonoid::first();
        Self {
            code: canonical(&first, &first.translates()).code,
            hint: vec![1],
        }
    }

    /// Returns the order that the code states.
    #[must_use]
    pub fn order(&self) -> u8 {
        order_of(&self.code)
    }

    /// Checks that this is a candidate with a consistent code and hint.
    ///
    /// The code must describe a bipartite monoid of its order, and the hint a sequence in it.
    ///
    /// Cost: one canonical code.
    ///
    /// # Errors
    /// [`SchemeError`] if not.
    pub fn check(&self) -> Result<(), SchemeError> {
        self.read().map(drop)
    }

    fn read(&self) -> Result<SmallMonoid, SchemeError> {
        let order = self.order();
        is_order(order)?;
        let monoid = read_code(&self.code, order.into()).ok_or(SchemeError::Code)?;
        is_sequence(&self.hint, order)?;
        Ok(monoid)
    }
}

impl Batch {
    /// Checks that this is a batch: candidates of its order, in ascending order.
    ///
    /// Cost: a canonical code for each scheme.
    ///
    /// ```
    /// use misere_algebra::classify::batch::{SchemeError, Batch, Scheme};
    /// let mut batch = Batch { most: 8, order: 2, schemes: vec![Scheme::first()] };
    /// assert_eq!(batch.check(), Ok(()));
    /// batch.most = 7;
    /// assert_eq!(batch.check(), Err(SchemeError::Order(7)));
    /// ```
    ///
    /// # Errors
    /// [`SchemeError`] if not.
    pub fn check(&self) -> Result<(), SchemeError> {
        is_order(self.most)?;
        if self.order > self.most {
            return Err(SchemeError::Order(self.order));
        }
        is_order(self.order)?;
        if !self
            .schemes
            .is_sorted_by(|one, other| one.code < other.code)
        {
            return Err(SchemeError::Unsorted);
        }
        for scheme in &self.schemes {
            if scheme.order() != self.order {
                return Err(SchemeError::Order(scheme.order()));
            }
            scheme.check()?;
        }
        Ok(())
    }

    /// Judges the candidates and extends those that carry a valid minimex algebra.
    ///
    /// Each of them may spend at most `fuel_of_each`.
    ///
    /// Cost: at most the fuel given for each scheme.
    ///
    /// ```
    /// use misere_algebra::classify::batch::{Batch, Scheme};
    /// use misere_game::control::Control;
    /// let batch = Batch { most: 8, order: 2, schemes: vec![Scheme::first()] };
    /// let settled = batch.settle(1_000_000, &mut Control::unlimited())?;
    /// assert_eq!(settled.quotients.len(), 1);
    /// assert!(settled.reached.iter().all(|scheme| (4..=8).contains(&scheme.order())));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if one of them is not settled within its fuel, or `control` ends it.
    pub fn settle(&self, fuel_of_each: u64, control: &mut Control) -> Result<BatchResult, Stop> {
        let (mut all, mut settled) = (SettledCandidates::default(), BatchResult::default());
        for (place, scheme) in (0..).zip(&self.schemes) {
            control.report(Progress {
                heap: place,
                order: self.order.into(),
            });
            let most = usize::from(self.most);
            let found = control.within(fuel_of_each, |control| {
                let mut found = settle(&scheme.code, &scheme.hint, most, control)?;
                for (code, sequence) in found.quotients.drain(..) {
                    let games =
                        games::construction(&SmallMonoid::of_code(&code), &sequence, control)?;
                    settled
                        .quotients
                        .push(FoundQuotient::new(place, sequence, games));
                }
                Ok(found)
            })?;
            all = all.and(found);
        }
        settled.carriers = all.carriers as u64;
        settled.nodes = all.nodes;
        settled.reached = all.candidates.into_iter().flat_map(sorted).collect();
        settled.fuel = control.ticks_spent().div_ceil(TICKS_PER_FUEL);
        Ok(settled)
    }
}

fn sorted(candidates: Candidates) -> Vec<Scheme> {
    let schemes = candidates.into_iter();
    let mut schemes: Vec<Scheme> = schemes.map(|(code, hint)| Scheme { code, hint }).collect();
    schemes.sort_unstable();
    schemes
}

impl BatchResult {
    /// Returns the constructions of the quotients, if this has the form of a result of that batch.
    ///
    /// That is, its quotients are candidates of the batch, and each candidate reached is a simple
    /// extension of one of them. [`misere_check::construction::check`] has to judge the
    /// constructions.
    ///
    /// Cost: two canonical codes for everything reached.
    ///
    /// ```
    /// use misere_algebra::classify::batch::{Batch, Scheme};
    /// use misere_game::control::Control;
    /// let batch = Batch { most: 8, order: 2, schemes: vec![Scheme::first()] };
    /// let settled = batch.settle(1_000_000, &mut Control::unlimited())?;
    /// let constructions = settled.constructions(&batch)?;
    /// // The only misère quotient of order 2 is T_1, the quotient of *.
    /// assert_eq!(constructions.len(), 1);
    /// assert_eq!(constructions[0].quotient.known_name().as_deref(), Some("T_1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemeError`] if it does not.
    pub fn constructions(&self, batch: &Batch) -> Result<Vec<Construction>, SchemeError> {
        let sorted = |one: &FoundQuotient, other: &FoundQuotient| one.place < other.place;
        let key = |scheme: &Scheme| (scheme.order(), scheme.code.clone());
        let ascending = |one: &Scheme, other: &Scheme| key(one) < key(other);
        if !self.quotients.is_sorted_by(sorted) || !self.reached.is_sorted_by(ascending) {
            return Err(SchemeError::Unsorted);
        }
        for scheme in &self.reached {
            if !(batch.order + 1..=batch.most).contains(&scheme.order()) {
                return Err(SchemeError::Order(scheme.order()));
            }
            let parent = parent_of(&scheme.read()?, &scheme.hint).ok_or(SchemeError::Unreached)?;
            let place = batch
                .schemes
                .binary_search_by(|known| known.code.cmp(&parent));
            place.map_err(|_| SchemeError::Unreached)?;
        }
        let quotients = self.quotients.iter();
        quotients
            .map(|found| {
                let scheme = usize::try_from(found.place).ok();
                let scheme = scheme.and_then(|place| batch.schemes.get(place));
                found.construction(&scheme.ok_or(SchemeError::Place)?.code)
            })
            .collect()
    }
}

/// Returns the canonical code of the submonoid that a sequence without its last element generates.
///
/// The result is `None` if the last element is in it, or does not generate the rest.
fn parent_of(monoid: &SmallMonoid, sequence: &[SmallElement]) -> Option<Box<[u8]>> {
    let (&last, before) = sequence.split_last()?;
    let submonoid = before.iter().fold(0b11, |all, &x| monoid.joined(all, x));
    if submonoid >> last & 1 != 0 || monoid.joined(submonoid, last) != monoid.all() {
        return None;
    }
    let parent = monoid.restricted(submonoid);
    Some(canonical(&parent, &parent.translates()).code)
}

impl FoundQuotient {
    fn new(place: u32, sequence: Vec<SmallElement>, games: Construction) -> Self {
        let words = |options: Vec<Word>| options.into_iter().map(|word| word.0).collect();
        Self {
            place,
            sequence,
            options: games.options.into_iter().map(words).collect(),
            rank: games.rank,
        }
    }

    /// Returns the construction of the quotient with this canonical code.
    ///
    /// The sequence generates the quotient. The construction is not judged yet.
    ///
    /// Cost: `O(n²)` for order `n`.
    ///
    /// # Errors
    /// [`SchemeError`] if the sequence does not generate it.
    pub fn construction(&self, code: &[u8]) -> Result<Construction, SchemeError> {
        let order = order_of(code);
        is_order(order)?;
        is_sequence(&self.sequence, order)?;
        let monoid = read_code(code, order.into()).ok_or(SchemeError::Code)?;
        let generated = self.sequence.iter();
        if generated.fold(0b11, |all, &x| monoid.joined(all, x)) != monoid.all() {
            return Err(SchemeError::Sequence);
        }
        let words = |options: &Vec<Vec<u32>>| options.iter().cloned().map(Word).collect();
        Ok(Construction {
            quotient: monoid.unpaired(&self.sequence),
            options: self.options.iter().map(words).collect(),
            rank: self.rank.clone(),
        })
    }
}

fn order_of(code: &[u8]) -> u8 {
    code.first().map_or(0, |&orbits| orbits.saturating_mul(2))
}

fn is_order(order: u8) -> Result<(), SchemeError> {
    match (2..=MAX_ORDER as u8).contains(&order) && order.is_multiple_of(2) {
        true => Ok(()),
        false => Err(SchemeError::Order(order)),
    }
}

fn is_sequence(sequence: &[u8], order: u8) -> Result<(), SchemeError> {
    let right = sequence.first() == Some(&1)
        && sequence.len() <= MAX_ORBITS
        && sequence.iter().all(|&x| x < order);
    if right {
        Ok(())
    } else {
        Err(SchemeError::Sequence)
    }
}
