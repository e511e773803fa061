//! The record of a ruleset: what the census stores of it beside its certificate.

use misere_answers::conclusion::{Conclusion, Proofs};
use misere_check::automaton::shows_infinite;
use misere_check::law_shows_infinite;
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use misere_game::solution::{
    AllHeaps, Growth, Limit, Partial, Polynomial, PositionAutomaton, Reason, Solution, SolvedBy,
    Stages, Tail, ThresholdLaw, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::stable_hasher::StableHasher;
use crate::{Alias, AliasError, GameTask, Status};

/// The number before the facts of an automaton, which distinguishes them from those of a law.
const AUTOMATON_MARK: u64 = u64::MAX;

/// The number before a heap, greater than that of the divergence, to which a quotient is infinite.
const INFINITE_LATER_MARK: u64 = u64::MAX - 1;

/// The numbers of a proved law that every code of the game shares.
///
/// The law itself is in the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawFacts {
    /// The number of heaps after which units repeat, and weights and thresholds grow.
    pub period: u32,
    /// The growth of weights in a period.
    pub slope: u32,
    /// The modulus of weights.
    pub modulus: u32,
    /// The number of bits of a unit.
    pub bits: u32,
    /// Whether the law shows that the quotient of the game is infinite.
    pub infinite: bool,
}

impl LawFacts {
    /// Returns the numbers of a law, which must have been checked.
    ///
    /// Cost: the cost of [`law_shows_infinite`].
    #[must_use]
    pub fn of(law: &ThresholdLaw) -> Self {
        Self {
            period: law.period,
            slope: law.slope,
            modulus: law.modulus,
            bits: law.bits,
            infinite: law_shows_infinite(law),
        }
    }
}

/// The numbers of a proved automaton. The automaton itself is in the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonFacts {
    /// The modulus by which sizes matter, which every code of the game shares.
    pub period: u32,
    /// The number of states of the automaton that reads the heaps of the code.
    pub states: u32,
    /// The number of states of P-positions.
    pub p_states: u32,
    /// Whether the automaton shows that the quotient of the game is infinite.
    pub infinite: bool,
}

impl AutomatonFacts {
    /// Returns the numbers of the automaton of a checked solution; `None` if it has no automaton.
    ///
    /// Cost: the cost of [`shows_infinite`].
    #[must_use]
    pub fn of(solution: &Solution) -> Option<Self> {
        let automaton = solution.automaton()?;
        Some(Self {
            period: automaton.rhythm()?.1,
            states: automaton.heap.len() as u32,
            p_states: automaton.p_states.len() as u32,
            infinite: shows_infinite(&solution.code, automaton),
        })
    }
}

/// The repetition of the words of all heaps of a game that is solved past an infinite quotient.
///
/// The words themselves are in the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllHeapsFacts {
    /// The heap from which on words repeat, in the heap numbers of the code.
    pub preperiod: u32,
    /// The period of the repetition.
    pub period: u32,
}

impl AllHeapsFacts {
    /// Returns the numbers of the words of all heaps of a checked solution; `None` if it has none.
    #[must_use]
    pub fn of(solution: &Solution) -> Option<Self> {
        let all = solution.all_heaps()?;
        Some(Self {
            preperiod: all.preperiod,
            period: all.period,
        })
    }
}

