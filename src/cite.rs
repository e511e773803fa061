//! `misere cite`: references to the program, a census, a game, a class and a query.

use std::path::PathBuf;

use misere_census::certificate;
use misere_export::selection;
use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::by_name;
use misere_game::ruleset::Code;
use misere_query::naming::{Reading, readings};
use misere_query::{ClassPattern, Filter};
use misere_report::citation::{CitedGame, Reference};
use misere_store::{ClassNames, Store};
use serde_json::{Value, json};

use crate::census_error::CensusError;
use crate::exit::{CommandError, Exit, Failure};
use crate::query::{Conditions, class_of, same_game};
use crate::terminal;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// An entry for BibTeX
    Bibtex,
    /// A line of text
    Text,
}

/// The arguments of `misere cite`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere cite                          the program
  misere cite --data census            a census
  misere cite 0.77 --data census       a game, with the hash of its certificate
  misere cite R_8                      a class, by its name
  misere cite c3984c70 --data census   a class, by the first digits of its key
  misere cite --data census --wild --order ..100
      the games that satisfy conditions

A reference names what never changes: the key of a class, the digest of a
census, the hash of a certificate. It has no date.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct CiteArgs {
    /// A game (code or name) or a class (name, label or key)
    #[arg(value_name = "GAME|CLASS", conflicts_with = "Conditions")]
    what: Option<String>,
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: Option<PathBuf>,
    /// The form of the reference
    #[arg(long, value_enum, default_value = "bibtex", conflicts_with = "json")]
    format: Format,
    /// Print both forms as JSON
    #[arg(long)]
    json: bool,
    #[command(
        flatten,
        next_help_heading = "Conditions on the games (as in `misere query`)"
    )]
    conditions: Conditions,
}

/// The reason why nothing is cited.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct CiteError(String);

impl CommandError for CiteError {}

/// Runs `misere cite`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read, or does not have the game or class named.
pub fn run(args: &CiteArgs) -> Result<Exit, Failure> {
    let store = args.data.as_deref().map(Store::open_read_only);
    let store = store.transpose().map_err(CensusError::from)?;
    let any = !args.conditions.is_empty();
    let reference = match (&args.what, &store) {
        (Some(what), store) => named(what, store.as_ref())?,
        (None, Some(store)) if !any => {
            Reference::census(&store.plan().space().to_string(), &digest(store)?)
        }
        (None, Some(store)) => {
            let filter = args.conditions.filter(|game| class_of(store, game))?;
            query(store, filter)?
        }
        (None, None) if !any => Reference::program(),
        (None, None) => {
            let says = "conditions are about the games of a census; name it with --data DIR";
            return Err(CiteError(says.to_owned()).into());
        }
    };
    if args.json {
        terminal::print_json(&json!({
            "schema": 1,
            "label": reference.label,
            "title": reference.title,
            "notes": reference.notes,
            "bibtex": reference.bibtex(),
            "text": reference.text(),
        }))?;
    } else {
        terminal::print(&match args.format {
            Format::Bibtex => reference.bibtex(),
            Format::Text => reference.text(),
        })?;
    }
    Ok(Exit::Done)
}

fn digest(store: &Store) -> Result<String, Failure> {
    let digest = store.digest().map_err(CensusError::from)?;
    Ok(digest.to_string())
}

/// Returns the reference to a game or a class named by the user.
///
/// # Errors
/// A [`Failure`] if nothing that can be cited has the name, or the census cannot be read.
pub fn named(what: &str, store: Option<&Store>) -> Result<Reference, Failure> {
    let found = readings(what.trim()).map_err(|error| CiteError(error.to_string()))?;
    match (found.the_only_one(), store) {
        (Some(Reading::Game(code)), Some(store)) => game(store, code),
        (Some(Reading::Game(code)), None) => Err(CiteError(format!(
            "a game is cited with its certificate in a census; name the census with --data DIR \
                 (`misere census run --codes '{code}' --data DIR` makes one)"
        ))
        .into()),
        (Some(Reading::Quotient(name)), store) => {
            let monoid = by_name(name).map_err(|error| CiteError(error.to_string()))?;
            class(
                store,
                &monoid.class_key(),
                Some((name, monoid.order() as u64)),
            )
        }
        (Some(Reading::Class(pattern)), store) => {
            let key = key(pattern, store)?;
            class(store, &key, None)
        }
        _ => Err(CiteError(format!(
            "`{what}` names no game and no class that can be cited; write a code with its point, a \
             name such as R_8, or a key"
        ))
        .into()),
    }
}

