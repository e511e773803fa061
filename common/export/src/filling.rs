//! The rows of the tables of a census.

use std::collections::BTreeMap;

use misere_census::{Alias, Record, Status};
use misere_engine::quotient::renumbered;
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::presentation::presentation;
use misere_game::monoid::word::{generator_name, lex_least_words};
use misere_game::ruleset::{Code, LiveHeaps};
use misere_game::solution::{Partial, Reason, Solution, Stages};

use misere_query::{Field, GenusClass, Kind, KnownGame};
use misere_report::completeness::Completeness;

use super::table::{
    ACTION, ALIAS_PARTIALS, ALIAS_PHI, ALIASES, CLASSES, Cell, ELEMENTS, GENERATORS, META,
    PARTIALS, PHI, RELATIONS, RULESETS, Table, Tables,
};
use super::{Counts, ExportError, SCHEMA, Source, selection};

/// A receiver of rows.
pub(super) trait Rows {
    /// Takes the next row of a table, with one cell for each of its columns.
    ///
    /// # Errors
    /// The error that keeps it from being written.
    fn row(&mut self, table: &Table, cells: &[Cell]) -> Result<(), ExportError>;
}

/// Writes all tables and counts the rows.
///
/// Within each ruleset, it goes table by table and row by row in ascending order of keys.
///
/// # Errors
/// [`ExportError`] if the census cannot be read or a row cannot be written.
pub(super) fn fill(
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
    let mut classes: BTreeMap<ClassKey, ClassOccurrence> = BTreeMap::new();
    source.for_each(|selected| {
        let record = &selected.kept;
        for partial in &record.partials {
            classes
                .entry(partial.class)
                .or_insert_with(|| ClassOccurrence::of(record, partial));
        }
        // Without a change the quotient is the one of no heaps.
        let last = Partial {
            heap: 0,
            order: record.order,
            p_size: record.p_size,
            class: record.class,
        };
        let met = classes
            .entry(record.class)
            .or_insert_with(|| ClassOccurrence::of(record, &last));
        met.is_final = true;
        filling.ruleset(record)?;
        match which {
            Tables::All => {
                let game = KnownGame::as_stored(selected.kept);
                let solution = source.solution(&game)?;
                filling.quotient(&game.record, &solution)
            }
            Tables::WithoutQuotients => Ok(()),
        }
    })?;
    for (class, met) in classes {
        source.listen()?;
        filling.class(source, class, met)?;
    }
    Ok(filling.counts)
}

/// A class at its first occurrence among the selected rulesets.
struct ClassOccurrence {
    order: u32,
    p_size: u32,
    code: Code,
    heap: u32,
    is_final: bool,
}

