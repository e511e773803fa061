//! A connection of a checker, and what is known of the checker over all its connections.

use std::collections::BTreeSet;

use misere_census::WorkerIdentity;

use super::super::Millis;
use super::{CheckConfig, CheckId};

/// The most slots that a checker is assumed to have, whatever it reports.
const MAX_SLOTS: u32 = 1024;

/// The number of times in a row that a checker may leave certificates unanswered.
const MAX_UNANSWERED: u32 = 3;

/// The number of answer times for which a checker that does not answer is kept away.
const TIMES_AWAY: u64 = 5;

/// A connection of a checker.
#[derive(Debug)]
pub(super) struct Checker {
    pub(super) identity: WorkerIdentity,
    slots: u32,
    pub(super) held: BTreeSet<CheckId>,
    bytes: usize,
}

impl Checker {
    pub(super) fn new(identity: WorkerIdentity, slots: u32) -> Self {
        Self {
            identity,
            slots: slots.clamp(1, MAX_SLOTS),
            held: BTreeSet::new(),
            bytes: 0,
        }
    }

    /// Returns how many more certificates it may hold, in thousandths of what it may hold at most.
    ///
    /// `None` if it may hold no more. One that left a certificate unanswered gets one at a time.
    pub(super) fn room(&self, standing: &Standing, config: &CheckConfig) -> Option<u64> {
        let most = match standing.unanswered {
            0 => u64::from(self.slots) * u64::from(config.per_slot.max(1)),
            _ => 1,
        };
        let left = most.saturating_sub(self.held.len() as u64);
        let has_room = left > 0 && self.bytes < config.bytes;
        has_room.then(|| left * 1000 / most)
    }

    pub(super) fn take(&mut self, check: CheckId, bytes: usize) {
        self.held.insert(check);
        self.bytes += bytes;
    }

    pub(super) fn give_back(&mut self, check: CheckId, bytes: usize) {
        if self.held.remove(&check) {
            self.bytes -= bytes;
        }
    }
}

/// What is known of a checker.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The certificates on which the coordinator agreed with it.
    pub(super) agreements: u32,
    /// The number of times in a row that it left certificates unanswered.
    pub(super) unanswered: u32,
    pub(super) has_erred: bool,
    /// The time until which it is kept away.
    away_until: Option<Millis>,
}

impl Standing {
    /// Returns the milliseconds for which it is kept away, if it is.
    pub(super) fn is_away(&self, now: Millis) -> Option<u64> {
        let until = self.away_until.filter(|&until| now < until)?;
        Some(until.since(now))
    }

    /// Records that it left certificates unanswered; returns whether it is to be sent away.
    pub(super) fn left_unanswered(&mut self, now: Millis, answer_ms: u64) -> bool {
        self.unanswered += 1;
        let is_away = self.unanswered >= MAX_UNANSWERED;
        if is_away {
            self.away_until = Some(now.after(answer_ms.saturating_mul(TIMES_AWAY)));
        }
        is_away
    }
}
