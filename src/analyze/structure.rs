//! The structure of a quotient, as words.

use misere_answers::structure::{self, StructureEffort};
use misere_game::bipartite::Element;
use misere_game::control::{Control, Stop};
use misere_game::monoid::readable::Readable;
use misere_game::structure::least_sums::{LeastSums, Summand};
use misere_game::structure::principal_series::Factor;
use serde::Serialize;

use super::normal_play::NormalPlay;
use super::quotient::{Game, Quotient, sum};

/// The structure of a quotient, with elements as words.
#[derive(Debug, Serialize)]
pub(super) struct Structure {
    pub(super) elements: Vec<ElementFacts>,
    pub(super) generators: Vec<GeneratorFacts>,
    pub(super) idempotents: Vec<Idempotent>,
    /// Pairs of idempotents with none between, the greater one first.
    pub(super) idempotent_covers: Vec<[String; 2]>,
    pub(super) series: Vec<Class>,
    /// Pairs of classes, by their places, with none between, the greater one first.
    pub(super) class_covers: Vec<[u32; 2]>,
    pub(super) union_of_groups: bool,
    pub(super) kernel: KernelFacts,
    pub(super) nilradical: Nilradical,
    pub(super) index: u32,
    pub(super) period: Option<u64>,
    pub(super) normal_play: Option<NormalPlay>,
    pub(super) tame_extension: Option<Extension>,
    pub(super) direct_factors: Option<Vec<DirectFactor>>,
    pub(super) automorphisms: Option<Symmetries>,
}

/// An element: a line of Figure 4 of Plambeck 2005.
#[derive(Debug, Serialize)]
pub(super) struct ElementFacts {
    pub(super) word: String,
    pub(super) outcome: char,
    pub(super) index: u32,
    pub(super) period: u32,
    /// The place of the element's class in the principal series, counted from 1.
    pub(super) class: u32,
    /// The idempotent among the element's powers.
    pub(super) idempotent: String,
    pub(super) nim_value: Option<u32>,
    /// The heaps of the least position with this value.
    pub(super) position: Option<Vec<u32>>,
    /// The products of the element with the generators.
    pub(super) action: Vec<String>,
}

/// A generator.
#[derive(Debug, Serialize)]
pub(super) struct GeneratorFacts {
    pub(super) name: String,
    pub(super) heap: Option<u32>,
}

/// An idempotent with its maximal subgroup and its archimedean component.
#[derive(Debug, Serialize)]
pub(super) struct Idempotent {
    pub(super) word: String,
    pub(super) outcome: char,
    pub(super) group: Vec<String>,
    pub(super) cyclic_factors: Vec<u32>,
    pub(super) component: Vec<String>,
    /// The least `k ≥ 1` such that every product of `k` elements of the component is in the group.
    pub(super) component_class: u32,
}

/// A class of mutual divisibility with its Rees factor.
#[derive(Debug, Serialize)]
pub(super) struct Class {
    pub(super) elements: Vec<String>,
    pub(super) factor: &'static str,
    pub(super) idempotent: Option<String>,
    pub(super) cyclic_factors: Option<Vec<u32>>,
    pub(super) depth: u32,
    /// The order of the ideal that consists of this class and all later ones in the series.
    pub(super) ideal: usize,
    /// Whether the class is a group isomorphic to the normal-play quotient, if that is known.
    pub(super) is_normal_play: Option<bool>,
    /// The products, `None` for zero; empty for a class that is not shown as a table.
    #[serde(skip)]
    pub(super) table: Vec<Vec<Option<String>>>,
}

/// The kernel.
#[derive(Debug, Serialize)]
pub(super) struct KernelFacts {
    pub(super) identity: String,
    pub(super) elements: Vec<String>,
    pub(super) cyclic_factors: Vec<u32>,
    pub(super) in_p: Vec<String>,
    pub(super) regular: bool,
    pub(super) normal: bool,
}

/// The elements with a power in the kernel.
#[derive(Debug, Serialize)]
pub(super) struct Nilradical {
    pub(super) elements: Vec<String>,
    /// The least `k ≥ 1` such that every product of `k` of the elements is in the kernel.
    pub(super) class: u32,
}

/// The quotient as a tame extension.
#[derive(Debug, Serialize)]
pub(super) struct Extension {
    pub(super) stages: u32,
    pub(super) base: Base,
    /// The base with the fewest elements that is a misère quotient, if that is known.
    pub(super) of_quotient: Option<Base>,
}

