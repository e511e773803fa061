use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::{Limits, Strategy, solve};
use misere_theory::ruleset::Code;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let fuel: u64 = args[1].parse().unwrap();
    let max_heap: u32 = args[2].parse().unwrap();
    std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(move || {
            for c in &args[3..] {
                let code: Code = c.parse().unwrap();
                let t = std::time::Instant::now();
                let s = solve(
                    &code,
                    &Limits {
                        max_heap,
                        ..Limits::default()
                    },
                    Strategy::Exact,
                    &mut Control::new(fuel, Interrupt::default()),
                );
                let solved = t.elapsed().as_secs_f64();
                let t = std::time::Instant::now();
                let mut control = Control::new(u64::MAX / 2000, Interrupt::default());
                let r = misere_theory::verify::check_within(&s, &mut control);
                println!(
                    "{c}\t{:?} {:?}\theaps {} order {} fuel {}\t{:.2}s check {:.2}s {} {:?}",
                    s.verdict,
                    s.tail,
                    s.heaps(),
                    s.quotient.order(),
                    s.fuel,
                    solved,
                    t.elapsed().as_secs_f64(),
                    control.fuel_spent(),
                    r
                );
                if let Some(g) = &s.growth {
                    println!("   {g:?}");
                }
            }
        })
        .unwrap()
        .join()
        .unwrap();
}
