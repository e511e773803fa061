//! The callers and their roles.
//!
//! A certificate says so in its alternative names: `misere://name/NAME` and, for each role,
//! `misere://role/ROLE`. Any of its roles opens a call. Over plaintext, which is allowed on
//! loopback or where an option says so, every caller has every role.

use std::fmt;
use std::str::FromStr;

use ring::digest::{SHA256, digest};
use rustls_pki_types::CertificateDer;
use webpki::EndEntityCert;

const ROLE: &str = "misere://role/";
const NAME: &str = "misere://name/";

/// The longest name in a certificate.
const MAX_NAME_CHARS: usize = 64;

/// A role of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The role of serving a census.
    Coordinator,
    /// The role of leasing tasks and reporting on them.
    Worker,
    /// The role of checking the certificates of workers.
    Checker,
    /// The role of querying the state of the census.
    Reader,
    /// The role of pausing, resuming, draining and cancelling, and of workers and readers.
    ///
    /// It does not include the role of a checker, whose word is taken.
    Operator,
}

impl Role {
    /// All roles, in the order of their declaration.
    pub const ALL: [Self; 5] = [
        Self::Coordinator,
        Self::Worker,
        Self::Checker,
        Self::Reader,
        Self::Operator,
    ];

    /// Returns the name of a caller whose role alone is known.
    #[must_use]
    pub fn name(self) -> Name {
        Name(self.to_string())
    }

    /// Returns the name of one of many callers with the same role.
    #[must_use]
    pub fn numbered(self, number: u32) -> Name {
        Name(format!("{self}-{number}"))
    }

    /// Returns the name of the role in a certificate.
    #[must_use]
    pub fn uri(self) -> String {
        format!("{ROLE}{self}")
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinator => "coordinator",
            Self::Worker => "worker",
            Self::Checker => "checker",
            Self::Reader => "reader",
            Self::Operator => "operator",
        })
    }
}

/// The error of a text that names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a role; the roles are coordinator, worker, checker, reader and operator")]
pub struct RoleError(String);

impl FromStr for Role {
    type Err = RoleError;
    fn from_str(text: &str) -> Result<Self, RoleError> {
        let found = Self::ALL.into_iter().find(|role| role.to_string() == text);
        found.ok_or_else(|| RoleError(text.to_owned()))
    }
}

/// A name that is allowed in a certificate: letters, digits, `.`, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(String);

/// The error of a text that is not allowed as a name in a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a name: 1 to {MAX_NAME_CHARS} letters, digits, `.`, `-` and `_`, beginning with a \
     letter or digit"
)]
pub struct NameError(String);

impl FromStr for Name {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if begins && text.len() <= MAX_NAME_CHARS && text.chars().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NameError(text.to_owned()))
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Name {
    /// Returns the name in the form of certificates.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("{NAME}{self}")
    }
}

/// The hashes of a certificate, which identify its owner.
///
/// BLAKE3 is the one that is shown; SHA-256 is the one that other programs print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    blake3: [u8; 32],
    sha256: [u8; 32],
}

impl Fingerprint {
    /// Returns the fingerprint of the DER encoding of `certificate`.
    #[must_use]
    pub fn of(certificate: &[u8]) -> Self {
        let mut sha256 = [0; 32];
        sha256.copy_from_slice(digest(&SHA256, certificate).as_ref());
        Self {
            blake3: *blake3::hash(certificate).as_bytes(),
            sha256,
        }
    }
}

impl Fingerprint {
    /// Returns the whole fingerprint in hexadecimal digits.
    #[must_use]
    pub fn whole(&self) -> String {
        hexadecimal(&self.blake3)
    }

    /// Returns the SHA-256 hash in hexadecimal digits.
    pub(super) fn sha256(&self) -> String {
        hexadecimal(&self.sha256)
    }

    pub(super) fn bytes(&self) -> [u8; 32] {
        self.blake3
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Enough to tell certificates apart in a log.
        self.blake3[..8]
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The caller that a certificate names; its signature and dates are already checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The name of the caller.
    pub name: Name,
    /// The roles of the caller.
    pub roles: Vec<Role>,
    /// The hash of the caller's certificate.
    pub fingerprint: Fingerprint,
}

impl Caller {
    /// Reports whether the caller may act as an operator.
    #[must_use]
    pub fn operates(&self) -> bool {
        self.roles.contains(&Role::Operator)
    }

    /// Reads a certificate; `None` if it names no caller.
    #[must_use]
    pub fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let read = EndEntityCert::try_from(certificate).ok()?;
        let names = || read.valid_uri_names();
        let name = names().find_map(|uri| uri.strip_prefix(NAME)?.parse().ok())?;
        let roles = names().filter_map(|uri| uri.strip_prefix(ROLE)?.parse().ok());
        Some(Self {
            name,
            roles: roles.collect(),
            fingerprint: Fingerprint::of(certificate),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_and_names_are_read_as_written() {
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        assert!("root".parse::<Role>().is_err());
        assert!("host-a.example_1".parse::<Name>().is_ok());
        for bad in ["", "a/b", "-a", "a b", "ü", &"x".repeat(65)] {
            assert!(bad.parse::<Name>().is_err(), "{bad}");
        }
    }

    #[test]
    fn nonsense_names_no_caller() {
        for bytes in [&b""[..], b"\x30\x03\x02\x01\x00", &[0xff; 300]] {
            assert_eq!(Caller::of(&CertificateDer::from(bytes.to_vec())), None);
        }
    }
}
