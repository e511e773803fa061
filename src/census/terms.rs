//! The terms for granting games, as far as an operator can choose them.

use misere_ledger::{LeaseConfig, TrustConfig};

/// The options for how often a game may fail, and for the share of unproved results that is
/// computed again.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TermsArgs {
    /// The number of failures that put a game into quarantine; those of one worker count once if
    /// others can try
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), default_value_t = 3, help_heading = "Running")]
    max_failures: u32,
    /// Compute one in N claims without proof again, more rarely those that took much fuel; 0: none
    /// [default: 32; of `census run`, 0]
    #[arg(long, value_name = "N", help_heading = "Running")]
    spot_checks: Option<u32>,
}

impl TermsArgs {
    /// Returns the terms of a coordinator that any worker may join.
    #[must_use]
    pub fn of_a_coordinator(self, lease_ms: u64) -> LeaseConfig {
        let terms = LeaseConfig::lasting(lease_ms);
        self.terms(terms, TrustConfig::USUAL.spot_check_one_in)
    }

    /// Returns the terms of a run on this machine alone.
    ///
    /// Its only worker is this process, which no other worker can replace.
    #[must_use]
    pub fn of_a_run(self) -> LeaseConfig {
        let mut terms = LeaseConfig::USUAL;
        terms.trust.broken_after = 0;
        self.terms(terms, 0)
    }

    fn terms(self, terms: LeaseConfig, spot_check_one_in: u32) -> LeaseConfig {
        LeaseConfig {
            max_failures: self.max_failures,
            trust: TrustConfig {
                spot_check_one_in: self.spot_checks.unwrap_or(spot_check_one_in),
                ..terms.trust
            },
            ..terms
        }
    }
}
