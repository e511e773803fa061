//! The text of an analysis, for people.

use std::fmt::Write;

use misere_pictures::{group_in_words, raised};

use super::normal_play::NormalPlay;
use super::structure::{Class, Extension, Structure};
use super::sums::{Distinction, ElementExplanation};
use super::{Analysis, AnalyzeArgs};
use crate::solution_text::class_line;
use crate::terminal::table;

/// The greatest number of elements of a set that are listed in a line.
const LISTED: usize = 16;

/// Writes the whole text.
pub(super) fn describe(analysis: &Analysis, args: &AnalyzeArgs) -> String {
    let mut text = head(analysis);
    // If there is a question, only its answer is printed.
    if analysis.tell.is_some() || analysis.why.is_some() {
        if let Some(told) = &analysis.tell {
            text.push_str(&tell(told));
        }
        if let Some(said) = &analysis.why {
            text.push_str(&why(said));
        }
        return text;
    }
    let structure = &analysis.structure;
    text.push_str(&idempotents(structure));
    text.push_str(&series(structure, args.tables));
    text.push_str(&kernel(structure));
    if let Some(normal) = &structure.normal_play {
        text.push_str(&normal_play(normal));
    }
    text.push_str(&powers(structure));
    text.push_str(&composition(structure));
    text.push_str(&symmetries(structure));
    if args.elements {
        text.push_str(&elements(structure));
    }
    text
}

fn head(analysis: &Analysis) -> String {
    // A quotient that is given by its name is not named twice.
    let mut text = match &analysis.name {
        Some(name) if *name == analysis.given => String::new(),
        _ => format!("{}\n", analysis.given),
    };
    if !analysis.reduced {
        text.push_str(&format!(
            "not reduced: of its {} elements some cannot be told apart; what follows is its reduction\n",
            analysis.given_order
        ));
    }
    let name = analysis.name.as_ref();
    let name = name.map_or_else(String::new, |name| format!("{name}, "));
    text.push_str(&format!(
        "{name}order {}, {} in P\nclass {}\n{}\n",
        analysis.order,
        analysis.p_size,
        class_line(&analysis.class, false),
        analysis.presentation.text
    ));
    let heaps = analysis.structure.generators.iter();
    let heaps = heaps.filter_map(|it| Some(format!("{} = heap {}", it.name, it.heap?)));
    let heaps: Vec<String> = heaps.collect();
    if !heaps.is_empty() {
        text.push_str(&format!("generators: {}\n", heaps.join(", ")));
    }
    text
}

/// Writes a set of elements, truncated if it is long.
fn set(elements: &[String]) -> String {
    let shown: Vec<&str> = elements.iter().take(LISTED).map(String::as_str).collect();
    let more = match elements.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", … {more} more"),
    };
    format!("{{{}{more}}}", shown.join(", "))
}

/// Writes a group by its cyclic factors.
fn group(cyclic_factors: &[u32]) -> String {
    match cyclic_factors {
        [] => "trivial".to_owned(),
        factors => group_in_words(factors),
    }
}

fn idempotents(structure: &Structure) -> String {
    let mut text = format!("\nidempotents: {}\n", structure.idempotents.len());
    for it in &structure.idempotents {
        let component = match it.component.len() == it.group.len() {
            true => "its component is its group".to_owned(),
            false => format!(
                "component of {}: every product of {} of them lies in the group",
                it.component.len(),
                it.component_class
            ),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "  {} ({}): maximal subgroup {} = {}; {component}",
            it.word,
            it.outcome,
            group(&it.cyclic_factors),
            set(&it.group),
        );
    }
    let covers = structure.idempotent_covers.iter();
    let covers: Vec<String> = covers
        .map(|[above, below]| format!("{below} < {above}"))
        .collect();
    if !covers.is_empty() {
        text.push_str(&format!("  order: {}\n", covers.join(", ")));
    }
    text
}

