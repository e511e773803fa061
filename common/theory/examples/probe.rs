use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::{Limits, Strategy, solve};
use misere_theory::ruleset::Code;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let fuel: u64 = args[1].parse().unwrap();
    let max_heap: u32 = args[2].parse().unwrap();
    let codes: Vec<String> = if args.len() > 3 {
        args[3..].to_vec()
    } else {
        std::io::stdin()
            .lines()
            .map(|l| l.unwrap())
            .filter(|l| !l.is_empty())
            .collect()
    };
    std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(move || {
            for c in codes {
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
                println!(
                    "{c}\t{:?}\theaps {}\torder {}\tfuel {}\t{:.2}s\tlast partial {:?}",
                    s.verdict,
                    s.heaps(),
                    s.quotient.order(),
                    s.fuel,
                    t.elapsed().as_secs_f64(),
                    s.partials.last().map(|p| p.heap)
                );
            }
        })
        .unwrap()
        .join()
        .unwrap();
}
