//! The tables of an export and their columns.
//!
//! CSV and SQLite have the same tables, defined here once: names, columns, meanings, keys.
//! `docs/exports.md` prints this definition; a test compares them. Elements of a quotient are
//! numbers from 0, the identity; each ruleset numbers its own.

mod cell;

use misere_query::{Field, FieldColumn, Kind as FieldKind};

pub use cell::Cell;

/// The type of the cells of a column.
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
    /// The name of the column.
    pub name: &'static str,
    /// The type of its cells.
    pub kind: Kind,
    /// Whether its cells may be empty.
    pub optional: bool,
    /// The meaning of the column, for the documentation.
    pub says: &'static str,
    /// The query field in the column, if there is one.
    pub field: Option<Field>,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// The meaning of its rows.
    pub says: &'static str,
    /// The columns of the table; the first `key` ones are its key.
    pub columns: &'static [Column],
    /// The number of columns that make the key.
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
        field: None,
    }
}

/// Returns the column of a query field, with the description of the field.
const fn of(field: Field) -> Column {
    let kind = match field.kind() {
        FieldKind::Status | FieldKind::Class | FieldKind::Reason | FieldKind::Genus => Kind::Text,
        FieldKind::Tameness => Kind::Truth,
        FieldKind::Number | FieldKind::Event => Kind::Integer,
    };
    let own = match field.column() {
        Some(FieldColumn {
            name,
            optional,
            says,
        }) => Column {
            optional,
            ..integer(name, says)
        },
        // Only fields with a column are listed below.
        None => integer(field.name(), ""),
    };
    Column {
        kind,
        field: Some(field),
        ..own
    }
}

/// Returns the column of a query field in the heap numbers of an alias.
const fn of_alias(field: Field) -> Column {
    Column {
        says: "as in `rulesets`",
        ..of(field)
    }
}

