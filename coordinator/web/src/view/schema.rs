//! The forms of documents of other crates, for the description of the API.
//!
//! Each type here has the fields that its namesake writes; `tests/page/answers.rs` finds a field
//! that is missing here or there.
#![allow(
    dead_code,
    reason = "the types describe documents, and no value of them is made"
)]

use std::borrow::Cow;

use misere_coordinator::observer::CensusState;
use misere_game::solution::Reason as ReasonNames;
use misere_query::GenusClass;
use misere_report::facts::figure1::Kind;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// Defines a type with a schema of its own.
///
/// A type `as "Name"` is a named part of the description; another one is written where it is used.
macro_rules! form {
    ($type:ident $(as $name:literal)?, $schema:expr) => {
        #[derive(Debug)]
        pub(super) struct $type;

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                let names: &[&str] = &[$($name,)? stringify!($type)];
                names[0].into()
            }

            fn inline_schema() -> bool {
                let names: &[&str] = &[$($name)?];
                names.is_empty()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                Schema::try_from($schema).unwrap_or_default()
            }
        }
    };
}

form!(Code as "Code", json!({
    "type": "string",
    "description": "The code of a game: 0.77, 4.04, grundy, {*2,0}.",
    "minLength": 1,
}));
form!(ClassKey as "ClassKey", json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" }));
form!(Status as "Status", words(misere_census::Status::ALL.map(misere_census::Status::name)));
form!(State as "CensusState", {
    let mut schema = words(CensusState::ALL);
    schema["description"] = json!(
        "What a census is at. `finished` only if every task has its record; `at its end, but not \
         complete` if games are in quarantine or were given up; `not answering` if a process has \
         it open whose coordinator does not answer."
    );
    schema
});
form!(BoxKind, words(Kind::ALL.map(Kind::name)));
form!(Genus, words(GenusClass::ALL.map(GenusClass::name)));
form!(Reason, words(ReasonNames::ALL.map(ReasonNames::name)));
form!(Knowledge, words(["proved", "suspected", "open"]));
form!(
    ErrorName,
    words([
        "no-page", "method", "not-here", "input", "store", "busy", "internal"
    ])
);
form!(
    Listing,
    words(["listed", "trivial", "no-quotient", "beyond"])
);
form!(One, json!({ "const": 1 }));
form!(Zero, json!({ "const": 0 }));
form!(Misere, json!({ "const": "misere" }));
form!(Yes, json!({ "const": true }));
form!(No, json!({ "const": false }));
form!(Object, json!({ "type": "object" }));

fn words<T: serde::Serialize>(words: impl IntoIterator<Item = T>) -> Value {
    let words: Vec<T> = words.into_iter().collect();
    json!({ "type": "string", "enum": words })
}

/// The normal play of a game, as far as it is known.
#[derive(Debug, JsonSchema)]
#[serde(untagged)]
pub(super) enum NormalPlay {
    Known {
        known: Yes,
        period: u32,
        preperiod: u32,
        /// The source of a result that is cited; null if it is proved.
        source: Option<String>,
    },
    Open {
        known: No,
    },
}

/// The nim-values that `misere normal run` found, where the quotient leaves normal play open.
///
/// They are there only if the server was given them. The heaps are those of the code that was
/// computed.
#[derive(Debug, JsonSchema)]
pub(super) struct NimValuesKnown {
    code: Code,
    #[schemars(range(min = 1))]
    heaps: u32,
    /// The mask that tells rare numbers from common ones.
    #[schemars(range(min = 1))]
    mask: u32,
    /// Whether the number of the heap counts, too.
    parity: bool,
    rare: u64,
    last_rare: u32,
    max_nim_value: u32,
    max_nim_value_heap: u32,
}

/// A heap at which the partial quotient changed.
#[derive(Debug, JsonSchema)]
pub(super) struct Partial {
    heap: u32,
    order: u32,
    p_size: u32,
    class: ClassKey,
}

/// The numbering of the heaps of a game in another code.
#[derive(Debug, JsonSchema)]
pub(super) struct Renumbering {
    code: Code,
    /// For people: "0.07 is 0.4 with every heap one smaller".
    sentence: String,
    /// For lists: "+1"; null if every heap keeps its number.
    mark: Option<String>,
    /// The number by which large heaps change; null if only finitely many heaps are live.
    shift: Option<i32>,
    /// The heaps of this code that have no options, where those are finitely many.
    #[schemars(inner(range(min = 1)))]
    dead_heaps: Option<Vec<u32>>,
    /// The heaps of this code that have options, where those are finitely many.
    #[schemars(inner(range(min = 1)))]
    live_heaps: Option<Vec<u32>>,
}

/// A record, with the fields of `misere query --json`; docs/query.md.
#[derive(Debug, JsonSchema)]
pub(super) struct Record {
    code: Code,
    game_name: Option<String>,
    representative: Code,
    aliases: Vec<Code>,
    renumberings: Vec<Renumbering>,
    status: Status,
    limit: Option<String>,
    tame: Option<bool>,
    order: u32,
    p_size: u32,
    generators: u32,
    class: ClassKey,
    label: Option<String>,
    name: Option<String>,
    heaps: u32,
    period: Option<u32>,
    preperiod: Option<u32>,
    wild_from: Option<u32>,
    genus: Vec<Genus>,
    first_not_tame: Option<u32>,
    first_wild: Option<u32>,
    diverges_at: Option<u32>,
    infinite_to: Option<u32>,
    distinct_multiples: Vec<u32>,
    reason: Option<Reason>,
    tame_relative: Option<Tail>,
    growth: Option<Growth>,
    law: Option<Law>,
    automaton: Option<Automaton>,
    all_heaps: Option<AllHeaps>,
    partials: Vec<Partial>,
    fuel: u64,
}

/// The tail of a game that is tame relative to a heap.
#[derive(Debug, JsonSchema)]
pub(super) struct Tail {
    heap: u32,
    nim_heaps: u32,
    nim_period: Option<u32>,
    nim_preperiod: Option<u32>,
    stages: Option<u32>,
    stages_at_least: u32,
}

/// The pattern in which partial quotients grow.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Growth {
    start: u32,
    period: u32,
}

