//! The connections of the real service and the real link over a simulated network.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper_util::rt::TokioIo;
use misere_worker::link::Link;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_stream::Stream;
use tonic::transport::server::Connected;
use turmoil::net::{TcpListener, TcpStream};

pub(crate) const COORDINATOR: &str = "coordinator";
pub(crate) const PORT: u16 = 7117;

/// A connection that the coordinator accepts.
pub(crate) struct Accepted(TcpStream);

impl Connected for Accepted {
    type ConnectInfo = ();
    fn connect_info(&self) {}
}

impl AsyncRead for Accepted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Accepted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// Returns the connections that reach this host.
pub(crate) async fn connections() -> io::Result<impl Stream<Item = io::Result<Accepted>>> {
    let listener = TcpListener::bind(("0.0.0.0", PORT)).await?;
    let (sender, connections) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if sender.send(Ok(Accepted(stream))).await.is_err() {
                return;
            }
        }
    });
    Ok(tokio_stream::wrappers::ReceiverStream::new(connections))
}

/// Returns a link from this host to the coordinator, with the settings of a real one.
pub(crate) fn link() -> Link {
    let url = format!("http://{COORDINATOR}:{PORT}");
    let endpoint = misere_proto::endpoint(&url, &misere_proto::Security::Insecure).unwrap();
    let connect = tower::service_fn(|_| async {
        let stream = TcpStream::connect((COORDINATOR, PORT)).await?;
        Ok::<_, io::Error>(TokioIo::new(stream))
    });
    Link::over(endpoint.connect_with_connector_lazy(connect))
}
