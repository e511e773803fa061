//! The directory of a census: the names of its files, and a repair that was interrupted.

use std::path::Path;

/// The directory of the database in a census directory.
///
/// A directory with unknown names is not a census.
pub const DATABASE: &str = "db";
pub(super) const LOCK: &str = "lock";
/// The file of a database that names the newest manifest.
pub(super) const CURRENT: &str = "CURRENT";
/// The file with the address of the running coordinator, which writes it.
pub const ENDPOINT: &str = "endpoint";
/// The socket on which the running coordinator answers processes of the owner.
///
/// The coordinator makes it.
pub const CONTROL: &str = "control";
/// The socket for calls from the owner of the directory to the running coordinator.
///
/// They are the calls that workers and operators make over the network.
pub const RPC: &str = "rpc";
/// The prefix of the names of directories in which a coordinator makes its sockets.
///
/// They exist for moments only.
const MADE: &str = ".socket";

/// The file with the progress of verifying the certificates again (see [`audit`](super::audit)).
///
/// `CHECKED_UNFINISHED` is its name while it is written.
pub(super) const CHECKED: &str = "checked";
const CHECKED_UNFINISHED: &str = "checked.part";
/// The directory in which a database is rebuilt, and the one where the damaged database then stays.
///
/// See [`repair`](super::repair).
pub(super) const REPAIR: &str = "repair";
pub(super) const DAMAGED: &str = "damaged";
/// A copy of a database that does not open, from which it is rebuilt.
pub(super) const SALVAGE: &str = "salvage";
/// The directory of the jobs that compute the census (made by `misere census submit`).
pub const SUBMIT: &str = "submit";

/// All names that may be in the directory of a census.
pub(super) const NAMES: [&str; 11] = [
    DATABASE,
    LOCK,
    ENDPOINT,
    CONTROL,
    RPC,
    CHECKED,
    CHECKED_UNFINISHED,
    REPAIR,
    DAMAGED,
    SALVAGE,
    SUBMIT,
];

/// The files that systems leave in any directory, and prefixes of the names of others.
///
/// They are the root of a file system, files deleted while they are open (NFS), the directories of
/// file managers, the output and the memory of processes that run there, and sockets of a
/// coordinator that was killed while it made them.
pub(super) const LEFT: [&str; 6] = [
    "lost+found",
    ".DS_Store",
    ".directory",
    ".snapshot",
    "core",
    "nohup.out",
];
pub(super) const LEFT_BEGINNINGS: [&str; 5] = [MADE, ".nfs", ".fuse_hidden", ".Trash", "core."];

/// Reports whether a repair was interrupted between its two renames.
///
/// The old database is then put aside and the new one not yet in its place.
pub(super) fn is_between_renames(dir: &Path) -> bool {
    let is_new = dir.join(REPAIR).join(DATABASE).exists();
    !dir.join(DATABASE).exists() && dir.join(DAMAGED).exists() && is_new
}
