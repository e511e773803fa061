//! The claims about a game in words, each with its ground.

use misere_theory::ruleset::{Code, FiniteGame};
use misere_theory::solution::{
    Evidence, Limit, NimPeriod, Solution, SolvedBy, Stages, Tail, Verdict,
};
use misere_theory::verify::automaton::shows_infinite;
use misere_theory::verify::law_shows_infinite;

use misere_report::facts::figure1::NormalPlay;

/// The ground of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// The claim is proved by the certificate, which was checked before it was stored.
    Proved,
    /// The claim is cited from the literature.
    Cited,
    /// The claim was observed, and nothing proves it.
    Observed,
    /// The claim is a pattern that holds as far as seen.
    Conjecture,
    /// The question is open.
    Open,
}

impl Ground {
    /// Returns the name of the ground, for the style sheet and for people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Cited => "cited",
            Self::Observed => "observed",
            Self::Conjecture => "conjecture",
            Self::Open => "open",
        }
    }
}

/// A claim about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The ground of the claim.
    pub(super) ground: Ground,
    /// The claim in words.
    pub(super) text: String,
}

/// Returns the claims of a solution.
pub(super) fn claims(solution: &Solution) -> Vec<Claim> {
    let mut claims = vec![verdict(solution)];
    if !matches!(solution.verdict, Verdict::Solved { .. }) {
        claims.push(known_so_far(solution));
    }
    claims.extend(solution.tail.iter().flat_map(tail));
    claims.extend(
        solution
            .solved_by()
            .map(|rule| infinite_by(&solution.code, rule)),
    );
    claims.extend(infinite_before(solution));
    // In a solved game no claim holds only as far as seen.
    if solution.all_heaps().is_none() || solution.tame().is_some() {
        claims.push(tameness(solution));
    }
    claims
}

fn claim(ground: Ground, text: impl Into<String>) -> Claim {
    let text = text.into();
    Claim { ground, text }
}

fn verdict(solution: &Solution) -> Claim {
    match solution.verdict {
        Verdict::Solved { .. } if solution.code.finite_game().is_some() => {
            let game = solution.code.finite_game();
            let day = game.map_or(0, FiniteGame::birthday);
            let followers = match game.map_or(0, FiniteGame::heaps) {
                0 => "no follower".to_owned(),
                1 => "one follower besides 0, the game itself".to_owned(),
                followers => format!("{followers} followers besides 0"),
            };
            claim(
                Ground::Proved,
                format!("Solved: a finite game born on day {day}, {followers}."),
            )
        }
        Verdict::Solved { period, preperiod } => claim(
            Ground::Proved,
            format!(
                "Solved: the pretending function has period {period} from heap {preperiod} on, and \
                 the misère quotient has {} elements.",
                solution.quotient.order()
            ),
        ),
        Verdict::TameRelative { heap } => claim(
            Ground::Proved,
            format!(
                "Tame relative to heap {heap}: from there on misère play is no harder than normal \
                 play."
            ),
        ),
        Verdict::Diverges { heap, copies } => match (&solution.evidence, solution.all_heaps()) {
            (_, Some(all)) => claim(
                Ground::Proved,
                format!(
                    "Solved, with an infinite quotient: the words below, which repeat with period \
                     {} from heap {} on, decide every position, whatever its heaps.",
                    all.period, all.preperiod
                ),
            ),
            (Some(evidence), None) => infinite(evidence, heap),
            (None, None) => claim(
                Ground::Observed,
                format!(
                    "Diverges at heap {heap}: within {copies} copies of a heap nothing repeats, so \
                     that the misère quotient seems infinite.{}",
                    solution.reason.map_or_else(String::new, |reason| format!(
                        " No proof of that was found: {}.",
                        reason.words()
                    ))
                ),
            ),
        },
        Verdict::Grows { start, period } => match solution.solved_by() {
            Some(rule) => claim(
                Ground::Proved,
                format!(
                    "Solved by {}, the one below: it decides every position, whatever its heaps.",
                    rule.words()
                ),
            ),
            None => claim(
                Ground::Conjecture,
                format!(
                    "Grows: from heap {start} on the partial quotients follow a pattern of period \
                     {period}; should it go on, the quotient is infinite."
                ),
            ),
        },
        Verdict::Exhausted(limit) => {
            let what = match limit {
                Limit::Fuel => "the fuel that the plan allows was spent",
                Limit::MaxHeap => "the greatest heap that the plan allows was reached",
                Limit::MaxOrder => "the next partial quotient is larger than the plan allows",
            };
            claim(Ground::Open, format!("Open: {what}."))
        }
        Verdict::Interrupted => claim(Ground::Open, "Open: the computation was interrupted."),
    }
}

