//! `misere coordinator certs`: certificates for a lab.

use std::path::PathBuf;
use std::time::Duration;

use misere_coordinator::authority::{
    CertificateFileError, CertificateFiles, CertificateSpec, make, make_authority,
};
use misere_coordinator::rpc::{Name, Role};
use serde_json::{Value, json};

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal;
use crate::watch;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The validity of an authority, in days.
const AUTHORITY_DAYS: u32 = 3_650;

/// The arguments of `misere coordinator certs`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere coordinator certs --dir certs --role coordinator --host census.lab
  misere coordinator certs --dir certs --count 20
      worker-1 to worker-20; those that are there stay as they are
  misere coordinator certs --dir certs --worker host-a
      one more worker, certs/host-a.pem and certs/host-a.key
  misere coordinator certs --dir certs --name ada --role operator

The first call also makes the certificate authority, ca.pem and ca.key, valid
for ten years. Give every machine ca.pem and its own two files; ca.key stays
where it is. Every worker needs a certificate of its own: workers that share a
certificate are one worker to the coordinator, so the others cannot find out a
broken machine among them. No file is overwritten: to renew a certificate, move
the old files away and make the certificate again.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct CertsArgs {
    /// The directory of the authority and its certificates; made if it does not exist
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// The name of the certificate's owner, shown in status and logs [default: the first role]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["workers", "count"])]
    name: Option<Name>,
    /// A role: coordinator, worker, checker, reader or operator; may be repeated
    #[arg(long = "role", value_name = "ROLE", default_values = ["worker"], conflicts_with_all = ["workers", "count"])]
    roles: Vec<Role>,
    /// A name or address of the coordinator; may be repeated
    #[arg(long = "host", value_name = "HOST", conflicts_with_all = ["workers", "count"])]
    hosts: Vec<String>,
    /// A worker that gets a certificate of its own; may be repeated
    #[arg(long = "worker", value_name = "NAME", conflicts_with = "count")]
    workers: Vec<Name>,
    /// Make certificates for worker-1 to worker-N; existing ones stay
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: Option<u32>,
    /// The number of days for which the certificate is valid
    #[arg(long, value_name = "N", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: u32,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere coordinator certs`.
///
/// # Errors
/// A [`Failure`] that says what to do.
pub fn run(args: &CertsArgs) -> Result<Exit, Failure> {
    let failed = |failure: CertificateFileError| CensusError::from(failure);
    watch::leave_nothing_when_stopped()?;
    let authority = make_authority(&args.dir, DAY * AUTHORITY_DAYS).map_err(failed)?;
    let mut made = Vec::new();
    let mut kept = 0_u32;
    for wanted in wanted(args) {
        match make(&args.dir, &wanted) {
            Ok(written) => made.push((wanted, written)),
            // The command asks for `count` certificates in total, so existing ones are kept.
            Err(CertificateFileError::Exists(_)) if args.count.is_some() => kept += 1,
            Err(failure) => return Err(failed(failure).into()),
        }
    }
    if args.json {
        terminal::print_json(&document(authority.as_ref(), &made, kept))?;
    } else {
        terminal::print(&text(authority.as_ref(), &made, kept))?;
    }
    Ok(Exit::Done)
}

/// Returns the certificates that the arguments ask for.
fn wanted(args: &CertsArgs) -> Vec<CertificateSpec> {
    let worker = |name| CertificateSpec {
        name,
        roles: vec![Role::Worker],
        hosts: Vec::new(),
        valid: DAY * args.days,
    };
    if let Some(count) = args.count {
        let numbered = (1..=count).map(|number| worker(Role::Worker.numbered(number)));
        return numbered.collect();
    }
    if !args.workers.is_empty() {
        return args.workers.iter().cloned().map(worker).collect();
    }
    vec![CertificateSpec {
        name: args.name.clone().unwrap_or_else(|| first_role(args).name()),
        roles: args.roles.clone(),
        hosts: args.hosts.clone(),
        valid: DAY * args.days,
    }]
}

fn first_role(args: &CertsArgs) -> Role {
    args.roles.first().copied().unwrap_or(Role::Worker)
}

fn text(
    authority: Option<&CertificateFiles>,
    made: &[(CertificateSpec, CertificateFiles)],
    kept: u32,
) -> String {
    let line = |what: &str, written: &CertificateFiles| {
        let (certificate, key) = (written.certificate.display(), written.key.display());
        format!(
            "{what}: {certificate}, key {key}, valid until {}\n",
            written.until
        )
    };
    let mut text = authority.map_or(String::new(), |made| line("authority", made));
    for (wanted, written) in made {
        text.push_str(&line(&format!("certificate of {}", wanted.name), written));
    }
    if kept > 0 {
        text.push_str(&format!(
            "{kept} of these certificates were there and stay as they are\n"
        ));
    }
    text
}

fn document(
    authority: Option<&CertificateFiles>,
    made: &[(CertificateSpec, CertificateFiles)],
    kept: u32,
) -> Value {
    let written = |written: &CertificateFiles| {
        json!({
            "certificate": written.certificate.display().to_string(),
            "key": written.key.display().to_string(),
            "valid_until": written.until,
            "fingerprint": written.fingerprint.to_string(),
        })
    };
    let roles = |wanted: &CertificateSpec| -> Vec<String> {
        wanted.roles.iter().map(ToString::to_string).collect()
    };
    let all = made.iter().map(|(wanted, made)| {
        json!({
            "name": wanted.name.to_string(),
            "roles": roles(wanted),
            "certificate": made.certificate.display().to_string(),
            "key": made.key.display().to_string(),
            "valid_until": made.until,
            "fingerprint": made.fingerprint.to_string(),
        })
    });
    let first = made.first();
    json!({
        "schema": 1,
        "authority": authority.map(written),
        "made": first.map(|(_, made)| written(made)),
        "name": first.map(|(wanted, _)| wanted.name.to_string()),
        "roles": first.map_or_else(Vec::new, |(wanted, _)| roles(wanted)),
        "certificates": all.collect::<Vec<_>>(),
        "kept": kept,
    })
}
