//! The time that a classification takes, and the number of its attempts.
//!
//! `classification N` prints both, order by order.

use std::time::Instant;

use misere_algebra::classify::Classifier;
use misere_game::control::{Control, Stop};

fn main() -> Result<(), Stop> {
    let most = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let mut classifier = Classifier::new(most.unwrap_or(14));
    let mut control = Control::unlimited();
    let started = Instant::now();
    while let Some(level) = classifier.next_order(&mut control)? {
        println!(
            "order {}: {} quotients, {} candidates, {} carriers, {} entries tried, fuel {}, {:.2} s",
            level.order,
            level.quotients.len(),
            level.candidates,
            level.carriers,
            level.nodes,
            level.fuel,
            started.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
