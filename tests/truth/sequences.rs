//! The b-files, judged for the game requested.

use crate::support::process::output;
use crate::truth::compared::Surface;
use crate::truth::plan::Census;
use crate::truth::witnesses::Truth;

const SEQUENCES: [&str; 6] = [
    "nim-values",
    "outcomes",
    "p-heaps",
    "quotient-orders",
    "p-sizes",
    "p-partitions",
];

/// The number of terms requested.
const TERMS: u32 = 14;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let mut surface = Surface::new("export --format bfile", 2);
    // Every sequence of a few codes; of many codes one of each, in turn.
    let step = if census.is_large() {
        SEQUENCES.len()
    } else {
        1
    };
    for (at, truth) in census.truths.iter().enumerate() {
        for sequence in SEQUENCES.into_iter().skip(at % step).step_by(step) {
            let code = truth.code.to_string();
            let out = census.scratch.path().join(format!("b-{sequence}-{code}"));
            let terms = TERMS.to_string();
            let args = [
                "export",
                "--format",
                "bfile",
                "--sequence",
                sequence,
                "--code",
                &code,
                "--terms",
                &terms,
                "--data",
                &census.data,
                "--out",
                out.to_str().unwrap(),
            ];
            let done = output(&args);
            if !done.status.success() {
                let said = String::from_utf8(done.stderr).unwrap();
                surface.holds(&truth.code, sequence, false, || said);
                continue;
            }
            let text = std::fs::read_to_string(out.join(format!("{sequence}.txt"))).unwrap();
            let head = format!("# {code}: ");
            let is_of = text.starts_with(&head);
            surface.holds(&truth.code, "whose sequence", is_of, || {
                text.lines().next().unwrap_or("").to_owned()
            });
            let terms: Vec<(u32, u128)> = text.lines().filter_map(term).collect();
            let wrong = terms.iter().find(|&&(n, said)| {
                of_truth(truth, sequence, n, &terms).is_some_and(|true_one| true_one != said)
            });
            surface.same(&truth.code, sequence, wrong, None);
        }
    }
    vec![surface]
}

fn term(line: &str) -> Option<(u32, u128)> {
    let (n, term) = line.split_once(' ')?;
    Some((n.parse().ok()?, term.parse().ok()?))
}

/// Returns the true term; `None` where it is not known here.
fn of_truth(truth: &Truth, sequence: &str, n: u32, terms: &[(u32, u128)]) -> Option<u128> {
    let is_p = |heap: u32| {
        let by_rules = truth.positions.iter().find(|(heaps, _)| *heaps == [heap]);
        by_rules.map(|&(_, is_p)| is_p).or(truth.is_p(heap))
    };
    Some(match sequence {
        "nim-values" => (*truth.nim_values.get(n as usize)?).into(),
        "outcomes" if n == 0 => 0,
        "outcomes" => is_p(n)?.into(),
        "p-heaps" => {
            // The n-th P-position follows the one before: none lies between.
            let place = n as usize - 1;
            let before = place.checked_sub(1).map_or(0, |at| terms[at].1 as u32);
            let mut heaps = before + 1..before + 5_000;
            heaps.find(|&heap| is_p(heap) == Some(true))?.into()
        }
        "quotient-orders" | "p-sizes" => {
            let known = truth.heaps() >= n || truth.period().is_some();
            let (order, p_size) = known.then(|| truth.sizes_at(n))?;
            if sequence == "p-sizes" {
                p_size.into()
            } else {
                order.into()
            }
        }
        _ => p_partitions(truth, n)?,
    })
}

/// Counts the partitions of a small number that are P-positions, each looked up in the rules.
fn p_partitions(truth: &Truth, n: u32) -> Option<u128> {
    use misere_game::control::{Control, Interrupt};
    use misere_game::outcome::{Convention, Oracle, Outcome};
    if n > 8 {
        return None;
    }
    let mut oracle = Oracle::new(&truth.code, Convention::Misere);
    let mut count = 0;
    for heaps in partitions(n, n) {
        let mut control = Control::new(100_000, Interrupt::default());
        let outcome = oracle.outcome(&heaps, &mut control).ok()?;
        count += u128::from(outcome == Outcome::P);
    }
    Some(count)
}

/// Returns the partitions of a number into parts of at most `limit`.
fn partitions(number: u32, limit: u32) -> Vec<Vec<u32>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let with_first = |part| {
        let mut found = partitions(number - part, part);
        found.iter_mut().for_each(|rest| rest.insert(0, part));
        found
    };
    (1..=limit.min(number)).flat_map(with_first).collect()
}
