//! Tests that output files appear whole or not at all. `tests/cli/files.rs` tests real processes.

use super::*;
use std::os::unix::fs::symlink;

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[test]
fn files_are_replaced_as_a_whole() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    write(&file, b"first").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    let old = fs::metadata(&file).unwrap().ino();
    write(&file, b"second").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"second");
    assert_eq!(mode(&file), 0o640);
    // A process that has the old file open keeps it.
    assert_ne!(fs::metadata(&file).unwrap().ino(), old);
    assert_eq!(names(directory.path()), ["file"]);
}

#[test]
fn names_as_long_as_names_can_be() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("n".repeat(255));
    write(&file, b"bytes").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"bytes");
    let file = directory.path().join("n".repeat(256));
    assert!(matches!(write(&file, b""), Err(OutputError::File { .. })));
}

#[test]
fn a_check_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    check_writable(&at("new")).unwrap();
    assert!(names(directory.path()).is_empty());
    assert!(matches!(
        check_writable(&at("no/file")),
        Err(OutputError::NoDirectory { .. })
    ));
    assert!(matches!(
        check_writable(directory.path()),
        Err(OutputError::Directory(_))
    ));
    fs::write(at("old"), "").unwrap();
    fs::set_permissions(at("old"), Permissions::from_mode(0o555)).unwrap();
    assert!(matches!(
        check_writable(&at("old")),
        Err(OutputError::ReadOnly(_))
    ));
}

#[test]
fn new_files_come_together_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let (key, certificate) = (directory.path().join("key"), directory.path().join("pem"));
    let both: [(&Path, &[u8], Readers); 2] = [
        (&key, b"secret", Readers::Owner),
        (&certificate, b"public", Readers::Everybody),
    ];
    symlink("nowhere", &certificate).unwrap();
    let refused = write_new(&both);
    assert!(matches!(refused, Err(OutputError::Exists(file)) if file == certificate));
    assert_eq!(names(directory.path()), ["pem"]);
    fs::remove_file(&certificate).unwrap();
    write_new(&both).unwrap();
    assert_eq!(names(directory.path()), ["key", "pem"]);
    assert_eq!(mode(&key), 0o600);
    assert!(matches!(write_new(&both), Err(OutputError::Exists(_))));
    assert_eq!(fs::read(&key).unwrap(), b"secret");
}

/// The name of the second file is taken after the check, here by the same call.
#[test]
fn the_first_of_two_new_files_is_taken_back() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (
        directory.path().join("first"),
        directory.path().join("second"),
    );
    let files: [(&Path, &[u8], Readers); 3] = [
        (&first, b"1", Readers::Everybody),
        (&second, b"2", Readers::Everybody),
        (&second, b"3", Readers::Everybody),
    ];
    assert!(matches!(write_new(&files), Err(OutputError::Exists(_))));
    assert!(names(directory.path()).is_empty());
}

#[test]
fn growing_files_keep_what_they_hold() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    open_growing(&file).unwrap().write_all(b"whole").unwrap();
    open_growing(&file).unwrap().write_all(b"W").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"Whole");
    assert_eq!(read_replaced(&file).unwrap().unwrap(), b"Whole");
    assert_eq!(read_replaced(&directory.path().join("new")).unwrap(), None);
    for place in ["-", "/dev/null"] {
        let place = Path::new(place);
        assert!(matches!(
            open_growing(place),
            Err(OutputError::NotRegular(_))
        ));
        assert!(matches!(
            read_replaced(place),
            Err(OutputError::NotRegular(_))
        ));
    }
}

/// The owner of a file stays its owner, if the process may set it.
#[test]
fn a_replaced_file_keeps_its_owner() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "old").unwrap();
    let is_superuser = fs::metadata(&file).unwrap().uid() == 0;
    if is_superuser {
        std::os::unix::fs::chown(&file, Some(12_345), Some(54_321)).unwrap();
    }
    let old = fs::metadata(&file).unwrap();
    write(&file, b"new").unwrap();
    let new = fs::metadata(&file).unwrap();
    assert_eq!((new.uid(), new.gid()), (old.uid(), old.gid()));
}
