//! Queries against the definition: all records, filtered and sorted.

use misere_census::Record;
use misere_theory::bipartite::ClassKey;
use misere_theory::solution::Verdict;

/// A record of which nothing is true.
pub(crate) fn record(code: &str) -> Record {
    Record {
        code: code.parse().unwrap(),
        aliases: Vec::new(),
        verdict: Verdict::Solved {
            period: 1,
            preperiod: 0,
        },
        heaps: 10,
        order: 2,
        p_size: 1,
        generators: 1,
        class: ClassKey([7; 32]),
        tame: Some(true),
        partials: Vec::new(),
        tail: None,
        fuel: 5,
        claim: [0; 32],
        distinct_multiples: Vec::new(),
    }
}
