//! The table of the query fields: the properties of a game by which a census is searched.
//!
//! Every surface follows this table: the options of `misere query`, the names in a message of the
//! protocol, the indexes of the store, the columns of an export, the form of a page, the parameters
//! of the API and their documentation. A field is added by adding a row.
//!
//! Kayles, `0.77`, has the period 12. The row [`Field::Period`] says that this number is called
//! `period`, that its entries in the store begin with the byte 5, and how it is read off a record.

mod row;

use crate::genus::{GenusClass, first_not_tame, first_wild};
use crate::tameness::wild_from;
pub(crate) use row::Reading;
pub use row::{FieldColumn, Kind, Unit};
use row::{PLAIN, Row, column, optional_column};

/// Makes the fields from rows: a sentence, a name, the byte of the index, and the facts.
///
/// The sentence is the documentation of the variant and the help of every surface, so it is written
/// once.
/// once.
macro_rules! fields {
    ($($(#[doc = $about:literal])+ $field:ident = $byte:literal $facts:tt)+) => {
        /// A property of a game by which a census is searched.
        ///
        /// The numbers of the variants are the bytes with which the entries of the indexes begin.
        /// They are on disks: a number that was used once is never given to another field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Field {
            $($(#[doc = $about])+ $field = $byte,)+
        }

        impl Field {
            /// All fields, in the order in which every surface lists them.
            pub const ALL: [Self; [$($byte),+].len()] = [$(Self::$field),+];

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$field => {
                        const ROW: Row = fields!(@row $facts);
                        &ROW
                    })+
                }
            }

            /// Returns the number of the variant, for the keys of entries.
            pub(crate) fn byte(self) -> &'static [u8] {
                match self {
                    $(Self::$field => &[$byte],)+
                }
            }

            /// Returns the sentence that says what the field is, without a full stop.
            ///
            /// ```
            /// # use misere_query::Field;
            /// assert_eq!(Field::Heaps.about(), "The greatest heap to which the values are proved");
            /// ```
            #[must_use]
            pub fn about(self) -> &'static str {
                let about = match self {
                    $(Self::$field => concat!($($about),+),)+
                };
                about.trim().trim_end_matches('.')
            }
        }
    };
    (@row { $($fact:ident: $value:expr),+ $(,)? }) => {
        Row { $($fact: $value,)+ ..PLAIN }
    };
}

