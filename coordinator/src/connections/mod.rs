//! The bounds of a port: which connections are taken, and how long they may stay.
//!
//! A connection is *waiting* while nothing is asked over it: it is new, or idle between two
//! questions. It is *busy* from the moment a whole request has come (over TLS: by somebody whose
//! certificate is good). Waiting connections are few and have a deadline, and the oldest of the
//! address that has most of them makes room for whoever comes next: a stranger who opens thousands
//! and says nothing closes his own, and an honest caller, who speaks within milliseconds, is heard.
//! Busy connections have a bound of their own, of which one address may have three quarters.
//!
//! | question | module |
//! |---|---|
//! | how does a connection keep its deadlines? | `guarded` |
//! | who was turned away? | `turned_away` |

mod guarded;
mod turned_away;

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::Instant;

pub use guarded::Guarded;
pub use turned_away::{Reason, TurnedAway};

/// The time for which the accept loop rests when the system has no descriptor for it.
const REST: Duration = Duration::from_millis(500);

/// The bounds of a port.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The greatest number of connections that wait.
    pub waiting: usize,
    /// The greatest number of connections at work.
    pub busy: usize,
    /// The time for which a connection may wait until a whole request has come.
    pub patience: Duration,
    /// Whether a connection that has sent one request is at work until it ends, like that of a
    /// worker.
    pub settles: bool,
}

impl Bounds {
    /// The most connections of one address that are at work.
    fn of_one_address(&self) -> usize {
        (self.busy * 3 / 4).max(1)
    }
}

/// The gate of a port: it takes connections, and closes those whose deadline is over.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    port: &'static str,
    bounds: Bounds,
    places: Arc<Semaphore>,
    present: Mutex<Present>,
    turned_away: TurnedAway,
}

#[derive(Debug, Default)]
struct Present {
    /// The count of the numbers given out; a connection with a smaller number has waited longer.
    numbers: u64,
    waiting: BTreeMap<u64, Arc<Place>>,
    waiting_of: HashMap<IpAddr, usize>,
    busy: usize,
    busy_of: HashMap<IpAddr, usize>,
    by_address: HashMap<SocketAddr, Arc<Place>>,
}

/// The place of a connection.
#[derive(Debug)]
pub(crate) struct Place {
    peer: SocketAddr,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// The task that is woken when the phase changes.
    waker: Option<Waker>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The connection waits under this number, until this time.
    Waiting(u64, Instant),
    Busy,
    Closed(Reason),
}

/// The refusal of a connection because too many are at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator has no room for another connection; try again")]
pub struct NoRoom;

impl Gate {
    /// The gate of a port, which is named in the log.
    #[must_use]
    pub fn new(port: &'static str, bounds: Bounds) -> Self {
        Self(Arc::new(Inner {
            port,
            bounds,
            places: Arc::new(Semaphore::new(bounds.waiting + bounds.busy)),
            present: Mutex::default(),
            turned_away: TurnedAway::default(),
        }))
    }

