//! Certificates and private keys in files, and their permissions.
//!
//! Files are read again whenever a connection is made or a coordinator is told to reload, so that
//! certificates are renewed without a restart. A key that other users of the machine can read is
//! refused, since any reader can pose as its owner.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;

use misere_census::input_file;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, RootCertStore};

use crate::Credentials;

/// The permissions of the group and of all other users.
const OTHERS: u32 = 0o077;

/// The permissions of users that are neither the owner nor in the group.
const EVERYBODY: u32 = 0o007;

/// The directories in which container engines and service managers put secrets.
///
/// No process in the container can change the permissions there.
const MOUNTS: [&str; 2] = ["/run/", "/var/run/"];

/// Whether a warning was given that all users can read a key.
static WARNED: Once = Once::new();

/// The files of one side's credentials, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialFiles {
    /// The trusted certificate authorities.
    pub authority: PathBuf,
    /// The certificate of this side.
    pub certificate: PathBuf,
    /// The private key of this side.
    pub key: PathBuf,
    /// The names and fingerprints of certificates that a coordinator refuses, if there is a list.
    pub revoked: Option<PathBuf>,
}

/// The reason why credentials cannot be read from their files.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {cause}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// Other users can read a key.
    #[error(
        "the key `{}` can be read by others (mode {mode:03o}), who could pose as its owner; run `chmod 600 {}`",
        file.display(), file.display()
    )]
    Exposed {
        /// The file.
        file: PathBuf,
        /// The permissions of the file.
        mode: u32,
    },
}

/// The readers that the permissions of a key allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exposure {
    /// Only its owner can read it, or users that its owner chose.
    None,
    /// All users can read it, and this process cannot change that.
    Given,
    /// Other users can read it, and its owner can fix that.
    Careless,
}

impl CredentialFiles {
    /// Reads the credentials.
    ///
    /// It logs a warning if all users can read a key that this process cannot protect.
    ///
    /// Cost: three files are read.
    ///
    /// ```
    /// use misere_proto::{CredentialError, CredentialFiles};
    /// let directory = tempfile::tempdir()?;
    /// let file = |name: &str| directory.path().join(name);
    /// let files = CredentialFiles {
    ///     authority: file("ca.pem"),
    ///     certificate: file("worker.pem"),
    ///     key: file("worker.key"),
    ///     revoked: None,
    /// };
    /// assert!(matches!(files.read(), Err(CredentialError::Read { .. })));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`CredentialError`] if a file cannot be read, or if other users can read the key.
    pub fn read(&self) -> Result<Credentials, CredentialError> {
        Ok(Credentials {
            authority: read(&self.authority)?,
            certificate: read(&self.certificate)?,
            key: read_key(&self.key)?,
        })
    }

    /// Returns the list of all files, for a caller that watches them for changes.
    ///
    /// ```
    /// use misere_proto::CredentialFiles;
    /// let files = CredentialFiles {
    ///     authority: "ca.pem".into(),
    ///     certificate: "coordinator.pem".into(),
    ///     key: "coordinator.key".into(),
    ///     revoked: Some("revoked.txt".into()),
    /// };
    /// assert_eq!(files.all().count(), 4);
    /// ```
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let always = [&self.authority, &self.certificate, &self.key];
        always
            .into_iter()
            .chain(&self.revoked)
            .map(PathBuf::as_path)
    }
}

/// Reads a private key.
///
/// ```
/// use std::fs::Permissions;
/// use std::os::unix::fs::PermissionsExt;
/// use misere_proto::CredentialError;
/// use misere_proto::credentials::read_key;
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("worker.key");
/// std::fs::write(&file, "key")?;
/// std::fs::set_permissions(&file, Permissions::from_mode(0o600))?;
/// assert_eq!(read_key(&file)?, b"key");
/// std::fs::set_permissions(&file, Permissions::from_mode(0o644))?;
/// assert!(matches!(read_key(&file), Err(CredentialError::Exposed { mode: 0o644, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CredentialError`] if it cannot be read, or if other users can read it too.
pub fn read_key(file: &Path) -> Result<Vec<u8>, CredentialError> {
    let cannot = |cause| CredentialError::Read {
        file: file.to_owned(),
        cause,
    };
    let opened = input_file::open(file).map_err(cannot)?;
    let about = opened.metadata().map_err(cannot)?;
    let mode = about.mode() & 0o777;
    let us = rustix::process::geteuid().as_raw();
    let given = MOUNTS.iter().any(|mount| file.starts_with(mount));
    match exposure(mode, about.uid(), us, given) {
        Exposure::None => {}
        // Once: credentials are read for every connection.
        Exposure::Given => WARNED.call_once(|| {
            tracing::warn!(file = %file.display(), "everybody here can read this key, which belongs to root");
        }),
        Exposure::Careless => {
            return Err(CredentialError::Exposed {
                file: file.to_owned(),
                mode,
            });
        }
    }
    let key = input_file::bytes_of(opened, input_file::MIDDLE).map_err(cannot)?;
    Ok(input_file::without_mark(&key).to_vec())
}

