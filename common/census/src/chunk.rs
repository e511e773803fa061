//! The file of a part of a census.
//!
//! It is for queue systems without a network between their machines. A job computes every
//! `modulus`-th task of a plan and writes its findings to a file of its own; later all files are
//! folded into a census. A file begins with [`MAGIC`]. Then come frames: the [`Header`] first, then
//! any number of [`TaskResult`]. Files grow at their end only. If the last frame is cut short
//! because its job was killed, the file is as good as without that frame.
//!
//! A frame is a **head** and a value. The head is `MARK`, the length of the value (four bytes,
//! little-endian), a checksum of the value, and a checksum of the head up to there; checksums are
//! the first eight bytes of BLAKE3. So any flipped bit is detected. A damaged header makes the file
//! useless, which is reported. A damaged value is skipped by its length, and so is everything from
//! a damaged head to the next sound one: only what is damaged is lost. Reading any file takes time
//! proportional to its length.
//!
//! A **sealed** file begins with [`MAGIC_SEALED`]. A checker has read the file of a part, and says
//! of each certificate what it proves; its last frame is a [`Seal`], the signature of the checker
//! over everything before.
//!
//! Files of older releases begin with [`MAGIC_WITHOUT_CHECKSUMS`] and have frames of length and
//! value alone. They are still read, and continued in their own form.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};

use crate::encoding::{self, EncodingError};
use crate::{MAX_CERTIFICATE_BYTES, Plan, Task, TaskId, plan};

/// The first bytes of the file of a part.
pub const MAGIC: &[u8; 16] = b"misere chunk 2\r\n";

/// The first bytes of a file of older releases, which has no checksums.
pub const MAGIC_WITHOUT_CHECKSUMS: &[u8; 16] = b"misere chunk 1\r\n";

/// The first bytes of a file that a checker has sealed.
pub const MAGIC_SEALED: &[u8; 16] = b"misere chunk 3\r\n";

/// The first bytes of a frame.
const MARK: &[u8; 4] = b"\xf1mcf";

/// The length of a head: the mark, the length, two checksums.
const HEAD: usize = 24;

/// The version of the values.
const VERSION: u8 = 1;

/// The greatest length of a frame: a certificate with the name of its task, and in a sealed file
/// what is stated of it.
const MAX_FRAME_BYTES: u64 = MAX_CERTIFICATE_BYTES as u64 + MAX_STATED_BYTES as u64 + 1024;

/// The most bytes that a checker may state of a certificate.
///
/// A certificate that needs a longer statement is checked by the merge.
pub const MAX_STATED_BYTES: usize = 8 << 20;

/// The part of the census that a file has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The plan.
    pub plan: Plan,
    /// The name of the engine that made the results; see [`crate::engine_fingerprint()`].
    pub engine: String,
    /// The remainder that the positions of the part's tasks in the plan leave.
    pub residue: u64,
    /// The number by which these positions are divided.
    pub modulus: u64,
}

impl Header {
    /// Returns the tasks of the part, in the order of the plan; none if there is no such part.
    ///
    /// Cost: the cost of [`plan::tasks`].
    ///
    /// ```
    /// use misere_census::chunk::Header;
    /// use misere_census::{Budget, Plan, Space};
    /// let plan = Plan::new(Space::Octal { digits: 1 }, Budget::default())?;
    /// let part = Header { plan, engine: String::new(), residue: 1, modulus: 3 };
    /// let codes: Vec<String> = part.tasks().map(|task| task.to_string()).collect();
    /// assert_eq!(codes, ["0.5", "4"]);
    /// # Ok::<(), misere_census::PlanError>(())
    /// ```
    pub fn tasks(&self) -> impl ExactSizeIterator<Item = Task> + Clone + use<> {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let is_part = self.residue < self.modulus;
        plan::tasks(&self.plan)
            .skip(number(self.residue))
            .step_by(number(self.modulus).max(1))
            .take(if is_part { usize::MAX } else { 0 })
    }
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskResult {
    /// The task.
    pub task: TaskId,
    /// The certificate, not yet checked.
    pub certificate: Vec<u8>,
    /// What a checker [states](crate::admission::VerifiedResult::stated) of the certificate.
    ///
    /// It is there in a sealed file alone, before the seal, and means nothing if the seal does not.
    pub stated: Option<Vec<u8>>,
}

/// The signature of a checker over a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The certificate of the checker in DER, and those between it and its authority.
    pub chain: Vec<Vec<u8>>,
    /// The scheme of the signature, by its number in TLS.
    pub scheme: u16,
    /// The signature.
    pub signature: Vec<u8>,
}

