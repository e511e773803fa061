//! Connections between coordinator and worker, and their protection by TLS.
//!
//! TLS is mutual: each side shows a certificate signed by the census's own certificate authority.
//! Plaintext is for one machine (loopback), or on explicit request.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

use crate::credentials::{CredentialError, CredentialFiles};

/// The protocol that TLS announces.
pub const ALPN: &[u8] = b"h2";

/// The prefix of the address of a socket on this machine.
pub const UNIX: &str = "unix:";

/// The greatest duration of a handshake.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// The interval at which a silent connection is probed, and the time for the answer.
///
/// A half-open connection is thus noticed within a lease.
pub const KEEPALIVE: Duration = Duration::from_secs(5);

/// The certificates that one side shows and trusts, in PEM.
#[derive(Clone)]
pub struct Credentials {
    /// The trusted certificate authorities.
    pub authority: Vec<u8>,
    /// The certificate of this side.
    pub certificate: Vec<u8>,
    /// The private key of this side.
    pub key: Vec<u8>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

impl Credentials {
    fn client(&self) -> ClientTlsConfig {
        ClientTlsConfig::new()
            .identity(Identity::from_pem(&self.certificate, &self.key))
            .ca_certificate(Certificate::from_pem(&self.authority))
            .timeout(HANDSHAKE)
    }
}

/// The protection of connections.
#[derive(Clone, Debug, Default)]
pub enum Security {
    /// Plaintext, which is refused except on this machine's loopback addresses.
    #[default]
    Loopback,
    /// Plaintext on any address, because a person asked for it.
    Insecure,
    /// Mutual TLS.
    Mutual(Box<Credentials>),
    /// Mutual TLS, with the current contents of files.
    Files(Box<CredentialFiles>),
}

impl Security {
    /// Returns the credentials for TLS; `None` for plaintext.
    ///
    /// Cost: credentials in files are read again each time.
    ///
    /// ```
    /// use misere_proto::Security;
    /// assert!(Security::Loopback.credentials()?.is_none());
    /// # Ok::<(), misere_proto::CredentialError>(())
    /// ```
    ///
    /// # Errors
    /// [`CredentialError`] if they are in files that cannot be read.
    pub fn credentials(&self) -> Result<Option<Credentials>, CredentialError> {
        Ok(match self {
            Self::Loopback | Self::Insecure => None,
            Self::Mutual(credentials) => Some((**credentials).clone()),
            Self::Files(files) => Some(files.read()?),
        })
    }

    /// Reports whether both sides show certificates.
    ///
    /// ```
    /// use misere_proto::{CredentialFiles, Security};
    /// let files = CredentialFiles {
    ///     authority: "ca.pem".into(),
    ///     certificate: "worker.pem".into(),
    ///     key: "worker.key".into(),
    ///     revoked: None,
    /// };
    /// assert!(Security::Files(Box::new(files)).is_mutual());
    /// assert!(!Security::Insecure.is_mutual());
    /// ```
    #[must_use]
    pub fn is_mutual(&self) -> bool {
        matches!(self, Self::Mutual(_) | Self::Files(_))
    }

    /// Reports whether plaintext is allowed on an address.
    ///
    /// ```
    /// use misere_proto::Security;
    /// let (here, everywhere) = ("127.0.0.1:7117".parse()?, "0.0.0.0:7117".parse()?);
    /// assert!(Security::Loopback.allows(here) && !Security::Loopback.allows(everywhere));
    /// assert!(Security::Insecure.allows(everywhere));
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    #[must_use]
    pub fn allows(&self, address: SocketAddr) -> bool {
        match self {
            Self::Loopback => address.ip().is_loopback(),
            Self::Insecure | Self::Mutual(_) | Self::Files(_) => true,
        }
    }
}

/// The reason why a coordinator's address cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The text is not an address.
    #[error(
        "`{0}` is not an address of a coordinator (write https://HOST:PORT, or http://127.0.0.1:PORT on this machine)"
    )]
    Url(String),
    /// Plaintext to another machine.
    #[error(
        "`{0}` would be reached in plaintext: write https:// and give --ca, --cert and --key (`misere coordinator certs` makes them), or say --insecure"
    )]
    Plaintext(String),
    /// Credentials are given but would not be used.
    #[error("`{0}` is plaintext, but certificates are given: write https://")]
    Unused(String),
    /// TLS is used without credentials.
    #[error("`{0}` needs --ca, --cert and --key (`misere coordinator certs` makes them)")]
    NoCredentials(String),
    /// The certificates or the key cannot be read as such.
    #[error("the certificates or the key cannot be used: {0}")]
    Credentials(String),
}

