//! Which tables are there, and what stands in them?
//!
//! CSV and SQLite hold the same tables, defined here once: names, columns, what they mean, keys. `docs/exports.md` prints this definition;
//! a test compares them. Elements of a quotient are numbers from 0, the identity; each ruleset numbers its own.

use std::collections::BTreeMap;

use misere_census::Record;
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::monoid::presentation::presentation;
use misere_theory::monoid::word::{generator_name, lex_least_words};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Partial, Solution, Stages, Verdict};

use super::{Counts, ExportError, SCHEMA, Source, selection};
use crate::completeness::{Completeness, Finding};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// 0 or 1.
    Truth,
    /// Text.
    Text,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it may hold nothing.
    pub optional: bool,
    /// What it means.
    pub says: &'static str,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What its rows are.
    pub says: &'static str,
    /// Its columns; the first so many are its key.
    pub columns: &'static [Column],
    /// How many columns make the key.
    pub key: usize,
    /// The column that names a row of another table: column, table, column there.
    pub refers: Option<(&'static str, &'static str, &'static str)>,
}

const fn integer(name: &'static str, says: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Integer,
        optional: false,
        says,
    }
}

const fn truth(name: &'static str, says: &'static str) -> Column {
    Column {
        kind: Kind::Truth,
        ..integer(name, says)
    }
}

const fn text(name: &'static str, says: &'static str) -> Column {
    Column {
        kind: Kind::Text,
        ..integer(name, says)
    }
}

const fn optional(column: Column) -> Column {
    Column {
        optional: true,
        ..column
    }
}

const CODE: Column = text("code", "the code of the ruleset");
const OF_RULESET: Option<(&str, &str, &str)> = Some(("code", "rulesets", "code"));

/// What is said of the export as a whole.
pub const META: Table = Table {
    name: "meta",
    says: "the census and the export as a whole",
    columns: &[
        text(
            "name",
            "what is said: `schema`, `plan`, `digest`, `engine`, `complete`, `quotients` (0 if exported without them), `statement`, `completeness`, `selection`",
        ),
        text(
            "value",
            "as text; `completeness` and `selection` are JSON, as in the manifest",
        ),
    ],
    key: 1,
    refers: None,
};

/// The rulesets.
pub const RULESETS: Table = Table {
    name: "rulesets",
    says: "the rulesets, one row each",
    columns: &[
        text(
            "code",
            "the code that stands for all codes of the same game",
        ),
        text(
            "status",
            "`solved`, `tame-relative`, `infinite`, `diverges`, `grows`, `exhausted`",
        ),
        optional(text(
            "stopped_by",
            "the limit that ended it, if exhausted: `fuel`, `max-heap`, `max-order`",
        )),
        text(
            "knowledge",
            "how sure the status is: `proved`, `suspected`, `open`",
        ),
        truth("whole", "whether misère play is known for every heap"),
        optional(truth(
            "tame",
            "whether the game is tame; empty where that is open",
        )),
        integer(
            "heaps",
            "the greatest heap to which quotient and Φ are proved",
        ),
        integer(
            "quotient_order",
            "the order of the quotient of the heaps 0 to `heaps`",
        ),
        integer("p_size", "the size of its P-portion"),
        integer("generators", "how many generators it has"),
        text("class", "its class of isomorphic bipartite monoids"),
        optional(integer("period", "solved: the least period of Φ")),
        optional(integer(
            "preperiod",
            "solved: the least heap from which on it holds",
        )),
        optional(integer(
            "diverges_at",
            "infinite, diverges: the heap whose partial quotient is not finite",
        )),
        optional(integer(
            "copies",
            "infinite, diverges: copies of a heap that were tried",
        )),
        optional(integer(
            "tame_from",
            "tame-relative: the heap from which on misère play is normal play",
        )),
        optional(integer(
            "nim_heaps",
            "tame-relative: the heap to which nim-values are proved",
        )),
        optional(integer(
            "nim_period",
            "tame-relative: the period of normal play, where proved",
        )),
        optional(integer(
            "nim_preperiod",
            "tame-relative: the heap from which on that holds",
        )),
        optional(integer(
            "stages",
            "tame-relative: how many tame extensions lead to the whole quotient, where known",
        )),
        optional(integer(
            "stages_at_least",
            "tame-relative: a lower bound for it",
        )),
        optional(integer(
            "growth_start",
            "grows: the heap from which on the pattern holds",
        )),
        optional(integer("growth_period", "grows: its period")),
        integer("fuel", "fuel spent"),
        text(
            "claim",
            "the hash of all that is claimed, as it enters the digest",
        ),
    ],
    key: 1,
    refers: Some(("class", "classes", "class")),
};

