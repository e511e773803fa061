//! What a checker states of a certificate that it accepts.

use std::sync::LazyLock;

use misere_algebra::classify::batch::{Batch, Scheme};
use misere_census::admission::VerifiedResult;
use misere_census::{Budget, Task};

/// The tasks whose results are read: a game, and construction schemes.
pub static TASKS: LazyLock<[Task; 2]> = LazyLock::new(|| {
    let batch = Batch {
        most: 8,
        order: 2,
        schemes: vec![Scheme::first()],
    };
    [
        Task::game("0.123".parse().unwrap(), Vec::new(), Budget::default()),
        Task::schemes(batch, Budget::default()),
    ]
});

/// Reads what a checker states of a certificate.
///
/// What can be read is about one of the tasks, and is written and read as the same result.
pub fn result(bytes: &[u8]) {
    let stated = TASKS
        .each_ref()
        .map(|task| VerifiedResult::stated(task, bytes));
    assert!(stated.iter().filter(|stated| stated.is_ok()).count() < 2);
    for (task, stated) in TASKS.iter().zip(stated) {
        if let Ok(stated) = stated {
            let written = stated.state().unwrap();
            assert_eq!(VerifiedResult::stated(task, &written), Ok(stated));
        }
    }
}