    /// The name of the port.
    #[must_use]
    pub fn port(&self) -> &'static str {
        self.0.port
    }

    /// The most connections at once.
    #[must_use]
    pub fn most(&self) -> usize {
        self.0.bounds.waiting + self.0.bounds.busy
    }

    /// The number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.0.present().by_address.len()
    }

    /// The counts of the connections that were turned away.
    #[must_use]
    pub fn turned_away(&self) -> &TurnedAway {
        &self.0.turned_away
    }

    /// Takes the next connection.
    pub async fn accept(&self, listener: &TcpListener) -> Guarded<TcpStream> {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    // Without it every answer of more than a packet waits for the delayed
                    // acknowledgement of its first: 40 ms.
                    let _ = stream.set_nodelay(true);
                    return self.admit(stream, peer).await;
                }
                Err(error) if is_of_the_peer(&error) => {}
                Err(error) => {
                    self.0.turned_away.note(self.0.port, None, Reason::Accept);
                    tracing::debug!(%error, "cannot take a connection");
                    self.0.make_room();
                    tokio::time::sleep(REST).await;
                }
            }
        }
    }

    /// Gives a connection a place, if necessary the place of one that waits.
    async fn admit<C>(&self, stream: C, peer: SocketAddr) -> Guarded<C> {
        let inner = &self.0;
        while inner.present().waiting.len() >= inner.bounds.waiting && inner.make_room() {}
        let places = Arc::clone(&inner.places);
        let place = match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => Some(place),
            Err(_) => {
                inner.make_room();
                // The semaphore is never closed.
                places.acquire_owned().await.ok()
            }
        };
        let mut present = inner.present();
        let phase = present.wait(peer, inner.bounds.patience);
        let at = Arc::new(Place {
            peer,
            state: Mutex::new(State { phase, waker: None }),
        });
        if let Phase::Waiting(number, _) = phase {
            present.waiting.insert(number, Arc::clone(&at));
        }
        present.by_address.insert(peer, Arc::clone(&at));
        drop(present);
        Guarded::new(stream, self.clone(), at, place)
    }

    /// Notes that a whole request has come from an address, so that the connection is at work.
    /// Connections of other gates are left alone.
    ///
    /// # Errors
    /// [`NoRoom`] if too many are at work; the connection goes on waiting.
    pub fn speaks(&self, peer: SocketAddr) -> Result<(), NoRoom> {
        let inner = &self.0;
        let mut present = inner.present();
        let Some(place) = present.by_address.get(&peer).cloned() else {
            return Ok(());
        };
        let mut state = place.state();
        let Phase::Waiting(number, _) = state.phase else {
            return Ok(());
        };
        let origin = origin(peer);
        let of_origin = present.busy_of.get(&origin).copied().unwrap_or_default();
        let share = inner.bounds.of_one_address();
        let refused = if present.busy >= inner.bounds.busy {
            Some(Reason::Full)
        } else if of_origin >= share && !origin.is_loopback() {
            Some(Reason::Share)
        } else {
            None
        };
        if let Some(reason) = refused {
            inner.turned_away.note(inner.port, Some(peer), reason);
            return Err(NoRoom);
        }
        present.waits_no_more(number, peer);
        present.busy += 1;
        *present.busy_of.entry(origin).or_default() += 1;
        state.change(Phase::Busy);
        Ok(())
    }

    /// Notes that a connection of an address has been answered, and waits for its next question.
    pub fn rests(&self, peer: SocketAddr) {
        let inner = &self.0;
        let mut present = inner.present();
        let Some(place) = present.by_address.get(&peer).cloned() else {
            return;
        };
        let mut state = place.state();
        if state.phase != Phase::Busy {
            return;
        }
        present.works_no_more(peer);
        let phase = present.wait(peer, inner.bounds.patience);
        if let Phase::Waiting(number, _) = phase {
            present.waiting.insert(number, Arc::clone(&place));
        }
        state.change(phase);
    }

    fn settles(&self) -> bool {
        self.0.bounds.settles
    }

    /// Notes that a connection was closed, with the reason.
    fn closed(&self, place: &Place, reason: Reason) {
        self.0
            .turned_away
            .note(self.0.port, Some(place.peer), reason);
    }

    /// Frees the place of a connection that has ended.
    fn leaves(&self, place: &Arc<Place>) {
        let mut present = self.0.present();
        // Another may have come from the same port of the same machine.
        let same = present.by_address.get(&place.peer);
        if same.is_some_and(|there| Arc::ptr_eq(there, place)) {
            present.by_address.remove(&place.peer);
        }
        match place.state().phase {
            Phase::Waiting(number, _) => present.waits_no_more(number, place.peer),
            Phase::Busy => present.works_no_more(place.peer),
            Phase::Closed(_) => {}
        }
    }
}

impl Inner {
    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection that has waited longest, of the address that has most waiting
    /// connections; `false` if no connection waits.
    fn make_room(&self) -> bool {
        let mut present = self.present();
        let most = present.waiting_of.values().max().copied();
        let of_crowd = |place: &Place| present.waiting_of.get(&origin(place.peer)) == most.as_ref();
        let oldest = present.waiting.iter().find(|(_, place)| of_crowd(place));
        let Some((&number, place)) = oldest else {
            return false;
        };
        let place = Arc::clone(place);
        present.waits_no_more(number, place.peer);
        place.state().change(Phase::Closed(Reason::Yielded));
        drop(present);
        self.turned_away
            .note(self.port, Some(place.peer), Reason::Yielded);
        true
    }
}

