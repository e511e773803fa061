//! `misere query`: the games of a census that satisfy given conditions.
//!
//! A census that is not running is read from its directory; a running one is queried through its
//! coordinator. Answers are printed as they come.

mod arguments;
mod columns;
mod print;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::ControlFlow;
use std::path::Path;

use misere_coordinator::local::{self, SocketError};
use misere_coordinator::rpc::find::{self, AnswerSummary};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use misere_proto::{Security, endpoint};
use misere_query::{CodePattern, Filter, Query, RecordDocument};
use misere_store::answers::{self, QueryStats};
use misere_store::{ClassNames, Store, StoreError};
use tonic::transport::Endpoint;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::place::PlaceArgs;
use crate::security::SecurityArgs;
pub use arguments::Conditions;
use arguments::QueryConditions;
use print::Printer;

/// The arguments of `misere query`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere query --data census --status solved --wild --period 2
      every wild solved game of period 2
  misere query kayles --data census            one game, by name or code
  misere query --data census --code '0.7?'     0.7, 0.71, … 0.77; ? is one
                                               digit, * any number
  misere query --data census --code 4.4        by any of its codes: the record
                                               of 0.77
  misere query --data census --class R_8 --jsonl
      games with the quotient R_8, one JSON document a line
  misere query --data census --wild --tsv      one game a line, a tab between
                                               columns
  misere query --data census --class 0.123     games with the quotient of 0.123
  misere query --data census --any-class 1f00a3b2
      games with a partial quotient of this class
  misere query --data census --sort order --descending --limit 10
      the largest quotients
  misere query --data census --diverges-at 10..20 --count
  misere query --data census --first-wild ..8 --genus restive
      wild by its genus to heap 8, with a restive heap
  misere query --data census --wild --random   some wild game
  misere query --coordinator https://census.lab.example:7117 --status grows
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

Ranges include both ends: 6..20, 6.., ..20, 6. All conditions have to hold.
Without --limit everything is printed, as it is found.

Exit codes: 0 done, even if nothing was found, 1 failed, 2 usage.")]
pub struct QueryArgs {
    /// A game, by its code or name, or a pattern of codes as of --code
    #[arg(value_name = "GAME", conflicts_with = "code")]
    game: Option<CodePattern>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    conditions: QueryConditions,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Print one JSON document for each game, one a line
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
    /// Print a table with a tab between columns, for spreadsheets and scripts
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    tsv: bool,
    /// Print only the number of answers, whatever the limit
    #[arg(long, conflicts_with_all = ["jsonl", "tsv", "limit", "offset"])]
    count: bool,
    /// Print one game, drawn at random among those that satisfy the conditions
    #[arg(long, conflicts_with_all = ["count", "limit", "offset"])]
    random: bool,
    /// Also say by which indexes the answers were found, and what was read for them
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    security: SecurityArgs,
}

/// Runs `misere query`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read or its coordinator cannot be queried.
pub fn run(args: &QueryArgs) -> Result<Exit, Failure> {
    let mut asked = args.conditions.query(|game| args.class_of(game))?;
    if args.game.is_some() {
        asked.filter.code.clone_from(&args.game);
    }
    if let Some(pattern) = &asked.filter.code {
        remark(pattern);
    }
    if args.count {
        let counted = args.count(&asked.filter)?;
        Printer::count(args.json).finish(&asked, &counted, args.explain)?;
        return Ok(Exit::Done);
    }
    let mut query = asked.clone();
    if args.random {
        let found = args.count(&asked.filter)?.found;
        let drawn = RandomState::new().build_hasher().finish();
        query.offset = drawn.checked_rem(found).unwrap_or(0);
        query.limit = Some(1);
    }
    let mut printer = match (args.json, args.jsonl) {
        (true, _) => Printer::json(),
        (_, true) => Printer::json_lines(),
        _ if args.tsv => Printer::columns(),
        _ => Printer::text(matches!(asked.filter.code, Some(CodePattern::Exactly(_)))),
    };
    let mut failure = None;
    let mut take = |record: RecordDocument| match printer.take(&record) {
        Ok(()) => ControlFlow::Continue(()),
        Err(why) => {
            failure = Some(why);
            ControlFlow::Break(())
        }
    };
    let found = args.find(&query, &mut take)?;
    match failure {
        Some(failure) => Err(failure),
        None => {
            printer.finish(&asked, &found, args.explain)?;
            if let (0, Some(CodePattern::Exactly(code))) = (found.found, &asked.filter.code) {
                args.name_same_game(code)?;
            }
            Ok(Exit::Done)
        }
    }
}

/// Remarks on a pattern that may have been meant otherwise.
fn remark(pattern: &CodePattern) {
    let text = pattern.to_string();
    match pattern {
        CodePattern::Exactly(_) if text == "*" => {
            notice!(
                "note: `*` is a game, the nim-heap of one bean; the pattern of all codes is `*.*`"
            );
        }
        CodePattern::Like { .. } if text.ends_with(']') && text.parse::<Code>().is_ok() => {
            notice!(
                "note: the brackets of `{text}` are a set of digits; a code without end is asked for \
                 with its digits out of order, as 0.30[30] for 0.3[03]"
            );
        }
        CodePattern::Exactly(_) | CodePattern::Like { .. } => {}
    }
}

