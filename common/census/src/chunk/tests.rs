//! Tests: what is left of a file is read, wherever it is cut or changed.

use super::*;
use crate::{Budget, Space};
use proptest::prelude::*;

fn header() -> Header {
    Header {
        plan: Plan::new(Space::Octal { digits: 2 }, Budget::default()).unwrap(),
        engine: crate::engine_fingerprint(),
        residue: 1,
        modulus: 3,
    }
}

fn found(n: u8) -> TaskResult {
    TaskResult {
        task: TaskId([n; 32]),
        certificate: vec![n; usize::from(n)],
        stated: None,
    }
}

fn file() -> Vec<u8> {
    let mut bytes = Vec::new();
    begin(&mut bytes, Form::Checked, &header()).unwrap();
    (0..5).for_each(|n| add(&mut bytes, Form::Checked, &found(n)).unwrap());
    bytes
}

/// Returns a chunk file as an older release wrote it.
fn old_file() -> Vec<u8> {
    let mut bytes = Vec::new();
    let form = Form::WithoutChecksums;
    begin(&mut bytes, form, &header()).unwrap();
    (0..5).for_each(|n| add(&mut bytes, form, &found(n)).unwrap());
    bytes
}

fn read(bytes: &[u8]) -> Result<(u64, Vec<TaskResult>), ChunkError> {
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
    let all: Vec<TaskResult> = (0..5).map(found).collect();
    cut_anywhere(&file(), &all);
    cut_anywhere(&old_file(), &all);
    let stated = |found: TaskResult| TaskResult {
        stated: (found.task.0[0] != 2).then(|| vec![found.task.0[0]; 7]),
        ..found
    };
    let all: Vec<TaskResult> = all.into_iter().map(stated).collect();
    cut_anywhere(&sealed_file(), &all);
}

fn cut_anywhere(bytes: &[u8], all: &[TaskResult]) {
    for cut in 0..=bytes.len() {
        let (whole, some) = read(&bytes[..cut]).unwrap();
        assert!(whole <= cut as u64);
        assert_eq!(some, all[..some.len()]);
        // The sound part can be continued.
        assert_eq!(read(&bytes[..whole as usize]).unwrap(), (whole, some));
    }
    assert_eq!(read(bytes).unwrap(), (bytes.len() as u64, all.to_vec()));
    assert_eq!(Reader::open(bytes).unwrap().unwrap().header(), &header());
}

/// L6: a flipped bit anywhere loses the frame it damages, which is reported, and nothing else.
/// Returns a sealed file; the third certificate has no statement.
fn sealed_file() -> Vec<u8> {
    let mut bytes = Vec::new();
    begin(&mut bytes, Form::Sealed, &header()).unwrap();
    for n in 0..5 {
        let stated = (n != 2).then(|| vec![n; 7]);
        let found = TaskResult { stated, ..found(n) };
        add(&mut bytes, Form::Sealed, &found).unwrap();
    }
    bytes
}

fn seal() -> Seal {
    Seal {
        chain: vec![vec![1, 2], vec![3]],
        scheme: 0x0403,
        signature: vec![9; 70],
    }
}

#[test]
fn a_sealed_file_has_what_is_stated_and_the_seal_over_it() {
    let mut bytes = sealed_file();
    let signed = bytes.len() as u64;
    close(&mut bytes, &seal()).unwrap();
    let mut reader = Reader::open(&bytes[..]).unwrap().unwrap();
    assert_eq!((reader.header(), reader.form()), (&header(), Form::Sealed));
    let mut stated = Vec::new();
    while let Some(found) = reader.next_found().unwrap() {
        assert_eq!(
            found.certificate,
            vec![found.task.0[0]; found.task.0[0].into()]
        );
        stated.push(found.stated.is_some());
    }
    assert_eq!(stated, [true, true, false, true, true]);
    assert_eq!(reader.seal(), Some((&seal(), signed)));
    assert_eq!(reader.whole(), bytes.len() as u64);
    // Without its end it has no seal, and what is added behind the seal is not stated.
    let mut cut = Reader::open(&bytes[..bytes.len() - 1]).unwrap().unwrap();
    while cut.next_found().unwrap().is_some() {}
    assert_eq!(cut.seal(), None);
    let late = TaskResult {
        stated: Some(vec![1]),
        ..found(9)
    };
    add(&mut bytes, Form::Sealed, &late).unwrap();
    let (_, all) = read(&bytes).unwrap();
    assert_eq!(all.last(), Some(&found(9)));
}

#[test]
fn a_flipped_bit_is_detected_and_loses_only_its_frame() {
    let bytes = file();
    let begins = Reader::open(&bytes[..]).unwrap().unwrap().whole() as usize;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            let reader = Reader::open(&flipped[..]);
            if at < begins {
                let refused = matches!(
                    reader,
                    Err(ChunkError::NoChunk | ChunkError::Damaged | ChunkError::Malformed(_))
                );
                // The magic of the older form, which has other frames.
                let older = at < MAGIC.len();
                assert!(
                    refused
                        || older && !matches!(read(&flipped), Ok((_, some)) if !some.is_empty()),
                    "{at}"
                );
                continue;
            }
            let mut reader = reader.unwrap().unwrap();
            let mut some = Vec::new();
            while let Some(found) = reader.next_found().unwrap() {
                some.push(found);
            }
            assert_eq!((some.len(), reader.damaged()), (4, 1), "{at}, bit {bit}");
            assert!(some.iter().all(|one| (0..5).any(|n| *one == found(n))));
        }
    }
}

/// Bytes between frames are skipped, even if they look like a frame.
#[test]
fn rubbish_between_frames_is_skipped() {
    let (bytes, mut more) = (file(), file());
    for rubbish in [&b"x"[..], MARK, &[MARK.as_slice(); 9].concat(), &[7; 100]] {
        more.truncate(bytes.len());
        more.extend(rubbish);
        add(&mut more, Form::Checked, &found(9)).unwrap();
        let (whole, all) = read(&more).unwrap();
        assert_eq!((whole, all.last()), (more.len() as u64, Some(&found(9))));
    }
}

#[test]
fn parts_are_disjoint_and_cover_the_plan() {
    let part = |residue, modulus| Header {
        residue,
        modulus,
        ..header()
    };
    let all: Vec<Task> = plan::tasks(&header().plan).collect();
    for modulus in [1, 3, 45, 100] {
        for residue in 0..modulus {
            let tasks = part(residue, modulus).tasks();
            let of = |&(place, _): &(u64, _)| place % modulus == residue;
            let expected = (0..).zip(all.iter().cloned()).filter(of);
            let expected: Vec<Task> = expected.map(|(_, task)| task).collect();
            assert_eq!(tasks.len(), expected.len());
            assert!(tasks.eq(expected));
        }
    }
    for (residue, modulus) in [(1, 0), (0, 0), (3, 3), (u64::MAX, u64::MAX)] {
        assert_eq!(part(residue, modulus).tasks().len(), 0);
    }
    assert_eq!(part(u64::MAX - 1, u64::MAX).tasks().len(), 0);
}

#[test]
fn other_files_are_refused() {
    assert!(matches!(
        read(b"#!/bin/sh\necho no"),
        Err(ChunkError::NoChunk)
    ));
    let mut long = MAGIC_WITHOUT_CHECKSUMS.to_vec();
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
