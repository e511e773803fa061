//! The protection of a connection, according to the command line.

use std::path::PathBuf;

use misere_proto::{CredentialError, CredentialFiles, Security};

use crate::exit::CommandError;

/// The options for certificates, or for plaintext.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Security (nothing is needed on this machine; docs/security.md)")]
pub struct SecurityArgs {
    /// The trusted certificates, in PEM: those of the census's authority
    #[arg(long, value_name = "FILE", requires_all = ["cert", "key"], conflicts_with = "insecure")]
    ca: Option<PathBuf>,
    /// The certificate to show, in PEM; `misere coordinator certs` makes it
    #[arg(long, value_name = "FILE", requires_all = ["ca", "key"])]
    cert: Option<PathBuf>,
    /// The key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["ca", "cert"])]
    key: Option<PathBuf>,
    /// Speak plaintext with other machines: anyone who reaches the coordinator may do everything
    #[arg(long)]
    insecure: bool,
}

impl SecurityArgs {
    /// Returns the protection requested.
    ///
    /// # Errors
    /// [`CredentialError`] if a file cannot be read, or if others can read the key.
    pub fn resolve(&self) -> Result<Security, CredentialError> {
        self.resolve_with(None)
    }

    /// Returns the protection requested, with a list of certificates that are refused.
    ///
    /// # Errors
    /// See [`resolve`](Self::resolve).
    pub fn resolve_with(&self, revoked: Option<&PathBuf>) -> Result<Security, CredentialError> {
        Ok(match (&self.ca, &self.cert, &self.key) {
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
            _ if self.insecure => Security::Insecure,
            _ => Security::Loopback,
        })
    }
}

impl CommandError for CredentialError {}
