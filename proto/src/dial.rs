//! The connection to a coordinator, and the reasons why it could not be made.
//!
//! Credentials are read again for each connection, so that a renewed certificate is used without a
//! restart. The fault of the last connection is remembered in words for the people who can fix it:
//! the calls over the connection fail with less detail.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{AlertDescription, CertificateError, ClientConfig, Error};
use tonic::transport::{Channel, Endpoint, Uri};
use tower::service_fn;

use crate::connection::{ALPN, AddressError, Security, UNIX, chain, endpoint, tuned};
use crate::credentials::{Identity, IdentityError};

/// The first bytes of an alert of TLS: the type of the record and the major version.
const TLS_ALERT: [u8; 2] = [21, 3];

/// The reason why the last connection could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DialError {
    /// The address does not answer.
    #[error("no connection to {address}: {why}")]
    Away {
        /// The address.
        address: String,
        /// The error of the system.
        why: String,
    },
    /// The other side refuses our certificate.
    #[error("the coordinator refuses this certificate: {0}")]
    Ours(String),
    /// We refuse the other side's certificate.
    #[error("the coordinator's certificate is refused here: {0}")]
    Theirs(String),
    /// The two sides support no common TLS.
    #[error("no TLS with {address}: {why}")]
    NoTls {
        /// The address.
        address: String,
        /// The reason.
        why: String,
    },
    /// The other side speaks TLS, and the URL asks for plaintext.
    #[error("{0} speaks TLS; write https:// in the URL, with --ca, --cert and --key")]
    Plaintext(String),
    /// Our own credentials cannot be read.
    #[error("{0}")]
    Credentials(String),
}

impl DialError {
    /// Reports whether the fault passes without help, like a coordinator that is being restarted.
    ///
    /// Otherwise a person has to fix it.
    ///
    /// ```
    /// use misere_proto::DialError;
    /// let away = DialError::Away { address: "host:7117".to_owned(), why: "no answer".to_owned() };
    /// assert!(away.passes());
    /// assert!(!DialError::Ours("it has expired".to_owned()).passes());
    /// ```
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Away { .. })
    }
}

/// The fault of the last connection, if it had one; all copies share it.
#[derive(Clone, Debug, Default)]
pub struct LastDialError(Arc<Mutex<Option<DialError>>>);

impl LastDialError {
    /// Returns the fault.
    ///
    /// ```
    /// use misere_proto::LastDialError;
    /// assert_eq!(LastDialError::default().get(), None);
    /// ```
    #[must_use]
    pub fn get(&self) -> Option<DialError> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set(&self, fault: Option<DialError>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }
}

/// Returns a channel to the coordinator at a URL, and the fault of its last connection.
///
/// The channel connects whenever it has to.
///
/// ```
/// use misere_proto::{AddressError, Security, dial};
/// // Nothing is sent in plaintext to another machine unless a person asked for it.
/// let refused = dial("http://host-a:7117", &Security::Loopback);
/// assert!(matches!(refused, Err(AddressError::Plaintext(_))));
/// ```
///
/// # Errors
/// [`AddressError`], which says what to write instead.
pub fn dial(url: &str, security: &Security) -> Result<(Channel, LastDialError), AddressError> {
    let endpoint = endpoint(url, security)?;
    let last = LastDialError::default();
    if url.starts_with(UNIX) {
        return Ok((endpoint.connect_lazy(), last));
    }
    let uri = endpoint.uri().clone();
    let target = Target::new(&uri, security);
    // The connector itself does TLS; tonic must not know about it.
    let plain = Endpoint::from_shared(format!("http://{}", target.address))
        .map_err(|_| AddressError::Url(url.to_owned()))?;
    let noted = last.clone();
    let connector = service_fn(move |_: Uri| connect(target.clone(), noted.clone()));
    let channel = tuned(plain)
        .origin(uri)
        .connect_with_connector_lazy(connector);
    Ok((channel, last))
}

/// The other side of a connection, and its protection.
#[derive(Clone)]
struct Target {
    host: String,
    port: u16,
    address: String,
    /// The security used for TLS; `None` for plaintext.
    secured: Option<Security>,
}

