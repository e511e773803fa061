//! The certificates that are refused, and the list of them.
//!
//! A list has a name or a fingerprint on each line. A line that cannot be parsed refuses no
//! certificate, which would go unnoticed. So a coordinator does not start with such a line, and
//! reports one that appears later. Then the other lines are in force, and with them the list that
//! was in force before, since the line may have been valid until it was changed.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use misere_census::input_file;
use rustls_pki_types::CertificateDer;

use super::caller::{Caller, Fingerprint, Name};
use crate::connections::ConnectionLimiter;

/// The target of the log for refused connections; the log shows it regardless of its filter.
pub const REFUSED: &str = "misere_coordinator::refused";

/// The number of hexadecimal digits of a fingerprint as the log shows it.
const SHORT: usize = 16;

/// The number of hexadecimal digits of a whole fingerprint, of BLAKE3 or SHA-256.
const WHOLE: usize = 64;

/// The numbers of hexadecimal digits of MD5 and SHA-1, which other programs print too.
const OTHER_HASHES: [usize; 2] = [32, 40];

/// The greatest number of lines of one list that are reported one by one.
const COMPLAINTS: usize = 20;

/// The reason why a list of revoked certificates, or a line of it, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RevocationListError {
    /// The error of reading the list.
    #[error("cannot read `{}`: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// A line that cannot be parsed.
    #[error(
        "`{}`, line {line}: {text:?} is neither a certificate's name nor its fingerprint ({SHORT} \
         or {WHOLE} hexadecimal digits, or SHA-256 as `openssl x509 -noout -fingerprint -sha256` \
         prints it)",
        file.display()
    )]
    Line {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// The further lines that cannot be parsed.
    #[error("`{}`: {lines} more lines cannot be understood", file.display())]
    MoreLines {
        /// The file.
        file: PathBuf,
        /// The number of the lines that are not listed one by one.
        lines: usize,
    },
}

/// The certificates that are refused, by name or fingerprint; all copies share one list.
#[derive(Clone, Debug, Default)]
pub struct RevocationList(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Names and fingerprints in lower case.
    list: RwLock<BTreeSet<String>>,
    /// The gates whose connections are closed when their certificates are refused.
    gates: Mutex<Vec<ConnectionLimiter>>,
}

impl RevocationList {
    /// Reports whether a caller is refused.
    pub(super) fn refuses(&self, caller: &Caller) -> bool {
        self.holds(Some(&caller.name), &caller.fingerprint)
    }

    /// Reports whether a certificate is refused.
    pub(super) fn refuses_certificate(&self, certificate: &CertificateDer<'_>) -> bool {
        let name = Caller::of(certificate).map(|caller| caller.name);
        self.holds(name.as_ref(), &Fingerprint::of(certificate))
    }

    fn holds(&self, name: Option<&Name>, fingerprint: &Fingerprint) -> bool {
        let list = self.0.list.read().unwrap_or_else(PoisonError::into_inner);
        if list.is_empty() {
            return false;
        }
        let named = name.is_some_and(|name| list.contains(&name.to_string().to_ascii_lowercase()));
        let whole = fingerprint.whole();
        named
            || list.contains(&whole)
            || list.contains(&whole[..SHORT])
            || list.contains(&fingerprint.sha256())
    }

    /// Returns the number of names and fingerprints that are refused.
    pub(super) fn len(&self) -> usize {
        let list = self.0.list.read().unwrap_or_else(PoisonError::into_inner);
        list.len()
    }

    /// Closes connections of a gate when their certificates are refused.
    pub(crate) fn register_limiter(&self, gate: ConnectionLimiter) {
        let mut gates = self.0.gates.lock().unwrap_or_else(PoisonError::into_inner);
        gates.push(gate);
    }

    /// Loads the list in a file.
    ///
    /// # Errors
    /// [`RevocationListError`] if it cannot be read, or a line cannot be parsed.
    pub(super) fn begin_with(&self, file: &Path) -> Result<(), RevocationListError> {
        let (list, faults) = read(file)?;
        match faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => {
                self.set(list);
                Ok(())
            }
        }
    }

    /// Loads the list in a file again, and closes the connections of callers that are now refused.
    ///
    /// Returns the failures, which are also logged.
    pub(super) fn read_again(&self, file: &Path) -> Vec<RevocationListError> {
        let (mut list, faults) = match read(file) {
            Ok(read) => read,
            Err(error) => {
                tracing::error!(target: REFUSED, %error, "the list of revoked certificates stays as it was");
                return vec![error];
            }
        };
        if !faults.is_empty() {
            for error in &faults {
                tracing::error!(target: REFUSED, %error, "a line of the list of revoked certificates refuses no certificate");
            }
            tracing::error!(
                target: REFUSED,
                "the other lines are in force, and what was revoked before stays revoked, until the \
                 list is mended"
            );
            let before = self.0.list.read().unwrap_or_else(PoisonError::into_inner);
            list.extend(before.iter().cloned());
        }
        self.set(list);
        faults
    }

    fn set(&self, list: BTreeSet<String>) {
        *self.0.list.write().unwrap_or_else(PoisonError::into_inner) = list;
        let gates = self.0.gates.lock().unwrap_or_else(PoisonError::into_inner);
        for gate in gates.iter() {
            gate.close_refused(|caller| self.refuses(caller));
        }
    }
}

