//! temporary
use misere_theory::control::{Control, Interrupt, TICKS_PER_FUEL};
use misere_theory::quotient::{Limits, Strategy, solve};
use misere_theory::verify;
fn main() {
    let fuel: u64 = std::env::args()
        .nth(1)
        .and_then(|a| a.parse().ok())
        .unwrap_or(20_000);
    let step: u32 = std::env::args()
        .nth(2)
        .and_then(|a| a.parse().ok())
        .unwrap_or(1);
    let mut worst: Vec<(u64, u64, String, String)> = Vec::new();
    for n in (1..512u32).step_by(step as usize) {
        let code = format!("0.{}{}{}", n >> 6, n >> 3 & 7, n & 7);
        let mut control = Control::new(fuel, Interrupt::default());
        let solution = solve(
            &code.parse().expect("code"),
            &Limits::default(),
            Strategy::Exact,
            &mut control,
        );
        let mut check = Control::unlimited();
        let ok = verify::check_within(&solution, &mut check).is_ok();
        worst.push((
            check.ticks_spent() / TICKS_PER_FUEL,
            solution.fuel,
            code,
            format!("{ok} {:?}", solution.verdict),
        ));
    }
    worst.sort();
    for w in worst.iter().rev().take(12) {
        println!("{w:?}");
    }
    let mut ratio: Vec<(u64, &String, u64, u64)> = worst
        .iter()
        .map(|w| (w.0 / w.1.max(1), &w.2, w.0, w.1))
        .collect();
    ratio.sort();
    for w in ratio.iter().rev().take(8) {
        println!("ratio {w:?}");
    }
}