/// The law that solves the game.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Law {
    period: u32,
    slope: u32,
    modulus: u32,
    bits: u32,
    /// Whether the law shows that the quotient of the game is infinite.
    infinite: bool,
}

/// The automaton that solves the game.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Automaton {
    period: u32,
    states: u32,
    p_states: u32,
    /// Whether the automaton shows that the quotient of the game is infinite.
    infinite: bool,
}

/// The repetition of the words of all heaps past an infinite quotient.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct AllHeaps {
    preperiod: u32,
    period: u32,
}

/// The JSON document of docs/reference.md, schema 1, which `misere verify` reads.
#[derive(Debug, JsonSchema)]
pub(super) struct Solution {
    schema: One,
    code: Code,
    convention: Misere,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
    heaps: u32,
    period: Option<u32>,
    preperiod: Option<u32>,
    tame: Option<bool>,
    diverges_at: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    infinite_to: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tame_relative: Option<Tail>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    law: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    automaton: Option<Object>,
    quotient: SolutionQuotient,
    phi: Vec<u32>,
    partials: Vec<Partial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagram: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_heaps: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    fuel: u64,
    elapsed_s: f64,
    engine: String,
}

/// The quotient of a solution.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct SolutionQuotient {
    order: u32,
    p_size: u32,
    class: ClassKey,
    identity: Zero,
    generators: Vec<Generator>,
    action: Vec<Vec<u32>>,
    p_portion: Vec<u32>,
    words: Vec<String>,
    presentation: Vec<String>,
}

/// A generator of a quotient, with the heap that has it for its value.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Generator {
    name: String,
    element: u32,
    heap: u32,
}

/// A bipartite monoid by the action of its generators.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct Monoid {
    order: u32,
    action: Vec<Vec<u32>>,
    p_portion: Vec<u32>,
}

/// A game in which a class occurs.
#[derive(Debug, JsonSchema)]
pub(super) struct Occurrence {
    code: Code,
    aliases: Vec<Code>,
    renumberings: Vec<Renumbering>,
    status: Option<Status>,
    /// The first and the last heap of each range in which the partial quotient has the class.
    ranges: Vec<(u32, u32)>,
    /// Whether the last range never ends: the class is that of the quotient of the whole game.
    forever: bool,
}

/// What a census excludes by not having a quotient.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct Exclusion {
    /// The number of tasks of the plan.
    tasks: u64,
    /// The number of those that ended.
    ended: u64,
    /// The greatest order to which the census has all misère quotients.
    quotients_to: Option<u8>,
    /// Whether the order is at most that one, so that no games have the quotient.
    is_no_quotient: bool,
}

/// Whether a monoid is a misère quotient.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct MisereQuotient {
    /// Whether games have it; null if that is not known.
    known: Option<bool>,
    why: String,
}

/// A game that a worker computes.
#[derive(Debug, JsonSchema)]
pub(super) struct Running {
    code: Code,
    heap: u32,
    order: u32,
    running_ms: u64,
    checkpoint: Option<Checkpoint>,
}

