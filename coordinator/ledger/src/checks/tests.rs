//! Tests: certificates go to checkers, and come back from them.

use super::*;

const KEY: [u8; 32] = [7; 32];

fn ledger(first_one_in: u32) -> CheckLedger {
    let trust = TrustConfig {
        first_one_in,
        ..CheckConfig::USUAL.trust
    };
    let config = CheckConfig {
        trust,
        ..CheckConfig::USUAL
    };
    CheckLedger::new(config, KEY)
}

fn who(n: u8) -> WorkerIdentity {
    WorkerIdentity([n; 32])
}

fn task(n: u64) -> TaskId {
    TaskId([n as u8; 32])
}

#[test]
fn certificates_go_to_the_checker_with_the_most_room() {
    let mut ledger = ledger(0);
    let small = ledger.join(who(1), 1, Millis(0)).unwrap();
    let large = ledger.join(who(2), 3, Millis(0)).unwrap();
    for n in 0..100 {
        ledger.submit(task(n), 100, Millis(0));
    }
    let sent = ledger.send(Millis(0));
    let of = |checker| sent.iter().filter(|(to, _)| *to == checker).count();
    assert_eq!((of(small), of(large)), (16, 48));
    let counts = ledger.counts();
    assert_eq!((counts.checkers, counts.waiting, counts.sent), (2, 36, 64));
    // The oldest go first.
    let oldest: Vec<u64> = sent.iter().map(|(_, check)| check.0).collect();
    assert_eq!(oldest, (0..64).collect::<Vec<_>>());
}

#[test]
fn a_checker_holds_a_bounded_number_of_bytes() {
    let mut ledger = ledger(0);
    ledger.join(who(1), 8, Millis(0)).unwrap();
    for n in 0..8 {
        ledger.submit(task(n), 3 << 20, Millis(0));
    }
    assert_eq!(ledger.send(Millis(0)).len(), 3);
}

#[test]
fn accepted_certificates_are_believed_and_refused_ones_are_checked_here() {
    let mut ledger = ledger(0);
    let checker = ledger.join(who(1), 1, Millis(0)).unwrap();
    let good = ledger.submit(task(1), 1, Millis(0));
    let bad = ledger.submit(task(2), 1, Millis(0));
    let hard = ledger.submit(task(3), 1, Millis(0));
    ledger.send(Millis(0));
    assert!(ledger.holds(checker, good) && !ledger.holds(CheckerId(9), good));
    let believed = ledger.verdict(checker, good, CheckVerdict::Accepted);
    assert_eq!(believed, NextStep::Believe(who(1)));
    // The same answer once more changes nothing.
    let again = ledger.verdict(checker, good, CheckVerdict::Accepted);
    assert_eq!(again, NextStep::Nothing);
    let refused = ledger.verdict(checker, bad, CheckVerdict::Refused);
    assert_eq!(refused, NextStep::CheckHere);
    let unable = ledger.verdict(checker, hard, CheckVerdict::Unable);
    assert_eq!(unable, NextStep::CheckHere);
    // The coordinator agrees about the first, and does not ask about the second.
    assert_eq!(ledger.settled(bad, Some(false)), None);
    assert_eq!(ledger.settled(hard, Some(true)), None);
    assert_eq!((ledger.counts().believed, ledger.counts().errors), (1, 0));
}

