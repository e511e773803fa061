//! The proof of a solution in JSON, and the rejection of a false claim.
//!
//! The program proves a solution from the code of the game alone, without the program that found
//! it. Then it changes the value of the last heap and prints the first fault:
//!
//! ```text
//! misere solve 0.123 --out 0.123.json
//! cargo run --release -p misere-engine --example verify -- 0.123.json
//! ```
//!
//! Without a file the program solves 0.123 itself.

use misere_check::check_within;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::Document;

/// About a minute of one core.
const FUEL: u64 = 60_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let json = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => solved("0.123")?,
    };
    let document: Document = serde_json::from_str(&json)?;
    let mut solution = document.into_solution()?;
    check_within(&solution, &mut control())?;
    println!(
        "{}: {:?} is proved, with a quotient of order {}",
        solution.code,
        solution.verdict,
        solution.quotient.order()
    );

    let Some(last) = solution.phi.last_mut() else {
        return Ok(());
    };
    *last = if *last == 0 { 1 } else { 0 };
    match check_within(&solution, &mut control()) {
        Err(flaw) => println!("with another value for the last heap: {flaw}"),
        Ok(()) => println!("with another value for the last heap it is proved, too"),
    }
    Ok(())
}

fn control() -> Control {
    Control::new(FUEL, Interrupt::default())
}

fn solved(code: &str) -> Result<String, Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let solution = solve(&code.parse()?, &limits, Strategy::Exact, &mut control());
    Ok(serde_json::to_string(&Document::new(&solution))?)
}
