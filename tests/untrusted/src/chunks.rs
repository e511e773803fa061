//! Chunk files: parts of a census that travel as files.

use misere_census::chunk::{Form, Header, Reader, TaskResult, add, begin};

/// Returns the content of a file: its header, form and results, as far as the file can be read.
fn read(bytes: &[u8]) -> Option<(Header, Form, Vec<TaskResult>, u64)> {
    let mut reader = Reader::open(bytes).ok()??;
    let mut all = Vec::new();
    while let Ok(Some(found)) = reader.next_found() {
        all.push(found);
    }
    assert!(reader.whole() <= bytes.len() as u64);
    Some((reader.header().clone(), reader.form(), all, reader.whole()))
}

/// Reads a chunk file.
///
/// What can be read of it is written as a file with the same content, and the file up to the end of
/// its last sound frame has the same content as the whole.
pub fn chunk_file(bytes: &[u8]) {
    let Some((header, form, all, whole)) = read(bytes) else {
        return;
    };
    let mut written = Vec::new();
    begin(&mut written, form, &header).unwrap();
    for found in &all {
        add(&mut written, form, found).unwrap();
    }
    let length = written.len() as u64;
    assert_eq!(
        read(&written).as_ref(),
        Some(&(header.clone(), form, all.clone(), length))
    );
    assert_eq!(
        read(&bytes[..whole as usize]),
        Some((header, form, all, whole))
    );
}
