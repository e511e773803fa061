//! The statement of what is complete about a census, and how sure it is.
//!
//! A [`Completeness`] is computed from the store alone: the plan and its budgets, how much of it
//! A [`Completeness`] is computed from the store alone: the plan and its budgets, how much of it
//! has a record, and for each status how many rulesets have it and what that means for knowledge.
//! What is **proved** rests on certificates, each checked from scratch before its record entered
//! the census ([`misere_census::admission`]). What is **suspected** was seen within the budget,
//! without a proof. What is **open** ran out of budget. The store itself **cites** nothing; the
//! statement names the facts of the literature that reports quote beside it.

use std::collections::BTreeMap;
use std::fmt;

use misere_census::{CensusDigest, Ending, Knowledge, Plan, Status};
use misere_game::ruleset::Code;
use serde::Serialize;

use misere_store::value::Level;
use misere_store::{Store, StoreError};

use crate::facts::figure1::normal_play::all_cited;

/// The version of the statement's JSON form.
pub const SCHEMA: u32 = 1;

/// Number of records that can be read within a tenth of a second.
const SOON_READ: u64 = 4096;

/// A plan in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanStatement {
    /// The name of the plan: the hash of its content.
    pub id: String,
    /// The games, in words.
    pub space: String,
    /// Fuel of each ruleset.
    pub fuel: u64,
    /// The greatest heap.
    pub max_heap: u32,
    /// The greatest order of a partial quotient.
    pub max_order: u32,
    /// The greatest number of copies of a heap that are tried.
    pub max_copies: u32,
    /// Fuel that may go into proofs of infinity.
    pub max_evidence: u64,
    /// The strategy by which partial quotients are found.
    pub strategy: String,
}

impl PlanStatement {
    /// Describes a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let budget = plan.budget();
        Self {
            id: plan.id().to_string(),
            space: plan.space().to_string(),
            fuel: budget.fuel,
            max_heap: budget.limits.max_heap,
            max_order: budget.limits.max_order,
            max_copies: budget.limits.max_copies,
            max_evidence: budget.limits.max_evidence,
            strategy: budget.strategy_name().to_owned(),
        }
    }
}

/// The number of rulesets with a status, and how sure the status is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StatusStatement {
    /// The status, in the contract's word.
    pub status: Status,
    /// The limit, if one ended the computations.
    pub limit: Option<&'static str>,
    /// The means that decides a solved game without a finite quotient: `law`, `automaton` or
    /// `past-infinite`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    /// Whether misère play is known for every heap.
    pub whole: bool,
    /// The degree of certainty.
    pub knowledge: Knowledge,
    /// The number of rulesets with the status.
    pub rulesets: u64,
    /// The number of codes that name them.
    pub codes: u64,
    /// The sentence on the knowledge of such a game.
    pub means: &'static str,
    #[serde(skip)]
    label: &'static str,
}

/// A source that states a normal-play period, and the codes for which it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// The source.
    pub source: &'static str,
    /// Codes of this census, not solved by it, for which the source states a normal-play period.
    pub codes: Vec<Code>,
}

/// A ruleset without a record, because its computation failed too often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// The code of the ruleset.
    pub code: Code,
    /// Whether an operator dropped it.
    pub given_up: bool,
}

/// The progress of the classification of the misère quotients of one order.
///
/// The checker proves of each quotient listed that it is the quotient of the games given. That none
/// is missing follows from the search being complete (`docs/classification.md`), and is claimed of
/// complete orders only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderStatement {
    /// The order.
    pub order: u8,
    /// Whether the search of this order and of all below is finished.
    pub complete: bool,
    /// The number of misère quotients of this order, up to isomorphism.
    ///
    /// It is `None` until the order is complete.
    pub quotients: Option<u64>,
    /// The number of candidates examined.
    pub candidates: u64,
    /// The number of batches into which the candidates were cut.
    pub batches: u64,
    /// The number of batches that are settled.
    pub settled: u64,
}

impl OrderStatement {
    fn new(level: &Level) -> Self {
        Self {
            order: level.order,
            complete: level.closed,
            quotients: level.closed.then_some(level.classes),
            candidates: level.candidates,
            batches: level.tasks,
            settled: level.settled,
        }
    }
}

/// The statement of what is complete about a census.
///
/// Its [`Display`](fmt::Display) writes it as sentences, one a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Completeness {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The plan of the census.
    pub plan: PlanStatement,
    /// Whether every ruleset of the plan has its record, and every order is complete.
    pub complete: bool,
    /// Rulesets of the plan.
    pub tasks: u64,
    /// Codes of the plan.
    pub codes: u64,
    /// Rulesets with a record.
    pub records: u64,
    /// Rulesets not done yet.
    pub pending: u64,
    /// Rulesets in quarantine, because they failed too often.
    pub quarantined: u64,
    /// Rulesets that failed too often and were given up by an operator.
    pub dropped: u64,
    /// The rulesets that failed too often.
    pub failed: Vec<Failed>,
    /// The greatest order to which misère quotients are classified.
    ///
    /// It is `None` if the plan has games only.
    pub greatest_order: Option<u8>,
    /// The orders whose misère quotients are being classified or have been, ascending.
    pub orders: Vec<OrderStatement>,
    /// The statuses that occur, in the order of [`Ending::ALL`].
    pub statuses: Vec<StatusStatement>,
    /// The statements of the literature on normal play where the census leaves it open.
    ///
    /// The census does not depend on them.
    pub cited: Vec<Citation>,
    /// The build that makes this statement.
    ///
    /// It determines what a computation would find today; records may be older.
    pub engine: String,
    /// The digest of the existing records, if it was computed.
    ///
    /// Computing it reads every record.
    pub digest: Option<String>,
}