/// A frame of a file that is not sealed.
#[derive(Serialize, Deserialize)]
struct PlainResult<C> {
    task: TaskId,
    certificate: C,
}

/// A frame of a sealed file.
#[derive(Serialize, Deserialize)]
enum SealedFrame<R, S> {
    Result(R),
    Seal(S),
}

/// The reason why a file is not a part of a census.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    /// The file does not begin like the file of a part.
    #[error("it is not a file of `misere census chunk`")]
    NoChunk,
    /// A frame is longer than any frame can be.
    #[error("a frame of {0} bytes is more than the {MAX_FRAME_BYTES} allowed")]
    TooLong(u64),
    /// The header was changed after it was written.
    #[error(
        "the file is damaged: its header does not have its checksum; fetch it again, or have the part computed again"
    )]
    Damaged,
    /// A frame holds another value.
    #[error("{0}")]
    Malformed(#[from] EncodingError),
    /// An error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Frames have checksums.
    Checked,
    /// The form of older releases, without checksums.
    WithoutChecksums,
    /// Frames have checksums, and say what a checker states.
    Sealed,
}

/// Begins a file of this form.
///
/// Cost: linear in the plan.
///
/// ```
/// use misere_census::chunk::{Form, Header, MAGIC, begin};
/// use misere_census::{Budget, Plan, Space};
/// let plan = Plan::new(Space::Octal { digits: 1 }, Budget::default())?;
/// let header = Header { plan, engine: String::new(), residue: 0, modulus: 1 };
/// let mut file = Vec::new();
/// begin(&mut file, Form::Checked, &header)?;
/// assert!(file.starts_with(MAGIC));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ChunkError`] if it cannot be written.
pub fn begin(to: &mut impl Write, form: Form, header: &Header) -> Result<(), ChunkError> {
    to.write_all(match form {
        Form::Checked => MAGIC,
        Form::WithoutChecksums => MAGIC_WITHOUT_CHECKSUMS,
        Form::Sealed => MAGIC_SEALED,
    })?;
    frame(to, form, header)
}

/// Adds a finding to a file of this form, as one write.
///
/// Cost: linear in the certificate.
///
/// # Errors
/// [`ChunkError`] if it cannot be written.
pub fn add(to: &mut impl Write, form: Form, found: &TaskResult) -> Result<(), ChunkError> {
    match form {
        Form::Checked | Form::WithoutChecksums => {
            let (task, certificate) = (found.task, &found.certificate);
            frame(to, form, &PlainResult { task, certificate })
        }
        Form::Sealed => frame(to, form, &SealedFrame::<_, ()>::Result(found)),
    }
}

/// Ends a sealed file with the signature over everything that it has.
///
/// Cost: linear in the seal.
///
/// # Errors
/// [`ChunkError`] if it cannot be written.
pub fn close(to: &mut impl Write, seal: &Seal) -> Result<(), ChunkError> {
    frame(to, Form::Sealed, &SealedFrame::<(), _>::Seal(seal))
}

fn frame(to: &mut impl Write, form: Form, value: &impl Serialize) -> Result<(), ChunkError> {
    let value = encoding::encode(VERSION, value)?;
    let length = value.len() as u64;
    let short = u32::try_from(length).map_err(|_| ChunkError::TooLong(length))?;
    let mut bytes = match form {
        Form::Checked | Form::Sealed => head(short, checksum(&value)).to_vec(),
        Form::WithoutChecksums => short.to_le_bytes().to_vec(),
    };
    bytes.extend(value);
    Ok(to.write_all(&bytes)?)
}

/// Returns the first eight bytes of the BLAKE3 hash.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut short = [0; 8];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    short
}

