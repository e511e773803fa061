//! The copy of the plan beside the database.
//!
//! A census can be rebuilt from its certificates only if its plan is known, and in the database the
//! plan is in one block of one table. So it is also in the file `db/plan`, with a checksum, where
//! the [repair](super::repair) finds it.

use std::io;
use std::path::Path;

use misere_census::{Plan, encoding, input_file};

use super::StoreError;
use super::directory::DATABASE;
use super::keys::Kind;

/// The name of the copy in the directory of the database.
///
/// RocksDB ignores files that are not its own. `UNFINISHED` is the name of the copy while it is
/// written.
const NAME: &str = "plan";
const UNFINISHED: &str = "plan.part";

/// The most bytes of a copy that are read: plans list games, and have no limit of their own.
const MAX_PLAN_BYTES: u64 = 1 << 30;

/// The number of bytes of the checksum before the plan.
const CHECKSUM: usize = 32;

/// Stores a copy of the plan of the census in a directory, unless there is one.
///
/// Cost: for a new census, one durable write; otherwise reading the copy.
pub(super) fn keep(dir: &Path, plan: &Plan) -> Result<(), StoreError> {
    if read(dir).as_ref() == Some(plan) {
        return Ok(());
    }
    let Ok(encoded) = encoding::encode(Kind::Meta.version(), plan) else {
        // The database reports the reason.
        return Ok(());
    };
    let database = dir.join(DATABASE);
    let write = || -> io::Result<()> {
        let unfinished = database.join(UNFINISHED);
        let mut bytes = blake3::hash(&encoded).as_bytes().to_vec();
        bytes.extend(encoded);
        // Do not overwrite a file that a copy of the directory shares.
        let _ = std::fs::remove_file(&unfinished);
        std::fs::write(&unfinished, bytes)?;
        std::fs::File::open(&unfinished)?.sync_all()?;
        std::fs::rename(&unfinished, database.join(NAME))
    };
    write().map_err(|source| StoreError::directory(database.join(NAME), source))
}

/// Returns the plan of the census in a directory, from its copy; `None` if no copy can be read.
pub(super) fn read(dir: &Path) -> Option<Plan> {
    let path = dir.join(DATABASE).join(NAME);
    let bytes = input_file::read(&path, MAX_PLAN_BYTES).ok()?;
    let (checksum, encoded) = bytes.split_at_checked(CHECKSUM)?;
    if blake3::hash(encoded).as_bytes() != checksum {
        return None;
    }
    encoding::decode(Kind::Meta.version(), encoded).ok()
}

#[cfg(test)]
mod tests {
    use misere_census::{Budget, Space};

    use super::*;

    #[test]
    fn a_copy_is_read_as_it_was_written_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(DATABASE)).unwrap();
        let plan = Plan::new(Space::Octal { digits: 3 }, Budget::default()).unwrap();
        assert_eq!(read(dir.path()), None);
        keep(dir.path(), &plan).unwrap();
        assert_eq!(read(dir.path()), Some(plan));
        let path = dir.path().join(DATABASE).join(NAME);
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            std::fs::write(&path, &other).unwrap();
            assert_eq!(read(dir.path()), None);
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert_eq!(read(dir.path()), None);
        }
    }
}