impl QueryArgs {
    /// Remarks on a game that the census on this machine has under another code.
    ///
    /// A census that cannot be read beside its coordinator is passed over.
    fn name_same_game(&self, code: &Code) -> Result<(), Failure> {
        let store = self.place.data.as_deref().map(Store::open_read_only);
        let Some(Ok(store)) = store else {
            return Ok(());
        };
        if let Some(other) = same_game(&store, code)? {
            notice!("note: {code} is the same game as {other}, which this census has");
        }
        Ok(())
    }

    /// Returns the class of the quotient of a game, if the census has the game.
    fn class_of(&self, game: &Code) -> Result<Option<ClassKey>, Failure> {
        let query = Query {
            filter: Filter {
                code: Some(CodePattern::Exactly(game.clone())),
                ..Filter::default()
            },
            ..Query::default()
        };
        let mut class = None;
        self.find(&query, &mut |record| {
            class = Some(record.class);
            ControlFlow::Break(())
        })?;
        Ok(class)
    }

    /// Counts the games that satisfy a filter.
    fn count(&self, filter: &Filter) -> Result<AnswerSummary, Failure> {
        self.get(&mut AnswerSink::Count(filter))
    }

    /// Passes the answers of a query to `take`, until `take` breaks off.
    fn find(
        &self,
        query: &Query,
        take: &mut dyn FnMut(RecordDocument) -> ControlFlow<()>,
    ) -> Result<AnswerSummary, Failure> {
        self.get(&mut AnswerSink::Answers(query, take))
    }

    /// Gets the answers from the directory or the coordinator that the arguments name.
    fn get(&self, wanted: &mut AnswerSink<'_>) -> Result<AnswerSummary, Failure> {
        match &self.place.coordinator {
            Some(url) => {
                let security = self.security.resolve()?;
                let endpoint = endpoint(url, &security).map_err(CensusError::from)?;
                ask(&endpoint, wanted).map_err(refused)
            }
            None => {
                let data = self.place.data.clone().unwrap_or_default();
                get_locally(&data, wanted)
            }
        }
    }
}

/// The answers wanted from a census.
enum AnswerSink<'a> {
    /// The answers of a query, passed to the callback until it breaks off.
    Answers(
        &'a Query,
        &'a mut dyn FnMut(RecordDocument) -> ControlFlow<()>,
    ),
    /// The number of games that satisfy a filter.
    Count(&'a Filter),
}

/// Returns the class of the quotient of a game, if the census has the game.
///
/// # Errors
/// A [`Failure`] if the store cannot be read.
pub fn class_of(store: &Store, game: &Code) -> Result<Option<ClassKey>, Failure> {
    let known = store.game(game).map_err(CensusError::from)?;
    Ok(known.map(|known| known.record.class))
}

/// Returns the code of a record that is the same game as a code that the census does not have.
///
/// Cost: all records.
///
/// # Errors
/// A [`Failure`] if the store cannot be read.
pub fn same_game(store: &Store, code: &Code) -> Result<Option<Code>, Failure> {
    if !code.is_take_and_break() || store.game(code).map_err(CensusError::from)?.is_some() {
        return Ok(None);
    }
    let wanted = code.signature();
    for record in store.records().map_err(CensusError::from)? {
        let record = record.map_err(CensusError::from)?;
        if record.code.signature() == wanted {
            return Ok(Some(record.code));
        }
    }
    Ok(None)
}

/// Gets the answers for a directory: through the coordinator running there, or else from disk.
fn get_locally(data: &Path, wanted: &mut AnswerSink<'_>) -> Result<AnswerSummary, Failure> {
    match local::url(data) {
        Ok(url) => {
            let endpoint = endpoint(&url, &Security::Loopback).map_err(CensusError::from)?;
            match ask(&endpoint, wanted) {
                // The coordinator has ended since.
                Err(status) if status.code() == tonic::Code::Unavailable => {}
                answer => return answer.map_err(refused),
            }
        }
        // A user who may read the directory may read the census.
        Err(SocketError::NotRunning(_) | SocketError::Refused { .. }) => {}
    }
    let store = Store::open_read_only(data).map_err(CensusError::from)?;
    let stats = read(&store, wanted).map_err(CensusError::from)?;
    Ok(AnswerSummary::new(&stats, store.counters()))
}

/// Gets the answers from the files of a census.
fn read(store: &Store, wanted: &mut AnswerSink<'_>) -> Result<QueryStats, StoreError> {
    let (query, take) = match wanted {
        AnswerSink::Answers(query, take) => (query, take),
        AnswerSink::Count(filter) => return answers::count(store, filter),
    };
    let mut names = ClassNames::default();
    let mut fault = None;
    let stats = answers::visit(
        store,
        query,
        &mut |game| match names.of(store, &game.record.class) {
            Ok(name) => take(RecordDocument::new(game, name)),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    fault.map_or(stats, Err)
}

fn ask(endpoint: &Endpoint, wanted: &mut AnswerSink<'_>) -> Result<AnswerSummary, tonic::Status> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| tonic::Status::internal(error.to_string()))?;
    match wanted {
        AnswerSink::Answers(query, take) => runtime.block_on(find::ask(endpoint, query, take)),
        AnswerSink::Count(filter) => runtime.block_on(find::ask_for_count(endpoint, filter)),
    }
}

fn refused(status: tonic::Status) -> Failure {
    CensusError::of_call(&status).into()
}