fn series(structure: &Structure, with_tables: bool) -> String {
    let mut text = format!(
        "\nprincipal series: {} of mutual divisibility, greater divisors first\n",
        match structure.series.len() {
            1 => "1 class".to_owned(),
            number => format!("{number} classes"),
        }
    );
    for (number, class) in (1..).zip(&structure.series) {
        text.push_str(&format!(
            "  D_{number} = {}: {}\n",
            set(&class.elements),
            factor(class)
        ));
        if with_tables {
            text.push_str(&products(class));
        }
    }
    let is_chain = structure.class_covers.len() + 1 == structure.series.len()
        && (1..)
            .zip(&structure.class_covers)
            .all(|(at, &[above, _])| above == at);
    let order = match is_chain {
        true => "the classes are a chain".to_owned(),
        false => {
            let covers = structure.class_covers.iter();
            let covers: Vec<String> = covers
                .map(|[above, below]| format!("D_{below} < D_{above}"))
                .collect();
            format!("order: {}", covers.join(", "))
        }
    };
    if structure.series.len() > 1 {
        text.push_str(&format!("  {order}\n"));
    }
    if structure.union_of_groups {
        text.push_str("  the quotient is a union of groups\n");
    }
    text
}

fn factor(class: &Class) -> String {
    let identity = class.idempotent.as_deref().unwrap_or("1");
    let kind = match (class.factor, &class.cyclic_factors) {
        ("null", _) | (_, None) => "null, all products fall into smaller classes".to_owned(),
        ("group", Some(factors)) => {
            format!(
                "the kernel, a group {} with identity {identity}",
                group(factors)
            )
        }
        (_, Some(factors)) => format!("a group {} with identity {identity}", group(factors)),
    };
    match class.is_normal_play {
        Some(true) => format!("{kind}; isomorphic to the normal-play quotient"),
        _ => kind,
    }
}

/// Writes the Rees factor as a table, as in Figures 11 and 12 of Plambeck 2005.
fn products(class: &Class) -> String {
    if class.table.is_empty() {
        return String::new();
    }
    let with_zero = class.factor != "group";
    let zeros = usize::from(with_zero);
    let zero = || "0".to_owned();
    let head = std::iter::once(String::new())
        .chain(with_zero.then(zero))
        .chain(class.elements.iter().cloned());
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    if with_zero {
        rows.push(vec![zero(); class.elements.len() + 2]);
    }
    for (word, row) in class.elements.iter().zip(&class.table) {
        let products = row.iter().map(|x| x.clone().unwrap_or_else(zero));
        let line = std::iter::once(word.clone()).chain(std::iter::repeat_n(zero(), zeros));
        rows.push(line.chain(products).collect());
    }
    table(&rows)
}

fn kernel(structure: &Structure) -> String {
    let kernel = &structure.kernel;
    let said = match (kernel.regular, kernel.normal) {
        (_, true) => "regular and normal: the identity is its only element in P".to_owned(),
        (true, false) => format!(
            "regular, not normal: its only element in P is {}",
            set(&kernel.in_p)
        ),
        (false, false) => format!(
            "neither regular nor normal: its elements in P are {}",
            set(&kernel.in_p)
        ),
    };
    let nilradical = &structure.nilradical;
    let nil = match nilradical.elements.len() == kernel.elements.len() {
        true => "it is the kernel".to_owned(),
        false => format!(
            "{} elements have a power in the kernel, and every product of {} of them lies there",
            nilradical.elements.len(),
            nilradical.class
        ),
    };
    format!(
        "\nkernel: {} of order {}, identity {}\n  {said}\nnilradical: {nil}\n",
        group(&kernel.cyclic_factors),
        kernel.elements.len(),
        kernel.identity,
    )
}

