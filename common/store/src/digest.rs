//! The digests of a census, and the one that is stored for later readers.
//!
//! The digest is a hash over all records in order, so computing it reads every record. A reader
//! that has computed it for a census at rest writes it to the file `db/digest`, with the sequence
//! number of the store: as long as that is the same, so is the digest. A request for the digest
//! itself always computes it.

use std::path::PathBuf;

use misere_census::digest::{CertificatesDigestBuilder, DigestBuilder};
use misere_census::{CensusDigest, CertificatesDigest, input_file};
use rocksdb::IteratorMode;

use super::keys::Kind;
use super::{Store, StoreError};

const NAME: &str = "digest";
const TITLE: &str = "misere digest 1";

impl Store {
    /// Returns the digest of all records, and of the levels that are complete (A-5).
    ///
    /// Cost: one pass over all records and constructions.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// // The digest is a function of the records alone.
    /// assert_eq!(store.digest()?, store.digest()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn digest(&self) -> Result<CensusDigest, StoreError> {
        let mut digest = DigestBuilder::new(self.plan());
        for record in self.records()? {
            digest.add(&record?)?;
        }
        for level in self.levels().filter(|level| level.closed) {
            let mut codes = Vec::new();
            for construction in self.constructions(level.order)? {
                codes.push(construction?.0);
            }
            digest.add_level(level.order, level.candidates, level.carriers, &codes);
        }
        let digest = digest.finish();
        self.note_digest(digest);
        Ok(digest)
    }

    /// Returns the digest of all certificates, of records and of complete levels.
    ///
    /// Cost: one pass over all certificates.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// assert_eq!(store.certificates_digest()?, store.certificates_digest()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificates_digest(&self) -> Result<CertificatesDigest, StoreError> {
        let mut digest = CertificatesDigestBuilder::new(self.plan());
        let family = self.family(Kind::Certificate)?;
        for entry in self.db.iterator_cf(family, IteratorMode::Start) {
            let (code, certificate) = entry?;
            digest.add(&code, &certificate);
        }
        for level in self.levels().filter(|level| level.closed) {
            for task in self.parts(level.order)? {
                let settled = self.settled_bytes(task)?;
                let settled = settled.ok_or(StoreError::Absent(Kind::Settled.family()))?;
                digest.add(&task.0, &settled);
            }
        }
        Ok(digest.finish())
    }

    /// Returns the digest computed earlier for this very census; `None` if there is none.
    ///
    /// Cost: one read of a small file.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let digest = store.digest()?;
    /// assert!(store.known_digest().is_none_or(|known| known == digest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn known_digest(&self) -> Option<CensusDigest> {
        let text = input_file::read_text(&self.digest_file(), input_file::SMALL).ok()?;
        let mut words = text.strip_prefix(TITLE)?.split_ascii_whitespace();
        let sequence: u64 = words.next()?.parse().ok()?;
        let digest: CensusDigest = words.next()?.parse().ok()?;
        let is_of_this = sequence == self.db.latest_sequence_number();
        (is_of_this && digest_text(sequence, digest) == text).then_some(digest)
    }

    /// Stores the digest of a census that is only read.
    pub(super) fn note_digest(&self, digest: CensusDigest) {
        if self.note.is_some() || self.known_digest() == Some(digest) {
            return;
        }
        let text = digest_text(self.db.latest_sequence_number(), digest);
        // A reader without write permission computes it again the next time.
        if let Err(error) = std::fs::write(self.digest_file(), text) {
            tracing::debug!(%error, "cannot note the digest");
        }
    }

    fn digest_file(&self) -> PathBuf {
        self.db.path().join(NAME)
    }
}

fn digest_text(sequence: u64, digest: CensusDigest) -> String {
    let facts = format!("{TITLE} {sequence} {digest}");
    let hash = blake3::hash(facts.as_bytes()).to_hex();
    format!("{facts} {}\n", &hash[..16])
}