/// A bipartite monoid that has the quotient as a tame extension.
#[derive(Debug, Serialize)]
pub(super) struct Base {
    pub(super) stages: u32,
    pub(super) order: usize,
    pub(super) name: Option<String>,
    pub(super) presentation: String,
    /// Whether the base is a misère quotient, if that is known.
    pub(super) is_quotient: Option<bool>,
}

/// A factor of the quotient as a direct product.
#[derive(Debug, Serialize)]
pub(super) struct DirectFactor {
    pub(super) order: usize,
    pub(super) generators: Vec<String>,
    pub(super) elements: Vec<String>,
    pub(super) is_group: bool,
}

/// The automorphisms of the quotient with its P-portion.
#[derive(Debug, Serialize)]
pub(super) struct Symmetries {
    /// The order of the group in decimal digits; a product if it has more than 128 bits.
    pub(super) order: String,
    /// Automorphisms that generate the group, each by the images of the generators.
    pub(super) generators: Vec<Vec<String>>,
    pub(super) orbits: Vec<Vec<String>>,
}

/// Computes the structure of a quotient.
///
/// # Errors
/// [`Stop`] if `control` ends it. The searches have their own fuel; questions that they do not
/// decide are left open.
pub(super) fn structure(quotient: &Quotient, control: &mut Control) -> Result<Structure, Stop> {
    let monoid = &quotient.monoid;
    let words = |elements: &[Element]| quotient.words_of(elements);
    let outcome = |x: Element| if monoid.in_p(x) { 'P' } else { 'N' };
    let values = quotient.game.as_ref().map(Game::heap_values);
    let effort = StructureEffort::THOROUGH;
    let structure = structure::Structure::new(monoid, values.as_ref(), effort, control)?;
    let (found, powers) = (&structure.idempotents, &structure.powers);
    let (series, kernel) = (&structure.series, &structure.kernel);
    let parts = &structure.components;
    let comparison = structure.normal_play.as_ref();
    let normal = comparison.map(|found| NormalPlay::of(quotient, found));
    let nim_value = |x: Element| normal.as_ref()?.of_elements.as_ref()?.get(x as usize);
    let positions = positions(quotient, control)?;
    let elements = (0..monoid.order() as Element).map(|x| ElementFacts {
        word: quotient.word(x),
        outcome: outcome(x),
        index: powers.index[x as usize],
        period: powers.period[x as usize],
        class: series.class_of[x as usize] + 1,
        idempotent: quotient.word(found.elements[found.component[x as usize] as usize]),
        nim_value: nim_value(x).copied(),
        position: positions
            .as_ref()
            .and_then(|positions| positions[x as usize].clone()),
        action: (0..monoid.generators())
            .map(|g| quotient.word(monoid.act(x, g)))
            .collect(),
    });
    let idempotents = parts.iter().enumerate().map(|(place, part)| Idempotent {
        word: quotient.word(part.idempotent),
        outcome: outcome(part.idempotent),
        group: words(&part.group),
        cyclic_factors: found.invariants(monoid, place),
        component: words(&part.elements),
        component_class: part.class,
    });
    let word_at = |place: u32| quotient.word(found.elements[place as usize]);
    let covers = found.covers.iter();
    let covers = covers.map(|&(above, below)| [word_at(above), word_at(below)]);
    let last = structure.nilradical();
    Ok(Structure {
        elements: elements.collect(),
        generators: generators(quotient),
        idempotents: idempotents.collect(),
        idempotent_covers: covers.collect(),
        series: classes(quotient, &structure),
        class_covers: (series.covers.iter())
            .map(|&(above, below)| [above + 1, below + 1])
            .collect(),
        union_of_groups: series.is_union_of_groups(),
        kernel: KernelFacts {
            identity: quotient.word(kernel.identity),
            elements: words(&kernel.elements),
            cyclic_factors: kernel.invariants.clone(),
            in_p: words(&kernel.in_p),
            regular: kernel.is_regular(),
            normal: kernel.is_normal(),
        },
        nilradical: Nilradical {
            elements: last.map(|part| words(&part.elements)).unwrap_or_default(),
            class: last.map_or(1, |part| part.class),
        },
        index: powers.greatest_index(),
        period: powers.common_period(),
        tame_extension: (structure.tame_extension.as_ref()).and_then(tame_extension),
        direct_factors: factors(quotient, &structure),
        automorphisms: automorphisms(quotient, &structure),
        normal_play: normal,
    })
}

fn generators(quotient: &Quotient) -> Vec<GeneratorFacts> {
    let heap = |g: usize| quotient.game.as_ref()?.generator_heaps.get(g).copied();
    let names = quotient.names.iter().enumerate();
    let generators = names.map(|(g, name)| GeneratorFacts {
        name: name.clone(),
        heap: heap(g),
    });
    generators.collect()
}