impl Target {
    fn new(uri: &Uri, security: &Security) -> Self {
        let secured = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if secured { 443 } else { 80 });
        let named = uri.host().unwrap_or_default();
        Self {
            host: named
                .trim_start_matches('[')
                .trim_end_matches(']')
                .to_owned(),
            port,
            address: format!("{named}:{port}"),
            secured: secured.then(|| security.clone()),
        }
    }

    fn away(&self, why: String) -> DialError {
        DialError::Away {
            address: self.address.clone(),
            why,
        }
    }

    /// Returns the fault that a failed handshake shows.
    fn no_tls(&self, error: &io::Error) -> DialError {
        match tls_error(error) {
            Some(error) => self.tls_fault(error),
            // The listener hung up, or the network broke off.
            None => self.away(format!("it broke off during the handshake: {error}")),
        }
    }

    fn tls_fault(&self, error: &Error) -> DialError {
        match error {
            Error::InvalidCertificate(why) => DialError::Theirs(certificate_fault(why)),
            Error::AlertReceived(alert) => match alert_fault(*alert) {
                Some(why) => DialError::Ours(why),
                None => DialError::NoTls {
                    address: self.address.clone(),
                    why: error.to_string(),
                },
            },
            Error::InvalidMessage(_) => DialError::NoTls {
                address: self.address.clone(),
                why: "what answers there does not speak TLS".to_owned(),
            },
            error => DialError::NoTls {
                address: self.address.clone(),
                why: error.to_string(),
            },
        }
    }
}

/// Returns the TLS error in an error of a stream, if there is one.
///
/// ```
/// use std::io;
/// use misere_proto::dial::tls_error;
/// assert!(tls_error(&io::Error::from(io::ErrorKind::ConnectionReset)).is_none());
/// ```
#[must_use]
pub fn tls_error(error: &io::Error) -> Option<&Error> {
    error.get_ref()?.downcast_ref()
}

/// Returns the fault of a certificate, in words for the people who can fix it.
#[must_use]
pub fn certificate_fault(error: &CertificateError) -> String {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "it has expired; make a new one with `misere coordinator certs`".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet; look at the clocks of both machines".to_owned()
        }
        CertificateError::UnknownIssuer => {
            "it is signed by an authority that is not trusted; both sides need the same --ca"
                .to_owned()
        }
        CertificateError::NotValidForName => {
            "it is for another host; write one of its hosts in the URL, or make it again with --host"
                .to_owned()
        }
        CertificateError::NotValidForNameContext {
            expected,
            presented,
        } => format!(
            "it is not for the host `{}` but for {}; write one of those in the URL, or make it again with --host",
            expected.to_str(),
            match hosts(presented) {
                hosts if hosts.is_empty() => "none".to_owned(),
                hosts => hosts.join(", "),
            }
        ),
        CertificateError::Revoked => "it is revoked".to_owned(),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "its roles are for the other side: a coordinator's certificate serves, the others call"
                .to_owned()
        }
        other => format!("{other}"),
    }
}

/// Returns the hosts among the names in a certificate, as an error of rustls writes them.
fn hosts(presented: &[String]) -> Vec<&str> {
    presented.iter().filter_map(|name| host(name)).collect()
}

fn host(presented: &str) -> Option<&str> {
    let kinds = ["DnsName(", "IpAddress("];
    let name = kinds.iter().find_map(|kind| presented.strip_prefix(kind))?;
    Some(name.strip_suffix(')')?.trim_matches('"'))
}

/// Returns the other side's complaint about our certificate; `None` for other alerts.
fn alert_fault(alert: AlertDescription) -> Option<String> {
    Some(match alert {
        AlertDescription::CertificateExpired => certificate_fault(&CertificateError::Expired),
        AlertDescription::UnknownCA => certificate_fault(&CertificateError::UnknownIssuer),
        AlertDescription::CertificateRevoked => certificate_fault(&CertificateError::Revoked),
        AlertDescription::UnsupportedCertificate => {
            certificate_fault(&CertificateError::InvalidPurpose)
        }
        AlertDescription::CertificateRequired | AlertDescription::NoCertificate => {
            "none was shown".to_owned()
        }
        AlertDescription::BadCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::AccessDenied
        | AlertDescription::DecryptError => format!("it says {alert:?}"),
        _ => return None,
    })
}

