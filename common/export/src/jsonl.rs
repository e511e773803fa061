//! JSON Lines: one document a line.
//!
//! `rulesets.jsonl` has for each ruleset the document that `misere solve --json` prints (the
//! contract's), with the additional fields `aliases` and `renumberings`; every line by itself is a
//! certificate that `misere verify` reads. A game that is requested under an alias is listed under
//! that code, with the heap numbers of that code. `classes.jsonl` has the classes of all their
//! partial quotients.

use std::collections::BTreeMap;

use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::presentation::presentation;
use misere_game::monoid::word::lex_least_words;
use misere_game::ruleset::Code;
use misere_game::solution::Document;
use serde::Serialize;
use serde_json::{Value, json};

use misere_census::Record;
use misere_query::{Filter, RenumberingDocument};
use misere_store::commit::memberships;
use misere_store::{Class, Membership};

use super::staging::Staging;
use super::{Counts, ExportError, SCHEMA, Source, quotients};

/// The file of the rulesets.
pub const RULESETS: &str = "rulesets.jsonl";

/// The file of the classes.
pub const CLASSES: &str = "classes.jsonl";

/// A line of [`RULESETS`].
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    document: Document,
    aliases: Vec<&'a Code>,
    renumberings: Vec<RenumberingDocument>,
}

/// Writes the files of rulesets and classes if the census has games, and the quotients if any.
pub(super) fn write(source: &Source<'_>, staging: &mut Staging) -> Result<Counts, ExportError> {
    let space = source.store.plan().space();
    let is_whole = *source.filter == Filter::default();
    let mut counts = match space.has_games() || !is_whole {
        true => write_games(source, staging)?,
        false => Counts::new(),
    };
    if is_whole && space.max_quotient_order().is_some() {
        counts.insert("quotients", quotients::write(source, staging)?);
    }
    Ok(counts)
}

fn write_games(source: &Source<'_>, staging: &mut Staging) -> Result<Counts, ExportError> {
    let mut file = staging.create(RULESETS)?;
    let mut members = Members::default();
    let rulesets = source.for_each(|selected| {
        let game = selected.into_named();
        let record = &game.record;
        members.add(record);
        let mut document = Document::new(&source.solution(&game)?);
        document.engine = misere_census::engine_fingerprint();
        let line = serde_json::to_string(&Line {
            document,
            aliases: record.codes().skip(1).collect(),
            renumberings: RenumberingDocument::of(record),
        })?;
        file.text(&(line + "\n"))
    })?;
    file.close()?;
    let mut file = staging.create(CLASSES)?;
    let mut written = 0;
    for (key, stretches) in &members.classes {
        source.listen()?;
        if let Some(class) = source.store.class(key)? {
            let line = class_line(key, &class, members.documents(stretches));
            file.text(&format!("{line}\n"))?;
            written += 1;
        }
    }
    file.close()?;
    Ok(Counts::from([("rulesets", rulesets), ("classes", written)]))
}

/// The games that have each class, with their heaps.
///
/// A million finite games have ten million partial quotients. So a game is stored once, as its
/// text, and a stretch of heaps has its number.
#[derive(Default)]
struct Members {
    /// The codes of the games, as they are written.
    codes: Vec<String>,
    /// The stretches of heaps with each class; those of one game follow one another.
    classes: BTreeMap<ClassKey, Vec<Stretch>>,
}

/// A range of heaps at which a game has a class.
struct Stretch {
    /// The number of the game among the codes.
    game: usize,
    /// The first and last heap.
    range: (u32, u32),
    /// Whether the class is known to go on forever.
    forever: bool,
}

impl Members {
    fn add(&mut self, record: &Record) {
        let game = self.codes.len();
        self.codes.push(record.code.to_string());
        for (class, Membership { ranges, forever }) in memberships(record) {
            let stretches = self.classes.entry(class).or_default();
            stretches.extend(ranges.into_iter().map(|range| Stretch {
                game,
                range,
                forever,
            }));
        }
    }

    /// Returns the games of a class with their heaps, in the form of its line.
    fn documents(&self, stretches: &[Stretch]) -> Vec<Value> {
        let of_one_game = stretches.chunk_by(|a, b| a.game == b.game);
        let documents = of_one_game.filter_map(|stretches| {
            let Stretch { game, forever, .. } = stretches.first()?;
            let heaps: Vec<_> = stretches.iter().map(|stretch| stretch.range).collect();
            Some(json!({ "code": self.codes.get(*game)?, "heaps": heaps, "forever": forever }))
        });
        documents.collect()
    }
}

/// Returns the line of a class, with the selected codes that have it.
fn class_line(key: &ClassKey, class: &Class, members: Vec<Value>) -> Value {
    let quotient = class.quotient.as_deref();
    json!({
        "schema": SCHEMA,
        "class": key,
        "order": class.order,
        "p_size": class.p_size,
        "label": key.label().map(|label| label.to_string()),
        "name": class.name(key),
        "first": { "code": class.witness, "heap": class.heap },
        "quotient": quotient.map(quotient_document),
        "members": members,
    })
}

/// Returns the canonical form of a class.
fn quotient_document(quotient: &BipartiteMonoid) -> Value {
    let words = lex_least_words(quotient);
    let relations = presentation(quotient, &words);
    let texts = |words: &mut dyn Iterator<Item = String>| words.collect::<Vec<_>>();
    json!({
        "action": quotient.action(),
        "p_portion": quotient.p_portion().iter().collect::<Vec<_>>(),
        "words": texts(&mut words.iter().map(ToString::to_string)),
        "presentation": texts(&mut relations.iter().map(ToString::to_string)),
    })
}
