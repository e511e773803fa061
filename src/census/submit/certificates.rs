//! The certificates of a submitted census, in the folder `certs`: an authority, and what it signs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use misere_coordinator::authority::{self, CertificateFileError, CertificateSpec};
use misere_coordinator::rpc::{Name, Role};

/// The validity of the certificates.
const VALID: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Returns the certificate of the authority.
pub(super) fn authority_in(folder: &Path) -> PathBuf {
    folder.join("certs/ca.pem")
}

/// Makes the missing certificates of the coordinator and its workers, which are counted from 1.
pub(super) fn of_coordinator(
    folder: &Path,
    host: &str,
    workers: u64,
) -> Result<(), CertificateFileError> {
    let hosts = vec![host.to_owned()];
    let coordinator = wanted(Role::Coordinator.name(), Role::Coordinator, hosts);
    let workers = (1..=number(workers)).map(|n| numbered(Role::Worker, n));
    make(folder, std::iter::once(coordinator).chain(workers))
}

/// Makes the missing certificates of the checkers, one for each part, counted from 0.
///
/// Each has its own, so that a job that errs is distrusted and not the others.
pub(super) fn of_checkers(folder: &Path, parts: u64) -> Result<(), CertificateFileError> {
    make(
        folder,
        (0..number(parts)).map(|part| numbered(Role::Checker, part)),
    )
}

fn make(
    folder: &Path,
    wanted: impl Iterator<Item = CertificateSpec>,
) -> Result<(), CertificateFileError> {
    let dir = folder.join("certs");
    authority::make_authority(&dir, VALID)?;
    for wanted in wanted {
        match authority::make(&dir, &wanted) {
            Ok(_) | Err(CertificateFileError::Exists(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

fn number(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn numbered(role: Role, n: u32) -> CertificateSpec {
    wanted(role.numbered(n), role, Vec::new())
}

fn wanted(name: Name, role: Role, hosts: Vec<String>) -> CertificateSpec {
    CertificateSpec {
        name,
        roles: vec![role],
        hosts,
        valid: VALID,
    }
}
