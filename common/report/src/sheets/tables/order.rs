//! Tables 2 and 3: the misère quotients of one order with games, beside the published rows.
//!
//! Each row has the published quotient that is isomorphic.

use std::collections::BTreeMap;

use misere_algebra::classify::comparison::{ComparedRow, Comparison, ComparisonError};
use misere_algebra::classify::published_tables::{PublishedTable, TABLE_2, TABLE_3};
use misere_algebra::classify::smallest::{games_of_list, in_papers_notation};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::Control;
use misere_game::ruleset::FiniteGame;
use misere_game::solution::construction::ConstructionDocument;
use serde_json::{Value, json};

use super::content;
use super::source::Source;
use crate::ReportError;
use crate::report::{Content, Report};
use crate::sheet::{Cell, Grid, Part};

/// The facts of a table: our quotients beside the published rows, and each class's least games.
pub(crate) struct OrderFacts {
    compared: Comparison,
    smallest: BTreeMap<ClassKey, FiniteGame>,
}

impl OrderFacts {
    fn of(
        source: &Source,
        table: &'static PublishedTable,
        control: &mut Control,
    ) -> Result<Self, ReportError> {
        let compared = Comparison::of(&source.list, table, control)?;
        let ours: Vec<_> = source.of_order(table.order).unwrap_or_default();
        let smallest = games_of_list(&ours, control).map_err(ComparisonError::from)?;
        Ok(Self { compared, smallest })
    }
}

/// The report of Table 2: the quotients of order 12.
pub(crate) struct Table2;

impl Report for Table2 {
    type Input = Source;
    type Facts = OrderFacts;
    const NAME: &'static str = "table2";
    const ABOUT: &'static str =
        "The misère quotients of order 12 with games, beside the published ones";

    fn facts(source: &Source, control: &mut Control) -> Result<OrderFacts, ReportError> {
        OrderFacts::of(source, &TABLE_2, control)
    }

    fn content(source: &Source, facts: &OrderFacts) -> Content {
        shown(source, &TABLE_2, facts)
    }
}

/// The report of Table 3: the quotients of order 14.
pub(crate) struct Table3;

impl Report for Table3 {
    type Input = Source;
    type Facts = OrderFacts;
    const NAME: &'static str = "table3";
    const ABOUT: &'static str =
        "The misère quotients of order 14 with games, beside the published ones";

    fn facts(source: &Source, control: &mut Control) -> Result<OrderFacts, ReportError> {
        OrderFacts::of(source, &TABLE_3, control)
    }

    fn content(source: &Source, facts: &OrderFacts) -> Content {
        shown(source, &TABLE_3, facts)
    }
}

fn shown(source: &Source, table: &'static PublishedTable, facts: &OrderFacts) -> Content {
    let title = format!(
        "The misère quotients of order {}, beside Table {} of Siegel, The structure and classification of misère quotients",
        table.order, table.number
    );
    let OrderFacts { compared, smallest } = facts;
    let report = OrderTable {
        source,
        table,
        compared,
        smallest,
    };
    let mut parts = Vec::new();
    let is_there = source.counts.contains_key(&table.order);
    if is_there {
        parts.push(Part::Says(verdict(table, compared)));
    } else {
        parts.push(Part::Says(format!(
            "Order {} is not complete in {}; {}. What was published:",
            table.order,
            source.place(),
            source.how_to_run(table.order)
        )));
    }
    parts.push(Part::Items(report.rows()));
    if !compared.unpublished.is_empty() {
        parts.push(Part::Items(unpublished_grid(source, compared, smallest)));
    }
    parts.push(Part::Says(report.notation()));
    let document = report.document(is_there);
    content(source, title, parts, report.data(), document)
}

struct OrderTable<'a> {
    source: &'a Source,
    table: &'static PublishedTable,
    compared: &'a Comparison,
    smallest: &'a BTreeMap<ClassKey, FiniteGame>,
}