fields! {
    /// How the computation ended: solved, tame-relative, infinite, diverges, grows, exhausted;
    /// several with commas.
    Status = 1 {
        name: "status",
        kind: Kind::Status,
        reading: Reading::Number(|record| Some(record.status()? as u64)),
        document: "status",
        example: "solved",
        column: column(
            "status",
            "`solved`, `tame-relative`, `infinite`, `diverges`, `grows`, `exhausted`",
        ),
    }
    /// Whether the game is tame or wild, or that is open.
    Tame = 2 {
        name: "tame",
        kind: Kind::Tameness,
        reading: Reading::Number(|record| record.tame.map(u64::from)),
        document: "tame",
        example: "wild",
        column: optional_column("tame", "whether the game is tame; empty where that is open"),
    }
    /// The order of the quotient (to the greatest heap proved).
    Order = 3 {
        name: "order",
        unit: Unit::Elements,
        sortable: true,
        reading: Reading::Number(|record| Some(record.order.into())),
        document: "order",
        column: column("quotient_order", "the order of the quotient of the heaps 0 to `heaps`"),
        form: Some(("Order", "8..40")),
    }
    /// The number of elements of the P-portion.
    PSize = 4 {
        name: "p-size",
        unit: Unit::Elements,
        sortable: true,
        reading: Reading::Number(|record| Some(record.p_size.into())),
        document: "p_size",
        column: column("p_size", "the size of its P-portion"),
        form: Some(("|P|", "2..")),
        words: &["|p|", "p"],
    }
    /// The class of the quotient: a name (R_8), a label (40.9.2), or the first digits of its key.
    Class = 9 {
        name: "class",
        kind: Kind::Class,
        reading: Reading::Classes(|record| vec![record.class]),
        document: "class",
        example: "R_8",
        column: column("class", "its class of isomorphic bipartite monoids"),
        form: Some(("Class", "R_8")),
    }
    /// The class of some partial quotient.
    AnyClass = 0 {
        name: "any-class",
        kind: Kind::Class,
        reading: Reading::Classes(|record| {
            record.partials.iter().map(|partial| partial.class).collect()
        }),
        document: "partials[].class",
        example: "S_12",
        form: Some(("Class of a partial quotient", "S_12")),
    }
    /// The period of the pretending function.
    Period = 5 {
        name: "period",
        unit: Unit::Distance,
        sortable: true,
        reading: Reading::Number(|record| {
            let (period, _) = record.verdict.period()?;
            Some(period.into())
        }),
        document: "period",
        column: optional_column("period", "solved with a period: the least period of Φ"),
        form: Some(("Period", "2")),
    }
    /// The heap from which on the pretending function repeats.
    Preperiod = 6 {
        name: "preperiod",
        unit: Unit::Heap,
        sortable: true,
        reading: Reading::Number(|record| {
            let (_, preperiod) = record.verdict.period()?;
            Some(preperiod.into())
        }),
        document: "preperiod",
        column: optional_column("preperiod", "solved with a period: the least heap from which on Φ repeats with it"),
        form: Some(("Preperiod", "..10")),
    }
    /// The greatest heap to which the values are proved.
    Heaps = 7 {
        name: "heaps",
        unit: Unit::Heap,
        sortable: true,
        reading: Reading::Number(|record| Some(record.heaps.into())),
        document: "heaps",
        column: column("heaps", "the greatest heap to which quotient and Φ are proved"),
        words: &["heap"],
    }
    /// The fuel that was spent.
    Fuel = 8 {
        name: "fuel",
        option: Some("spent"),
        unit: Unit::Fuel,
        sortable: true,
        reading: Reading::Number(|record| Some(record.fuel)),
        document: "fuel",
        column: column("fuel", "fuel spent"),
    }
    /// A heap at which the partial quotient changes.
    ChangesAt = 10 {
        name: "changes-at",
        kind: Kind::Event,
        unit: Unit::Heap,
        reading: Reading::Numbers(|record| {
            record.partials.iter().map(|partial| partial.heap.into()).collect()
        }),
        document: "partials[].heap",
        example: "8",
        words: &["changes"],
    }
    /// The heap of the first wild partial quotient.
    WildFrom = 11 {
        name: "wild-from",
        kind: Kind::Event,
        unit: Unit::Heap,
        sortable: true,
        reading: Reading::Number(|record| wild_from(record).map(u64::from)),
        document: "wild_from",
        example: "..20",
        column: optional_column(
            "wild_from",
            "the least heap whose partial quotient is wild, if one is",
        ),
    }
    /// The heap whose partial quotient diverges, whether or not the quotient is proved infinite.
    DivergesAt = 12 {
        name: "diverges-at",
        kind: Kind::Event,
        unit: Unit::Heap,
        sortable: true,
        reading: Reading::Number(|record| record.verdict.diverges_at().map(u64::from)),
        document: "diverges_at",
        example: "1..100",
        column: optional_column(
            "diverges_at",
            "infinite, diverges: the heap at which the game diverges; an infinite quotient is proved to this heap or to a greater one",
        ),
    }
    /// The heap from which on misère play is normal play.
    TameRelativeFrom = 13 {
        name: "tame-relative-from",
        kind: Kind::Event,
        unit: Unit::Heap,
        reading: Reading::Number(|record| record.verdict.tame_from().map(u64::from)),
        document: "tame_relative.heap",
        example: "..40",
        column: optional_column(
            "tame_from",
            "tame-relative: the heap from which on misère play is normal play",
        ),
    }
    /// The heap from which on the partial quotients grow in a pattern.
    GrowsFrom = 14 {
        name: "grows-from",
        kind: Kind::Event,
        unit: Unit::Heap,
        reading: Reading::Number(|record| {
            let (start, _) = record.verdict.growth()?;
            Some(start.into())
        }),
        document: "growth.start",
        example: "1..",
        column: optional_column("growth_start", "grows: the heap from which on the pattern holds"),
    }
    /// Why a diverging quotient is not proved infinite: not-sought, fuel, size, letters, digits,
    /// copies, states, words, outcomes, multiples; several with commas.
    Reason = 15 {
        name: "reason",
        kind: Kind::Reason,
        reading: Reading::Number(|record| record.reason.map(|reason| reason as u64)),
        document: "reason",
        example: "fuel",
        column: optional_column(
            "reason",
            "diverges: why no proof of infinity was found; empty where that was not recorded",
        ),
    }
    /// The period of the law that solves the game.
    Law = 16 {
        name: "law",
        unit: Unit::Distance,
        reading: Reading::Number(|record| Some(record.law?.period.into())),
        document: "law.period",
        example: "1..",
        column: optional_column(
            "law_period",
            "solved by a law: the number of heaps after which it repeats",
        ),
        words: &["laws"],
    }
    /// The period of the words of all heaps, if they solve a game with an infinite quotient.
    PastInfinite = 17 {
        name: "past-infinite",
        unit: Unit::Distance,
        reading: Reading::Number(|record| Some(record.all_heaps?.period.into())),
        document: "all_heaps.period",
        example: "1..",
        column: optional_column(
            "past_infinite_period",
            "solved past an infinite quotient: the period with which the words of all heaps repeat",
        ),
    }
    /// The order of some partial quotient.
    AnyOrder = 21 {
        name: "any-order",
        kind: Kind::Event,
        unit: Unit::Elements,
        computed: true,
        reading: Reading::Numbers(|record| {
            record.partials.iter().map(|partial| partial.order.into()).collect()
        }),
        document: "partials[].order",
        example: "12",
    }
    /// The classes of the heaps by genus: tame (all heaps, proved), restive, restless, half-tame,
    /// wild, open; several with commas.
    Genus = 18 {
        name: "genus",
        kind: Kind::Genus,
        computed: true,
        reading: Reading::Numbers(|record| {
            GenusClass::of(record).into_iter().map(|class| class as u64).collect()
        }),
        document: "genus",
        example: "restive",
        column: column(
            "genus_class",
            "the classes of the heaps to 20 by their genera: `tame` (all heaps, proved), \
             `restive`, `restless`, `half-tame`, `wild`, `open`; several with blanks",
        ),
    }
    /// The first heap that is not tame by its genus; sought to heap 20.
    FirstNotTame = 19 {
        name: "first-not-tame",
        kind: Kind::Event,
        unit: Unit::Heap,
        sortable: true,
        computed: true,
        reading: Reading::Number(|record| first_not_tame(record).map(u64::from)),
        document: "first_not_tame",
        example: "..8",
        column: optional_column(
            "first_not_tame",
            "the first heap that is not tame by its genus, if one was found",
        ),
    }
    /// The first heap that is wild by its genus; sought to heap 20.
    FirstWild = 20 {
        name: "first-wild",
        kind: Kind::Event,
        unit: Unit::Heap,
        sortable: true,
        computed: true,
        reading: Reading::Number(|record| first_wild(record).map(u64::from)),
        document: "first_wild",
        example: "..12",
        column: optional_column(
            "first_wild",
            "the first heap that is wild by its genus, if one was found",
        ),
    }
    /// The modulus of the automaton that solves the game.
    Automaton = 22 {
        name: "automaton",
        unit: Unit::Distance,
        reading: Reading::Number(|record| Some(record.automaton?.period.into())),
        document: "automaton.period",
        example: "1..",
        column: optional_column(
            "automaton_period",
            "solved by an automaton: the number by which sizes matter modulo",
        ),
        words: &["automata"],
    }
}

