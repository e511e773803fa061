//! The answers of a query, printed while they come.

use misere_coordinator::rpc::find::AnswerSummary;
use misere_query::{Query, RecordDocument};
use serde_json::json;

use super::columns;
use crate::exit::Failure;
use crate::terminal::{self, PrintError, counted};

/// The number of characters gathered before they are written.
const GATHERED: usize = 1 << 16;

/// The form of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A table; with the numbering of the heaps under other codes in words, or without it.
    Text {
        in_words: bool,
    },
    Json,
    JsonLines,
    Columns,
    Count {
        json: bool,
    },
}

/// Prints answers one by one.
#[derive(Debug)]
pub struct Printer {
    form: Form,
    printed: u64,
    /// Whether an order was marked as that of a partial quotient.
    has_partial: bool,
    gathered: String,
}

impl Printer {
    fn new(form: Form, begin: &str) -> Self {
        Self {
            form,
            printed: 0,
            has_partial: false,
            gathered: begin.to_owned(),
        }
    }

    /// Prints a table; for a single game with its other codes in words.
    pub fn text(in_words: bool) -> Self {
        Self::new(Form::Text { in_words }, "")
    }

    /// Prints one JSON document.
    pub fn json() -> Self {
        Self::new(Form::Json, "{\"schema\":1,\"records\":[")
    }

    /// Prints one JSON document a line.
    pub fn json_lines() -> Self {
        Self::new(Form::JsonLines, "")
    }

    /// Prints a table with a tab between columns, whose first line names them.
    pub fn columns() -> Self {
        Self::new(Form::Columns, &columns::head())
    }

    /// Prints only the number of answers.
    pub fn count(json: bool) -> Self {
        Self::new(Form::Count { json }, "")
    }

    /// Prints an answer.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn take(&mut self, record: &RecordDocument) -> Result<(), Failure> {
        match self.form {
            Form::Count { .. } => {}
            Form::Text { in_words } => {
                if self.printed == 0 {
                    self.gathered.push_str(HEAD);
                }
                self.has_partial |= is_partial(record);
                self.gathered.push_str(&line(record));
                if in_words {
                    for other in &record.renumberings {
                        self.gathered.push_str(&format!("  {}\n", other.sentence));
                    }
                }
            }
            Form::Json => {
                if self.printed > 0 {
                    self.gathered.push(',');
                }
                self.gathered.push_str(&serde_json::to_string(record)?);
            }
            Form::JsonLines => {
                self.gathered.push_str(&serde_json::to_string(record)?);
                self.gathered.push('\n');
            }
            Form::Columns => self.gathered.push_str(&columns::line(record)?),
        }
        self.printed += 1;
        if self.gathered.len() > GATHERED {
            self.write()?;
        }
        Ok(())
    }

    /// Prints the text after the answers.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn finish(
        mut self,
        query: &Query,
        found: &AnswerSummary,
        explain: bool,
    ) -> Result<(), Failure> {
        let AnswerSummary {
            way,
            keys,
            records,
            known,
            tasks,
            found,
        } = found;
        let explained =
            format!("by {way}: {keys} keys and {records} records read for {found} answers\n");
        let facts = json!({
            "found": found,
            "known": known,
            "tasks": tasks,
            "way": explain.then_some(way),
            "keys_read": explain.then_some(keys),
            "records_read": explain.then_some(records),
        });
        match self.form {
            Form::Json => {
                self.gathered.push(']');
                let rest = facts.to_string();
                self.gathered.push_str(&rest.replacen('{', ",", 1));
                self.gathered.push('\n');
            }
            Form::Count { json: true } => {
                let rest = facts.to_string();
                self.gathered
                    .push_str(&rest.replacen('{', "{\"schema\":1,", 1));
                self.gathered.push('\n');
            }
            Form::Count { json: false } => {
                self.gathered.push_str(&format!("{found}\n"));
            }
            Form::Text { .. } => {
                if self.has_partial {
                    self.gathered.push_str(PARTIAL);
                }
                let games = games(self.printed, query);
                let unfinished = if known < tasks {
                    format!(", in a census that knows {known} of its {tasks} so far")
                } else {
                    String::new()
                };
                self.gathered.push_str(&format!("{games}{unfinished}\n"));
                if explain {
                    self.gathered.push_str(&explained);
                }
            }
            Form::JsonLines | Form::Columns => {}
        }
        self.write()?;
        if explain && matches!(self.form, Form::JsonLines | Form::Columns) {
            crate::notice::text(&explained);
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), PrintError> {
        let text = std::mem::take(&mut self.gathered);
        terminal::print(&text)
    }
}

/// Describes the number of answers.
///
/// It does not deny the games that the limit or the offset leaves out.
fn games(printed: u64, query: &Query) -> String {
    let games = match printed {
        0 => "no game".to_owned(),
        _ => counted(printed, "game"),
    };
    match (printed, query.limit, query.offset) {
        (_, Some(limit), _) if printed == limit => {
            format!("{games}, the most that --limit {limit} lets pass; --count counts all")
        }
        (0, _, 0) => "no game matches".to_owned(),
        (0, _, offset) => format!("no game after the first {offset}; --count counts all"),
        _ => games,
    }
}

const HEAD: &str = "code          name             same game              status         play    order   |P|  period  preper.   heaps  label or key   name      at heap\n";

/// The remark on the mark of an order.
const PARTIAL: &str =
    "* the order of the last partial quotient that is known, not of the whole game\n";

/// Reports whether the order of a record is not that of the quotient of the whole game.
fn is_partial(record: &RecordDocument) -> bool {
    let by_a_proof = record.law.is_some() || record.automaton.is_some();
    record.status != "solved" || by_a_proof || record.all_heaps.is_some()
}

/// Formats a line of the table.
///
/// Columns have fixed widths, so that lines can be printed as they come.
fn line(record: &RecordDocument) -> String {
    let number = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
    let play = match record.tame {
        Some(true) => "tame",
        Some(false) => "wild",
        None => "?",
    };
    let also = match record.renumberings.as_slice() {
        [] => String::new(),
        [one] => one.to_string(),
        [one, rest @ ..] => format!("{} and {}", one, rest.len()),
    };
    let happens = match (&record.tame_relative, &record.growth, record.diverges_at) {
        (Some(tail), ..) => format!("normal play from {}", tail.heap),
        (_, Some(_), _) if record.law.is_some() => "by a law".to_owned(),
        (_, Some(_), _) if record.automaton.is_some() => "by an automaton".to_owned(),
        (_, Some(growth), _) => format!("grows from {}", growth.start),
        (_, _, Some(_)) if record.all_heaps.is_some() => "past infinite".to_owned(),
        (_, _, Some(heap)) => match record.infinite_to {
            Some(proved) if proved == heap => format!("infinite at {heap}"),
            Some(proved) => format!("infinite to {proved}"),
            None => format!("diverges at {heap}"),
        },
        _ => String::new(),
    };
    let line = format!(
        "{:<12}  {:<15}  {also:<21}  {:<13}  {play:<4}  {:>6}{}  {:>4}  {:>6}  {:>7}  {:>6}  {:<13}  {:<8}  {happens}",
        record.code.to_string(),
        record.game_name.as_deref().unwrap_or(""),
        record.status,
        record.order,
        if is_partial(record) { '*' } else { ' ' },
        record.p_size,
        number(record.period),
        number(record.preperiod),
        record.heaps,
        record.class.brief(),
        record.name.as_deref().unwrap_or(""),
    );
    format!("{}\n", line.trim_end())
}