/// Returns the exposure of a key with this mode and owner.
///
/// `given` says that the key was mounted for this process.
fn exposure(mode: u32, owner: u32, us: u32, given: bool) -> Exposure {
    let roots = owner == 0 && (us != 0 || given);
    match () {
        () if mode & OTHERS == 0 => Exposure::None,
        // A group that root chose may read it: the group of a service, or of an access list.
        () if roots && mode & EVERYBODY == 0 => Exposure::None,
        () if roots => Exposure::Given,
        () => Exposure::Careless,
    }
}

fn read(file: &Path) -> Result<Vec<u8>, CredentialError> {
    let bytes = input_file::read(file, input_file::MIDDLE);
    let bytes = bytes.map_err(|cause| CredentialError::Read {
        file: file.to_owned(),
        cause,
    })?;
    Ok(input_file::without_mark(&bytes).to_vec())
}

/// The credentials in the form that TLS needs.
#[derive(Debug)]
pub struct Identity {
    /// The trusted authorities.
    pub trusted: RootCertStore,
    /// The certificate of this side, and the certificates between it and its authority.
    pub chain: Vec<CertificateDer<'static>>,
    /// The key.
    pub key: PrivateKeyDer<'static>,
}

/// The reason why certificates or a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The file has no certificate of an authority.
    #[error("no certificate of an authority can be read")]
    NoAuthority,
    /// The file has no certificate.
    #[error("one's own certificate cannot be read")]
    NoCertificate,
    /// The file has no key.
    #[error("the key cannot be read")]
    NoKey,
    /// The certificate does not match the key.
    #[error("{0}")]
    Tls(#[from] rustls::Error),
}

impl Credentials {
    /// Reads the certificates and keys in PEM texts.
    ///
    /// Cost: linear in the texts.
    ///
    /// ```
    /// use misere_proto::Credentials;
    /// use misere_proto::credentials::IdentityError;
    /// let nonsense = Credentials { authority: vec![], certificate: vec![], key: vec![] };
    /// assert!(matches!(nonsense.identity(), Err(IdentityError::NoAuthority)));
    /// ```
    ///
    /// # Errors
    /// [`IdentityError`] if one of them has the wrong contents.
    pub fn identity(&self) -> Result<Identity, IdentityError> {
        let trusted = authorities(&self.authority)?;
        let chain = certificates(&self.certificate).map_err(|_| IdentityError::NoCertificate)?;
        if chain.is_empty() {
            return Err(IdentityError::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| IdentityError::NoKey)?;
        Ok(Identity {
            trusted,
            chain,
            key,
        })
    }
}

/// Reads the certificates of authorities in PEM.
///
/// Cost: linear in the text.
///
/// ```
/// use misere_proto::credentials::authorities;
/// assert!(authorities(b"no certificate").is_err());
/// ```
///
/// # Errors
/// [`IdentityError::NoAuthority`] if there is none.
pub fn authorities(pem: &[u8]) -> Result<RootCertStore, IdentityError> {
    let mut trusted = RootCertStore::empty();
    let all = certificates(pem).map_err(|_| IdentityError::NoAuthority)?;
    trusted.add_parsable_certificates(all);
    match trusted.is_empty() {
        true => Err(IdentityError::NoAuthority),
        false => Ok(trusted),
    }
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, rustls::pki_types::pem::Error> {
    CertificateDer::pem_slice_iter(pem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_is_its_owners_alone() {
        for (mode, owner, us, given, expected) in [
            (0o600, 7, 7, false, Exposure::None),
            (0o400, 0, 7, true, Exposure::None),
            (0o644, 7, 7, false, Exposure::Careless),
            (0o640, 7, 7, false, Exposure::Careless),
            (0o604, 0, 0, false, Exposure::Careless),
            // The key of another user.
            (0o644, 8, 7, false, Exposure::Careless),
            // A group that root chose, as systemd does on systems with access lists.
            (0o440, 0, 7, true, Exposure::None),
            // A secret mounted by a container engine, for root in the container and for others.
            (0o444, 0, 7, false, Exposure::Given),
            (0o444, 0, 0, true, Exposure::Given),
        ] {
            let found = exposure(mode, owner, us, given);
            assert_eq!(found, expected, "{mode:o} of {owner} for {us}");
        }
    }

    #[test]
    fn the_error_says_how_to_fix_it() {
        let dir = tempfile::tempdir().unwrap();
        let key = dir.path().join("a.key");
        std::fs::write(&key, "key").unwrap();
        let mode = |mode| std::fs::set_permissions(&key, PermissionsExt::from_mode(mode)).unwrap();
        mode(0o644);
        let refused = read_key(&key).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("chmod 600 {}", key.display())),
            "{refused}"
        );
        mode(0o600);
        assert_eq!(read_key(&key).unwrap(), b"key");
    }
}
