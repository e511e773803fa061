//! Pictures of a quotient and of a game, with the same content in words and numbers.

use misere_game::bipartite::families::name_of_class;
use misere_game::bipartite::idempotents;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::monoid::word::{generator_name, lex_least_words};
use misere_game::ruleset::Code;
use misere_game::solution::{Partial, Verdict};
use misere_pictures::{GrowthPlot, cayley_graph, growth, idempotent_order};
use misere_store::StoreError;
use serde_json::json;

use super::provenance::Provenance;
use crate::ReportError;
use crate::report::{Content, Input, Report};
use crate::sheet::{Cell, Grid, Part};

/// Makes a table.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<Cell>>) -> Grid {
    let mut grid = Grid::new("", head);
    grid.rows = rows.collect();
    grid
}

/// Makes a table of texts.
fn grid(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Grid {
    let mut grid = Grid::new("", head);
    grid.rows = rows
        .map(|row| row.into_iter().map(Cell::Text).collect())
        .collect();
    grid
}

/// A quotient to be drawn.
#[derive(Debug)]
pub struct DrawnQuotient {
    /// `0.123`, `R_8`, or the beginning of a class key.
    pub title: String,
    /// The quotient.
    pub quotient: BipartiteMonoid,
    /// The provenance of the quotient.
    pub provenance: Provenance,
    /// The sentence that names the game whose quotient the monoid is.
    pub note: String,
}

/// A game whose growth is drawn.
#[derive(Debug)]
pub struct Game {
    /// The code of the game.
    pub code: Code,
    /// The partial quotients at the heaps where they change.
    pub partials: Vec<Partial>,
    /// The greatest heap whose partial quotient is proved.
    pub heaps: u32,
    /// The verdict with which the computation ended.
    pub verdict: Verdict,
    /// The heap to which the quotient is proved infinite, if it is.
    pub infinite_to: Option<u32>,
    /// The rule that is proved to decide the game, if its partial quotients grow.
    pub rule: Option<&'static str>,
    /// The preperiod and the period of the words of all heaps, if the game is solved past an
    /// infinite quotient.
    pub all_heaps: Option<(u32, u32)>,
    /// The provenance of the game.
    pub provenance: Provenance,
}

impl Input for DrawnQuotient {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        Ok(self.provenance.clone())
    }
}

impl Input for Game {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        Ok(self.provenance.clone())
    }
}

/// The report with the Cayley graph of a quotient.
pub(crate) struct Cayley;

impl Report for Cayley {
    type Input = DrawnQuotient;
    type Facts = ();
    const NAME: &'static str = "cayley";
    const ABOUT: &'static str = "The Cayley graph of a quotient: where each generator leads";

    fn facts(_: &DrawnQuotient, _: &mut Control) -> Result<(), ReportError> {
        Ok(())
    }

    fn content(shown: &DrawnQuotient, (): &()) -> Content {
        cayley_content(shown)
    }
}

/// The report with the idempotents of a quotient.
pub(crate) struct Idempotents;

impl Report for Idempotents {
    type Input = DrawnQuotient;
    type Facts = ();
    const NAME: &'static str = "idempotents";
    const ABOUT: &'static str = "The idempotents of a quotient, their order and their groups";

    fn facts(_: &DrawnQuotient, _: &mut Control) -> Result<(), ReportError> {
        Ok(())
    }

    fn content(shown: &DrawnQuotient, (): &()) -> Content {
        idempotents_content(shown)
    }
}

/// The report with the growth of the partial quotients of a game.
pub(crate) struct Growth;

impl Report for Growth {
    type Input = Game;
    type Facts = ();
    const NAME: &'static str = "growth";
    const ABOUT: &'static str = "The orders of the partial quotients of a game, heap by heap";

    fn facts(_: &Game, _: &mut Control) -> Result<(), ReportError> {
        Ok(())
    }

    fn content(game: &Game, (): &()) -> Content {
        growth_content(game)
    }
}