/// The facts about one ruleset; a function of the task and of the checked solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The representative code.
    pub code: Code,
    /// Further codes of the plan that are the same game, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The claim about the heaps beyond those listed.
    pub verdict: Verdict,
    /// The greatest heap to which the pretending function is proved.
    pub heaps: u32,
    /// The order of the quotient.
    pub order: u32,
    /// The number of elements of its P-portion.
    pub p_size: u32,
    /// The number of its generators.
    pub generators: u32,
    /// Its isomorphism class.
    pub class: ClassKey,
    /// Whether the game is tame; `None` if that is open.
    pub tame: Option<bool>,
    /// Each heap at which the partial quotient changed.
    pub partials: Vec<Partial>,
    /// The continuation of a game that is tame relative to a heap.
    pub tail: Option<Tail>,
    /// The fuel spent.
    pub fuel: u64,
    /// The hash of the whole claim.
    ///
    /// It covers the quotient, the pretending function, partial quotients, the verdict, the heaps
    /// whose multiples are proved to be distinct, and the words of all heaps.
    pub claim: [u8; 32],
    /// The heaps whose multiples are proved to be distinct, so that the quotient is infinite.
    ///
    /// It is empty if that is not proved.
    pub distinct_multiples: Vec<u32>,
    /// The worker's reason why a quotient that seems infinite is not proved to be.
    ///
    /// It is not verified and not part of the claim.
    ///
    /// The store keeps the reason beside the record, whose bytes are those of earlier releases.
    #[serde(skip)]
    pub reason: Option<Reason>,
    /// The law that decides every position of the game, if one is proved.
    ///
    /// On disk it comes after the record, under a number of its own: records without a law have the
    /// bytes of releases without laws.
    #[serde(skip)]
    pub law: Option<LawFacts>,
    /// The automaton that decides every position of the game, if one is proved.
    ///
    /// On disk it comes after the record, as a law does.
    #[serde(skip)]
    pub automaton: Option<AutomatonFacts>,
    /// The repetition of the words of all heaps, if the game is solved past an infinite quotient.
    ///
    /// On disk it comes after the record, as a law does.
    #[serde(skip)]
    pub all_heaps: Option<AllHeapsFacts>,
    /// The heap to which the quotient is proved infinite, if the game diverges at a smaller one.
    ///
    /// On disk it comes after the record, as a law does.
    #[serde(skip)]
    pub infinite_later: Option<u32>,
}

impl Record {
    /// Creates the record of a game and its solution, which must have been checked.
    ///
    /// Cost: an [`Alias`] for each further code, and linear in the claim.
    ///
    /// ```
    /// use misere_census::{Budget, Record, Status, Task};
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// let control = &mut Control::unlimited();
    /// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
    /// let task = Task::game("0.123".parse()?, Vec::new(), Budget::default());
    /// let record = Record::new(task.as_game().ok_or("a game")?, &solution)?;
    /// assert_eq!((record.order, record.p_size, record.tame), (20, 5, Some(false)));
    /// assert_eq!(record.status(), Some(Status::Solved));
    /// assert!(!record.is_proved_infinite());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AliasError`] if a code named as an alias is not shown to be the same game.
    pub fn new(game: &GameTask, solution: &Solution) -> Result<Self, AliasError> {
        Ok(Self {
            code: game.code.clone(),
            aliases: Alias::each(solution, &game.aliases)?,
            verdict: solution.verdict,
            heaps: solution.heaps(),
            order: solution.quotient.order() as u32,
            p_size: solution.quotient.p_size() as u32,
            generators: solution.quotient.generators() as u32,
            class: solution.class(),
            tame: solution.tame(),
            partials: solution.partials.clone(),
            tail: solution.tail,
            fuel: solution.fuel,
            claim: claim_hash(solution),
            distinct_multiples: distinct_multiples(solution),
            reason: solution.reason,
            law: solution.law().map(LawFacts::of),
            automaton: AutomatonFacts::of(solution),
            all_heaps: AllHeapsFacts::of(solution),
            infinite_later: infinite_later(solution),
        })
    }

