//! How does a part of a census travel as a file?
//!
//! For queue systems without a network between their machines: a job computes every `modulus`-th task of a plan and writes what it finds to a
//! file of its own; whoever has the files folds them into a census. A file begins with [`MAGIC`]; then come frames, each its length in four
//! bytes (little-endian) and a value: the [`Header`] first, then [`Found`] again and again. Files grow at their end only. One whose last frame is cut short,
//! because its job was killed, is as good as one without it.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};

use crate::encoding::{self, EncodingError};
use crate::{MAX_CERTIFICATE_BYTES, Plan, TaskId};

/// What every such file begins with.
pub const MAGIC: &[u8; 16] = b"misere chunk 1\r\n";

/// The version of the values.
const VERSION: u8 = 1;

/// No frame is longer: a certificate and the name of its task.
const MAX_FRAME_BYTES: u64 = MAX_CERTIFICATE_BYTES as u64 + 1024;

/// Which part of which census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The plan.
    pub plan: Plan,
    /// What determines the results; see [`crate::engine()`].
    pub engine: String,
    /// The tasks whose position in the plan leaves this remainder …
    pub residue: u64,
    /// … by this number.
    pub modulus: u64,
}

impl Header {
    /// Whether the task at a position of the plan belongs to this part.
    #[must_use]
    pub fn includes(&self, position: u64) -> bool {
        position.checked_rem(self.modulus) == Some(self.residue)
    }
}

/// What was found of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The task.
    pub task: TaskId,
    /// The certificate, not yet checked.
    pub certificate: Vec<u8>,
}

/// Why a file is no part of a census.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    /// It begins with something else.
    #[error("it is no file of `misere census chunk`")]
    NoChunk,
    /// A frame is longer than any can be.
    #[error("a frame of {0} bytes is more than the {MAX_FRAME_BYTES} allowed")]
    TooLong(u64),
    /// A frame holds something else.
    #[error("{0}")]
    Malformed(#[from] EncodingError),
    /// The system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Begins a file.
///
/// # Errors
/// [`ChunkError`] if it cannot be written.
pub fn begin(to: &mut impl Write, header: &Header) -> Result<(), ChunkError> {
    to.write_all(MAGIC)?;
    frame(to, header)
}

/// Adds a finding to a file, as one write.
///
/// # Errors
/// [`ChunkError`] if it cannot be written.
pub fn add(to: &mut impl Write, found: &Found) -> Result<(), ChunkError> {
    frame(to, found)
}

fn frame(to: &mut impl Write, value: &impl Serialize) -> Result<(), ChunkError> {
    let value = encoding::encode(VERSION, value)?;
    let length = value.len() as u64;
    let short = u32::try_from(length).map_err(|_| ChunkError::TooLong(length))?;
    let mut bytes = short.to_le_bytes().to_vec();
    bytes.extend(value);
    Ok(to.write_all(&bytes)?)
}

/// Reads a file from its beginning.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    header: Header,
    /// Where the frames read so far end.
    whole: u64,
}

impl<R: BufRead> Reader<R> {
    /// The part of which the file is; none if the file is empty or cut short within its header.
    ///
    /// # Errors
    /// [`ChunkError`] if it is something else, or cannot be read.
    pub fn open(mut from: R) -> Result<Option<Self>, ChunkError> {
        let mut magic = Vec::new();
        Read::by_ref(&mut from)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        if !MAGIC.starts_with(&magic) {
            return Err(ChunkError::NoChunk);
        }
        let Some(value) = next_frame(&mut from)? else {
            return Ok(None);
        };
        let whole = (MAGIC.len() + 4 + value.len()) as u64;
        let header = encoding::decode(VERSION, &value)?;
        Ok(Some(Self {
            from,
            header,
            whole,
        }))
    }

    /// Which part it is.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many bytes the frames read so far take: where the file is to be cut before more is added.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The next finding; none at the end, or where the file is cut short.
    ///
    /// # Errors
    /// [`ChunkError`] if there is something else, or it cannot be read.
    pub fn next_found(&mut self) -> Result<Option<Found>, ChunkError> {
        let Some(value) = next_frame(&mut self.from)? else {
            return Ok(None);
        };
        let found = encoding::decode(VERSION, &value)?;
        self.whole += 4 + value.len() as u64;
        Ok(Some(found))
    }
}

/// The next frame; none if the file ends before the frame does. Takes memory as bytes come, not as they are announced.
fn next_frame(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, ChunkError> {
    let mut length = Vec::new();
    from.take(4).read_to_end(&mut length)?;
    let Ok(length) = <[u8; 4]>::try_from(length) else {
        return Ok(None);
    };
    let length = u64::from(u32::from_le_bytes(length));
    if length > MAX_FRAME_BYTES {
        return Err(ChunkError::TooLong(length));
    }
    let mut value = Vec::new();
    from.take(length).read_to_end(&mut value)?;
    Ok((value.len() as u64 == length).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Space};
    use proptest::prelude::*;

    fn header() -> Header {
        Header {
            plan: Plan::new(Space::Octal { digits: 2 }, Budget::default()).unwrap(),
            engine: crate::engine(),
            residue: 1,
            modulus: 3,
        }
    }

    fn found(n: u8) -> Found {
        Found {
            task: TaskId([n; 32]),
            certificate: vec![n; usize::from(n)],
        }
    }

    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        begin(&mut bytes, &header()).unwrap();
        (0..5).for_each(|n| add(&mut bytes, &found(n)).unwrap());
        bytes
    }

    fn read(bytes: &[u8]) -> Result<(u64, Vec<Found>), ChunkError> {
        let Some(mut reader) = Reader::open(bytes)? else {
            return Ok((0, Vec::new()));
        };
        let mut all = Vec::new();
        while let Some(found) = reader.next_found()? {
            all.push(found);
        }
        Ok((reader.whole(), all))
    }

    #[test]
    fn files_are_read_up_to_where_they_are_cut() {
        let bytes = file();
        let all: Vec<Found> = (0..5).map(found).collect();
        for cut in 0..=bytes.len() {
            let (whole, some) = read(&bytes[..cut]).unwrap();
            assert!(whole <= cut as u64);
            assert_eq!(some, all[..some.len()]);
            // What is whole can be gone on from.
            assert_eq!(read(&bytes[..whole as usize]).unwrap(), (whole, some));
        }
        assert_eq!(read(&bytes).unwrap(), (bytes.len() as u64, all));
        assert_eq!(
            Reader::open(&bytes[..]).unwrap().unwrap().header(),
            &header()
        );
    }

    #[test]
    fn parts_are_disjoint_and_cover_the_plan() {
        let part = |residue| Header {
            residue,
            ..header()
        };
        for position in 0..100 {
            let of = (0..3).filter(|&residue| part(residue).includes(position));
            assert_eq!(of.count(), 1);
        }
        assert!(
            !Header {
                modulus: 0,
                ..header()
            }
            .includes(1)
        );
    }

    #[test]
    fn other_files_are_refused() {
        assert!(matches!(
            read(b"#!/bin/sh\necho no"),
            Err(ChunkError::NoChunk)
        ));
        let mut long = MAGIC.to_vec();
        long.extend(u32::MAX.to_le_bytes());
        assert!(matches!(read(&long), Err(ChunkError::TooLong(_))));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0_usize..400) {
            let _ = read(&bytes);
            let mut file = file();
            let at = at % file.len();
            file.splice(at.., bytes);
            let _ = read(&file);
        }
    }
}
