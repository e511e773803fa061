//! The command `misere`: misère quotients of impartial games, solved, verified and explained.
//!
//! One file per subcommand; each parses its arguments into typed values, runs, and ends in an
//! `Exit` or a `Failure`. The command is a library with one function, [`run`], because it is
//! called in two ways: as the program (`main.rs`), and from the Python package (`common/python`).
#![allow(
    unreachable_pub,
    reason = "`run` alone is exported; `pub` marks what the files offer one another"
)]
#![cfg_attr(
    not(feature = "census"),
    allow(
        dead_code,
        reason = "some of what the files share is used by the census alone"
    )
)]
// A failed write to standard error must not end the process: `notice!` ignores it.
#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[macro_use]
mod notice;

mod analyze;
mod automaton;
mod automaton_text;
#[cfg(feature = "census")]
mod census;
#[cfg(feature = "census")]
mod census_error;
mod checkpoint_file;
#[cfg(feature = "census")]
mod cite;
mod classification_text;
mod classify;
mod compare;
mod computation;
#[cfg(feature = "census")]
mod coordinator;
mod deferred;
mod destination;
#[cfg(all(test, feature = "census"))]
mod documented;
mod exit;
mod explain;
#[cfg(feature = "census")]
mod export;
mod form;
mod genus;
#[cfg(feature = "census")]
mod health;
mod help;
mod identify;
#[cfg(feature = "census")]
mod isolation;
mod known;
mod law_text;
#[cfg(feature = "census")]
mod logging;
mod manual;
mod normal;
mod normal_play;
mod outcome;
#[cfg(feature = "census")]
mod page;
#[cfg(feature = "census")]
mod place;
mod play;
mod position;
mod present;
#[cfg(feature = "census")]
mod query;
mod quotient_source;
mod read_error;
#[cfg(feature = "census")]
mod report;
mod result_file;
mod rules_file;
mod search;
#[cfg(feature = "census")]
mod security;
#[cfg(feature = "census")]
mod serve;
#[cfg(feature = "census")]
mod serving;
mod settings;
mod shell;
#[cfg(feature = "census")]
mod show;
mod signals;
mod solution_text;
mod solve;
mod terminal;
mod threads;
#[cfg(feature = "census")]
mod traces;
mod usage;
mod verify;
mod watch;
#[cfg(feature = "census")]
mod worker;
#[cfg(feature = "census")]
mod worker_child;

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::builder::Styles;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use signal_hook::consts::{SIGABRT, SIGXFSZ};
use signal_hook::flag;

use deferred::Deferred;
use exit::{Exit, Failure};
use terminal::ColorChoice;

/// The version, with the commit if the build names it (`make` does).
const VERSION: &str = match option_env!("MISERE_VERSION") {
    Some(named) => named,
    None => env!("CARGO_PKG_VERSION"),
};

/// The place of the options of all commands, below those of the command called.
const SHARED: usize = 900;