/// Returns the claim that the quotient of the heaps to this one is infinite.
fn infinite(evidence: &Evidence, heap: u32) -> Claim {
    let multiples = evidence.distinct_multiples().iter();
    let heaps: Vec<String> = multiples.map(u32::to_string).collect();
    claim(
        Ground::Proved,
        format!(
            "The misère quotient of the heaps to {heap} is infinite: no two multiples of heap {} \
             are alike.",
            heaps.join(" are alike, and no two of heap ")
        ),
    )
}

/// Returns the claim beside the words of all heaps, which solve the game: its quotient is infinite.
fn infinite_before(solution: &Solution) -> Option<Claim> {
    let evidence = solution.evidence.as_ref()?;
    evidence.all_heaps()?;
    match solution.verdict {
        Verdict::Diverges { heap, .. } => Some(infinite(evidence, heap)),
        _ => None,
    }
}

/// Returns the claim about the quotient that a law or an automaton shows.
fn infinite_by(code: &Code, rule: &SolvedBy) -> Claim {
    let (name, shown) = match rule {
        SolvedBy::Law(law) => ("law", law_shows_infinite(law)),
        SolvedBy::Automaton(automaton) => ("automaton", shows_infinite(code, automaton)),
    };
    match shown {
        true => claim(
            Ground::Proved,
            format!(
                "The misère quotient of the whole game is infinite, as the {name} shows; there is \
                 no period."
            ),
        ),
        false => claim(
            Ground::Open,
            "Whether the misère quotient of the whole game is infinite is open.",
        ),
    }
}

fn known_so_far(solution: &Solution) -> Claim {
    claim(
        Ground::Proved,
        format!(
            "To heap {} the misère quotient has {} elements, and the pretending function is the \
             one below.",
            solution.heaps(),
            solution.quotient.order()
        ),
    )
}

fn tail(tail: &Tail) -> [Claim; 2] {
    let play = match tail.nim_period {
        Some(NimPeriod { period, preperiod }) => claim(
            Ground::Proved,
            format!("The nim-values have period {period} from heap {preperiod} on."),
        ),
        None => claim(
            Ground::Open,
            format!(
                "No period of the nim-values is known; they were computed to heap {}.",
                tail.nim_heaps
            ),
        ),
    };
    let whole = match tail.stages {
        Stages::Known(0) => claim(
            Ground::Proved,
            "The quotient below is that of the whole game.",
        ),
        Stages::Known(k) => claim(
            Ground::Proved,
            format!(
                "The quotient of the whole game is the tame extension number {k} of the one below."
            ),
        ),
        Stages::AtLeast(k) => claim(
            Ground::Open,
            format!(
                "The quotient of the whole game is a tame extension of the one below; which is \
                 open, at least number {k}."
            ),
        ),
    };
    [play, whole]
}

/// Returns the claim about normal play, where misère play is not solved.
pub(super) fn normal_play(normal: NormalPlay) -> Claim {
    match normal {
        NormalPlay::Proved { period, preperiod } => claim(
            Ground::Proved,
            format!("Normal play: the nim-values have period {period} from heap {preperiod} on."),
        ),
        NormalPlay::Cited {
            period,
            preperiod,
            source,
        } => claim(
            Ground::Cited,
            format!(
                "Normal play: the nim-values have period {period} from heap {preperiod} on \
                 ({source})."
            ),
        ),
        NormalPlay::Open => claim(Ground::Open, "Normal play: no period is known here."),
    }
}

fn tameness(solution: &Solution) -> Claim {
    match solution.tame() {
        Some(true) => claim(Ground::Proved, "Tame: the quotient is that of Nim heaps."),
        Some(false) => claim(
            Ground::Proved,
            "Wild: the quotient is none of the tame ones, those of Nim heaps.",
        ),
        None => claim(
            Ground::Open,
            "Tame as far as seen; whether it stays so is open.",
        ),
    }
}
