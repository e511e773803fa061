//! How is TLS spoken with those who call, and whom does it keep out?
//!
//! Connections are accepted here and handed on with the certificates shown, so that every refusal
//! is logged with the caller's address, and so that certificate, key, authorities and the list of
//! revoked certificates can be changed while the coordinator runs: the next handshake goes by what
//! was read last.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
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

use super::access::{Caller, Fingerprint, Name};

/// What is logged of refused connections; the log shows it whatever its filter.
pub const REFUSED: &str = "misere_coordinator::refused";

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(5);

/// So many refusals a second are logged; of the others only how many there were.
const LOGGED_A_SECOND: u32 = 5;

/// How long, and for how many bytes, a connection that is refused stays open, so that the refusal
/// arrives.
const FAREWELL: Duration = Duration::from_secs(1);
const FAREWELL_BYTES: u64 = 64 << 10;

/// The fewest hexadecimal digits that stand for a fingerprint: as many as the log shows.
const FINGERPRINT_DIGITS: usize = 16;

/// Why TLS cannot be spoken.
#[derive(Debug, thiserror::Error)]
pub enum TlsFailure {
    /// The files.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// What stands in them.
    #[error("cannot serve with these certificates: {0}")]
    Identity(#[from] IdentityError),
    /// What rustls says.
    #[error("cannot serve with these certificates: {0}")]
    Tls(#[from] Error),
    /// The authorities.
    #[error("cannot serve with these authorities: {0}")]
    Authorities(String),
    /// The list of revoked certificates cannot be read.
    #[error("cannot read `{}`: {cause}", file.display())]
    Revoked {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The list of revoked certificates holds something else.
    #[error(
        "`{}`, line {line}: `{text}` is neither a certificate's name nor its fingerprint ({FINGERPRINT_DIGITS} or 64 hexadecimal digits)",
        file.display()
    )]
    NotRevocable {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
}

/// The certificates that are refused, by name or fingerprint; all copies are the same.
#[derive(Clone, Debug, Default)]
pub struct Revoked(Arc<RwLock<BTreeSet<String>>>);

impl Revoked {
    /// Whether a certificate of this name and fingerprint is refused.
    pub(super) fn holds(&self, name: Option<&Name>, fingerprint: Fingerprint) -> bool {
        let list = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if list.is_empty() {
            return false;
        }
        let whole = fingerprint.whole();
        let named = name.is_some_and(|name| list.contains(&name.to_string()));
        named || list.contains(&whole) || list.contains(&whole[..FINGERPRINT_DIGITS])
    }

    fn set(&self, list: BTreeSet<String>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = list;
    }
}

/// Reads a list of names and fingerprints, one a line; `#` begins a comment.
fn read_revoked(file: &PathBuf) -> Result<BTreeSet<String>, TlsFailure> {
    let text = std::fs::read_to_string(file).map_err(|cause| TlsFailure::Revoked {
        file: file.clone(),
        cause,
    })?;
    let mut list = BTreeSet::new();
    for (at, line) in text.lines().enumerate() {
        let entry = line.split('#').next().unwrap_or_default().trim();
        if entry.is_empty() {
            continue;
        }
        let hex = entry.chars().all(|c| c.is_ascii_hexdigit());
        if hex && (entry.len() == FINGERPRINT_DIGITS || entry.len() == 64) {
            list.insert(entry.to_ascii_lowercase());
        }
        // A name may look like a fingerprint: then both are refused.
        if entry.parse::<Name>().is_ok() {
            list.insert(entry.to_owned());
        } else if !list.contains(&entry.to_ascii_lowercase()) {
            return Err(TlsFailure::NotRevocable {
                file: file.clone(),
                line: at + 1,
                text: entry.chars().take(100).collect(),
            });
        }
    }
    Ok(list)
}

/// TLS as the coordinator speaks it now; all copies are the same.
#[derive(Clone, Debug)]
pub struct Tls {
    config: Arc<RwLock<Arc<ServerConfig>>>,
    revoked: Revoked,
    /// The files that are read again; none if the credentials were given otherwise.
    files: Option<Arc<CredentialFiles>>,
}

impl Tls {
    /// TLS with the credentials given; `None` for plaintext.
    ///
    /// # Errors
    /// [`TlsFailure`] if there are credentials that cannot be used.
    pub fn of(security: &Security) -> Result<Option<Self>, TlsFailure> {
        let Some(credentials) = security.credentials()? else {
            return Ok(None);
        };
        let files = match security {
            Security::Files(files) => Some(Arc::new((**files).clone())),
            _ => None,
        };
        let revoked = Revoked::default();
        if let Some(list) = files.as_ref().and_then(|files| files.revoked.as_ref()) {
            revoked.set(read_revoked(list)?);
        }
        let config = server_config(&credentials, &revoked)?;
        Ok(Some(Self {
            config: Arc::new(RwLock::new(Arc::new(config))),
            revoked,
            files,
        }))
    }

    /// The certificates that are refused.
    #[must_use]
    pub fn revoked(&self) -> &Revoked {
        &self.revoked
    }

    /// Reads the files again. Everything stays as it was if one of them cannot be used.
    ///
    /// # Errors
    /// [`TlsFailure`], which says which and why.
    pub fn reload(&self) -> Result<(), TlsFailure> {
        let Some(files) = &self.files else {
            return Ok(());
        };
        let list = files.revoked.as_ref().map(read_revoked).transpose()?;
        // A fresh configuration has no memory of earlier handshakes: nobody who is revoked now
        // comes in by resuming one.
        let config = server_config(&files.read()?, &self.revoked)?;
        let revoked = list.as_ref().map_or(0, BTreeSet::len);
        if let Some(list) = list {
            self.revoked.set(list);
        }
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
        tracing::info!(
            revoked,
            "certificates and the list of those revoked are read again"
        );
        Ok(())
    }

    /// Reads the files again, and says in the log if that fails.
    pub fn reload_or_tell(&self) {
        if let Err(error) = self.reload() {
            tracing::error!(%error, "certificates stay as they were");
        }
    }

    /// Reads the files again whenever one of them has changed, for ever.
    pub(crate) async fn follow(self) {
        let Some(files) = self.files.clone() else {
            return;
        };
        let mut seen = stamps(&files);
        loop {
            tokio::time::sleep(LOOK).await;
            let now = stamps(&files);
            if now != seen {
                seen = now;
                self.reload_or_tell();
            }
        }
    }

    fn config(&self) -> Arc<ServerConfig> {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&config)
    }

    /// Speaks TLS over the connections that come in; those on which it fails are closed, and logged
    /// with the caller's address.
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

/// When each file was changed last, and how long it was then.
fn stamps(files: &CredentialFiles) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file| {
        let about = std::fs::metadata(file).ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    files.all().map(stamp).collect()
}

fn server_config(credentials: &Credentials, revoked: &Revoked) -> Result<ServerConfig, TlsFailure> {
    let identity = credentials.identity()?;
    let provider = Arc::new(ring::default_provider());
    let known =
        WebPkiClientVerifier::builder_with_provider(identity.trusted.into(), provider.clone())
            .build()
            .map_err(|error| TlsFailure::Authorities(error.to_string()))?;
    let verifier = Arc::new(NotRevoked {
        known,
        revoked: revoked.clone(),
    });
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier)
        .with_single_cert(identity.chain, identity.key)?;
    config.alpn_protocols.push(ALPN.to_vec());
    Ok(config)
}

/// Lets in whoever shows a certificate of the authorities that is not revoked.
#[derive(Debug)]
struct NotRevoked {
    known: Arc<dyn ClientCertVerifier>,
    revoked: Revoked,
}

impl ClientCertVerifier for NotRevoked {
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
        let name = Caller::of(end_entity).map(|caller| caller.name);
        if self
            .revoked
            .holds(name.as_ref(), Fingerprint::of(end_entity))
        {
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

/// Shakes hands with all who come, until nobody takes them any more.
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
                    let acceptor = TlsAcceptor::from(tls.config());
                    handshakes.spawn(shake_hands(acceptor, connection, ready.clone()));
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
            _ = second.tick() => refusals.tell_left_out(Instant::now()),
            () = ready.closed() => return,
        }
    }
    // Those under way may still come in.
    while handshakes.join_next().await.is_some() {}
}