impl Completeness {
    /// Computes the statement of a census.
    ///
    /// Cost: reads every record.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let digest = store.digest()?;
        Self::with(store, Some(digest))
    }

    /// Computes the statement of a census that may be large, cheaply enough to be called often.
    ///
    /// It has a digest only if the store knows it or can compute it quickly.
    ///
    /// Cost: a few look-ups, regardless of the number of records.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    pub fn quick(store: &Store) -> Result<Self, StoreError> {
        let digest = match store.known_digest() {
            None if store.counters().records() <= SOON_READ => Some(store.digest()?),
            known => known,
        };
        Self::with(store, digest)
    }

    fn with(store: &Store, digest: Option<CensusDigest>) -> Result<Self, StoreError> {
        let counts: Vec<(Ending, u64, u64)> = store.tallies()?.each().collect();
        let mut citations: BTreeMap<&'static str, Vec<Code>> = BTreeMap::new();
        for (code, source) in all_cited() {
            let game = store.game(&code)?;
            if game.is_some_and(|game| !game.record.conclusion().ending().is_whole()) {
                citations.entry(source).or_default().push(code);
            }
        }
        let statuses = counts.iter().copied();
        let statuses = statuses.filter(|&(_, rulesets, _)| rulesets > 0);
        let statuses = statuses.map(|(finding, rulesets, codes)| StatusStatement {
            status: finding.status(),
            limit: finding.limit(),
            by: finding.solved_by(),
            whole: finding.is_whole(),
            knowledge: finding.knowledge(),
            rulesets,
            codes,
            means: finding.means(),
            label: finding.label(),
        });
        let citations = citations.into_iter().map(|(source, mut codes)| {
            codes.sort();
            Citation { source, codes }
        });
        let mut failed: Vec<Failed> = Vec::new();
        for (_, quarantine) in store.quarantined()? {
            // Batches of candidates have no code and are not rulesets.
            if let Ok(code) = quarantine.name.parse() {
                let given_up = quarantine.dropped;
                failed.push(Failed { code, given_up });
            }
        }
        failed.sort_by(|one, other| one.code.cmp(&other.code));
        let dropped = failed.iter().filter(|it| it.given_up).count() as u64;
        let quarantined = failed.len() as u64 - dropped;
        let counters = store.counters();
        let orders: Vec<OrderStatement> = store.levels().map(OrderStatement::new).collect();
        let batches: u64 = orders.iter().map(|order| order.batches).sum();
        let tasks = counters.tasks.saturating_sub(batches);
        let records = counts.iter().map(|(_, rulesets, _)| rulesets).sum();
        Ok(Self {
            schema: SCHEMA,
            plan: PlanStatement::new(store.plan()),
            complete: store.is_complete(),
            tasks,
            codes: counters.codes,
            records,
            pending: tasks.saturating_sub(records + failed.len() as u64),
            quarantined,
            dropped,
            failed,
            orders,
            greatest_order: store.plan().space().max_quotient_order(),
            statuses: statuses.collect(),
            cited: citations.collect(),
            engine: misere_census::engine_fingerprint(),
            digest: digest.map(|digest| digest.to_string()),
        })
    }

    /// Returns the digest as text, or an empty text if it was not computed.
    ///
    /// [`of`](Self::of) always computes it.
    #[must_use]
    pub fn digest_text(&self) -> &str {
        self.digest.as_deref().unwrap_or_default()
    }

    /// Counts the rulesets whose status has this degree of certainty.
    #[must_use]
    pub fn rulesets(&self, knowledge: Knowledge) -> u64 {
        let statuses = self.statuses.iter();
        let of_it = statuses.filter(|status| status.knowledge == knowledge);
        of_it.map(|status| status.rulesets).sum()
    }

    /// Returns the sentences of the statement, for reports that format them in their own way.
    ///
    /// The first names the plan and its budgets, the second says how much of it is done. Then
    /// follow the sentences on what is proved, suspected, open and cited, each if there is any. The
    /// last names the digest, and the engine of the program that makes the statement.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![self.asked()];
        if self.tasks > 0 {
            sentences.push(self.done());
        }
        sentences.extend(self.classified());
        let kinds = [
            (
                Knowledge::Proved,
                "Proved, each by a certificate that was checked from scratch before its record entered the census",
            ),
            (
                Knowledge::Suspected,
                "Only suspected, as seen within the budget, without proof",
            ),
            (
                Knowledge::Open,
                "Open, because a budget of the plan ended first",
            ),
        ];
        for (knowledge, beginning) in kinds {
            let of_it = self.statuses.iter();
            let of_it = of_it.filter(|status| status.knowledge == knowledge);
            let told: Vec<String> = of_it
                .map(|status| {
                    format!(
                        "{} {} ({})",
                        rulesets(status.rulesets),
                        status.label,
                        status.means
                    )
                })
                .collect();
            if !told.is_empty() {
                sentences.push(format!("{beginning}: {}.", told.join("; ")));
            }
        }
        if self.records > self.rulesets(Knowledge::Proved) {
            sentences.push(
                "Whatever the status, the partial quotients and values listed to the last finite heap are proved.".to_owned(),
            );
        }
        if self.tasks > 0 {
            sentences.push(self.cites());
        }
        let digest = match (&self.digest, self.complete) {
            (Some(digest), true) => format!("Digest {digest}; stated"),
            (Some(digest), false) => format!("Digest {digest} of the records there are; stated"),
            (None, _) => "Stated".to_owned(),
        };
        // The engine that reads a census may differ from the one that made it.
        sentences.push(format!("{digest} by {}.", self.engine));
        sentences
    }

    fn asked(&self) -> String {
        let PlanStatement {
            id,
            space,
            fuel,
            max_heap,
            max_order,
            max_copies,
            max_evidence,
            strategy,
        } = &self.plan;
        format!(
            "Plan {}: {space}; each {} with fuel {fuel}, to heap {max_heap}, order {max_order}, {max_copies} copies, fuel {max_evidence} for proofs of infinity, strategy {strategy}.",
            id.chars().take(16).collect::<String>(),
            match self.tasks {
                0 => "batch of candidates",
                _ => "ruleset",
            },
        )
    }

    fn done(&self) -> String {
        if self.records == self.tasks {
            return format!(
                "Finished: all {} of the plan ({}) have their record.",
                rulesets(self.tasks),
                codes(self.codes)
            );
        }
        let mut missing = Vec::new();
        if self.pending > 0 {
            missing.push(format!("{} to do", self.pending));
        }
        if self.quarantined > 0 {
            missing.push(format!("{} failed too often", self.quarantined));
        }
        if self.dropped > 0 {
            missing.push(format!("{} given up", self.dropped));
        }
        let mut sentence = format!(
            "Not finished: {} of {} ({}) have their record, {}; of those nothing is said.",
            self.records,
            rulesets(self.tasks),
            codes(self.codes),
            missing.join(", "),
        );
        if !self.failed.is_empty() {
            let failed: Vec<String> = self.failed.iter().map(|it| it.code.to_string()).collect();
            sentence.push_str(&format!(
                " Failed or given up: {}.",
                shortened(&failed, "more")
            ));
        }
        sentence
    }

    /// Describes the progress of the classification of misère quotients, if the plan has one.
    fn classified(&self) -> Option<String> {
        let greatest = self.greatest_order?;
        let complete = self.orders.iter().filter(|order| order.complete);
        let (mut to, mut quotients) = (0, 0);
        for order in complete {
            to = order.order;
            quotients += order.quotients.unwrap_or(0);
        }
        let mut sentence = match to {
            0 => format!("Misère quotients to order {greatest}: no order is complete."),
            _ => format!(
                "Misère quotients to order {greatest}: complete to order {to}, {quotients} of order 2 to {to} up to isomorphism; that each is one is proved by the checker from games that have it, that none is missing rests on the search having been carried through."
            ),
        };
        if let Some(open) = self.orders.iter().find(|order| !order.complete) {
            sentence.push_str(&format!(
                " Order {} is not complete ({} of {} batches are settled): of it and of greater orders nothing is said.",
                open.order, open.settled, open.batches
            ));
        } else if to < greatest {
            sentence.push_str(" Of greater orders nothing is said.");
        }
        Some(sentence)
    }

    fn cites(&self) -> String {
        if self.cited.is_empty() {
            return "Cited: nothing; no status here rests on the literature.".to_owned();
        }
        let told = self.cited.iter().map(|citation| {
            let codes: Vec<String> = citation.codes.iter().map(ToString::to_string).collect();
            format!("{} ({})", shortened(&codes, "more"), citation.source)
        });
        format!(
            "Cited, not proved in this census and no ground of any status: periods of normal play of {}.",
            told.collect::<Vec<_>>().join("; ")
        )
    }
}

impl fmt::Display for Completeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentences()
            .iter()
            .try_for_each(|sentence| writeln!(f, "{sentence}"))
    }
}

fn rulesets(count: u64) -> String {
    match count {
        1 => "1 ruleset".to_owned(),
        _ => format!("{count} rulesets"),
    }
}

fn codes(count: u64) -> String {
    match count {
        1 => "1 code".to_owned(),
        _ => format!("{count} codes"),
    }
}

/// Joins the first few of many texts.
fn shortened(texts: &[String], rest: &str) -> String {
    const SHOWN: usize = 12;
    let shown = texts[..texts.len().min(SHOWN)].join(" ");
    match texts.len().checked_sub(SHOWN) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} {rest}"),
    }
}
