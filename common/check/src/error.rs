//! The flaws by which the checker refuses a solution.

use misere_game::bipartite::{Element, MonoidError};
use misere_game::control::Stop;

use super::automaton::AutomatonCheckError;
use super::infinite::FamilyCheckError;
use super::monoid;

/// The first thing found wrong with a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The tables of the quotient are not those of a commutative monoid.
    #[error("the quotient is not a commutative monoid: {0}")]
    NotAMonoid(#[source] MonoidError),
    /// `Φ` lists nothing, not even heap 0.
    #[error("phi lists no heaps")]
    NoHeaps,
    /// A value of `Φ` is not an element.
    #[error("the value {value} of heap {heap} is not an element of the quotient")]
    NotAnElement {
        /// The heap.
        heap: u32,
        /// Its claimed value.
        value: Element,
    },
    /// A heap without options, or heap 0, has a value other than the identity.
    #[error("heap {heap} has no options, but its value is {value} and not the identity")]
    DeadHeap {
        /// The heap.
        heap: u32,
        /// Its claimed value.
        value: Element,
    },
    /// The identity is marked P, but the player to move from the empty position wins.
    #[error(
        "the identity is in the P-portion, but the empty position is an N-position in misère play"
    )]
    IdentityInP,
    /// A generator is not the value of the heap it names, or the heaps are not in ascending order.
    #[error("generator {generator} is not the value of heap {heap}, or its heap is out of order")]
    Generator {
        /// Index of the generator.
        generator: usize,
        /// The heap it names.
        heap: u32,
    },
    /// The list of generator heaps is not as long as the list of generators.
    #[error("{heaps} heaps are named for {generators} generators")]
    GeneratorCount {
        /// Heaps named.
        heaps: usize,
        /// Generators of the quotient.
        generators: usize,
    },
    /// Two elements are indistinguishable.
    #[error("the quotient is not reduced: it has {order} elements, its reduction {reduced}")]
    NotReduced {
        /// Elements claimed.
        order: usize,
        /// Distinguishable elements.
        reduced: usize,
    },
    /// A position predicted P has an option predicted P.
    #[error(
        "wrong outcome: heap {heap} in the context of element {context} is predicted P, and so is one of its options"
    )]
    PToP {
        /// The heap in which the move is made.
        heap: u32,
        /// The value of the rest of the position.
        context: Element,
    },
    /// A position predicted N has no option predicted P.
    #[error("wrong outcome: the position {} is predicted N, but none of its options is predicted P", sum(.position))]
    NWithoutP {
        /// Its heaps with their counts.
        position: Vec<(u32, u32)>,
    },
    /// The partial quotients listed are not those that occur.
    #[error(
        "partial quotient number {number} (counted from 1) is not as claimed: heap {heap} is where it should change"
    )]
    Partial {
        /// Its place in the list, counted from 1.
        number: usize,
        /// The heap of the true one, or of the claimed one if no further one exists.
        heap: u32,
    },
    /// A threshold law is malformed, or does not apply to games of this kind.
    #[error(
        "the law is malformed, or is claimed of a game other than a code whose moves leave at most two heaps"
    )]
    LawForm,
    /// A threshold law gives a heap a threshold greater than its weight.
    #[error("the law gives heap {heap} a threshold that is greater than its weight")]
    LawWeight {
        /// The heap.
        heap: u64,
    },
    /// A threshold law gives a part to a heap without options.
    #[error("heap {heap} has no options, but the law gives it a unit, a weight or a threshold")]
    LawOfDeadHeap {
        /// The heap.
        heap: u64,
    },
    /// A threshold law calls both a position and one of its options P.
    #[error(
        "the law calls heap {heap} P, and its option {} too, beside heap {beside} and others of unit {unit} and weight {weight}",
        sum_of_parts(.parts)
    )]
    LawPToP {
        /// The heap in which the move is made.
        heap: u64,
        /// The parts that the move leaves; 0 for none.
        parts: [u64; 2],
        /// The other heap with the greatest sum of weight and threshold, or 0.
        beside: u64,
        /// The unit of the rest.
        unit: u32,
        /// The weight of the rest.
        weight: u64,
    },
    /// A threshold law calls a position N for which no option is proved to be P.
    #[error(
        "the law calls heap {heap} N beside others of unit {unit} and weight {weight}, and no option of every such position is proved to be P"
    )]
    LawNWithoutP {
        /// The heap with the greatest sum of weight and threshold.
        heap: u64,
        /// The unit of the others.
        unit: u32,
        /// The weight of the others.
        weight: u64,
    },
    /// The period is claimed to be 0.
    #[error("the period is said to be 0; a period is at least 1")]
    NoPeriod,
    /// The period is claimed without the heaps that prove it.
    #[error(
        "period {period} from heap {preperiod} on is proved only by values to heap {needed}, but phi ends at {heaps}"
    )]
    PeriodUnproved {
        /// Claimed period.
        period: u32,
        /// Claimed preperiod.
        preperiod: u32,
        /// The heap to which values are needed.
        needed: u64,
        /// The heap at which they end.
        heaps: u32,
    },
    /// The values do not repeat as claimed.
    #[error("the values of heaps {heap} and {heap} + {period} differ")]
    NotPeriodic {
        /// The heap where the claim fails.
        heap: u32,
        /// Claimed period.
        period: u32,
    },
    /// A smaller period or preperiod suffices.
    #[error(
        "period {period} from heap {preperiod} on holds too, so the claimed one is not the least"
    )]
    NotLeast {
        /// The smaller period.
        period: u32,
        /// Its preperiod.
        preperiod: u32,
    },
    /// A divergence is claimed elsewhere than at the next heap.
    #[error("the partial quotient is said to diverge at heap {heap}, but phi ends at heap {heaps}")]
    DivergesElsewhere {
        /// The heap claimed.
        heap: u32,
        /// The heap at which phi ends.
        heaps: u32,
    },
    /// A further claim that the verdict needs is missing, or a claim of another verdict is present.
    #[error(
        "the verdict needs a further claim that is missing, or comes with one that belongs to another verdict"
    )]
    OtherClaim,
    /// Tameness relative to a heap is claimed of Grundy's game, a list of options or a finite game.
    /// The theorem covers codes only.
    #[error("tameness relative to a heap is proved of take-and-break codes only")]
    NotACode,
    /// Tameness relative to a heap is claimed without the heaps that prove it.
    #[error(
        "tame relative to heap {heap} is proved only by values to heap {needed}, but phi ends at {heaps}"
    )]
    TooFewHeaps {
        /// The heap claimed.
        heap: u32,
        /// The heap to which values are needed.
        needed: u64,
        /// The heap at which they end.
        heaps: u32,
    },
    /// Tameness is claimed of a code with constraints in which heaps beyond those listed are dead.
    #[error("heaps beyond {heaps}, the last one listed, have no move, so they are not tame")]
    DeadBeyond {
        /// The last heap listed.
        heaps: u32,
    },
    /// The moves of the block do not decide an element outside the kernel.
    ///
    /// Tameness is claimed of a code without end.
    #[error(
        "element {element} is outside the kernel, and the moves in heap {heap} with the digits that repeat do not decide it"
    )]
    Undecided {
        /// The heap, one of the last ones listed.
        heap: u32,
        /// The element.
        element: u32,
    },
    /// Nim-values are claimed to be known further than any check computes them.
    #[error(
        "nim-values are said to be known to heap {claimed}; they are checked to heap {most} at most"
    )]
    TooManyNimHeaps {
        /// The heap claimed.
        claimed: u32,
        /// The greatest heap for which nim-values are computed.
        most: u32,
    },
    /// The value of a heap is outside the kernel but has to be in it.
    #[error("the value of heap {heap} is not in the kernel")]
    OutsideKernel {
        /// The heap.
        heap: u32,
    },
    /// A smaller heap suffices.
    #[error("the game is tame relative to a heap smaller than {heap}")]
    TameBefore {
        /// The heap claimed.
        heap: u32,
    },
    /// The kernel has P-elements other than its identity.
    #[error(
        "the quotient is not normal: the P-elements of its kernel are not just the kernel's identity"
    )]
    NotNormal,
    /// Positions of one value have different nim-values.
    #[error(
        "the quotient is not faithful: element {element} has positions of different nim-values"
    )]
    NotFaithful {
        /// The element.
        element: Element,
    },
    /// Normal play does not continue as claimed.
    #[error("in normal play: {0}")]
    NormalPlay(Box<CheckError>),
    /// The nim-values prove a period, but none is claimed.
    #[error(
        "no period of the nim-values is claimed, but period {period} from heap {preperiod} on is proved"
    )]
    PeriodNotSaid {
        /// The period.
        period: u32,
        /// Its preperiod.
        preperiod: u32,
    },
    /// The claimed number of tame extensions is wrong, or wrongly claimed to be known or unknown.
    #[error("the number of tame extensions is not as claimed: the nim-values ask for {right}")]
    Stages {
        /// The right number.
        right: u32,
    },
    /// A pattern of growth is malformed, or has too few values for its coefficients.
    #[error("the pattern of growth is malformed or has not been tested on enough heaps")]
    NoPattern,
    /// A partial quotient is off the pattern.
    #[error(
        "the partial quotient to heap {heap} is not of the order, or its P-portion not of the size, that the pattern says"
    )]
    OffPattern {
        /// The heap.
        heap: u32,
    },
    /// A value is off the pattern.
    #[error("the value of heap {heap} is not what the pattern says")]
    WordOffPattern {
        /// The heap.
        heap: u32,
    },
    /// The pattern holds further than claimed.
    #[error("the pattern holds at heap {heap} too, so it is not claimed as far as it goes")]
    PatternGoesOn {
        /// The heap.
        heap: u32,
    },
    /// A smaller period suffices.
    #[error("the pattern has the smaller period {period}")]
    SmallerPattern {
        /// The smaller period.
        period: u32,
    },
    /// The automaton of a game that grows is not proved to decide it.
    #[error("{0}")]
    Automaton(#[source] AutomatonCheckError),
    /// The evidence that a quotient is infinite does not prove it.
    #[error("the evidence for an infinite quotient does not hold: {0}")]
    Evidence(#[source] FamilyCheckError),
    /// The words claimed for all heaps do not make the outcomes right for all heaps.
    #[error("in the words of all heaps: {0}")]
    AllHeaps(Box<CheckError>),
    /// The check itself was stopped; the claim is undecided.
    #[error("not checked: {0}")]
    Unchecked(#[from] Stop),
}

impl CheckError {
    /// Returns what is too large to be checked, which leaves the claim undecided.
    #[must_use]
    pub fn too_large(&self) -> Option<&FamilyCheckError> {
        match self {
            Self::Evidence(flaw) => flaw.is_too_large().then_some(flaw),
            Self::AllHeaps(flaw) => flaw.too_large(),
            _ => None,
        }
    }
}

impl From<AutomatonCheckError> for CheckError {
    fn from(flaw: AutomatonCheckError) -> Self {
        match flaw {
            AutomatonCheckError::Unchecked(stop) => Self::Unchecked(stop),
            flaw => Self::Automaton(flaw),
        }
    }
}

impl From<monoid::MonoidCheckError> for CheckError {
    fn from(ending: monoid::MonoidCheckError) -> Self {
        match ending {
            monoid::MonoidCheckError::Flaw(flaw) => Self::NotAMonoid(flaw),
            monoid::MonoidCheckError::Stopped(stop) => Self::Unchecked(stop),
        }
    }
}

/// Returns the parts that a move leaves, as a sum.
fn sum_of_parts(parts: &[u64; 2]) -> String {
    match parts {
        [0, 0] => "of no heap".to_owned(),
        [one, 0] => one.to_string(),
        [large, small] => format!("{large} + {small}"),
    }
}

fn sum(position: &[(u32, u32)]) -> String {
    let term = |&(heap, count): &(u32, u32)| {
        if count == 1 {
            format!("{heap}")
        } else {
            format!("{count}·{heap}")
        }
    };
    position.iter().map(term).collect::<Vec<_>>().join(" + ")
}