/// Reports whether a field has a column that the list lacks.
///
/// In a table of aliases only fields that depend on the code of a game count.
const fn is_missing(field: Field, columns: &[Column], of_aliases: bool) -> bool {
    if field.column().is_none() || (of_aliases && !field.depends_on_code()) {
        return false;
    }
    let mut at = 0;
    while at < columns.len() {
        if let Some(other) = columns[at].field
            && other as u8 == field as u8
        {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns the number of columns of a list after the missing fields were added.
const fn completed_len(columns: &[Column], of_aliases: bool) -> usize {
    let mut len = columns.len();
    let mut at = 0;
    while at < Field::ALL.len() {
        len += is_missing(Field::ALL[at], columns, of_aliases) as usize;
        at += 1;
    }
    len
}

/// Returns a list of columns with the missing fields behind it.
///
/// So every field of the table has a column, and the columns of earlier releases keep their places.
const fn completed<const N: usize>(columns: &[Column], of_aliases: bool) -> [Column; N] {
    let mut all = [CODE; N];
    let mut end = 0;
    while end < columns.len() {
        all[end] = columns[end];
        end += 1;
    }
    let mut at = 0;
    while at < Field::ALL.len() {
        let field = Field::ALL[at];
        if is_missing(field, columns, of_aliases) {
            all[end] = if of_aliases {
                of_alias(field)
            } else {
                of(field)
            };
            end += 1;
        }
        at += 1;
    }
    all
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
const ALIAS: Column = text("alias", "the code of the alias");
const OF_ALIAS: Option<(&str, &str, &str)> = Some(("alias", "aliases", "alias"));

/// The table of statements about the export as a whole.
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

/// The columns of the rulesets in the order of the first releases.
const RULESET_COLUMNS: &[Column] = &[
    text(
        "code",
        "the code that stands for all codes of the same game",
    ),
    of(Field::Status),
    optional(text(
        "stopped_by",
        "the limit that ended it, if exhausted: `fuel`, `max-heap`, `max-order`",
    )),
    text(
        "knowledge",
        "how sure the status is: `proved`, `suspected`, `open`",
    ),
    truth("whole", "whether misère play is known for every heap"),
    of(Field::Tame),
    of(Field::Heaps),
    of(Field::Order),
    of(Field::PSize),
    integer("generators", "how many generators it has"),
    of(Field::Class),
    of(Field::Period),
    of(Field::Preperiod),
    of(Field::DivergesAt),
    optional(integer(
        "copies",
        "infinite, diverges: copies of a heap that were tried",
    )),
    of(Field::TameRelativeFrom),
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
    of(Field::GrowsFrom),
    optional(integer("growth_period", "grows: its period")),
    of(Field::Fuel),
    text(
        "claim",
        "the hash of all that is claimed, as it enters the digest",
    ),
    of(Field::WildFrom),
    of(Field::Reason),
    of(Field::Law),
    of(Field::PastInfinite),
    optional(integer(
        "past_infinite_preperiod",
        "solved past an infinite quotient: the heap from which on the words of all heaps repeat",
    )),
];

/// The rulesets.
pub const RULESETS: Table = Table {
    name: "rulesets",
    says: "the rulesets, one row each",
    columns: &completed::<{ completed_len(RULESET_COLUMNS, false) }>(RULESET_COLUMNS, false),
    key: 1,
    refers: Some(("class", "classes", "class")),
};

/// The columns of the aliases in the order of the first releases.
const ALIAS_COLUMNS: &[Column] = &[
    text("alias", "a code"),
    text("code", "the code of the ruleset it is the same game as"),
    text("sentence", "how heaps are renumbered, in words"),
    optional(integer(
        "shift",
        "what is added to the number of a large heap of the ruleset; empty if only finitely many heaps are live",
    )),
    optional(text(
        "dead_heaps",
        "the heaps of the alias from which no move leads, with blanks between them, without heap 0; an empty text if there are none; empty if only finitely many are live",
    )),
    optional(text(
        "live_heaps",
        "its live heaps instead, if they are finitely many",
    )),
    Column {
        says: "as in `rulesets`, in the heap numbers of the alias, like all that follows",
        ..of(Field::Heaps)
    },
    of_alias(Field::Period),
    of_alias(Field::Preperiod),
    of_alias(Field::DivergesAt),
    of_alias(Field::TameRelativeFrom),
    optional(integer("nim_heaps", "as in `rulesets`")),
    optional(integer("nim_period", "as in `rulesets`")),
    optional(integer("nim_preperiod", "as in `rulesets`")),
    of_alias(Field::GrowsFrom),
    optional(integer("growth_period", "as in `rulesets`")),
    of_alias(Field::WildFrom),
    optional(integer("past_infinite_preperiod", "as in `rulesets`")),
];

/// Further codes.
pub const ALIASES: Table = Table {
    name: "aliases",
    says: "further codes of the same games",
    columns: &completed::<{ completed_len(ALIAS_COLUMNS, true) }>(ALIAS_COLUMNS, true),
    key: 1,
    refers: OF_RULESET,
};

/// Changes of partial quotients, in the heap numbers of aliases.
pub const ALIAS_PARTIALS: Table = Table {
    name: "alias_partials",
    says: "each heap at which the partial quotient of an alias changes",
    columns: &[
        ALIAS,
        integer("heap", "the heap, in the heap numbers of the alias"),
        integer(
            "quotient_order",
            "the order of the partial quotient from this heap to the next change",
        ),
        integer("p_size", "the size of its P-portion"),
        text("class", "its class"),
    ],
    key: 2,
    refers: OF_ALIAS,
};

/// The pretending functions, in the heap numbers of aliases.
pub const ALIAS_PHI: Table = Table {
    name: "alias_phi",
    says: "the pretending functions of the aliases",
    columns: &[
        ALIAS,
        integer("heap", "the heap, from 0 to `heaps` of the alias"),
        optional(integer(
            "ruleset_heap",
            "the heap that it is in the ruleset; empty for a dead heap",
        )),
        integer(
            "element",
            "its value: an element of the quotient of the ruleset",
        ),
    ],
    key: 2,
    refers: OF_ALIAS,
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
            "label",
            "its label, such as `40.9.2`, where it has one",
        )),
        optional(text(
            "name",
            "its name in the literature, where it has one that is known: `T_2`, `R_8`, …",
        )),
        truth(
            "final",
            "whether it is the class of the last partial quotient of some ruleset here",
        ),
        text(
            "first_code",
            "the least code of the census with a partial quotient of this class",
        ),
        integer("first_heap", "the heap at which that code first has it"),
    ],
    key: 1,
    refers: None,
};

/// All tables, each after those it refers to; only classes come last.
///
/// They are known when all rulesets have been read.
pub const TABLES: [&Table; 12] = [
    &META,
    &RULESETS,
    &ALIASES,
    &PARTIALS,
    &ALIAS_PARTIALS,
    &PHI,
    &ALIAS_PHI,
    &GENERATORS,
    &ELEMENTS,
    &ACTION,
    &RELATIONS,
    &CLASSES,
];

/// The tables that are filled; the others are there as well, and empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// All.
    All,
    /// All tables except Φ, Φ of aliases, generators, elements, action, relations.
    ///
    /// These are the tables about single quotients and values, and have nearly all of the rows.
    WithoutQuotients,
}

/// Returns the definition of the tables in the form of the documentation.
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

    /// Compares the documentation with the tables; a failure prints the right text.
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
    fn every_field_with_a_column_has_one() {
        let has = |table: &Table, field: Field| {
            let mut columns = table.columns.iter();
            columns.any(|column| column.field == Some(field))
        };
        for field in Field::ALL {
            let is_exported = field.column().is_some();
            assert_eq!(has(&RULESETS, field), is_exported, "{field:?}");
            if is_exported && field.depends_on_code() {
                assert!(has(&ALIASES, field), "{field:?}");
            }
        }
    }

    #[test]
    fn fields_that_a_list_lacks_come_last() {
        const SHORT: &[Column] = &[CODE, of(Field::Fuel)];
        const LEN: usize = completed_len(SHORT, true);
        let columns: [Column; LEN] = completed(SHORT, true);
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        assert_eq!(names[..4], ["code", "fuel", "preperiod", "heaps"]);
        assert!(!names.contains(&"quotient_order"));
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