/// Misère quotients of impartial games: solve, verify, and count them all.
#[derive(Debug, Parser)]
#[command(name = "misere", version = VERSION, after_help = usage::EXIT_CODES)]
struct CommandLine {
    /// Color the output: auto, always or never
    #[arg(
        long,
        global = true,
        display_order = SHARED,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true
    )]
    color: ColorChoice,
    /// Show no progress
    #[arg(short, long, global = true, display_order = SHARED)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find the misère quotient of a game, its pretending function and its period
    Solve(Deferred<solve::SolveArgs>),
    /// Find the outcome of a position and every winning move
    Outcome(Deferred<outcome::OutcomeArgs>),
    /// Find the genera of heaps and positions: tame, restive, restless or wild
    Genus(Deferred<genus::GenusArgs>),
    /// Find the simplest form of a game in misère play
    Form(Deferred<form::FormArgs>),
    /// Find games by their nim-values, outcomes, genera or orders
    Search(Deferred<search::SearchArgs>),
    /// Tell whether two games are equal in misère play, and what tells them apart
    Compare(Deferred<compare::CompareArgs>),
    /// Present an infinite misère quotient by relations, or compare two of its positions
    Present(Deferred<present::PresentArgs>),
    /// Decide every position of a game that grows by an automaton, proved for all heaps
    Automaton(Deferred<automaton::AutomatonArgs>),
    /// Print the proof of what is known of a game, to be read
    Explain(Deferred<explain::ExplainArgs>),
    /// Play a game against the program, which knows the solution
    Play(Deferred<play::PlayArgs>),
    /// Compute the normal play of many games to many heaps, and list what is known
    Normal(Deferred<normal::NormalArgs>),
    /// Check certificates from scratch, independently of the solver
    Verify(Deferred<verify::VerifyArgs>),
    /// List all misère quotients of small order, up to isomorphism
    Classify(Deferred<classify::ClassifyArgs>),
    /// Show all that is known of a game or a class of quotients, with its reference
    #[cfg(feature = "census")]
    Show(Deferred<show::ShowArgs>),
    /// Find the class of a quotient, and the games that have it
    Identify(Deferred<identify::IdentifyArgs>),
    /// Find the structure of a quotient: idempotents, kernel, series, automorphisms
    Analyze(Deferred<analyze::AnalyzeArgs>),
    /// Plan, run, resume and inspect a census: every game of a range
    #[cfg(feature = "census")]
    Census(Deferred<census::CensusArgs>),
    /// Serve a census to workers on any number of machines
    #[cfg(feature = "census")]
    Coordinator(Deferred<coordinator::CoordinatorArgs>),
    /// Compute games for a coordinator
    #[cfg(feature = "census")]
    Worker(Deferred<worker::WorkerArgs>),
    /// List the games of a census that satisfy given conditions
    #[cfg(feature = "census")]
    Query(Deferred<query::QueryArgs>),
    /// Make tables and pictures from a census
    #[cfg(feature = "census")]
    Report(Deferred<report::ReportArgs>),
    /// Write a census for other programs: JSON Lines, CSV, SQLite, GAP, Sage, b-files
    #[cfg(feature = "census")]
    Export(Deferred<export::ExportArgs>),
    /// Cite the program, a census, a game, a class or a query: BibTeX or a line of text
    #[cfg(feature = "census")]
    Cite(Deferred<cite::CiteArgs>),
    /// Show a census as a web page, read-only
    #[cfg(feature = "census")]
    Serve(Deferred<serve::ServeArgs>),
    /// Write the pages of a census as files, which need no server
    #[cfg(feature = "census")]
    Page(Deferred<page::PageArgs>),
    /// Print the completion script of a shell
    Completions(Deferred<manual::CompletionsArgs>),
    /// Print the manual page of the command or of one of its subcommands
    Man(Deferred<manual::ManArgs>),
    /// Check that a coordinator or a worker is alive, for containers and services
    #[cfg(feature = "census")]
    Health(Deferred<health::HealthArgs>),
    /// Compute tasks for the worker that started this process
    #[cfg(feature = "census")]
    #[command(name = misere_worker::child::CHILD_COMMAND, hide = true)]
    WorkerChild,
}

/// Runs a command line, whose first word is the name of the program, and returns the exit code.
///
/// It takes over the standard streams, the signals that end a computation, and the threads of rayon,
/// so it is called once in a process.
#[must_use]
pub fn run(given: &[OsString]) -> u8 {
    notice::note_arguments(given);
    signals::note_ignored();
    errors_for_large_files();
    terminal::settle(ColorChoice::Auto, false);
    let ended = called(given);
    let stopped_by = watch::last_stop().map(|by| format!("{by}{}", by.advice()));
    exit::report(ended, stopped_by) as u8
}

/// Runs the command that a command line calls.
fn called(given: &[OsString]) -> Result<Exit, Failure> {
    if let Err(fault) = settings::load(CommandLine::command) {
        return help_asked_for(given).unwrap_or_else(|| Err(fault.into()));
    }
    match parsed(given).and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(line) => {
            terminal::settle(line.color, line.quiet);
            run_command(&line.command)
        }
        // The version needs no description of the options.
        Err(error) if error.kind() == ErrorKind::DisplayVersion => usage::help(&error),
        Err(error) => help_asked_for(given).unwrap_or_else(|| {
            let line = settings::applied(whole(Styles::plain(), given), "");
            usage::explain(fault_of(&line, given).unwrap_or(error), given, &line)
        }),
    }
}

