//! All misère quotients of small order, each with games that have it.
//!
//! The program prints a presentation of every misère quotient up to the order given, in the order
//! in which they are found, and the number of games that generate it. The checker proves each of
//! them from these games. By the theorem of `docs/classification.md` none is missing:
//!
//! ```text
//! cargo run --release -p misere-algebra --example classify -- 12
//! ```

use misere_algebra::classify::Classifier;
use misere_check::construction::check;
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::readable::Readable;

/// About ten seconds of one core.
const FUEL: u64 = 10_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let greatest = std::env::args().nth(1).map_or(Ok(12), |n| n.parse())?;
    let mut control = Control::new(FUEL, Interrupt::default());
    let mut classifier = Classifier::new(greatest);
    while let Some(level) = classifier.next_order(&mut control)? {
        let count = level.quotients.len();
        println!("order {}, misère quotients: {count}", level.order);
        for quotient in &level.quotients {
            let construction = quotient.construction(&mut Control::unlimited())?;
            check(&construction, &mut Control::unlimited())?;
            let class = quotient.monoid();
            let name = class.known_name().unwrap_or_else(|| "no name".to_owned());
            println!(
                "  {}  {name}, games: {}, {}",
                quotient.class().short(),
                construction.options.len(),
                Readable::of(&class)
            );
        }
    }
    Ok(())
}
