//! The seal of a checker on the file of a part, and what it is worth.
//!
//! A checker signs the BLAKE3 hash of the file with the key of its certificate. The certificate must
//! have the role of a checker, and the operator's authority must have signed it.

use std::io::{self, Read};

use misere_census::WorkerIdentity;
use misere_census::chunk::Seal;
use misere_proto::Credentials;
use misere_proto::credentials::{IdentityError, authorities};
use rustls_pki_types::{CertificateDer, UnixTime};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{Error, SignatureScheme};
use webpki::{EndEntityCert, KeyUsage};

use crate::rpc::{Caller, Name, Role};

/// The first bytes of what is signed, so that a signature for another purpose is none for this one.
const PURPOSE: &[u8] = b"misere census: what a checker states of a part 1";

/// The checker that has sealed a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealer {
    /// The name in its certificate.
    pub name: Name,
    /// Its identity.
    pub identity: WorkerIdentity,
}

/// The reason why a file is not sealed, or a seal is worth nothing.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The certificate, the key or the authorities cannot be read.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The key signs in no known way.
    #[error("the key signs in no known way: {0}")]
    Key(#[source] Error),
    /// The seal has no certificate that names a caller.
    #[error("its certificate names no checker")]
    Nameless,
    /// The certificate lacks the role.
    #[error("the certificate of `{0}` lacks the role checker")]
    Role(Name),
    /// The authority has not signed the certificate, or it is not valid now.
    #[error("its certificate is not accepted: {0}")]
    Certificate(webpki::Error),
    /// The signature is of another file or another key.
    #[error("the signature is not that of its certificate over this file")]
    Signature,
}

/// Returns the hash that is signed: that of the first `bytes` bytes.
///
/// # Errors
/// [`io::Error`] if they cannot be read.
pub fn hash_of(file: impl Read, bytes: u64) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file.take(bytes))?;
    Ok(*hasher.finalize().as_bytes())
}

/// Signs the hash of a file.
///
/// # Errors
/// [`SealError`] if the credentials are not those of a checker.
pub fn seal(hash: &[u8; 32], credentials: &Credentials) -> Result<Seal, SealError> {
    let identity = credentials.identity()?;
    let key = ring::sign::any_supported_type(&identity.key).map_err(SealError::Key)?;
    let schemes = ring::default_provider()
        .signature_verification_algorithms
        .supported_schemes();
    let signer = key.choose_scheme(&schemes).ok_or(SealError::Signature)?;
    let signature = signer.sign(&message(hash)).map_err(SealError::Key)?;
    let seal = Seal {
        chain: identity.chain.iter().map(|it| it.to_vec()).collect(),
        scheme: u16::from(signer.scheme()),
        signature,
    };
    // A file is not sealed with credentials that the merge would refuse.
    sealer(&seal, hash, &credentials.authority)?;
    Ok(seal)
}

/// Returns the checker whose seal this is.
///
/// `authority` has the trusted certificates in PEM.
///
/// # Errors
/// [`SealError`] if the seal is worth nothing.
pub fn sealer(seal: &Seal, hash: &[u8; 32], authority: &[u8]) -> Result<Sealer, SealError> {
    let chain: Vec<CertificateDer<'_>> = seal.chain.iter().map(|it| it.as_slice().into()).collect();
    let (own, between) = chain.split_first().ok_or(SealError::Nameless)?;
    let Caller { name, roles, .. } = Caller::of(own).ok_or(SealError::Nameless)?;
    if !roles.contains(&Role::Checker) {
        return Err(SealError::Role(name));
    }
    let trusted = authorities(authority)?;
    let algorithms = ring::default_provider().signature_verification_algorithms;
    let read = EndEntityCert::try_from(own).map_err(SealError::Certificate)?;
    let (now, usage) = (UnixTime::now(), KeyUsage::client_auth());
    read.verify_for_usage(
        algorithms.all,
        &trusted.roots,
        between,
        now,
        usage,
        None,
        None,
    )
    .map_err(SealError::Certificate)?;
    let scheme = SignatureScheme::from(seal.scheme);
    let known = algorithms.mapping.iter().find(|(it, _)| *it == scheme);
    let is_its = known.is_some_and(|(_, algorithms)| {
        let verified =
            |algorithm| read.verify_signature(algorithm, &message(hash), &seal.signature);
        algorithms
            .iter()
            .any(|&algorithm| verified(algorithm).is_ok())
    });
    match is_its {
        true => Ok(Sealer {
            identity: WorkerIdentity::named(&name.to_string()),
            name,
        }),
        false => Err(SealError::Signature),
    }
}