/// Returns the endpoint of the coordinator at a URL; nothing is sent yet.
///
/// # Errors
/// [`AddressError`], which says what to write instead.
///
/// ```
/// use misere_proto::{AddressError, Security, endpoint};
/// assert!(endpoint("http://127.0.0.1:7117", &Security::Loopback).is_ok());
/// let elsewhere = endpoint("http://host-a:7117", &Security::Loopback);
/// assert!(matches!(elsewhere, Err(AddressError::Plaintext(_))));
/// ```
pub fn endpoint(url: &str, security: &Security) -> Result<Endpoint, AddressError> {
    let bad = || AddressError::Url(url.to_owned());
    let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|_| bad())?;
    // A socket admits only its owner, and no one can listen on the way.
    if url.starts_with(UNIX) {
        return Ok(endpoint);
    }
    let host = endpoint.uri().host().ok_or_else(bad)?.to_owned();
    // An invalid port, such as 99999, would otherwise be ignored in favour of the scheme's port.
    let authority = endpoint
        .uri()
        .authority()
        .map_or("", |found| found.as_str());
    let port = authority.rsplit_once(':').map(|(_, port)| port);
    if port.is_some_and(|port| !port.ends_with(']')) && endpoint.uri().port_u16().is_none() {
        return Err(bad());
    }
    let endpoint = match (endpoint.uri().scheme_str(), security) {
        (Some("http"), Security::Loopback) if is_loopback(&host) => endpoint,
        (Some("http"), Security::Insecure) => endpoint,
        (Some("http"), Security::Loopback) => return Err(AddressError::Plaintext(url.to_owned())),
        (Some("http"), _) => return Err(AddressError::Unused(url.to_owned())),
        (Some("https"), security) => {
            let useless = |error: &dyn std::error::Error| AddressError::Credentials(chain(error));
            let credentials = security.credentials().map_err(|error| useless(&error))?;
            let credentials =
                credentials.ok_or_else(|| AddressError::NoCredentials(url.to_owned()))?;
            endpoint
                .tls_config(credentials.client())
                .map_err(|error| useless(&error))?
        }
        _ => return Err(bad()),
    };
    Ok(tuned(endpoint))
}

/// Returns an endpoint that notices dead connections.
pub(crate) fn tuned(endpoint: Endpoint) -> Endpoint {
    endpoint
        .tcp_nodelay(true)
        .connect_timeout(HANDSHAKE)
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE)
        .keep_alive_while_idle(true)
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// Returns an error with all its causes, on one line.
///
/// ```
/// use misere_proto::connection::chain;
/// let error = std::io::Error::other("the line is cut");
/// assert_eq!(chain(&error), "the line is cut");
/// ```
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.ends_with(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plaintext_stays_on_this_machine() {
        let refused = |url: &str, security: Security| endpoint(url, &security).unwrap_err();
        for url in [
            "http://127.0.0.1:1",
            "http://[::1]:1",
            "http://[::1]",
            "http://localhost:1",
            "http://127.9.9.9:1",
        ] {
            assert!(endpoint(url, &Security::Loopback).is_ok(), "{url}");
        }
        for url in [
            "http://10.0.0.1:1",
            "http://host:1",
            "http://localhost.evil.org:1",
            "http://[::]:1",
        ] {
            assert!(
                matches!(refused(url, Security::Loopback), AddressError::Plaintext(_)),
                "{url}"
            );
            assert!(endpoint(url, &Security::Insecure).is_ok());
        }
        assert!(matches!(
            refused("https://host:1", Security::Insecure),
            AddressError::NoCredentials(_)
        ));
        for url in [
            "",
            "::",
            "ftp://host",
            "127.0.0.1:1",
            "http://127.0.0.1:99999",
            "http://[::1]:65536",
            "http://host:",
        ] {
            assert!(
                matches!(refused(url, Security::Insecure), AddressError::Url(_)),
                "{url}"
            );
        }
        let nonsense = Credentials {
            authority: b"x".to_vec(),
            certificate: b"y".to_vec(),
            key: b"z".to_vec(),
        };
        let nonsense = Security::Mutual(Box::new(nonsense));
        assert!(matches!(
            refused("http://127.0.0.1:1", nonsense.clone()),
            AddressError::Unused(_)
        ));
        assert!(matches!(
            refused("https://host:1", nonsense),
            AddressError::Credentials(_)
        ));
    }
}
