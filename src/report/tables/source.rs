//! Where do the quotients of a report come from, and are they what they are said to be?

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use misere_store::Store;
use misere_theory::bipartite::ClassKey;
use misere_theory::classify::digest::ListDigest;
use misere_theory::control::{Control, Interrupt};
use misere_theory::solution::Construction;
use serde_json::{Value, json};

use crate::census::CensusFailure;
use crate::exit::Failure;
use crate::report::provenance::Provenance;
use crate::verify_list::{self, ListFault};

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct SourceArgs {
    /// The directory of a census with quotients (`misere census run --space quotients`)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A list of quotients (`misere classify --json`); `-` is standard input
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

/// Quotients that were checked, and where they come from.
#[derive(Debug)]
pub(super) struct Source {
    /// For every order that is complete the number of its quotients.
    pub(super) counts: BTreeMap<usize, usize>,
    /// The quotients, in the order of the list.
    pub(super) list: Vec<Construction>,
    /// Games of the census with a partial quotient of a class, in few words.
    pub(super) games: BTreeMap<ClassKey, Vec<String>>,
    /// The digest of all classes.
    pub(super) digest: ListDigest,
    pub(super) provenance: Provenance,
    /// Whether it is a census, and which directory that has.
    data: Option<String>,
}

/// Games of the census that are named for a class.
const MOST_GAMES: usize = 8;

impl Source {
    /// Reads and checks the quotients.
    ///
    /// # Errors
    /// A [`Failure`] if they cannot be read, or one is refuted.
    pub(super) fn read(args: &SourceArgs, interrupt: &Interrupt) -> Result<Self, Failure> {
        match (&args.data, &args.list) {
            (Some(data), _) => Self::of_census(data, interrupt),
            (None, file) => Self::of_list(file.as_deref().unwrap_or(Path::new("-")), interrupt),
        }
    }

    fn of_list(file: &Path, interrupt: &Interrupt) -> Result<Self, Failure> {
        let name = match file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.display().to_string(),
        };
        let text = text(file).map_err(|cause| Failure::File {
            file: name.clone(),
            cause,
        })?;
        let fault = |fault: ListFault| Failure::List {
            file: name.clone(),
            fault,
        };
        let written: Value = serde_json::from_str(&text).map_err(|cause| fault(cause.into()))?;
        let list = verify_list::check(written, interrupt).map_err(fault)?;
        let digest = ListDigest::of(&list.constructions);
        // Where the file lies is nobody's business, and another reader's file lies elsewhere.
        let name = file
            .file_name()
            .map_or(name.clone(), |file| file.to_string_lossy().into_owned());
        let name = if name == "-" {
            "standard input".to_owned()
        } else {
            name
        };
        let first = format!(
            "No census: the list in {name}, of misere classify --order {} ({}), with {} quotients.",
            list.max_order,
            list.status,
            list.constructions.len()
        );
        let document = json!({
            "list": name,
            "max_order": list.max_order,
            "status": list.status,
        });
        Ok(Self {
            provenance: checked(Provenance::of_list(first, document), &digest),
            counts: list.counts,
            list: list.constructions,
            games: BTreeMap::new(),
            digest,
            data: None,
        })
    }

    fn of_census(data: &Path, interrupt: &Interrupt) -> Result<Self, Failure> {
        let store = Store::open_read_only(data).map_err(CensusFailure::from)?;
        let name = data.display().to_string();
        let fault = |fault: ListFault| Failure::List {
            file: name.clone(),
            fault,
        };
        let mut control = Control::new(u64::MAX, interrupt.clone());
        let (mut list, mut games, mut counts) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for level in store.levels().filter(|level| level.closed) {
            let quotients = store.quotients(level.order).map_err(CensusFailure::from)?;
            counts.insert(usize::from(level.order), quotients.len());
            for quotient in quotients {
                let number = list.len() + 1;
                let construction = quotient.construction;
                verify_list::check_construction(number, &construction, &mut control)
                    .map_err(fault)?;
                if construction.quotient.class_key() != quotient.class {
                    return Err(fault(ListFault::Derived(number, "class".to_owned())));
                }
                let met = quotient.games.iter().take(MOST_GAMES);
                let met: Vec<String> = met
                    .map(|(code, at)| {
                        let heap = at.ranges.first().map_or(0, |range| range.0);
                        format!("{code} from heap {heap}")
                    })
                    .collect();
                if !met.is_empty() {
                    games.insert(quotient.class, met);
                }
                list.push(construction);
            }
        }
        let digest = ListDigest::of(&list);
        let provenance = Provenance::of_census(&store).map_err(CensusFailure::from)?;
        Ok(Self {
            provenance: checked(provenance, &digest),
            counts,
            list,
            games,
            digest,
            data: Some(name),
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

    /// How an order that is missing can be had.
    pub(super) fn how_to_run(&self, order: usize) -> String {
        match &self.data {
            Some(_) => format!(
                "run `misere census run --space quotients --order {order} --data DIR` and give the report --data DIR"
            ),
            None => format!(
                "run `misere classify --order {order} --json > {order}.json` and give the report --list {order}.json"
            ),
        }
    }

    /// What the quotients stand in.
    pub(super) fn place(&self) -> &'static str {
        match self.data {
            Some(_) => "this census",
            None => "this list",
        }
    }
}

/// Adds what was done with the quotients for the report, and what that does not show.
fn checked(mut provenance: Provenance, digest: &ListDigest) -> Provenance {
    provenance.also(format!("Digest of the classes: {digest}."));
    provenance.also(
        "Every quotient was checked for this report: the transition algebra of its games is valid, exact kernels find it from the games alone, \
         and no two are of one class.",
    );
    provenance.also(
        "That the complete orders have no others is proved on paper, in docs/classification.md; no list can show it.",
    );
    provenance
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
