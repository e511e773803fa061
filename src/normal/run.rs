//! `misere normal run`: each game is a task with its own file, and a checkpoint while it runs.
//!
//! The bound is a heap, not fuel, so that the files depend only on the plan: not on the number of
//! workers, and not on where a run was stopped.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::ArgGroup;
use misere_answers::nim_values::Document;
use misere_census::normal_results::{BOUNDED, NormalPlan, NormalResults, PLAN_FILE, file_stem};
use misere_census::plan::tasks;
use misere_census::quantity::heap;
use misere_census::{Plan, Space, input_file, output_file};
use misere_check::normal_period::{NormalPeriodCheckError, check};
use misere_engine::normal::far::{Far, StopReason};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::normal_period::MAX_HEAPS;
use serde_json::{Value, json};

use super::list::line_of;
use crate::checkpoint_file::{self, CheckpointFileError};
use crate::exit::{Exit, Failure};
use crate::normal_play::NormalPlayError;
use crate::read_error::ReadError;
use crate::result_file;
use crate::terminal;
use crate::watch::{Guards, Watch};

/// The limit on the rare heaps listed for a game without a period.
const MAX_LISTED_RARE: usize = 1 << 16;
/// The greatest heap unless chosen otherwise.
const HEAPS: u32 = 1 << 20;
/// The lock file, by which one process at a time writes in a directory.
const LOCK: &str = "lock";
/// The limit on workers.
const MAX_WORKERS: u16 = 1024;

/// The arguments of `misere normal run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere normal run --digits 3 --data normal   the games of Figure 1 to heap
                                               1,048,576
  misere normal run --digits 3 --heaps 2^26 --data normal --workers 2
  misere normal run 0.6 0.07 0.007 --heaps 2^30 --data famous

A run that was stopped or killed goes on when the same command is given again.
With a greater --heaps the games without a period are computed to that heap. At
the end a digest of all files is printed, which is the same for any number of
workers. Every period is checked by `misere verify`'s checker before it is
written; `misere verify DIR/0.*.json` checks the other files, too. With `misere
serve --normal DIR` the pages of a census show the results.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 refuted by the checker.")]
#[command(group = ArgGroup::new("games").required(true))]
pub struct RunArgs {
    /// The games: codes whose moves leave at most two heaps, as 0.6 or grundy
    #[arg(value_name = "CODE", group = "games", value_parser = crate::rules_file::game)]
    codes: Vec<Code>,
    /// All octal games of at most N digits; 3 for the games of Figure 1
    #[arg(long, value_name = "N", group = "games")]
    digits: Option<u8>,
    /// The greatest heap, such as 1000000, 20M or 2^26
    #[arg(long, value_name = "N", default_value_t = HEAPS, value_parser = heaps)]
    heaps: u32,
    /// The directory of the results: a file for each game
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The number of games computed at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_WORKERS)))]
    workers: Option<u16>,
    /// Print JSON at the end, instead of a line for each game
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    guards: Guards,
}

/// Reads the greatest heap of a run.
fn heaps(text: &str) -> Result<u32, String> {
    let found = heap(text).map_err(|error| error.to_string())?;
    if (1..=MAX_HEAPS).contains(&found) {
        Ok(found)
    } else {
        Err(format!("the heap must be from 1 to {MAX_HEAPS}"))
    }
}

/// A game to be computed.
struct Game {
    code: Code,
    aliases: Vec<Code>,
}

/// Runs `misere normal run`.
///
/// # Errors
/// A [`Failure`] if the games are not of this kind, the directory belongs to another plan or
/// is in use, or a file cannot be written.
pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let games = games(args)?;
    let folder = &args.data;
    enter(folder)?;
    let _lock = lock(folder)?;
    enter_plan(args, folder, &games)?;
    let left: Vec<&Game> = games
        .iter()
        .map(|game| Ok((game, is_left(game, folder, args.heaps)?)))
        .filter_map(|of| match of {
            Ok((game, left)) => left.then_some(Ok(game)),
            Err(error) => Some(Err(error)),
        })
        .collect::<Result<_, Failure>>()?;
    let interrupt = Interrupt::default();
    let title = format!("normal play of {} games", left.len());
    let watch = Watch::start(title, &interrupt, args.guards)?;
    let computed = compute(args, folder, &left, &interrupt);
    let stopped_by = watch.finish();
    computed?;
    conclude(args, folder, &games)?;
    match stopped_by {
        None => Ok(Exit::Done),
        Some(by) => {
            notice!("interrupted {by}{}; the same command goes on", by.advice());
            Ok(Exit::Interrupted)
        }
    }
}

