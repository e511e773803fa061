//! The misère quotient of a game, and the outcome of a position.
//!
//! The program prints the order of the quotient, its presentation, the values of the first heaps,
//! the period if one is proved, and the winner of the position with the given heaps:
//!
//! ```text
//! cargo run --release -p misere-engine --example solve -- 0.123 3 5 8
//! ```

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::readable::Readable;
use misere_game::monoid::word::lex_least_words;
use misere_game::ruleset::Code;

/// About ten seconds of one core.
const FUEL: u64 = 10_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let code: Code = arguments.next().as_deref().unwrap_or("0.123").parse()?;
    let heaps: Vec<u32> = arguments
        .map(|heap| heap.parse())
        .collect::<Result<_, _>>()?;

    let mut control = Control::new(FUEL, Interrupt::default());
    let solution = solve(&code, &Limits::default(), Strategy::Exact, &mut control);
    let quotient = &solution.quotient;
    println!(
        "{code} to heap {}: order {}, {} elements in P, fuel {}",
        solution.heaps(),
        quotient.order(),
        quotient.p_size(),
        solution.fuel
    );
    println!("{}", Readable::of(quotient));
    let words = lex_least_words(quotient);
    for (heap, &value) in solution.phi.iter().enumerate().take(10) {
        println!("Φ({heap}) = {}", words[value as usize]);
    }
    if let Some((period, preperiod)) = solution.verdict.period() {
        println!("Φ(n + {period}) = Φ(n) from n = {preperiod} on (proved)");
    } else {
        println!("beyond these heaps: {:?}", solution.verdict);
    }

    // The value of a position is the product of the values of its heaps.
    let mut value = 0;
    for &heap in &heaps {
        let of_heap = solution.phi.get(heap as usize).ok_or("a heap is unknown")?;
        let word = words[*of_heap as usize].0.iter().copied().enumerate();
        value = quotient.product_from(value, word);
    }
    let outcome = if quotient.in_p(value) { "P" } else { "N" };
    println!("the position {heaps:?} is {outcome}");
    Ok(())
}
