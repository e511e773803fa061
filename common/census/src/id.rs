//! Identifiers of tasks, workers, leases and plans.
//!
//! Tasks and plans are named by the hash of their content, so that planning twice gives the same
//! names. Workers and leases are named by numbers that only the coordinator issues; their upper
//! half is the *generation* of the coordinator (how often the census was opened), so a number from
//! before a restart is never issued again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 hexadecimal digits")]
pub struct HashError;

macro_rules! hash_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub [u8; 32]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
            }
        }

        impl FromStr for $name {
            type Err = HashError;
            fn from_str(text: &str) -> Result<Self, HashError> {
                if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Err(HashError);
                }
                let mut hash = [0; 32];
                for (byte, at) in hash.iter_mut().zip((0..).step_by(2)) {
                    *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| HashError)?;
                }
                Ok(Self(hash))
            }
        }

        impl TryFrom<&[u8]> for $name {
            type Error = HashError;
            fn try_from(bytes: &[u8]) -> Result<Self, HashError> {
                Ok(Self(bytes.try_into().map_err(|_| HashError)?))
            }
        }
    };
}

hash_id! {
    /// The name of a [`crate::Task`]: the hash of its content.
    TaskId
}
hash_id! {
    /// The name of a [`crate::Plan`]: the hash of its content.
    PlanId
}
hash_id! {
    /// The hash of a whole census; see [`crate::digest`].
    CensusDigest
}

hash_id! {
    /// The hash of all certificates of a census; see [`crate::digest`].
    CertificatesDigest
}
hash_id! {
    /// The hash of a certificate's bytes.
    ///
    /// Honest workers with the same engine make the same bytes of the same task.
    CertificateDigest
}
hash_id! {
    /// The identity of a worker over all its connections: the hash of its authenticated name.
    WorkerIdentity
}

impl CertificateDigest {
    /// Returns the digest of these bytes.
    #[must_use]
    pub fn of(certificate: &[u8]) -> Self {
        Self(*blake3::hash(certificate).as_bytes())
    }
}

impl WorkerIdentity {
    /// Returns the identity behind a name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(*blake3::hash(name.as_bytes()).as_bytes())
    }
}

macro_rules! issued_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u64);

        impl $name {
            /// Returns the `serial`-th number that the coordinator of the given generation issues.
            #[must_use]
            pub fn issued(generation: u32, serial: u32) -> Self {
                Self(u64::from(generation) << 32 | u64::from(serial))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}.{}", self.0 >> 32, self.0 & u64::from(u32::MAX))
            }
        }
    };
}

issued_id! {
    /// A worker, as long as it is known to one coordinator.
    WorkerId
}
issued_id! {
    /// A lease.
    ///
    /// Later leases have greater epochs; a message with any epoch but the live one changes nothing
    ///
    Epoch
}

/// A lease: a task, and the epoch under which a worker holds it.
///
/// Leases are in the order in which the coordinator issued them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease {
    /// The epoch that the coordinator issued for it.
    pub epoch: Epoch,
    /// The task.
    pub task: TaskId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_print_and_read() {
        let id = TaskId([0xa5; 32]);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("a5".parse::<TaskId>(), Err(HashError));
        assert_eq!("é".repeat(32).parse::<TaskId>(), Err(HashError));
        assert_eq!("+a".repeat(32).parse::<TaskId>(), Err(HashError));
    }

    #[test]
    fn later_generations_have_greater_epochs() {
        assert!(Epoch::issued(1, u32::MAX) < Epoch::issued(2, 0));
        assert_eq!(Epoch::issued(3, 7).to_string(), "3.7");
    }
}