impl Field {
    /// Returns the field with a name, if one has it.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert_eq!(Field::named("p-size"), Some(Field::PSize));
    /// assert_eq!(Field::named("colour"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Returns the fields whose conditions are ranges.
    ///
    /// They are the fields of the kinds [`Kind::Number`] and [`Kind::Event`], in the order of
    /// [`ALL`](Self::ALL).
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::with_ranges().any(|field| field == Field::Period));
    /// assert!(Field::with_ranges().all(|field| field != Field::Class));
    /// ```
    pub fn with_ranges() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|field| field.takes_range())
    }

    /// Reports whether conditions on the field are ranges of numbers.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::Heaps.takes_range() && !Field::Status.takes_range());
    /// ```
    #[must_use]
    pub const fn takes_range(self) -> bool {
        matches!(self.kind(), Kind::Number | Kind::Event)
    }

    /// Returns the name in messages, addresses, manifests and orders: `p-size`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the option of the command line without its two hyphens.
    ///
    /// The option is the name, except for `fuel`: there `--fuel` is the budget of a computation.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert_eq!(Field::Order.option(), "order");
    /// assert_eq!(Field::Fuel.option(), "spent");
    /// ```
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self.row().option {
            Some(option) => option,
            None => self.name(),
        }
    }

    /// Returns the form of the values and of the conditions.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// Returns the unit of the numbers.
    #[must_use]
    pub const fn unit(self) -> Unit {
        self.row().unit
    }

    /// Reports whether codes of one game may have different values of the field.
    ///
    /// `0.07` diverges at heap 34, and `0.4`, the same game with every heap one larger, at 35.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::DivergesAt.depends_on_code());
    /// assert!(!Field::Order.depends_on_code());
    /// ```
    #[must_use]
    pub const fn depends_on_code(self) -> bool {
        matches!(self.unit(), Unit::Heap)
    }

    /// Reports whether answers can be sorted by the field.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::Fuel.is_sortable() && !Field::GrowsFrom.is_sortable());
    /// ```
    #[must_use]
    pub const fn is_sortable(self) -> bool {
        self.row().sortable
    }

    /// Reports whether the value is computed on demand, and so has no index.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::FirstWild.is_computed() && !Field::WildFrom.is_computed());
    /// ```
    #[must_use]
    pub const fn is_computed(self) -> bool {
        self.row().computed
    }

    /// Returns a condition on the field, as the documentation shows it.
    #[must_use]
    pub const fn example(self) -> &'static str {
        self.row().example
    }

    /// Returns the column of the table of rulesets in an export, if there is one.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert_eq!(Field::Order.column().unwrap().name, "quotient_order");
    /// assert_eq!(Field::ChangesAt.column(), None);
    /// ```
    #[must_use]
    pub const fn column(self) -> Option<FieldColumn> {
        self.row().column
    }

    /// Returns the label and the hint in the form of the page of games, if the form has the field.
    #[must_use]
    pub const fn form(self) -> Option<(&'static str, &'static str)> {
        self.row().form
    }

    /// Returns the place in the JSON of a record ([`RecordDocument`](crate::RecordDocument)).
    ///
    /// In it `[]` represents each element of an array.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert_eq!(Field::GrowsFrom.document(), "growth.start");
    /// assert_eq!(Field::ChangesAt.document(), "partials[].heap");
    /// ```
    #[must_use]
    pub const fn document(self) -> &'static str {
        self.row().document
    }

    /// Reports whether a word of the search box names the field.
    ///
    /// The word may be the field's name, its option or another word.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::PSize.is_called("|p|"));
    /// assert!(Field::Fuel.is_called("spent"));
    /// ```
    #[must_use]
    pub fn is_called(self, word: &str) -> bool {
        word == self.name() || word == self.option() || self.row().words.contains(&word)
    }

    /// Returns the words of the search box that name the field, beside its name and its option.
    ///
    /// ```
    /// # use misere_query::Field;
    /// assert!(Field::PSize.words().contains(&"|p|"));
    /// ```
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        self.row().words
    }

    pub(crate) const fn reading(self) -> Reading {
        self.row().reading
    }
}

#[cfg(test)]
mod tests;
