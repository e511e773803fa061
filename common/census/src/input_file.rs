//! The reader of files that are read whole.
//!
//! It is the one reader for every file that a person names or that lies in a directory of ours. It
//! takes regular files only, and only up to a size limit: reading a FIFO could wait for ever, and
//! `/dev/zero` would fill the memory. A stream that this process was given open (`/dev/stdin`,
//! `/dev/fd/3`, the `<(…)` of a shell) is read within the same limit, and `/dev/null` is an empty
//! file.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// The most bytes of a small file: an address, a note, settings.
pub const SMALL: u64 = 1 << 20;

/// The most bytes of a file written by hand, or by a program for one machine.
///
/// Examples are certificates of authorities, revocation lists, lists of jobs.
pub const MIDDLE: u64 = 1 << 26;

/// The most bytes of a document that a computation has written: certificates, atlases, lists.
pub const LARGE: u64 = 1 << 32;

/// The directories whose entries are the open files of this process.
const DESCRIPTORS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];

/// The bytes read between two checks of a text.
const STEP: u64 = 1 << 20;

/// The mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The fault of a file that is not read, as the source of an [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// Something other than a regular file.
    #[error("it is {0}, and only a regular file is read here")]
    NotRegular(&'static str),
    /// A file with more bytes than are read.
    #[error("it has more than {0} bytes, which is the most that is read here")]
    TooLong(u64),
    /// A file with a zero byte.
    #[error("it is not a text: byte {0} is zero")]
    ZeroByte(u64),
    /// A text in UTF-16.
    #[error("it is a text in UTF-16; save it as UTF-8")]
    Utf16,
    /// A file with bytes that are not UTF-8.
    #[error("it is not a text in UTF-8: byte {0} belongs to no character")]
    NotUtf8(u64),
}

impl From<InputError> for io::Error {
    fn from(error: InputError) -> Self {
        let kind = match error {
            InputError::NotRegular(_) => ErrorKind::InvalidInput,
            InputError::TooLong(_) => ErrorKind::FileTooLarge,
            _ => ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

/// Opens a file for reading, without waiting for another process.
///
/// ```
/// use misere_census::input_file::open;
/// assert!(open("/dev/zero".as_ref()).is_err());
/// assert!(open("/dev/null".as_ref()).is_ok());
/// ```
///
/// # Errors
/// The system's, or an [`InputError`] if it is neither a regular file nor a stream that this
/// process was given open.
pub fn open(file: &Path) -> io::Result<File> {
    if is_given(file) {
        return File::open(file);
    }
    // Check the type first, since opening some devices has an effect.
    only_regular(file, fs::metadata(file)?.file_type())?;
    open_regular(file, OpenOptions::new().read(true))
}

/// Opens a file of a directory of ours for writing, and creates it if it is missing.
///
/// It does not wait for another process. The file is a lock or a log; its content stays.
///
/// ```
/// use misere_census::input_file::open_or_make;
/// assert!(open_or_make("/dev/zero".as_ref()).is_err());
/// ```
///
/// # Errors
/// The system's, or [`InputError::NotRegular`].
pub fn open_or_make(file: &Path) -> io::Result<File> {
    match fs::metadata(file) {
        Ok(there) => only_regular(file, there.file_type())?,
        Err(cause) if cause.kind() == ErrorKind::NotFound => {}
        Err(cause) => return Err(cause),
    }
    let mut options = OpenOptions::new();
    open_regular(file, options.write(true).create(true).truncate(false))
}

fn open_regular(file: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let at_once = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let opened = options.custom_flags(at_once).open(file)?;
    only_regular(file, opened.metadata()?.file_type())?;
    Ok(opened)
}

/// Reports whether a path names a stream that this process was given open.
fn is_given(file: &Path) -> bool {
    file == Path::new("/dev/stdin")
        || file
            .parent()
            .is_some_and(|parent| DESCRIPTORS.iter().any(|&given| parent == Path::new(given)))
}

fn only_regular(file: &Path, kind: FileType) -> Result<(), InputError> {
    if kind.is_file() {
        return Ok(());
    }
    Err(InputError::NotRegular(if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        let real = fs::canonicalize(file);
        if real.is_ok_and(|real| real == Path::new("/dev/null")) {
            return Ok(());
        }
        "a device"
    }))
}

/// Returns the bytes of a file.
///
/// ```
/// use misere_census::input_file::read;
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("note");
/// std::fs::write(&file, "four")?;
/// assert_eq!(read(&file, 4)?, b"four");
/// assert!(read(&file, 3).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`open`], and [`InputError::TooLong`] if the file has more than `limit` bytes.
pub fn read(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bytes_of(open(file)?, limit)
}

/// Returns the bytes of a stream.
///
/// # Errors
/// The system's, and [`InputError::TooLong`] if there are more than `limit` bytes.
pub fn bytes_of(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut stream = stream.take(limit.saturating_add(1));
    stream.read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(InputError::TooLong(limit).into()),
        false => Ok(bytes),
    }
}

/// Returns the text of a file, without a byte order mark.
///
/// ```
/// use misere_census::input_file::read_text;
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("note");
/// std::fs::write(&file, "\u{feff}text")?;
/// assert_eq!(read_text(&file, 100)?, "text");
/// std::fs::write(&file, "te\0xt")?;
/// let refused = read_text(&file, 100).unwrap_err();
/// assert_eq!(refused.to_string(), "it is not a text: byte 3 is zero");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read`], and an [`InputError`] if the bytes are not UTF-8.
pub fn read_text(file: &Path, limit: u64) -> io::Result<String> {
    text_of(open(file)?, limit)
}

/// Returns the text of a stream, without a byte order mark.
///
/// Cost: a stream of zeros ends after a step, however long it is.
///
/// # Errors
/// As [`bytes_of`], and an [`InputError`] if the bytes are not UTF-8.
pub fn text_of(mut stream: impl Read, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        let read = stream.by_ref().take(STEP).read_to_end(&mut bytes)?;
        let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        if utf16 {
            return Err(InputError::Utf16.into());
        }
        let new = bytes.iter().skip(before);
        if let Some(at) = new.copied().position(|byte| byte == 0) {
            return Err(InputError::ZeroByte((before + at + 1) as u64).into());
        }
        if bytes.len() as u64 > limit {
            return Err(InputError::TooLong(limit).into());
        }
        if read == 0 {
            break;
        }
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        InputError::NotUtf8(at as u64).into()
    })
}

