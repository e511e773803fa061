//! Solutions that need not be computed: in a certificate, or in a census.

use std::path::{Path, PathBuf};
use std::time::Duration;

use misere_game::ruleset::Code;
use misere_game::solution::Solution;
#[cfg(feature = "census")]
pub use misere_store::Store;

use crate::computation::{Budget, CheckedSolution, Strategy, compute};
use crate::exit::{CommandError, Exit, Failure};
use crate::verify;
use crate::watch::Guards;

/// A census. The type has no values in a program without the feature `census`.
#[cfg(not(feature = "census"))]
#[derive(Debug)]
pub enum Store {}

/// The option that names a census.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DataArgs {
    /// A census: what is proved there is not computed again
    #[cfg(feature = "census")]
    #[arg(short, long, value_name = "DIR", env = VARIABLE)]
    data: Option<PathBuf>,
}

/// The variable that names the census.
#[cfg(feature = "census")]
const VARIABLE: &str = "MISERE_DATA";

/// The sources of a solution that is not computed.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct KnownArgs {
    /// A certificate of the game, to be checked and used; nothing is computed then
    #[arg(long, value_name = "FILE")]
    #[cfg_attr(feature = "census", arg(conflicts_with = "data"))]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
}

/// A certificate is one of another game.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is a certificate of {holds}; give one of {wanted}", file.display())]
struct OtherGameError {
    file: PathBuf,
    holds: Code,
    wanted: Code,
}

impl CommandError for OtherGameError {
    fn exit(&self) -> Exit {
        Exit::Failed
    }
}

impl DataArgs {
    /// Returns the solution of a game in the census, if the census settles the game or knows it to
    /// this heap.
    ///
    /// The coordinator checked the certificate when it came.
    ///
    /// # Errors
    /// A [`Failure`] if there is no census in the directory, or it cannot be read. A directory that
    /// the environment names may hold none.
    #[cfg(feature = "census")]
    pub fn solution(&self, code: &Code, heap: u32) -> Result<Option<CheckedSolution>, Failure> {
        let Some(store) = self.store()? else {
            return Ok(None);
        };
        let solution = in_census(&store, code)?;
        let found = solution.filter(|solution| is_settled(solution) || solution.heaps() >= heap);
        if let (Some(_), Some(directory)) = (&found, &self.data) {
            notice!(
                "note: {code} is known to the census in {}",
                directory.display()
            );
        }
        Ok(found.map(not_computed))
    }

    /// Opens the census, if one is named.
    ///
    /// # Errors
    /// As [`Self::solution`].
    #[cfg(feature = "census")]
    pub fn store(&self) -> Result<Option<Store>, Failure> {
        let Some(directory) = &self.data else {
            return Ok(None);
        };
        match Store::open_read_only(directory) {
            Ok(store) => Ok(Some(store)),
            // The variable may be meant for the commands of a census alone.
            Err(_) if std::env::var_os(VARIABLE).as_deref() == Some(directory.as_os_str()) => {
                Ok(None)
            }
            Err(error) => Err(crate::census_error::CensusError::from(error).into()),
        }
    }

    /// Returns nothing, as this program is built without the census.
    #[cfg(not(feature = "census"))]
    #[allow(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "as with the census"
    )]
    pub fn store(&self) -> Result<Option<Store>, Failure> {
        Ok(None)
    }

    /// Returns nothing, as this program is built without the census.
    #[cfg(not(feature = "census"))]
    #[allow(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "as with the census"
    )]
    pub fn solution(&self, _code: &Code, _heap: u32) -> Result<Option<CheckedSolution>, Failure> {
        Ok(None)
    }
}

impl KnownArgs {
    /// Returns the file of the certificate.
    pub fn certificate(&self) -> Option<&Path> {
        self.certificate.as_deref()
    }

    /// Returns the solution of a game to a heap: from a certificate, from a census, or computed.
    ///
    /// # Errors
    /// A [`Failure`] if the certificate is one of another game or refuted, the census cannot be
    /// read, or the computation fails.
    pub fn solution(
        &self,
        code: &Code,
        heap: u32,
        budget: Budget,
        guards: Guards,
    ) -> Result<CheckedSolution, Failure> {
        let Some(file) = &self.certificate else {
            return match self.data.solution(code, heap)? {
                Some(known) => Ok(known),
                None => compute(code, heap, budget, Strategy::Exact, guards, None),
            };
        };
        let solution = verify::checked_solution(file, guards)?;
        match solution.code == *code {
            true => Ok(not_computed(solution)),
            false => Err(OtherGameError {
                file: file.clone(),
                holds: solution.code,
                wanted: code.clone(),
            }
            .into()),
        }
    }
}

/// Returns the census's solution of a game, in the heap numbers of the code given.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
#[cfg(feature = "census")]
pub fn in_census(store: &Store, code: &Code) -> Result<Option<Solution>, Failure> {
    let failed = crate::census_error::CensusError::from;
    let game = store.game(code).map_err(failed)?;
    let solution = game.map(|game| store.solution(&game)).transpose();
    Ok(solution.map_err(failed)?)
}

/// Cannot be called, since [`Store`] has no values.
#[cfg(not(feature = "census"))]
pub fn in_census(store: &Store, _: &Code) -> Result<Option<Solution>, Failure> {
    match *store {}
}

/// Makes the answer of a solution that a census or a certificate has.
pub fn not_computed(solution: Solution) -> CheckedSolution {
    CheckedSolution {
        solution,
        stopped_by: None,
        elapsed: Duration::ZERO,
    }
}

/// Reports whether a solution claims something about positions of all heaps.
#[cfg(feature = "census")]
fn is_settled(solution: &Solution) -> bool {
    solution.verdict.describes_all_heaps()
        || solution.evidence.is_some()
        || solution.law().is_some()
        || solution.automaton().is_some()
}