#[test]
fn a_checker_that_errs_is_out_with_all_its_connections() {
    for (verdict, truth) in [
        (CheckVerdict::Accepted, false),
        (CheckVerdict::Refused, true),
    ] {
        let mut ledger = ledger(1);
        let first = ledger.join(who(1), 1, Millis(0)).unwrap();
        let second = ledger.join(who(1), 1, Millis(0)).unwrap();
        let other = ledger.join(who(2), 1, Millis(0)).unwrap();
        let checks: Vec<CheckId> = (0..3)
            .map(|n| ledger.submit(task(n), 1, Millis(0)))
            .collect();
        let sent: BTreeMap<CheckId, CheckerId> = ledger
            .send(Millis(0))
            .into_iter()
            .map(|(to, it)| (it, to))
            .collect();
        let wrong = *checks.iter().find(|check| sent[check] == first).unwrap();
        assert_eq!(ledger.verdict(first, wrong, verdict), NextStep::CheckHere);
        assert_eq!(ledger.settled(wrong, Some(truth)), Some(who(1)));
        assert_eq!(ledger.expel(who(1)), [first, second]);
        // What the second connection held goes to the other checker.
        let left: Vec<CheckerId> = ledger.send(Millis(0)).iter().map(|sent| sent.0).collect();
        assert_eq!(left, [other]);
        assert_eq!(ledger.counts().errors, 1);
    }
}

#[test]
fn a_check_without_a_decision_blames_no_checker() {
    let mut ledger = ledger(1);
    let checker = ledger.join(who(1), 1, Millis(0)).unwrap();
    let check = ledger.submit(task(1), 1, Millis(0));
    ledger.send(Millis(0));
    ledger.verdict(checker, check, CheckVerdict::Accepted);
    assert_eq!(ledger.settled(check, None), None);
    assert_eq!(ledger.counts().errors, 0);
}

#[test]
fn certificates_do_not_wait_for_ever() {
    let mut ledger = ledger(0);
    let checker = ledger.join(who(1), 1, Millis(0)).unwrap();
    let checks: Vec<CheckId> = (0..20)
        .map(|n| ledger.submit(task(n), 1, Millis(0)))
        .collect();
    ledger.send(Millis(0));
    assert_eq!(ledger.overdue(Millis(9_999)), (vec![], vec![]));
    let (late, _) = ledger.overdue(Millis(10_000));
    assert_eq!(late, checks[16..], "no checker was free for these");
    let (late, away) = ledger.overdue(Millis(120_000));
    assert_eq!((late, away), (checks[..16].to_vec(), vec![]));
    // One that left certificates unanswered gets one at a time, until it answers.
    let mut next = 0;
    let mut leave_one = |ledger: &mut CheckLedger, now| {
        next += 1;
        ledger.submit(task(next), 1, now);
        ledger.submit(task(next), 1, now);
        let sent = ledger.send(now);
        assert_eq!(sent.len(), 1);
        ledger.overdue(now.after(120_000)).1
    };
    assert!(leave_one(&mut ledger, Millis(200_000)).is_empty());
    assert_eq!(leave_one(&mut ledger, Millis(400_000)), [checker]);
    let refused = ledger.join(who(1), 1, Millis(520_000));
    assert_eq!(refused, Err(UnansweredError(600_000)));
    assert!(ledger.join(who(1), 1, Millis(1_120_000)).is_ok());
}

#[test]
fn without_checkers_nothing_waits() {
    let mut ledger = ledger(0);
    let checker = ledger.join(who(1), 1, Millis(0)).unwrap();
    let check = ledger.submit(task(1), 1, Millis(0));
    ledger.send(Millis(0));
    ledger.leave(checker);
    assert_eq!(ledger.overdue(Millis(1)).0, [check]);
    // The checker does not hold it any more.
    let late = ledger.verdict(checker, check, CheckVerdict::Accepted);
    assert_eq!(late, NextStep::Nothing);
    assert_eq!(ledger.settled(check, Some(true)), None);
}

#[test]
fn a_share_of_what_is_accepted_is_checked_again() {
    let mut ledger = ledger(32);
    let checker = ledger.join(who(1), 64, Millis(0)).unwrap();
    let mut sampled = 0;
    for n in 0..1_000 {
        let check = ledger.submit(task(n), 1, Millis(0));
        ledger.send(Millis(0));
        if ledger.verdict(checker, check, CheckVerdict::Accepted) == NextStep::CheckHere {
            sampled += 1;
            assert_eq!(ledger.settled(check, Some(true)), None);
        }
    }
    assert!((15..60).contains(&sampled), "{sampled} of 1000");
    assert_eq!(ledger.counts().sampled, sampled);
}
