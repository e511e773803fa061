//! The transfer of checkpoints in chunks, in either direction.
//!
//! A checkpoint travels like a report: a header with its length, and then the checkpoint in chunks
//! of at most [`CHUNK_BYTES`]. The receiver takes exactly this number of bytes and no more than
//! [`MAX_CHECKPOINT_BYTES`].

use misere_census::{Lease, MAX_CHECKPOINT_BYTES, WorkerId};

use crate::report::append;
use crate::translate::lease;
use crate::v1::{self, checkpoint_part::Part};
use crate::{CHUNK_BYTES, WireError};

/// The header of a checkpoint: its worker, its lease and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointHeader {
    /// The worker.
    pub worker: WorkerId,
    /// The lease.
    pub lease: Lease,
    /// The length of the checkpoint in bytes.
    pub bytes: usize,
}

/// Returns the messages of a checkpoint; each is made when it is sent.
///
/// Cost: each byte is copied once, when its part is made.
///
/// ```
/// use misere_census::{Epoch, Lease, TaskId, WorkerId};
/// use misere_proto::{CHUNK_BYTES, checkpoint_parts};
/// let lease = Lease { task: TaskId([7; 32]), epoch: Epoch(9) };
/// let parts = checkpoint_parts(WorkerId(3), lease, vec![0; CHUNK_BYTES + 1]);
/// assert_eq!(parts.count(), 3); // a header and two chunks
/// ```
pub fn checkpoint_parts(
    worker: WorkerId,
    lease: Lease,
    checkpoint: Vec<u8>,
) -> impl Iterator<Item = v1::CheckpointPart> + Send + 'static {
    let header = v1::CheckpointHeader {
        worker: worker.0,
        lease: Some(lease.into()),
        bytes: checkpoint.len() as u64,
    };
    let part = |part| v1::CheckpointPart { part: Some(part) };
    let chunks = (0..checkpoint.len())
        .step_by(CHUNK_BYTES)
        .map(move |start| {
            let end = checkpoint.len().min(start + CHUNK_BYTES);
            part(Part::Chunk(checkpoint[start..end].to_vec()))
        });
    std::iter::once(part(Part::Header(header))).chain(chunks)
}

impl TryFrom<v1::CheckpointHeader> for CheckpointHeader {
    type Error = WireError;
    fn try_from(wire: v1::CheckpointHeader) -> Result<Self, WireError> {
        let bytes = usize::try_from(wire.bytes).unwrap_or(usize::MAX);
        if bytes > MAX_CHECKPOINT_BYTES {
            return Err(WireError::Checkpoint("it is too long"));
        }
        Ok(Self {
            worker: WorkerId(wire.worker),
            lease: lease(wire.lease)?,
            bytes,
        })
    }
}

/// The assembler of the parts of one checkpoint, in their order of arrival.
///
/// ```
/// use misere_proto::CheckpointAssembler;
/// let nothing = CheckpointAssembler::default();
/// assert!(nothing.finish().is_err());
/// ```
#[derive(Debug, Default)]
pub struct CheckpointAssembler {
    header: Option<CheckpointHeader>,
    checkpoint: Vec<u8>,
}

impl CheckpointAssembler {
    /// Takes the next part.
    ///
    /// Cost: the bytes of the part are copied; memory grows with the bytes received, not with the
    /// announced length.
    ///
    /// ```
    /// use misere_census::{Epoch, Lease, TaskId, WorkerId};
    /// use misere_proto::{CheckpointAssembler, checkpoint_parts};
    /// let lease = Lease { task: TaskId([7; 32]), epoch: Epoch(9) };
    /// let mut parts = checkpoint_parts(WorkerId(3), lease, vec![1, 2, 3]);
    /// let mut assembler = CheckpointAssembler::default();
    /// assembler.take(parts.next().ok_or("a header")?)?;
    /// assert_eq!((assembler.header().map(|header| header.bytes), assembler.received()), (Some(3), 0));
    /// assembler.take(parts.next().ok_or("a chunk")?)?;
    /// assert_eq!(assembler.received(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WireError`] if it does not fit the parts before it.
    pub fn take(&mut self, part: v1::CheckpointPart) -> Result<(), WireError> {
        match (part.part.ok_or(WireError::Missing("part"))?, self.header) {
            (Part::Header(header), None) => self.header = Some(header.try_into()?),
            (Part::Header(_), Some(_)) => return Err(WireError::Checkpoint("a second header")),
            (Part::Chunk(_), None) => return Err(WireError::Checkpoint("it has no header")),
            (Part::Chunk(chunk), Some(header)) => {
                if chunk.len() > header.bytes - self.checkpoint.len() {
                    return Err(WireError::Checkpoint("more bytes than announced"));
                }
                append(&mut self.checkpoint, &chunk, header.bytes);
            }
        }
        Ok(())
    }

