//! Nim-values of many millions of heaps, and the proof that they repeat for ever.
//!
//! For codes with an end whose moves leave at most two heaps, and for Grundy's game. The values are
//! stored in one byte or two, and computed in the sparse space of the game (`docs/normal-play.md`).
//!
//! - `space`: the sparse space of a game
//! - `value`: values of one byte or two
//! - `moves`: the moves of a game, and what a constraint on two heaps changes
//! - `block`: the computation of a block of heaps
//! - `planes`: the rare numbers that many heaps are known to meet
//! - `repeats`: the search for a period
//! - `marks`: the facts at powers of two
//! - `kept`: the checkpoint format

mod block;
mod kept;
mod marks;
mod moves;
mod planes;
mod repeats;
mod space;
mod value;

use block::{BlockError, BlockState, Rows};
pub use kept::FarCheckpointError;
use misere_game::control::{Control, Progress, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{NimPeriod, NormalPeriod};
use moves::Moves;
pub use space::Space;
use value::Value;
pub use value::Values;

/// The lengths of rows, for greater and greater nim-values.
const ROWS: [usize; 7] = [64, 128, 256, 512, 1024, 4096, 65_536];
/// The number of heaps at which the sparse space is chosen for the first time.
const FIRST_CHOICE: usize = 64;
/// The numbers of heaps at which a period is searched for first: many games have a short one.
const EARLY_LOOKS: [usize; 2] = [16, 36];
/// The part by which the number of heaps grows before the next search for a period.
const SEARCH_GROWTH_DIVISOR: usize = 8;

/// The nim-values of a game as far as they are known, and the state needed to continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Far {
    code: Code,
    moves: Moves,
    values: Values,
    standing: BlockState,
    /// The place of the row length among [`ROWS`].
    room: usize,
    /// The number of heaps at which the space is chosen again.
    next_choice: usize,
    /// The number of heaps at which the next search for a period begins.
    next_look: usize,
}

/// The reasons for which a computation ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The nim-values are proved to repeat for ever, once the claim is checked.
    Periodic(NormalPeriod),
    /// All requested heaps are known.
    MaxHeap,
    /// The fuel was spent.
    Fuel,
    /// The computation was interrupted.
    Interrupted,
    /// A nim-value does not fit into two bytes.
    TooGreat,
}

/// The reason why a game cannot be computed in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "only codes with an end whose moves leave at most two heaps, such as octal games, are computed in \
     this way"
)]
pub struct UnsupportedGameError;

impl Far {
    /// Returns the sequence with heap 0 only.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_engine::normal::far::{StopReason, Far};
    /// let mut kayles = Far::new(&"0.77".parse()?)?;
    /// let StopReason::Periodic(claim) = kayles.run_until(1_000, |_, _| {}, &mut Control::unlimited()) else {
    ///     panic!("a period is found");
    /// };
    /// assert_eq!((claim.period, claim.preperiod), (12, 71));
    /// assert!(Far::new(&"0.f".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UnsupportedGameError`] if the game is not a code with an end, or a move leaves three
    /// heaps.
    pub fn new(code: &Code) -> Result<Self, UnsupportedGameError> {
        let moves = Moves::of(code).ok_or(UnsupportedGameError)?;
        let space = Space::first(&moves);
        Ok(Self {
            code: code.clone(),
            moves,
            values: Values::Narrow(vec![0]),
            standing: BlockState {
                space,
                rare: Vec::new(),
            },
            room: 0,
            next_choice: FIRST_CHOICE,
            next_look: EARLY_LOOKS[0],
        })
    }

    /// Returns the game.
    #[must_use]
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Returns the nim-values of the heaps from 0 on.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the greatest heap whose nim-value is known.
    #[must_use]
    pub fn heap(&self) -> u32 {
        (self.values.len() - 1) as u32
    }

    /// Returns the sparse space used at present.
    #[must_use]
    pub fn space(&self) -> Space {
        self.standing.space
    }

    /// Returns the heaps from 1 on whose nim-values are rare, ascending.
    #[must_use]
    pub fn rare(&self) -> &[u32] {
        &self.standing.rare
    }

