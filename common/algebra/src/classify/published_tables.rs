//! The published numbers and tables of misère quotients of small order.
//!
//! Tables 1 to 3 of Siegel, *The structure and classification of misère quotients*, as the scan
//! shows them (`common/report/data/tables.json` and `quotients.json`, with the repairs). They are
//! claims to be examined, by [`super::comparison`].

/// Orders with the numbers of misère quotients that Siegel printed for them (Table 1).
///
/// From order 14 on there are more.
pub const TABLE_1: [(usize, usize); 9] = [
    (2, 1),
    (4, 0),
    (6, 1),
    (8, 1),
    (10, 1),
    (12, 6),
    (14, 9),
    (16, 50),
    (18, 211),
];

/// A table of quotients of one order.
#[derive(Debug)]
pub struct PublishedTable {
    /// The number of the table in the paper.
    pub number: usize,
    /// The order of the quotients.
    pub order: usize,
    /// Letters for games that occur in the table, as it defines them.
    pub abbreviations: &'static [(char, &'static str)],
    /// The rows of the table.
    pub rows: &'static [PublishedRow],
}

/// A row: a game that is said to have a quotient of that order.
#[derive(Debug)]
pub struct PublishedRow {
    /// The game as [`super::siegel_notation`] reads it; `None` if the scan cannot be read.
    pub game: Option<&'static str>,
    /// The scan, where it had to be interpreted.
    pub scan: Option<&'static str>,
    /// The quotient, where the table prints it.
    pub quotient: Option<PublishedQuotient>,
}

/// A quotient that a table prints.
#[derive(Debug)]
pub struct PublishedQuotient {
    /// The name of the quotient in the table.
    pub name: Option<&'static str>,
    /// The presentation of the quotient.
    pub presentation: &'static str,
    /// The P-portion, as words in the generators.
    pub p_portion: &'static [&'static str],
}

/// The six misère quotients of order 12, with games.
pub const TABLE_2: PublishedTable = PublishedTable {
    number: 2,
    order: 12,
    abbreviations: &[('H', "*2##321"), ('K', "*2##2#")],
    rows: &[
        PublishedRow {
            game: Some("*2#1"),
            scan: None,
            quotient: Some(PublishedQuotient {
                name: Some("S_12"),
                presentation: "⟨a,b,c | a^2=1, b^4=b^2, b^2c=b^3, c^2=1⟩",
                p_portion: &["a", "b^2", "ac"],
            }),
        },
        PublishedRow {
            game: Some("*2#321"),
            scan: None,
            quotient: Some(PublishedQuotient {
                name: Some("S'_12"),
                presentation: "⟨a,b,c | a^2=1, b^3=b, c^2=1⟩",
                p_portion: &["a", "b^2", "c"],
            }),
        },
        PublishedRow {
            game: Some("*2##54321"),
            scan: None,
            quotient: Some(PublishedQuotient {
                name: Some("R_12"),
                presentation: "⟨a,b,c,d | a^2=1, b^3=b, b^2c=c, c^2=b^2, bd=b, cd=c, d^2=b^2⟩",
                p_portion: &["a", "b^2"],
            }),
        },
        PublishedRow {
            game: Some("*H2##"),
            scan: Some("s H 244"),
            quotient: Some(PublishedQuotient {
                name: None,
                presentation: "⟨a,b,c | a^2=1, b^4=b^2, b^2c=b^3, c^2=b^2⟩",
                p_portion: &["a", "b^2", "c"],
            }),
        },
        PublishedRow {
            game: Some("*H#"),
            scan: Some("s<< Hy"),
            quotient: Some(PublishedQuotient {
                name: None,
                presentation: "⟨a,b,c,d | a^2=1, b^3=b, bc=b, c^2=b^2, bd=ab, d^2=b^2⟩",
                p_portion: &["a", "b^2", "d"],
            }),
        },
        PublishedRow {
            game: Some("*HK2##0"),
            scan: Some("*HK240"),
            quotient: Some(PublishedQuotient {
                name: None,
                presentation: "⟨a,b,c | a^2=1, b^4=b^2, b^2c=ab^3, c^2=abc⟩",
                p_portion: &["a", "b^2", "c"],
            }),
        },
    ],
};

/// Nine games that generate nonisomorphic quotients of order 14.
pub const TABLE_3: PublishedTable = PublishedTable {
    number: 3,
    order: 14,
    abbreviations: &[('G', "*2#320"), ('H', "*2##321"), ('K', "*2##2#32")],
    rows: &[
        game("*2#0", "k 2#0"),
        game("*G2#32", "* G2432"),
        PublishedRow {
            game: None,
            scan: Some("* H#G 320"),
            quotient: None,
        },
        game("*(G2#)(G2#_2 2#)", "* (G24)(G2424)"),
        game("*(G2#)(G2#_2 2#1)", "* (G24)(G242241)"),
        game("*(G2#)(G2#_3 2#1)", "* (G24)(G243241)"),
        game("*(G2#_2 2#1)(G2#_3 2#1)", "* (G210241)(G243241)"),
        game("*2##K_2 54320", "k 2##4254320"),
        game("*K_2K_1KG2#321", "* KzKlKGZ#SZI"),
    ],
};

const fn game(game: &'static str, scan: &'static str) -> PublishedRow {
    PublishedRow {
        game: Some(game),
        scan: Some(scan),
        quotient: None,
    }
}
