use misere_census::{Budget, certificate};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};

use super::*;

/// A source that records its calls.
struct RecordingSource<const TOGETHER: bool> {
    claimed: Vec<u32>,
    settled: Vec<Vec<(u32, bool)>>,
    given_up: Vec<u32>,
}

impl<const TOGETHER: bool> RecordingSource<TOGETHER> {
    fn new() -> Self {
        Self {
            claimed: Vec::new(),
            settled: Vec::new(),
            given_up: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Stale(u32),
    Settled(u32, bool),
    GivenUp(u32),
}

impl<const TOGETHER: bool> Source for RecordingSource<TOGETHER> {
    type Right = u32;
    type Loss = ();
    type Answer = Said;
    type Error = &'static str;

    const SETTLING: Settling = match TOGETHER {
        true => Settling::Together,
        false => Settling::AsTheyCome,
    };
    const MAY_BE_SENT: bool = true;

    /// Claims all leases but every third, which is stale.
    async fn claim(
        &mut self,
        handed: &[PendingCertificate<u32>],
    ) -> Result<Vec<ClaimResult<Said>>, &'static str> {
        let claimed = handed.iter().map(|&PendingCertificate { right, .. }| {
            if right.is_multiple_of(3) {
                return ClaimResult::Answered(Said::Stale(right));
            }
            self.claimed.push(right);
            ClaimResult::For(task())
        });
        Ok(claimed.collect())
    }

    async fn settle(
        &mut self,
        verified: Vec<CheckedCertificate<u32>>,
    ) -> Result<Vec<Said>, &'static str> {
        let group: Vec<(u32, bool)> = verified
            .iter()
            .map(|verified| (verified.right, verified.verification.is_ok()))
            .collect();
        self.settled.push(group.clone());
        let settled = group.into_iter();
        Ok(settled
            .map(|(right, taken)| Said::Settled(right, taken))
            .collect())
    }

    async fn give_up(&mut self, right: u32, (): ()) -> Result<Said, &'static str> {
        self.given_up.push(right);
        Ok(Said::GivenUp(right))
    }

    fn unverified(&self) -> Result<Said, &'static str> {
        Err("the checkers were stopped")
    }
}

fn task() -> Task {
    Task::game("0.3".parse().unwrap(), Vec::new(), Budget::default())
}

fn good() -> Vec<u8> {
    let control = &mut Control::new(Budget::default().fuel, Interrupt::default());
    let limits = Limits::default();
    let solution = solve(&"0.3".parse().unwrap(), &limits, Strategy::Exact, control);
    certificate::encode(&solution).unwrap()
}

/// Returns certificates, every second of them invalid, and one result without a certificate.
fn submissions<const TOGETHER: bool>() -> Vec<Submission<RecordingSource<TOGETHER>>> {
    let good = good();
    let outcome = |right: u32| match right {
        7 => Err(()),
        right if right.is_multiple_of(2) => Ok(good.clone()),
        _ => Ok(b"nonsense".to_vec()),
    };
    (0..10)
        .map(|right| Submission {
            right,
            outcome: outcome(right),
        })
        .collect()
}

fn answered() -> Vec<Said> {
    let said = |right: u32| match right {
        7 => Said::GivenUp(right),
        right if right.is_multiple_of(3) => Said::Stale(right),
        right => Said::Settled(right, right.is_multiple_of(2)),
    };
    (0..10).map(said).collect()
}

#[tokio::test]
async fn answers_keep_their_order_and_claims_are_settled_once() {
    let verifier = CertificateVerifier::new(2).unwrap();
    let mut source = RecordingSource::<false>::new();
    let answers = submit(&mut source, &verifier, submissions()).await;
    assert_eq!(answers, Ok(answered()));
    assert_eq!(source.given_up, [7]);
    let mut settled: Vec<u32> = source.settled.concat().iter().map(|&(at, _)| at).collect();
    settled.sort_unstable();
    assert_eq!(settled, source.claimed);
}

#[tokio::test]
async fn a_group_is_settled_at_once_and_in_order() {
    let verifier = CertificateVerifier::new(2).unwrap();
    let mut source = RecordingSource::<true>::new();
    let answers = submit(&mut source, &verifier, submissions()).await;
    assert_eq!(answers, Ok(answered()));
    let settled: Vec<u32> = source.settled.concat().iter().map(|&(at, _)| at).collect();
    assert_eq!((source.settled.len(), settled), (1, source.claimed));
}

#[tokio::test]
async fn nothing_is_claimed_where_there_is_no_certificate() {
    let verifier = CertificateVerifier::new(1).unwrap();
    let mut source = RecordingSource::<true>::new();
    let nothing = (0..3).map(|right| Submission {
        right,
        outcome: Err(()),
    });
    let answers = submit(&mut source, &verifier, nothing.collect()).await;
    assert_eq!(answers, Ok((0..3).map(Said::GivenUp).collect()));
    assert!(source.claimed.is_empty() && source.settled.is_empty());
    assert_eq!(submit(&mut source, &verifier, Vec::new()).await, Ok(vec![]));
}
