//! TLS with callers, and the callers that it refuses.
//!
//! Connections are accepted here and passed on with the certificates shown. So every refusal is
//! logged with the caller's address, and certificate, key, authorities and the list of revoked
//! certificates can be changed while the coordinator runs: the next handshake uses the files last
//! read.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use misere_proto::connection::{ALPN, HANDSHAKE};
use misere_proto::credentials::IdentityError;
use misere_proto::dial::{certificate_fault, tls_error};
use misere_proto::{CredentialError, CredentialFiles, Credentials, Security};
use rustls_pki_types::{CertificateDer, UnixTime};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::transport::server::{Connected, TcpConnectInfo};

pub use super::revoked::REFUSED;
use super::revoked::{RevocationList, RevocationListError};

/// The interval at which the files are checked for changes.
const RELOAD_INTERVAL: Duration = Duration::from_secs(5);

/// The number of refusals that are logged in a second; the others are only counted.
const LOGGED_A_SECOND: u32 = 5;

/// The time, and the number of bytes, for which a refused connection stays open.
///
/// It lets the refusal arrive.
const REFUSAL_LINGER: Duration = Duration::from_secs(1);
const REFUSAL_LINGER_BYTES: u64 = 64 << 10;

/// The reason why TLS cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The error of reading the files.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// The lack of a usable identity in the files.
    #[error("cannot serve with these certificates: {0}")]
    Identity(#[from] IdentityError),
    /// The error of rustls.
    #[error("cannot serve with these certificates: {0}")]
    Tls(#[from] Error),
    /// The error of authorities that cannot be used.
    #[error("cannot serve with these authorities: {0}")]
    Authorities(String),
    /// The error of a list of revoked certificates that cannot be used.
    #[error(transparent)]
    Revoked(#[from] RevocationListError),
}

/// The current TLS of the coordinator; all copies share one state.
#[derive(Clone, Debug)]
pub struct Tls {
    current: Arc<RwLock<Current>>,
    revoked: RevocationList,
    /// The files that are read again; `None` if the credentials were given in another way.
    files: Option<Arc<CredentialFiles>>,
}

/// What the files last read are worth.
#[derive(Clone, Debug)]
struct Current {
    config: Arc<ServerConfig>,
    /// The time at which the first certificate of the chain to expire does so.
    expires: Option<SystemTime>,
}

impl Tls {
    /// Returns TLS with the credentials given; `None` for plaintext.
    ///
    /// # Errors
    /// [`TlsError`] if there are credentials that cannot be used.
    pub fn of(security: &Security) -> Result<Option<Self>, TlsError> {
        let Some(credentials) = security.credentials()? else {
            return Ok(None);
        };
        let files = match security {
            Security::Files(files) => Some(Arc::new((**files).clone())),
            _ => None,
        };
        let revoked = RevocationList::default();
        if let Some(list) = files.as_ref().and_then(|files| files.revoked.as_ref()) {
            revoked.begin_with(list)?;
        }
        let current = current(&credentials, &revoked)?;
        Ok(Some(Self {
            current: Arc::new(RwLock::new(current)),
            revoked,
            files,
        }))
    }

    /// Returns the certificates that are refused.
    #[must_use]
    pub fn revoked(&self) -> &RevocationList {
        &self.revoked
    }

    /// Reads the files again.
    ///
    /// Certificates, key and authorities stay as they were if one of them cannot be used; the list
    /// of revoked certificates does not depend on them.
    ///
    /// # Errors
    /// [`TlsError`] for each file, or line of the list, that cannot be used.
    pub fn reload(&self) -> Result<(), Vec<TlsError>> {
        let Some(files) = &self.files else {
            return Ok(());
        };
        let mut faults = Vec::new();
        if let Some(list) = &files.revoked {
            let read = self.revoked.read_again(list);
            faults.extend(read.into_iter().map(TlsError::from));
        }
        // A fresh configuration remembers no earlier handshakes, so that a revoked caller cannot
        // resume one.
        let read = files.read().map_err(TlsError::from);
        match read.and_then(|credentials| current(&credentials, &self.revoked)) {
            Ok(current) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
                let revoked = self.revoked.len();
                tracing::info!(
                    revoked,
                    "certificates and the list of those revoked are read again"
                );
            }
            Err(error) => {
                tracing::error!(%error, "certificates stay as they were");
                faults.push(error);
            }
        }
        match faults.is_empty() {
            true => Ok(()),
            false => Err(faults),
        }
    }

    /// Reads the files again, and logs those that cannot be used.
    pub fn reload_or_log(&self) {
        let _ = self.reload();
    }

    /// Reads the files again whenever one of them has changed, forever.
    pub(crate) async fn follow(self) {
        let Some(files) = self.files.clone() else {
            return;
        };
        let mut seen = stamps(&files);
        loop {
            tokio::time::sleep(RELOAD_INTERVAL).await;
            let now = stamps(&files);
            if now != seen {
                seen = now;
                self.reload_or_log();
            }
        }
    }

    /// Returns the time at which the certificate of the coordinator expires.
    #[must_use]
    pub fn expires(&self) -> Option<SystemTime> {
        self.current().expires
    }

    fn current(&self) -> Current {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }

    /// Accepts TLS over incoming connections.
    ///
    /// Connections whose handshake fails are closed, and logged with the caller's address.
    pub fn accept<C>(
        &self,
        incoming: impl Stream<Item = io::Result<C>> + Send + 'static,
    ) -> impl Stream<Item = io::Result<TlsStream<C>>> + Send + 'static
    where
        C: AsyncRead + AsyncWrite + Connected<ConnectInfo = TcpConnectInfo>,
        C: Unpin + Send + 'static,
    {
        let (ready, accepted) = mpsc::channel(1);
        tokio::spawn(accept_all(self.clone(), Box::pin(incoming), ready));
        ReceiverStream::new(accepted)
    }
}

/// Returns the time of the last change of each file, and its length then.
fn stamps(files: &CredentialFiles) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file| {
        let about = std::fs::metadata(file).ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    files.all().map(stamp).collect()
}

fn current(credentials: &Credentials, revoked: &RevocationList) -> Result<Current, TlsError> {
    let identity = credentials.identity()?;
    let expiries = identity.chain.iter().filter_map(expiry);
    let expires = expiries.min();
    let provider = Arc::new(ring::default_provider());
    let known =
        WebPkiClientVerifier::builder_with_provider(identity.trusted.into(), provider.clone())
            .build()
            .map_err(|error| TlsError::Authorities(error.to_string()))?;
    let verifier = Arc::new(RevocationVerifier {
        known,
        revoked: revoked.clone(),
    });
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier)
        .with_single_cert(identity.chain, identity.key)?;
    config.alpn_protocols.push(ALPN.to_vec());
    Ok(Current {
        config: Arc::new(config),
        expires,
    })
}