/// Returns the games of the plan, merging equal ones under the least of their codes.
fn games(args: &RunArgs) -> Result<Vec<Game>, Failure> {
    let usage = |error: String| NormalPlayError::Refused(error);
    let space = match args.digits {
        Some(digits) => Space::Octal { digits },
        None => Space::Codes(args.codes.clone()),
    };
    let plan = Plan::new(space, misere_census::Budget::default());
    let plan = plan.map_err(|error| usage(error.to_string()))?;
    let mut games = Vec::new();
    for task in tasks(&plan) {
        if let Some(task) = task.as_game() {
            Far::new(&task.code).map_err(|error| usage(format!("{}: {error}", task.code)))?;
            games.push(Game {
                code: task.code.clone(),
                aliases: task.aliases.clone(),
            });
        }
    }
    Ok(games)
}

/// Makes the folder, unless it exists and holds nothing but results.
fn enter(folder: &Path) -> Result<(), Failure> {
    let failed = |cause| ReadError::new(folder.display(), cause);
    std::fs::create_dir_all(folder).map_err(|cause| {
        NormalPlayError::Refused(format!(
            "cannot make the directory `{}`: {cause}; give another --data",
            folder.display()
        ))
    })?;
    if folder.join(PLAN_FILE).exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        if entry.map_err(failed)?.file_name() != LOCK {
            return Err(NormalPlayError::Refused(format!(
                "`{}` holds other files than results of normal play; give an empty or a new \
                 directory",
                folder.display()
            ))
            .into());
        }
    }
    Ok(())
}

/// Locks the folder; the lock ends with the process.
fn lock(folder: &Path) -> Result<File, Failure> {
    let path = folder.join(LOCK);
    let failed = |cause| ReadError::new(path.display(), cause);
    let file = input_file::open_or_make(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(NormalPlayError::Refused(format!(
            "another process computes in `{}`; wait for it, or give another --data",
            folder.display()
        ))
        .into()),
        Err(std::fs::TryLockError::Error(cause)) => Err(failed(cause).into()),
    }
}

/// Writes the plan, or compares it with the existing one.
fn enter_plan(args: &RunArgs, folder: &Path, games: &[Game]) -> Result<(), Failure> {
    let codes = || games.iter().map(|game| game.code.clone()).collect();
    let plan = NormalPlan {
        schema: 1,
        digits: args.digits,
        codes: args.digits.is_none().then(codes),
        heaps: args.heaps,
    };
    let file = folder.join(PLAN_FILE);
    if let Some(bytes) = output_file::read_replaced(&file)? {
        let there: NormalPlan = serde_json::from_slice(&bytes).map_err(|error| {
            NormalPlayError::Refused(format!(
                "`{}` is not a plan of normal play: {error}; give another --data",
                file.display()
            ))
        })?;
        if (&there.digits, &there.codes) != (&plan.digits, &plan.codes) {
            return Err(NormalPlayError::Refused(format!(
                "`{}` holds the normal play of other games; give the games of its `{PLAN_FILE}`, \
                 or another --data",
                folder.display()
            ))
            .into());
        }
        if there.heaps > plan.heaps {
            return Err(NormalPlayError::Refused(format!(
                "`{}` holds nim-values to heap {}; give --heaps {0} or more",
                folder.display(),
                there.heaps
            ))
            .into());
        }
        if there == plan {
            return Ok(());
        }
    }
    result_file::write(&file, &format!("{}\n", serde_json::to_string(&plan)?))
}

/// Reports whether a game is still to be computed to a heap.
fn is_left(game: &Game, folder: &Path, heaps: u32) -> Result<bool, Failure> {
    let file = result_of(folder, &game.code);
    if !file.exists() {
        return Ok(true);
    }
    let there =
        NormalResults::read(&file).map_err(|error| NormalPlayError::Refused(error.to_string()))?;
    // A nim-value that is too great ends a game before any greatest heap.
    let is_short = there.values.heaps < heaps && there.values.limit.as_deref() == Some("max-heap");
    Ok(!there.is_solved() && is_short)
}

fn result_of(folder: &Path, code: &Code) -> PathBuf {
    folder.join(format!("{}.json", file_stem(code)))
}

/// Computes games, some at the same time, until all are done or the run is stopped.
fn compute(
    args: &RunArgs,
    folder: &Path,
    left: &[&Game],
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.map_or_else(cores, usize::from);
    let workers = workers.min(left.len());
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<Failure>> = Mutex::new(None);
    let work = || {
        while !interrupt.is_raised() {
            let Some(game) = left.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            if let Err(failure) = one(args, folder, game, interrupt) {
                interrupt.raise();
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(failure);
            }
        }
    };
    if workers <= 1 {
        // All cores compute one game after the other.
        work();
    } else {
        let mut is_alone = true;
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let spawned = std::thread::Builder::new().spawn_scoped(scope, || {
                    // One core for each game: the work that a game distributes stays on its core.
                    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                    match alone {
                        Ok(pool) => pool.install(work),
                        Err(_) => work(),
                    }
                });
                // If a thread is refused, the others compute its games.
                is_alone &= spawned.is_err();
            }
        });
        if is_alone {
            work();
        }
    }
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), Err)
}