impl Present {
    /// Gives a number to a connection that begins to wait; the caller puts it among the others.
    fn wait(&mut self, peer: SocketAddr, patience: Duration) -> Phase {
        self.numbers += 1;
        *self.waiting_of.entry(origin(peer)).or_default() += 1;
        Phase::Waiting(self.numbers, Instant::now() + patience)
    }

    fn waits_no_more(&mut self, number: u64, peer: SocketAddr) {
        if self.waiting.remove(&number).is_some() {
            take_one(&mut self.waiting_of, origin(peer));
        }
    }

    fn works_no_more(&mut self, peer: SocketAddr) {
        self.busy = self.busy.saturating_sub(1);
        take_one(&mut self.busy_of, origin(peer));
    }
}

impl Place {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn change(&mut self, phase: Phase) {
        self.phase = phase;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

fn take_one(counts: &mut HashMap<IpAddr, usize>, address: IpAddr) {
    if let Some(count) = counts.get_mut(&address) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&address);
        }
    }
}

/// The network that an address stands for: whoever has one address of version 6 has 2^64 of them.
fn origin(peer: SocketAddr) -> IpAddr {
    match peer.ip().to_canonical() {
        IpAddr::V6(ip) if !ip.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64))
        }
        ip => ip,
    }
}

/// Whether an error means that the peer has gone, and that nothing is wrong on this side.
fn is_of_the_peer(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionReset | Interrupted
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(waiting: usize, busy: usize) -> Gate {
        Gate::new(
            "test",
            Bounds {
                waiting,
                busy,
                patience: Duration::from_secs(60),
                settles: false,
            },
        )
    }

    fn peer(host: u8, port: u16) -> SocketAddr {
        ([10, 0, 0, host], port).into()
    }

    fn is_closed(gate: &Gate, peer: SocketAddr) -> bool {
        let present = gate.0.present();
        matches!(present.by_address[&peer].state().phase, Phase::Closed(_))
    }

    #[tokio::test]
    async fn whoever_has_most_waiting_makes_room() {
        let gate = gate(3, 2);
        let mut open = Vec::new();
        for at in [peer(1, 1), peer(2, 1), peer(2, 2), peer(3, 1)] {
            open.push(gate.admit((), at).await);
        }
        assert!(is_closed(&gate, peer(2, 1)));
        for at in [peer(1, 1), peer(2, 2), peer(3, 1)] {
            assert!(!is_closed(&gate, at));
        }
        drop(open);
        assert_eq!(gate.open(), 0);
        assert_eq!(gate.0.places.available_permits(), gate.most());
        let present = gate.0.present();
        assert!(present.waiting.is_empty() && present.waiting_of.is_empty());
    }

    #[tokio::test]
    async fn one_address_does_not_get_all_the_work() {
        let gate = gate(8, 4);
        let mut open = Vec::new();
        for port in 1..=4 {
            open.push(gate.admit((), peer(1, port)).await);
        }
        for port in 1..=3 {
            assert_eq!(gate.speaks(peer(1, port)), Ok(()));
        }
        assert_eq!(gate.speaks(peer(1, 4)), Err(NoRoom));
        open.push(gate.admit((), peer(2, 1)).await);
        assert_eq!(gate.speaks(peer(2, 1)), Ok(()));
        open.push(gate.admit((), peer(3, 1)).await);
        assert_eq!(gate.speaks(peer(3, 1)), Err(NoRoom));
        gate.rests(peer(1, 1));
        assert_eq!(gate.speaks(peer(3, 1)), Ok(()));
        drop(open);
        let present = gate.0.present();
        assert!(present.busy == 0 && present.busy_of.is_empty());
    }

    #[test]
    fn a_network_of_version_6_counts_as_one() {
        let one = "[2001:db8:1:2::1]:1".parse().unwrap();
        let two = "[2001:db8:1:2:ffff::2]:2".parse().unwrap();
        let other = "[2001:db8:1:3::1]:1".parse().unwrap();
        assert_eq!(origin(one), origin(two));
        assert_ne!(origin(one), origin(other));
        let mapped = "[::ffff:10.0.0.1]:5".parse().unwrap();
        assert_eq!(origin(mapped), origin(peer(1, 9)));
    }
}
