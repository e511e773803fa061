//! The claims about a game in words, each with its ground.

use misere_answers::{Conclusion, Knowledge};
use misere_check::automaton::shows_infinite;
use misere_check::law_shows_infinite;
use misere_game::ruleset::Code;
use misere_game::solution::{NimPeriod, Solution, SolvedBy, Stages, Tail};

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
    let mut claims = vec![ended(solution)];
    claims.push(known_so_far(solution));
    claims.extend(solution.tail.iter().flat_map(tail));
    claims.extend(
        solution
            .solved_by()
            .map(|rule| infinite_by(&solution.code, rule)),
    );
    claims.extend(infinite(solution));
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

/// Returns the claim on how the computation ended.
fn ended(solution: &Solution) -> Claim {
    let conclusion = Conclusion::of(solution);
    let ground = match conclusion.ending().knowledge() {
        Knowledge::Proved => Ground::Proved,
        Knowledge::Open => Ground::Open,
        Knowledge::Suspected => match conclusion {
            Conclusion::Grows { .. } => Ground::Conjecture,
            _ => Ground::Observed,
        },
    };
    let sentence = conclusion.sentence();
    let mut letters = sentence.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    claim(
        ground,
        format!("{}{}.", first.collect::<String>(), letters.as_str()),
    )
}

/// Returns the claim that the quotient to a heap is infinite, if that is proved.
fn infinite(solution: &Solution) -> Option<Claim> {
    let evidence = solution.evidence.as_ref()?;
    let heap = solution.infinite_to()?;
    let multiples = evidence.distinct_multiples().iter();
    let heaps: Vec<String> = multiples.map(u32::to_string).collect();
    Some(claim(
        Ground::Proved,
        format!(
            "The misère quotient of the heaps to {heap} is infinite: no two multiples of heap {} \
             are alike.",
            heaps.join(" are alike, and no two of heap ")
        ),
    ))
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
    let order = solution.quotient.order();
    let text = if solution.verdict.is_periodic() {
        format!("The misère quotient has {order} elements.")
    } else {
        format!(
            "To heap {} the misère quotient has {order} elements, and the pretending function is \
             the one below.",
            solution.heaps(),
        )
    };
    claim(Ground::Proved, text)
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