/// Connects, and records the fault if the connection fails.
async fn connect(target: Target, last: LastDialError) -> io::Result<TokioIo<Line>> {
    // This fault stays if the attempt takes so long that it is cancelled.
    last.set(Some(target.away("no answer".to_owned())));
    let made = open(&target).await;
    last.set(made.as_ref().err().cloned());
    let stream = made.map_err(|fault| io::Error::other(fault.to_string()))?;
    Ok(TokioIo::new(Line {
        stream,
        target,
        last,
        is_new: true,
    }))
}

async fn open(target: &Target) -> Result<Box<dyn Duplex>, DialError> {
    let connected = TcpStream::connect((target.host.as_str(), target.port)).await;
    let stream = connected.map_err(|error| target.away(error.to_string()))?;
    // Without it every message of more than a packet would wait for the delayed acknowledgement of
    // its first one.
    stream
        .set_nodelay(true)
        .map_err(|error| target.away(error.to_string()))?;
    let Some(security) = &target.secured else {
        return Ok(Box::new(stream));
    };
    let own = |error: &dyn std::error::Error| DialError::Credentials(chain(error));
    let credentials = security.credentials().map_err(|error| own(&error))?;
    let Some(credentials) = credentials else {
        return Ok(Box::new(stream));
    };
    let identity = credentials.identity().map_err(|error| own(&error))?;
    let config = client_config(identity).map_err(|error| own(&error))?;
    let name = ServerName::try_from(target.host.clone());
    let name = name.map_err(|error| target.away(error.to_string()))?;
    let secured = TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await;
    Ok(Box::new(secured.map_err(|error| target.no_tls(&error))?))
}

fn client_config(identity: Identity) -> Result<ClientConfig, IdentityError> {
    let provider = Arc::new(ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(identity.trusted)
        .with_client_auth_cert(identity.chain, identity.key)?;
    config.alpn_protocols.push(ALPN.to_vec());
    Ok(config)
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A connection.
///
/// Since TLS 1.3 a certificate is refused only after the handshake, so the fault is recorded on
/// reading. Plaintext is answered with an alert by a server that expects TLS.
struct Line {
    stream: Box<dyn Duplex>,
    target: Target,
    last: LastDialError,
    /// Whether nothing has been read yet.
    is_new: bool,
}

impl Line {
    /// Records the fault if these bytes, the first ones, are a TLS alert on a plaintext connection.
    fn look_for_tls(&mut self, first: &[u8]) {
        self.is_new = false;
        if self.target.secured.is_none() && first.starts_with(&TLS_ALERT) {
            let address = self.target.address.clone();
            self.last.set(Some(DialError::Plaintext(address)));
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if self.is_new && buf.filled().len() > before {
            self.look_for_tls(&buf.filled()[before..]);
        }
        if let Poll::Ready(Err(error)) = &read
            && let Some(error) = tls_error(error)
        {
            self.last.set(Some(self.target.tls_fault(error)));
        }
        read
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_shown_as_they_are_written() {
        let presented = [
            "UniformResourceIdentifier(\"misere://name/a\")",
            "IpAddress(127.0.0.1)",
            "DnsName(\"census.lab.example\")",
        ];
        let presented = presented.map(str::to_owned);
        assert_eq!(hosts(&presented), ["127.0.0.1", "census.lab.example"]);
    }

    #[test]
    fn only_an_absent_coordinator_comes_back_by_itself() {
        let target = Target {
            host: "host".to_owned(),
            port: 1,
            address: "host:1".to_owned(),
            secured: None,
        };
        let refused = io::Error::from(io::ErrorKind::UnexpectedEof);
        assert!(target.no_tls(&refused).passes());
        for (alert, says) in [
            (AlertDescription::CertificateExpired, "it has expired"),
            (AlertDescription::CertificateRevoked, "it is revoked"),
            (AlertDescription::UnknownCA, "not trusted"),
            (AlertDescription::HandshakeFailure, "no TLS with host:1"),
        ] {
            let fault = target.tls_fault(&Error::AlertReceived(alert));
            assert!(!fault.passes());
            assert!(fault.to_string().contains(says), "{fault}");
        }
    }
}