fn words(quotient: &BipartiteMonoid) -> Vec<String> {
    lex_least_words(quotient)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Describes the Cayley graph of a quotient: where each generator leads.
fn cayley_content(shown: &DrawnQuotient) -> Content {
    let DrawnQuotient {
        title,
        quotient,
        note,
        ..
    } = shown;
    let names = words(quotient);
    let found = idempotents::Idempotents::new(quotient);
    let generators: Vec<String> = (0..quotient.generators()).map(generator_name).collect();
    let leads = |x: Element| {
        let all = (0..quotient.generators()).map(|g| (g, quotient.act(x, g)));
        all.map(|(g, y)| format!("{}: {}", generators[g], names[y as usize]))
            .collect::<Vec<_>>()
    };
    let power = |x: Element| &names[found.elements[found.component[x as usize] as usize] as usize];
    let rows = (0..quotient.order() as Element).map(|x| {
        vec![
            Cell::Formula(names[x as usize].clone()),
            Cell::Text(if quotient.in_p(x) { "P" } else { "" }.to_owned()),
            Cell::Formula(power(x).clone()),
            Cell::Formula(leads(x).join(", ")),
        ]
    });
    let arrows = (0..quotient.order() as Element).flat_map(|x| {
        let (names, generators, quotient) = (&names, &generators, &quotient);
        (0..quotient.generators()).map(move |g| {
            let y = quotient.act(x, g);
            vec![
                x.to_string(),
                names[x as usize].clone(),
                if quotient.in_p(x) { "P" } else { "N" }.to_owned(),
                generators[g].clone(),
                y.to_string(),
                names[y as usize].clone(),
            ]
        })
    });
    let document = json!({
        "of": title,
        "order": quotient.order(),
        "p_size": quotient.p_size(),
        "generators": generators,
        "words": names,
        "action": quotient.action(),
        "p_portion": quotient.p_portion().iter().collect::<Vec<_>>(),
    });
    Content {
        title: format!("{title}: the Cayley graph of its quotient"),
        parts: vec![
            Part::Says(format!(
                "Order {}, {} in P. {note}",
                quotient.order(),
                quotient.p_size()
            )),
            Part::Picture(cayley_graph(title, quotient, &names)),
            Part::Grid(table(
                &["element", "in P", "idempotent power", "leads to"],
                rows,
            )),
        ],
        data: grid(
            &[
                "element",
                "word",
                "outcome",
                "generator",
                "leads_to",
                "leads_to_word",
            ],
            arrows,
        ),
        document,
        notes: Vec::new(),
    }
}

/// Describes the idempotents of a quotient, their order and their groups.
fn idempotents_content(shown: &DrawnQuotient) -> Content {
    let DrawnQuotient {
        title,
        quotient,
        note,
        ..
    } = shown;
    let names = words(quotient);
    let found = idempotents::Idempotents::new(quotient);
    let sizes = found.component_sizes();
    let name = |place: u32| names[found.elements[place as usize] as usize].clone();
    let below = |place: u32| {
        let covers = found
            .covers
            .iter()
            .filter(move |&&(above, _)| above == place);
        covers.map(|&(_, below)| name(below)).collect::<Vec<_>>()
    };
    let group = |place: u32| -> Vec<String> {
        let group = &found.groups[place as usize];
        group.iter().map(|&x| names[x as usize].clone()).collect()
    };
    let in_p = |place: u32| quotient.in_p(found.elements[place as usize]);
    let places = || 0..found.elements.len() as u32;
    let rows = places().map(|place| {
        vec![
            Cell::Formula(name(place)),
            Cell::Text(if in_p(place) { "P" } else { "" }.to_owned()),
            Cell::Formula(format!("{{{}}}", group(place).join(", "))),
            Cell::number(group(place).len()),
            Cell::number(sizes[place as usize]),
            Cell::Formula(below(place).join(", ")),
        ]
    });
    let records = places().map(|place| {
        vec![
            name(place),
            if in_p(place) { "P" } else { "N" }.to_owned(),
            group(place).join(" "),
            group(place).len().to_string(),
            sizes[place as usize].to_string(),
            below(place).join(" "),
        ]
    });
    let listed = places().map(|place| {
        json!({
            "idempotent": name(place),
            "in_p": in_p(place),
            "group": group(place),
            "cyclic_factors": found.invariants(quotient, place as usize),
            "component_size": sizes[place as usize],
            "covers": below(place),
        })
    });
    let document = json!({
        "of": title,
        "order": quotient.order(),
        "p_size": quotient.p_size(),
        "idempotents": listed.collect::<Vec<_>>(),
    });
    Content {
        title: format!("{title}: the idempotents of its quotient"),
        parts: vec![
            Part::Says(format!(
                "Order {}, {} idempotents. e lies below f if ef = e. {note}",
                quotient.order(),
                found.elements.len()
            )),
            Part::Picture(idempotent_order(title, quotient, &names)),
            Part::Grid(table(
                &[
                    "idempotent",
                    "in P",
                    "maximal subgroup",
                    "elements",
                    "component",
                    "next below",
                ],
                rows,
            )),
        ],
        data: grid(
            &[
                "idempotent",
                "outcome",
                "group",
                "group_size",
                "component_size",
                "covers",
            ],
            records,
        ),
        document,
        notes: Vec::new(),
    }
}

/// Describes the orders of the partial quotients of a game, heap by heap.
fn growth_content(game: &Game) -> Content {
    let of = &game.code;
    let code = of.to_string();
    let plot = GrowthPlot {
        code: &code,
        partials: &game.partials,
        heaps: game.heaps,
        verdict: game.verdict,
        infinite_to: game.infinite_to,
        rule: game.rule,
        all_heaps: game.all_heaps,
    };
    let picture = growth(&plot);
    let class = |partial: &Partial| partial.class.to_string();
    let name = |partial: &Partial| {
        name_of_class(
            partial.order as usize,
            partial.p_size as usize,
            &partial.class,
        )
    };
    let rows = game.partials.iter().map(|partial| {
        vec![
            Cell::number(partial.heap),
            Cell::number(partial.order),
            Cell::number(partial.p_size),
            name(partial).map_or(Cell::None, Cell::Formula),
            Cell::Key(class(partial)),
        ]
    });
    let records = game.partials.iter().map(|partial| {
        vec![
            partial.heap.to_string(),
            partial.order.to_string(),
            partial.p_size.to_string(),
            class(partial),
            name(partial).unwrap_or_default(),
        ]
    });
    let end = misere_pictures::ending(&plot);
    let document = json!({
        "code": of,
        "heaps": game.heaps,
        "ending": end,
        "proved_infinite": game.infinite_to.is_some(),
        "infinite_to": game.infinite_to,
        "partials": game.partials,
    });
    Content {
        title: format!("{code}: the orders of its partial quotients"),
        parts: vec![
            Part::Says(format!(
                "Each heap at which the partial quotient changed; {end}."
            )),
            Part::Picture(picture),
            Part::Grid(table(&["heap", "order", "|P|", "name", "class"], rows)),
        ],
        data: grid(&["heap", "order", "p_size", "class", "name"], records),
        document,
        notes: Vec::new(),
    }
}
