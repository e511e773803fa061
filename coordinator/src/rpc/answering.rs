//! The streaming of long answers to readers that may be slow or gone.
//!
//! Few searches run at once, and answers are sent in parts. A client that does not read keeps
//! neither a turn nor, for long, a thread: a search gives its turn back while its parts wait, ends
//! when they have waited for half a minute, and ends at once when it has waited longest of too
//! many. The rest of its answer is dropped, so that it takes no memory.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use misere_proto::v1;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_stream::Stream;
use tonic::Status;

/// The number of parts of one answer that may wait for the reader.
const PARTS: usize = 4;

/// The number of searches at once; others wait.
const SEARCHES: usize = 4;

/// The greatest number of answers that wait for their readers; one more drops the oldest.
const UNREAD: usize = 32;

/// The time in which a reader has to read on.
const READ_ON: Duration = Duration::from_secs(30);

type Part = Result<v1::FindReply, Status>;

/// The turns of the searches, and the answers that wait for their readers.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    searches: Arc<Semaphore>,
    unread: Arc<Mutex<UnreadAnswers>>,
}

#[derive(Debug, Default)]
struct UnreadAnswers {
    numbers: u64,
    /// The channels that notify each waiting answer when it is dropped.
    waiting: BTreeMap<u64, oneshot::Sender<()>>,
}

/// The writing end of an answer.
pub(super) struct Answer {
    turns: Turns,
    /// The turn, held during the search.
    turn: Option<OwnedSemaphorePermit>,
    sender: mpsc::Sender<Part>,
    parts: Parts,
}

/// The parts that wait, until they are dropped.
type Parts = Arc<Mutex<Option<mpsc::Receiver<Part>>>>;

/// The reading end of an answer.
#[derive(Debug)]
pub struct Replies {
    parts: Parts,
    is_over: bool,
}

/// The error of an answer whose reader has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReaderGoneError;

impl Default for Turns {
    fn default() -> Self {
        Self {
            searches: Arc::new(Semaphore::new(SEARCHES)),
            unread: Arc::default(),
        }
    }
}

impl Turns {
    /// Waits for a turn, and returns the two ends of an answer.
    pub(super) async fn next(&self) -> Result<(Answer, Replies), Status> {
        let turn = Arc::clone(&self.searches).acquire_owned().await;
        let turn = turn.map_err(|closed| Status::unavailable(closed.to_string()))?;
        let (sender, receiver) = mpsc::channel(PARTS);
        let parts = Arc::new(Mutex::new(Some(receiver)));
        let answer = Answer {
            turns: self.clone(),
            turn: Some(turn),
            sender,
            parts: Arc::clone(&parts),
        };
        let replies = Replies {
            parts,
            is_over: false,
        };
        Ok((answer, replies))
    }

    fn unread(&self) -> MutexGuard<'_, UnreadAnswers> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the reader; `None` if the reader does not read on.
    async fn wait<T>(&self, read: impl Future<Output = T>) -> Option<T> {
        let (sender, given_up) = oneshot::channel();
        let number = {
            let mut unread = self.unread();
            unread.numbers += 1;
            let number = unread.numbers;
            unread.waiting.insert(number, sender);
            if unread.waiting.len() > UNREAD
                && let Some((_, oldest)) = unread.waiting.pop_first()
            {
                // A failure means that it has just been read.
                let _ = oldest.send(());
            }
            number
        };
        let read = tokio::select! {
            read = read => Some(read),
            _ = given_up => None,
            () = tokio::time::sleep(READ_ON) => None,
        };
        self.unread().waiting.remove(&number);
        read
    }
}

impl Answer {
    /// Sends a part.
    ///
    /// Blocks until there is room for it, without keeping others from their turn.
    ///
    /// # Errors
    /// [`ReaderGoneError`] if the reader has gone.
    pub(super) fn send(&mut self, part: Part) -> Result<(), ReaderGoneError> {
        let part = match self.sender.try_send(part) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(ReaderGoneError),
            Err(mpsc::error::TrySendError::Full(part)) => part,
        };
        self.turn = None;
        let sent = Handle::current().block_on(self.turns.wait(self.sender.send(part)));
        match sent {
            Some(Ok(())) => {}
            Some(Err(_)) => return Err(ReaderGoneError),
            None => {
                self.release();
                return Err(ReaderGoneError);
            }
        }
        let searches = Arc::clone(&self.turns.searches);
        let turn = Handle::current().block_on(searches.acquire_owned());
        self.turn = Some(turn.map_err(|_| ReaderGoneError)?);
        Ok(())
    }

    /// Sends the last part without waiting for the reader.
    pub(super) fn finish(mut self, part: Part) {
        if self.send(part).is_err() {
            return;
        }
        self.turn = None;
        tokio::spawn(async move {
            let all_read = self.sender.reserve_many(PARTS);
            if self.turns.wait(all_read).await.is_none() {
                self.release();
            }
        });
    }

    fn release(&self) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        *parts = None;
        tracing::info!("an answer was dropped: its reader does not read");
    }
}

impl Stream for Replies {
    type Item = Part;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Part>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let next = {
            let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            match parts.as_mut() {
                Some(parts) => ready!(parts.poll_recv(context)),
                None => Some(Err(Status::deadline_exceeded(
                    "the answer was not read for too long; ask again",
                ))),
            }
        };
        self.is_over = !matches!(next, Some(Ok(_)));
        Poll::Ready(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_stream::StreamExt;

    fn part() -> Part {
        Ok(v1::FindReply::default())
    }

    /// Searches for an answer of `parts` parts, and returns whether it was read.
    async fn search(turns: &Turns, parts: usize) -> (Replies, tokio::task::JoinHandle<bool>) {
        let (mut answer, replies) = turns.next().await.unwrap();
        let searching = tokio::task::spawn_blocking(move || {
            for _ in 1..parts {
                if answer.send(part()).is_err() {
                    return false;
                }
            }
            answer.finish(part());
            true
        });
        (replies, searching)
    }

    #[tokio::test]
    async fn a_reader_that_does_not_read_keeps_no_turn() {
        let turns = Turns::default();
        let mut silent = Vec::new();
        for _ in 0..2 * SEARCHES {
            silent.push(search(&turns, 100).await);
        }
        let (replies, searching) = search(&turns, 100).await;
        let read: Vec<_> = replies.collect().await;
        assert!(read.len() == 100 && read.iter().all(Result::is_ok));
        assert!(searching.await.unwrap());
        drop(silent);
    }

    #[tokio::test]
    async fn the_oldest_of_too_many_answers_is_dropped() {
        let turns = Turns::default();
        let mut silent = Vec::new();
        for _ in 0..=UNREAD {
            silent.push(search(&turns, 100).await);
        }
        let (replies, searching) = silent.remove(0);
        assert!(!searching.await.unwrap());
        let read: Vec<_> = replies.collect().await;
        assert!(
            matches!(&read[..], [Err(status)] if status.code() == tonic::Code::DeadlineExceeded)
        );
        drop(silent);
    }

    #[tokio::test(start_paused = true)]
    async fn unread_parts_are_dropped() {
        let turns = Turns::default();
        let (mut answer, replies) = turns.next().await.unwrap();
        answer.send(part()).unwrap();
        answer.finish(part());
        tokio::time::sleep(READ_ON * 2).await;
        let read: Vec<_> = replies.collect().await;
        assert!(matches!(&read[..], [Err(_)]));
    }
}
