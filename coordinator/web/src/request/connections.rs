//! The connections of the pages: their limit, their protocol, and the probes.
//!
//! Only HTTP/1.1 is spoken: over HTTP/2 one connection carries a hundred requests whose answers
//! wait in memory until they are read, so that a limit on connections would limit nothing.
//!
//! A connection without a request waits, for a limited time, and makes room for others
//! ([`misere_coordinator::connections`]): callers that are slow or idle keep no one out. Pages are
//! made for a limited number of connections; beyond it the answer is 503, and its connection is
//! closed. The probes of supervisors do not count, so they are answered regardless of the number of
//! requests for pages.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request, State};
use axum::http::{self, HeaderValue, StatusCode, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::future::RouteFuture;
use axum::{BoxError, Router};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tower::Service;

use misere_coordinator::connections::{Bounds, ConnectionLimiter, GuardedStream};
use misere_store::descriptors::Shares;

use super::answer::failure;
use crate::view::error::RequestError;

/// The time that a caller has for the head of a request, or may be idle between two.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

/// The addresses that supervisors request; they are answered under any load.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Returns the gate of the pages, within their share of descriptors.
pub(crate) fn gate() -> ConnectionLimiter {
    let all = Shares::now().pages;
    let waiting = (all / 4).max(4);
    ConnectionLimiter::new(
        "pages",
        Bounds {
            waiting,
            busy: all - waiting,
            patience: CONNECTION_TIMEOUT,
            kept: 0,
        },
    )
}

/// Serves pages until the listener fails.
///
/// # Errors
/// The system's error.
pub async fn serve(listener: TcpListener, pages: Router) -> std::io::Result<()> {
    misere_store::descriptors::raise();
    serve_through(gate(), listener, pages).await
}

/// Serves pages through a gate that is shared with observers, until the listener fails.
pub(crate) async fn serve_through(
    gate: ConnectionLimiter,
    listener: TcpListener,
    pages: Router,
) -> std::io::Result<()> {
    let admitted = from_fn_with_state(gate.clone(), admit);
    let pages = pages.layer(admitted);
    match accept(&gate, &listener, &pages).await {}
}

/// Accepts connections through a gate and serves pages over them, forever.
async fn accept(gate: &ConnectionLimiter, listener: &TcpListener, pages: &Router) -> Infallible {
    let mut protocol = Builder::new(TokioExecutor::new()).http1_only();
    // A caller may close its side after its request, and still reads the answer.
    protocol.http1().half_close(true);
    loop {
        let stream = gate.accept(listener).await;
        let caller = Caller {
            peer: stream.peer(),
            pages: pages.clone(),
        };
        let protocol = protocol.clone();
        tokio::spawn(over(stream, caller, protocol));
    }
}

async fn over(stream: GuardedStream<TcpStream>, caller: Caller, protocol: Builder<TokioExecutor>) {
    let service = TowerToHyperService::new(caller);
    if let Err(error) = protocol
        .serve_connection(TokioIo::new(stream), service)
        .await
    {
        tracing::debug!(%error, "a connection broke off");
    }
}

/// The pages for one caller, with the caller's address.
#[derive(Clone, Debug)]
struct Caller {
    peer: SocketAddr,
    pages: Router,
}

impl<B> Service<http::Request<B>> for Caller
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = RouteFuture<Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<http::Request<B>>::poll_ready(&mut self.pages, context)
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        request
            .extensions_mut()
            .insert(ConnectInfo(Peer(self.peer)));
        self.pages.call(request)
    }
}

/// The address of the caller.
#[derive(Clone, Copy, Debug)]
struct Peer(SocketAddr);

/// Admits a request if its connection may be busy, or if it is a probe.
async fn admit(
    State(gate): State<ConnectionLimiter>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if !names_one_host(&request) {
        let message = "a request of HTTP/1.1 names its host once, in the header Host\n";
        let mut refused = (StatusCode::BAD_REQUEST, message).into_response();
        close(&mut refused);
        return refused;
    }
    if PROBES.contains(&request.uri().path()) {
        // It has no place, so its connection would be closed at its deadline, perhaps with the next
        // request under way.
        let mut answer = next.run(request).await;
        close(&mut answer);
        return answer;
    }
    if gate.mark_busy(peer, None).is_err() {
        return close_if_refused(match request.uri().path().starts_with("/api/") {
            true => failure(&RequestError::Busy),
            false => {
                let message = format!("{}. {}\n", RequestError::Busy, RequestError::Busy.advice());
                (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
            }
        });
    }
    let at_work = BusyConnection { gate, peer };
    let response = close_if_refused(next.run(request).await);
    response.map(|body| Body::new(AnswerBody { body, at_work }))
}

/// Reports whether a request names its host as HTTP demands.
fn names_one_host(request: &Request) -> bool {
    let named = request.headers().get_all(header::HOST).iter().count();
    match request.version() {
        Version::HTTP_09 | Version::HTTP_10 => named <= 1,
        _ => named == 1,
    }
}

/// Closes the connection of a caller that must come back later.
fn close_if_refused(mut response: Response) -> Response {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        close(&mut response);
    }
    response
}

fn close(response: &mut Response) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
}

/// A busy connection, which waits again when this value is dropped.
struct BusyConnection {
    gate: ConnectionLimiter,
    peer: SocketAddr,
}

impl Drop for BusyConnection {
    fn drop(&mut self) {
        self.gate.rests(self.peer);
    }
}

/// The body of an answer; its connection is busy until it has been sent.
struct AnswerBody {
    body: Body,
    #[allow(dead_code, reason = "dropped with the body")]
    at_work: BusyConnection,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// Returns the answer to raw bytes, after which the caller closes its side.
    async fn answer(sent: &[u8]) -> Vec<u8> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let page = async || {
            // The caller has closed its side by then.
            tokio::time::sleep(Duration::from_millis(100)).await;
            "a page"
        };
        let pages = Router::new()
            .route("/", get(page))
            .route("/healthz", get(page));
        let serving = tokio::spawn(serve_through(gate(), listener, pages));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        // A connection that breaks off has an answer, too: the bytes before the break.
        let read = tokio::time::timeout(Duration::from_secs(20), read).await;
        let _ = read.expect("it ends");
        serving.abort();
        answer
    }

    #[tokio::test]
    async fn a_caller_may_close_its_side_after_a_request() {
        let answer = answer(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.ends_with("a page"), "{answer}");
    }

    #[tokio::test]
    async fn the_connection_of_a_probe_is_not_kept() {
        for (path, is_closed) in [("/healthz", true), ("/", false)] {
            let answer = answer(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await;
            let answer = String::from_utf8(answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            assert_eq!(answer.contains("connection: close"), is_closed, "{answer}");
        }
    }

    #[tokio::test]
    async fn pages_do_not_speak_http_2() {
        // Preface and settings.
        let answer = answer(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await;
        let is_refusal = answer.is_empty() || answer.starts_with(b"HTTP/1.1 400");
        assert!(is_refusal, "{:?}", String::from_utf8_lossy(&answer));
    }

    #[tokio::test]
    async fn a_request_names_one_host() {
        for (head, status) in [
            ("GET / HTTP/1.1\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n", "400"),
            ("GET / HTTP/1.0\r\n", "200"),
        ] {
            let answer = answer(format!("{head}\r\n").as_bytes()).await;
            let answer = String::from_utf8(answer).unwrap();
            assert!(answer.split(' ').nth(1) == Some(status), "{head}: {answer}");
        }
    }
}