    /// Returns the status with which the computation ended; `None` if it was interrupted.
    ///
    /// No record of a census was interrupted.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.conclusion().status()
    }

    /// Returns how the computation ended.
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        let proofs = Proofs {
            law: self.law.map(|law| (law.period, law.infinite)),
            automaton: (self.automaton).map(|automaton| (automaton.states, automaton.infinite)),
            all_heaps: self.all_heaps.map(|all| (all.preperiod, all.period)),
            nim_period: self.tail.and_then(|tail| tail.nim_period),
            infinite_to: self.infinite_to(),
            reason: self.reason,
        };
        Conclusion::new(&self.code, self.verdict, proofs)
    }

    /// Reports whether a partial quotient is proved infinite.
    #[must_use]
    pub fn is_proved_infinite(&self) -> bool {
        !self.distinct_multiples.is_empty()
    }

    /// Returns the heap to which the quotient is proved infinite, if there is one.
    ///
    /// It is the heap at which the game diverges, or a greater one. Nothing is proved of the partial
    /// quotients between.
    ///
    /// ```
    /// use misere_census::{Budget, Record, Task};
    /// use misere_game::control::Control;
    /// use misere_engine::quotient::{Limits, Strategy, solve};
    /// let control = &mut Control::unlimited();
    /// let solution = solve(&"0.31011".parse()?, &Limits::default(), Strategy::Exact, control);
    /// let task = Task::game("0.31011".parse()?, Vec::new(), Budget::default());
    /// let record = Record::new(task.as_game().ok_or("a game")?, &solution)?;
    /// assert_eq!(record.infinite_to(), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn infinite_to(&self) -> Option<u32> {
        let heap = self.verdict.diverges_at()?;
        self.is_proved_infinite()
            .then_some(self.infinite_later.unwrap_or(heap))
    }

    /// Returns every code of this game: the representative, then the others.
    pub fn codes(&self) -> impl Iterator<Item = &Code> {
        std::iter::once(&self.code).chain(self.aliases.iter().map(|alias| &alias.code))
    }

    /// Adds the record to a hash.
    ///
    /// The fuel spent and the reason are left out: they show how the result was computed, not the
    /// result.
    #[must_use]
    pub fn hashed(&self, facts: StableHasher) -> StableHasher {
        facts
            .code(&self.code)
            .list(self.aliases.iter(), |facts, alias| facts.code(&alias.code))
            .bytes(&self.claim)
    }
}

/// Returns the heap to which a quotient is proved infinite, if the game diverges at a smaller one.
fn infinite_later(solution: &Solution) -> Option<u32> {
    let heap = solution.infinite_to()?;
    solution
        .verdict
        .diverges_at()
        .is_some_and(|diverges_at| heap > diverges_at)
        .then_some(heap)
}

/// Returns the hash of everything that a solution claims.
fn claim_hash(solution: &Solution) -> [u8; 32] {
    let facts = StableHasher::of("misere claim 2").code(&solution.code);
    let distinct = distinct_multiples(solution);
    let quotient = &solution.quotient;
    let facts = verdict_hashed(facts, solution.verdict)
        .bytes(&solution.class().0)
        .number(quotient.order() as u64)
        .list(quotient.action().iter(), |facts, row| {
            facts.list(row.iter(), |facts, &x| facts.number(x))
        })
        .list(
            quotient.p_portion().iter().collect::<Vec<_>>().into_iter(),
            StableHasher::number,
        )
        .list(solution.generator_heaps.iter(), |facts, &heap| {
            facts.number(heap)
        })
        .list(solution.phi.iter(), |facts, &x| facts.number(x))
        .list(solution.partials.iter(), partial_hashed)
        .list(solution.tail.iter(), tail_hashed)
        .list(solution.growth.iter(), growth_hashed)
        .list(distinct.iter(), |facts, &heap| facts.number(heap));
    // Without words of all heaps the facts equal those of releases without such words.
    let facts = match solution.all_heaps() {
        None => facts,
        Some(all) => all_heaps_hashed(facts, all),
    };
    // The heap at which the game diverges is in the verdict.
    let facts = match infinite_later(solution) {
        None => facts,
        Some(heap) => facts.number(INFINITE_LATER_MARK).number(heap),
    };
    facts.finish()
}

/// Returns the heaps whose multiples a solution proves to be distinct.
///
/// There are none unless it proves its quotient infinite.
fn distinct_multiples(solution: &Solution) -> Vec<u32> {
    let evidence = solution.evidence.as_ref();
    evidence.map_or(Vec::new(), |evidence| {
        evidence.distinct_multiples().to_vec()
    })
}