/// Further codes.
pub const ALIASES: Table = Table {
    name: "aliases",
    says: "further codes of the same games",
    columns: &[
        text("alias", "a code"),
        text("code", "the code of the ruleset it is the same game as"),
    ],
    key: 1,
    refers: OF_RULESET,
};

/// Changes of partial quotients.
pub const PARTIALS: Table = Table {
    name: "partials",
    says: "each heap at which the partial quotient of a ruleset changes",
    columns: &[
        CODE,
        integer("heap", "the heap"),
        integer(
            "quotient_order",
            "the order of the partial quotient from this heap to the next change",
        ),
        integer("p_size", "the size of its P-portion"),
        text("class", "its class"),
    ],
    key: 2,
    refers: OF_RULESET,
};

/// The pretending functions.
pub const PHI: Table = Table {
    name: "phi",
    says: "the pretending functions",
    columns: &[
        CODE,
        integer("heap", "the heap, from 0 to `heaps`"),
        integer("element", "its value: an element of the quotient"),
    ],
    key: 2,
    refers: OF_RULESET,
};

/// The generators.
pub const GENERATORS: Table = Table {
    name: "generators",
    says: "the generators of the quotients",
    columns: &[
        CODE,
        integer("generator", "its number, from 0, in the order of heaps"),
        text("name", "its name in words: `a`, `b`, …"),
        integer("element", "the element it is"),
        integer("heap", "the least heap whose value it is"),
    ],
    key: 2,
    refers: OF_RULESET,
};

/// The elements.
pub const ELEMENTS: Table = Table {
    name: "elements",
    says: "the elements of the quotients",
    columns: &[
        CODE,
        integer("element", "its number; 0 is the identity"),
        text("word", "the lex-least word for it, `1` for the identity"),
        truth("in_p", "whether it is in the P-portion"),
    ],
    key: 2,
    refers: OF_RULESET,
};

/// The actions.
pub const ACTION: Table = Table {
    name: "action",
    says: "the products of elements and generators, which determine all products",
    columns: &[
        CODE,
        integer("generator", "the number of the generator"),
        integer("element", "the element"),
        integer("product", "element times generator"),
    ],
    key: 3,
    refers: OF_RULESET,
};

/// The presentations.
pub const RELATIONS: Table = Table {
    name: "relations",
    says: "the reduced confluent presentation of each quotient, as a commutative monoid",
    columns: &[
        CODE,
        integer("position", "its place, from 0"),
        text("left_word", "the word that is rewritten"),
        text("right_word", "the lex-least word of the same element"),
    ],
    key: 2,
    refers: OF_RULESET,
};

/// The classes.
pub const CLASSES: Table = Table {
    name: "classes",
    says: "the classes of all partial quotients of these rulesets",
    columns: &[
        text("class", "its key: the hash of the canonical form"),
        integer("quotient_order", "the order of its monoids"),
        integer("p_size", "the size of their P-portions"),
        optional(text(
            "name",
            "its name in the literature, where it has one: `T_2`, `R_8`, …",
        )),
        truth("final", "whether some ruleset here ends with it"),
        text(
            "first_code",
            "the least code of the census with a partial quotient of this class",
        ),
        integer("first_heap", "the heap at which that code first has it"),
    ],
    key: 1,
    refers: None,
};

/// All tables, each after those it refers to, but that classes come last: they are known when all rulesets were seen.
pub const TABLES: [&Table; 10] = [
    &META,
    &RULESETS,
    &ALIASES,
    &PARTIALS,
    &PHI,
    &GENERATORS,
    &ELEMENTS,
    &ACTION,
    &RELATIONS,
    &CLASSES,
];

/// Which tables are filled. The others are there as well, and empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// All.
    All,
    /// All but those of single quotients and values: Φ, generators, elements, action, relations. They hold nearly all of the rows.
    WithoutQuotients,
}

