//! A bipartite monoid in the notation of the papers.
//!
//! For example, `⟨a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2⟩  P = {a, b^2}`. Generators keep
//! their order, which for a game is the order of the heaps whose values they are; those that the
//! others give are left out. The relations are the reduced confluent system of
//! [`super::presentation`], which is unique for the order of the generators; P lists the lex-least
//! words of its elements, in the order in which such words are compared. The text can be parsed
//! ([`FromStr`]).

use std::fmt;
use std::str::FromStr;

use super::finitely_presented::{FinitePresentation, PresentationError};
use super::notation::{self, NotationError};
use super::presentation::{Relation, presentation_within};
use super::word::{Word, generator_name, lex_least_words_within};
use crate::bipartite::families::by_name;
use crate::bipartite::{BipartiteMonoid, ElementSet};
use crate::control::{Control, Stop};

/// A presentation with its P-portion, to be read by people.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_game::monoid::readable::Readable;
/// let t2 = Readable::of(&tame(2)).to_string();
/// assert_eq!(t2, "⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable {
    /// The generators of the monoid that are written.
    ///
    /// The `i`-th has the name that [`generator_name`] gives.
    pub generators: Vec<usize>,
    /// The reduced confluent system.
    pub relations: Vec<Relation>,
    /// The P-portion.
    pub p_portion: Vec<Word>,
}

impl Readable {
    /// Returns the readable form of a bipartite monoid, on its generators.
    ///
    /// Among generators that others give, the latest are left out first. Cost: `O(n · g²)` for
    /// order `n` and `g` generators.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::monoid::readable::Readable;
    /// let t1 = Readable::of(&tame(1));
    /// assert_eq!(t1.to_string(), "⟨a | a^2 = 1⟩  P = {a}");
    /// ```
    #[must_use]
    pub fn of(monoid: &BipartiteMonoid) -> Self {
        Control::without_limit(|control| Self::of_within(monoid, control))
    }

    /// Returns the readable form, as [`of`](Self::of) does, with a limit on its work.
    ///
    /// Cost: as without a limit; all of it is spent from `control`.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn of_within(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let generators = irredundant(monoid, control)?;
        let monoid = on_generators(monoid, &generators);
        let words = lex_least_words_within(&monoid, control)?;
        let relations = presentation_within(&monoid, &words, control)?;
        let in_p = monoid.p_portion().iter();
        let mut p_portion: Vec<Word> = in_p.map(|x| words[x as usize].clone()).collect();
        p_portion.sort_unstable_by(|one, other| one.0.iter().rev().cmp(other.0.iter().rev()));
        Ok(Self {
            generators,
            relations,
            p_portion,
        })
    }

    /// Returns the presentation of a class, the same for all its members.
    ///
    /// It is on the generators of the papers if the class has a name there, otherwise on the
    /// generators of the given canonical form.
    ///
    /// ```
    /// use misere_game::bipartite::families::restive;
    /// use misere_game::monoid::readable::Readable;
    /// let r8 = restive(2).map(|r8| Readable::of_class(&r8.canonical_form().monoid).to_string());
    /// let printed = "⟨a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2⟩  P = {a, b^2}";
    /// assert_eq!(r8.as_deref(), Some(printed));
    /// ```
    #[must_use]
    pub fn of_class(canonical_form: &BipartiteMonoid) -> Self {
        Control::without_limit(|control| Self::of_class_within(canonical_form, control))
    }

    /// Returns the presentation, as [`of_class`](Self::of_class) does, with a limit on its work.
    ///
    /// Cost: as without a limit; all of it is spent from `control`.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn of_class_within(
        canonical_form: &BipartiteMonoid,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let name = canonical_form.known_name();
        let named = name.and_then(|name| by_name(&name).ok());
        Self::of_within(named.as_ref().unwrap_or(canonical_form), control)
    }

    /// Returns a bipartite monoid, given on more generators, on those that are written.
    ///
    /// `monoid` is the one whose readable form this is.
    ///
    /// ```
    /// use misere_game::monoid::readable::{Readable, WrittenPresentation};
    /// let t1: WrittenPresentation = "⟨a,b | a² = 1, b = 1⟩, P = {a}".parse()?;
    /// let t1 = t1.bipartite_monoid(100)?;
    /// assert_eq!(Readable::of(&t1).on_its_generators(&t1).generators(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_its_generators(&self, monoid: &BipartiteMonoid) -> BipartiteMonoid {
        on_generators(monoid, &self.generators)
    }

    /// Returns the names of the generators.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::monoid::readable::Readable;
    /// assert_eq!(Readable::of(&tame(3)).names(), ["a", "b", "c"]);
    /// ```
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        (0..self.generators.len()).map(generator_name).collect()
    }
}

