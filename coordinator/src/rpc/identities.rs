//! The certificates of workers, and the certificates that several workers share.
//!
//! A worker's number belongs to the certificate with which it was registered. Workers that share a
//! certificate are one to the coordinator: their results are not compared with each other's, so
//! that a broken machine among them is not found out. A worker that was killed and started again
//! does not count as sharing with its former self, whose number no longer calls. Two processes that
//! both go on calling do.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use misere_census::WorkerId;
use misere_proto::CallError;
use serde::{Deserialize, Serialize};

use super::caller::{Caller, Fingerprint, Name};

/// The number of remembered workers above which silent leavers are removed.
const REMEMBERED: usize = 1024;

/// The certificate behind each worker's number; all copies share one table.
#[derive(Clone, Debug, Default)]
pub struct Identities {
    shown: Arc<Mutex<BTreeMap<WorkerId, ShownIdentity>>>,
}

#[derive(Clone, Debug)]
struct ShownIdentity {
    name: Name,
    fingerprint: Fingerprint,
    host: Option<IpAddr>,
    /// Whether this worker called after another was registered with its certificate, or vice versa.
    shares: bool,
}

/// A certificate that several workers show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedCertificate {
    /// The name in the certificate.
    pub name: String,
    /// The first digits of the certificate's hash, as the log shows them.
    pub fingerprint: String,
    /// The numbers of the workers.
    pub workers: Vec<String>,
    /// The addresses from which they were registered.
    pub hosts: Vec<String>,
}

impl Identities {
    fn shown(&self) -> MutexGuard<'_, BTreeMap<WorkerId, ShownIdentity>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the certificate of a worker that was registered.
    ///
    /// `living` returns the workers that are present; it is called once many are remembered.
    pub(super) fn joined(
        &self,
        worker: WorkerId,
        caller: &Caller,
        host: Option<IpAddr>,
        living: impl FnOnce() -> BTreeSet<WorkerId>,
    ) {
        let mut shown = self.shown();
        if shown.len() >= REMEMBERED {
            let living = living();
            shown.retain(|worker, _| living.contains(worker));
        }
        shown.insert(
            worker,
            ShownIdentity {
                name: caller.name.clone(),
                fingerprint: caller.fingerprint,
                host,
                shares: false,
            },
        );
    }

    /// Checks that a worker's number belongs to the caller.
    ///
    /// Where no certificates are shown, numbers are taken on trust.
    ///
    /// # Errors
    /// [`CallError`] if the number belongs to another caller, or to none.
    pub(super) fn check(&self, worker: WorkerId, caller: Option<&Caller>) -> Result<(), CallError> {
        let Some(caller) = caller else { return Ok(()) };
        let mut shown = self.shown();
        match shown.get(&worker) {
            Some(own) if own.fingerprint == caller.fingerprint => {
                note_call(&mut shown, worker, caller);
                Ok(())
            }
            Some(_) => Err(CallError::NotYours),
            None => Err(CallError::UnknownWorker),
        }
    }

    /// Forgets a worker that has left.
    pub(super) fn left(&self, worker: WorkerId) {
        self.shown().remove(&worker);
    }

    /// Returns the certificates that several of the living workers show.
    #[must_use]
    pub fn shared(&self, living: &BTreeSet<WorkerId>) -> Vec<SharedCertificate> {
        let shown = self.shown();
        let mut by: BTreeMap<[u8; 32], SharedCertificate> = BTreeMap::new();
        let sharing = shown
            .iter()
            .filter(|(worker, shown)| shown.shares && living.contains(worker));
        for (worker, shown) in sharing {
            let shared = by
                .entry(shown.fingerprint.bytes())
                .or_insert_with(|| SharedCertificate {
                    name: shown.name.to_string(),
                    fingerprint: shown.fingerprint.to_string(),
                    workers: Vec::new(),
                    hosts: Vec::new(),
                });
            shared.workers.push(worker.to_string());
            if let Some(host) = shown.host.map(|host| host.to_string())
                && !shared.hosts.contains(&host)
            {
                shared.hosts.push(host);
            }
        }
        let mut shared: Vec<_> = by.into_values().collect();
        shared.retain(|shared| shared.workers.len() > 1);
        shared
    }
}

/// Records a call of a worker, and marks the workers registered later with its certificate.
///
/// Numbers grow.
fn note_call(shown: &mut BTreeMap<WorkerId, ShownIdentity>, worker: WorkerId, caller: &Caller) {
    let later = shown
        .range_mut((
            std::ops::Bound::Excluded(worker),
            std::ops::Bound::Unbounded,
        ))
        .filter(|(_, other)| other.fingerprint == caller.fingerprint);
    let mut others = Vec::new();
    for (&other, shown) in later {
        if !std::mem::replace(&mut shown.shares, true) {
            others.push((other, shown.host));
        }
    }
    let Some(own) = shown.get_mut(&worker) else {
        return;
    };
    let host = own.host;
    own.shares |= !others.is_empty();
    for (other, other_host) in others {
        let (host, other_host) = (host_text(host), host_text(other_host));
        let (name, fingerprint) = (&caller.name, &caller.fingerprint);
        tracing::warn!(
            %name, %fingerprint, %worker, host, %other, other_host,
            "two workers show one certificate: they are one to the coordinator and do not check each other; \
             give each its own (`misere coordinator certs --worker NAME`)"
        );
    }
}

fn host_text(host: Option<IpAddr>) -> String {
    host.map_or_else(|| "unknown".to_owned(), |host| host.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(name: &str) -> Caller {
        Caller {
            name: name.parse().unwrap(),
            roles: Vec::new(),
            fingerprint: Fingerprint::of(name.as_bytes()),
        }
    }

    #[test]
    fn two_active_workers_share_a_certificate() {
        let identities = Identities::default();
        let (lab, own) = (caller("lab"), caller("own"));
        let all: BTreeSet<_> = (1..=4).map(|serial| WorkerId::issued(1, serial)).collect();
        let [one, two, three, four] = [1, 2, 3, 4].map(|serial| WorkerId::issued(1, serial));
        let join = |worker, caller| identities.joined(worker, caller, None, BTreeSet::new);
        let call = |worker, caller| identities.check(worker, Some(caller)).unwrap();
        join(one, &lab);
        call(one, &lab);
        join(two, &own);
        call(two, &own);
        // Killed and started again: the first number no longer calls.
        join(three, &lab);
        call(three, &lab);
        call(three, &lab);
        assert_eq!(identities.shared(&all), []);
        // Started a second time.
        join(four, &lab);
        call(four, &lab);
        call(three, &lab);
        let shared = identities.shared(&all);
        assert_eq!(shared.len(), 1);
        assert_eq!(shared[0].name, "lab");
        assert_eq!(shared[0].workers, ["1.3", "1.4"]);
        let living: BTreeSet<_> = [three].into();
        assert_eq!(identities.shared(&living), []);
        identities.left(four);
        assert_eq!(identities.shared(&all), []);
        assert_eq!(identities.check(two, Some(&lab)), Err(CallError::NotYours));
        assert_eq!(
            identities.check(four, Some(&lab)),
            Err(CallError::UnknownWorker)
        );
        assert_eq!(identities.check(four, None), Ok(()));
    }
}