fn normal_play(normal: &NormalPlay) -> String {
    let scope = match normal.heaps {
        None => "for all heaps".to_owned(),
        Some(heap) => format!("for the heaps to {heap}"),
    };
    let faithful = match normal.clash() {
        None if normal.faithfully_normal => format!("faithful and faithfully normal, {scope}"),
        None => format!("faithful, {scope}, but not normal"),
        Some(clash) => format!("not faithful: {clash}"),
    };
    let mut text = format!(
        "\nnormal play: {faithful}\n  the normal-play quotient has order {}\n",
        normal.order
    );
    if let Some(kernel) = &normal.kernel {
        let values = kernel.iter().map(|(value, word)| match value {
            0 => format!("0 {word}"),
            1 => format!("* {word}"),
            value => format!("*{value} {word}"),
        });
        let values: Vec<String> = values.take(4 * LISTED).collect();
        text.push_str("  it is the kernel; nim-values and elements:\n");
        let rows: Vec<Vec<String>> = values.chunks(8).map(<[String]>::to_vec).collect();
        text.push_str(&table(&rows));
    }
    text
}

fn powers(structure: &Structure) -> String {
    let period = structure.period;
    let period = period.map_or_else(|| "of more than 64 bits".to_owned(), |p| p.to_string());
    let index = structure.index;
    format!("\npowers: x^(k+p) = x^k for all elements with k = {index}, p = {period}\n")
}

fn composition(structure: &Structure) -> String {
    let mut text = match &structure.direct_factors {
        None => "direct product: not decided within the fuel for the search\n".to_owned(),
        Some(factors) if factors.len() < 2 => {
            "direct product: it is no product of smaller monoids\n".to_owned()
        }
        Some(factors) => {
            let factors = factors.iter().map(|factor| {
                let kind = if factor.is_group { "group" } else { "monoid" };
                let generators = factor.generators.join(", ");
                format!("{kind} ⟨{generators}⟩ of order {}", factor.order)
            });
            let factors: Vec<String> = factors.collect();
            format!(
                "direct product of {} (without regard to P)\n",
                factors.join(" × ")
            )
        }
    };
    text.push_str(&match &structure.tame_extension {
        None => "tame extension: it is none\n".to_owned(),
        Some(extension) => tame_extension(extension),
    });
    text
}

fn tame_extension(extension: &Extension) -> String {
    let Extension {
        stages,
        base,
        of_quotient,
    } = extension;
    let name = |base: &super::structure::Base| match &base.name {
        Some(name) => name.clone(),
        None => format!("{} of order {}", base.presentation, base.order),
    };
    let power = |stages: u32| match stages {
        1 => "T".to_owned(),
        stages => raised(&format!("T^{stages}")),
    };
    let mut text = match of_quotient {
        Some(of) => format!("tame extension: it is {}({})\n", power(of.stages), name(of)),
        None => "tame extension: it is none of a misère quotient that is known\n".to_owned(),
    };
    let is_deeper = of_quotient.as_ref().is_none_or(|of| of.stages < *stages);
    if is_deeper {
        let said = match base.is_quotient {
            Some(false) => ", which is no misère quotient",
            _ => "",
        };
        text.push_str(&format!(
            "  as a bipartite monoid {}({}){said}\n",
            power(*stages),
            name(base)
        ));
    }
    text
}

fn symmetries(structure: &Structure) -> String {
    let Some(found) = &structure.automorphisms else {
        return "automorphisms: not counted within the fuel for the search\n".to_owned();
    };
    if found.generators.is_empty() {
        return "automorphisms: none but the identity\n".to_owned();
    }
    let mut text = format!("automorphisms: {}\n", found.order);
    let names: Vec<&str> = structure
        .generators
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    for map in found.generators.iter().take(LISTED) {
        let images = names.iter().zip(map).filter(|(name, image)| *name != image);
        let images: Vec<String> = images
            .map(|(name, image)| format!("{name} → {image}"))
            .collect();
        text.push_str(&format!("  {}\n", images.join(", ")));
    }
    let orbits: Vec<String> = found
        .orbits
        .iter()
        .take(LISTED)
        .map(|orbit| set(orbit))
        .collect();
    text.push_str(&format!("  exchanged: {}\n", orbits.join(", ")));
    text
}

