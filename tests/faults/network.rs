//! A network between two processes that can be cut.
//!
//! The processes talk through a relay on loopback.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const PASS: u8 = 0;
const CUT: u8 = 1;
const SWALLOW: u8 = 2;

/// A relay. Its threads end with the test's process.
pub(crate) struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    mode: AtomicU8,
    open: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// Starts a relay to a port of this machine.
    pub(crate) fn start(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            mode: AtomicU8::new(PASS),
            open: Mutex::default(),
        });
        let relay = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if relay.mode.load(Ordering::SeqCst) == CUT {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else {
                    continue;
                };
                let ends = [&client, &server].map(|end| end.try_clone().unwrap());
                relay.open.lock().unwrap().extend(ends);
                pump(&client, &server, &relay);
                pump(&server, &client, &relay);
            }
        });
        Self { port, shared }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Closes connections, and refuses new ones.
    pub(crate) fn cut(&self) {
        self.shared.mode.store(CUT, Ordering::SeqCst);
        for end in self.shared.open.lock().unwrap().drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// Keeps connections open, but lets nothing through.
    pub(crate) fn drop_traffic(&self) {
        self.shared.mode.store(SWALLOW, Ordering::SeqCst);
    }

    /// Lets everything through again.
    ///
    /// Swallowed data is lost, and so are the connections that lost it.
    pub(crate) fn heal(&self) {
        self.cut();
        self.shared.mode.store(PASS, Ordering::SeqCst);
    }
}

fn pump(from: &TcpStream, to: &TcpStream, shared: &Arc<Shared>) {
    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(read) = from.read(&mut buffer) {
            while shared.mode.load(Ordering::SeqCst) == SWALLOW && read > 0 {
                thread::sleep(Duration::from_millis(20));
            }
            if read == 0 || to.write_all(&buffer[..read]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}