/// Reads a list of names and fingerprints, one a line; `#` begins a comment.
///
/// Returns the list, and the lines that cannot be parsed.
fn read(file: &Path) -> Result<(BTreeSet<String>, Vec<RevocationListError>), RevocationListError> {
    let bytes = input_file::read(file, input_file::MIDDLE).map_err(|cause| {
        RevocationListError::Unreadable {
            file: file.to_owned(),
            cause,
        }
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (mut list, mut faults, mut more) = (BTreeSet::new(), Vec::new(), 0);
    for (at, line) in text.lines().enumerate() {
        let entry = line.split('#').next().unwrap_or_default().trim();
        if entry.is_empty() {
            continue;
        }
        match understood(entry) {
            Some(refused) => {
                list.insert(refused);
            }
            None if faults.len() < COMPLAINTS => faults.push(RevocationListError::Line {
                file: file.to_owned(),
                line: at + 1,
                text: entry.chars().take(100).collect(),
            }),
            None => more += 1,
        }
    }
    if more > 0 {
        faults.push(RevocationListError::MoreLines {
            file: file.to_owned(),
            lines: more,
        });
    }
    Ok((list, faults))
}

/// Returns the name or fingerprint on a line, in lower case.
///
/// A name may look like a fingerprint: then both are refused.
fn understood(entry: &str) -> Option<String> {
    let entry = entry.to_ascii_lowercase();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (labelled, value) = match entry.split_once('=') {
        Some((label, value)) => match label.trim() {
            "sha256 fingerprint" => (true, value.trim()),
            _ => return None,
        },
        None => (false, entry.as_str()),
    };
    if labelled || value.contains(':') {
        let pairs = value.split(':').all(|pair| pair.len() == 2 && digits(pair));
        let value = value.replace(':', "");
        return (pairs && value.len() == WHOLE).then_some(value);
    }
    // An unknown hash would be taken for a name, and refuse no certificate.
    if digits(value) && OTHER_HASHES.contains(&value.len()) {
        return None;
    }
    value.parse::<Name>().ok().map(|_| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        text.parse().unwrap()
    }

    #[test]
    fn lists_hold_names_and_fingerprints() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("revoked");
        let fingerprint = Fingerprint::of(b"certificate");
        let shown = fingerprint.to_string();
        std::fs::write(
            &file,
            format!(
                "\u{feff}# stolen\nHost-A\n\n{} # by theft\n",
                shown.to_uppercase()
            ),
        )
        .unwrap();
        let revoked = RevocationList::default();
        revoked.begin_with(&file).unwrap();
        let other = Fingerprint::of(b"other");
        assert!(revoked.holds(Some(&name("host-a")), &other));
        assert!(revoked.holds(Some(&name("HOST-a")), &other));
        assert!(revoked.holds(Some(&name("host-b")), &fingerprint));
        assert!(!revoked.holds(Some(&name("host-b")), &other));
        assert!(revoked.holds(None, &fingerprint));
    }

    #[test]
    fn fingerprints_are_read_as_openssl_prints_them() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("revoked");
        // The SHA-256 hash of "certificate".
        let hash = Fingerprint::of(b"certificate").sha256();
        let pairs: Vec<_> = (0..32).map(|at| &hash[2 * at..2 * at + 2]).collect();
        let pairs = pairs.join(":").to_uppercase();
        for line in [
            hash,
            pairs.clone(),
            format!("sha256 Fingerprint={pairs}"),
            format!("SHA256 Fingerprint={pairs}"),
        ] {
            std::fs::write(&file, &line).unwrap();
            let revoked = RevocationList::default();
            revoked.begin_with(&file).unwrap();
            assert!(
                revoked.holds(None, &Fingerprint::of(b"certificate")),
                "{line}"
            );
            assert!(!revoked.holds(None, &Fingerprint::of(b"other")), "{line}");
        }
        let sha1 = &pairs[..59];
        for line in [
            sha1.to_owned(),
            sha1.replace(':', ""),
            format!("SHA1 Fingerprint={sha1}"),
        ] {
            std::fs::write(&file, &line).unwrap();
            let refused = RevocationList::default().begin_with(&file).unwrap_err();
            assert!(refused.to_string().contains("-sha256"), "{refused}");
        }
    }

    #[test]
    fn one_bad_line_takes_no_other_out_of_force() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("revoked");
        std::fs::write(&file, "host-a\n").unwrap();
        let revoked = RevocationList::default();
        revoked.begin_with(&file).unwrap();
        let other = Fingerprint::of(b"other");
        let is_refused = |text| revoked.holds(Some(&name(text)), &other);
        std::fs::write(&file, b"host-b\nno \x1b[2Jname \xff\nhost-c\n").unwrap();
        let faults = revoked.read_again(&file);
        let said: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].contains("line 2") && !said[0].contains('\u{1b}'),
            "{said:?}"
        );
        // Revoked certificates stay so until the list can be parsed.
        assert!(["host-a", "host-b", "host-c"].into_iter().all(is_refused));
        std::fs::write(&file, "host-b\n").unwrap();
        assert!(revoked.read_again(&file).is_empty());
        assert!(is_refused("host-b") && !is_refused("host-a"));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(revoked.read_again(&file).len(), 1);
        assert!(is_refused("host-b"));
        std::fs::write(&file, "no name\n".repeat(100)).unwrap();
        assert_eq!(revoked.read_again(&file).len(), COMPLAINTS + 1);
        assert!(RevocationList::default().begin_with(&file).is_err());
    }
}