impl fmt::Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |items: &mut dyn Iterator<Item = String>| {
            let items: Vec<String> = items.collect();
            items.join(", ")
        };
        let relations = list(&mut self.relations.iter().map(ToString::to_string));
        let p_portion = list(&mut self.p_portion.iter().map(ToString::to_string));
        let names = self.names().join(",");
        if relations.is_empty() {
            write!(f, "⟨{names}⟩  P = {{{p_portion}}}")
        } else {
            write!(f, "⟨{names} | {relations}⟩  P = {{{p_portion}}}")
        }
    }
}

fn on_generators(monoid: &BipartiteMonoid, generators: &[usize]) -> BipartiteMonoid {
    let action = generators.iter().map(|&g| monoid.row(g).to_vec()).collect();
    BipartiteMonoid::by_construction(action, monoid.p_portion().clone())
}

/// Returns the generators that are left when redundant ones are left out, from the last on.
///
/// A generator is redundant if the others that are left generate it.
fn irredundant(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Vec<usize>, Stop> {
    let mut kept: Vec<usize> = (0..monoid.generators()).collect();
    for g in (0..monoid.generators()).rev() {
        let mut reached = ElementSet::empty(monoid.order());
        reached.insert(0);
        let mut open = vec![0];
        while let Some(x) = open.pop() {
            control.spend(2 + 2 * kept.len() as u64)?;
            let others = kept.iter().filter(|&&other| other != g);
            open.extend(
                others
                    .map(|&other| monoid.act(x, other))
                    .filter(|&y| reached.insert(y)),
            );
        }
        if reached.contains(monoid.act(0, g)) {
            kept.retain(|&other| other != g);
        }
    }
    Ok(kept)
}

/// A presentation with a P-portion, as it was written by hand.
///
/// ```
/// use misere_game::monoid::readable::WrittenPresentation;
/// let r8: WrittenPresentation = "⟨a,b,c | a²=1, b³=b, bc=ab, c²=b²⟩, P = {a, b²}".parse()?;
/// let r8 = r8.bipartite_monoid(100)?;
/// assert_eq!(r8.known_name().as_deref(), Some("R_8"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPresentation {
    /// Generators and relations.
    pub presentation: FinitePresentation,
    /// The words of the P-portion.
    pub p_portion: Vec<Word>,
}

impl FromStr for WrittenPresentation {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let (presentation, p_portion) = notation::read_with_p_portion(text)?;
        Ok(Self {
            presentation,
            p_portion,
        })
    }
}

/// A presentation as it was typed, with a P-portion or without.
///
/// ```
/// use misere_game::monoid::readable::PresentationInput;
/// let typed: PresentationInput = "a^2 = 1, b^3 = b".parse()?;
/// assert_eq!(typed.presentation.generators(), ["a", "b"]);
/// assert!(typed.p_portion.is_none());
/// # Ok::<(), misere_game::monoid::notation::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentationInput {
    /// Generators and relations.
    pub presentation: FinitePresentation,
    /// The words of the P-portion, if there is one.
    pub p_portion: Option<Vec<Word>>,
}

impl FromStr for PresentationInput {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let (presentation, p_portion) = notation::read_typed(text)?;
        Ok(Self {
            presentation,
            p_portion,
        })
    }
}

impl WrittenPresentation {
    /// Returns the bipartite monoid, on the generators in their order.
    ///
    /// Cost: as for [`FinitePresentation::bipartite_monoid`].
    ///
    /// ```
    /// use misere_game::monoid::readable::WrittenPresentation;
    /// let t1: WrittenPresentation = "⟨a | a² = 1⟩, P = {a}".parse()?;
    /// assert_eq!(t1.bipartite_monoid(100)?.order(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`FinitePresentation::bipartite_monoid`].
    pub fn bipartite_monoid(&self, max_order: usize) -> Result<BipartiteMonoid, PresentationError> {
        self.presentation
            .bipartite_monoid(&self.p_portion, max_order)
    }