/// Returns the bytes of a text without its byte order mark.
///
/// ```
/// use misere_census::input_file::without_mark;
/// assert_eq!(without_mark("\u{feff}{}".as_bytes()), b"{}");
/// ```
#[must_use]
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn fault(error: io::Error) -> InputError {
        *error
            .get_ref()
            .and_then(|inner| inner.downcast_ref())
            .unwrap_or_else(|| panic!("{error}"))
    }

    #[test]
    fn traps_are_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let fifo = directory.path().join("fifo");
        assert!(
            Command::new("mkfifo")
                .arg(&fifo)
                .status()
                .unwrap()
                .success()
        );
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&fifo, &link).unwrap();
        for (place, kind) in [
            (fifo.as_path(), "a FIFO"),
            (&link, "a FIFO"),
            (directory.path(), "a directory"),
            (Path::new("/dev/zero"), "a device"),
            (Path::new("/dev/urandom"), "a device"),
        ] {
            let refused = fault(read(place, SMALL).unwrap_err());
            assert_eq!(refused, InputError::NotRegular(kind));
            let refused = fault(read_text(place, LARGE).unwrap_err());
            assert_eq!(refused, InputError::NotRegular(kind));
            let refused = fault(open_or_make(place).unwrap_err());
            assert_eq!(refused, InputError::NotRegular(kind));
        }
        assert_eq!(read(Path::new("/dev/null"), SMALL).unwrap(), b"");
    }

    #[test]
    fn a_stream_is_read_within_its_bound() {
        let refused = fault(bytes_of(io::repeat(1), 1000).unwrap_err());
        assert_eq!(refused, InputError::TooLong(1000));
        let refused = fault(text_of(io::repeat(b'a'), 1000).unwrap_err());
        assert_eq!(refused, InputError::TooLong(1000));
        let refused = fault(text_of(io::repeat(0), LARGE).unwrap_err());
        assert_eq!(refused, InputError::ZeroByte(1));
        assert_eq!(text_of(&b"abc"[..], 3).unwrap(), "abc");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_named() {
        let fault = |bytes: &[u8]| fault(text_of(bytes, SMALL).unwrap_err());
        assert_eq!(fault(b"\xff\xfe{\0"), InputError::Utf16);
        assert_eq!(fault(b"ab\xffc"), InputError::NotUtf8(3));
        assert_eq!(text_of("\u{feff}".as_bytes(), SMALL).unwrap(), "");
        // One mark is skipped, and no more.
        let twice = "\u{feff}\u{feff}a".as_bytes();
        assert_eq!(text_of(twice, SMALL).unwrap(), "\u{feff}a");
    }
}