    /// Continues to heap `max_heap`, or to a period.
    ///
    /// It passes itself to `keep` whenever ten million units of fuel were spent.
    ///
    /// Cost: for each heap half a tick for each rare heap, one for each pair of common heaps that
    /// is needed, and some more.
    pub fn run_until(
        &mut self,
        max_heap: u32,
        mut keep: impl FnMut(&Self, &Control),
        control: &mut Control,
    ) -> StopReason {
        let ended = self.run(max_heap as usize, &mut keep, control);
        match ended {
            Ok(ended) => ended,
            Err(BlockError::TooGreat) => StopReason::TooGreat,
            Err(BlockError::Stopped(Stop::Interrupted)) => StopReason::Interrupted,
            Err(BlockError::Stopped(Stop::FuelSpent)) => StopReason::Fuel,
        }
    }

    fn run(
        &mut self,
        last: usize,
        keep: &mut impl FnMut(&Self, &Control),
        control: &mut Control,
    ) -> Result<StopReason, BlockError> {
        let mut kept_at = control.fuel_spent();
        loop {
            let known = self.values.len();
            if known >= self.next_look || known > last {
                if let Some(found) = self.proved(control)? {
                    return Ok(StopReason::Periodic(found));
                }
                self.next_look = match EARLY_LOOKS.into_iter().find(|&early| early > known) {
                    Some(early) => early,
                    None => (self.next_look)
                        .max(FIRST_CHOICE.max(known + known / SEARCH_GROWTH_DIVISOR)),
                };
            }
            if known > last {
                return Ok(StopReason::MaxHeap);
            }
            if known >= self.next_choice {
                self.next_choice = 2 * known;
                self.choose_space();
            }
            if control.fuel_spent() - kept_at >= KEEP_AGAIN {
                kept_at = control.fuel_spent();
                keep(self, control);
            }
            let to = last.min(self.next_look.min(self.next_choice) - 1);
            match self.extend_to(to, control) {
                Err(BlockError::TooGreat) if self.room + 1 < ROWS.len() => {
                    self.room += 1;
                    if ROWS[self.room] > 256 {
                        self.values.widen();
                    }
                }
                done => done?,
            }
        }
    }

    /// Chooses the space that leaves the fewest heaps rare.
    fn choose_space(&mut self) {
        fn of<V: Value>(moves: &Moves, values: &[V]) -> (Space, Vec<u32>) {
            let space = Space::choose(moves, values);
            (space, space.rare_heaps(values))
        }
        (self.standing.space, self.standing.rare) = match &self.values {
            Values::Narrow(values) => of(&self.moves, values),
            Values::Wide(values) => of(&self.moves, values),
        };
    }

    /// Continues to a heap, or until the fuel between two checkpoints is spent.
    fn extend_to(&mut self, last: usize, control: &mut Control) -> Result<(), BlockError> {
        match self.room {
            0 => self.blocks::<64, 1>(last, control),
            1 => self.blocks::<128, 2>(last, control),
            2 => self.blocks::<256, 4>(last, control),
            3 => self.blocks::<512, 8>(last, control),
            4 => self.blocks::<1024, 16>(last, control),
            5 => self.blocks::<4096, 64>(last, control),
            _ => self.blocks::<65_536, 1024>(last, control),
        }
    }

    fn blocks<const N: usize, const W: usize>(
        &mut self,
        last: usize,
        control: &mut Control,
    ) -> Result<(), BlockError> {
        let (moves, standing) = (&self.moves, &mut self.standing);
        match &mut self.values {
            Values::Narrow(values) => more::<u8, N, W>(moves, values, standing, last, control),
            Values::Wide(values) => more::<u16, N, W>(moves, values, standing, last, control),
        }
    }

    /// Returns the period that the known values prove, if any.
    fn proved(&self, control: &mut Control) -> Result<Option<NormalPeriod>, Stop> {
        let digits = self.moves.most_taken();
        // The numbers of values that must repeat, for the two theorems.
        let plain_window = (self.values.len() + digits).div_ceil(2).max(1);
        if !self.moves.has_constraint() {
            let last_rare = self.standing.rare.last().copied().unwrap_or(0) as usize;
            let window = plain_window.min((last_rare + digits).max(1));
            let Some(period) = self.latest_period(window, control)? else {
                // More values do not repeat either.
                return Ok(None);
            };
            let proved = self.proved_in_the_sparse_space(period, control)?;
            if proved.is_some() || window == plain_window {
                return Ok(proved.or_else(|| self.proved_by_all(period)));
            }
        }
        let period = self.latest_period(plain_window, control)?;
        Ok(period.and_then(|period| self.proved_by_all(period)))
    }

