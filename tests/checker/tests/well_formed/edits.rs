//! True certificates of small games, with the codes of other games and other numbers in them.

use std::sync::LazyLock;

use misere_engine::quotient::{Limits, Strategy as Way, solve};
use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::document::TailDocument;
use misere_game::solution::{Document, GrowingWord, Growth, Polynomial};
use proptest::prelude::*;

use super::games::{games, number};

/// Game, greatest heap, greatest order, fuel: together every verdict that there is.
const TRUE: [(&str, u32, u32, u64); 19] = [
    ("0.123", 1_000, 1_000, 1_000_000),
    ("0.3", 1_000, 1_000, 1_000_000),
    ("0.77", 200, 1_000, 10_000_000),
    ("0.77", 40, 1_000, 1_000_000),
    ("0.26", 70, 10_000, 10_000_000),
    ("0.26", 70, 20, 1_000_000),
    ("0.776", 26, 1_000, 1_000_000),
    ("0.444", 14, 1_000, 1_000_000),
    ("0.7777777777", 20, 1_000, 1_000_000),
    ("0.9092", 16, 1_000, 1_000_000),
    ("4.77", 1_000, 1_000, 1_000_000),
    ("4.7", 12, 1_000, 1_000_000),
    ("8.9", 8, 1_000, 1_000_000),
    ("C.5", 10, 1_000, 1_000_000),
    ("0.31011", 1_000, 1_000, 5_000_000),
    ("0.005", 1_000, 1_000, 5_000_000),
    ("grundy", 20, 1_000, 1_000_000),
    ("{*2,0}", 20, 1_000, 1_000_000),
    ("0", 20, 1_000, 1_000_000),
];

static DOCUMENTS: LazyLock<Vec<Document>> = LazyLock::new(|| {
    let solved = |(code, max_heap, max_order, fuel): (&str, u32, u32, u64)| {
        let limits = Limits {
            max_heap,
            max_order,
            ..Limits::default()
        };
        let code: Code = code.parse().unwrap();
        let control = &mut Control::new(fuel, Interrupt::default());
        Document::new(&solve(&code, &limits, Way::Exact, control))
    };
    TRUE.into_iter().map(solved).collect()
});

/// One change of a document.
#[derive(Clone, Debug)]
enum Edit {
    Code(Code),
    Heaps(u32),
    Period(u32),
    Preperiod(u32),
    Status(&'static str, &'static str),
    DivergesAt(u32),
    NextDiverges,
    Value(u32, u32),
    Length(u32),
    Repeat(u32, u32),
    GeneratorHeap(u32, u32),
    Table(Box<Document>),
    Outcome(u32),
    PartialHeap(u32, u32),
    Partials(u32),
    Tail(Option<TailDocument>),
    TailOf(Box<Document>),
    Growth(Option<Growth>),
    GrowthOf(Box<Document>),
    Evidence(Box<Document>),
    Letters(u32, u32),
    WordOf(u32, u32, u32),
}

fn document() -> impl Strategy<Value = Document> {
    (0..TRUE.len()).prop_map(|which| DOCUMENTS[which].clone())
}

fn tail() -> impl Strategy<Value = TailDocument> {
    let period = || prop::option::of(number());
    (number(), number(), period(), period(), period(), number()).prop_map(
        |(heap, nim_heaps, nim_period, nim_preperiod, stages, stages_at_least)| TailDocument {
            heap,
            nim_heaps,
            nim_period,
            nim_preperiod,
            stages,
            stages_at_least,
        },
    )
}

fn growth() -> impl Strategy<Value = Growth> {
    let whole =
        || prop_oneof![8 => -3_i64..9, 1 => Just(i64::MIN), 1 => Just(i64::MAX), 1 => any::<i64>()];
    let polynomials = move || {
        prop::collection::vec(
            prop::collection::vec(whole(), 0..6).prop_map(Polynomial),
            0..5,
        )
    };
    let back = prop_oneof![6 => -2_i32..6, 1 => Just(i32::MIN), 1 => Just(i32::MAX)];
    let fixed = prop::collection::vec((number(), number(), number()), 0..3);
    let moving = prop::collection::vec((back, number()), 0..3);
    let word = (fixed, moving).prop_map(|(fixed, moving)| GrowingWord { fixed, moving });
    let words = prop::collection::vec(word, 0..5);
    (
        number(),
        number(),
        polynomials(),
        polynomials(),
        words,
        number(),
    )
        .prop_map(|(start, period, orders, p_sizes, words, words_to)| Growth {
            start,
            period,
            orders,
            p_sizes,
            words,
            words_to,
            solved_by: None,
        })
}

fn edit() -> impl Strategy<Value = Edit> {
    let status = || {
        prop::sample::select(vec![
            ("solved", ""),
            ("tame-relative", ""),
            ("grows", ""),
            ("diverges", ""),
            ("infinite", ""),
            ("exhausted", "fuel"),
            ("exhausted", "max-heap"),
            ("exhausted", "max-order"),
            ("exhausted", "patience"),
            ("interrupted", ""),
            ("won", ""),
        ])
    };
    prop_oneof![
        4 => games().prop_map(Edit::Code),
        1 => number().prop_map(Edit::Heaps),
        2 => number().prop_map(Edit::Period),
        2 => number().prop_map(Edit::Preperiod),
        2 => status().prop_map(|(status, limit)| Edit::Status(status, limit)),
        1 => number().prop_map(Edit::DivergesAt),
        1 => Just(Edit::NextDiverges),
        2 => (number(), number()).prop_map(|(heap, value)| Edit::Value(heap, value)),
        2 => (0_u32..600).prop_map(Edit::Length),
        2 => (1_u32..20, 0_u32..700).prop_map(|(period, to)| Edit::Repeat(period, to)),
        1 => (number(), number()).prop_map(|(generator, heap)| Edit::GeneratorHeap(generator, heap)),
        2 => document().prop_map(|donor| Edit::Table(donor.into())),
        1 => number().prop_map(Edit::Outcome),
        1 => (number(), number()).prop_map(|(at, heap)| Edit::PartialHeap(at, heap)),
        1 => number().prop_map(Edit::Partials),
        1 => prop::option::of(tail()).prop_map(Edit::Tail),
        1 => document().prop_map(|donor| Edit::TailOf(donor.into())),
        1 => prop::option::of(growth()).prop_map(Edit::Growth),
        1 => document().prop_map(|donor| Edit::GrowthOf(donor.into())),
        1 => document().prop_map(|donor| Edit::Evidence(donor.into())),
        1 => (number(), number()).prop_map(|(at, heap)| Edit::Letters(at, heap)),
        1 => (number(), number(), number()).prop_map(|(at, heap, count)| Edit::WordOf(at, heap, count)),
    ]
}

