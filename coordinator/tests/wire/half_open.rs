//! Detection, on both sides, of a connection whose other end has vanished silently.

use std::net::SocketAddr;
use std::time::Duration;

use misere_proto::{Security, endpoint};
use misere_worker::link::{Holdings, Link};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use super::plain;

/// Forwards connections to `target`, the first one only until `cut`.
///
/// After the cut its bytes are dropped and neither side is notified. `closed` reports when the
/// target closes it.
async fn carry(
    listener: TcpListener,
    target: SocketAddr,
    cut: oneshot::Receiver<()>,
    closed: mpsc::Sender<()>,
) {
    let mut cut = Some(cut);
    while let Ok((mut near, _)) = listener.accept().await {
        let mut far = TcpStream::connect(target).await.unwrap();
        let (cut, closed) = (cut.take(), closed.clone());
        tokio::spawn(async move {
            let Some(cut) = cut else {
                let _ = copy_bidirectional(&mut near, &mut far).await;
                return;
            };
            tokio::select! {
                _ = copy_bidirectional(&mut near, &mut far) => return,
                _ = cut => {}
            }
            let mut sink = vec![0; 1 << 16];
            loop {
                far.readable().await.unwrap();
                match far.try_read(&mut sink) {
                    Ok(0) => break,
                    Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => break,
                    _ => {}
                }
            }
            closed.send(()).await.unwrap();
            // Hold it open: the near side must notice by itself.
            std::future::pending::<()>().await;
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow: waits for two keepalives, ten seconds"]
async fn half_open_connections_are_noticed_within_a_lease() {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = plain(dir.path(), &["0.3"]).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (cut, cuts) = oneshot::channel();
    let (closes, mut closed) = mpsc::channel(1);
    tokio::spawn(carry(listener, coordinator.address(), cuts, closes));
    let mut link = Link::new(endpoint(&url, &Security::Loopback).unwrap());
    let (worker, lease) = link.register("w", 1).await.unwrap();
    cut.send(()).unwrap();
    tokio::time::timeout(lease, closed.recv())
        .await
        .expect("the coordinator notices")
        .unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    // The worker has noticed too: the next call uses a new connection and awaits no deadline.
    let next = link.heartbeat(worker, Holdings::default());
    tokio::time::timeout(Duration::from_secs(4), next)
        .await
        .expect("the worker notices")
        .unwrap();
    coordinator.stop().await.unwrap();
}
