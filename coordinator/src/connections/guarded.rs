//! Connections that keep their deadlines.
//!
//! Reading fails once it has waited too long, or has yielded to another connection. Writing fails
//! once the peer reads nothing for half a minute, or less than a slow telephone line would carry.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep};
use tonic::transport::server::{Connected, TcpConnectInfo};

use super::{ConnectionLimiter, Phase, Place, Reason};

/// The longest time for which the peer may leave sent bytes unread.
const STALL: Duration = Duration::from_secs(30);

/// The number of sent bytes that extend [`STALL`] by a second.
const MIN_BYTES_PER_SECOND: u64 = 8 << 10;

/// A connection that is closed when its deadline is over.
#[derive(Debug)]
pub struct GuardedStream<C> {
    stream: C,
    gate: ConnectionLimiter,
    place: Arc<Place>,
    /// The reason why the connection was closed, once it is.
    closed: Option<Reason>,
    deadline: Option<Pin<Box<Sleep>>>,
    writing: SendState,
    _permit: Option<OwnedSemaphorePermit>,
}

/// The state of sending.
#[derive(Debug, Default)]
struct SendState {
    /// The time at which sending began to wait.
    since: Option<Instant>,
    /// The time for which sending waited before that.
    waited: Duration,
    sent: u64,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<C> GuardedStream<C> {
    pub(super) fn new(
        stream: C,
        gate: ConnectionLimiter,
        place: Arc<Place>,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            stream,
            gate,
            place,
            closed: None,
            deadline: None,
            writing: SendState::default(),
            _permit: permit,
        }
    }

    /// Returns the address of the other end.
    pub fn peer(&self) -> SocketAddr {
        self.place.peer
    }

    /// Checks that the connection may stay open, and has the task woken when that changes.
    ///
    /// An answer on its way may take longer than a request.
    fn poll_borne(&mut self, context: &mut Context<'_>, reading: bool) -> io::Result<()> {
        if let Some(reason) = self.closed {
            return Err(timed_out(reason));
        }
        let phase = {
            let mut state = self.place.state();
            match &mut state.waker {
                Some(waker) => waker.clone_from(context.waker()),
                none => *none = Some(context.waker().clone()),
            }
            state.phase
        };
        match phase {
            Phase::Closed(reason) => Err(timed_out(reason)),
            Phase::Busy => {
                self.deadline = None;
                Ok(())
            }
            Phase::Waiting(_, until) => {
                if !reading || self.writing.since.is_some() {
                    return Ok(());
                }
                if poll_deadline(&mut self.deadline, until, context).is_pending() {
                    return Ok(());
                }
                Err(self.close(Reason::Silent))
            }
        }
    }

    /// Closes the connection and returns the error that ends it.
    ///
    /// Its place is released when the connection is dropped.
    fn close(&mut self, reason: Reason) -> io::Error {
        self.closed = Some(reason);
        self.gate.closed(&self.place, reason);
        timed_out(reason)
    }

    /// Checks the result of an attempt to send; an error if sending waits for too long.
    fn sent(
        &mut self,
        context: &mut Context<'_>,
        attempt: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let writing = &mut self.writing;
        let now = || Instant::now();
        match attempt {
            Poll::Ready(Ok(bytes)) => {
                if let Some(since) = writing.since.take() {
                    writing.waited += now() - since;
                    writing.deadline = None;
                    self.place.state().slow_since = None;
                }
                writing.sent = writing.sent.saturating_add(bytes as u64);
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let since = *writing.since.get_or_insert_with(now);
                let slow_since = since.checked_sub(writing.waited);
                self.place.state().slow_since = slow_since;
                let allowed = STALL + Duration::from_secs(writing.sent / MIN_BYTES_PER_SECOND);
                let left = allowed.saturating_sub(writing.waited).min(STALL);
                ready!(poll_deadline(&mut writing.deadline, since + left, context));
                Poll::Ready(Err(self.close(Reason::Slow)))
            }
        }
    }
}

/// Polls a deadline; if it is not reached, the task is woken then.
fn poll_deadline(
    deadline: &mut Option<Pin<Box<Sleep>>>,
    until: Instant,
    context: &mut Context<'_>,
) -> Poll<()> {
    let sleep = deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
    if sleep.deadline() != until {
        sleep.as_mut().reset(until);
    }
    sleep.as_mut().poll(context)
}

fn timed_out(reason: Reason) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, reason.to_string())
}

impl<C> Drop for GuardedStream<C> {
    fn drop(&mut self) {
        self.gate.leaves(&self.place);
    }
}

impl Connected for GuardedStream<TcpStream> {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        TcpConnectInfo {
            local_addr: self.stream.local_addr().ok(),
            remote_addr: Some(self.place.peer),
        }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for GuardedStream<C> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.poll_borne(context, true)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for GuardedStream<C> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_borne(context, false)?;
        let attempt = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(context, attempt)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_borne(context, false)?;
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.sent(context, attempt)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
