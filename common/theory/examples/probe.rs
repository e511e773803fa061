use misere_theory::{control::*, quotient::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let fuel: u64 = args[1].parse().unwrap();
    let max_heap: u32 = args[2].parse().unwrap();
    for code in &args[3..] {
        let t = cpu();
        let mut control = Control::new(fuel, Interrupt::default());
        let s = solve(
            &code.parse().unwrap(),
            &Limits {
                max_heap,
                ..Limits::default()
            },
            if std::env::var("CL").is_ok() {
                Strategy::Classical
            } else {
                Strategy::Exact
            },
            &mut control,
        );
        println!(
            "{code}: {:?} heaps {} order {} p {} gens {:?} fuel {} time {:.4}",
            s.verdict,
            s.heaps(),
            s.quotient.order(),
            s.quotient.p_size(),
            s.generator_heaps,
            s.fuel,
            cpu() - t
        );
        let t = cpu();
        let r = misere_theory::verify::check(&s);
        println!("   check {:?} {:.4}", r, cpu() - t);
    }
}

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
