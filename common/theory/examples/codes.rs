use misere_theory::ruleset::Code;
use std::collections::BTreeMap;
fn main() {
    let mut games: BTreeMap<_, Vec<Code>> = BTreeMap::new();
    for d0 in [0u8, 4] {
        for a in 0..8u8 {
            for b in 0..8u8 {
                for c in 0..8u8 {
                    if d0 == 4 && c != 0 {
                        continue;
                    }
                    let code = Code::new(d0, &[a, b, c]).unwrap();
                    games.entry(code.signature()).or_default().push(code);
                }
            }
        }
    }
    let mut out: Vec<Vec<Code>> = games
        .into_values()
        .map(|mut v| {
            v.sort();
            v.dedup();
            v
        })
        .collect();
    out.sort();
    for v in out {
        println!(
            "{}",
            v.iter()
                .map(|c| c.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        );
    }
}
