use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::{Limits, Strategy, solve};
use misere_theory::ruleset::Code;
use misere_theory::solution::Document;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let fuel: u64 = args[1].parse().unwrap();
    std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(move || {
            for c in &args[2..] {
                let code: Code = c.parse().unwrap();
                let s = solve(
                    &code,
                    &Limits::default(),
                    Strategy::Exact,
                    &mut Control::new(fuel, Interrupt::default()),
                );
                std::fs::write(
                    format!("/tmp/vd/{c}.json"),
                    serde_json::to_string(&Document::new(&s)).unwrap(),
                )
                .unwrap();
                println!("{c} {:?} {}", s.verdict, s.heaps());
            }
        })
        .unwrap()
        .join()
        .unwrap();
}
