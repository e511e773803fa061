//! The JSON form of a solution.
//!
//! The field names and their meaning are the project's contract with other programs (schema 1).
//! A document that is read passes the same validation as all other input. The fields that follow
//! from the others (`tame`, `p_size`, `words`, `presentation`, …) are written for readers and
//! ignored when read.

use serde::{Deserialize, Serialize};

use super::{
    AllHeaps, DiagramFamily, Evidence, Growth, InfiniteFamily, Limit, NimPeriod, Partial,
    PositionAutomaton, Reason, Solution, SolvedBy, Stages, Tail, ThresholdLaw, Verdict,
};
use crate::bipartite::{BipartiteMonoid, ClassKey, Element, MonoidError};
use crate::monoid::presentation::presentation;
use crate::monoid::word::{generator_name, lex_least_words};
use crate::ruleset::Code;

/// The version of the document's form.
pub const SCHEMA: u32 = 1;

/// The status of a game that diverges and whose next partial quotient is proved infinite.
const PROVED_INFINITE: &str = "infinite";
/// The status of a game whose every position is decided.
///
/// They are decided by a period, a law, an automaton, or words of all heaps past an infinite
/// quotient.
const SOLVED: &str = "solved";

/// A solution as a JSON document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct Document {
    pub schema: u32,
    pub code: Code,
    pub convention: String,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    pub heaps: u32,
    pub period: Option<u32>,
    pub preperiod: Option<u32>,
    pub tame: Option<bool>,
    pub diverges_at: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infinite_to: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tame_relative: Option<TailDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<ThresholdLaw>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automaton: Option<PositionAutomaton>,
    pub quotient: QuotientDocument,
    pub phi: Vec<Element>,
    pub partials: Vec<Partial>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<InfiniteFamily>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagram: Option<DiagramFamily>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_heaps: Option<AllHeaps>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    #[serde(default)]
    pub fuel: u64,
    #[serde(default)]
    pub elapsed_s: f64,
    #[serde(default)]
    pub engine: String,
}

/// The JSON form of the tail of a game that is tame relative to a heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct TailDocument {
    pub heap: u32,
    pub nim_heaps: u32,
    pub nim_period: Option<u32>,
    pub nim_preperiod: Option<u32>,
    pub stages: Option<u32>,
    pub stages_at_least: u32,
}

/// The quotient in a [`Document`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct QuotientDocument {
    pub order: usize,
    #[serde(default)]
    pub p_size: usize,
    pub class: ClassKey,
    pub identity: Element,
    pub generators: Vec<GeneratorDocument>,
    pub action: Vec<Vec<Element>>,
    pub p_portion: Vec<Element>,
    #[serde(default)]
    pub words: Vec<String>,
    #[serde(default)]
    pub presentation: Vec<String>,
}

/// A generator in a [`QuotientDocument`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct GeneratorDocument {
    pub name: String,
    pub element: Element,
    pub heap: u32,
}

/// The reason why a document is not a solution.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The form of the document has another version.
    #[error("schema {0} is not known here (this program reads schema {SCHEMA})")]
    Schema(u32),
    /// The document has another play convention than misère.
    #[error("convention `{0}` is not misere")]
    Convention(String),
    /// The status is not in the contract.
    #[error("status `{0}` is unknown")]
    Status(String),
    /// A field that the status requires is missing.
    #[error("status `{status}` requires `{field}`, which is missing or unknown")]
    Lacking {
        /// The status.
        status: String,
        /// The path of the field.
        field: &'static str,
    },
    /// Two fields exclude each other.
    #[error("`{0}` and `{1}` exclude each other")]
    Excluded(&'static str, &'static str),
    /// A field makes sense only beside another one.
    #[error("`{0}` makes sense only with `{1}`, which is missing")]
    Alone(&'static str, &'static str),
    /// The tables are not a bipartite monoid.
    #[error("the quotient is not a bipartite monoid: {0}")]
    Monoid(#[from] MonoidError),
    /// The identity is not element 0.
    #[error("the identity must be element 0, not {0}")]
    Identity(Element),
    /// `generators` and `action` disagree.
    #[error("generator {0} does not agree with its row of the action table")]
    Generator(usize),
    /// `heaps` and `phi` disagree.
    #[error("phi lists {found} heaps where heaps = {heaps} calls for {heaps} + 1")]
    PhiLength {
        /// The number of entries found.
        found: usize,
        /// The greatest heap claimed.
        heaps: u32,
    },
    /// The class key differs from the class key of the last partial quotient.
    #[error("the quotient's class is not that of the last partial quotient")]
    Class,
}