/// Parses a command line with the defaults of the user, but for those that it contradicts.
fn parsed<T: AsRef<OsStr>>(given: &[T]) -> Result<ArgMatches, clap::Error> {
    let mut line = deferred::command_line::<CommandLine>();
    let matches = line.try_get_matches_from_mut(given)?;
    match settings::leave_contradictions_out(&line, &matches) {
        true => deferred::command_line::<CommandLine>().try_get_matches_from(given),
        false => Ok(matches),
    }
}

/// Returns the help or the version, if the arguments ask for it.
///
/// Faulty settings do not prevent it, since the help says how to fix them.
fn help_asked_for(given: &[OsString]) -> Option<Result<Exit, Failure>> {
    let line = whole(Styles::default(), given);
    let asked = fault_of(&line, given)?;
    usage::is_help(&asked).then(|| usage::explain(asked, given, &line))
}

/// Makes the command line with all options.
///
/// It costs more than a short game, so it is made only for a text that is shown.
///
/// `-h` asks for a summary of its help.
fn whole(styles: Styles, given: &[OsString]) -> clap::Command {
    let command = help::uniform(CommandLine::command().styles(styles));
    let command = match given.iter().any(|word| word == "-h") {
        true => help::summarized(command),
        false => command,
    };
    help::fitted(help::grouped(command, help::width()), help::width())
}

/// Returns the help or the error of a command line that cannot be run.
fn fault_of(line: &clap::Command, given: &[OsString]) -> Option<clap::Error> {
    let matches = line.clone().try_get_matches_from(given);
    matches
        .and_then(|matches| CommandLine::from_arg_matches(&matches))
        .err()
}

/// Makes exceeding `ulimit -f` an error like a full disk.
///
/// By default the system would end the process.
fn errors_for_large_files() {
    // If this is refused, exceeding the limit ends the process, as by default.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Makes an abort for lack of memory a failure with an exit code.
///
/// The allocator writes the reason, and then aborts.
fn aborts_are_failures() {
    let always = Arc::new(AtomicBool::new(true));
    // If this is refused, the abort ends the process by a signal, as by default.
    let _ = flag::register_conditional_shutdown(SIGABRT, Exit::Failed as i32, always);
}

fn run_command(command: &Command) -> Result<Exit, Failure> {
    // The child of a worker obeys only its worker.
    #[cfg(feature = "census")]
    let hears = !matches!(command, Command::WorkerChild);
    #[cfg(not(feature = "census"))]
    let hears = true;
    if hears {
        aborts_are_failures();
        watch::leave_nothing_when_stopped()?;
    }
    match command {
        Command::Solve(args) => solve::run(args),
        Command::Outcome(args) => outcome::run(args),
        Command::Genus(args) => genus::run(args),
        Command::Form(args) => form::run(args),
        Command::Search(args) => search::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Present(args) => present::run(args),
        Command::Automaton(args) => automaton::run(args),
        Command::Play(args) => play::run(args),
        Command::Normal(args) => normal::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Classify(args) => classify::run(args),
        Command::Explain(args) => explain::run(args),
        #[cfg(feature = "census")]
        Command::Show(args) => show::run(args),
        Command::Identify(args) => identify::run(args),
        Command::Analyze(args) => analyze::run(args),
        #[cfg(feature = "census")]
        Command::Query(args) => query::run(args),
        #[cfg(feature = "census")]
        Command::Census(args) => census::run(args),
        #[cfg(feature = "census")]
        Command::Coordinator(args) => coordinator::run(args),
        #[cfg(feature = "census")]
        Command::Worker(args) => worker::run(args),
        #[cfg(feature = "census")]
        Command::Report(args) => report::run(args),
        #[cfg(feature = "census")]
        Command::Export(args) => export::run(args),
        #[cfg(feature = "census")]
        Command::Cite(args) => cite::run(args),
        #[cfg(feature = "census")]
        Command::Serve(args) => serve::run(args),
        #[cfg(feature = "census")]
        Command::Page(args) => page::run(args),
        Command::Completions(args) => {
            manual::completions(args, help::uniform(CommandLine::command()))
        }
        #[cfg(feature = "census")]
        Command::Health(args) => health::run(args),
        #[cfg(feature = "census")]
        Command::WorkerChild => worker_child::run(),
        Command::Man(args) => manual::man(args, CommandLine::command()),
    }
}
