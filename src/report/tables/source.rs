//! Where do the quotients of a report come from, and are they what they are said to be?

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use misere_theory::classify::digest::ListDigest;
use misere_theory::control::Interrupt;
use misere_theory::solution::Construction;
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::verify_list;

#[derive(Debug, clap::Args)]
pub struct SourceArgs {
    /// A list of quotients (`misere classify --json`); `-` is standard input
    #[arg(long, value_name = "FILE", required = true)]
    list: Option<PathBuf>,
}

/// Quotients that were checked, and where they come from.
#[derive(Debug)]
pub(super) struct Source {
    /// For every order that is complete the number of its quotients.
    pub(super) counts: BTreeMap<usize, usize>,
    /// The quotients, in the order of the list.
    pub(super) list: Vec<Construction>,
    /// The digest of all classes.
    pub(super) digest: ListDigest,
    /// What it is of.
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    /// A list in a file.
    File {
        name: String,
        max_order: usize,
        status: String,
    },
}

impl Source {
    /// Reads and checks the quotients.
    ///
    /// # Errors
    /// A [`Failure`] if they cannot be read, or one is refuted.
    pub(super) fn read(args: &SourceArgs, interrupt: &Interrupt) -> Result<Self, Failure> {
        let file = args.list.as_deref().unwrap_or(Path::new("-"));
        let name = match file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.display().to_string(),
        };
        let text = text(file).map_err(|cause| Failure::File {
            doing: "read",
            file: name.clone(),
            cause,
        })?;
        let fault = |fault: verify_list::ListFault| Failure::List {
            file: name.clone(),
            fault,
        };
        let written: Value = serde_json::from_str(&text).map_err(|cause| fault(cause.into()))?;
        let list = verify_list::check(written, interrupt).map_err(fault)?;
        Ok(Self {
            counts: list.counts,
            digest: ListDigest::of(&list.constructions),
            list: list.constructions,
            origin: Origin::File {
                name,
                max_order: list.max_order,
                status: list.status,
            },
        })
    }

    /// The quotients of one order, if it is complete.
    pub(super) fn of_order(&self, order: usize) -> Option<Vec<&Construction>> {
        self.counts.get(&order)?;
        let all = self.list.iter();
        Some(
            all.filter(|construction| construction.quotient.order() == order)
                .collect(),
        )
    }

    /// What a report says of where its quotients come from, and what is proved.
    pub(super) fn provenance(&self) -> Vec<String> {
        let Origin::File {
            name,
            max_order,
            status,
        } = &self.origin;
        vec![
            format!(
                "from the list in {name}: misere classify --order {max_order} ({status}), {} quotients",
                self.list.len()
            ),
            format!("digest of its classes {}", self.digest),
            "every quotient of the list was checked for this report: the transition algebra of its games is valid, exact kernels find it from \
             the games alone, and no two are isomorphic"
                .to_owned(),
            "that the complete orders have no others is proved in docs/classification.md; no list can show it".to_owned(),
        ]
    }

    /// The same as JSON.
    pub(super) fn document(&self) -> Value {
        let Origin::File {
            name,
            max_order,
            status,
        } = &self.origin;
        json!({
            "list": name,
            "plan": { "space": { "kind": "quotients", "order": max_order } },
            "status": status,
            "quotients": self.list.len(),
            "digest": self.digest.to_string(),
        })
    }
}

/// How an order that is missing can be had.
pub(super) fn how_to_run(order: usize) -> String {
    format!(
        "run `misere classify --order {order} --json > {order}.json` and give the report --list {order}.json"
    )
}

fn text(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text)?;
        Ok(text)
    } else {
        std::fs::read_to_string(file)
    }
}
