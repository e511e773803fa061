//! `misere report cayley|idempotents|growth`: pictures of a quotient and of a game.

use std::path::PathBuf;

use misere_pictures::{GrowthPlot, cayley_graph, growth, idempotent_order};
use misere_store::Store;
use misere_theory::bipartite::families::name_of_class;
use misere_theory::bipartite::idempotents::Idempotents;
use misere_theory::bipartite::{BipartiteMonoid, Element};
use misere_theory::monoid::word::{generator_name, lex_least_words};
use misere_theory::quotient::Limits;
use misere_theory::ruleset::Code;
use misere_theory::solution::{Partial, Verdict};
use serde_json::{Value, json};

use super::provenance::Provenance;
use super::sheet::{Cell, Grid, Part, PictureFormat, Sheet};
use crate::census::CensusFailure;
use crate::computation::{Budget, Strategy, compute};
use crate::exit::{Exit, Failure};
use crate::identify::source::{self, Origin, Source};
use crate::result_file;
use crate::terminal;
use crate::watch::Guards;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report cayley 0.123 > 0.123.svg
  misere report cayley R_8 --out r8.svg
  misere report cayley '<a,b | a^2=1, b^3=b> P={a,b^2}' > t2.svg
  misere report cayley c3984c70 --data census > kayles.svg
  misere report idempotents 0.77 --data census --out kayles.svg
  misere report cayley 0.77 --format csv            which element leads where

Without --data the game is solved first, within the default budget. What can be given is what `misere identify` takes: a code, a
file, a presentation with its P-portion, a name such as T_3, S_12 or R_14, or the first digits of a class's key (needs --data).

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct QuotientArgs {
    /// A code, a file (JSON or a presentation; `-` is standard input), a presentation with
    /// P-portion, a name, or a class's key
    #[arg(value_name = "FILE|CODE|PRESENTATION|CLASS", value_parser = source::nameable)]
    what: String,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report growth 0.26 > growth.svg
  misere report growth 0.07 --data census --out growth.svg
  misere report growth 0.26 --format csv            heap, order, |P|

Without --data the game is solved first, within the default budget.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct GrowthArgs {
    /// A game
    code: Code,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Debug, clap::Args)]