impl ClassOccurrence {
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

/// The numbers of a record about its tail and its growth that are not query fields.
#[derive(Default)]
struct OtherNumbers {
    nim_heaps: Option<u32>,
    nim_period: Option<u32>,
    nim_preperiod: Option<u32>,
    growth_period: Option<u32>,
    past_infinite_preperiod: Option<u32>,
}

impl OtherNumbers {
    fn of(record: &Record) -> Self {
        let nim = record.tail.and_then(|tail| tail.nim_period);
        Self {
            nim_heaps: record.tail.map(|tail| tail.nim_heaps),
            nim_period: nim.map(|nim| nim.period),
            nim_preperiod: nim.map(|nim| nim.preperiod),
            growth_period: record.verdict.growth().map(|(_, period)| period),
            past_infinite_preperiod: record.all_heaps.map(|all| all.preperiod),
        }
    }
}

/// Returns the cell of a query field in the row of a record.
fn field_cell(field: Field, record: &Record) -> Cell {
    match field.kind() {
        Kind::Status => record.status().map(Status::name).into(),
        Kind::Tameness | Kind::Number | Kind::Event => field.number(record).into(),
        Kind::Class => record.class.into(),
        Kind::Reason => record.reason.map(Reason::name).into(),
        Kind::Genus => {
            let names: Vec<&str> = (GenusClass::of(record).into_iter())
                .map(GenusClass::name)
                .collect();
            names.join(" ").into()
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

    /// Writes the row of a record.
    ///
    /// The cells of query fields are read from the record; the others are given in their order.
    fn record_row<const N: usize>(
        &mut self,
        table: &Table,
        record: &Record,
        others: [Cell; N],
    ) -> Result<(), ExportError> {
        *self.counts.entry(table.name).or_default() += 1;
        let mut others = others.into_iter();
        let columns = table.columns.iter();
        let cells: Vec<Cell> = columns
            .map(|column| match column.field {
                Some(field) => field_cell(field, record),
                None => others.next().unwrap_or(Cell::Empty),
            })
            .collect();
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
            ("digest", statement.digest_text().to_owned()),
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
        let finding = record.conclusion().ending();
        let numbers = OtherNumbers::of(record);
        let (stages, at_least) = match record.tail.map(|tail| tail.stages) {
            Some(Stages::Known(stages)) => (Some(stages), Some(stages)),
            Some(Stages::AtLeast(stages)) => (None, Some(stages)),
            None => (None, None),
        };
        let claim: String = record
            .claim
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.record_row(
            &RULESETS,
            record,
            [
                (&record.code).into(),
                finding.limit().into(),
                finding.knowledge().to_string().into(),
                finding.is_whole().into(),
                record.generators.into(),
                record.verdict.copies().into(),
                numbers.nim_heaps.into(),
                numbers.nim_period.into(),
                numbers.nim_preperiod.into(),
                stages.into(),
                at_least.into(),
                numbers.growth_period.into(),
                claim.into(),
                numbers.past_infinite_preperiod.into(),
            ],
        )?;
        for partial in &record.partials {
            self.partial(&PARTIALS, &record.code, partial)?;
        }
        for (alias, named) in record.aliases.iter().zip(record.under_aliases()) {
            self.alias(record, alias, &named)?;
        }
        Ok(())
    }

    fn alias(&mut self, kept: &Record, alias: &Alias, named: &Record) -> Result<(), ExportError> {
        let numbers = OtherNumbers::of(named);
        let (dead, live) = match alias.renumbering.to() {
            LiveHeaps::AllBut(dead) => (Some(spaced(dead)), None),
            LiveHeaps::Only(live) => (None, Some(spaced(live))),
            // Such a game has no other code.
            LiveHeaps::Repeating { .. } => (None, None),
        };
        let sentence = alias.renumbering.sentence(&kept.code, &alias.code);
        self.record_row(
            &ALIASES,
            named,
            [
                (&alias.code).into(),
                (&kept.code).into(),
                sentence.into(),
                alias.renumbering.shift().into(),
                dead.into(),
                live.into(),
                numbers.nim_heaps.into(),
                numbers.nim_period.into(),
                numbers.nim_preperiod.into(),
                numbers.growth_period.into(),
                numbers.past_infinite_preperiod.into(),
            ],
        )?;
        let mut partials = named.partials.iter();
        partials.try_for_each(|partial| self.partial(&ALIAS_PARTIALS, &alias.code, partial))
    }

    fn partial(
        &mut self,
        table: &Table,
        code: &Code,
        partial: &Partial,
    ) -> Result<(), ExportError> {
        self.row(
            table,
            [
                code.into(),
                partial.heap.into(),
                partial.order.into(),
                partial.p_size.into(),
                partial.class.into(),
            ],
        )
    }

    fn alias_phi(&mut self, alias: &Alias, solution: &Solution) -> Result<(), ExportError> {
        let damaged = || ExportError::Certificate(solution.code.clone());
        let named = renumbered(solution, &alias.code).ok_or_else(damaged)?;
        let back = alias.renumbering.inverse();
        for (heap, &element) in (0..).zip(&named.phi) {
            self.row(
                &ALIAS_PHI,
                [
                    (&alias.code).into(),
                    heap.into(),
                    back.heap(heap).into(),
                    element.into(),
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
        for alias in &record.aliases {
            self.alias_phi(alias, solution)?;
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

    fn class(
        &mut self,
        source: &Source<'_>,
        key: ClassKey,
        met: ClassOccurrence,
    ) -> Result<(), ExportError> {
        let class = source.store.class(&key)?;
        let name = class.as_ref().and_then(|class| class.name(&key));
        let witness = class.and_then(|class| Some((class.witness?, class.heap)));
        let witness = witness.unwrap_or((met.code, met.heap));
        self.row(
            &CLASSES,
            [
                key.into(),
                met.order.into(),
                met.p_size.into(),
                key.label().map(|label| label.to_string()).into(),
                name.into(),
                met.is_final.into(),
                (&witness.0).into(),
                witness.1.into(),
            ],
        )
    }
}

/// Returns numbers with blanks between them.
fn spaced(numbers: &[u32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(" ")
}

fn is_in_p(quotient: &BipartiteMonoid, element: usize) -> bool {
    u32::try_from(element).is_ok_and(|element| quotient.in_p(element))
}
