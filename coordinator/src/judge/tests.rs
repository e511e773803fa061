//! Tests: checks end in time, and large certificates wait for one another.

use super::*;
use misere_census::{Budget, GameTask};

fn task(code: &str) -> GameTask {
    GameTask {
        code: code.parse().unwrap(),
        aliases: vec![],
        budget: Budget::default(),
    }
}

/// A check that takes too long is refused, and said to have been; one that is stopped is not.
#[test]
fn checks_end_in_time() {
    let judge = Judge::new(1).unwrap();
    let watched = judge.deadlines.watch(Duration::from_millis(1));
    let stop = watched.interrupt();
    while !stop.is_raised() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(watched.is_overdue());
    let other = judge.deadlines.watch(Duration::from_secs(1_000));
    judge.stop();
    assert!(other.interrupt().is_raised() && !other.is_overdue());
    let late = judge.deadlines.watch(Duration::from_secs(1_000));
    assert!(late.interrupt().is_raised() && !late.is_overdue());
}

#[test]
fn large_certificates_are_judged_one_after_the_other_and_all() {
    let judge = Judge::new(2).unwrap();
    let cases = (0..6).map(|at| Case {
        at,
        task: Task::Game(task("0.3")),
        certificate: vec![0; if at % 2 == 0 { LARGE_BYTES + 1 } else { 1 }],
    });
    let mut verdicts = judge.judge(cases.collect());
    let mut seen = std::collections::BTreeSet::new();
    while let Some(group) = verdicts.blocking_recv() {
        for (case, judged) in group {
            assert!(matches!(judged, Err(Refused::Unreadable(_))));
            seen.insert(case.at);
        }
    }
    assert_eq!(seen.len(), 6);
}
