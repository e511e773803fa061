//! How many facts did each surface say, and which of them are false?

use std::collections::BTreeSet;
use std::fmt::{Debug, Display, Formatter};

use misere_theory::ruleset::Code;

/// False facts of one surface that are printed; the others are counted.
const SHOWN: usize = 40;

/// What was compared on one surface.
#[derive(Debug)]
pub(crate) struct Surface {
    name: &'static str,
    /// So many facts at least have to be compared for each code asked.
    least_per_code: usize,
    codes: BTreeSet<String>,
    facts: usize,
    false_facts: Vec<String>,
}

impl Surface {
    /// A surface that has to say so many facts of each code that is asked for.
    pub(crate) fn new(name: &'static str, least_per_code: usize) -> Self {
        Self {
            name,
            least_per_code,
            codes: BTreeSet::new(),
            facts: 0,
            false_facts: Vec::new(),
        }
    }

    /// A surface that could not be asked; standard error says why.
    pub(crate) fn fallen(name: &'static str) -> Self {
        Self {
            false_facts: vec!["it could not be asked, see above".to_owned()],
            ..Self::new(name, 0)
        }
    }

    /// The surface is asked for a code; if it then says nothing, that shows.
    pub(crate) fn asked(&mut self, code: &Code) {
        self.codes.insert(code.to_string());
    }

    /// A fact that the surface says, beside the true one.
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

    /// A fact that the surface says, and whether it is true.
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

/// Whether every surface has something to say of a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Of each surface; one that compares nothing has lost what it says.
    All,
    /// Games of some kinds are missing in the census, and surfaces that list only those say
    /// nothing.
    Some,
}

/// Prints what was compared and what is false; fails if anything is false, or a surface said too
/// little.
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
