//! temp
use misere_theory::classify::{Classifier, stages};
use misere_theory::control::Control;
use misere_theory::solution::construction::ConstructionDocument;
use misere_theory::verify::construction::check;
fn main() {
    let most = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(12);
    let start = std::time::Instant::now();
    let mut c = Classifier::new(most);
    let control = &mut Control::unlimited();
    while let Ok(Some(l)) = c.next_order(control) {
        eprintln!(
            "{} quotients {} candidates {} carriers {} nodes {} fuel {} t {:?}",
            l.order,
            l.quotients.len(),
            l.candidates,
            l.carriers,
            l.nodes,
            l.fuel,
            start.elapsed()
        );
    }
    if std::env::args().nth(2).is_some() {
        let t = std::time::Instant::now();
        let all: Vec<_> = c
            .complete()
            .iter()
            .flat_map(|l| &l.quotients)
            .map(|q| q.construction(control).unwrap())
            .collect();
        eprintln!("constructions {:?}", t.elapsed());
        let t = std::time::Instant::now();
        for q in &all {
            assert_eq!(check(q, control), Ok(()));
        }
        eprintln!("checked {:?}", t.elapsed());
        let t = std::time::Instant::now();
        for q in &all {
            assert_eq!(stages::confirms(q, control), Ok(true));
        }
        eprintln!("confirmed {:?}", t.elapsed());
        for q in all.iter().filter(|q| q.quotient.order() <= 14) {
            let d = ConstructionDocument::new(q);
            println!(
                "{} {:?} {:?} {:?}",
                d.order,
                d.name,
                d.presentation,
                d.generators
                    .iter()
                    .map(|g| format!("{}={{{}}}", g.name, g.options.join(",")))
                    .collect::<Vec<_>>()
            );
        }
    }
    let b = c.to_bytes();
    assert_eq!(Classifier::from_bytes(&b).unwrap().to_bytes(), b);
}