/// What stands in one place of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A number.
    Integer(i64),
    /// Text.
    Text(String),
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<bool> for Cell {
    fn from(holds: bool) -> Self {
        Self::Integer(holds.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        // Orders and positions fit in 32 bits.
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        // Fuel beyond it would take three hundred thousand years.
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&Code> for Cell {
    fn from(code: &Code) -> Self {
        Self::Text(code.to_string())
    }
}

impl From<ClassKey> for Cell {
    fn from(class: ClassKey) -> Self {
        Self::Text(class.to_string())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

/// Where rows go.
pub trait Rows {
    /// Takes the next row of a table, as many cells as that has columns.
    ///
    /// # Errors
    /// Whatever keeps it from being written.
    fn row(&mut self, table: &Table, cells: &[Cell]) -> Result<(), ExportError>;
}

/// Writes all tables, table by table and row by row in ascending order of keys within each ruleset; counts the rows.
///
/// # Errors
/// [`ExportError`] if the census cannot be read or a row not be written.
pub(crate) fn fill(
    source: &Source<'_>,
    statement: &Completeness,
    which: Tables,
    rows: &mut impl Rows,
) -> Result<Counts, ExportError> {
    let mut filling = Filling {
        rows,
        counts: Counts::new(),
    };
    filling.meta(source, statement, which)?;
    let mut classes: BTreeMap<ClassKey, Met> = BTreeMap::new();
    source.for_each(|record| {
        for partial in &record.partials {
            classes
                .entry(partial.class)
                .or_insert_with(|| Met::of(record, partial));
        }
        // Without a change the quotient is that of no heaps at all.
        let last = Partial {
            heap: 0,
            order: record.order,
            p_size: record.p_size,
            class: record.class,
        };
        let met = classes
            .entry(record.class)
            .or_insert_with(|| Met::of(record, &last));
        met.is_final = true;
        filling.ruleset(record)?;
        match which {
            Tables::All => filling.quotient(record, &source.solution(record)?),
            Tables::WithoutQuotients => Ok(()),
        }
    })?;
    for (class, met) in classes {
        source.listen()?;
        filling.class(source, class, met)?;
    }
    Ok(filling.counts)
}

/// A class as it was first met among the rulesets selected.
struct Met {
    order: u32,
    p_size: u32,
    code: Code,
    heap: u32,
    is_final: bool,
}

impl Met {
    fn of(record: &Record, partial: &Partial) -> Self {
        Self {
            order: partial.order,
            p_size: partial.p_size,
            code: record.code.clone(),
            heap: partial.heap,
            is_final: false,
        }
    }
}

struct Filling<'a, R> {
    rows: &'a mut R,
    counts: Counts,
}

impl<R: Rows> Filling<'_, R> {
    fn row<const N: usize>(&mut self, table: &Table, cells: [Cell; N]) -> Result<(), ExportError> {
        *self.counts.entry(table.name).or_default() += 1;
        self.rows.row(table, &cells)
    }

    fn meta(
        &mut self,
        source: &Source<'_>,
        statement: &Completeness,
        which: Tables,
    ) -> Result<(), ExportError> {
        let json = |value: &serde_json::Value| value.to_string();
        let entries = [
            ("schema", SCHEMA.to_string()),
            ("plan", statement.plan.id.clone()),
            ("digest", statement.digest.clone()),
            ("engine", statement.engine.clone()),
            ("complete", u8::from(statement.complete).to_string()),
            ("quotients", u8::from(which == Tables::All).to_string()),
            ("statement", statement.sentences().join("\n")),
            ("completeness", json(&serde_json::to_value(statement)?)),
            ("selection", json(&selection::document(source.filter))),
        ];
        for (name, value) in entries {
            self.row(&META, [name.into(), value.into()])?;
        }
        Ok(())
    }

    fn ruleset(&mut self, record: &Record) -> Result<(), ExportError> {
        let finding = Finding::of(record);
        let verdict = record.verdict;
        let solved = match verdict {
            Verdict::Solved { period, preperiod } => Some((period, preperiod)),
            _ => None,
        };
        let diverges = match verdict {
            Verdict::Diverges { heap, copies } => Some((heap, copies)),
            _ => None,
        };
        let growth = match verdict {
            Verdict::Grows { start, period } => Some((start, period)),
            _ => None,
        };
        let tame_from = match verdict {
            Verdict::TameRelative { heap } => Some(heap),
            _ => None,
        };
        let tail = record.tail;
        let nim = tail.and_then(|tail| tail.nim_period);
        let (stages, at_least) = match tail.map(|tail| tail.stages) {
            Some(Stages::Known(stages)) => (Some(stages), Some(stages)),
            Some(Stages::AtLeast(stages)) => (None, Some(stages)),
            None => (None, None),
        };
        let claim: String = record
            .claim
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.row(
            &RULESETS,
            [
                (&record.code).into(),
                finding.status().name().into(),
                finding.limit().into(),
                finding.knowledge().to_string().into(),
                finding.is_whole().into(),
                record.tame.into(),
                record.heaps.into(),
                record.order.into(),
                record.p_size.into(),
                record.generators.into(),
                record.class.into(),
                solved.map(|(period, _)| period).into(),
                solved.map(|(_, preperiod)| preperiod).into(),
                diverges.map(|(heap, _)| heap).into(),
                diverges.map(|(_, copies)| copies).into(),
                tame_from.into(),
                tail.map(|tail| tail.nim_heaps).into(),
                nim.map(|nim| nim.period).into(),
                nim.map(|nim| nim.preperiod).into(),
                stages.into(),
                at_least.into(),
                growth.map(|(start, _)| start).into(),
                growth.map(|(_, period)| period).into(),
                record.fuel.into(),
                claim.into(),
            ],
        )?;
        for alias in &record.aliases {
            self.row(&ALIASES, [alias.into(), (&record.code).into()])?;
        }
        for partial in &record.partials {
            self.row(
                &PARTIALS,
                [
                    (&record.code).into(),
                    partial.heap.into(),
                    partial.order.into(),
                    partial.p_size.into(),
                    partial.class.into(),
                ],
            )?;
        }
        Ok(())
    }

    fn quotient(&mut self, record: &Record, solution: &Solution) -> Result<(), ExportError> {
        let code = &record.code;
        for (heap, &element) in solution.phi.iter().enumerate() {
            self.row(&PHI, [code.into(), heap.into(), element.into()])?;
        }
        let quotient = &solution.quotient;
        for g in 0..quotient.generators() {
            let heap = solution.generator_heaps.get(g).copied();
            self.row(
                &GENERATORS,
                [
                    code.into(),
                    g.into(),
                    generator_name(g).into(),
                    quotient.act(0, g).into(),
                    heap.unwrap_or(0).into(),
                ],
            )?;
        }
        let words = lex_least_words(quotient);
        for (element, word) in words.iter().enumerate() {
            self.row(
                &ELEMENTS,
                [
                    code.into(),
                    element.into(),
                    word.to_string().into(),
                    is_in_p(quotient, element).into(),
                ],
            )?;
        }
        for (g, row) in quotient.action().iter().enumerate() {
            for (element, &product) in row.iter().enumerate() {
                self.row(
                    &ACTION,
                    [code.into(), g.into(), element.into(), product.into()],
                )?;
            }
        }
        for (position, relation) in presentation(quotient, &words).iter().enumerate() {
            self.row(
                &RELATIONS,
                [
                    code.into(),
                    position.into(),
                    relation.left.to_string().into(),
                    relation.right.to_string().into(),
                ],
            )?;
        }
        Ok(())
    }

    fn class(&mut self, source: &Source<'_>, key: ClassKey, met: Met) -> Result<(), ExportError> {
        let class = source.store.class(&key)?;
        let quotient = class.as_ref().and_then(|class| class.quotient.as_deref());
        let name = quotient.and_then(|quotient| quotient.known_name());
        let witness = class.and_then(|class| Some((class.witness?, class.heap)));
        let witness = witness.unwrap_or((met.code, met.heap));
        self.row(
            &CLASSES,
            [
                key.into(),
                met.order.into(),
                met.p_size.into(),
                name.into(),
                met.is_final.into(),
                (&witness.0).into(),
                witness.1.into(),
            ],
        )
    }
}

fn is_in_p(quotient: &BipartiteMonoid, element: usize) -> bool {
    u32::try_from(element).is_ok_and(|element| quotient.in_p(element))
}

/// The definition of the tables as it stands in the documentation.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::new();
    for table in TABLES {
        page.push_str(&format!("### `{}`: {}\n\n", table.name, table.says));
        page.push_str("| column | type | |\n|---|---|---|\n");
        for (at, column) in table.columns.iter().enumerate() {
            let kind = match column.kind {
                Kind::Integer => "integer",
                Kind::Truth => "0 or 1",
                Kind::Text => "text",
            };
            let key = if at < table.key { ", key" } else { "" };
            let empty = if column.optional { " or empty" } else { "" };
            page.push_str(&format!(
                "| `{}` | {kind}{empty}{key} | {} |\n",
                column.name, column.says
            ));
        }
        page.push('\n');
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo test -p misere-coordinator` prints what should stand there.
    #[test]
    fn the_documentation_prints_the_tables() {
        let page = include_str!("../../../docs/exports.md");
        let wanted = markdown();
        assert!(
            page.contains(&wanted),
            "docs/exports.md should contain:\n\n{wanted}"
        );
    }

    #[test]
    fn tables_refer_to_columns_that_are_there() {
        for table in TABLES {
            assert!(table.key >= 1 && table.key <= table.columns.len());
            assert!(
                table.columns[..table.key]
                    .iter()
                    .all(|column| !column.optional)
            );
            let Some((own, other, column)) = table.refers else {
                continue;
            };
            assert!(table.columns.iter().any(|it| it.name == own));
            let other = TABLES.iter().find(|it| it.name == other).unwrap();
            assert_eq!((other.key, other.columns[0].name), (1, column));
        }
    }
}