fn message(hash: &[u8; 32]) -> Vec<u8> {
    [PURPOSE, hash].concat()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::authority::{CertificateSpec, make, make_authority};

    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    fn credentials(dir: &std::path::Path, name: &str, role: Role) -> Credentials {
        make_authority(dir, YEAR).unwrap();
        let wanted = CertificateSpec {
            name: name.parse().unwrap(),
            roles: vec![role],
            hosts: vec!["localhost".to_owned()],
            valid: YEAR,
        };
        let written = make(dir, &wanted).unwrap();
        let read = |file| std::fs::read(file).unwrap();
        Credentials {
            authority: read(dir.join("ca.pem")),
            certificate: read(written.certificate),
            key: read(written.key),
        }
    }

    #[test]
    fn a_seal_is_that_of_its_checker_over_its_file() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let checker = credentials(dir.path(), "check-1", Role::Checker);
        let hash = hash_of(&b"a part, and more"[..], 6).unwrap();
        assert_eq!(hash, *blake3::hash(b"a part").as_bytes());
        let made = seal(&hash, &checker).unwrap();
        let known = sealer(&made, &hash, &checker.authority).unwrap();
        assert_eq!(known.name.to_string(), "check-1");
        assert_eq!(known.identity, WorkerIdentity::named("check-1"));
        let fails = |seal: &Seal, hash: &[u8; 32], authority: &[u8]| {
            sealer(seal, hash, authority).unwrap_err().to_string()
        };
        assert!(fails(&made, &[0; 32], &checker.authority).contains("the signature is not"));
        let stranger = credentials(other.path(), "check-1", Role::Checker);
        assert!(fails(&made, &hash, &stranger.authority).contains("is not accepted"));
        assert!(fails(&made, &hash, b"nothing").contains("no certificate of an authority"));
        for change in [
            |seal: &mut Seal| seal.signature[10] ^= 1,
            |seal: &mut Seal| seal.scheme = 0x0807,
            |seal: &mut Seal| seal.scheme = 0xffff,
        ] {
            let mut changed = made.clone();
            change(&mut changed);
            assert!(fails(&changed, &hash, &checker.authority).contains("the signature is not"));
        }
        let nameless = Seal {
            chain: vec![b"nonsense".to_vec()],
            ..made.clone()
        };
        assert!(fails(&nameless, &hash, &checker.authority).contains("names no checker"));
        let empty = Seal {
            chain: Vec::new(),
            ..made
        };
        assert!(fails(&empty, &hash, &checker.authority).contains("names no checker"));
    }

    #[test]
    fn no_other_role_seals() {
        let dir = tempfile::tempdir().unwrap();
        for role in Role::ALL {
            let own = credentials(dir.path(), &role.to_string(), role);
            let sealed = seal(&[1; 32], &own)
                .map(|_| ())
                .map_err(|error| error.to_string());
            match role {
                Role::Checker => assert_eq!(sealed, Ok(())),
                _ => assert!(sealed.unwrap_err().contains("lacks the role checker")),
            }
        }
        // A key that belongs to another certificate seals nothing.
        let mixed = Credentials {
            key: credentials(dir.path(), "other", Role::Checker).key,
            ..credentials(dir.path(), "one", Role::Checker)
        };
        assert!(seal(&[1; 32], &mixed).is_err());
    }
}
