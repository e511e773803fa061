//! The structure of a quotient, for the page of its class, as in `misere analyze`.

use misere_answers::{HeapValues, NormalComparison, Structure, StructureEffort};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::position::Position;
use misere_game::ruleset::Code;
use misere_game::solution::Solution;
use misere_game::structure::kernel::Kernel;
use misere_game::structure::powers::Powers;
use misere_game::structure::principal_series::Factor;
use misere_pictures::group_in_words;

use super::math::math;

/// The greatest order of a quotient whose structure is shown.
pub(super) const MAX_ORDER: usize = 1_024;

/// Fuel for the whole structure: about a second and a half.
const FUEL: u64 = 1_500_000;

/// The number of elements of a set that are listed.
const LISTED: usize = 16;

/// The number of idempotents, and of classes of mutual divisibility, that are listed.
const LINES: usize = 60;

/// The structure of a quotient in words; the texts are HTML.
#[derive(Debug)]
pub(super) struct StructureTexts {
    /// The statements about the quotient, each with its subject.
    pub(super) statements: Vec<(&'static str, String)>,
    pub(super) idempotents: Vec<IdempotentLine>,
    pub(super) more_idempotents: usize,
    pub(super) classes: Vec<ClassLine>,
    pub(super) more_classes: usize,
}

/// A line about an idempotent.
#[derive(Debug)]
pub(super) struct IdempotentLine {
    pub(super) word: String,
    pub(super) outcome: char,
    pub(super) group: String,
    pub(super) elements: String,
    /// The number of elements of the archimedean component.
    pub(super) component: usize,
    /// The idempotents right below.
    pub(super) below: String,
}

/// A line about a class of mutual divisibility.
#[derive(Debug)]
pub(super) struct ClassLine {
    pub(super) number: usize,
    pub(super) elements: String,
    pub(super) factor: String,
    /// The classes right below.
    pub(super) below: String,
}

/// The quotient under examination, with the words of its elements as HTML.
struct Subject {
    words: Vec<String>,
}

impl Subject {
    fn word(&self, x: Element) -> &str {
        self.words.get(x as usize).map_or("", String::as_str)
    }

    fn set(&self, elements: &[Element]) -> String {
        let shown = elements.iter().take(LISTED).map(|&x| self.word(x));
        let shown: Vec<&str> = shown.collect();
        let more = match elements.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(", … and {more} more"),
        };
        format!("<span class=\"math\">{{{}{more}}}</span>", shown.join(", "))
    }

    fn set_word(&self, x: Element) -> String {
        format!("<span class=\"math\">{}</span>", self.word(x))
    }
}

/// Returns the structure of a quotient.
///
/// `words` are the words of its elements, and `game` is the solution of a game with this quotient,
/// the elements numbered alike.
///
/// # Errors
/// [`Stop`] if the fuel does not suffice.
pub(super) fn structure(
    monoid: &BipartiteMonoid,
    words: &[String],
    game: Option<&Solution>,
) -> Result<StructureTexts, Stop> {
    let subject = Subject {
        words: words.iter().map(|word| math(word)).collect(),
    };
    let control = &mut Control::new(FUEL, Interrupt::default());
    let values = game.map(HeapValues::of);
    let structure = Structure::new(monoid, values.as_ref(), StructureEffort::QUICK, control)?;
    let (found, series) = (&structure.idempotents, &structure.series);
    let (kernel, parts) = (&structure.kernel, &structure.components);
    let below = |covers: &[(u32, u32)], place: usize| -> Vec<u32> {
        let right_below = covers.iter().filter(|(above, _)| *above as usize == place);
        right_below.map(|&(_, below)| below).collect()
    };
    let idempotents = parts.iter().enumerate().take(LINES).map(|(place, part)| {
        let below = below(&found.covers, place).into_iter();
        let below = below.filter_map(|at| found.elements.get(at as usize));
        let below: Vec<&str> = below.map(|&e| subject.word(e)).collect();
        IdempotentLine {
            word: subject.word(part.idempotent).to_owned(),
            outcome: if monoid.in_p(part.idempotent) {
                'P'
            } else {
                'N'
            },
            group: group(&found.invariants(monoid, place)),
            elements: subject.set(&part.group),
            component: part.elements.len(),
            below: below.join(", "),
        }
    });
    let idempotents: Vec<IdempotentLine> = idempotents.collect();
    let classes = series.classes.iter().enumerate().take(LINES);
    let classes = classes.map(|(place, class)| {
        let of = structure.group_of_class(monoid, place);
        let of = of.map_or_else(String::new, |factors| group(&factors));
        let below = below(&series.covers, place).into_iter();
        let below: Vec<String> = below.map(|at| format!("D<sub>{}</sub>", at + 1)).collect();
        ClassLine {
            number: place + 1,
            elements: subject.set(&class.elements),
            factor: match series.factor(place) {
                Factor::Group => format!("the kernel, a group {of}"),
                Factor::GroupWithZero => format!("a group {of} with a zero"),
                Factor::Null => "null: all products are zero".to_owned(),
            },
            below: below.join(", "),
        }
    });
    let classes: Vec<ClassLine> = classes.collect();
    let mut statements = vec![
        ("Kernel", of_kernel(&subject, kernel)),
        ("Regular, normal", regular(&subject, kernel)),
    ];
    if let Some(last) = structure.nilradical() {
        statements.push((
            "Nilradical",
            nilradical(kernel, last.elements.len(), last.class),
        ));
    }
    if series.is_union_of_groups() {
        let text = "The quotient is a union of groups.".to_owned();
        statements.push(("Groups", text));
    }
    if let (Some(game), Some(found)) = (game, &structure.normal_play) {
        statements.push(("Normal play", normal_play(&subject, &game.code, found)));
    }
    statements.push(("Powers", of_powers(&structure.powers)));
    statements.push(("Direct product", product(&subject, &structure)));
    statements.push(("Tame extension", extension(&structure)));
    statements.push(("Automorphisms", automorphisms(&subject, &structure)));
    Ok(StructureTexts {
        more_idempotents: parts.len().saturating_sub(idempotents.len()),
        more_classes: series.classes.len().saturating_sub(classes.len()),
        statements,
        idempotents,
        classes,
    })
}

