//! The page of the terms that the pages use, with their meanings.

use askama::Template;
use axum::extract::State;

use super::shell::Shell;
use super::template::Page;
use crate::view::error::RequestError;
use crate::view::site::Site;

/// A word and its meaning.
pub(super) struct Term {
    /// The address of the word on the page.
    pub(super) anchor: &'static str,
    /// The word.
    pub(super) word: &'static str,
    /// The meaning, in which code is between backquotes.
    pub(super) means: &'static str,
}

/// All words that are explained, each after the words that its explanation uses.
pub(super) static TERMS: [Term; 37] = [
    Term {
        anchor: "code",
        word: "code of a game",
        means: "A take-and-break code `d_0.d_1d_2d_3…` tells what may be done when `k` beans are \
                taken from a heap: the bits of the digit `d_k` are 1 if nothing may be left, 2 if \
                one heap may be left, 4 if two heaps may be left, 8 if three. So 0.77 is Kayles: \
                take one or two beans, and leave the rest as at most two heaps.",
    },
    Term {
        anchor: "misere",
        word: "misère play",
        means: "Whoever makes the last move loses. In normal play that player wins.",
    },
    Term {
        anchor: "p-position",
        word: "P-position, N-position",
        means: "In a P-position the player who moved last (the previous one) can win; in an \
                N-position the player to move (the next one) can.",
    },
    Term {
        anchor: "normal-play",
        word: "normal play",
        means: "Whoever makes the last move wins. The nim-values of the heaps decide everything; \
                normal play is known if these are proved to repeat.",
    },
    Term {
        anchor: "quotient",
        word: "misère quotient",
        means: "Two positions of a game are alike if adding any third position gives the same \
                outcome to both. The classes of alike positions form a commutative monoid Q; \
                together with the set P of those that are P-positions it is the misère quotient \
                (Q, P) of the game (Plambeck 2005).",
    },
    Term {
        anchor: "p-portion",
        word: "P-portion, |P|",
        means: "The set P of the elements of a misère quotient whose positions are P-positions, \
                and how many there are.",
    },
    Term {
        anchor: "order",
        word: "order",
        means: "How many elements a misère quotient has. If the game is not solved: how many its \
                last partial quotient has.",
    },
    Term {
        anchor: "heaps",
        word: "heaps known",
        means: "The greatest n for which the quotient of the heaps 0 to n is known.",
    },
    Term {
        anchor: "partial-quotient",
        word: "partial quotient",
        means: "The misère quotient of the positions whose heaps have at most n beans.",
    },
    Term {
        anchor: "pretending-function",
        word: "pretending function Φ",
        means: "The map that takes each heap to its value, an element of the quotient. To know who \
                wins a position, multiply the values of its heaps and see whether the product is \
                in P.",
    },
    Term {
        anchor: "period",
        word: "period, preperiod",
        means: "Φ has period p from heap n on if Φ(m + p) = Φ(m) for all m ≥ n; the least such n \
                is the preperiod. Both are proved by finitely many values.",
    },
    Term {
        anchor: "solved",
        word: "solved",
        means: "The misère quotient of the whole game is finite and known, and Φ is periodic: the \
                outcome of every position can be told.",
    },
    Term {
        anchor: "tame",
        word: "tame",
        means: "The misère quotient is that of some Nim heaps, one of T_0, T_1, T_2, …: misère \
                play is like that of Nim.",
    },
    Term {
        anchor: "wild",
        word: "wild",
        means: "Not tame: some partial quotient is none of T_0, T_1, T_2, ….",
    },
    Term {
        anchor: "tame-relative",
        word: "tame relative to a heap",
        means: "From that heap on misère play is no harder than normal play: the values of all \
                greater heaps follow from their nim-values (Siegel, Theorem 3.9).",
    },
    Term {
        anchor: "faithful",
        word: "faithful",
        means: "A misère quotient is faithful if positions of equal value have equal nim-values, \
                so that Φ decides normal play as well.",
    },
    Term {
        anchor: "diverges",
        word: "diverges",
        means: "The next partial quotient was not finite as far as seen: among many copies of a \
                heap no two are alike. That is an observation, and no proof.",
    },
    Term {
        anchor: "infinite",
        word: "infinite",
        means: "The quotient is proved to be infinite: no two multiples of some heap are alike.",
    },
    Term {
        anchor: "grows",
        word: "grows",
        means: "The partial quotients get larger in a regular pattern, as far as seen.",
    },
    Term {
        anchor: "law",
        word: "threshold law, law",
        means: "A unit, a weight and a threshold for each heap, and sets of units, that decide \
                every position of a game whose partial quotients grow. A game with a proved law \
                is solved.",
    },
    Term {
        anchor: "automaton",
        word: "automaton",
        means: "Finitely many states, through which the heaps of a position lead in the order of \
                their sizes; the last one says the outcome. A game with a proved automaton is \
                solved.",
    },
    Term {
        anchor: "words",
        word: "words of all heaps",
        means: "Some heaps are letters, and every heap counts as a sum of letters, its word. With \
                words of all heaps a game with an infinite quotient is solved: each position has \
                the outcome of its sum of letters.",
    },
    Term {
        anchor: "exhausted",
        word: "exhausted",
        means: "The computation came to a limit of the plan before it came to an end: the fuel, \
                the greatest heap or the greatest order.",
    },
    Term {
        anchor: "class",
        word: "class, key, label, canonical form",
        means: "Isomorphic quotients, with isomorphic P-portions, are one class. Its key is the \
                hash of its canonical form: tables that do not depend on how elements are \
                numbered or which generators are taken. A label, such as 40.9.2, is a short name: \
                order, |P|, and a number, which never changes. The first digits of a key name a \
                class, too.",
    },
    Term {
        anchor: "names",
        word: "T_n, R_m, S_12",
        means: "Names of the literature: T_n are the tame quotients, of order 2^n + 2 for n ≥ 2, \
                and T_0 and T_1 of orders 1 and 2; R_m of order \
                m = 2^n + 4 the restive ones with two elements in P (Siegel); S_12, S'_12 and \
                R_14 stand in Figure 10 of Plambeck and Siegel.",
    },
    Term {
        anchor: "presentation",
        word: "presentation",
        means: "Generators and relations that define the monoid. The relations shown are the \
                reduced confluent system of the generators in their order; so two people who take \
                the same generators write the same.",
    },
    Term {
        anchor: "idempotent",
        word: "idempotent",
        means: "An element e with ee = e. The elements x with xe = x that divide e form a group \
                with identity e, its maximal subgroup.",
    },
    Term {
        anchor: "kernel",
        word: "kernel",
        means: "The kernel is the least ideal of a quotient, a group. The quotient is regular if \
                exactly one element of the kernel is in P, and normal if this is the identity of \
                the kernel (Siegel, Definition 3.1).",
    },
    Term {
        anchor: "rees-factor",
        word: "Rees factor",
        means: "Elements that divide each other form a class of mutual divisibility. Its Rees \
                factor is the class with a zero, to which a product goes if it leaves the class. \
                The nilradical consists of the elements of which some power lies in the kernel.",
    },
    Term {
        anchor: "tame-extension",
        word: "tame extension",
        means: "The tame extension T(Q, P) is the quotient (Q, P) with a second copy of its \
                kernel (Siegel, Definition 3.5).",
    },
    Term {
        anchor: "genus",
        word: "genus",
        means: "The genus of a game is its nim-value, with the misère nim-values of the game and \
                none, one, two, … Nim heaps of two as a superscript. A game whose options are \
                tame, and which is not tame, is restive or restless, and any other game that is \
                not tame is wild here.",
    },
    Term {
        anchor: "fuel",
        word: "fuel",
        means: "The budget of a computation, in steps rather than in seconds: the same game spends \
                the same on every machine.",
    },
    Term {
        anchor: "proved",
        word: "proved",
        means: "A certificate proves it. It was checked before it was stored, by a checker that \
                knows the rules of the game and nothing of how the result was found; \
                `misere verify` checks it again.",
    },
    Term {
        anchor: "cited",
        word: "cited",
        means: "The literature says so; nothing here proves it.",
    },
    Term {
        anchor: "observed",
        word: "observed",
        means: "It was seen, and nothing proves it.",
    },
    Term {
        anchor: "conjecture",
        word: "conjecture",
        means: "A pattern that holds on everything that was computed; that it goes on is not \
                proved.",
    },
    Term {
        anchor: "open",
        word: "open",
        means: "Not known here.",
    },
];

#[derive(Template)]
#[template(path = "glossary.html")]
struct Glossary {
    shell: Shell,
    terms: Vec<(&'static str, String, String)>,
}

/// Serves the page of words.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    site.block(|site| {
        let store = site.census().store()?;
        let set = |text: &str| super::math::with_code(text);
        let terms = TERMS.iter();
        let terms = terms.map(|term| (term.anchor, set(term.word), set(term.means)));
        Page::set(&Glossary {
            shell: Shell::of(site, &store, "/glossary", "Glossary"),
            terms: terms.collect(),
        })
    })
    .await
}
