//! Games under one of their codes.
//!
//! A census stores one record and one certificate for all codes that are the same game. The
//! functions here return both for one of the codes, with the heap numbers of that very code. For
//! Dawson's Kayles `0.07` the census answers from the entries under `0.4`, with every heap one
//! smaller.

use misere_census::certificate;
use misere_game::ruleset::Code;
use misere_game::solution::Solution;
use misere_query::KnownGame;

use super::value::Ruleset;
use super::{Store, StoreError};

impl Store {
    /// Returns a game under one of its codes, with the heap numbers of that code.
    ///
    /// Cost: one seek, and a second for an alias.
    ///
    /// # Errors
    /// [`StoreError`] if the disk fails or an entry is damaged.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let game = store.game(&"4.6".parse()?)?.ok_or("no game")?;
    /// assert_eq!(game.record.code.to_string(), "4.6");
    /// assert_eq!(game.representative.to_string(), "0.77");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self, code: &Code) -> Result<Option<KnownGame>, StoreError> {
        let kept = match self.ruleset(code)? {
            Some(Ruleset::AliasOf(representative)) => self.ruleset(&representative)?,
            kept => kept,
        };
        let Some(Ruleset::Record(kept)) = kept else {
            return Ok(None);
        };
        let absent = StoreError::Absent("alias");
        Ok(Some(KnownGame {
            record: kept.under(code).ok_or(absent)?,
            representative: kept.code,
        }))
    }

    /// Returns the claims of the certificate of a game, with the heap numbers of the code shown.
    ///
    /// The certificate was checked when it was committed.
    ///
    /// Cost: one seek, and the decoding of the certificate.
    ///
    /// # Errors
    /// [`StoreError`] if the certificate is missing or cannot be read.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let game = store.game(&"0.77".parse()?)?.ok_or("no game")?;
    /// let solution = store.solution(&game)?;
    /// assert_eq!(solution.quotient.order(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solution(&self, game: &KnownGame) -> Result<Solution, StoreError> {
        let bytes = self.certificate(&game.representative)?;
        let bytes = bytes.ok_or(StoreError::Absent("certificate"))?;
        let kept = certificate::decode(&bytes).map_err(StoreError::Certificate)?;
        if game.record.code == game.representative {
            return Ok(kept);
        }
        let renumbered = misere_engine::quotient::renumbered(&kept, &game.record.code);
        renumbered.ok_or(StoreError::Absent("alias"))
    }
}
