//! The lane in which certificates that take much memory wait for one another.
//!
//! One piece of work at a time goes to the pool; the others wait in a line and occupy no thread.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) type Work = Box<dyn FnOnce() + Send>;

/// A line of work that is done one piece at a time.
pub(super) struct Lane {
    pool: Arc<rayon::ThreadPool>,
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    is_busy: bool,
    waiting: VecDeque<Work>,
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lane")
    }
}

impl Lane {
    pub(super) fn new(pool: Arc<rayon::ThreadPool>) -> Self {
        Self {
            pool,
            line: Mutex::default(),
        }
    }

    /// Puts work at the end of the line.
    pub(super) fn submit(self: &Arc<Self>, work: Work) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.is_busy {
            line.waiting.push_back(work);
        } else {
            line.is_busy = true;
            self.begin(work);
        }
    }

    fn begin(self: &Arc<Self>, work: Work) {
        let lane = Arc::clone(self);
        self.pool.spawn(move || {
            work();
            let mut line = lane.line.lock().unwrap_or_else(PoisonError::into_inner);
            match line.waiting.pop_front() {
                Some(next) => lane.begin(next),
                None => line.is_busy = false,
            }
        });
    }
}
