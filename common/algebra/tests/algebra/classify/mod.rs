//! The misère quotients of small order: compared with the publications, by both paths, and the same
//! however they are computed.

mod as_published;
mod games;
mod runs;

use std::collections::{BTreeMap, BTreeSet};

use misere_algebra::classify::comparison::Comparison;
use misere_algebra::classify::digest::ListDigest;
use misere_algebra::classify::facts::{Summary, facts};
use misere_algebra::classify::one_stage_extensions::{RandomStages, confirms};
use misere_algebra::classify::smallest::{as_one_game, in_papers_notation};
use misere_algebra::classify::{Classifier, StateError, published_tables};
use misere_check::construction::{ConstructionCheckError, check};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::monoid::word::Word;
use misere_game::ruleset::Code;
use misere_game::solution::Construction;
use misere_game::solution::construction::ConstructionDocument;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

const QUOTIENTS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/quotients.json"
));
const TABLES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/tables.json"
));

#[derive(Deserialize)]
struct Quotients {
    finite: Vec<Printed>,
}

#[derive(Deserialize)]
struct Printed {
    id: String,
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
    order: usize,
}

#[derive(Deserialize)]
struct Tables {
    table1_counts_by_order: Table1,
}

#[derive(Deserialize)]
struct Table1 {
    counts: BTreeMap<usize, usize>,
}

fn classified(max_order: usize) -> Classifier {
    let mut classifier = Classifier::new(max_order);
    while classifier
        .next_order(&mut Control::unlimited())
        .unwrap()
        .is_some()
    {}
    classifier
}

fn constructions(classifier: &Classifier) -> Vec<Construction> {
    let quotients = classifier
        .complete()
        .iter()
        .flat_map(|level| &level.quotients);
    quotients
        .map(|quotient| quotient.construction(&mut Control::unlimited()).unwrap())
        .collect()
}

fn counts(classifier: &Classifier) -> BTreeMap<usize, usize> {
    let levels = classifier.complete().iter();
    levels
        .map(|level| (level.order, level.quotients.len()))
        .collect()
}

fn keys(classifier: &Classifier, order: usize) -> BTreeSet<ClassKey> {
    let levels = classifier.complete().iter();
    levels
        .filter(|level| level.order == order)
        .flat_map(|level| &level.quotients)
        .map(|quotient| quotient.class())
        .collect()
}