    /// Returns the header, once it has arrived.
    #[must_use]
    pub fn header(&self) -> Option<&CheckpointHeader> {
        self.header.as_ref()
    }

    /// Returns the number of bytes of the checkpoint that have arrived.
    #[must_use]
    pub fn received(&self) -> usize {
        self.checkpoint.len()
    }

    /// Returns the number of bytes of memory in use: at most twice the bytes received.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.checkpoint.capacity()
    }

    /// Returns the header and the checkpoint.
    ///
    /// Cost: nothing is copied.
    ///
    /// ```
    /// use misere_census::{Epoch, Lease, TaskId, WorkerId};
    /// use misere_proto::{CheckpointAssembler, checkpoint_parts};
    /// let lease = Lease { task: TaskId([7; 32]), epoch: Epoch(9) };
    /// let mut assembler = CheckpointAssembler::default();
    /// for part in checkpoint_parts(WorkerId(3), lease, vec![1, 2, 3]) {
    ///     assembler.take(part)?;
    /// }
    /// let (header, checkpoint) = assembler.finish()?;
    /// assert_eq!((header.lease, checkpoint), (lease, vec![1, 2, 3]));
    /// # Ok::<(), misere_proto::WireError>(())
    /// ```
    ///
    /// # Errors
    /// [`WireError`] if parts are missing.
    pub fn finish(self) -> Result<(CheckpointHeader, Vec<u8>), WireError> {
        let header = self.header.ok_or(WireError::Missing("header"))?;
        if self.checkpoint.len() < header.bytes {
            return Err(WireError::Checkpoint("fewer bytes than announced"));
        }
        Ok((header, self.checkpoint))
    }
}

#[cfg(test)]
mod tests {
    use misere_census::{Epoch, TaskId};

    use super::*;

    fn assembled(parts: &[v1::CheckpointPart]) -> Result<(CheckpointHeader, Vec<u8>), WireError> {
        let mut assembler = CheckpointAssembler::default();
        for part in parts {
            assembler.take(part.clone())?;
        }
        assembler.finish()
    }

    #[test]
    fn checkpoints_travel_whole_or_not_at_all() {
        let lease = Lease {
            task: TaskId([7; 32]),
            epoch: Epoch(9),
        };
        let worker = WorkerId(3);
        for bytes in [0, 100, 2 * CHUNK_BYTES + 17] {
            let checkpoint: Vec<u8> = (0..bytes).map(|byte| byte as u8).collect();
            let parts: Vec<_> = checkpoint_parts(worker, lease, checkpoint.clone()).collect();
            let header = CheckpointHeader {
                worker,
                lease,
                bytes,
            };
            assert_eq!(assembled(&parts), Ok((header, checkpoint)));
            assert!(assembled(&[parts.clone(), parts.clone()].concat()).is_err());
            if bytes > 0 {
                assert!(assembled(&parts[1..]).is_err());
                assert!(assembled(&parts[..parts.len() - 1]).is_err());
                let twice = [&parts[..], &parts[1..]].concat();
                assert!(assembled(&twice).is_err());
            }
        }
        assert!(assembled(&[v1::CheckpointPart { part: None }]).is_err());
        let header = v1::CheckpointHeader {
            worker: 3,
            lease: Some(lease.into()),
            bytes: MAX_CHECKPOINT_BYTES as u64 + 1,
        };
        assert!(CheckpointHeader::try_from(header).is_err());
    }
}
