//! The classes of games that the genus theory tells apart.
//!
//! The terms are Conway's (*On Numbers and Games*, chapter 12). A game in simplest form is in
//! exactly one of these classes:
//!
//! - a **nim-heap** is one of the games `*n`;
//! - a **tame** game behaves like a position of Nim in the context of tame games. Its genus is the
//!   genus of a position of Nim: `g = g₀`, or both are below 2. The mex of the `g` of its tame
//!   options is its own `g`, and the same holds for `g₀`. Each option that is not tame is
//!   *reverting*: it has a tame option with the `g` of the game, and a tame option with the `g₀` of
//!   the game;
//! - a **restive** game is not tame, has tame options only, and `g` is 0 or 1 while `g₀` is
//!   neither;
//! - a **restless** game is not tame, has tame options only, and `g₀` is 0 or 1 while `g` is
//!   neither;
//! - a **wild** game is any other.
//!
//! **Theorem** (Conway). A sum of tame games has the nim-value of the nim-sum of the `g`. Its
//! misère nim-value is the same if a summand has `g = g₀`; otherwise it is the other of 0 and 1.
//!
//! Let the value of such a sum be the value in the theorem. No move to a sum of tame games keeps
//! the value, and from a value other than 0 there is a move to 0, both by the mex of the tame
//! options. A player who moves a sum of value 0 to one with a wild option is answered by one of the
//! two tame games to which that option reverts: the one with the same `g₀` if all other summands
//! have `g ≠ g₀`, and otherwise the one with the same `g`.
//!
//! **Corollary.** A game with tame options only is tame, restive or restless. For let `F ⊆ {0, 1}`
//! be the `g` of the options with `g ≠ g₀`, and `S` the `g` of the others. Unless `F` has exactly
//! one element `f` and `S` exactly one of 0 and 1, the game is tame. If `F = {f}` and `S` has `f`,
//! then `g = 1 − f` and `g₀ ≥ 2`; if it has `1 − f`, then `g ≥ 2` and `g₀ = f`.

use std::fmt;

use super::Genus;

/// The class of a game in simplest form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The game is one of the nimbers `*n`.
    NimHeap,
    /// The game behaves like a position of Nim among tame games, but is not a nim-heap.
    Tame,
    /// The game is not tame, all options are, and `g` is 0 or 1.
    Restive,
    /// The game is not tame, all options are, and `g₀` is 0 or 1.
    Restless,
    /// The game is none of these.
    Wild,
}

impl Class {
    /// Reports whether games of the class behave like positions of Nim among each other.
    ///
    /// ```
    /// use misere_algebra::genus::Class;
    /// assert!(Class::NimHeap.is_tame() && Class::Tame.is_tame() && !Class::Restive.is_tame());
    /// ```
    #[must_use]
    pub fn is_tame(self) -> bool {
        self <= Self::Tame
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NimHeap => "nim-heap",
            Self::Tame => "tame",
            Self::Restive => "restive",
            Self::Restless => "restless",
            Self::Wild => "wild",
        })
    }
}

/// The properties of a game that its options' classes depend on: its genus and class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GenusAndClass<'a> {
    /// The genus of the game.
    pub(crate) genus: &'a Genus,
    /// The class of the game.
    pub(crate) class: Class,
}

/// Returns the class of a game in simplest form.
///
/// `options_of` gives the options of the option with a given number.
///
/// Cost: the options, and the options of those that are not tame.
pub(crate) fn class_of<'a, Options: Iterator<Item = GenusAndClass<'a>>>(
    genus: &Genus,
    options: &[GenusAndClass<'a>],
    options_of: impl Fn(usize) -> Options,
) -> Class {
    let (g, misere) = (genus.nim_value(), genus.misere_nim_value());
    let all_tame = options.iter().all(|option| option.class.is_tame());
    if g == misere || g.max(misere) <= 1 {
        if is_nim_heap(g, options) {
            return Class::NimHeap;
        }
        let reverts = |at: usize| {
            let tame = || options_of(at).filter(|answer| answer.class.is_tame());
            tame().any(|answer| answer.genus.nim_value() == g)
                && tame().any(|answer| answer.genus.misere_nim_value() == misere)
        };
        let wild = options.iter().enumerate();
        let mut wild = wild.filter(|(_, option)| !option.class.is_tame());
        if all_tame || (is_mex_of_tame(genus, options) && wild.all(|(at, _)| reverts(at))) {
            return Class::Tame;
        }
    }
    match () {
        () if !all_tame => Class::Wild,
        () if g <= 1 => Class::Restive,
        () => Class::Restless,
    }
}

/// Reports whether a game in simplest form with the nim-value `g` is a nimber.
///
/// Then its options are the nimbers below.
fn is_nim_heap(g: u32, options: &[GenusAndClass<'_>]) -> bool {
    options.len() == g as usize && options.iter().all(|option| option.class == Class::NimHeap)
}

/// Reports whether the two nim-values of a game are the mex of the values of its tame options.
fn is_mex_of_tame(genus: &Genus, options: &[GenusAndClass<'_>]) -> bool {
    let tame = || options.iter().filter(|option| option.class.is_tame());
    let is_mex = |mex: u32, values: &dyn Fn(&Genus) -> u32| {
        let has = |wanted: u32| tame().any(|option| values(option.genus) == wanted);
        !has(mex) && (0..mex).all(has)
    };
    is_mex(genus.nim_value(), &Genus::nim_value)
        && is_mex(genus.misere_nim_value(), &Genus::misere_nim_value)
}
