//! Tests: replies hold what fits, and names are those of certificates.

use super::super::caller::Fingerprint;
use super::*;

#[test]
fn a_reply_is_limited_in_size() {
    assert_eq!(fitting([3, 4, 5].into_iter(), 7), 2);
    assert_eq!(fitting([3, 4, 5].into_iter(), 100), 3);
    assert_eq!(fitting([8].into_iter(), 7), 0);
    assert_eq!(fitting([1, usize::MAX, 1].into_iter(), 7), 1);
}

#[test]
fn names_are_those_of_certificates() {
    let caller = Caller {
        name: "lab-1".parse().unwrap(),
        roles: Vec::new(),
        fingerprint: Fingerprint::of(b"certificate"),
    };
    assert_eq!(shown_name("a\nb", None), "a b");
    assert_eq!(shown_name("lab-1", Some(&caller)), "lab-1");
    assert_eq!(shown_name("lab-2", Some(&caller)), "lab-1/lab-2");
}