/// Shakes hands and hands the connection on; the caller's address and the reason if it is refused.
async fn shake_hands<C>(
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
            // Nobody takes it only if the coordinator stops.
            let _ = ready.send(Ok(stream)).await;
            Ok(())
        }
        Ok(Err((error, connection))) => {
            tokio::spawn(say_goodbye(connection));
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

/// Closes a connection such that what was said last arrives: what is unread when it closes would
/// take it along.
async fn say_goodbye<C: AsyncRead + AsyncWrite + Unpin + Send>(mut connection: C) {
    let farewell = async {
        connection.shutdown().await?;
        let mut rest = connection.take(FAREWELL_BYTES);
        tokio::io::copy(&mut rest, &mut tokio::io::sink()).await
    };
    // Whoever does not hear it in time does not hear it.
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}

/// Why a handshake failed; `None` if the caller just went.
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

/// Refused connections, of which so many a second are told.
#[derive(Debug, Default)]
struct Refusals {
    second: Option<Instant>,
    logged: u32,
    left_out: u64,
}

impl Refusals {
    fn log(&mut self, now: Instant, peer: Option<SocketAddr>, why: &str) {
        self.tell_left_out(now);
        if self.logged >= LOGGED_A_SECOND {
            self.left_out += 1;
            return;
        }
        self.logged += 1;
        let peer = peer.map_or_else(|| "unknown".to_owned(), |peer| peer.to_string());
        tracing::warn!(target: REFUSED, peer, why, "connection refused");
    }

    /// Says how many were not told of, once the second is over.
    fn tell_left_out(&mut self, now: Instant) {
        let over = |second| now.saturating_duration_since(second) >= Duration::from_secs(1);
        if self.second.is_some_and(|second| !over(second)) {
            return;
        }
        if self.left_out > 0 {
            let more = self.left_out;
            tracing::warn!(target: REFUSED, more, "connections refused, not told one by one");
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
    fn lists_hold_names_and_fingerprints() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("revoked");
        let fingerprint = Fingerprint::of(b"certificate");
        let shown = fingerprint.to_string();
        std::fs::write(
            &file,
            format!("# stolen\nhost-a\n\n{} # by theft\n", shown.to_uppercase()),
        )
        .unwrap();
        let revoked = Revoked::default();
        revoked.set(read_revoked(&file).unwrap());
        let name = |text: &str| text.parse::<Name>().unwrap();
        let other = Fingerprint::of(b"other");
        assert!(revoked.holds(Some(&name("host-a")), other));
        assert!(revoked.holds(Some(&name("host-b")), fingerprint));
        assert!(!revoked.holds(Some(&name("host-b")), other));
        assert!(revoked.holds(None, fingerprint));
        std::fs::write(&file, "host-a\nno name at all\n").unwrap();
        let refused = read_revoked(&file).unwrap_err().to_string();
        assert!(refused.contains("line 2: `no name at all`"), "{refused}");
    }

    #[test]
    fn a_flood_of_refusals_is_told_in_few_lines() {
        let mut refusals = Refusals::default();
        let now = Instant::now();
        for _ in 0..100 {
            refusals.log(now, None, "x");
        }
        assert_eq!((refusals.logged, refusals.left_out), (LOGGED_A_SECOND, 95));
        refusals.tell_left_out(now + Duration::from_secs(1));
        assert_eq!((refusals.logged, refusals.left_out), (0, 0));
    }
}