fn head(length: u32, of_value: [u8; 8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(MARK);
    head[4..8].copy_from_slice(&length.to_le_bytes());
    head[8..16].copy_from_slice(&of_value);
    let of_head = checksum(&head[..16]);
    head[16..].copy_from_slice(&of_head);
    head
}

/// Returns the length and checksum of the value that a head announces; `None` if it is not a head.
fn announced(bytes: &[u8]) -> Option<(u64, [u8; 8])> {
    let bytes: &[u8; HEAD] = bytes.try_into().ok()?;
    let length = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    let mut of_value = [0; 8];
    of_value.copy_from_slice(&bytes[8..16]);
    (head(length, of_value) == *bytes).then_some((u64::from(length), of_value))
}

/// Reads a file from its beginning.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    form: Form,
    header: Header,
    /// The number of bytes taken from the file so far.
    at: u64,
    /// The end of the last sound frame.
    whole: u64,
    /// The number of places at which the file was changed.
    damaged: u64,
    /// The seal, and the number of bytes before it.
    seal: Option<(Seal, u64)>,
}

/// The next item in a file with checksums.
enum Next {
    /// A value as it was written.
    Value(Vec<u8>),
    /// Damaged bytes, which are skipped.
    Damaged,
    /// The end of the file, or a frame that is cut short.
    End,
}

impl<R: BufRead> Reader<R> {
    /// Opens the file of a part; `None` if the file is empty or cut short within its header.
    ///
    /// Cost: only the header is read.
    ///
    /// ```
    /// use misere_census::chunk::{ChunkError, MAGIC, Reader};
    /// assert!(Reader::open(&MAGIC[..5])?.is_none()); // cut short
    /// assert!(matches!(Reader::open(&b"no part"[..]), Err(ChunkError::NoChunk)));
    /// # Ok::<(), ChunkError>(())
    /// ```
    ///
    /// # Errors
    /// [`ChunkError`] if it is another file, is damaged in its header, or cannot be read.
    pub fn open(mut from: R) -> Result<Option<Self>, ChunkError> {
        let mut magic = Vec::new();
        let mut at = take(&mut from, MAGIC.len() as u64, &mut magic)?;
        let form = match magic {
            _ if MAGIC.starts_with(&magic) => Form::Checked,
            _ if MAGIC_WITHOUT_CHECKSUMS.starts_with(&magic) => Form::WithoutChecksums,
            _ if MAGIC_SEALED.starts_with(&magic) => Form::Sealed,
            _ => return Err(ChunkError::NoChunk),
        };
        let value = match form {
            Form::Checked | Form::Sealed => {
                let mut head = Vec::new();
                at += take(&mut from, HEAD as u64, &mut head)?;
                if head.len() < HEAD {
                    return Ok(None);
                }
                let Some((length, of_value)) = announced(&head) else {
                    return Err(ChunkError::Damaged);
                };
                let mut value = Vec::new();
                at += take(&mut from, length, &mut value)?;
                if (value.len() as u64) < length {
                    return Ok(None);
                }
                if checksum(&value) != of_value {
                    return Err(ChunkError::Damaged);
                }
                value
            }
            Form::WithoutChecksums => {
                let Some(value) = next_frame(&mut from)? else {
                    return Ok(None);
                };
                at += 4 + value.len() as u64;
                value
            }
        };
        let header = encoding::decode(VERSION, &value)?;
        Ok(Some(Self {
            from,
            form,
            header,
            at,
            whole: at,
            damaged: 0,
            seal: None,
        }))
    }

    /// Returns the header, which says which part the file has.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the form of the file, for a caller that appends to it.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the number of bytes up to the end of the last sound frame.
    ///
    /// The file has to be cut there before more is added.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// Returns the number of places read so far at which the file was changed.
    ///
    /// The content of these places is lost.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Returns the seal if it has been read, and the number of bytes before it, which it signs.
    #[must_use]
    pub fn seal(&self) -> Option<(&Seal, u64)> {
        self.seal.as_ref().map(|(seal, at)| (seal, *at))
    }