fn partial_hashed(facts: StableHasher, partial: &Partial) -> StableHasher {
    facts
        .number(partial.heap)
        .number(partial.order)
        .number(partial.p_size)
        .bytes(&partial.class.0)
}

fn tail_hashed(facts: StableHasher, tail: &Tail) -> StableHasher {
    let facts = facts
        .number(tail.nim_heaps)
        .list(tail.nim_period.iter(), |facts, nim| {
            facts.number(nim.period).number(nim.preperiod)
        });
    match tail.stages {
        Stages::Known(stages) => facts.number(0_u64).number(stages),
        Stages::AtLeast(stages) => facts.number(1_u64).number(stages),
    }
}

fn growth_hashed(facts: StableHasher, growth: &Growth) -> StableHasher {
    let polynomial = |facts: StableHasher, polynomial: &Polynomial| {
        facts.list(polynomial.0.iter(), |facts, &c| facts.number(c as u64))
    };
    let facts = facts
        .number(growth.start)
        .number(growth.period)
        .list(growth.orders.iter(), polynomial)
        .list(growth.p_sizes.iter(), polynomial)
        .list(growth.words.iter(), |facts, word| {
            facts
                .list(word.fixed.iter(), |facts, &(heap, count, more)| {
                    facts.number(heap).number(count).number(more)
                })
                .list(word.moving.iter(), |facts, &(back, count)| {
                    facts.number(back as u32).number(count)
                })
        })
        .number(growth.words_to);
    // Without a rule the facts equal those of releases without rules.
    match &growth.solved_by {
        None => facts,
        Some(SolvedBy::Law(law)) => law_hashed(facts, law),
        Some(SolvedBy::Automaton(automaton)) => automaton_hashed(facts, automaton),
    }
}

fn all_heaps_hashed(facts: StableHasher, all: &AllHeaps) -> StableHasher {
    facts
        .number(all.preperiod)
        .number(all.period)
        .list(all.words.iter(), |facts, word| {
            let facts = facts.number(word.heap);
            facts.list(word.word.iter(), |facts, &(letter, count)| {
                facts.number(letter).number(count)
            })
        })
}

fn law_hashed(facts: StableHasher, law: &ThresholdLaw) -> StableHasher {
    let sets = |facts: StableHasher, sets: &[u32]| {
        facts.list(sets.iter(), |facts, &set| facts.number(set))
    };
    let facts = facts.number(law.bits).number(law.modulus);
    let facts = sets(sets(facts, &law.first_totals), &law.totals);
    facts
        .list(law.heaps.iter(), |facts, heap| {
            let numbers = facts
                .number(heap.unit)
                .number(heap.weight)
                .number(heap.threshold);
            sets(numbers, &heap.alone)
        })
        .number(law.period)
        .number(law.slope)
}

fn automaton_hashed(facts: StableHasher, automaton: &PositionAutomaton) -> StableHasher {
    let states = |facts: StableHasher, list: &[u32]| {
        facts.list(list.iter(), |facts, &state| facts.number(state))
    };
    // A law begins with the number of its bits, which is at most 4.
    let facts = states(facts.number(AUTOMATON_MARK), &automaton.heap);
    states(states(facts, &automaton.step), &automaton.p_states)
}

fn verdict_hashed(facts: StableHasher, verdict: Verdict) -> StableHasher {
    match verdict {
        Verdict::Solved { period, preperiod } => {
            facts.number(0_u64).number(period).number(preperiod)
        }
        Verdict::Diverges { heap, copies } => facts.number(1_u64).number(heap).number(copies),
        Verdict::Exhausted(Limit::Fuel) => facts.number(2_u64),
        Verdict::Exhausted(Limit::MaxHeap) => facts.number(3_u64),
        Verdict::Exhausted(Limit::MaxOrder) => facts.number(4_u64),
        Verdict::Interrupted => facts.number(5_u64),
        Verdict::TameRelative { heap } => facts.number(6_u64).number(heap),
        Verdict::Grows { start, period } => facts.number(7_u64).number(start).number(period),
    }
}