/// The heaps of a position for each element, if there is one.
type Positions = Vec<Option<Vec<u32>>>;

/// Returns the heaps of the least position for each element; `None` without a game.
fn positions(quotient: &Quotient, control: &mut Control) -> Result<Option<Positions>, Stop> {
    let Some(game) = &quotient.game else {
        return Ok(None);
    };
    let summands: Vec<Summand> = (game.values.iter().zip(0..))
        .map(|(&value, beans)| Summand { value, beans })
        .collect();
    let sums = LeastSums::new(&quotient.monoid, &summands, control)?;
    let heaps = |places: Vec<usize>| places.into_iter().map(|place| place as u32).collect();
    let elements = 0..quotient.monoid.order() as Element;
    Ok(Some(elements.map(|x| sums.of(x).map(heaps)).collect()))
}

fn classes(quotient: &Quotient, structure: &structure::Structure) -> Vec<Class> {
    let series = &structure.series;
    let mut ideal = quotient.monoid.order();
    let class = |(place, class): (usize, &misere_game::structure::principal_series::Class)| {
        let order = ideal;
        ideal -= class.elements.len();
        let cyclic = structure.group_of_class(&quotient.monoid, place);
        let is_normal_play = structure.normal_play.as_ref().map(|normal| {
            let is_two = |cyclic: &Vec<u32>| cyclic.iter().all(|&order| order == 2);
            cyclic.as_ref().is_some_and(is_two) && class.elements.len() as u64 == normal.order
        });
        let shown = class.elements.len() <= super::MAX_TABLE_ORDER;
        let table = match shown {
            true => series.factor_table(&quotient.monoid, place),
            false => Vec::new(),
        };
        let in_words = |row: Vec<Option<Element>>| {
            let row = row.into_iter().map(|x| x.map(|x| quotient.word(x)));
            row.collect()
        };
        Class {
            elements: quotient.words_of(&class.elements),
            factor: match series.factor(place) {
                Factor::Group => "group",
                Factor::GroupWithZero => "group with zero",
                Factor::Null => "null",
            },
            idempotent: class.idempotent.map(|e| quotient.word(e)),
            cyclic_factors: cyclic,
            depth: class.depth,
            ideal: order,
            is_normal_play,
            table: table.into_iter().map(in_words).collect(),
        }
    };
    series.classes.iter().enumerate().map(class).collect()
}

/// Describes a quotient that is a tame extension.
fn tame_extension(found: &structure::Extension) -> Option<Extension> {
    let base = |base: &structure::Base| Base {
        stages: base.stages,
        order: base.monoid.order(),
        name: base.name.clone(),
        presentation: Readable::of(&base.monoid).to_string(),
        is_quotient: base.is_quotient,
    };
    (found.stages > 0).then(|| Extension {
        stages: found.stages,
        base: base(&found.base),
        of_quotient: found.of_quotient.as_ref().map(base),
    })
}

fn factors(quotient: &Quotient, structure: &structure::Structure) -> Option<Vec<DirectFactor>> {
    let found = structure.direct_factors.as_ref()?;
    let idempotent = |x: Element| quotient.times(x, x) == x;
    let factors = found.iter().map(|factor| DirectFactor {
        order: factor.elements.len(),
        generators: quotient.words_of(&factor.generators),
        is_group: factor.elements.iter().filter(|&&x| idempotent(x)).count() == 1,
        elements: quotient.words_of(&factor.elements),
    });
    Some(factors.collect())
}

fn automorphisms(quotient: &Quotient, structure: &structure::Structure) -> Option<Symmetries> {
    let found = structure.automorphisms.as_ref()?;
    let monoid = &quotient.monoid;
    let order = match found.order() {
        Some(order) => order.to_string(),
        None => {
            let factors: Vec<String> = found.factors.iter().map(u64::to_string).collect();
            factors.join("*")
        }
    };
    let of_generators = |map: &Vec<Element>| {
        let generators = (0..monoid.generators()).map(|g| map[monoid.act(0, g) as usize]);
        quotient.words_of(&generators.collect::<Vec<_>>())
    };
    let orbits = found.orbits.iter();
    Some(Symmetries {
        order,
        generators: found.generators.iter().map(of_generators).collect(),
        orbits: orbits.map(|orbit| quotient.words_of(orbit)).collect(),
    })
}

impl ElementFacts {
    /// Returns the least position with this value, as a sum.
    pub(super) fn sum(&self) -> Option<String> {
        self.position.as_ref().map(|heaps| sum(heaps))
    }
}