/// The last checkpoint of a computation.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Checkpoint {
    heap: u32,
    fuel: u64,
}

/// A worker.
#[derive(Debug, JsonSchema)]
pub(super) struct Worker {
    worker: String,
    name: String,
    threads: u32,
    memory_class: u8,
    identity: String,
    fingerprint: Option<String>,
    held: u64,
    silent_ms: u64,
    /// Whether an operator drains it.
    draining: bool,
    trust: Trust,
    running: Vec<Running>,
}

/// How far the coordinator trusts a worker.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Trust {
    state: String,
    why: Option<String>,
    finished: u64,
    agreed: u32,
    refused: u32,
    failed_alone: u32,
    failing: u32,
    confirmed_one_in: u32,
}

/// The time left, in seconds.
#[derive(Debug, JsonSchema)]
#[serde(tag = "known", rename_all = "snake_case")]
pub(super) enum Remaining {
    Nothing,
    Unknown,
    Between {
        at_least: f64,
        likely: f64,
        at_most: Option<f64>,
    },
}

/// Which plan was asked for, how much of it is done, and how sure each status is; docs/census.md.
#[derive(Debug, JsonSchema)]
pub(super) struct Completeness {
    schema: One,
    plan: Plan,
    complete: bool,
    tasks: u64,
    codes: u64,
    records: u64,
    pending: u64,
    quarantined: u64,
    dropped: u64,
    failed: Vec<Failed>,
    greatest_order: Option<u8>,
    orders: Vec<OrderStatement>,
    statuses: Vec<StatusStatement>,
    cited: Vec<Citation>,
    engine: String,
    digest: String,
}

/// The plan of a census.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Plan {
    id: String,
    space: String,
    fuel: u64,
    max_heap: u32,
    max_order: u32,
    max_copies: u32,
    max_evidence: u64,
    strategy: String,
}

/// A game whose computation failed too often.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Failed {
    code: Code,
    given_up: bool,
}

/// The progress of the classification of one order.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct OrderStatement {
    order: u8,
    complete: bool,
    quotients: Option<u64>,
    candidates: u64,
    batches: u64,
    settled: u64,
}

/// The number of games with a status, and how sure the status is.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct StatusStatement {
    status: Status,
    limit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// Whether misère play is known for every heap.
    whole: bool,
    knowledge: Knowledge,
    rulesets: u64,
    codes: u64,
    means: String,
}

/// A source that states a period of normal play, and the codes for which it does.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Citation {
    source: String,
    codes: Vec<Code>,
}

/// A census in which the quotients of an atlas were looked for.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct SearchedCensus {
    directory: String,
    bounds: AtlasBounds,
    completeness: Extent,
}

/// The extent of a census.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct Extent {
    tasks: u64,
    records: u64,
    digest: String,
}

/// The games of a census: with at most a number of digits, beans or days, or of listed codes.
#[derive(Debug, JsonSchema)]
#[serde(tag = "games", rename_all = "kebab-case")]
enum AtlasBounds {
    Octal { digits: u8 },
    Hexadecimal { digits: u8 },
    Quaternary { digits: u8 },
    Subtraction { most: u8 },
    BornBy { day: u32 },
    Listed { codes: u64 },
}

/// A quotient of an atlas.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct AtlasEntry {
    order: u32,
    p_size: u32,
    name: Option<String>,
    class: ClassKey,
    /// The answer of each census.
    answers: Vec<AtlasAnswer>,
}

/// The answer of a census to the question which of its games have a quotient.
#[derive(Debug, JsonSchema)]
#[serde(tag = "answer", rename_all = "kebab-case")]
enum AtlasAnswer {
    /// The least game whose quotient this is.
    Whole { code: Code },
    /// The least game with it as a partial quotient.
    Partial { code: Code, heap: u32 },
    /// No game has it; that is proved.
    None,
    /// The number of games that may have it.
    Open { open: u64 },
}

/// What the atlas says of a class.
#[derive(Debug, JsonSchema)]
pub(super) struct AtlasOfClass {
    /// The hash of the file of the atlas.
    hash: String,
    /// Whether the class is listed.
    ///
    /// Else it is that of the trivial quotient, of no quotient of games, or beyond the list.
    list: Listing,
    answers: Vec<CitedAnswer>,
}

/// The answer of a census, with the bounds and the digest of the census.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
struct CitedAnswer {
    bounds: AtlasBounds,
    digest: String,
    #[serde(flatten)]
    answer: AtlasAnswer,
}