/// Generates true documents, changed in one to five ways.
///
/// Nearly always they are then made to agree with themselves where a contradiction is easily seen.
pub(crate) fn documents() -> impl Strategy<Value = Document> {
    let edits = prop::collection::vec(edit(), 1..6);
    (document(), edits, prop::bool::weighted(0.9)).prop_map(|(mut document, edits, agrees)| {
        for edit in edits {
            apply(&mut document, edit);
        }
        if agrees {
            agree(&mut document);
        }
        document
    })
}

fn at<T>(list: &mut [T], place: u32) -> Option<&mut T> {
    let place = (place as usize).checked_rem(list.len())?;
    list.get_mut(place)
}

fn apply(document: &mut Document, edit: Edit) {
    match edit {
        Edit::Code(code) => document.code = code,
        Edit::Heaps(heaps) => document.heaps = heaps,
        Edit::Period(period) => document.period = Some(period),
        Edit::Preperiod(preperiod) => document.preperiod = Some(preperiod),
        Edit::Status(status, limit) => {
            document.status = status.to_owned();
            document.limit = (!limit.is_empty()).then(|| limit.to_owned());
            document.period = document.period.or(Some(1));
            document.preperiod = document.preperiod.or(Some(0));
            document.copies = document.copies.or(Some(9));
            document.diverges_at = document.diverges_at.or(Some(document.phi.len() as u32));
        }
        Edit::DivergesAt(heap) => document.diverges_at = Some(heap),
        Edit::NextDiverges => document.diverges_at = Some(document.phi.len() as u32),
        Edit::Value(heap, value) => {
            if let Some(entry) = at(&mut document.phi, heap) {
                *entry = value;
            }
        }
        Edit::Length(heaps) => document.phi.resize(heaps as usize, 0),
        Edit::Repeat(period, to) => {
            while document.phi.len() < to as usize {
                let before = document.phi.len().checked_sub(period as usize);
                document
                    .phi
                    .push(before.map_or(0, |before| document.phi[before]));
            }
        }
        Edit::GeneratorHeap(generator, heap) => {
            if let Some(generator) = at(&mut document.quotient.generators, generator) {
                generator.heap = heap;
            }
        }
        Edit::Table(donor) => document.quotient = donor.quotient,
        Edit::Outcome(element) => {
            let p_portion = &mut document.quotient.p_portion;
            match p_portion.iter().position(|&x| x == element) {
                Some(at) => drop(p_portion.remove(at)),
                None => p_portion.push(element),
            }
        }
        Edit::PartialHeap(which, heap) => {
            if let Some(partial) = at(&mut document.partials, which) {
                partial.heap = heap;
            }
        }
        Edit::Partials(most) => document.partials.truncate(most as usize),
        Edit::Tail(tail) => document.tame_relative = tail,
        Edit::TailOf(donor) => document.tame_relative = donor.tame_relative,
        Edit::Growth(growth) => document.growth = growth,
        Edit::GrowthOf(donor) => document.growth = donor.growth,
        Edit::Evidence(donor) => document.evidence = donor.evidence,
        Edit::Letters(which, heap) => {
            let family = document.evidence.as_mut();
            if let Some(letter) = family.and_then(|family| at(&mut family.letters, which)) {
                letter.heap = heap;
            }
        }
        Edit::WordOf(which, heap, count) => {
            let family = document.evidence.as_mut();
            if let Some(word) = family.and_then(|family| at(&mut family.words, which)) {
                word.word.push((heap, count));
            }
        }
    }
}

/// Makes the numbers agree that are compared when a document is read, and lets dead heaps have the
/// value 1.
fn agree(document: &mut Document) {
    let order = document.quotient.order as u32;
    for (heap, value) in (0..).zip(&mut document.phi) {
        *value = if document.code.is_live(heap) {
            *value % order
        } else {
            0
        };
    }
    document.heaps = (document.phi.len() as u32).saturating_sub(1);
    document.quotient.class = document
        .partials
        .last()
        .map_or_else(|| BipartiteMonoid::trivial().class_key(), |last| last.class);
    // Each generator is the value of the first heap that has it, if there is one.
    for generator in &mut document.quotient.generators {
        let value = generator.element;
        if let Some(heap) = document.phi.iter().position(|&x| x == value) {
            generator.heap = heap as u32;
        }
    }
    document
        .quotient
        .generators
        .sort_by_key(|generator| generator.heap);
    let by_heap = &document.quotient.generators;
    document
        .quotient
        .action
        .sort_by_key(|row| by_heap.iter().position(|g| Some(&g.element) == row.first()));
    if document.status == "diverges" || document.status == "infinite" {
        document.diverges_at = Some(document.phi.len() as u32);
    }
}
