//! The threads on which the census is read and computed with.
//!
//! Requests must not slow down the coordinator, so their number is limited; requests that compute
//! for seconds must not keep the others waiting, so theirs is smaller.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::error::RequestError;

/// The number of requests that use a thread at once.
const READERS: usize = 4;

/// The number of them that compute.
const COMPUTATIONS: usize = 2;

/// The time that a computation waits for others.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(8);

/// The threads for work that may block.
#[derive(Debug)]
pub(super) struct Threads {
    readers: Arc<Semaphore>,
    computations: Arc<Semaphore>,
    /// The time that a computation waits for others.
    queue_time: Duration,
}

impl Threads {
    pub(super) fn new() -> Self {
        Self {
            readers: Arc::new(Semaphore::new(READERS)),
            computations: Arc::new(Semaphore::new(COMPUTATIONS)),
            queue_time: MAX_QUEUE_TIME,
        }
    }

    /// Calls a function on a thread for work that may block.
    ///
    /// # Errors
    /// That of the function, or [`RequestError::Internal`] if it panics.
    pub(super) async fn block<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let readers = Arc::clone(&self.readers).acquire_owned();
        let permit = readers.await.map_err(|_| RequestError::Busy)?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            // Released when the work is done, whether or not the caller still waits for it.
            drop(permit);
            done
        });
        done.await.map_err(|error| {
            tracing::error!(%error, "a page failed");
            RequestError::Internal
        })?
    }

    /// Calls a function that may compute for seconds, as [`block`](Self::block) does.
    ///
    /// # Errors
    /// As `block`, or [`RequestError::Busy`] if other computations take too long.
    pub(super) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let computations = Arc::clone(&self.computations).acquire_owned();
        let Ok(Ok(permit)) = timeout(self.queue_time, computations).await else {
            return Err(RequestError::Busy);
        };
        self.block(move || {
            let done = work();
            drop(permit);
            done
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn computations_leave_threads_to_readers() {
        let threads = Arc::new(Threads {
            queue_time: Duration::from_millis(10),
            ..Threads::new()
        });
        let (begun, beginnings) = mpsc::channel();
        let mut ends = Vec::new();
        let computing: Vec<_> = (0..COMPUTATIONS)
            .map(|_| {
                let (end, ended) = mpsc::channel::<()>();
                ends.push(end);
                let (threads, begun) = (Arc::clone(&threads), begun.clone());
                tokio::spawn(async move {
                    let work = move || {
                        begun.send(()).ok();
                        ended.recv().ok();
                        Ok(())
                    };
                    threads.compute(work).await
                })
            })
            .collect();
        tokio::task::spawn_blocking(move || beginnings.iter().take(COMPUTATIONS).for_each(drop))
            .await
            .unwrap();
        assert_eq!(threads.block(|| Ok(7)).await.unwrap(), 7);
        let refused = threads.compute(|| Ok(())).await;
        assert!(matches!(refused, Err(RequestError::Busy)));
        ends.clear();
        for one in computing {
            one.await.unwrap().unwrap();
        }
        threads.compute(|| Ok(())).await.unwrap();
    }
}
