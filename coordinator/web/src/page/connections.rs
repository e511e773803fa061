//! The bound on the connections of the pages, and the probes that are answered beyond it.
//!
//! A connection on which nothing is asked waits, for a bounded time, and makes room for others
//! ([`misere_coordinator::connections`]): callers that are slow or idle keep nobody out. Pages are
//! made for a bounded number of connections; beyond it the answer is 503, and its connection is
//! closed. The probes of supervisors take no place among those, so they are answered however many
//! pages are asked for.

use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::connect_info::{ConnectInfo, Connected};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};

use super::failure::Failure;
use misere_coordinator::connections::{Bounds, Gate, Guarded};
use misere_store::descriptors::Shares;

/// The time that a caller has for the head of a request, and that a connection may be idle between
/// two.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

/// The addresses that supervisors ask; they are answered however many others ask.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The gate of the pages, within the share of descriptors that they have.
pub(crate) fn gate() -> Gate {
    let all = Shares::now().pages;
    let waiting = (all / 4).max(4);
    Gate::new(
        "pages",
        Bounds {
            waiting,
            busy: all - waiting,
            patience: CONNECTION_TIMEOUT,
            kept: 0,
        },
    )
}

/// A listener that takes connections through a gate.
#[derive(Debug)]
pub(crate) struct Bounded {
    listener: TcpListener,
    gate: Gate,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener, gate: Gate) -> Self {
        Self { listener, gate }
    }
}

impl Listener for Bounded {
    type Io = Guarded<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        let stream = self.gate.accept(&self.listener).await;
        let peer = stream.peer();
        (stream, peer)
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// The address of the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(SocketAddr);

impl Connected<IncomingStream<'_, Bounded>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Bounded>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// Lets a request in if its connection may be at work, or if the request is that of a probe.
pub(crate) async fn admit(
    State(gate): State<Gate>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if PROBES.contains(&request.uri().path()) {
        return close_if_refused(next.run(request).await);
    }
    if gate.speaks(peer, None).is_err() {
        return close_if_refused(match request.uri().path().starts_with("/api/") {
            true => crate::api::failure(&Failure::Busy),
            false => {
                let message = format!("{}. {}\n", Failure::Busy, Failure::Busy.advice());
                (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
            }
        });
    }
    let at_work = AtWork { gate, peer };
    let response = close_if_refused(next.run(request).await);
    response.map(|body| Body::new(Answered { body, at_work }))
}

/// Closes the connection of a caller that is told to come back later.
fn close_if_refused(mut response: Response) -> Response {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

/// A connection at work, which waits again when this value is dropped.
struct AtWork {
    gate: Gate,
    peer: SocketAddr,
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.gate.rests(self.peer);
    }
}

/// The body of an answer; its connection is at work until it has been handed over.
struct Answered {
    body: Body,
    #[allow(dead_code, reason = "dropped with the body")]
    at_work: AtWork,
}

impl HttpBody for Answered {
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
