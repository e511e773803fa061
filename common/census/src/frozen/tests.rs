//! Tests: every variant is written with the bytes that earlier releases gave it.

use super::*;
use crate::{CertificateDigest, Failure, InterruptCause, MemoryClass, TaskId, WorkerIdentity};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Asserts that a value is written as `bytes`, and that these are read as the value.
fn is_written<T>(value: &T, bytes: &str)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let written = postcard::to_stdvec(value).unwrap();
    assert_eq!(hex(&written), bytes, "{value:?}");
    assert_eq!(postcard::from_bytes::<T>(&written).unwrap(), *value);
}

const BY: WorkerIdentity = WorkerIdentity([0xaa; 32]);

fn claim(statement: Statement) -> Claim {
    Claim { by: BY, statement }
}

#[test]
fn claims_keep_their_bytes() {
    let digest = CertificateDigest([0xdd; 32]);
    let (by, dd) = ("aa".repeat(32), "dd".repeat(32));
    is_written(
        &claim(Statement::Certificate(digest)),
        &format!("{by}00{dd}"),
    );
    is_written(&claim(Statement::Refused), &format!("{by}01"));
    is_written(&claim(Statement::Resumed(digest)), &format!("{by}02{dd}"));
    is_written(&claim(Statement::Helped(digest)), &format!("{by}03{dd}"));
    is_written(&claim(Statement::Failed), &format!("{by}04"));
    is_written(&claim(Statement::Unable), &format!("{by}05"));
}

#[test]
fn misconduct_keeps_its_bytes() {
    let task = TaskId([0x11; 32]);
    is_written(
        &Misconduct::OtherCertificate(task),
        &format!("00{}", "11".repeat(32)),
    );
    is_written(&Misconduct::RefusedTooOften, "01");
    is_written(&Misconduct::CaughtBefore, "02");
    is_written(&Misconduct::FailedTooOften, "03");
    is_written(&Misconduct::Banned, "04");
    is_written(
        &Misconduct::OtherVerdict(task),
        &format!("05{}", "11".repeat(32)),
    );
}

/// The silences of a task are stored apart, so they are not part of its attempts.
#[test]
fn attempts_keep_their_bytes() {
    for (class, byte) in MemoryClass::ALL.into_iter().zip(["00", "01", "02"]) {
        let attempts = Attempts {
            failures: 300,
            top_failures: 1,
            class,
            silences: 0,
        };
        is_written(&attempts, &format!("ac0201{byte}"));
    }
    let silenced = Attempts {
        failures: 1,
        silences: 1,
        ..Attempts::default()
    };
    assert_eq!(hex(&postcard::to_stdvec(&silenced).unwrap()), "010000");
}

#[test]
fn failures_keep_their_bytes() {
    is_written(&Failure::Computation("no".to_owned()), "00026e6f");
    is_written(&Failure::Guard(InterruptCause::Shutdown), "0100");
    is_written(&Failure::Guard(InterruptCause::TimeGuard), "0101");
    is_written(&Failure::Guard(InterruptCause::MemoryGuard), "0102");
    is_written(&Failure::Refused("no".to_owned()), "02026e6f");
    is_written(&Failure::Silence, "03");
    is_written(&Failure::OutOfMemory { limit: None }, "0400");
    is_written(&Failure::OutOfMemory { limit: Some(300) }, "0401ac02");
    let crashed = Failure::Crashed {
        end: "9".to_owned(),
        last_words: "no".to_owned(),
    };
    is_written(&crashed, "050139026e6f");
}
