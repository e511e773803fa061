//! Speed and reach of the engine: the figures that `benches/frontier.sh` prints.
//!
//! `frontier chart FUEL FILE` solves every code in the first column of a table, one after the other
//! on one thread, equal games only once, and prints the total cost of each verdict;
//! `frontier reach CODE HEAP` solves one game as far as a heap; `frontier check CODE HEAP` solves
//! it, has the solution checked and prints the cost of both; `frontier guard CODE HEAP TIMES` stops
//! both `TIMES` times, at moments spread over their whole length, and prints how long they took to
//! stop. Processor time and peak memory are measured for the process by Linux.
#![allow(missing_docs)]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use misere_check::check_within;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::{Code, Signature};
use misere_game::solution::{Solution, document::status_names};

type BoxError = Box<dyn std::error::Error>;

/// Costs in seconds, each with its game.
type Costs<'a> = Vec<(f64, &'a Code)>;

/// The number of most expensive games that are listed for each verdict.
const SHOWN_GAMES: usize = 24;

const USE: &str = "use: frontier chart FUEL FILE | frontier reach CODE HEAP | frontier check CODE HEAP | \
                   frontier guard CODE HEAP TIMES";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["chart", fuel, file] => chart(fuel, file),
        ["reach", code, heap] => reach(code, heap),
        ["check", code, heap] => check(code, heap),
        ["guard", code, heap, times] => guard(code, heap, times),
        _ => Err(USE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn chart(fuel: &str, file: &str) -> Result<(), BoxError> {
    let fuel: u64 = fuel.parse()?;
    let table = fs::read_to_string(file)?;
    let codes = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .map(str::parse::<Code>)
        .collect::<Result<Vec<_>, _>>()?;
    let mut verdict_of: HashMap<Signature, &str> = HashMap::new();
    let mut by_verdict: BTreeMap<&str, (u32, Costs<'_>)> = BTreeMap::new();
    for code in &codes {
        let signature = code.signature();
        let verdict = match verdict_of.get(&signature) {
            Some(verdict) => verdict,
            None => {
                let before = processor_seconds()?;
                let solution = solved(code, Limits::default().max_heap, fuel);
                let seconds = processor_seconds()? - before;
                let verdict = status_names(solution.verdict).0;
                by_verdict
                    .entry(verdict)
                    .or_default()
                    .1
                    .push((seconds, code));
                verdict_of.entry(signature).or_insert(verdict)
            }
        };
        by_verdict.entry(verdict).or_default().0 += 1;
    }
    for (verdict, (codes, mut costs)) in by_verdict {
        costs.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let (games, total) = (costs.len(), costs.iter().map(|(cost, _)| cost).sum::<f64>());
        let median = costs[games / 2].0;
        println!(
            "{verdict:>14}  {codes:4} codes, {games:4} games  {total:9.3} s in all, {median:8.4} s in the middle; the dearest:"
        );
        let dearest = costs.iter().take(SHOWN_GAMES);
        let dearest = dearest.map(|(cost, code)| format!("{code} {cost:.3}"));
        println!("{:>14}  {}", "", dearest.collect::<Vec<_>>().join(", "));
    }
    println!("{:>14}  {} KiB", "memory", peak_memory()?);
    Ok(())
}

fn reach(code: &str, heap: &str) -> Result<(), BoxError> {
    let solution = solved(&code.parse()?, heap.parse()?, u64::MAX);
    println!(
        "{code:>8}  heap {:4}  order {:6}  {:8.2} s  {:8} KiB",
        solution.heaps(),
        solution.quotient.order(),
        processor_seconds()?,
        peak_memory()?
    );
    Ok(())
}

fn check(code: &str, heap: &str) -> Result<(), BoxError> {
    let solution = solved(&code.parse()?, heap.parse()?, u64::MAX);
    let (solving, solving_memory) = (processor_seconds()?, peak_memory()?);
    check_within(&solution, &mut Control::unlimited())?;
    println!(
        "{code:>8}  heap {:4}  order {:6}  solved {solving:8.2} s {solving_memory:8} KiB  checked {:8.2} s {:8} KiB (both)",
        solution.heaps(),
        solution.quotient.order(),
        processor_seconds()? - solving,
        peak_memory()?
    );
    Ok(())
}

fn guard(code: &str, heap: &str, times: &str) -> Result<(), BoxError> {
    let (code, heap, times): (Code, u32, u32) = (code.parse()?, heap.parse()?, times.parse()?);
    let solution = solved(&code, heap, u64::MAX);
    let solving = |interrupt: &Interrupt| {
        let control = &mut Control::new(u64::MAX, interrupt.clone());
        drop(solved_within(&code, heap, control));
    };
    let checking = |interrupt: &Interrupt| {
        let control = &mut Control::new(u64::MAX, interrupt.clone());
        let _ = check_within(&solution, control);
    };
    print_stops("solving", times, solving);
    print_stops("checking", times, checking);
    Ok(())
}

/// Runs `work` to its end, then stops it `times` times, and prints how long it took to stop.
fn print_stops(name: &str, times: u32, work: impl Fn(&Interrupt)) {
    let begin = Instant::now();
    work(&Interrupt::default());
    let whole = begin.elapsed();
    let mut stops: Vec<(Duration, Duration)> = (0..times)
        .map(|turn| {
            let interrupt = Interrupt::default();
            let moment = whole * (2 * turn + 1) / (2 * times);
            let raised = thread::scope(|scope| {
                let watch = scope.spawn(|| {
                    thread::sleep(moment);
                    interrupt.raise();
                    Instant::now()
                });
                work(&interrupt);
                let stopped = Instant::now();
                watch
                    .join()
                    .map(|raised| stopped.saturating_duration_since(raised))
            });
            (raised.unwrap_or_default(), moment)
        })
        .collect();
    stops.sort_unstable();
    let at = |share: usize| {
        let index = (stops.len() * share / 100).min(stops.len().saturating_sub(1));
        stops.get(index).copied().unwrap_or_default()
    };
    let (longest, moment) = at(100);
    println!(
        "{name:>8} takes {:7.2} s; stopped {times} times it went on for {:.1?} (median), {:.1?} (nine in ten), {longest:.1?} at most \
         (raised after {moment:.2?})",
        whole.as_secs_f64(),
        at(50).0,
        at(90).0,
    );
}

fn solved(code: &Code, max_heap: u32, fuel: u64) -> Solution {
    solved_within(
        code,
        max_heap,
        &mut Control::new(fuel, Interrupt::default()),
    )
}

fn solved_within(code: &Code, max_heap: u32, control: &mut Control) -> Solution {
    let limits = Limits {
        max_heap,
        max_evidence: 0,
        ..Limits::default()
    };
    solve(code, &limits, Strategy::Exact, control)
}

/// Returns the processor time of this process, all threads.
fn processor_seconds() -> Result<f64, BoxError> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir("/proc/self/task")? {
        let schedule = fs::read_to_string(thread?.path().join("schedstat"))?;
        let spent = schedule.split_whitespace().next().ok_or("no schedstat")?;
        nanoseconds += spent.parse::<f64>()?;
    }
    Ok(nanoseconds / 1e9)
}

fn peak_memory() -> Result<u64, BoxError> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