/// Describes a group by its cyclic factors.
fn group(cyclic_factors: &[u32]) -> String {
    match cyclic_factors {
        [] => "of one element".to_owned(),
        factors => group_in_words(factors),
    }
}

fn of_kernel(subject: &Subject, kernel: &Kernel) -> String {
    format!(
        "The kernel is the group {} of order {}; its identity is {}.",
        group(&kernel.invariants),
        kernel.elements.len(),
        subject.set_word(kernel.identity)
    )
}

fn regular(subject: &Subject, kernel: &Kernel) -> String {
    match (kernel.is_regular(), kernel.is_normal()) {
        (_, true) => "The quotient is regular and normal: the identity of the kernel is the only \
                      element of the kernel in P."
            .to_owned(),
        (true, false) => format!(
            "The quotient is regular and not normal: the only element of the kernel in P is {}.",
            subject.set(&kernel.in_p)
        ),
        (false, false) => format!(
            "The quotient is neither regular nor normal: the elements of the kernel in P are {}.",
            subject.set(&kernel.in_p)
        ),
    }
}

fn nilradical(kernel: &Kernel, elements: usize, class: u32) -> String {
    match elements == kernel.elements.len() {
        true => "The nilradical is the kernel.".to_owned(),
        false => format!(
            "{elements} elements have a power in the kernel, and every product of {class} of them \
             lies in the kernel."
        ),
    }
}

fn of_powers(powers: &Powers) -> String {
    let period = powers.common_period();
    let period = period.map_or_else(
        || "a number of more than 64 bits".to_owned(),
        |p| p.to_string(),
    );
    format!(
        "x<sup>k+p</sup> = x<sup>k</sup> for all elements x, with k = {} and p = {period}.",
        powers.greatest_index()
    )
}

/// The sentence where a search ran out of fuel.
const LEFT_OPEN: &str =
    "This is not decided within the budget of a page; `misere analyze` searches longer.";

fn left_open() -> String {
    super::math::with_code(LEFT_OPEN)
}

fn product(subject: &Subject, structure: &Structure) -> String {
    let Some(factors) = &structure.direct_factors else {
        return left_open();
    };
    if factors.len() < 2 {
        return "The quotient is not a product of smaller monoids.".to_owned();
    }
    let factors = factors.iter().map(|factor| {
        let generators = factor.generators.iter().map(|&x| subject.word(x));
        let generators: Vec<&str> = generators.collect();
        let order = factor.elements.len();
        let generators = generators.join(", ");
        format!("<span class=\"math\">⟨{generators}⟩</span> of order {order}")
    });
    let factors: Vec<String> = factors.collect();
    format!(
        "Without regard to P, the quotient is the direct product of {}.",
        factors.join(" and ")
    )
}

fn extension(structure: &Structure) -> String {
    let Some(found) = &structure.tame_extension else {
        return left_open();
    };
    if found.stages == 0 {
        return "The quotient is not a tame extension.".to_owned();
    }
    let named = found.of_quotient.as_ref();
    match named.and_then(|base| Some((base.stages, base.name.as_ref()?))) {
        Some((stages, name)) => format!(
            "The quotient is a tame extension: it is <span class=\"math\">{}({})</span>.",
            power_of_t(stages),
            math(name)
        ),
        // Of a monoid without a name it is not known here whether it is a misère quotient.
        None => format!(
            "As a bipartite monoid the quotient is <span class=\"math\">{}</span> of a monoid of \
             order {}; <code>misere analyze</code> says whether that is a misère quotient.",
            power_of_t(found.stages),
            found.base.monoid.order()
        ),
    }
}

