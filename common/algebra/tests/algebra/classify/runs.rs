//! Runs: the greatest order, threads, fuel and states change nothing; bad states are refused.

use super::*;

/// The digest of a list depends on its classes alone, and on every one.
#[test]
fn the_digest_is_of_the_classes() {
    let list = constructions(&classified(12));
    let digest = ListDigest::of(&list).to_string();
    let classes = list
        .iter()
        .map(|item| (item.quotient.order(), item.quotient.class_key()));
    let lines: BTreeSet<String> = classes
        .map(|(order, class)| format!("{order:02} {class}"))
        .collect();
    let text: String = lines
        .iter()
        .map(|line| format!("{}\n", line.trim_start_matches('0')))
        .collect();
    assert_eq!(digest, blake3::hash(text.as_bytes()).to_hex().to_string());
    assert_eq!(ListDigest::of(list.iter().rev()).to_string(), digest);
    assert_ne!(ListDigest::of(&list[1..]).to_string(), digest);
}

/// No candidate that is left out as indistinguishable is a quotient: a run to a greater order finds
/// the same quotients of a smaller one.
#[test]
fn the_greatest_order_does_not_matter() {
    let whole = classified(16);
    for most in [2, 4, 6, 8, 10, 12, 14] {
        let part = classified(most);
        for level in part.complete() {
            assert_eq!(
                keys(&part, level.order),
                keys(&whole, level.order),
                "{} of {most}",
                level.order
            );
        }
    }
    assert_eq!(counts(&whole)[&16], 67);
}

#[test]
fn threads_do_not_matter() {
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut classifier = Classifier::new(14);
            let mut control = Control::new(200_000, Interrupt::default());
            while classifier.next_order(&mut control).unwrap().is_some() {}
            (classifier.to_bytes(), control.ticks_spent())
        })
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(3));
}

#[test]
fn fuel_and_interruption_stop_it_between_orders() {
    let spent: Vec<u64> = classified(12)
        .complete()
        .iter()
        .map(|level| level.fuel)
        .collect();
    let mut classifier = Classifier::new(12);
    let mut control = Control::new(spent[0] + spent[1], Interrupt::default());
    assert!(classifier.next_order(&mut control).unwrap().is_some());
    assert!(classifier.next_order(&mut control).unwrap().is_some());
    assert_eq!(
        classifier.next_order(&mut control).unwrap_err(),
        Stop::FuelSpent
    );
    assert_eq!(classifier.complete().len(), 2);
    let interrupt = Interrupt::default();
    interrupt.raise();
    let stopped = classifier.next_order(&mut Control::new(u64::MAX, interrupt));
    assert_eq!(stopped.unwrap_err(), Stop::Interrupted);
    // It goes on as if nothing had happened.
    while classifier
        .next_order(&mut Control::unlimited())
        .unwrap()
        .is_some()
    {}
    assert_eq!(classifier.to_bytes(), classified(12).to_bytes());
}

#[test]
fn a_state_goes_on_to_the_same_end() {
    let whole = classified(14).to_bytes();
    for orders in 0..=7 {
        let mut classifier = Classifier::new(14);
        for _ in 0..orders {
            classifier.next_order(&mut Control::unlimited()).unwrap();
        }
        let mut read = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
        while read
            .next_order(&mut Control::unlimited())
            .unwrap()
            .is_some()
        {}
        assert_eq!(read.to_bytes(), whole);
    }
}

fn with_hash(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 32;
    let hash = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(hash.as_bytes());
    bytes
}

#[test]
fn bad_states_are_refused() {
    let mut classifier = Classifier::new(12);
    for _ in 0..4 {
        classifier.next_order(&mut Control::unlimited()).unwrap();
    }
    let bytes = classifier.to_bytes();
    assert_eq!(
        Classifier::from_bytes(b"").unwrap_err(),
        StateError::Foreign
    );
    assert_eq!(
        Classifier::from_bytes(&bytes[..40]).unwrap_err(),
        StateError::Damaged
    );
    let mut changed = bytes.clone();
    changed[60] ^= 1;
    assert_eq!(
        Classifier::from_bytes(&changed).unwrap_err(),
        StateError::Damaged
    );
    // With a correct hash the content must still be possible: there is no panic, and a state that
    // is read is written as the same bytes.
    for at in (24..200).chain((200..bytes.len() - 32).step_by(31)) {
        let mut changed = bytes.clone();
        changed[at] ^= [1, 2, 0x80, 0xff][at % 4];
        let changed = with_hash(changed);
        if let Ok(read) = Classifier::from_bytes(&changed) {
            assert_eq!(read.to_bytes().len(), changed.len());
        }
    }
}
