//! `misere report summary`: what came out of a census.

use std::path::PathBuf;

use misere_coordinator::report::Summary;
use misere_coordinator::report::summary::{GrowingGame, RelativeGame, Tally, WildGame};
use misere_coordinator::store::Store;
use misere_theory::bipartite::ClassKey;
use misere_theory::ruleset::Code;
use misere_theory::solution::Stages;
use serde_json::{Value, json};

use crate::census::{CensusFailure, describe_budget, plan_document};
use crate::exit::{Exit, Failure};
use crate::quantity::write_fuel;
use crate::report::levels;
use crate::terminal;

/// Digits of a class key that are shown in tables; enough to tell the classes of a census apart.
const SHORT_KEY: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report summary --data census
  misere report summary --data census --format json

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct SummaryArgs {
    /// The directory of the census
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Runs `misere report summary`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &SummaryArgs) -> Result<Exit, Failure> {
    let store = Store::open_read_only(&args.data).map_err(CensusFailure::from)?;
    let summary = Summary::of(&store).map_err(CensusFailure::from)?;
    if args.json || args.format == Format::Json {
        terminal::print_json(&document(&summary))?;
    } else {
        terminal::print(&text(&summary))?;
    }
    Ok(Exit::Done)
}

/// The summary for people.
pub fn text(summary: &Summary) -> String {
    let counters = summary.counters;
    let mut text = format!(
        "Census of {}\n{}",
        summary.plan.space(),
        describe_budget(&summary.plan),
    );
    if summary.plan.space().has_games() {
        text.push_str(&games_text(summary));
    }
    text.push_str(&levels::text(summary));
    if counters.quarantined > 0 && !summary.plan.space().has_games() {
        let quarantined = counters.quarantined;
        text.push_str(&format!("{quarantined} batches are in quarantine\n"));
    }
    let unfinished = if summary.is_complete() {
        ""
    } else {
        " (not complete)"
    };
    text.push_str(&format!("digest {}{unfinished}\n", summary.digest));
    text
}

/// What came of the games.
fn games_text(summary: &Summary) -> String {
    let counters = summary.counters;
    let batches: u64 = summary.levels.iter().map(|at| at.level.tasks).sum();
    let mut text = format!(
        "{} rulesets ({} codes)\n\n",
        counters.tasks - batches,
        counters.codes,
    );
    let rows = [
        ("solved", summary.solved),
        ("  tame", summary.tame),
        ("  wild", summary.wild),
        ("tame relative", summary.tame_relative),
        ("  periodic", summary.tail_periodic),
        ("diverging", summary.diverging),
        ("growing", summary.growing),
        ("exhausted", summary.exhausted()),
        ("  fuel", summary.out_of_fuel),
        ("  max-heap", summary.at_max_heap),
        ("  max-order", summary.at_max_order),
    ];
    text.push_str(&format!("{:<14}{:>9}{:>9}\n", "", "rulesets", "codes"));
    for (name, Tally { rulesets, codes }) in rows {
        text.push_str(&format!("{name:<14}{rulesets:>9}{codes:>9}\n"));
    }
    if counters.quarantined > 0 {
        text.push_str(&format!(
            "{:<14}{:>9}\n",
            "in quarantine", counters.quarantined
        ));
    }
    if counters.dropped > 0 {
        text.push_str(&format!("{:<14}{:>9}\n", "given up", counters.dropped));
    }
    if counters.pending() > 0 {
        text.push_str(&format!("{:<14}{:>9}\n", "to do", counters.pending()));
    }
    text.push('\n');
    if !summary.wild_games.is_empty() {
        text.push_str(&format!(
            "Wild games solved ({})\n",
            summary.wild_games.len()
        ));
        text.push_str(&wild_table(&summary.wild_games));
        text.push('\n');
    }
    if !summary.relative_games.is_empty() {
        text.push_str(&format!(
            "Tame relative to a heap ({}): from there on misère play is normal play\n",
            summary.relative_games.len()
        ));
        text.push_str(&relative_table(&summary.relative_games));
        text.push('\n');
    }
    if !summary.growing_games.is_empty() {
        text.push_str(&format!(
            "Partial quotients grow in a pattern ({}): a conjecture, tested to the heap given\n",
            summary.growing_games.len()
        ));
        text.push_str(&growing_table(&summary.growing_games));
        text.push('\n');
    }
    for why in &summary.quarantine {
        text.push_str(&format!(
            "in quarantine: {} after {} attempts: {}\n",
            why.name, why.failures, why.failure
        ));
    }
    text.push_str(&format!(
        "{} classes of isomorphic quotients among the solved games, {} among all partial quotients\n",
        summary.classes_solved, summary.classes_met,
    ));
    if let Some((order, code)) = &summary.largest {
        text.push_str(&format!(
            "largest quotient proved: order {order} ({code})\n"
        ));
    }
    text.push_str(&format!("fuel spent: {}\n", write_fuel(summary.fuel)));
    text
}