fn power_of_t(stages: u32) -> String {
    match stages {
        1 => "T".to_owned(),
        stages => format!("T<sup>{stages}</sup>"),
    }
}

fn automorphisms(subject: &Subject, structure: &Structure) -> String {
    let Some(found) = &structure.automorphisms else {
        return left_open();
    };
    if found.is_trivial() {
        return "The identity is the only automorphism.".to_owned();
    }
    let orbits = found.orbits.iter().take(LISTED);
    let orbits: Vec<String> = orbits.map(|orbit| subject.set(orbit)).collect();
    let number = match found.order() {
        Some(order) => format!("There are {order} automorphisms"),
        None => "There are more automorphisms than a number of 128 bits counts".to_owned(),
    };
    format!(
        "{number}. They exchange the elements of {}.",
        orbits.join(", of ")
    )
}

/// Describes whether equal values have equal nim-values, and to which heap that is known.
fn normal_play(subject: &Subject, code: &Code, found: &NormalComparison) -> String {
    let order = found.order;
    let scope = match found.heaps {
        None => "for all heaps".to_owned(),
        Some(heap) => format!("for the heaps to {heap}"),
    };
    match &found.clash {
        None => {
            let normally = match found.is_faithfully_normal {
                true => "faithful and faithfully normal",
                false => "faithful, and not normal",
            };
            format!(
                "The quotient of {code} is {normally}, {scope}; the normal-play quotient has \
                 order {order}."
            )
        }
        Some(clash) => {
            let sums = clash.heaps.each_ref().map(|places| {
                let heaps = places.iter().map(|&place| place as u32);
                heaps.collect::<Position>().to_string()
            });
            format!(
                "The quotient of {code} is not faithful: {} and {} have the value {} and the \
                 nim-values {} and {}.",
                sums[0],
                sums[1],
                subject.set_word(clash.element),
                clash.nim_values[0],
                clash.nim_values[1]
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use misere_engine::quotient::{Limits, Strategy, solve};
    use misere_game::bipartite::families::tame;
    use misere_game::monoid::word::lex_least_words;

    use super::*;

    fn of(monoid: &BipartiteMonoid, game: Option<&Solution>) -> StructureTexts {
        let words: Vec<String> = lex_least_words(monoid)
            .iter()
            .map(ToString::to_string)
            .collect();
        structure(monoid, &words, game).unwrap()
    }

    fn statement<'a>(structure: &'a StructureTexts, subject: &str) -> &'a str {
        let mut found = structure.statements.iter();
        &found.find(|(other, _)| *other == subject).unwrap().1
    }

    fn solved(code: &str) -> Solution {
        let code = code.parse().unwrap();
        let (limits, control) = (Limits::default(), &mut Control::unlimited());
        solve(&code, &limits, Strategy::Exact, control)
    }

    /// Checks the structure that Plambeck 2005 finds of 0.123 in sections 7 and 8.
    #[test]
    fn the_structure_of_0_123() {
        let game = solved("0.123");
        let found = of(&game.quotient, Some(&game));
        assert_eq!((found.idempotents.len(), found.classes.len()), (3, 5));
        let components: Vec<usize> = found.idempotents.iter().map(|it| it.component).collect();
        assert_eq!(components, [4, 8, 8]);
        assert!(statement(&found, "Kernel").contains("ℤ₂² of order 4"));
        assert!(statement(&found, "Regular, normal").contains("regular and normal"));
        let normal = statement(&found, "Normal play");
        assert!(
            normal.contains("faithful and faithfully normal, for all heaps"),
            "{normal}"
        );
        assert!(statement(&found, "Tame extension").contains("not a tame extension"));
        assert!(statement(&found, "Automorphisms").contains("only automorphism"));
        assert!(statement(&found, "Direct product").contains("order 5"));
    }

    #[test]
    fn a_tame_quotient_is_a_tame_extension_of_a_smaller_one() {
        let found = of(&tame(4), None);
        let text = statement(&found, "Tame extension");
        assert!(text.contains("T<sup>2</sup>(T<sub>2</sub>)"), "{text}");
        assert!(
            found
                .statements
                .iter()
                .all(|(subject, _)| *subject != "Normal play")
        );
    }

    #[test]
    fn the_trivial_quotient_has_a_structure_too() {
        let found = of(&BipartiteMonoid::trivial(), None);
        assert_eq!((found.idempotents.len(), found.classes.len()), (1, 1));
    }
}
