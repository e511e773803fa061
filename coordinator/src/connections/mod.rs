//! Limits of a port: which connections are accepted, and how long they may stay.
//!
//! A connection is *waiting* while it carries no request: it is new, or idle between two requests.
//! It is *busy* from the moment a whole request has arrived (over TLS: from a client with a valid
//! certificate). Waiting connections are few and have a deadline. A new one evicts the oldest of
//! the address that has most of them: a client that opens thousands of idle connections only evicts
//! its own, and one that sends a request promptly is served. Busy connections have a limit of their
//! own, and one address may have three quarters of it. Where clients show certificates, the places
//! are shared among these: when no place is left, the certificate that has most gives one up for a
//! certificate that has at least two fewer, so that no single certificate keeps out the others. The
//! last places are reserved for operators, who must be able to repair things. When no place is
//! left, a connection whose client does not read its answer yields to a new one.
//!
//! | question | module |
//! |---|---|
//! | how does a connection keep its deadlines? | `guarded` |
//! | who was turned away? | `rejections` |

mod guarded;
mod rejections;

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::rpc::{Caller, Fingerprint};

pub use guarded::GuardedStream;
pub use rejections::{Reason, Rejections};

/// The pause of the accept loop when the system has no descriptor left.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(500);

/// The time an answer may wait to be read before its connection can be evicted.
const MAX_UNREAD_TIME: Duration = Duration::from_secs(2);

/// The bounds of a port.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The greatest number of waiting connections.
    pub waiting: usize,
    /// The greatest number of busy connections.
    pub busy: usize,
    /// The time for which a connection may wait until a whole request has come.
    pub patience: Duration,
    /// The number of places among `busy` that are reserved for operators.
    pub kept: usize,
}

impl Bounds {
    /// Returns the limit of busy connections that applies to an operator, or to another caller.
    fn busy_for(&self, operates: bool) -> usize {
        match operates {
            true => self.busy,
            false => self.busy.saturating_sub(self.kept).max(1),
        }
    }

    /// Returns the greatest number of busy connections of one address.
    fn of_one_address(&self) -> usize {
        (self.busy * 3 / 4).max(1)
    }
}

/// The gate of a port, which accepts connections and closes those whose deadline is over.
#[derive(Clone, Debug)]
pub struct ConnectionLimiter(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    port: &'static str,
    bounds: Bounds,
    places: Arc<Semaphore>,
    present: Mutex<Present>,
    turned_away: Rejections,
}

#[derive(Debug, Default)]
struct Present {
    /// The last number issued; a connection with a smaller number has waited longer.
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
    /// The time at which sending began to wait, minus the time it waited before.
    ///
    /// `None` if the peer reads what is sent.
    slow_since: Option<Instant>,
    /// The caller with a certificate, once the connection has been busy.
    caller: Option<Caller>,
    /// Whether a request was answered over the connection.
    is_answered: bool,
    /// The task that is woken when the phase changes.
    waker: Option<Waker>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The number of a waiting connection, and its deadline.
    Waiting(u64, Instant),
    Busy,
    Closed(Reason),
}

/// The refusal of a connection because too many are busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator has no room for another connection; try again")]
pub struct BusyError;

impl ConnectionLimiter {
    /// Creates the gate of a port, whose name appears in the log.
    #[must_use]
    pub fn new(port: &'static str, bounds: Bounds) -> Self {
        Self(Arc::new(Inner {
            port,
            bounds,
            places: Arc::new(Semaphore::new(bounds.waiting + bounds.busy)),
            present: Mutex::default(),
            turned_away: Rejections::default(),
        }))
    }