struct Printing {
    /// The directory of a census that holds it
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "svg")]
    format: PictureFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write to FILE instead of standard output; `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Printing {
    fn print(&self, report: Report) -> Result<Exit, Failure> {
        let Report {
            name,
            title,
            parts,
            data,
            document,
            provenance,
        } = report;
        let document = provenance.document(name, &title, &document);
        let sheet = Sheet {
            title,
            parts,
            data: provenance.closing(data),
            provenance: provenance.sentences().to_vec(),
        };
        let format = match self.json {
            true => PictureFormat::Json,
            false => self.format,
        };
        let text = match sheet.set_or_drawn(format) {
            Some(text) => text,
            None => format!(
                "{}
",
                serde_json::to_string(&document)?
            ),
        };
        match &self.out {
            Some(file) => result_file::write(file, &text)?,
            None => terminal::print(&text)?,
        }
        Ok(Exit::Done)
    }

    /// Looks whether the report can be written, before anything is computed for it.
    fn foresee(&self) -> Result<(), Failure> {
        self.out.as_deref().map_or(Ok(()), result_file::foresee)
    }

    fn store(&self) -> Result<Option<Store>, Failure> {
        let Some(data) = &self.data else {
            return Ok(None);
        };
        Ok(Some(
            Store::open_read_only(data).map_err(CensusFailure::from)?,
        ))
    }
}

/// A report before it is set.
struct Report {
    name: &'static str,
    title: String,
    parts: Vec<Part>,
    data: Grid,
    document: Value,
    provenance: Provenance,
}

/// A table.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<Cell>>) -> Grid {
    let mut grid = Grid::new("", head);
    grid.rows = rows.collect();
    grid
}

/// A table of texts.
fn grid(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Grid {
    let mut grid = Grid::new("", head);
    grid.rows = rows
        .map(|row| row.into_iter().map(Cell::Text).collect())
        .collect();
    grid
}

/// A quotient to be drawn.
struct Shown {
    /// `0.123`, `R_8`, or the beginning of a class key.
    title: String,
    quotient: BipartiteMonoid,
    provenance: Provenance,
    /// What it is the quotient of.
    note: String,
}

fn shown(args: &QuotientArgs) -> Result<Shown, Failure> {
    args.printing.foresee()?;
    let store = args.printing.store()?;
    let budget = Budget::default();
    let source = Source {
        heap: None,
        budget,
        guards: Guards::default(),
        store: store.as_ref(),
        solves: store.is_none(),
    };
    let mut given = source.read(&args.what)?;
    let (Some(given), true) = (given.pop(), given.is_empty()) else {
        return Err(Failure::NotAQuotient(format!(
            "`{}` holds several quotients, and a report shows one",
            args.what
        )));
    };
    let quotient = given.monoid.ok_or_else(|| {
        Failure::Unknown(format!(
            "the census keeps no tables of {}; give a code that has it",
            given.title
        ))
    })?;
    let name = quotient.known_name();
    let (title, note) = match given.of {
        Some(of) => {
            let note = match of.is_whole {
                true => "The quotient of the whole game.".to_owned(),
                false => format!(
                    "The partial quotient to heap {}: the game is not solved.",
                    of.heaps
                ),
            };
            (of.code.to_string(), note)
        }
        None => {
            let class = given.class.unwrap_or_else(|| quotient.class_key());
            let title = name.unwrap_or_else(|| format!("class {}", &class.to_string()[..8]));
            (title, format!("Class {class}."))
        }
    };
    let provenance = match (given.origin, &store) {
        (Origin::Computed(computed), _) => Provenance::of_computation(&computed, budget),
        (Origin::Census, Some(store)) => {
            Provenance::of_census(store).map_err(CensusFailure::from)?
        }
        (Origin::Named(name), _) => Provenance::of_definition(format!(
            "{name} by its definition (Siegel, The structure and classification of misère quotients, section 1; Plambeck and Siegel, \
             supplement, Figure 10); no census was read."
        )),
        (Origin::Given | Origin::Census, _) => Provenance::of_definition(
            "The bipartite monoid as it was given; nobody says here that it is the misère quotient of any games.".to_owned(),
        ),
    };
    Ok(Shown {
        title,
        quotient,
        provenance,
        note,
    })
}

/// What is known of a game.
struct Game {
    partials: Vec<Partial>,
    heaps: u32,
    verdict: Verdict,
    proved_infinite: bool,
    provenance: Provenance,
}

fn game(code: &Code, store: Option<&Store>) -> Result<Game, Failure> {
    let (solution, provenance) = match store {
        Some(store) => {
            let solution = stored(store, code)?.ok_or_else(|| {
                Failure::Unknown(format!(
                    "the census holds no result for {code}; leave out --data to have it solved"
                ))
            })?;
            (
                solution,
                Provenance::of_census(store).map_err(CensusFailure::from)?,
            )
        }
        None => {
            let budget = Budget::default();
            let computed = compute(
                code,
                Limits::default().max_heap,
                budget,
                Strategy::default(),
                Guards::default(),
                None,
            )?;
            if computed.solution.verdict == Verdict::Interrupted {
                return Err(Failure::Stopped(format!(
                    "interrupted before {code} was solved"
                )));
            }
            let provenance = Provenance::of_computation(&computed, budget);
            (computed.solution, provenance)
        }
    };
    Ok(Game {
        heaps: solution.heaps(),
        verdict: solution.verdict,
        proved_infinite: solution.evidence.is_some(),
        partials: solution.partials,
        provenance,
    })
}

/// The checked solution of a game in a census, in the heap numbers of the code given.
fn stored(
    store: &Store,
    code: &Code,
) -> Result<Option<misere_theory::solution::Solution>, CensusFailure> {
    let game = store.game(code)?;
    Ok(game.map(|game| store.solution(&game)).transpose()?)
}

fn words(quotient: &BipartiteMonoid) -> Vec<String> {
    lex_least_words(quotient)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Runs `misere report cayley`.
///
/// # Errors
/// A [`Failure`] if the quotient cannot be found or written.
pub fn cayley(args: &QuotientArgs) -> Result<Exit, Failure> {
    let Shown {
        title,
        quotient,
        provenance,
        note,
    } = shown(args)?;
    let names = words(&quotient);
    let found = Idempotents::new(&quotient);
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
    args.printing.print(Report {
        name: "cayley",
        title: format!("{title}: the Cayley graph of its quotient"),
        parts: vec![
            Part::Says(format!(
                "Order {}, {} in P. {note}",
                quotient.order(),
                quotient.p_size()
            )),
            Part::Picture(cayley_graph(&title, &quotient, &names)),
            Part::Grid(table(
                &["element", "in P", "idempotent power", "leads to"],
                rows,
            )),
        ],
        provenance,
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
    })
}

/// Runs `misere report idempotents`.
///
/// # Errors
/// A [`Failure`] if the quotient cannot be found or written.
pub fn idempotents(args: &QuotientArgs) -> Result<Exit, Failure> {
    let Shown {
        title,
        quotient,
        provenance,
        note,
    } = shown(args)?;
    let names = words(&quotient);
    let found = Idempotents::new(&quotient);
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
            "cyclic_factors": found.invariants(&quotient, place as usize),
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
    args.printing.print(Report {
        name: "idempotents",
        title: format!("{title}: the idempotents of its quotient"),
        parts: vec![
            Part::Says(format!(
                "Order {}, {} idempotents. e lies below f if ef = e. {note}",
                quotient.order(),
                found.elements.len()
            )),
            Part::Picture(idempotent_order(&title, &quotient, &names)),
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
        provenance,
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
    })
}

/// Runs `misere report growth`.
///
/// # Errors
/// A [`Failure`] if the game cannot be found, solved or written.
pub fn growth_of(args: &GrowthArgs) -> Result<Exit, Failure> {
    args.printing.foresee()?;
    let store = args.printing.store()?;
    let game = game(&args.code, store.as_ref())?;
    let code = args.code.to_string();
    let picture = growth(&GrowthPlot {
        code: &code,
        partials: &game.partials,
        heaps: game.heaps,
        verdict: game.verdict,
        proved_infinite: game.proved_infinite,
    });
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
    let end = misere_pictures::ending(game.verdict, game.proved_infinite, game.heaps);
    let document = json!({
        "code": args.code,
        "heaps": game.heaps,
        "ending": end,
        "proved_infinite": game.proved_infinite,
        "partials": game.partials,
    });
    args.printing.print(Report {
        name: "growth",
        title: format!("{code}: the orders of its partial quotients"),
        parts: vec![
            Part::Says(format!(
                "Each heap at which the partial quotient changed; {end}."
            )),
            Part::Picture(picture),
            Part::Grid(table(&["heap", "order", "|P|", "name", "class"], rows)),
        ],
        provenance: game.provenance,
        data: grid(&["heap", "order", "p_size", "class", "name"], records),
        document,
    })
}