impl OrderTable<'_> {
    /// Returns one item for every published row.
    fn rows(&self) -> Grid {
        let mut grid = Grid::new(
            &format!("Published, Table {}", self.table.number),
            &[
                "row",
                "published game",
                "its quotient",
                "published quotient",
                "published P",
                "ours",
                "isomorphism",
                "presentation",
                "P",
                "games",
                "smallest game found",
                "met in",
            ],
        );
        for (number, row) in (1..).zip(&self.compared.rows) {
            let published = row.published;
            let printed = published.quotient.as_ref();
            let mut cells = vec![
                Cell::Text(format!("row {number}")),
                match (published.game, published.scan) {
                    (Some(game), _) => Cell::Game(game.to_owned()),
                    (None, scan) => Cell::Text(format!(
                        "illegible in the scan ({})",
                        scan.unwrap_or("blank")
                    )),
                },
                Cell::Text(of_game(row)),
                printed.map_or(Cell::None, |printed| {
                    Cell::Formula(spaced(printed.presentation))
                }),
                printed.map_or(Cell::None, |printed| Cell::Formula(set(printed.p_portion))),
            ];
            match &row.ours {
                None => cells.extend([
                    Cell::Text(
                        if published.game.is_none() {
                            "not known which"
                        } else {
                            "not in the list"
                        }
                        .to_owned(),
                    ),
                    Cell::None,
                    Cell::None,
                    Cell::None,
                    Cell::None,
                    Cell::None,
                    Cell::None,
                ]),
                Some(ours) => {
                    cells.push(self.name(ours.place));
                    cells.push(match &row.printed {
                        Some(printed) => Cell::Formula(
                            printed
                                .generators
                                .iter()
                                .zip(&ours.images)
                                .map(|(generator, image)| format!("{generator} ↦ {image}"))
                                .collect::<Vec<_>>()
                                .join(", "),
                        ),
                        None => Cell::None,
                    });
                    cells.extend(ours_cells(self.source, ours.place, self.smallest));
                }
            }
            grid.rows.push(cells);
        }
        grid
    }

    /// Returns the name and the class of a quotient of the list.
    fn name(&self, place: usize) -> Cell {
        name(&self.source.list[place].quotient)
    }

    /// Returns one line for each published row and for each quotient that is in none.
    fn data(&self) -> Grid {
        let mut data = Grid::new(
            "",
            &[
                "table",
                "row",
                "published_game",
                "published_quotient",
                "game_has_it",
                "order",
                "p_size",
                "class",
                "name",
                "presentation",
                "p_portion",
                "games",
                "smallest_game_found",
                "met_in",
                "classes_digest",
            ],
        );
        let digest = || Cell::Key(self.source.digest.to_string());
        let ours = |place: Option<usize>| -> Vec<Cell> {
            let Some(construction) = place.map(|place| &self.source.list[place]) else {
                return vec![Cell::None; 9];
            };
            let document = ConstructionDocument::new(construction);
            let class = document.class;
            vec![
                Cell::number(document.order),
                Cell::number(document.p_size),
                Cell::Key(class.to_string()),
                Cell::text(document.name.clone().unwrap_or_default()),
                Cell::Formula(presentation(&document)),
                Cell::Formula(p_portion(&document)),
                Cell::Formula(games(&document)),
                self.smallest
                    .get(&class)
                    .map_or(Cell::None, |game| Cell::Game(in_papers_notation(game))),
                met_in(self.source, &class),
            ]
        };
        for (number, row) in (1..).zip(&self.compared.rows) {
            let mut cells = vec![
                Cell::number(self.table.number),
                Cell::number(number),
                Cell::text(row.published.game.unwrap_or("illegible")),
                Cell::text(
                    row.published
                        .quotient
                        .as_ref()
                        .map_or("", |printed| printed.presentation),
                ),
                Cell::text(match row.game_has_the_quotient() {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "",
                }),
            ];
            cells.extend(ours(row.ours.as_ref().map(|ours| ours.place)));
            cells.push(digest());
            data.rows.push(cells);
        }
        for &place in &self.compared.unpublished {
            let mut cells = vec![
                Cell::number(self.table.number),
                Cell::text("none"),
                Cell::None,
                Cell::None,
                Cell::None,
            ];
            cells.extend(ours(Some(place)));
            cells.push(digest());
            data.rows.push(cells);
        }
        data
    }

    fn notation(&self) -> String {
        let abbreviations: Vec<String> = self
            .table
            .abbreviations
            .iter()
            .map(|(letter, game)| format!("{letter} = {game}"))
            .collect();
        format!(
            "Published games: a star and the options, X# = {{X}}, X_n = X + *n, {}. Games of ours: a is *, 1 the game 0, options are sums of games, written as products; the \
             smallest game found is written with brackets, as this program reads it (`misere solve '*[2#320]'`), and smaller ones may exist.",
            abbreviations.join(", ")
        )
    }

    fn document(&self, is_there: bool) -> Value {
        let ours = |place: usize| {
            let document = ConstructionDocument::new(&self.source.list[place]);
            let smallest = self.smallest.get(&document.class).map(in_papers_notation);
            let met_in = self.source.games.get(&document.class);
            json!({ "quotient": document, "smallest_game_found": smallest, "met_in": met_in })
        };
        let rows = (1..)
            .zip(&self.compared.rows)
            .map(|(number, row): (usize, _)| {
                let found = match &row.of_game {
                    Some(Ok(quotient)) => json!({
                        "order": quotient.order(),
                        "p_size": quotient.p_size(),
                        "class": quotient.class_key().to_string(),
                    }),
                    Some(Err(error)) => json!({ "error": error.to_string() }),
                    None => Value::Null,
                };
                let printed = row.published.quotient.as_ref().zip(row.printed.as_ref());
                json!({
                    "row": number,
                    "game": row.published.game,
                    "scan": row.published.scan,
                    "quotient_of_game": found,
                    "published_quotient": printed.map(|(published, printed)| json!({
                        "name": published.name,
                        "presentation": published.presentation,
                        "p_portion": published.p_portion,
                        "class": printed.quotient.class_key().to_string(),
                    })),
                    "game_has_the_quotient": row.game_has_the_quotient(),
                    "images_of_generators": row.ours.as_ref().map(|ours| &ours.images),
                    "ours": row.ours.as_ref().map(|matched| ours(matched.place)),
                })
            });
        json!({
            "order": self.table.order,
            "classified": is_there,
            "abbreviations": self.table.abbreviations.iter().map(|(letter, game)| (letter.to_string(), *game)).collect::<BTreeMap<_, _>>(),
            "rows": rows.collect::<Vec<_>>(),
            "unpublished": self.compared.unpublished.iter().map(|&place| ours(place)).collect::<Vec<_>>(),
        })
    }
}

