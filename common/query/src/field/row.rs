//! A row of the table of the query fields, and the kinds of facts that a row states.

use misere_census::Record;
use misere_game::bipartite::ClassKey;

/// The form of a field's values, and so of the conditions on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One of several statuses; the condition is a set of them.
    Status,
    /// Tame, wild or open; the condition is one of these.
    Tameness,
    /// At most one number; the condition is one range.
    Number,
    /// The heaps at which an event happens; conditions are ranges that all have to hold.
    Event,
    /// Classes of isomorphic quotients; the condition is a pattern of classes.
    Class,
    /// One of several reasons, or none; the condition is a set of reasons.
    Reason,
    /// Classes of heaps by their genera; the condition is a set of classes.
    Genus,
}

/// The unit of the numbers of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// The values are not numbers with a unit.
    Nothing,
    /// Elements of a monoid.
    Elements,
    /// A distance between heaps; every code of a game has the same.
    Distance,
    /// The number of a heap; each code of a game has its own.
    Heap,
    /// Units of fuel.
    Fuel,
}

/// The way in which the values of a field are read off a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    /// At most one number.
    Number(fn(&Record) -> Option<u64>),
    /// Several numbers, ascending.
    Numbers(fn(&Record) -> Vec<u64>),
    /// Classes in any order.
    Classes(fn(&Record) -> Vec<ClassKey>),
}

/// The column of an export that holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldColumn {
    /// The name of the column.
    pub name: &'static str,
    /// Whether the column may be empty.
    pub optional: bool,
    /// The meaning of the column, for the documentation.
    pub says: &'static str,
}

/// A row of the table beside its name and its byte.
pub(super) struct Row {
    /// The name in messages, addresses, manifests and orders.
    pub(super) name: &'static str,
    /// The option of the command line, if it is not the name.
    pub(super) option: Option<&'static str>,
    pub(super) kind: Kind,
    pub(super) unit: Unit,
    /// Whether answers can be sorted by the field.
    pub(super) sortable: bool,
    /// Whether the value is computed on demand, and so has no index.
    pub(super) computed: bool,
    pub(super) reading: Reading,
    /// The place in the JSON of a record; `[]` represents each element of an array.
    pub(super) document: &'static str,
    /// A condition for the documentation of the API.
    pub(super) example: &'static str,
    pub(super) column: Option<FieldColumn>,
    /// The label and the hint in the form of the page of games, if the form has the field.
    pub(super) form: Option<(&'static str, &'static str)>,
    /// Words of the search box beside the name.
    pub(super) words: &'static [&'static str],
}

/// The facts of a row that does not state them.
pub(super) const PLAIN: Row = Row {
    name: "",
    option: None,
    kind: Kind::Number,
    unit: Unit::Nothing,
    sortable: false,
    computed: false,
    reading: Reading::Number(|_| None),
    document: "",
    example: "8..40",
    column: None,
    form: None,
    words: &[],
};

/// Returns a column that every ruleset fills.
pub(super) const fn column(name: &'static str, says: &'static str) -> Option<FieldColumn> {
    Some(FieldColumn {
        name,
        optional: false,
        says,
    })
}

/// Returns a column that is empty if a ruleset has no such number.
pub(super) const fn optional_column(name: &'static str, says: &'static str) -> Option<FieldColumn> {
    Some(FieldColumn {
        name,
        optional: true,
        says,
    })
}