/// The wild games, one line each; aliases stand at the end, where they may be long.
fn wild_table(games: &[WildGame]) -> String {
    let width = width(games.iter().map(|game| &game.code));
    let mut text = format!(
        "{:<width$} {:>6} {:>5} {:>7} {:>10}  {:<SHORT_KEY$}  {:<6} same game\n",
        "code", "order", "|P|", "period", "preperiod", "class", "name"
    );
    for game in games {
        let line = format!(
            "{:<width$} {:>6} {:>5} {:>7} {:>10}  {:<SHORT_KEY$}  {:<6} {}",
            game.code.to_string(),
            game.order,
            game.p_size,
            game.period,
            game.preperiod,
            short_key(&game.class),
            game.name.as_deref().unwrap_or(""),
            spaced(&game.aliases),
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn relative_table(games: &[RelativeGame]) -> String {
    let width = width(games.iter().map(|game| &game.code));
    let mut text = format!(
        "{:<width$} {:>5} {:>6} {:>7} {:>10} {:>9} {:>9}  same game\n",
        "code", "heap", "order", "period", "preperiod", "nim heaps", "stages"
    );
    for game in games {
        let nim = game.tail.nim_period;
        let or_dash = |number: Option<u32>| number.map_or("-".to_owned(), |n| n.to_string());
        let stages = match stages(game.tail.stages) {
            (Some(stages), _) => stages.to_string(),
            (None, at_least) => format!(">= {at_least}"),
        };
        let line = format!(
            "{:<width$} {:>5} {:>6} {:>7} {:>10} {:>9} {:>9}  {}",
            game.code.to_string(),
            game.heap,
            game.order,
            or_dash(nim.map(|nim| nim.period)),
            or_dash(nim.map(|nim| nim.preperiod)),
            game.tail.nim_heaps,
            stages,
            spaced(&game.aliases),
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn growing_table(games: &[GrowingGame]) -> String {
    let width = width(games.iter().map(|game| &game.code));
    let mut text = format!(
        "{:<width$} {:>5} {:>7} {:>6} {:>6}  same game\n",
        "code", "start", "period", "heaps", "order"
    );
    for game in games {
        let line = format!(
            "{:<width$} {:>5} {:>7} {:>6} {:>6}  {}",
            game.code.to_string(),
            game.start,
            game.period,
            game.heaps,
            game.order,
            spaced(&game.aliases),
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The number of tame extensions if it is known, and a lower bound for it.
fn stages(stages: Stages) -> (Option<u32>, u32) {
    match stages {
        Stages::Known(stages) => (Some(stages), stages),
        Stages::AtLeast(stages) => (None, stages),
    }
}

fn width<'a>(codes: impl Iterator<Item = &'a Code>) -> usize {
    codes
        .map(|code| code.to_string().len())
        .max()
        .unwrap_or(0)
        .max(4)
}

fn spaced(codes: &[Code]) -> String {
    let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
    codes.join(" ")
}

fn short_key(class: &ClassKey) -> String {
    class.to_string().chars().take(SHORT_KEY).collect()
}

/// The summary as JSON.
pub fn document(summary: &Summary) -> Value {
    let tally = |Tally { rulesets, codes }: Tally| json!({ "rulesets": rulesets, "codes": codes });
    let counters = summary.counters;
    let wild = summary.wild_games.iter().map(|game| {
        json!({
            "code": game.code,
            "aliases": game.aliases,
            "order": game.order,
            "p_size": game.p_size,
            "generators": game.generators,
            "period": game.period,
            "preperiod": game.preperiod,
            "class": game.class,
            "name": game.name,
        })
    });
    let relative = summary.relative_games.iter().map(|game| {
        let (stages, at_least) = stages(game.tail.stages);
        json!({
            "code": game.code,
            "aliases": game.aliases,
            "heap": game.heap,
            "order": game.order,
            "nim_heaps": game.tail.nim_heaps,
            "nim_period": game.tail.nim_period.map(|nim| nim.period),
            "nim_preperiod": game.tail.nim_period.map(|nim| nim.preperiod),
            "stages": stages,
            "stages_at_least": at_least,
        })
    });
    let growing = summary.growing_games.iter().map(|game| {
        json!({
            "code": game.code,
            "aliases": game.aliases,
            "start": game.start,
            "period": game.period,
            "heaps": game.heaps,
            "order": game.order,
        })
    });
    let quarantine = summary.quarantine.iter().map(|why| {
        json!({ "code": why.name, "attempts": why.failures, "reason": why.failure.to_string() })
    });
    json!({
        "schema": 1,
        "plan": plan_document(&summary.plan),
        "tasks": counters.tasks,
        "codes": counters.codes,
        "pending": counters.pending(),
        "complete": summary.is_complete(),
        "solved": tally(summary.solved),
        "tame": tally(summary.tame),
        "wild": tally(summary.wild),
        "tame_relative": {
            "all": tally(summary.tame_relative),
            "periodic": tally(summary.tail_periodic),
        },
        "diverging": tally(summary.diverging),
        "growing": tally(summary.growing),
        "exhausted": {
            "all": tally(summary.exhausted()),
            "fuel": tally(summary.out_of_fuel),
            "max-heap": tally(summary.at_max_heap),
            "max-order": tally(summary.at_max_order),
        },
        "quotients": levels::document(summary),
        "classes": { "solved": summary.classes_solved, "met": summary.classes_met },
        "largest": summary.largest.as_ref().map(|(order, code)| json!({ "order": order, "code": code })),
        "fuel": summary.fuel,
        "wild_games": wild.collect::<Vec<_>>(),
        "tame_relative_games": relative.collect::<Vec<_>>(),
        "growing_games": growing.collect::<Vec<_>>(),
        "quarantine": quarantine.collect::<Vec<_>>(),
        "digest": summary.digest.to_string(),
    })
}
