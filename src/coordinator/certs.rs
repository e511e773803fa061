//! `misere coordinator certs`: certificates for a lab.

use std::path::PathBuf;
use std::time::Duration;

use misere_coordinator::certificates::{CertificateFailure, Wanted, Written, make, make_authority};
use misere_coordinator::rpc::{Name, Role};
use serde_json::json;

use crate::census::CensusFailure;
use crate::exit::{Exit, Failure};
use crate::terminal;
use crate::watch;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// For how long an authority is good.
const AUTHORITY_DAYS: u32 = 3_650;

/// The arguments of `misere coordinator certs`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere coordinator certs --dir certs --role coordinator --host census.lab.example --host 10.0.0.1
  misere coordinator certs --dir certs --name host-a                  a worker's, certs/host-a.pem and certs/host-a.key
  misere coordinator certs --dir certs --name ada --role operator

The first call also makes the certificate authority, ca.pem and ca.key, good for ten years. Give every machine ca.pem and its own
two files; ca.key stays where it is. Nothing is overwritten: to renew a certificate move the old files away and make it again.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct CertsArgs {
    /// The directory of the authority and its certificates; made if it is not there
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Whose certificate it is; shown in status and logs [default: the first role]
    #[arg(long, value_name = "NAME")]
    name: Option<Name>,
    /// What its owner may do: coordinator, worker, reader, operator; several with several --role
    #[arg(long = "role", value_name = "ROLE", default_values = ["worker"])]
    roles: Vec<Role>,
    /// A name or address under which a coordinator is reached; several with several --host
    #[arg(long = "host", value_name = "HOST")]
    hosts: Vec<String>,
    /// For how many days it is good
    #[arg(long, value_name = "N", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: u32,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere coordinator certs`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &CertsArgs) -> Result<Exit, Failure> {
    let failed = |failure: CertificateFailure| CensusFailure::from(failure);
    watch::leave_nothing_when_stopped()?;
    let wanted = Wanted {
        name: args.name.clone().unwrap_or_else(|| first_role(args).name()),
        roles: args.roles.clone(),
        hosts: args.hosts.clone(),
        valid: DAY * args.days,
    };
    let authority = make_authority(&args.dir, DAY * AUTHORITY_DAYS).map_err(failed)?;
    let written = make(&args.dir, &wanted).map_err(failed)?;
    if args.json {
        let document = |written: &Written| {
            json!({
                "certificate": written.certificate,
                "key": written.key,
                "valid_until": written.until,
            })
        };
        terminal::print_json(&json!({
            "schema": 1,
            "authority": authority.as_ref().map(document),
            "made": document(&written),
            "name": wanted.name.to_string(),
            "roles": wanted.roles.iter().map(ToString::to_string).collect::<Vec<_>>(),
        }))?;
    } else {
        let line = |what: &str,
                    Written {
                        certificate,
                        key,
                        until,
                    }: &Written| {
            let (certificate, key) = (certificate.display(), key.display());
            format!("{what}: {certificate}, key {key}, valid until {until}\n")
        };
        let authority = authority.map_or(String::new(), |made| line("authority", &made));
        let what = format!("certificate of {}", wanted.name);
        terminal::print(&format!("{authority}{}", line(&what, &written)))?;
    }
    Ok(Exit::Done)
}

fn first_role(args: &CertsArgs) -> Role {
    args.roles.first().copied().unwrap_or(Role::Worker)
}