impl Document {
    /// Creates the document of a solution.
    ///
    /// The caller fills in `elapsed_s` and `engine`.
    ///
    /// Cost: words and presentation, `O(n · g²)` for order `n` and `g` generators.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// let file = std::fs::read_to_string("tests/data/0.123.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// let document = Document::new(&solution);
    /// assert_eq!((document.status.as_str(), document.period), ("solved", Some(5)));
    /// assert_eq!((document.quotient.order, document.quotient.p_size), (20, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(solution: &Solution) -> Self {
        let quotient = &solution.quotient;
        let words = lex_least_words(quotient);
        let (verdict, limit) = status_names(solution.verdict);
        let status = match (&solution.evidence, solution.solved_by()) {
            (Some(evidence), _) if evidence.all_heaps().is_some() => SOLVED,
            (Some(_), _) => PROVED_INFINITE,
            (None, Some(_)) => SOLVED,
            (None, None) => verdict,
        };
        let (period, preperiod) = solution.verdict.period().unzip();
        Self {
            schema: SCHEMA,
            code: solution.code.clone(),
            convention: "misere".to_owned(),
            status: status.to_owned(),
            limit: limit.map(str::to_owned),
            heaps: solution.heaps(),
            period,
            preperiod,
            tame: solution.tame(),
            diverges_at: solution.verdict.diverges_at(),
            infinite_to: solution.infinite_to(),
            copies: solution.verdict.copies(),
            tame_relative: tail_document(solution),
            growth: solution.growth.clone(),
            law: solution.law().cloned(),
            automaton: solution.automaton().cloned(),
            quotient: QuotientDocument {
                order: quotient.order(),
                p_size: quotient.p_size(),
                class: solution.class(),
                identity: 0,
                generators: (0..quotient.generators())
                    .map(|g| GeneratorDocument {
                        name: generator_name(g),
                        element: quotient.act(0, g),
                        heap: solution.generator_heaps.get(g).copied().unwrap_or(0),
                    })
                    .collect(),
                action: quotient.action().to_vec(),
                p_portion: quotient.p_portion().iter().collect(),
                presentation: presentation(quotient, &words)
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                words: words.iter().map(ToString::to_string).collect(),
            },
            phi: solution.phi.clone(),
            partials: solution.partials.clone(),
            evidence: solution
                .evidence
                .as_ref()
                .and_then(Evidence::columns)
                .cloned(),
            diagram: solution
                .evidence
                .as_ref()
                .and_then(Evidence::diagram)
                .cloned(),
            all_heaps: solution.all_heaps().cloned(),
            reason: solution.reason,
            fuel: solution.fuel,
            elapsed_s: 0.0,
            engine: String::new(),
        }
    }

    /// Returns the solution that the document states, which is not checked yet.
    ///
    /// Cost: linear in the document, and `O(n · g)` for order `n` and `g` generators.
    ///
    /// ```
    /// use misere_game::solution::{Document, DocumentError};
    /// let file = std::fs::read_to_string("tests/data/0.3.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// let mut document = Document::new(&solution);
    /// assert_eq!(document.clone().into_solution()?, solution);
    /// document.schema = 0;
    /// assert!(matches!(document.into_solution(), Err(DocumentError::Schema(0))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DocumentError`] if the document contradicts itself or its quotient is not a bipartite
    /// monoid.
    pub fn into_solution(self) -> Result<Solution, DocumentError> {
        if self.schema != SCHEMA {
            return Err(DocumentError::Schema(self.schema));
        }
        if self.convention != "misere" {
            return Err(DocumentError::Convention(self.convention));
        }
        let verdict = self.verdict()?;
        let tail = self.tail()?;
        let evidence = match (self.evidence, self.diagram) {
            (Some(_), Some(_)) => return Err(DocumentError::Excluded("evidence", "diagram")),
            (Some(family), None) => Some(Evidence::Columns(family)),
            (None, Some(family)) => Some(Evidence::Diagram(family)),
            (None, None) => None,
        };
        let evidence = match (evidence, self.all_heaps) {
            (None, Some(_)) => return Err(DocumentError::Alone("all_heaps", "evidence")),
            (evidence, all) => evidence.map(|evidence| evidence.with_all_heaps(all)),
        };
        // A reason explains why there is no evidence.
        if self.reason.is_some() && evidence.is_some() {
            return Err(DocumentError::Excluded("reason", "evidence"));
        }
        let solved_by = match (self.law, self.automaton) {
            (Some(_), Some(_)) => return Err(DocumentError::Excluded("law", "automaton")),
            (law, automaton) => law
                .map(SolvedBy::Law)
                .or(automaton.map(SolvedBy::Automaton)),
        };
        let growth = match (self.growth, solved_by) {
            (None, Some(SolvedBy::Law(_))) => return Err(DocumentError::Alone("law", "growth")),
            (None, Some(SolvedBy::Automaton(_))) => {
                return Err(DocumentError::Alone("automaton", "growth"));
            }
            (growth, solved_by) => growth.map(|growth| Growth {
                solved_by,
                ..growth
            }),
        };
        let raw = self.quotient;
        if raw.identity != 0 {
            return Err(DocumentError::Identity(raw.identity));
        }
        let quotient = BipartiteMonoid::new(raw.order, raw.action, raw.p_portion)?;
        if raw.generators.len() != quotient.generators() {
            return Err(DocumentError::Generator(
                raw.generators.len().min(quotient.generators()),
            ));
        }
        if let Some(g) =
            (0..quotient.generators()).find(|&g| raw.generators[g].element != quotient.act(0, g))
        {
            return Err(DocumentError::Generator(g));
        }
        if self.phi.len() != self.heaps as usize + 1 {
            return Err(DocumentError::PhiLength {
                found: self.phi.len(),
                heaps: self.heaps,
            });
        }
        let solution = Solution {
            code: self.code,
            verdict,
            quotient,
            generator_heaps: raw
                .generators
                .iter()
                .map(|generator| generator.heap)
                .collect(),
            phi: self.phi,
            partials: self.partials,
            tail,
            growth,
            evidence,
            reason: self.reason,
            fuel: self.fuel,
        };
        if solution.class() != raw.class {
            Err(DocumentError::Class)
        } else {
            Ok(solution)
        }
    }

    fn tail(&self) -> Result<Option<Tail>, DocumentError> {
        let Some(tail) = &self.tame_relative else {
            return Ok(None);
        };
        let nim_period = match (tail.nim_period, tail.nim_preperiod) {
            (Some(period), Some(preperiod)) => Some(NimPeriod { period, preperiod }),
            (None, None) => None,
            (Some(_), None) => return Err(DocumentError::Alone("nim_period", "nim_preperiod")),
            (None, Some(_)) => return Err(DocumentError::Alone("nim_preperiod", "nim_period")),
        };
        let stages = match tail.stages {
            Some(stages) => Stages::Known(stages),
            None => Stages::AtLeast(tail.stages_at_least),
        };
        Ok(Some(Tail {
            nim_heaps: tail.nim_heaps,
            nim_period,
            stages,
        }))
    }

    /// Returns a field that the status requires.
    fn required<T>(&self, field: &'static str, value: Option<T>) -> Result<T, DocumentError> {
        let status = self.status.clone();
        value.ok_or(DocumentError::Lacking { status, field })
    }

    fn verdict(&self) -> Result<Verdict, DocumentError> {
        Ok(match self.status.as_str() {
            // A law or an automaton decides a game whose partial quotients grow. Before laws solved
            // a game, the status of such a game was "grows".
            SOLVED if self.period.is_none() && (self.law.is_some() || self.automaton.is_some()) => {
                self.growing()?
            }
            // Before words of all heaps solved a game, the status of such a game was "infinite".
            SOLVED if self.period.is_none() && self.all_heaps.is_some() => self.diverging()?,
            SOLVED => Verdict::Solved {
                period: self.required("period", self.period)?,
                preperiod: self.required("preperiod", self.preperiod)?,
            },
            "tame-relative" => Verdict::TameRelative {
                heap: self
                    .required("tame_relative", self.tame_relative.as_ref())?
                    .heap,
            },
            "grows" => self.growing()?,
            PROVED_INFINITE if self.evidence.is_none() && self.diagram.is_none() => {
                return self.required("evidence", None);
            }
            "diverges" | PROVED_INFINITE => self.diverging()?,
            "exhausted" => Verdict::Exhausted(match self.limit.as_deref() {
                Some("fuel") => Limit::Fuel,
                Some("max-heap") => Limit::MaxHeap,
                Some("max-order") => Limit::MaxOrder,
                _ => return self.required("limit", None),
            }),
            "interrupted" => Verdict::Interrupted,
            unknown => return Err(DocumentError::Status(unknown.to_owned())),
        })
    }

    fn diverging(&self) -> Result<Verdict, DocumentError> {
        Ok(Verdict::Diverges {
            heap: self.required("diverges_at", self.diverges_at)?,
            copies: self.required("copies", self.copies)?,
        })
    }

    fn growing(&self) -> Result<Verdict, DocumentError> {
        let growth = self.required("growth", self.growth.as_ref())?;
        Ok(Verdict::Grows {
            start: growth.start,
            period: growth.period,
        })
    }
}

