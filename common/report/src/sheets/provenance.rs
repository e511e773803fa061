//! The provenance of a report: the source of its content, and how sure it is.
//!
//! Every report names the census digest, the plan, its budgets, whether it was finished, and what
//! is proved, cited, suspected or open. The sentences are from the census's own completeness
//! statement, so all reports and `misere census status` say the same.

use misere_census::quantity::write_fuel;
use misere_game::solution::Solution;
use misere_store::{Store, StoreError};
use serde_json::{Value, json};

use crate::completeness::Completeness;
use crate::sheet::{Cell, Grid};

/// The statements about a report as a whole.
#[derive(Clone, Debug)]
pub struct Provenance {
    sentences: Vec<String>,
    completeness: Option<Completeness>,
    /// The results that were computed for the report instead of read.
    computed: Option<Value>,
}

impl Provenance {
    /// Returns the provenance of a report on a census.
    ///
    /// Cost: reads every record.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    pub fn of_census(store: &Store) -> Result<Self, StoreError> {
        let completeness = Completeness::of(store)?;
        Ok(Self {
            sentences: completeness.sentences(),
            completeness: Some(completeness),
            computed: None,
        })
    }

    /// Returns the provenance of a report on one game that was solved for it.
    ///
    /// The computation had `fuel` and stopped at quotients of order `max_order`.
    #[must_use]
    pub fn of_computation(solution: &Solution, fuel: u64, max_order: u32) -> Self {
        let sentence = format!(
            "No census: {} was solved for this report with fuel {}, to order {} at most, and checked from scratch by the independent \
             checker; what is listed to heap {} is proved.",
            solution.code,
            write_fuel(fuel),
            max_order,
            solution.heaps()
        );
        Self {
            computed: Some(json!({
                "code": solution.code,
                "fuel": fuel,
                "max_order": max_order,
                "heaps": solution.heaps(),
            })),
            sentences: vec![sentence],
            completeness: None,
        }
    }

    /// Returns the provenance of a report on a list in a file.
    #[must_use]
    pub fn of_list(sentence: String, list: Value) -> Self {
        Self {
            computed: Some(list),
            sentences: vec![sentence],
            completeness: None,
        }
    }

    /// Returns the provenance of a report on something known by its definition.
    #[must_use]
    pub fn of_definition(sentence: String) -> Self {
        Self {
            computed: Some(json!({ "definition": sentence })),
            sentences: vec![sentence],
            completeness: None,
        }
    }

    /// Adds a sentence on what this report in particular rests on, or does not know.
    pub fn also(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Returns the sentences, each of them one sentence or a few.
    #[must_use]
    pub fn sentences(&self) -> &[String] {
        &self.sentences
    }

    /// Returns the document of a report.
    ///
    /// It has the report's name and title, the version of its form, its provenance and its content.
    #[must_use]
    pub fn document(&self, name: &str, title: &str, says: &Value) -> Value {
        let mut document = json!({
            "schema": 1,
            "report": name,
            "title": title,
            "provenance": {
                "completeness": self.completeness,
                "computed": self.computed,
                "sentences": self.sentences,
            },
        });
        if let (Value::Object(all), Value::Object(own)) = (&mut document, says) {
            all.extend(own.clone());
        }
        document
    }

    /// Appends to every line of CSV the digest, the plan, its budget and whether it was finished.
    ///
    /// Without a census the first sentence, on what was computed or read, is appended.
    #[must_use]
    pub(crate) fn closing(&self, mut data: Grid) -> Grid {
        const COLUMNS: [&str; 4] = ["census_digest", "plan", "budget", "finished"];
        data.head.extend(COLUMNS.map(str::to_owned));
        let fields = self.fields().map(Cell::Text);
        for row in &mut data.rows {
            row.extend(fields.clone());
        }
        data
    }

    fn fields(&self) -> [String; 4] {
        let Some(census) = &self.completeness else {
            let without = "no census".to_owned();
            return [
                without.clone(),
                without,
                self.sentences.first().cloned().unwrap_or_default(),
                String::new(),
            ];
        };
        let plan = &census.plan;
        let budget = format!(
            "fuel {} max-heap {} max-order {} max-copies {} evidence {} strategy {}",
            plan.fuel,
            plan.max_heap,
            plan.max_order,
            plan.max_copies,
            plan.max_evidence,
            plan.strategy
        );
        let finished = if census.complete { "yes" } else { "no" };
        [
            census.digest_text().to_owned(),
            plan.id.clone(),
            budget,
            finished.to_owned(),
        ]
    }
}
