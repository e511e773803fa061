//! The games that the papers solve, solved again and compared with what is printed.
//!
//! Quotients are compared up to isomorphism. Pretending functions are compared by checking that the
//! printed values, heap by heap, extend to an isomorphism: nothing depends on the names the authors
//! happened to choose for generators.

use std::collections::BTreeMap;

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::families::restive;
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::solution::{Solution, Verdict};
use serde::Deserialize;

const QUOTIENTS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/quotients.json"
));
/// About half a minute of one core: far more than any of these games needs.
const FUEL: u64 = 30_000_000;

#[derive(Deserialize)]
struct Quotients {
    finite: Vec<Finite>,
    computed_here: Vec<Computed>,
}

#[derive(Deserialize)]
struct Finite {
    id: String,
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
    #[serde(default)]
    heaps_up_to: Option<u32>,
    #[serde(default)]
    games: Vec<String>,
    #[serde(default)]
    pretending: Vec<Pretending>,
}

#[derive(Deserialize)]
struct Pretending {
    code: String,
    phi: Vec<String>,
    preperiod_r0: Option<u32>,
    period: Option<u32>,
    #[serde(default)]
    same_phi_codes: Vec<SamePhi>,
}

#[derive(Deserialize)]
struct SamePhi {
    code: String,
}

#[derive(Deserialize)]
struct Computed {
    quotient: String,
    #[serde(flatten)]
    pretending: Pretending,
}

impl Finite {
    fn presentation(&self) -> FinitePresentation {
        FinitePresentation::from_lists(&self.generators, &self.relations).unwrap()
    }

    fn monoid(&self) -> BipartiteMonoid {
        self.presentation()
            .bipartite_monoid_of(&self.p_portion, 1_000)
            .unwrap()
    }
}

fn quotients() -> Quotients {
    serde_json::from_str(QUOTIENTS).unwrap()
}

fn solved(code: &str, max_heap: u32) -> Solution {
    solved_by(Strategy::Exact, code, max_heap)
}

fn solved_by(strategy: Strategy, code: &str, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    solve(
        &code.parse().unwrap(),
        &limits,
        strategy,
        &mut Control::new(FUEL, Interrupt::default()),
    )
}

/// Checks that the solution's quotient is the printed one.
///
/// The isomorphism takes the solution's values to the printed ones.
fn check_phi(solution: &Solution, finite: &Finite, phi: &[String]) {
    let context = format!("{} by {}", solution.code, finite.id);
    let (presentation, printed) = (finite.presentation(), finite.monoid());
    assert_eq!(solution.quotient.order(), printed.order(), "{context}");
    assert_eq!(solution.quotient.p_size(), printed.p_size(), "{context}");
    assert_eq!(solution.class(), printed.class_key(), "{context}");
    assert_eq!(solution.class(), solution.quotient.class_key(), "{context}");
    let value =
        |word: &String| printed.product(presentation.word(word).unwrap().0.into_iter().enumerate());
    // Heaps that no longer had to be computed repeat with the proved period.
    let ours = |heap: usize| match solution.verdict {
        Verdict::Solved { period, preperiod } if heap >= solution.phi.len() => {
            let (period, preperiod) = (period as usize, preperiod as usize);
            solution.phi[preperiod + (heap - preperiod) % period]
        }
        _ => solution.phi[heap],
    };
    let pairs = phi
        .iter()
        .enumerate()
        .map(|(before, word)| (ours(before + 1), value(word)));
    assert!(
        solution
            .quotient
            .isomorphism_extending(&printed, pairs)
            .is_some(),
        "{context}: other values"
    );
}

fn check_game(strategy: Strategy, code: &str, finite: &Finite, pretending: &Pretending) {
    let (Some(period), Some(preperiod)) = (pretending.period, pretending.preperiod_r0) else {
        panic!("{code}: no period is printed");
    };
    let solution = solved_by(strategy, code, 3_000);
    assert_eq!(
        solution.verdict,
        Verdict::Solved { period, preperiod },
        "{code}"
    );
    check_phi(&solution, finite, &pretending.phi);
}