fn tail_document(solution: &Solution) -> Option<TailDocument> {
    let (heap, tail) = solution.verdict.tame_from().zip(solution.tail)?;
    let (stages, stages_at_least) = match tail.stages {
        Stages::Known(stages) => (Some(stages), stages),
        Stages::AtLeast(stages) => (None, stages),
    };
    Some(TailDocument {
        heap,
        nim_heaps: tail.nim_heaps,
        nim_period: tail.nim_period.map(|nim| nim.period),
        nim_preperiod: tail.nim_period.map(|nim| nim.preperiod),
        stages,
        stages_at_least,
    })
}

/// Returns the names that the contract has for a verdict and for the limit that ended it.
///
/// ```
/// use misere_game::solution::document::status_names;
/// use misere_game::solution::{Limit, Verdict};
/// assert_eq!(status_names(Verdict::Solved { period: 5, preperiod: 5 }), ("solved", None));
/// assert_eq!(status_names(Verdict::Exhausted(Limit::Fuel)), ("exhausted", Some("fuel")));
/// ```
#[must_use]
pub fn status_names(verdict: Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Solved { .. } => (SOLVED, None),
        Verdict::TameRelative { .. } => ("tame-relative", None),
        Verdict::Grows { .. } => ("grows", None),
        Verdict::Diverges { .. } => ("diverges", None),
        Verdict::Exhausted(Limit::Fuel) => ("exhausted", Some("fuel")),
        Verdict::Exhausted(Limit::MaxHeap) => ("exhausted", Some("max-heap")),
        Verdict::Exhausted(Limit::MaxOrder) => ("exhausted", Some("max-order")),
        Verdict::Interrupted => ("interrupted", None),
    }
}
