//! Examples of texts that the search box understands.
//!
//! Pages print them in the empty search box, on the page of the search, and where a text was not
//! understood. The tests search for each of them.

/// An example of a text that can be searched for.
pub(crate) struct Example {
    /// The kind of the text.
    pub(crate) what: &'static str,
    /// The page that the text leads to.
    pub(crate) leads: &'static str,
    /// The texts.
    pub(crate) written: &'static [&'static str],
}

/// The examples, in the words of the search page; the tests search for each.
pub(crate) const EXAMPLES: [Example; 8] = [
    Example {
        what: "a code",
        leads: "to its game",
        written: &["0.77", "4.4"],
    },
    Example {
        what: "the name of a game",
        leads: "to that game",
        written: &["kayles", "Dawson's Kayles"],
    },
    Example {
        what: "a pattern",
        leads: "to games whose codes look so: ? is one digit, [1-3] one of these, * any number of \
                digits",
        written: &["0.4?", "0.[0-3][0-3]"],
    },
    Example {
        what: "conditions",
        leads: "to the games that satisfy them",
        written: &["wild", "order 20", "solved period 2", "R_8 solved"],
    },
    Example {
        what: "a quotient",
        leads: "to its class: by its name, its label, or the first digits of its key",
        written: &["T_2", "R_8", "S'_12", "40.9.2"],
    },
    Example {
        what: "a position of a game",
        leads: "to the board, with who wins; to the calculator if it is large",
        written: &["0.77:3+5+7"],
    },
    Example {
        what: "a presentation with its P-portion",
        leads: "to the class of that quotient; LaTeX is read as well",
        written: &[
            "⟨a,b | a^2=1, b^3=b⟩ P={a,b^2}",
            r"\langle a \mid a^2=1 \rangle P=\{a\}",
        ],
    },
    Example {
        what: "the beginning of a sequence",
        leads: "to the games whose nim-values, orders of partial quotients, outcomes or genera \
                begin so; ? is any entry",
        written: &["0,1,2,3,1,4,3", "1 2 2 6 6 6 6 6 12 20", "PNNPNN"],
    },
];

/// Returns the text in the empty search box: examples, with [`BETWEEN`] between them.
pub(crate) fn placeholder() -> String {
    let firsts = EXAMPLES
        .iter()
        .filter_map(|example| example.written.first());
    firsts.copied().collect::<Vec<_>>().join(BETWEEN)
}

/// The separator between the examples of [`placeholder`].
pub(crate) const BETWEEN: &str = " · ";

/// Returns the advice on possible searches, in one sentence.
pub(crate) fn advice() -> String {
    let one = |example: &Example| format!("{} (`{}`)", example.what, example.written[0]);
    let all: Vec<String> = EXAMPLES.iter().map(one).collect();
    format!("Search for {}.", all.join(", "))
}
