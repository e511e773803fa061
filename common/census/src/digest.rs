//! The digest of a census.
//!
//! The digest is the hash of the plan's name, of all records in ascending order of their codes, and
//! of the levels of the misère quotients, if the plan has any. It is the same for any machine, any
//! number of workers, any order of work and any faults (A-5), which makes it the oracle of every
//! fault test.

use crate::stable_hasher::StableHasher;
use crate::{Plan, Record};

pub use crate::id::{CensusDigest, CertificateDigest, CertificatesDigest};

/// A digest of all certificates under construction.
///
/// It covers those of records in ascending order of their codes, then those of the batches of
/// construction schemes of complete levels, in their order.
///
/// The digest of the census covers what certificates claim, and not how they prove it. This one
/// covers every byte of them, including fuel and evidence. Honest workers of one release make the
/// same bytes of the same task, no matter how often they were stopped; another release may prove
/// the same in another way.
#[derive(Debug)]
pub struct CertificatesDigestBuilder {
    facts: StableHasher,
    certificates: u64,
}

impl CertificatesDigestBuilder {
    /// Creates an empty digest of certificates for a census of `plan`.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self {
            facts: StableHasher::of("misere certificates 1").bytes(&plan.id().0),
            certificates: 0,
        }
    }

    /// Adds the next certificate, under the name of its subject.
    ///
    /// Cost: linear in the bytes of the certificate.
    ///
    /// ```
    /// use misere_census::digest::CertificatesDigestBuilder;
    /// use misere_census::{Budget, Plan, Space};
    /// let plan = Plan::new(Space::Octal { digits: 1 }, Budget::default())?;
    /// let of = |certificate: &[u8]| {
    ///     let mut digest = CertificatesDigestBuilder::new(&plan);
    ///     digest.add(b"0.3", certificate);
    ///     digest.finish()
    /// };
    /// assert_eq!(of(b"one"), of(b"one"));
    /// assert_ne!(of(b"one"), of(b"two"));
    /// # Ok::<(), misere_census::PlanError>(())
    /// ```
    pub fn add(&mut self, name: &[u8], certificate: &[u8]) {
        let facts = self.facts.clone().bytes(name);
        self.facts = facts.bytes(&CertificateDigest::of(certificate).0);
        self.certificates += 1;
    }

    /// Returns the digest.
    #[must_use]
    pub fn finish(self) -> CertificatesDigest {
        CertificatesDigest(self.facts.number(self.certificates).finish())
    }
}

/// A digest under construction; records are added in ascending order of their codes.
#[derive(Debug)]
pub struct DigestBuilder {
    facts: StableHasher,
    last: Option<misere_game::ruleset::Code>,
    records: u64,
}

/// A record that came out of order or twice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {0} is out of order")]
pub struct RecordOrderError(pub misere_game::ruleset::Code);

impl DigestBuilder {
    /// Creates the digest of a census of `plan` without any record yet.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let facts = StableHasher::of("misere census 1").bytes(&plan.id().0);
        Self {
            facts,
            last: None,
            records: 0,
        }
    }

    /// Adds the next record.
    ///
    /// Cost: linear in the aliases of the record.
    ///
    /// ```
    /// use misere_census::digest::DigestBuilder;
    /// use misere_census::{Budget, Plan, Record, Space, Task};
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// let control = &mut Control::unlimited();
    /// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
    /// let game = Task::game("0.123".parse()?, Vec::new(), Budget::default());
    /// let record = Record::new(game.as_game().ok_or("a game")?, &solution)?;
    /// let plan = Plan::new(Space::Octal { digits: 3 }, Budget::default())?;
    /// let mut digest = DigestBuilder::new(&plan);
    /// assert!(digest.add(&record).is_ok());
    /// assert!(digest.add(&record).is_err()); // twice
    /// assert_eq!(digest.finish().to_string().len(), 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordOrderError`] unless its code is greater than the code of every record before.
    pub fn add(&mut self, record: &Record) -> Result<(), RecordOrderError> {
        if self.last.as_ref().is_some_and(|last| *last >= record.code) {
            return Err(RecordOrderError(record.code.clone()));
        }
        self.last = Some(record.code.clone());
        self.facts = record.hashed(self.facts.clone());
        self.records += 1;
        Ok(())
    }

    /// Adds a complete level of the misère quotients, after all records.
    ///
    /// The arguments are the number of candidates, the number of them that carry a valid minimex
    /// algebra and were extended, and the canonical codes of the quotients. The games found for the
    /// quotients are left out: they show how the level was computed, not its result.
    ///
    /// ```
    /// use misere_census::digest::DigestBuilder;
    /// use misere_census::{Budget, Plan, Space};
    /// let plan = Plan::new(Space::Quotients { order: 6 }, Budget::default())?;
    /// let empty = DigestBuilder::new(&plan).finish();
    /// let mut digest = DigestBuilder::new(&plan);
    /// digest.add_level(2, 1, 1, &[vec![1, 0]]);
    /// assert_ne!(digest.finish(), empty);
    /// # Ok::<(), misere_census::PlanError>(())
    /// ```
    pub fn add_level(&mut self, order: u8, candidates: u64, carriers: u64, codes: &[Vec<u8>]) {
        let facts = self.facts.clone().bytes(b"level").number(order);
        let facts = facts.number(candidates).number(carriers);
        self.facts = facts.list(codes.iter(), |facts, code| facts.bytes(code));
    }

    /// Returns the digest.
    #[must_use]
    pub fn finish(self) -> CensusDigest {
        CensusDigest(self.facts.number(self.records).finish())
    }
}