    /// Returns the least period of the last `window` values.
    fn latest_period(
        &self,
        window: usize,
        control: &mut Control,
    ) -> Result<Option<NimPeriod>, Stop> {
        let found = match &self.values {
            Values::Narrow(values) => repeats::latest(values, window, control)?,
            Values::Wide(values) => repeats::latest(values, window, control)?,
        };
        Ok(found.map(|(period, preperiod)| NimPeriod {
            period: period as u32,
            preperiod: preperiod as u32,
        }))
    }

    /// Returns the claim of a period, if the theorem on periods of the game proves it.
    fn proved_by_all(&self, found: NimPeriod) -> Option<NormalPeriod> {
        let plain = (self.code).heaps_to_prove(found.preperiod, found.period);
        (plain <= self.heap().into()).then(|| self.claim(found, plain as u32))
    }

    /// Returns the claim of a period, if the sparse space proves it.
    ///
    /// It tries the fewest heaps that may suffice, and then all that are known.
    fn proved_in_the_sparse_space(
        &self,
        found: NimPeriod,
        control: &mut Control,
    ) -> Result<Option<NormalPeriod>, Stop> {
        let last_rare = self.standing.rare.last().copied().unwrap_or(0);
        let fewest = u64::from(found.preperiod.max(1))
            + u64::from(found.period)
            + self.moves.most_taken() as u64
            + u64::from(last_rare)
            - 1;
        let known = self.heap();
        let classes_repeat = !self.standing.space.parity || found.period.is_multiple_of(2);
        if fewest <= known.into() && classes_repeat {
            for heaps in [fewest as u32, known] {
                let claimed = self.claim(found, heaps);
                if self.rare_numbers_stay(&claimed, control)? {
                    return Ok(Some(claimed));
                }
            }
        }
        Ok(None)
    }

    fn claim(&self, found: NimPeriod, heaps: u32) -> NormalPeriod {
        let rare = &self.standing.rare;
        NormalPeriod {
            code: self.code.clone(),
            period: found.period,
            preperiod: found.preperiod,
            heaps,
            mask: self.standing.space.mask,
            parity: self.standing.space.parity,
            rare: rare[..rare.partition_point(|&heap| heap <= heaps)].to_vec(),
        }
    }

    /// Reports whether the rare numbers are met by options with a heap that repeats.
    ///
    /// It checks each rare number less than the value of one of the last `period` heaps.
    fn rare_numbers_stay(&self, claim: &NormalPeriod, control: &mut Control) -> Result<bool, Stop> {
        let start = claim.preperiod.max(1) as usize;
        let first = (claim.heaps - claim.period) as usize + 1;
        // Then one of the two heaps is always large enough.
        if first >= 2 * start + self.moves.most_taken() {
            return Ok(true);
        }
        let of = |heap: usize| self.values.get(heap).unwrap_or(0) as usize;
        for heap in first..=claim.heaps as usize {
            let value = of(heap);
            let mut met: Vec<bool> = (0..value)
                .map(|number| !self.standing.space.is_rare(number, heap))
                .collect();
            let mut missing = met.iter().filter(|&&met| !met).count();
            let mut meet = |number: usize| {
                if met.get(number) == Some(&false) {
                    met[number] = true;
                    missing -= 1;
                }
                missing == 0
            };
            // A number that is common, or not small enough, changes nothing.
            let mut done = meet(value);
            for rest in self
                .moves
                .single(heap)
                .flatten()
                .filter(|&rest| rest >= start)
            {
                done = done || meet(of(rest));
            }
            let totals = self.moves.splits().iter();
            for total in totals.filter_map(|&taken| heap.checked_sub(taken)) {
                let mut looked_at = 0;
                for one in 1..=total.saturating_sub(start) {
                    if done {
                        break;
                    }
                    looked_at += 1;
                    done = meet(of(one) ^ of(total - one));
                }
                control.spend(20 + 2 * looked_at)?;
            }
            if !done {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Appends blocks of values.
fn more<V: Value, const N: usize, const W: usize>(
    moves: &Moves,
    values: &mut Vec<V>,
    standing: &mut BlockState,
    last: usize,
    control: &mut Control,
) -> Result<(), BlockError> {
    let mut rows = Rows::<V, N, W>::new(standing.space);
    let until = control.fuel_spent() + KEEP_AGAIN;
    while values.len() <= last && control.fuel_spent() < until {
        rows.extend(moves, values, standing, last, control)?;
        control.report(Progress {
            heap: (values.len() - 1) as u32,
            order: 0,
        });
    }
    Ok(())
}

/// The fuel between two calls of `keep`.
const KEEP_AGAIN: u64 = 10_000_000;