fn game(store: &Store, code: &Code) -> Result<Reference, Failure> {
    let failed = CensusError::from;
    let Some(known) = store.game(code).map_err(failed)? else {
        let advice = match same_game(store, code)? {
            Some(other) => format!("it has {other}, the same game: cite that"),
            None => "`misere query --data DIR` lists what it has".to_owned(),
        };
        return Err(CiteError(format!("this census has no record of {code}; {advice}")).into());
    };
    let bytes = store.certificate(&known.representative).map_err(failed)?;
    let bytes = match bytes {
        Some(bytes) => bytes,
        None => {
            let solution = store.solution(&known).map_err(failed)?;
            certificate::encode(&solution).map_err(|error| CiteError(error.to_string()))?
        }
    };
    let cited = CitedGame {
        code,
        known: &known.record.conclusion().sentence_with(known.record.tame),
        kept_as: &known.representative,
        certificate: &bytes,
    };
    Ok(Reference::game(cited, &digest(store)?))
}

/// Returns the key of a class that is given by its first digits.
fn key(pattern: &ClassPattern, store: Option<&Store>) -> Result<ClassKey, Failure> {
    if pattern.least() == pattern.greatest() {
        return Ok(*pattern.least());
    }
    let Some(store) = store else {
        let says = "a key has 64 digits; a census knows it by fewer: name one with --data DIR";
        return Err(CiteError(says.to_owned()).into());
    };
    let found = store.classes(pattern.least(), pattern.greatest(), 2);
    let found = found.map_err(CensusError::from)?;
    match found.as_slice() {
        [(key, _)] => Ok(*key),
        [] => Err(CiteError("no class of this census has a key that begins so".to_owned()).into()),
        _ => Err(CiteError(
            "several classes of this census have keys that begin so; give more digits".to_owned(),
        )
        .into()),
    }
}

fn class(
    store: Option<&Store>,
    key: &ClassKey,
    known: Option<(&String, u64)>,
) -> Result<Reference, Failure> {
    if let Some((name, order)) = known {
        return Ok(Reference::class(key, Some(name), Some(order)));
    }
    let Some(store) = store else {
        return Ok(Reference::class(key, None, None));
    };
    let failed = CensusError::from;
    let name = ClassNames::default().of(store, key).map_err(failed)?;
    let stored = store.class(key).map_err(failed)?;
    let order = stored.map(|stored| u64::from(stored.order));
    Ok(Reference::class(key, name.as_deref(), order))
}

fn query(store: &Store, filter: Filter) -> Result<Reference, Failure> {
    let document = selection::document(&filter);
    let asked = misere_query::Query {
        filter,
        ..misere_query::Query::default()
    };
    let mut found = 0;
    let counted = misere_store::answers::visit(store, &asked, &mut |_| {
        found += 1;
        std::ops::ControlFlow::Continue(())
    });
    counted.map_err(CensusError::from)?;
    Ok(Reference::query(&words(&document), found, &digest(store)?))
}

/// Formats conditions in words: `order 8..40, status solved`.
fn words(selection: &Value) -> String {
    let one = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => {
            let all = all
                .iter()
                .map(|one| one.as_str().map_or(one.to_string(), str::to_owned));
            all.collect::<Vec<_>>().join(" or ")
        }
        other => other.to_string(),
    };
    let pairs = selection.as_object().into_iter().flatten();
    let pairs = pairs.map(|(name, value)| format!("{name} {}", one(value)));
    pairs.collect::<Vec<_>>().join(", ")
}