    /// Returns the next finding; none at the end, or where the file is cut short.
    ///
    /// Damaged frames are skipped.
    ///
    /// Cost: linear in the bytes up to the end of the finding.
    ///
    /// ```
    /// use misere_census::chunk::{Form, TaskResult, Header, Reader, add, begin};
    /// use misere_census::{Budget, Plan, Space, TaskId};
    /// let plan = Plan::new(Space::Octal { digits: 1 }, Budget::default())?;
    /// let header = Header { plan, engine: String::new(), residue: 0, modulus: 1 };
    /// let found = TaskResult { task: TaskId([7; 32]), certificate: vec![1, 2, 3], stated: None };
    /// let mut file = Vec::new();
    /// begin(&mut file, Form::Checked, &header)?;
    /// add(&mut file, Form::Checked, &found)?;
    ///
    /// let mut reader = Reader::open(&file[..])?.ok_or("a header")?;
    /// assert_eq!(reader.header(), &header);
    /// assert_eq!(reader.next_found()?, Some(found));
    /// assert_eq!(reader.next_found()?, None);
    /// assert_eq!((reader.whole(), reader.damaged()), (file.len() as u64, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ChunkError`] if a frame holds another value, or the file cannot be read.
    pub fn next_found(&mut self) -> Result<Option<TaskResult>, ChunkError> {
        if self.form == Form::WithoutChecksums {
            let Some(value) = next_frame(&mut self.from)? else {
                return Ok(None);
            };
            let found = plain(&value)?;
            self.whole += 4 + value.len() as u64;
            return Ok(Some(found));
        }
        loop {
            let value = match self.next_checked()? {
                Next::Value(value) => value,
                Next::Damaged => {
                    self.damaged += 1;
                    continue;
                }
                Next::End => return Ok(None),
            };
            let before = std::mem::replace(&mut self.whole, self.at);
            if self.form == Form::Checked {
                return plain(&value).map(Some);
            }
            match encoding::decode(VERSION, &value)? {
                // The signature does not cover what follows it.
                SealedFrame::Result(TaskResult {
                    task, certificate, ..
                }) if self.seal.is_some() => {
                    let stated = None;
                    return Ok(Some(TaskResult {
                        task,
                        certificate,
                        stated,
                    }));
                }
                SealedFrame::Result(found) => return Ok(Some(found)),
                SealedFrame::Seal(seal) => self.seal = Some((seal, before)),
            }
        }
    }

    fn next_checked(&mut self) -> Result<Next, ChunkError> {
        let mut window = Vec::with_capacity(HEAD);
        let mut is_sound = true;
        let (length, of_value) = loop {
            let missing = (HEAD - window.len()) as u64;
            self.at += take(&mut self.from, missing, &mut window)?;
            if window.len() < HEAD {
                // A cut frame is not damage, if it begins as a frame does.
                is_sound &= MARK.starts_with(&window[..window.len().min(MARK.len())]);
                return Ok(if is_sound { Next::End } else { Next::Damaged });
            }
            match announced(&window) {
                Some(announced) => break announced,
                None => {
                    is_sound = false;
                    let mark = window[1..]
                        .windows(MARK.len())
                        .position(|part| part == MARK);
                    // The last bytes may be the beginning of a mark.
                    let passed = mark.map_or(HEAD - MARK.len() + 1, |mark| mark + 1);
                    window.drain(..passed);
                }
            }
        };
        if !is_sound {
            self.damaged += 1;
        }
        if length > MAX_FRAME_BYTES {
            return Err(ChunkError::TooLong(length));
        }
        let mut value = Vec::new();
        self.at += take(&mut self.from, length, &mut value)?;
        if (value.len() as u64) < length {
            return Ok(Next::End);
        }
        Ok(match checksum(&value) == of_value {
            true => Next::Value(value),
            false => Next::Damaged,
        })
    }
}

/// Returns the result in a frame of a file that is not sealed.
fn plain(value: &[u8]) -> Result<TaskResult, ChunkError> {
    let PlainResult { task, certificate } = encoding::decode(VERSION, value)?;
    Ok(TaskResult {
        task,
        certificate,
        stated: None,
    })
}

/// Reads up to `bytes` bytes, allocating as they arrive instead of trusting the declared length.
fn take(from: &mut impl BufRead, bytes: u64, to: &mut Vec<u8>) -> io::Result<u64> {
    Ok(from.take(bytes).read_to_end(to)? as u64)
}

/// Returns the next frame of a file without checksums; none if the file ends before the frame does.
fn next_frame(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, ChunkError> {
    let mut length = Vec::new();
    take(from, 4, &mut length)?;
    let Ok(length) = <[u8; 4]>::try_from(length) else {
        return Ok(None);
    };
    let length = u64::from(u32::from_le_bytes(length));
    if length > MAX_FRAME_BYTES {
        return Err(ChunkError::TooLong(length));
    }
    let mut value = Vec::new();
    take(from, length, &mut value)?;
    Ok((value.len() as u64 == length).then_some(value))
}

#[cfg(test)]
mod tests;