    /// Returns the [`bipartite_monoid`](Self::bipartite_monoid), with a limit on its work.
    ///
    /// `control` can stop it.
    ///
    /// Cost: as without a limit; all of it is spent from `control`.
    ///
    /// # Errors
    /// As [`FinitePresentation::bipartite_monoid_within`].
    pub fn bipartite_monoid_within(
        &self,
        max_order: usize,
        control: &mut Control,
    ) -> Result<BipartiteMonoid, PresentationError> {
        self.presentation
            .bipartite_monoid_within(&self.p_portion, max_order, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::{restive, tame};
    use crate::control::Interrupt;

    fn read(text: &str) -> BipartiteMonoid {
        let written: WrittenPresentation = text.parse().unwrap();
        written.bipartite_monoid(10_000).unwrap()
    }

    /// Figure 10 of Plambeck and Siegel's supplement, to the letter.
    #[test]
    fn figure_10_is_printed_as_in_the_papers() {
        for (name, text) in [
            ("T_0", "⟨⟩  P = {}"),
            ("T_1", "⟨a | a^2 = 1⟩  P = {a}"),
            ("T_2", "⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}"),
            (
                "R_8",
                "⟨a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2⟩  P = {a, b^2}",
            ),
            (
                "S_12",
                "⟨a,b,c | a^2 = 1, b^4 = b^2, b^2c = b^3, c^2 = 1⟩  P = {a, b^2, ac}",
            ),
            (
                "S'_12",
                "⟨a,b,c | a^2 = 1, b^3 = b, c^2 = 1⟩  P = {a, b^2, ac}",
            ),
            (
                "R_14",
                "⟨a,b,c | a^2 = 1, b^3 = b, b^2c = c, c^3 = ac^2⟩  P = {a, b^2, bc, c^2}",
            ),
        ] {
            let monoid = read(text);
            assert_eq!(monoid.known_name().as_deref(), Some(name));
            assert_eq!(Readable::of(&monoid).to_string(), text);
            let named = by_name(name).unwrap();
            assert_eq!(named.class_key(), monoid.class_key());
            // The text by name and the text of the class agree, for any generators of its members.
            assert_eq!(Readable::of(&named).to_string(), text);
            let form = monoid.canonical_form().monoid;
            assert_eq!(Readable::of_class(&form).to_string(), text);
        }
    }

    #[test]
    fn a_printed_monoid_is_read_back() {
        for monoid in (0..6).map(tame).chain((2..6).filter_map(restive)) {
            let form = monoid.canonical_form();
            for monoid in [&monoid, &form.monoid] {
                let text = Readable::of(monoid).to_string();
                assert_eq!(read(&text).class_key(), form.key, "{text}");
            }
        }
    }

    #[test]
    fn redundant_generators_are_left_out() {
        let monoid = read("<a,b,c,d | a^2=1, b=1, c=ad, d^3=d> P = {a, d^2}");
        let readable = Readable::of(&monoid);
        assert_eq!(readable.generators, [0, 2]);
        assert_eq!(
            readable.to_string(),
            "⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}"
        );
    }

    /// The notations of `notation.rs`, each next to the plain one.
    #[test]
    fn typed_presentations_are_read() {
        let t2 = "⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}";
        for typed in [
            "<a,b | a**2=1, b**3=b> P={a,b**2}",
            "<a,b|aa=1,b*b*b=b>P={a,bb}",
            "⟨a,b | a² = 1, b³ = b⟩, 𝒫 = {a, b²}",
            "<a,b : a^2=1; b^3=b> P = {a; b^2}",
            "<a,b ; a^2=1, b^3=b>; P = {a, b^2}.",
            "[a,b | a^2=1, b^3=b] P=[a,b^2]",
            "(a, b | a^2 = 1, b^3 = b) P = (a, b^2)",
            "<a,b | a^2=e, eb^3=b> P={a,b^2}",
            "<a,b | a^2 -> 1, b^3 → b> P={a,b^2}",
            "<a,b | [a^2,1], [b^3,b]> P={a,b^2}",
            "Q = ⟨a, b | a^2 = 1, b^3 = b⟩\nP = {a, b^2}",
            r"$\mathcal{Q} = \langle a,b \mid a^2=1, b^3=b \rangle, \mathcal{P} = \{a, b^2\}$",
            "[ [ a^2, 1 ], [ b^3, b ] ] P={a,b^2}",
            r"\langle a,b \mid a^2 \to 1, b^3 \to b \rangle P=\{a,b^2\}",
            "(a,b | (a)^2 == 1, b(b)^2 == b) P = ((a), (b)^2)",
            "((a)^2)**3 = a^4 = 1, (ab)^3 = a(1b) ; P = {a(1)^2, b^2}",
            "<a1,a2 | a1^2=1, a2^3=a2> P={a1,a2^2}",
            "<a_1,a_2 | a1^2=1, a_2a2^2=a2> P={a_1,a2a2}",
            "<α,β | α²=1, β³=β> P={α,β²}",
            "<x,z | x^2=1, z^3=z> P={x,z^2}",
            "<c₁,c₁₂ | c₁²=1, c₁₂^3=c₁₂> P={c₁,c₁₂c₁₂}",
            r"\langle a,b \mid a^2=1, b^3=b \rangle \quad P=\{a,b^2\}",
            r"$\langle a, b \mid a^{2} = 1,\ b^{3}=b\rangle$, $\mathcal{P}=\{a,\,b^{2}\}$.",
            r"\left\langle \alpha,\beta \,\middle|\, \alpha^{2}=1,\beta^{3}=\beta\right\rangle \mathcal P=\left\{\alpha,\beta^2\right\}",
            r"$\langle a_{1}, a_{2} \mid a_{1}^{2}=1, a_{2}^{3}=a_{2}\rangle$ P=\{a_{1}, a_{2}^{2}\}",
        ] {
            assert_eq!(Readable::of(&read(typed)).to_string(), t2, "{typed}");
        }
        // `e` may be a generator, and `a1` the product of a and 1.
        for (typed, order) in [
            ("<a,e | a^2=1, e^3=e> P={a,e^2}", 6),
            ("<a | a1a1=1> P={a1}", 2),
            (r"\langle \rangle P = \emptyset", 1),
        ] {
            assert_eq!(read(typed).order(), order, "{typed}");
        }
    }

    #[test]
    fn faults_of_typed_text_are_located() {
        for (typed, at, said) in [
            (
                r"\langle a \mid a^2=b \rangle P=\{a\}",
                19,
                "`b` is not a generator",
            ),
            (r"<a | a^{2}=1> P=\{a2\}", 18, "`a_2` is not a generator"),
            (r"<a \nosuch a^2=1>", 3, "`,` is expected"),
            ("[a | a^2=1> P={a}", 10, "`,` is expected"),
            ("<a | a**=1> P={a}", 8, "an exponent is expected"),
            ("<a | a^{}=1> P={a}", 7, "an exponent is expected"),
            ("<a | (a^2=1> P={a}", 9, "`)` is expected"),
            ("<a | a)^2=1> P={a}", 6, "`=` is expected"),
            ("<a | (a^9999)^999=1> P={a}", 5, "exponent"),
            ("(a^2=1, b^3=b) P={a}", 4, "`)` is expected"),
        ] {
            let error = typed.parse::<WrittenPresentation>().unwrap_err();
            assert_eq!(error.at, at, "{error}");
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn faults_are_located() {
        let at = |text: &str| text.parse::<WrittenPresentation>().unwrap_err().at;
        assert_eq!(at("<a | a^2=1>"), 11);
        assert_eq!(at("<a | a^2=1> P {a}"), 14);
        assert_eq!(at("<a | a^2=1> P={b}"), 15);
        assert_eq!(at("<a | a^2=1> P={a"), 16);
        assert_eq!(at("<a | a^2=1> P={a}x"), 17);
        let said = "<a | a^2=1>"
            .parse::<WrittenPresentation>()
            .unwrap_err()
            .to_string();
        assert!(said.contains("the P-portion, such as"), "{said}");
        let infinite: WrittenPresentation = "<a,b | a^2=1> P={a}".parse().unwrap();
        assert!(matches!(
            infinite.bipartite_monoid(100),
            Err(PresentationError::Infinite { .. })
        ));
    }

    /// A stop request interrupts all work on a typed monoid.
    ///
    /// This holds for the completion, the enumeration, the reduction, the words and the
    /// presentation.
    #[test]
    fn a_stop_request_ends_work_on_a_typed_monoid() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let stopped = || Control::new(u64::MAX, interrupt.clone());
        let written: WrittenPresentation = "<a,b | a^40=1, b^3=b> P={a}".parse().unwrap();
        assert_eq!(
            written.bipartite_monoid_within(1_000, &mut stopped()),
            Err(PresentationError::Stopped(Stop::Interrupted))
        );
        let monoid = written.bipartite_monoid(1_000).unwrap();
        assert!(monoid.reduce_within(&mut stopped()).is_err());
        assert!(Readable::of_within(&monoid, &mut stopped()).is_err());
        assert!(Readable::of_class_within(&monoid, &mut stopped()).is_err());
        let words = lex_least_words_within(&monoid, &mut Control::unlimited()).unwrap();
        assert!(lex_least_words_within(&monoid, &mut stopped()).is_err());
        assert!(presentation_within(&monoid, &words, &mut stopped()).is_err());
    }

    /// Words of 800 million letters in total take a step each, since they are stored as exponents.
    ///
    /// They are the words of a cyclic group of 40,000 elements.
    ///
    /// A P-portion is found by normal forms, for words of any length.
    #[test]
    fn long_words_take_no_time() {
        let written: WrittenPresentation =
            "<a | a^40000=1> P={a^1000000, a^999999}".parse().unwrap();
        let control = &mut Control::new(10_000, Interrupt::default());
        let monoid = written.bipartite_monoid_within(40_000, control).unwrap();
        assert!(monoid.in_p(0) && monoid.in_p(39_999) && monoid.p_size() == 2);
        let words = lex_least_words_within(&monoid, control).unwrap();
        assert_eq!(words[39_999], Word(vec![39_999]));
        assert_eq!(words.len(), 40_000);
    }
}