    /// Returns the name of the port.
    #[must_use]
    pub fn port(&self) -> &'static str {
        self.0.port
    }

    /// Returns the greatest number of connections at once.
    #[must_use]
    pub fn most(&self) -> usize {
        self.0.bounds.waiting + self.0.bounds.busy
    }

    /// Returns the number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.0.present().by_address.len()
    }

    /// Returns the counts of the connections that were turned away.
    #[must_use]
    pub fn turned_away(&self) -> &Rejections {
        &self.0.turned_away
    }

    /// Accepts the next connection.
    pub async fn accept(&self, listener: &TcpListener) -> GuardedStream<TcpStream> {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    // Without it every answer longer than a packet waits 40 ms for the delayed
                    // acknowledgement of its first packet.
                    let _ = stream.set_nodelay(true);
                    return self.admit(stream, peer).await;
                }
                Err(error) if is_of_the_peer(&error) => {}
                Err(error) => {
                    self.0.turned_away.note(self.0.port, None, Reason::Accept);
                    tracing::debug!(%error, "cannot take a connection");
                    self.0.make_room();
                    tokio::time::sleep(ACCEPT_BACKOFF).await;
                }
            }
        }
    }

    /// Gives a connection a place, evicting a waiting one if necessary.
    async fn admit<C>(&self, stream: C, peer: SocketAddr) -> GuardedStream<C> {
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
            state: Mutex::new(State {
                phase,
                slow_since: None,
                caller: None,
                is_answered: false,
                waker: None,
            }),
        });
        if let Phase::Waiting(number, _) = phase {
            present.waiting.insert(number, Arc::clone(&at));
        }
        present.by_address.insert(peer, Arc::clone(&at));
        drop(present);
        GuardedStream::new(stream, self.clone(), at, place)
    }

    /// Marks the connection of an address as busy: a whole request has arrived.
    ///
    /// Of a caller with a certificate, the request is one that is allowed. Connections of other
    /// gates are left alone.
    ///
    /// Cost: a pass over all connections if there is no room, and a short lock otherwise.
    ///
    /// # Errors
    /// [`BusyError`] if too many are busy; the connection goes on waiting.
    pub fn mark_busy(&self, peer: SocketAddr, caller: Option<&Caller>) -> Result<(), BusyError> {
        let inner = &self.0;
        let mut present = inner.present();
        let Some(place) = present.by_address.get(&peer).cloned() else {
            return Ok(());
        };
        let Phase::Waiting(number, _) = place.state().phase else {
            return Ok(());
        };
        let operates = caller.is_some_and(Caller::operates);
        let origin = origin(peer);
        loop {
            let of_origin = present.busy_of.get(&origin).copied().unwrap_or_default();
            let shares = !operates && !origin.is_loopback();
            let (reason, crowd) = if present.busy >= inner.bounds.busy_for(operates) {
                (Reason::Full, None)
            } else if shares && of_origin >= inner.bounds.of_one_address() {
                (Reason::Share, Some(origin))
            } else {
                break;
            };
            if let Some(yields) = present.of_greatest(caller, crowd) {
                inner.closes(&mut present, &yields, Reason::Certificate);
            } else if let Some(yields) = present.slowest(crowd) {
                inner.closes(&mut present, &yields, Reason::Slow);
            } else {
                inner.turned_away.note(inner.port, Some(peer), reason);
                return Err(BusyError);
            }
        }
        present.remove_waiting(number, peer);
        present.busy += 1;
        *present.busy_of.entry(origin).or_default() += 1;
        let mut state = place.state();
        state.caller = caller.cloned();
        state.change(Phase::Busy);
        Ok(())
    }

    /// Closes the busy connections whose callers are refused from now on.
    ///
    /// Cost: a pass over all connections.
    pub fn close_refused(&self, is_refused: impl Fn(&Caller) -> bool) {
        let inner = &self.0;
        let mut present = inner.present();
        let refused = |place: &&Arc<Place>| {
            let state = place.state();
            state.phase == Phase::Busy && state.caller.as_ref().is_some_and(&is_refused)
        };
        let refused: Vec<_> = present
            .by_address
            .values()
            .filter(refused)
            .cloned()
            .collect();
        for place in refused {
            inner.closes(&mut present, &place, Reason::Revoked);
        }
    }

    /// Marks the connection of an address as answered and waiting for its next request.
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
        present.remove_busy(peer);
        let phase = present.wait(peer, inner.bounds.patience);
        if let Phase::Waiting(number, _) = phase {
            present.waiting.insert(number, Arc::clone(&place));
        }
        state.is_answered = true;
        state.change(phase);
    }

    /// Counts a closed connection under its reason.
    ///
    /// A client that has its answer may well send nothing more.
    fn closed(&self, place: &Place, reason: Reason) {
        if reason == Reason::Silent && place.state().is_answered {
            return;
        }
        self.0
            .turned_away
            .note(self.0.port, Some(place.peer), reason);
    }

    /// Frees the place of a connection that has ended.
    fn leaves(&self, place: &Arc<Place>) {
        let mut present = self.0.present();
        // Another connection may have come from the same port of the same machine.
        let same = present.by_address.get(&place.peer);
        if same.is_some_and(|there| Arc::ptr_eq(there, place)) {
            present.by_address.remove(&place.peer);
        }
        match place.state().phase {
            Phase::Waiting(number, _) => present.remove_waiting(number, place.peer),
            Phase::Busy => present.remove_busy(place.peer),
            Phase::Closed(_) => {}
        }
    }
}