/// Returns the time at which a certificate expires; `None` if it cannot be read.
fn expiry(certificate: &CertificateDer<'_>) -> Option<SystemTime> {
    let (_, certificate) = x509_parser::parse_x509_certificate(certificate).ok()?;
    let seconds = certificate.validity().not_after.timestamp();
    let seconds = Duration::from_secs(u64::try_from(seconds).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds)
}

/// A verifier of client certificates that accepts unrevoked ones of the authorities.
#[derive(Debug)]
struct RevocationVerifier {
    known: Arc<dyn ClientCertVerifier>,
    revoked: RevocationList,
}

impl ClientCertVerifier for RevocationVerifier {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.known.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        let verified = self
            .known
            .verify_client_cert(end_entity, intermediates, now)?;
        if self.revoked.refuses_certificate(end_entity) {
            return Err(Error::InvalidCertificate(CertificateError::Revoked));
        }
        Ok(verified)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.known.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.known.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.known.supported_verify_schemes()
    }
}

/// Shakes hands with all callers, until connections are no longer accepted.
async fn accept_all<C>(
    tls: Tls,
    mut incoming: impl Stream<Item = io::Result<C>> + Unpin,
    ready: mpsc::Sender<io::Result<TlsStream<C>>>,
) where
    C: AsyncRead + AsyncWrite + Connected<ConnectInfo = TcpConnectInfo> + Unpin + Send + 'static,
{
    let mut handshakes = JoinSet::new();
    let mut refusals = Refusals::default();
    let mut second = tokio::time::interval(Duration::from_secs(1));
    second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            next = incoming.next() => match next {
                Some(Ok(connection)) => {
                    let acceptor = TlsAcceptor::from(tls.current().config);
                    handshakes.spawn(handshake(acceptor, connection, ready.clone()));
                }
                Some(Err(error)) => {
                    if ready.send(Err(error)).await.is_err() {
                        return;
                    }
                }
                None => break,
            },
            Some(done) = handshakes.join_next() => {
                if let Ok(Err((peer, why))) = done {
                    refusals.log(Instant::now(), peer, &why);
                }
            }
            _ = second.tick() => refusals.log_suppressed(Instant::now()),
            () = ready.closed() => return,
        }
    }
    // Handshakes under way may still succeed.
    while handshakes.join_next().await.is_some() {}
}

