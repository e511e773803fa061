//! The limit on the memory of messages that workers send and receive.
//!
//! Memory is reserved as certificates and checkpoints arrive, not as they are announced, and one
//! sender has at most three eighths of it: streams that announce much and send nothing take
//! nothing. Small messages have a pool of their own, so that large ones cannot keep them
//! out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use misere_census::{MAX_CERTIFICATE_BYTES, WorkerId};
use misere_proto::CallError;
use tokio::time::Instant;
use tonic::Status;

use super::caller::Fingerprint;

/// The greatest memory of all certificates and checkpoints in transit.
const BUDGET_BYTES: usize = 4 * MAX_CERTIFICATE_BYTES;

/// The greatest memory of one sender.
const SHARE_BYTES: usize = BUDGET_BYTES / 8 * 3;

/// The greatest memory of small reports, beside the room.
const SMALL_MESSAGES_BYTES: usize = 32 << 20;

/// The greatest size of one report that the pool of small messages takes.
///
/// Workers put up to 512 small certificates of up to 256 KiB together.
const SMALL_BYTES: usize = 512 << 10;

/// The size of the pieces in which room is taken, in bytes.
const PIECE_BYTES: usize = 64 << 10;

/// The longest pause between two parts of a stream.
pub(super) const NEXT_PART: Duration = Duration::from_secs(30);

/// The number of bytes that a stream must have delivered per second beyond [`NEXT_PART`].
const MIN_BYTES_PER_SECOND: u64 = 32 << 10;

/// The sender to whose share the memory counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sender {
    /// The owner of a certificate.
    Certificate(Fingerprint),
    /// The worker, where no certificates are shown.
    Worker(WorkerId),
}

/// The memory for the messages in transit.
#[derive(Clone, Debug, Default)]
pub(super) struct MessageBudget(Arc<Mutex<BudgetUse>>);

#[derive(Debug, Default)]
struct BudgetUse {
    room: usize,
    small_messages: usize,
    by: BTreeMap<Sender, usize>,
}

/// The memory that one stream has reserved; released when it is dropped.
#[derive(Debug)]
pub(super) struct BudgetReservation {
    room: MessageBudget,
    place: Place,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    SmallMessages,
    Room(Sender),
}

impl MessageBudget {
    fn taken(&self) -> MutexGuard<'_, BudgetUse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an empty reservation in the pool of small messages.
    pub(super) fn enter(&self) -> BudgetReservation {
        BudgetReservation {
            room: self.clone(),
            place: Place::SmallMessages,
            bytes: 0,
        }
    }

    /// Returns an empty reservation in the share of a sender who holds the lease.
    pub(super) fn reserve(&self, sender: Sender) -> BudgetReservation {
        BudgetReservation {
            room: self.clone(),
            place: Place::Room(sender),
            bytes: 0,
        }
    }
}

impl BudgetReservation {
    /// Reports whether the stream is small, so that its leases need not be looked up yet.
    pub(super) fn is_of_small_messages(&self) -> bool {
        matches!(self.place, Place::SmallMessages)
    }

    /// Extends the reservation to `bytes` in all.
    ///
    /// # Errors
    /// [`CallError::Busy`] if no memory is left, or the sender has its share. Memory already
    /// reserved stays reserved.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), CallError> {
        let bytes = bytes.next_multiple_of(PIECE_BYTES);
        let Some(more) = bytes.checked_sub(self.bytes).filter(|&more| more > 0) else {
            return Ok(());
        };
        let mut taken = self.room.taken();
        match self.place {
            Place::SmallMessages => {
                if bytes > SMALL_BYTES || taken.small_messages + more > SMALL_MESSAGES_BYTES {
                    return Err(CallError::Busy);
                }
                taken.small_messages += more;
            }
            Place::Room(sender) => {
                let share = taken.by.get(&sender).copied().unwrap_or_default();
                if taken.room + more > BUDGET_BYTES || share + more > SHARE_BYTES {
                    return Err(CallError::Busy);
                }
                taken.room += more;
                taken.by.insert(sender, share + more);
            }
        }
        drop(taken);
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for BudgetReservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut taken = self.room.taken();
        match self.place {
            Place::SmallMessages => taken.small_messages -= self.bytes,
            Place::Room(sender) => {
                taken.room -= self.bytes;
                if let Some(share) = taken.by.get_mut(&sender) {
                    *share -= self.bytes;
                    if *share == 0 {
                        taken.by.remove(&sender);
                    }
                }
            }
        }
    }
}

/// The least pace of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace(Instant);

impl Pace {
    /// Starts the clock of a stream that begins now.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Waits for the next part of a stream after `bytes` bytes.
    ///
    /// # Errors
    /// If it comes too late.
    pub(super) async fn next<T>(
        self,
        received: usize,
        part: impl Future<Output = T>,
    ) -> Result<T, Status> {
        let earned = NEXT_PART + Duration::from_secs(received as u64 / MIN_BYTES_PER_SECOND);
        let until = (self.0 + earned).min(Instant::now() + NEXT_PART);
        let part = tokio::time::timeout_at(until, part).await;
        part.map_err(|_| Status::deadline_exceeded("the stream is too slow, or does not go on"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Sender = Sender::Worker(WorkerId(1));
    const TWO: Sender = Sender::Worker(WorkerId(2));

    #[test]
    fn one_sender_has_a_share_and_gives_it_back() {
        let room = MessageBudget::default();
        let mut one = room.reserve(ONE);
        assert_eq!(one.grow(MAX_CERTIFICATE_BYTES), Ok(()));
        let mut more = room.reserve(ONE);
        assert_eq!(more.grow(MAX_CERTIFICATE_BYTES), Err(CallError::Busy));
        assert_eq!(room.reserve(TWO).grow(MAX_CERTIFICATE_BYTES), Ok(()));
        drop(one);
        assert_eq!(more.grow(MAX_CERTIFICATE_BYTES), Ok(()));
        drop(more);
        let taken = room.taken();
        assert!(taken.room == 0 && taken.by.is_empty());
    }

    #[test]
    fn the_room_is_bounded_and_small_reports_pass_by() {
        let room = MessageBudget::default();
        let full: Vec<_> = (0..4)
            .map(|worker| {
                let mut reserved = room.reserve(Sender::Worker(WorkerId(worker)));
                assert_eq!(reserved.grow(MAX_CERTIFICATE_BYTES), Ok(()));
                reserved
            })
            .collect();
        assert_eq!(room.reserve(TWO).grow(1), Err(CallError::Busy));
        let mut small = room.enter();
        assert_eq!(small.grow(SMALL_BYTES), Ok(()));
        assert_eq!(small.grow(SMALL_BYTES + 1), Err(CallError::Busy));
        drop((full, small));
        let taken = room.taken();
        assert!(taken.room == 0 && taken.small_messages == 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_trickle_is_cut() {
        let pace = Pace::start();
        let mut received = 0;
        let second = || tokio::time::sleep(Duration::from_secs(1));
        for _ in 0..29 {
            pace.next(received, second()).await.unwrap();
            received += 1;
        }
        let next = pace.next(received, tokio::time::sleep(Duration::from_secs(2)));
        assert!(next.await.is_err());
        let pace = Pace::start();
        for _ in 0..100 {
            pace.next(received, second()).await.unwrap();
            received += 40 << 10;
        }
    }
}
