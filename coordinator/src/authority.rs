//! The certificate authority of a lab, and the certificates that it signs.
//!
//! A directory holds a small certificate authority, `ca.pem` and `ca.key`, and the certificates it
//! signed, `NAME.pem` and `NAME.key`. Keys can be read by their owner alone. Nothing is ever
//! overwritten.

use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, SanType,
};
use time::{Duration, OffsetDateTime};

use misere_census::output_file::{self, OutputError, Readers};

use misere_proto::CredentialError;
use misere_proto::credentials::read_key;

use crate::rpc::{Fingerprint, Name, Role};

/// The subject of the authority.
const AUTHORITY: &str = "misere census authority";

/// The time by which the clocks of other machines may be behind.
const CLOCK_SKEW: Duration = Duration::hours(1);

/// The reason why no certificate was made.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFileError {
    /// A file that exists already.
    #[error(
        "the file `{}` exists, and is never overwritten; choose another name, or move the file away",
        .0.display()
    )]
    Exists(PathBuf),
    /// One half of the authority that is missing.
    #[error(
        "`{}` is missing beside the other half of the certificate authority; put it back, or take \
         an empty directory", .0.display()
    )]
    HalfAuthority(PathBuf),
    /// The error of writing a certificate or its key.
    #[error(transparent)]
    Output(OutputError),
    /// The key of the authority, which cannot be read or which others can read.
    #[error(transparent)]
    Key(#[from] CredentialError),
    /// The file of the authority's key, which holds no key.
    #[error("the file `{}` holds no key", .0.display())]
    NoKey(PathBuf),
    /// A directory that cannot be made.
    #[error("cannot make the directory `{}`: {cause}", directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// A coordinator's certificate without a name by which the coordinator is reached.
    #[error(
        "a coordinator's certificate says under which names it is reached: give --host, once for \
         each"
    )]
    NoHost,
    /// A host that cannot be written into a certificate.
    #[error("`{0}` is not a host: write a DNS name or an IP address")]
    Host(String),
    /// A name that is reserved for the authority's own files.
    #[error("the name `ca` is the name of the authority itself; choose another")]
    Reserved,
    /// The error of the library that makes certificates.
    #[error("cannot make the certificate: {0}")]
    Making(#[from] rcgen::Error),
}

/// The contents of a certificate that is to be made.
#[derive(Clone, Debug)]
pub struct CertificateSpec {
    /// The name of the owner.
    pub name: Name,
    /// The roles of the owner.
    pub roles: Vec<Role>,
    /// The names and addresses under which a coordinator is reached.
    pub hosts: Vec<String>,
    /// The time for which the certificate is valid.
    pub valid: std::time::Duration,
}

/// The files of a certificate that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate, in PEM.
    pub certificate: PathBuf,
    /// The key of the certificate.
    pub key: PathBuf,
    /// The last day of its validity, as year-month-day in UTC.
    pub until: String,
    /// The hash of the certificate, by which it is revoked and shown in the log.
    pub fingerprint: Fingerprint,
}

/// Makes the authority of a directory, valid for the given time.
///
/// Returns `None` if the directory already has an authority.
///
/// # Errors
/// [`CertificateFileError`] if half of one is there, or the directory cannot be written.
pub fn make_authority(
    dir: &Path,
    valid: std::time::Duration,
) -> Result<Option<CertificateFiles>, CertificateFileError> {
    let (certificate, key) = files(dir, "ca");
    match (certificate.exists(), key.exists()) {
        (true, true) => return Ok(None),
        (true, false) => return Err(CertificateFileError::HalfAuthority(key)),
        (false, true) => return Err(CertificateFileError::HalfAuthority(certificate)),
        (false, false) => {}
    }
    fs::create_dir_all(dir).map_err(|cause| CertificateFileError::Directory {
        directory: dir.to_owned(),
        cause,
    })?;
    let pair = KeyPair::generate()?;
    let mut params = authority(&pair);
    (params.not_before, params.not_after) = validity(valid);
    let made = params.self_signed(&pair)?;
    write_pair(&certificate, &made.pem(), &key, &pair)?;
    Ok(Some(CertificateFiles {
        certificate,
        key,
        until: day(params.not_after),
        fingerprint: Fingerprint::of(made.der()),
    }))
}

