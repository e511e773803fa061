//! The text and the document of a class.

use misere_answers::identity::IdentifiedClass;
use misere_game::monoid::readable::Readable;
use serde_json::{Value, json};

use super::{Answer, Finite};
use crate::solution_text::class_line;

/// Formats the answer as text; `full` prints the whole key of the class.
pub(super) fn text(answer: &Answer, full: bool) -> String {
    let class = class_line(&answer.class, full);
    // The name is not repeated if the quotient was given by it.
    let name = answer.identity.as_ref().and_then(|it| it.name.as_ref());
    let mut text = match name {
        Some(name) if *name == answer.given.title => String::new(),
        _ => format!("{}\n", answer.given.title),
    };
    if let Some(identity) = &answer.identity {
        if !identity.was_reduced {
            text.push_str(&format!(
                "not reduced: of its {} elements some cannot be told apart; what follows is its reduction\n",
                identity.given_order
            ));
        }
        let name = match &identity.name {
            Some(name) => format!("{name}, "),
            None => String::new(),
        };
        text.push_str(&format!(
            "{name}order {}, {} in P\nclass {class}\n",
            identity.order, identity.p_size
        ));
        text.push_str(&format!("{}\n", identity.as_given));
        let heaps = heaps(answer, &identity.as_given);
        if !heaps.is_empty() {
            text.push_str(&format!("generators: {}\n", heaps.join(", ")));
        }
        let renamed = renamed(&answer.given.names, &identity.as_given);
        if !renamed.is_empty() {
            text.push_str(&format!("generators renamed: {}\n", renamed.join(", ")));
        }
        // Other presentations of the same class may have other generators.
        if identity.canonical.to_string() != identity.as_given.to_string() {
            text.push_str(&format!("canonical: {}\n", identity.canonical));
        }
    } else {
        text.push_str(&format!("class {class}\n"));
    }
    if let Some(realized) = &answer.realized {
        text.push_str(&format!("{realized}\n"));
    }
    match &answer.smallest_finite {
        Finite::NotAsked => {}
        Finite::Found(game) => text.push_str(&format!("smallest finite game found: {game}\n")),
        Finite::NoneFound => text.push_str(
            "no finite game with it was found among games born by day 4 and small sets of them\n",
        ),
        Finite::TooLarge(order) => text.push_str(&format!(
            "no finite game was looked for: the order {order} is above {}\n",
            super::MAX_FOR_FINITE
        )),
        Finite::NoTables => text.push_str(
            "no finite game was looked for: only the class of this quotient is at hand\n",
        ),
    }
    if let Some(census) = &answer.census {
        text.push_str(&census.text());
    }
    if let Some(atlas) = &answer.atlas {
        text.push_str(&format!("the atlas of {}:\n", atlas.extent()));
        let listed = atlas.look_up(&answer.class, answer.order());
        for sentence in atlas.sentences(listed) {
            text.push_str(&format!("  {sentence}\n"));
        }
    }
    text
}

/// Describes the heap whose value each generator is.
fn heaps(answer: &Answer, readable: &Readable) -> Vec<String> {
    let names = readable.names().into_iter().zip(&readable.generators);
    names
        .filter_map(|(name, &g)| {
            let heap = answer.given.heaps.get(g)?;
            Some(format!("{name} = heap {heap}"))
        })
        .collect()
}

/// Lists the generators whose names differ from the names that the user gave them.
fn renamed(names: &[String], readable: &Readable) -> Vec<String> {
    let written = readable.names().into_iter().zip(&readable.generators);
    let renamed = written.filter_map(|(written, &g)| {
        let given = names.get(g)?;
        (*given != written).then(|| format!("{given} is {written}"))
    });
    renamed.collect()
}

/// Returns the answer as JSON.
pub(super) fn document(answer: &Answer) -> Value {
    let mut document = IdentifiedClass {
        given: &answer.given.title,
        names: &answer.given.names,
        heaps: &answer.given.heaps,
        class: &answer.class,
        identity: answer.identity.as_ref(),
        realized: answer.realized.as_ref(),
    }
    .document();
    if let Finite::Found(game) = &answer.smallest_finite {
        document["smallest_finite_game"] = json!(game);
    }
    if let Some(atlas) = &answer.atlas {
        document["atlas"] = json!(atlas.document(&answer.class, answer.order()));
    }
    if let Some(census) = &answer.census {
        document["census"] = census.document();
    }
    document
}
