//! temp
fn main() { misere_theory::classify::measure(std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(12)); }
