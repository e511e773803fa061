//! Tests: checks end in time, and large certificates wait for one another.

use misere_census::{Budget, GameTask};

use super::*;

fn task(code: &str) -> GameTask {
    GameTask {
        code: code.parse().unwrap(),
        aliases: vec![],
        budget: Budget::default(),
    }
}

/// Checks that an overlong check is refused as overdue, and that a stopped one is not.
#[test]
fn checks_end_in_time() {
    let verifier = CertificateVerifier::new(1).unwrap();
    let watched = verifier.deadlines.watch(Duration::from_millis(1));
    let stop = watched.interrupt();
    while !stop.is_raised() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(watched.is_overdue());
    let other = verifier.deadlines.watch(Duration::from_secs(1_000));
    verifier.stop();
    assert!(other.interrupt().is_raised() && !other.is_overdue());
    let late = verifier.deadlines.watch(Duration::from_secs(1_000));
    assert!(late.interrupt().is_raised() && !late.is_overdue());
}

#[test]
fn large_certificates_are_checked_one_after_the_other_and_all() {
    let verifier = CertificateVerifier::new(2).unwrap();
    let requests = (0..6).map(|at| CheckRequest {
        at,
        task: Task::Game(task("0.3")),
        certificate: vec![0; if at % 2 == 0 { LARGE_BYTES + 1 } else { 1 }],
    });
    let mut verifications = verifier.verify(requests.collect());
    let mut seen = std::collections::BTreeSet::new();
    while let Some(group) = verifications.blocking_recv() {
        for Verification {
            request, verified, ..
        } in group
        {
            assert!(matches!(verified, Err(VerificationError::Unreadable(_))));
            seen.insert(request.at);
        }
    }
    assert_eq!(seen.len(), 6);
}
