use misere_theory::{control::*, quotient::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let fuel: u64 = args[1].parse().unwrap();
    let max_heap: u32 = args[2].parse().unwrap();
    for code in &args[3..] {
        let t = std::time::Instant::now();
        let mut control = Control::new(fuel, Interrupt::default());
        let s = solve(&code.parse().unwrap(), &Limits { max_heap, ..Limits::default() }, Strategy::Exact, &mut control);
        println!("{code}: {:?} heaps {} order {} p {} gens {:?} fuel {} time {:.4}", s.verdict, s.heaps(), s.quotient.order(), s.quotient.p_size(), s.generator_heaps, s.fuel, t.elapsed().as_secs_f64());
    }
}
