//! The messages between a worker and its child process.
//!
//! Frames over the child's standard input and output: a length in four bytes (little-endian), then
//! a version byte and the message. A certificate or a checkpoint follows its announcement as a
//! frame of its own, unencoded. Both ends come from the same program, but a child out of memory may
//! write anything: lengths are limited and every message is checked.

use std::io::{self, ErrorKind, Read, Write};

use misere_census::encoding::{self, EncodingError};
use misere_census::{MAX_CERTIFICATE_BYTES, Task};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const VERSION: u8 = 1;

/// The longest frame that is neither certificate nor checkpoint.
const MAX_FRAME_BYTES: usize = 1 << 20;

/// The longest certificate or checkpoint that is written together with its announcement.
///
/// A longer one would be costly to copy.
const MAX_BYTES_AT_ONCE: usize = 1 << 16;

/// The messages of the worker to the child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Order {
    /// The limits to set, sent before everything else.
    Begin {
        /// The worker's process; another parent means that the worker is dead.
        parent: u32,
        /// The limit of data in bytes.
        memory: Option<u64>,
        /// The seconds of processor time for each task.
        cpu_seconds: Option<u64>,
    },
    /// Compute from the start.
    Compute(Task),
    /// Stop computing; an answer is still due.
    Stop,
    /// Compute from the checkpoint of this many bytes, which is the next frame.
    Resume(Task, u64),
}

/// The messages of the child to the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Answer {
    /// The task has arrived; a later death of the child may be its doing.
    Begun,
    /// The progress of the computation.
    Progress {
        /// Largest heap settled.
        heap: u32,
        /// Order of the quotient there.
        order: u32,
    },
    /// The certificate, of this many bytes, is the next frame.
    Certificate(u64),
    /// The computation failed.
    Failed(String),
    /// The computation was stopped.
    Stopped,
    /// The computation has reached this heap with this fuel.
    ///
    /// The checkpoint, of this many bytes, is the next frame.
    Checkpoint {
        /// The greatest heap known.
        heap: u32,
        /// The fuel spent until then.
        fuel: u64,
        /// The length of the checkpoint.
        bytes: u64,
    },
}

/// The reason why bytes are not a message.
#[derive(Debug, thiserror::Error)]
pub(super) enum MessageError {
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    #[error("a message of {0} bytes is longer than any")]
    TooLong(usize),
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    #[error("a frame is not as long as announced")]
    Length,
}

/// Writes one message, at once: the reader is woken once.
pub(super) fn write<T: Serialize>(to: &mut impl Write, message: &T) -> io::Result<()> {
    to.write_all(&frame_of(message)?)?;
    to.flush()
}

/// Writes an announcement and the frame that it announces.
pub(super) fn write_with<T: Serialize>(
    to: &mut impl Write,
    announcement: &T,
    bytes: &[u8],
) -> io::Result<()> {
    let mut frames = frame_of(announcement)?;
    frames.extend(length_of(bytes)?);
    if bytes.len() <= MAX_BYTES_AT_ONCE {
        frames.extend(bytes);
        to.write_all(&frames)?;
    } else {
        to.write_all(&frames)?;
        to.write_all(bytes)?;
    }
    to.flush()
}

/// Reads one message; `None` at the end of the stream.
pub(super) fn read<T: DeserializeOwned>(from: &mut impl Read) -> Result<Option<T>, MessageError> {
    let Some(bytes) = read_frame(from, MAX_FRAME_BYTES)? else {
        return Ok(None);
    };
    Ok(Some(encoding::decode(VERSION, &bytes)?))
}

/// Reads the certificate or checkpoint that was announced with this length.
pub(super) fn read_incremental(from: &mut impl Read, bytes: u64) -> Result<Vec<u8>, MessageError> {
    match read_frame(from, MAX_CERTIFICATE_BYTES)? {
        Some(frame) if frame.len() as u64 == bytes => Ok(frame),
        _ => Err(MessageError::Length),
    }
}

fn frame_of<T: Serialize>(message: &T) -> io::Result<Vec<u8>> {
    let bytes = encoding::encode(VERSION, message).map_err(io::Error::other)?;
    Ok([&length_of(&bytes)?, bytes.as_slice()].concat())
}

/// Returns the beginning of a frame.
fn length_of(bytes: &[u8]) -> io::Result<[u8; 4]> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    Ok(length.to_le_bytes())
}

fn read_frame(from: &mut impl Read, limit: usize) -> Result<Option<Vec<u8>>, MessageError> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > limit {
        return Err(MessageError::TooLong(length));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_travel() {
        let mut pipe = Vec::new();
        let budget = misere_census::Budget::default();
        let order = Order::Compute(Task::game("0.123".parse().unwrap(), vec![], budget));
        write(&mut pipe, &order).unwrap();
        write_with(&mut pipe, &Answer::Certificate(5), b"seven").unwrap();
        let mut from = pipe.as_slice();
        assert_eq!(read::<Order>(&mut from).unwrap(), Some(order));
        let Some(Answer::Certificate(bytes)) = read(&mut from).unwrap() else {
            panic!()
        };
        assert_eq!(read_incremental(&mut from, bytes).unwrap(), b"seven");
        assert_eq!(read::<Answer>(&mut from).unwrap(), None);
    }

    #[test]
    fn long_frames_are_refused_before_allocation() {
        let mut from = &[255_u8; 8][..];
        assert!(matches!(
            read::<Answer>(&mut from),
            Err(MessageError::TooLong(0xffff_ffff))
        ));
        let mut pipe = Vec::new();
        pipe.extend([3, 0, 0, 0]);
        pipe.extend(b"six");
        assert!(read_incremental(&mut pipe.as_slice(), 4).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = read::<Answer>(&mut bytes.as_slice());
            let _ = read::<Order>(&mut bytes.as_slice());
        }
    }
}
