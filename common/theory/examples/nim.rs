use misere_theory::control::Control;
fn main() {
    for a in std::env::args().skip(2) {
        let code = a.parse().unwrap();
        let t = std::time::Instant::now();
        let n = misere_theory::normal::solve(
            &code,
            std::env::args().nth(1).unwrap().parse().unwrap(),
            &mut Control::unlimited(),
        );
        println!(
            "{a} {:?} heaps {} max {} fuel {} {:.2}s",
            n.ending,
            n.nim_values.len() - 1,
            n.nim_values.iter().max().unwrap(),
            n.fuel,
            t.elapsed().as_secs_f64()
        );
    }
}