/// Makes a certificate signed by the authority of a directory.
///
/// # Errors
/// [`CertificateFileError`] if the certificate exists, its contents are invalid, or the files
/// cannot be read or written.
pub fn make(
    dir: &Path,
    wanted: &CertificateSpec,
) -> Result<CertificateFiles, CertificateFileError> {
    let name = wanted.name.to_string();
    if name == "ca" {
        return Err(CertificateFileError::Reserved);
    }
    let serves = wanted.roles.contains(&Role::Coordinator);
    if serves && wanted.hosts.is_empty() {
        return Err(CertificateFileError::NoHost);
    }
    let (certificate, key) = files(dir, &name);
    let (_, authority_key) = files(dir, "ca");
    let pem = String::from_utf8(read_key(&authority_key)?);
    let pem = pem.map_err(|_| CertificateFileError::NoKey(authority_key))?;
    let signer = KeyPair::from_pem(&pem)?;
    let issuer = Issuer::new(authority(&signer), signer);
    let mut params = CertificateParams::default();
    params.distinguished_name = subject(&name);
    params.subject_alt_names = alternative_names(wanted)?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    // Otherwise the owner of a worker's certificate could pose as the coordinator.
    if serves {
        params
            .extended_key_usages
            .push(ExtendedKeyUsagePurpose::ServerAuth);
    }
    if wanted.roles.iter().any(|&role| role != Role::Coordinator) {
        params
            .extended_key_usages
            .push(ExtendedKeyUsagePurpose::ClientAuth);
    }
    params.use_authority_key_identifier_extension = true;
    (params.not_before, params.not_after) = validity(wanted.valid);
    let pair = KeyPair::generate()?;
    let made = params.signed_by(&pair, &issuer)?;
    write_pair(&certificate, &made.pem(), &key, &pair)?;
    Ok(CertificateFiles {
        certificate,
        key,
        until: day(params.not_after),
        fingerprint: Fingerprint::of(made.der()),
    })
}

fn files(dir: &Path, name: &str) -> (PathBuf, PathBuf) {
    (
        dir.join(format!("{name}.pem")),
        dir.join(format!("{name}.key")),
    )
}

/// Returns the subject and the terms of the authority with this key, which suffice to sign.
///
/// Authorities have different names, so that the error about a foreign certificate names the
/// foreign authority instead of a wrong signature.
fn authority(pair: &KeyPair) -> CertificateParams {
    let mut params = CertificateParams::default();
    let key = blake3::hash(pair.public_key_raw()).to_hex();
    params.distinguished_name = subject(&format!("{AUTHORITY} {}", &key[..16]));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn subject(name: &str) -> DistinguishedName {
    let mut subject = DistinguishedName::new();
    subject.push(DnType::CommonName, name);
    subject
}

fn alternative_names(wanted: &CertificateSpec) -> Result<Vec<SanType>, CertificateFileError> {
    let mut names = vec![SanType::URI(wanted.name.uri().try_into()?)];
    for role in &wanted.roles {
        names.push(SanType::URI(role.uri().try_into()?));
    }
    for host in &wanted.hosts {
        let bad = || CertificateFileError::Host(host.clone());
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '*');
        names.push(match host.parse::<IpAddr>() {
            Ok(ip) => SanType::IpAddress(ip),
            Err(_) if host.is_empty() || !host.chars().all(allowed) => return Err(bad()),
            Err(_) => SanType::DnsName(host.as_str().try_into().map_err(|_| bad())?),
        });
    }
    Ok(names)
}

fn validity(valid: std::time::Duration) -> (OffsetDateTime, OffsetDateTime) {
    let now = OffsetDateTime::now_utc();
    // A validity beyond the representable range becomes the longest possible one.
    let valid = Duration::try_from(valid).unwrap_or(Duration::MAX);
    let end = now
        .checked_add(valid)
        .unwrap_or(rcgen::date_time_ymd(4096, 1, 1));
    (now - CLOCK_SKEW, end)
}

fn day(time: OffsetDateTime) -> String {
    format!(
        "{:04}-{:02}-{:02}",
        time.year(),
        u8::from(time.month()),
        time.day()
    )
}

/// Writes a certificate and its key, neither of which may exist.
///
/// One without the other would be useless and would block the next attempt. Only the owner can read
/// the key.
fn write_pair(
    certificate: &Path,
    pem: &str,
    key: &Path,
    pair: &KeyPair,
) -> Result<(), CertificateFileError> {
    let written = output_file::write_new(&[
        (key, pair.serialize_pem().as_bytes(), Readers::Owner),
        (certificate, pem.as_bytes(), Readers::Everybody),
    ]);
    written.map_err(|error| match error {
        OutputError::Exists(file) => CertificateFileError::Exists(file),
        other => CertificateFileError::Output(other),
    })
}