/// Computes one game, checks its period, and writes its file.
fn one(args: &RunArgs, folder: &Path, game: &Game, interrupt: &Interrupt) -> Result<(), Failure> {
    let state = folder.join(format!("{}.state", file_stem(&game.code)));
    let usage = |error: String| NormalPlayError::Refused(error);
    let mut far = match checkpoint_file::bytes(&state)? {
        None => Far::new(&game.code).map_err(|error| usage(error.to_string()))?,
        Some(bytes) => {
            let far = Far::from_bytes(&bytes, &game.code);
            let far = far.map_err(|cause| CheckpointFileError::new(&state, cause))?;
            far.0
        }
    };
    let control = &mut Control::new(u64::MAX, interrupt.clone());
    let mut keep = |far: &Far, control: &Control| {
        checkpoint_file::replace(&state, &far.to_bytes(control.fuel_spent()));
    };
    let ended = far.run_until(args.heaps, &mut keep, control);
    match &ended {
        StopReason::Interrupted => {
            keep(&far, control);
            return Ok(());
        }
        StopReason::Periodic(claim) => {
            match check(claim, &mut Control::new(u64::MAX, interrupt.clone())) {
                Ok(()) => {}
                Err(NormalPeriodCheckError::Unchecked(_)) => {
                    keep(&far, control);
                    return Ok(());
                }
                Err(flaw) if flaw.is_too_large() => {
                    return Err(NormalPlayError::Refused(format!(
                        "the period of {} was not checked, so it is not kept: {flaw}",
                        game.code
                    ))
                    .into());
                }
                Err(flaw) => {
                    return Err(NormalPlayError::RefutedPeriod {
                        code: game.code.to_string(),
                        flaw: flaw.into(),
                    }
                    .into());
                }
            }
        }
        StopReason::MaxHeap | StopReason::Fuel | StopReason::TooGreat => {}
    }
    let file = result_of(folder, &game.code);
    let document = document(&far, &ended, game);
    result_file::write(&file, &terminal::json_line(&document)?)?;
    // The checkpoint is not needed any more.
    let _ = std::fs::remove_file(&state);
    if !args.json {
        let result = NormalResults::read(&file).map_err(|error| usage(error.to_string()))?;
        terminal::print(&line_of(&result))?;
    }
    Ok(())
}

fn document<'a>(far: &'a Far, ended: &'a StopReason, game: &'a Game) -> Document<'a> {
    let claim = Document {
        aliases: Some(&game.aliases),
        ..Document::of_blocks(far, ended, BOUNDED)
    };
    let limit = match ended {
        StopReason::Periodic(_) => return claim,
        StopReason::TooGreat => "nim-value",
        _ => "max-heap",
    };
    let is_short = far.rare().len() <= MAX_LISTED_RARE;
    Document {
        limit: Some(limit),
        rare_heaps: claim.rare_heaps.filter(|_| is_short),
        ..claim
    }
}

/// Prints how many games have a period, and the digest of all files.
fn conclude(args: &RunArgs, folder: &Path, games: &[Game]) -> Result<(), Failure> {
    let mut codes: Vec<&Code> = games.iter().map(|game| &game.code).collect();
    codes.sort();
    let mut hasher = blake3::Hasher::new();
    let (mut solved, mut bounded) = (0_u32, 0_u32);
    // Nim-values that are too great end a game before the greatest heap.
    let mut known_to = args.heaps;
    for code in codes {
        let file = result_of(folder, code);
        let Some(bytes) = output_file::read_replaced(&file)? else {
            continue;
        };
        let result = NormalResults::read(&file);
        match result.map_err(|error| NormalPlayError::Refused(error.to_string()))? {
            result if result.is_solved() => solved += 1,
            result => {
                bounded += 1;
                known_to = known_to.min(result.values.heaps);
            }
        }
        hasher.update(&bytes);
    }
    let left = games.len() as u32 - solved - bounded;
    let digest = hasher.finalize().to_hex().to_string();
    if args.json {
        terminal::print_json(&json!({
            "schema": 1,
            "games": games.len(),
            "heaps": args.heaps,
            "solved": solved,
            "bounded": bounded,
            "left": left,
            "digest": if left == 0 { Value::from(digest) } else { Value::Null },
        }))?;
        return Ok(());
    }
    let games = terminal::counted(games.len() as u64, "game");
    match left {
        0 => terminal::print(&format!(
            "{games}: {solved} with a proved period, {bounded} known to heap {known_to}\ndigest {digest}\n"
        )),
        _ => terminal::print(&format!("{games}: {left} are left\n")),
    }?;
    Ok(())
}
