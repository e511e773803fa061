//! Which rulesets go in?

use misere_census::Record;
use misere_theory::bipartite::ClassKey;
use misere_theory::ruleset::Code;
use serde_json::{Value, json};

use crate::completeness::Status;
use crate::store::{Store, StoreError};

/// The rulesets for which all that is asked for is true; without anything asked for, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// A pattern of which one of the codes is a case: `*` stands for any characters, `?` for one.
    pub code: Option<String>,
    /// One of these statuses, in the contract's words.
    pub statuses: Vec<String>,
    /// The class of the quotient.
    pub class: Option<ClassKey>,
}

impl Selection {
    /// Whether a record is selected. The aliases of a code count as it does.
    ///
    /// # Errors
    /// [`StoreError`] if its certificate cannot be read, which is only asked for if statuses are.
    pub fn admits(&self, store: &Store, record: &Record) -> Result<bool, StoreError> {
        let code = self.code.as_ref().is_none_or(|pattern| {
            let mut codes = [&record.code].into_iter().chain(&record.aliases);
            codes.any(|code| is_case(pattern, &code.to_string()))
        });
        if !code || self.class.is_some_and(|class| class != record.class) {
            return Ok(false);
        }
        if self.statuses.is_empty() {
            return Ok(true);
        }
        let status = Status::of(store, record)?.name();
        Ok(self.statuses.iter().any(|wanted| wanted == status))
    }

    /// The one code asked for, if a code and nothing else is.
    #[must_use]
    pub fn one_code(&self) -> Option<Code> {
        let pattern = self.code.as_ref()?;
        let alone = self.statuses.is_empty() && self.class.is_none();
        alone.then(|| pattern.parse().ok()).flatten()
    }

    /// The selection as JSON, as manifests have it.
    #[must_use]
    pub fn document(&self) -> Value {
        json!({ "code": self.code, "status": self.statuses, "class": self.class })
    }
}

/// Whether a text is a case of a pattern.
///
/// ```
/// use misere_coordinator::export::selection::is_case;
/// assert!(is_case("0.3*", "0.37") && is_case("0.?7", "0.37") && is_case("*", ""));
/// assert!(!is_case("0.3", "0.37") && !is_case("0.?", "0.37"));
/// ```
///
/// Cost: at most the product of the lengths.
#[must_use]
pub fn is_case(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    // The last star seen, and how much of the text it stands for so far.
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}