#[test]
fn solved_games() {
    let (mut checked, mut listed) = (0, 0);
    for finite in quotients()
        .finite
        .iter()
        .filter(|finite| finite.heaps_up_to.is_none())
    {
        let mut seen = Vec::new();
        for pretending in &finite.pretending {
            let codes = [&pretending.code]
                .into_iter()
                .chain(pretending.same_phi_codes.iter().map(|same| &same.code));
            for code in codes {
                check_game(Strategy::Exact, code, finite, pretending);
                seen.push(code.clone());
                checked += 1;
            }
        }
        // Games for which only the quotient is stated.
        for code in finite.games.iter().filter(|code| !seen.contains(code)) {
            let solution = solved(code, 3_000);
            assert!(
                matches!(solution.verdict, Verdict::Solved { .. }),
                "{code}: {:?}",
                solution.verdict
            );
            assert!(
                solution.quotient.isomorphism(&finite.monoid()).is_some(),
                "{code} by {}",
                finite.id
            );
            listed += 1;
        }
    }
    assert_eq!((checked, listed), (48, 1));
}

/// MisereSolver's own method gives the results that were published with it.
#[test]
fn solved_games_by_recalibration() {
    for finite in quotients()
        .finite
        .iter()
        .filter(|finite| finite.heaps_up_to.is_none())
    {
        for pretending in &finite.pretending {
            check_game(Strategy::Classical, &pretending.code, finite, pretending);
        }
    }
}

#[test]
fn partial_quotients() {
    let mut checked = 0;
    for finite in &quotients().finite {
        let Some(heaps) = finite.heaps_up_to else {
            continue;
        };
        for pretending in &finite.pretending {
            let solution = solved(&pretending.code, heaps);
            assert_eq!(solution.heaps(), heaps);
            check_phi(&solution, finite, &pretending.phi);
            checked += 1;
        }
    }
    assert_eq!(checked, 3);
}

/// Games the charts have wrong or leave out; their values were computed before by other means.
#[test]
fn games_computed_elsewhere() {
    let quotients = quotients();
    let by_id: BTreeMap<&str, &Finite> = quotients
        .finite
        .iter()
        .map(|finite| (finite.id.as_str(), finite))
        .collect();
    for computed in &quotients.computed_here {
        check_game(
            Strategy::Exact,
            &computed.pretending.code,
            by_id[computed.quotient.as_str()],
            &computed.pretending,
        );
    }
    assert_eq!(quotients.computed_here.len(), 4);
}

/// The four-digit quaternaries on whose solution bounties stood in 2005: partial quotients as far
/// as they are finite.
#[test]
fn bounty_quaternaries() {
    for (code, heaps, order, p_size) in [
        ("0.3102", 11, 74, 18),
        ("0.3122", 6, 52, 10),
        ("0.3123", 11, 328, 68),
        ("0.3312", 13, 264, 61),
    ] {
        let solution = solved(code, 3_000);
        assert!(
            !matches!(solution.verdict, Verdict::Solved { .. }),
            "{code}"
        );
        let last = solution
            .partials
            .iter()
            .rfind(|partial| partial.heap <= heaps)
            .unwrap();
        assert_eq!((last.order, last.p_size), (order, p_size), "{code}");
    }
}

/// Siegel's hexadecimal example: the quotient is `R_8` to heap 12 and grows through the restive
/// ones.
#[test]
fn hexadecimal_9092() {
    let solution = solved("0.9092", 40);
    let partials: Vec<_> = solution
        .partials
        .iter()
        .map(|partial| (partial.heap, partial.order))
        .collect();
    assert_eq!(
        partials,
        [(1, 2), (5, 6), (12, 8), (13, 12), (20, 20), (34, 36)]
    );
    for partial in &solution.partials[2..] {
        let family = (1..=6)
            .find_map(|n| restive(n).filter(|monoid| monoid.order() == partial.order as usize));
        assert_eq!(
            partial.class,
            family.unwrap().class_key(),
            "heap {}",
            partial.heap
        );
    }
}

/// Grundy's game is tame to heap 12 and has finite partial quotients to heap 28.
#[test]
fn grundys_game() {
    let solution = solved("grundy", 28);
    let partials: Vec<_> = solution
        .partials
        .iter()
        .map(|partial| (partial.heap, partial.order, partial.p_size))
        .collect();
    assert_eq!(
        partials,
        [(3, 2, 1), (5, 6, 2), (13, 12, 3), (18, 24, 5), (20, 48, 7)]
    );
}
