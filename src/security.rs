//! How is a connection to be protected, according to the command line?

use std::path::{Path, PathBuf};

use misere_proto::{Credentials, Security};

use crate::exit::Failure;

/// Certificates, or the word that none are wanted.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Security (nothing is needed on this machine; docs/security.md)")]
pub struct SecurityArgs {
    /// The certificates trusted, in PEM: those of the census's authority
    #[arg(long, value_name = "FILE", requires_all = ["cert", "key"], conflicts_with = "insecure")]
    ca: Option<PathBuf>,
    /// The certificate to show, in PEM; `misere coordinator certs` makes it
    #[arg(long, value_name = "FILE", requires_all = ["ca", "key"])]
    cert: Option<PathBuf>,
    /// Its key, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["ca", "cert"])]
    key: Option<PathBuf>,
    /// Speak plaintext with other machines: whoever reaches the coordinator may do everything
    #[arg(long)]
    insecure: bool,
}

impl SecurityArgs {
    /// What is asked for, with the files read.
    ///
    /// # Errors
    /// [`Failure::File`] if one cannot be read.
    pub fn resolve(&self) -> Result<Security, Failure> {
        Ok(match (&self.ca, &self.cert, &self.key) {
            (Some(ca), Some(cert), Some(key)) => Security::Mutual(Box::new(Credentials {
                authority: read(ca)?,
                certificate: read(cert)?,
                key: read(key)?,
            })),
            _ if self.insecure => Security::Insecure,
            _ => Security::Loopback,
        })
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|cause| Failure::File {
        file: file.display().to_string(),
        cause,
    })
}
