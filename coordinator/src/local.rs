//! The socket by which the owner of a census directory reaches the coordinator at work.
//!
//! The sockets are in the directory, and only its owner can open them, so that no other user of the
//! machine can give orders. Where the file system takes no sockets, they are in a private directory
//! elsewhere, whose path is recorded.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use misere_census::input_file;
use misere_proto::connection::UNIX;
use tempfile::TempDir;
use tokio::net::UnixListener;

use misere_store::{ENDPOINT, RPC};

/// The longest path of a socket, in bytes.
const PATH_BYTES: usize = 107;

/// A listener, and its private directory if the directory of the census takes no sockets.
pub(crate) type OwnerListener = (UnixListener, Option<TempDir>);

/// The reason why the owner's socket cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// A socket on which no process listens.
    #[error("no coordinator is at work on {}", .0.display())]
    NotRunning(PathBuf),
    /// A socket that belongs to another user.
    #[error(
        "the coordinator at work on {} takes orders from the owner of that directory alone: \
         {cause}",
        data.display()
    )]
    Refused {
        /// The directory.
        data: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
}

/// Listens on a socket in a directory, which only its owner can open.
///
/// It replaces a socket that an ended process left.
///
/// # Errors
/// The system's error.
pub(crate) fn listen(dir: &Path, name: &str) -> io::Result<UnixListener> {
    // Made in a private directory: between its creation and the change of its mode other users
    // could open it.
    let private = tempfile::Builder::new().prefix(".socket").tempdir_in(dir)?;
    let (path, _opened) = short(private.path(), name)?;
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    std::fs::rename(private.path().join(name), dir.join(name))?;
    Ok(listener)
}

/// Listens for the owner's calls.
///
/// The socket is in the directory of the census, or in a private one if that takes no sockets.
///
/// # Errors
/// The system's error about the census's directory, if neither can be used.
pub(crate) fn listen_for_owner(data: &Path) -> io::Result<OwnerListener> {
    listen(data, RPC).map_or_else(
        |error| {
            let elsewhere = || {
                let mut private = tempfile::Builder::new();
                private
                    .prefix("misere-")
                    .permissions(Permissions::from_mode(0o700));
                let dir = private.tempdir()?;
                Ok((listen(dir.path(), RPC)?, Some(dir)))
            };
            elsewhere().map_err(|_: io::Error| error)
        },
        |listener| Ok((listener, None)),
    )
}

/// Returns the address by which the owner of a directory calls the coordinator at work there.
///
/// # Errors
/// [`SocketError`] if no coordinator listens there, or if the socket belongs to another user.
pub fn url(data: &Path) -> Result<String, SocketError> {
    let refused = |cause| SocketError::Refused {
        data: data.to_owned(),
        cause,
    };
    for dir in [Some(data.to_owned()), noted(data)].into_iter().flatten() {
        let (path, opened) = short(&dir, RPC).map_err(refused)?;
        match UnixStream::connect(&path) {
            Ok(_) => {
                // Left open on purpose: the address goes through this descriptor while the process
                // lives.
                opened.map(IntoRawFd::into_raw_fd);
                return Ok(format!("{UNIX}{}", path.display()));
            }
            // No socket, or one that a killed process left.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotFound | ErrorKind::ConnectionRefused
                ) => {}
            Err(error) => return Err(refused(error)),
        }
    }
    Err(SocketError::NotRunning(data.to_owned()))
}

/// Returns the note with the path of a private directory.
pub(crate) fn note(private: &TempDir) -> String {
    format!("{UNIX}{}", private.path().join(RPC).display())
}

/// Returns the private directory of the socket, if the coordinator has noted one.
fn noted(data: &Path) -> Option<PathBuf> {
    let text = input_file::read_text(&data.join(ENDPOINT), input_file::SMALL).ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix(UNIX))?;
    Path::new(path).parent().map(Path::to_owned)
}

/// Returns the path of a socket in a form that the system takes.
///
/// A path that is too long or not UTF-8 goes through a descriptor of the directory, which has to
/// stay open.
pub(crate) fn short(dir: &Path, name: &str) -> io::Result<(PathBuf, Option<File>)> {
    let path = dir.join(name);
    let fits = |path: &OsStr| path.len() <= PATH_BYTES && path.to_str().is_some();
    if fits(path.as_os_str()) {
        return Ok((path, None));
    }
    let opened = File::open(dir)?;
    let through = format!("/proc/self/fd/{}/{name}", opened.as_raw_fd());
    Ok((through.into(), Some(opened)))
}
