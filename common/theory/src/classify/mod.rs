//! Which misère quotients of small order are there?

mod canonical;
mod extension;
mod levels;
mod paired;
mod validity;

pub use levels::Level;
pub use paired::MAX_ORDER;

/// Measure.
pub fn measure(most: usize) {
    let mut levels = levels::Levels::new(most, crate::control::Interrupt::default());
    let start = std::time::Instant::now();
    while let Ok(Some(level)) = levels.next() {
        let keys: std::collections::BTreeSet<_> = level
            .valid
            .iter()
            .filter(|valid| valid.is_reduced)
            .map(|valid| valid.monoid.unpaired(&valid.sequence).class_key())
            .collect();
        eprintln!(
            "{} candidates {} valid {} reduced {} quotients {} nodes {} leaves {} passed {} t {:?}",
            level.order,
            level.candidates,
            level.valid.len(),
            level.valid.iter().filter(|valid| valid.is_reduced).count(),
            keys.len(),
            level.nodes,
            level.leaves,
            level.passed,
            start.elapsed()
        );
    }
}
