//! The sign of life of a worker: a file that is touched while its loop runs.
//!
//! A supervisor checks the file's age (`misere health`).

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The interval at which the file is touched.
const PERIOD: Duration = Duration::from_secs(2);

/// The file that shows that the loop runs.
#[derive(Debug)]
pub(crate) struct SignOfLife {
    file: PathBuf,
    due: Instant,
}

impl SignOfLife {
    pub(crate) fn new(file: PathBuf) -> Self {
        let due = Instant::now();
        Self { file, due }
    }

    /// Touches the file if it is time to.
    ///
    /// A disk that refuses it does not stop the worker; the supervisor will see an old file.
    pub(crate) fn give(&mut self, now: Instant) {
        if now < self.due {
            return;
        }
        self.due = now + PERIOD;
        if let Err(error) = std::fs::write(&self.file, format!("{}\n", std::process::id())) {
            tracing::warn!(file = %self.file.display(), %error, "cannot give a sign of life");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_given_now_and_then() {
        let file = std::env::temp_dir().join(format!("misere-alive-{}", std::process::id()));
        let mut sign = SignOfLife::new(file.clone());
        let now = Instant::now();
        sign.give(now);
        std::fs::remove_file(&file).unwrap();
        sign.give(now);
        assert!(!file.exists());
        sign.give(now + PERIOD);
        std::fs::remove_file(&file).unwrap();
        SignOfLife::new("/nowhere/at/all".into()).give(now + PERIOD);
    }
}
