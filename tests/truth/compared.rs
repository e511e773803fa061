//! The number of facts that each surface states, and the false ones among them.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display, Formatter};

use misere_game::ruleset::Code;

/// The number of false facts of one surface that are printed; the others are counted.
const SHOWN: usize = 40;

/// The comparisons of one surface.
#[derive(Debug)]
pub(crate) struct Surface {
    name: &'static str,
    /// The least number of facts to compare for each code.
    least_per_code: usize,
    codes: BTreeSet<String>,
    facts: usize,
    false_facts: Vec<String>,
}

impl Surface {
    /// Returns a surface that has to state this many facts of each code that is queried.
    pub(crate) fn new(name: &'static str, least_per_code: usize) -> Self {
        Self {
            name,
            least_per_code,
            codes: BTreeSet::new(),
            facts: 0,
            false_facts: Vec::new(),
        }
    }

    /// Returns a surface that could not be queried; standard error says why.
    pub(crate) fn fallen(name: &'static str) -> Self {
        Self {
            false_facts: vec!["it could not be asked, see above".to_owned()],
            ..Self::new(name, 0)
        }
    }

    /// Notes that the surface is queried for a code; if it then says nothing, that shows.
    pub(crate) fn asked(&mut self, code: &Code) {
        self.codes.insert(code.to_string());
    }

    /// Compares a fact that the surface states with the true one.
    pub(crate) fn same<T: PartialEq + Debug>(
        &mut self,
        code: &Code,
        fact: &str,
        said: T,
        truth: T,
    ) {
        let is_true = said == truth;
        self.holds(code, fact, is_true, || {
            format!("said {}, true {}", short(&said), short(&truth))
        });
    }

    /// Notes a fact that the surface states, and whether it is true.
    pub(crate) fn holds<D: Display>(
        &mut self,
        code: &Code,
        fact: &str,
        is_true: bool,
        why: impl FnOnce() -> D,
    ) {
        self.codes.insert(code.to_string());
        self.facts += 1;
        if !is_true {
            self.false_facts.push(format!("{code}: {fact}: {}", why()));
        }
    }
}

impl Display for Surface {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (codes, false_facts) = (self.codes.len(), self.false_facts.len());
        let (name, facts) = (self.name, self.facts);
        write!(f, "{name:<34} {codes:>6} {facts:>8} {false_facts:>7}")
    }
}

fn short(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The surfaces that must have something to say of a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// All surfaces; one that compares nothing has lost its output.
    All,
    /// Some surfaces: the census lacks games of some kinds, and surfaces that list only those say
    /// nothing.
    Some,
}

/// Prints the numbers of facts compared and the false ones.
///
/// Fails if any fact is false, or a surface stated too few.
pub(crate) fn conclude(surfaces: impl Iterator<Item = Surface>, expected: Expected) {
    let mut report = format!(
        "{:<34} {:>6} {:>8} {:>7}\n",
        "surface", "codes", "facts", "false"
    );
    let mut wrong = String::new();
    for surface in surfaces {
        let (codes, false_facts) = (surface.codes.len(), surface.false_facts.len());
        report.push_str(&format!("{surface}\n"));
        for what in surface.false_facts.iter().take(SHOWN) {
            wrong.push_str(&format!("{}: {what}\n", surface.name));
        }
        if false_facts > SHOWN {
            let more = false_facts - SHOWN;
            wrong.push_str(&format!("{}: and {more} more\n", surface.name));
        }
        let least = usize::from(expected == Expected::All || codes > 0);
        let floor = (codes * surface.least_per_code).max(least);
        if surface.facts < floor {
            wrong.push_str(&format!(
                "{}: says {} facts of {codes} codes, fewer than {floor}\n",
                surface.name, surface.facts
            ));
        }
    }
    println!("{report}");
    assert!(wrong.is_empty(), "false, or not said:\n{wrong}\n{report}");
}