impl Inner {
    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes a busy connection.
    fn closes(&self, present: &mut Present, place: &Place, reason: Reason) {
        present.remove_busy(place.peer);
        place.state().change(Phase::Closed(reason));
        self.turned_away.note(self.port, Some(place.peer), reason);
    }

    /// Closes the longest-waiting connection of the address that has most of them.
    ///
    /// Returns `false` if no connection waits.
    fn make_room(&self) -> bool {
        let mut present = self.present();
        let most = present.waiting_of.values().max().copied();
        let of_crowd = |place: &Place| present.waiting_of.get(&origin(place.peer)) == most.as_ref();
        let oldest = present.waiting.iter().find(|(_, place)| of_crowd(place));
        let Some((&number, place)) = oldest else {
            return false;
        };
        let place = Arc::clone(place);
        present.remove_waiting(number, place.peer);
        place.state().change(Phase::Closed(Reason::Yielded));
        drop(present);
        self.turned_away
            .note(self.port, Some(place.peer), Reason::Yielded);
        true
    }
}

impl Present {
    /// Numbers a connection that begins to wait; the caller puts it among the others.
    fn wait(&mut self, peer: SocketAddr, patience: Duration) -> Phase {
        self.numbers += 1;
        *self.waiting_of.entry(origin(peer)).or_default() += 1;
        Phase::Waiting(self.numbers, Instant::now() + patience)
    }

    /// Returns a busy connection of the certificate that has most of them.
    ///
    /// Only connections of `crowd` count, if it is given. Returns `None` if the certificate has at
    /// most one more than `caller`.
    fn of_greatest(&self, caller: Option<&Caller>, crowd: Option<IpAddr>) -> Option<Arc<Place>> {
        let own = caller?.fingerprint;
        let mut busy: HashMap<Fingerprint, (usize, &Arc<Place>)> = HashMap::new();
        for place in self.by_address.values() {
            let state = place.state();
            if state.phase != Phase::Busy || crowd.is_some_and(|crowd| origin(place.peer) != crowd)
            {
                continue;
            }
            if let Some(caller) = &state.caller {
                busy.entry(caller.fingerprint).or_insert((0, place)).0 += 1;
            }
        }
        let of_own = busy.get(&own).map_or(0, |(count, _)| *count);
        let (count, place) = busy.into_values().max_by_key(|(count, _)| *count)?;
        (count > of_own + 1).then(|| Arc::clone(place))
    }

    /// Returns the busy connection whose answer has waited longest to be read.
    ///
    /// Only connections of `crowd` count, if it is given. Returns `None` if none has waited for
    /// [`MAX_UNREAD_TIME`].
    fn slowest(&self, crowd: Option<IpAddr>) -> Option<Arc<Place>> {
        let since = |place: &Arc<Place>| {
            let state = place.state();
            let of_crowd = crowd.is_none_or(|crowd| origin(place.peer) == crowd);
            state
                .slow_since
                .filter(|_| state.phase == Phase::Busy && of_crowd)
        };
        let places = self.by_address.values();
        let slow = places.filter_map(|place| Some((since(place)?, place)));
        let (since, place) = slow.min_by_key(|(since, _)| *since)?;
        (since.elapsed() >= MAX_UNREAD_TIME).then(|| Arc::clone(place))
    }

    fn remove_waiting(&mut self, number: u64, peer: SocketAddr) {
        if self.waiting.remove(&number).is_some() {
            take_one(&mut self.waiting_of, origin(peer));
        }
    }

    fn remove_busy(&mut self, peer: SocketAddr) {
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

/// Returns the network of an address; the owner of one IPv6 address has 2^64 of them.
fn origin(peer: SocketAddr) -> IpAddr {
    match peer.ip().to_canonical() {
        IpAddr::V6(ip) if !ip.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64))
        }
        ip => ip,
    }
}