/// Returns the result of the comparison with a table of single quotients.
pub(super) fn verdict(table: &PublishedTable, compared: &Comparison) -> String {
    let legible = compared.rows.len() - compared.illegible();
    let mut says = format!(
        "Order {}: {} rows in Table {}",
        table.order,
        compared.rows.len(),
        table.number
    );
    let found = compared
        .rows
        .iter()
        .filter(|row| row.ours.is_some())
        .count();
    if found == legible {
        says.push_str(&format!(
            ", of which {} found here up to isomorphism",
            if legible == compared.rows.len() {
                "all are".to_owned()
            } else {
                format!("the {legible} that can be read are")
            }
        ));
    } else {
        says.push_str(&format!(
            ", of which {found} of the {legible} that can be read are found here"
        ));
    }
    let illegible = compared.illegible();
    says.push_str(&match (compared.unpublished.len(), illegible) {
        (0, _) => "; there are no others here.".to_owned(),
        (more, 0) => format!("; {more} here are in no row of the table:"),
        (more, illegible) => format!(
            "; {more} here are in none of these rows. {illegible} of them may be that of the illegible {}, so at least {} are not in the table:",
            if illegible == 1 { "row" } else { "rows" },
            more.saturating_sub(illegible)
        ),
    });
    says
}

/// Returns the quotients of a list that match no published row.
pub(super) fn unpublished_grid(
    source: &Source,
    compared: &Comparison,
    smallest: &BTreeMap<ClassKey, FiniteGame>,
) -> Grid {
    let mut grid = Grid::new(
        "In none of the published rows that can be read; each with a certificate in the list",
        &[
            "ours",
            "presentation",
            "P",
            "games",
            "smallest game found",
            "met in",
        ],
    );
    for &place in &compared.unpublished {
        let mut cells = vec![name(&source.list[place].quotient)];
        cells.extend(ours_cells(source, place, smallest));
        grid.rows.push(cells);
    }
    grid
}

fn name(quotient: &BipartiteMonoid) -> Cell {
    let class = quotient.class_key().to_string();
    let class = class.get(..8).unwrap_or(&class);
    Cell::Text(match quotient.known_name() {
        Some(name) => format!("{name}, class {class}"),
        None => format!("class {class}"),
    })
}

/// Returns presentation, P-portion, games, smallest game, games of the census.
fn ours_cells(
    source: &Source,
    place: usize,
    smallest: &BTreeMap<ClassKey, FiniteGame>,
) -> [Cell; 5] {
    let document = ConstructionDocument::new(&source.list[place]);
    let game = smallest.get(&document.class).map(in_papers_notation);
    [
        Cell::Formula(presentation(&document)),
        Cell::Formula(p_portion(&document)),
        Cell::Formula(games(&document)),
        game.map_or(Cell::None, Cell::Game),
        met_in(source, &document.class),
    ]
}

/// Returns the games of the census that have the quotient, or some of them.
fn met_in(source: &Source, class: &ClassKey) -> Cell {
    let games = source.games.get(class);
    games.map_or(Cell::None, |games| Cell::Text(games.join(", ")))
}

/// Describes the quotient of the published game, as exact kernels compute it.
fn of_game(row: &ComparedRow) -> String {
    let found = match &row.of_game {
        None => return "not known".to_owned(),
        Some(Ok(quotient)) => format!("order {}, |P| = {}", quotient.order(), quotient.p_size()),
        Some(Err(error)) => error.to_string(),
    };
    match row.game_has_the_quotient() {
        Some(true) => format!("{found}: the one printed"),
        Some(false) => format!("{found}: NOT the one printed"),
        None => found,
    }
}

fn presentation(document: &ConstructionDocument) -> String {
    let generators: Vec<&str> = document
        .generators
        .iter()
        .map(|game| game.name.as_str())
        .collect();
    format!(
        "⟨{} | {}⟩",
        generators.join(","),
        document.presentation.join(", ")
    )
}

fn p_portion(document: &ConstructionDocument) -> String {
    let words: Vec<&str> = document
        .p_portion
        .iter()
        .filter_map(|&x| document.words.get(x as usize).map(String::as_str))
        .collect();
    set(&words)
}

fn games(document: &ConstructionDocument) -> String {
    let games: Vec<String> = document
        .generators
        .iter()
        .map(|game| format!("{} = {{{}}}", game.name, game.options.join(",")))
        .collect();
    games.join(", ")
}

fn set(words: &[&str]) -> String {
    format!("{{{}}}", words.join(","))
}

/// Adds spaces to a printed presentation, as in ours.
fn spaced(presentation: &str) -> String {
    presentation.replace('=', " = ")
}
