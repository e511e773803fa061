//! How fast and how far? The figures that `benches/frontier.sh` prints.
//!
//! `frontier chart FUEL FILE` solves every code in the first column of a table, one after the other on one thread, and
//! prints what each verdict cost in all; `frontier reach CODE HEAP` solves one game as far as a heap. Processor time and peak memory
//! are those of the process, as Linux counts them.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;

use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::{Limits, Strategy, solve};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Solution, document::status_names};

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["chart", fuel, file] => chart(fuel, file),
        ["reach", code, heap] => reach(code, heap),
        _ => Err("use: frontier chart FUEL FILE | frontier reach CODE HEAP".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn chart(fuel: &str, file: &str) -> Result<(), Failure> {
    let fuel: u64 = fuel.parse()?;
    let table = fs::read_to_string(file)?;
    let codes = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .map(str::parse::<Code>)
        .collect::<Result<Vec<_>, _>>()?;
    let mut by_verdict: BTreeMap<&str, (u32, f64, f64)> = BTreeMap::new();
    for code in &codes {
        let before = processor_seconds()?;
        let solution = solved(code, Limits::default().max_heap, fuel);
        let seconds = processor_seconds()? - before;
        let (codes, total, longest) = by_verdict
            .entry(status_names(solution.verdict).0)
            .or_default();
        *codes += 1;
        *total += seconds;
        *longest = longest.max(seconds);
    }
    for (verdict, (codes, total, longest)) in by_verdict {
        println!("{verdict:>14}  {codes:4} codes  {total:9.3} s in all  {longest:8.3} s at most");
    }
    println!("{:>14}  {} KiB", "memory", peak_memory()?);
    Ok(())
}

fn reach(code: &str, heap: &str) -> Result<(), Failure> {
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

fn solved(code: &Code, max_heap: u32, fuel: u64) -> Solution {
    let limits = Limits {
        max_heap,
        max_evidence: 0,
        ..Limits::default()
    };
    let control = &mut Control::new(fuel, Interrupt::default());
    solve(code, &limits, Strategy::Exact, control)
}

/// Processor time of this process, all threads.
fn processor_seconds() -> Result<f64, Failure> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir("/proc/self/task")? {
        let schedule = fs::read_to_string(thread?.path().join("schedstat"))?;
        let spent = schedule.split_whitespace().next().ok_or("no schedstat")?;
        nanoseconds += spent.parse::<f64>()?;
    }
    Ok(nanoseconds / 1e9)
}

fn peak_memory() -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