fn elements(structure: &Structure) -> String {
    let has_positions = structure.elements.iter().any(|it| it.position.is_some());
    let has_values = structure.elements.iter().any(|it| it.nim_value.is_some());
    let mut head: Vec<String> = [
        "#",
        "element",
        "outcome",
        "class",
        "idempotent",
        "index",
        "period",
    ]
    .map(str::to_owned)
    .to_vec();
    if has_values {
        head.push("nim-value".to_owned());
    }
    head.extend(
        structure
            .generators
            .iter()
            .map(|it| format!("·{}", it.name)),
    );
    if has_positions {
        head.push("least position".to_owned());
    }
    let mut rows = vec![head];
    for (number, it) in (1..).zip(&structure.elements) {
        let mut row = vec![
            number.to_string(),
            it.word.clone(),
            it.outcome.to_string(),
            format!("D_{}", it.class),
            it.idempotent.clone(),
            it.index.to_string(),
            it.period.to_string(),
        ];
        if has_values {
            row.push(
                it.nim_value
                    .map_or_else(String::new, |value| value.to_string()),
            );
        }
        row.extend(it.action.iter().cloned());
        if has_positions {
            row.push(it.sum().unwrap_or_default());
        }
        rows.push(row);
    }
    format!("\nelements:\n{}", table(&rows))
}

fn tell(told: &Distinction) -> String {
    let [one, other] = &told.elements;
    let Some(context) = &told.context else {
        return format!(
            "\n{} and {} have the same value {}: no context tells them apart\n",
            one.given, other.given, one.value
        );
    };
    let mut text = String::from("\n");
    if context.value == "1" {
        text.push_str("no context is needed:\n");
    } else {
        text.push_str(&format!(
            "the least context that tells {} and {} apart is {}, of value {}:\n",
            one.given, other.given, context.position, context.value
        ));
    }
    for side in [one, other] {
        let (Some(value), Some(outcome)) = (&side.together, side.together_outcome) else {
            continue;
        };
        let winner = match outcome {
            'P' => "in P: the player who has just moved wins",
            _ => "not in P: the player to move wins",
        };
        let beside = match context.value.as_str() {
            "1" => side.given.clone(),
            _ => format!("{} with it", side.given),
        };
        text.push_str(&format!("  {beside} has the value {value}, {winner}\n"));
    }
    text
}

fn why(why: &ElementExplanation) -> String {
    let is_p = why.outcome == 'P';
    let verdict = if is_p { "is in P" } else { "is not in P" };
    let mut text = format!("\n{} {verdict}", why.value);
    let Some(position) = &why.position else {
        text.push_str(
            ": so says the P-portion that was given; no games with this quotient are known\n",
        );
        return text;
    };
    if !why.games.is_empty() {
        text.push_str(&format!(
            "; in the games {}, each written by its options,",
            why.games.join(", ")
        ));
    } else {
        text.push(':');
    }
    if position == "the empty position" {
        text.push_str(
            " it is the value of the empty position, where no move is left; in misère play the player to move has won\n",
        );
        return text;
    }
    text.push_str(&format!(
        " the least position with this value is {position}\n"
    ));
    text.push_str(if is_p {
        "every move leads to a position that the opponent wins:\n"
    } else {
        "these moves win:\n"
    });
    let rows: Vec<Vec<String>> = why
        .moves
        .iter()
        .map(|it| {
            let values = [
                format!("{} → {}", it.from, it.to),
                format!("value {}", it.value),
                it.outcome.to_string(),
            ];
            values.to_vec()
        })
        .collect();
    text.push_str(&table(&rows));
    text
}
