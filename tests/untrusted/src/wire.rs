//! Messages of the protocol between workers and coordinator.

use misere_algebra::classify::batch::Batch;
use misere_census::{Budget, Lease, Task};
use misere_proto::{CheckpointAssembler, ReportAssembler, ReportHeader, Running, WireError, v1};
use prost::Message;

/// Reads a message and translates it.
///
/// The translated value is written as a message that is read as the same value.
fn translated<W, D>(bytes: &[u8], written: impl Fn(&D) -> W)
where
    W: Message + Default,
    D: TryFrom<W, Error = WireError> + PartialEq + std::fmt::Debug,
{
    let Some(Ok(meaning)) = W::decode(bytes).ok().map(D::try_from) else {
        return;
    };
    let again = written(&meaning).encode_to_vec();
    let again = D::try_from(W::decode(again.as_slice()).unwrap());
    assert_eq!(again.as_ref(), Ok(&meaning));
}

/// Returns the parts of a stream: two bytes of length before each.
fn parts<W: Message + Default>(mut bytes: &[u8]) -> Vec<W> {
    let mut parts = Vec::new();
    while let Some((&[low, high], rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([low, high])).min(rest.len());
        let (part, rest) = rest.split_at(length);
        let Ok(part) = W::decode(part) else { break };
        parts.push(part);
        bytes = rest;
    }
    parts
}

/// Reads a report in parts, as the coordinator does.
///
/// The reader never keeps more than twice the bytes received.
fn report(bytes: &[u8]) {
    let mut report = ReportAssembler::default();
    for part in parts(bytes) {
        if report.take(part).is_err() {
            return;
        }
        assert!(report.kept() <= 2 * bytes.len());
    }
    if let Ok(reports) = report.finish() {
        assert!(!reports.is_empty());
    }
}

/// Reads a checkpoint in parts, as either side does.
fn checkpoint(bytes: &[u8]) {
    let mut checkpoint = CheckpointAssembler::default();
    for part in parts(bytes) {
        if checkpoint.take(part).is_err() {
            return;
        }
        assert!(checkpoint.kept() <= 2 * bytes.len());
    }
    if let Ok((header, all)) = checkpoint.finish() {
        assert_eq!(header.bytes, all.len());
    }
}

/// Reads one message or one stream of messages; the first byte selects the kind.
pub fn message(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else {
        return;
    };
    match kind % 8 {
        0 => translated::<v1::LeaseKey, Lease>(rest, |key| (*key).into()),
        1 => translated::<v1::Running, Running>(rest, |running| (*running).into()),
        2 => translated::<v1::Budget, Budget>(rest, |budget| (*budget).into()),
        3 => translated::<v1::Schemes, Batch>(rest, |batch| batch.into()),
        4 => translated::<v1::Task, Task>(rest, |task| task.into()),
        5 => {
            let header = v1::ReportHeader::decode(rest).ok();
            let _ = header.map(ReportHeader::try_from);
        }
        6 => report(rest),
        _ => checkpoint(rest),
    }
}