/// Shakes hands and passes the connection on.
///
/// Returns the caller's address and the reason if it is refused.
async fn handshake<C>(
    acceptor: TlsAcceptor,
    connection: C,
    ready: mpsc::Sender<io::Result<TlsStream<C>>>,
) -> Result<(), (Option<SocketAddr>, String)>
where
    C: AsyncRead + AsyncWrite + Connected<ConnectInfo = TcpConnectInfo> + Unpin + Send + 'static,
{
    let peer = connection.connect_info().remote_addr();
    let handshake = acceptor.accept(connection).into_fallible();
    match tokio::time::timeout(HANDSHAKE, handshake).await {
        Err(_) => Err((peer, format!("no handshake within {HANDSHAKE:?}"))),
        Ok(Ok(stream)) => {
            // The receiver is gone only if the coordinator stops.
            let _ = ready.send(Ok(stream)).await;
            Ok(())
        }
        Ok(Err((error, connection))) => {
            tokio::spawn(close_gracefully(connection));
            match reason(&error) {
                Some(why) => Err((peer, why)),
                // A health check does no more than connect.
                None => {
                    tracing::debug!(?peer, %error, "hung up during the handshake");
                    Ok(())
                }
            }
        }
    }
}

/// Closes a connection so that its last message arrives.
///
/// It would be lost if any bytes of the caller were unread.
async fn close_gracefully<C: AsyncRead + AsyncWrite + Unpin + Send>(mut connection: C) {
    let farewell = async {
        connection.shutdown().await?;
        let mut rest = connection.take(REFUSAL_LINGER_BYTES);
        tokio::io::copy(&mut rest, &mut tokio::io::sink()).await
    };
    // A caller that does not read it in time misses it.
    let _ = tokio::time::timeout(REFUSAL_LINGER, farewell).await;
}

/// Returns the reason why a handshake failed; `None` if the caller just left.
fn reason(error: &io::Error) -> Option<String> {
    Some(match tls_error(error)? {
        Error::InvalidCertificate(why) => {
            format!(
                "the caller's certificate is refused: {}",
                certificate_fault(why)
            )
        }
        Error::AlertReceived(alert) => {
            format!("the caller refuses this coordinator's certificate or TLS: {alert:?}")
        }
        Error::NoCertificatesPresented => "the caller shows no certificate".to_owned(),
        Error::InvalidMessage(_) => "the caller does not speak TLS".to_owned(),
        error => error.to_string(),
    })
}

/// The log of refused connections, with a limit on the lines per second.
#[derive(Debug, Default)]
struct Refusals {
    second: Option<Instant>,
    logged: u32,
    left_out: u64,
}

impl Refusals {
    fn log(&mut self, now: Instant, peer: Option<SocketAddr>, why: &str) {
        self.log_suppressed(now);
        if self.logged >= LOGGED_A_SECOND {
            self.left_out += 1;
            return;
        }
        self.logged += 1;
        let peer = peer.map_or_else(|| "unknown".to_owned(), |peer| peer.to_string());
        tracing::warn!(target: REFUSED, peer, why, "connection refused");
    }

    /// Logs the number of refusals that were left out, once the second is over.
    fn log_suppressed(&mut self, now: Instant) {
        let over = |second| now.saturating_duration_since(second) >= Duration::from_secs(1);
        if self.second.is_some_and(|second| !over(second)) {
            return;
        }
        if self.left_out > 0 {
            let more = self.left_out;
            tracing::warn!(target: REFUSED, more, "connections refused, not logged one by one");
        }
        *self = Self {
            second: Some(now),
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_refusals_is_logged_in_few_lines() {
        let mut refusals = Refusals::default();
        let now = Instant::now();
        for _ in 0..100 {
            refusals.log(now, None, "x");
        }
        assert_eq!((refusals.logged, refusals.left_out), (LOGGED_A_SECOND, 95));
        refusals.log_suppressed(now + Duration::from_secs(1));
        assert_eq!((refusals.logged, refusals.left_out), (0, 0));
    }
}