/// Reports whether an error means that the peer has gone, and nothing is wrong on this side.
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
    use crate::rpc::Role;

    fn gate(waiting: usize, busy: usize) -> ConnectionLimiter {
        ConnectionLimiter::new(
            "test",
            Bounds {
                waiting,
                busy,
                patience: Duration::from_secs(60),
                kept: 0,
            },
        )
    }

    fn peer(host: u8, port: u16) -> SocketAddr {
        ([10, 0, 0, host], port).into()
    }

    fn is_closed(gate: &ConnectionLimiter, peer: SocketAddr) -> bool {
        let present = gate.0.present();
        matches!(present.by_address[&peer].state().phase, Phase::Closed(_))
    }

    #[tokio::test]
    async fn the_address_with_most_waiting_connections_makes_room() {
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
            assert_eq!(gate.mark_busy(peer(1, port), None), Ok(()));
        }
        assert_eq!(gate.mark_busy(peer(1, 4), None), Err(BusyError));
        open.push(gate.admit((), peer(2, 1)).await);
        assert_eq!(gate.mark_busy(peer(2, 1), None), Ok(()));
        open.push(gate.admit((), peer(3, 1)).await);
        assert_eq!(gate.mark_busy(peer(3, 1), None), Err(BusyError));
        gate.rests(peer(1, 1));
        assert_eq!(gate.mark_busy(peer(3, 1), None), Ok(()));
        drop(open);
        let present = gate.0.present();
        assert!(present.busy == 0 && present.busy_of.is_empty());
    }

    /// Of a connection that waits for too long, only one that never had an answer is counted.
    #[tokio::test(start_paused = true)]
    async fn a_client_with_its_answer_may_stay_silent() {
        let gate = gate(8, 4);
        for answered in [false, true] {
            let (ours, _theirs) = tokio::io::duplex(64);
            let at = peer(1, 1);
            let mut stream = gate.admit(ours, at).await;
            if answered {
                assert_eq!(gate.mark_busy(at, None), Ok(()));
                gate.rests(at);
            }
            let read = tokio::io::AsyncReadExt::read_u8(&mut stream).await;
            assert_eq!(read.unwrap_err().kind(), std::io::ErrorKind::TimedOut);
            assert_eq!(gate.turned_away().count(Reason::Silent), 1, "{answered}");
        }
    }

    fn caller(name: &str, roles: &[Role]) -> Caller {
        Caller {
            name: name.parse().unwrap(),
            roles: roles.to_vec(),
            fingerprint: Fingerprint::of(name.as_bytes()),
        }
    }

    #[tokio::test]
    async fn no_certificate_keeps_out_the_others() {
        let gate = ConnectionLimiter::new(
            "test",
            Bounds {
                waiting: 20,
                busy: 8,
                patience: Duration::from_secs(60),
                kept: 2,
            },
        );
        let (greedy, honest) = (
            caller("greedy", &[Role::Worker]),
            caller("honest", &[Role::Worker]),
        );
        let operator = caller("operator", &[Role::Operator]);
        let mut open = Vec::new();
        let mut comes = async |host, port, caller: &Caller| {
            open.push(gate.admit((), peer(host, port)).await);
            gate.mark_busy(peer(host, port), Some(caller))
        };
        let host_of_greedy = |port: u16| u8::try_from(port).unwrap();
        for port in 1..=6 {
            assert_eq!(comes(host_of_greedy(port), port, &greedy).await, Ok(()));
        }
        // The reserved places are for operators.
        assert_eq!(comes(7, 7, &greedy).await, Err(BusyError));
        assert_eq!(comes(8, 8, &operator).await, Ok(()));
        for port in 10..12 {
            assert_eq!(comes(9, port, &honest).await, Ok(()), "{port}");
        }
        // The places go round; no caller pushes out the others.
        assert_eq!(comes(9, 13, &honest).await, Err(BusyError));
        assert_eq!(comes(7, 14, &greedy).await, Err(BusyError));
        assert_eq!(gate.turned_away().count(Reason::Certificate), 3);
        gate.close_refused(|caller| caller.name == honest.name);
        assert!((10..12).all(|port| is_closed(&gate, peer(9, port))));
        assert!(!is_closed(&gate, peer(8, 8)));
        drop(open);
        let present = gate.0.present();
        assert!(present.busy == 0 && present.busy_of.is_empty());
    }

    #[tokio::test]
    async fn a_caller_that_does_not_read_makes_room() {
        let gate = gate(8, 2);
        let mut open = Vec::new();
        for port in 1..=3 {
            open.push(
                gate.admit((), peer(u8::try_from(port).unwrap(), port))
                    .await,
            );
        }
        assert_eq!(gate.mark_busy(peer(1, 1), None), Ok(()));
        assert_eq!(gate.mark_busy(peer(2, 2), None), Ok(()));
        let slow = |at: SocketAddr, seconds| {
            let place = Arc::clone(&gate.0.present().by_address[&at]);
            place.state().slow_since = Instant::now().checked_sub(Duration::from_secs(seconds));
        };
        slow(peer(1, 1), 1);
        assert_eq!(gate.mark_busy(peer(3, 3), None), Err(BusyError));
        slow(peer(2, 2), 3);
        assert_eq!(gate.mark_busy(peer(3, 3), None), Ok(()));
        assert!(is_closed(&gate, peer(2, 2)) && !is_closed(&gate, peer(1, 1)));
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
