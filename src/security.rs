//! The protection of a connection, according to the command line.

use std::path::PathBuf;

use misere_proto::{CredentialError, CredentialFiles, Security};

use crate::exit::{CommandError, Exit};

/// The options for certificates, or for plaintext.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Security (nothing is needed on this machine; docs/security.md)")]
pub struct SecurityArgs {
    /// The trusted certificates, in PEM: those of the census's authority
    #[arg(
        long,
        value_name = "FILE",
        env = "MISERE_CA",
        conflicts_with = "insecure"
    )]
    ca: Option<PathBuf>,
    /// The certificate to show, in PEM; `misere coordinator certs` makes it
    #[arg(long, value_name = "FILE", env = "MISERE_CERT")]
    cert: Option<PathBuf>,
    /// The key of the certificate, in PEM
    #[arg(long, value_name = "FILE", env = "MISERE_KEY")]
    key: Option<PathBuf>,
    /// Speak plaintext with other machines: anyone who reaches the coordinator may do everything
    #[arg(long)]
    insecure: bool,
}

impl SecurityArgs {
    /// Returns the protection requested.
    ///
    /// # Errors
    /// [`SecurityError`] if a file cannot be read, if others can read the key, or if one is missing.
    pub fn resolve(&self) -> Result<Security, SecurityError> {
        self.resolve_with(None)
    }

    /// Returns the protection requested, with a list of certificates that are refused.
    ///
    /// # Errors
    /// See [`resolve`](Self::resolve).
    pub fn resolve_with(&self, revoked: Option<&PathBuf>) -> Result<Security, SecurityError> {
        Ok(match (&self.ca, &self.cert, &self.key) {
            _ if self.insecure => Security::Insecure,
            (Some(ca), Some(cert), Some(key)) => {
                let files = CredentialFiles {
                    authority: ca.clone(),
                    certificate: cert.clone(),
                    key: key.clone(),
                    revoked: revoked.cloned(),
                };
                // Faulty files are reported now, not when a connection is made.
                files.read()?;
                Security::Files(Box::new(files))
            }
            (None, None, None) if revoked.is_none() => Security::Loopback,
            _ => return Err(SecurityError::Incomplete),
        })
    }
}

/// The reason why a connection cannot be protected.
#[derive(Debug, thiserror::Error)]
pub enum SecurityError {
    /// Some of the files are not given.
    #[error("--ca, --cert and --key belong together, and --revoked to them; give all three")]
    Incomplete,
    /// Certificates or a key cannot be read from their files.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
}

impl CommandError for SecurityError {
    fn exit(&self) -> Exit {
        match self {
            Self::Incomplete => Exit::Usage,
            Self::Credentials(_) => Exit::Failed,
        }
    }
}
