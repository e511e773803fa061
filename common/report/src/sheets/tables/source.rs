//! The checked quotients of a report, and their source.

use std::collections::BTreeMap;

use misere_algebra::classify::digest::ListDigest;
use misere_game::bipartite::ClassKey;
use misere_game::solution::Construction;
use misere_store::StoreError;

use crate::report::Input;
use crate::sheets::provenance::Provenance;

/// Checked quotients and their source.
#[derive(Debug)]
pub struct Source {
    /// The number of quotients of every complete order.
    pub(super) counts: BTreeMap<usize, usize>,
    /// The quotients, in the order of the list.
    pub(super) list: Vec<Construction>,
    /// The games of the census with a partial quotient of each class, in few words.
    pub(super) games: BTreeMap<ClassKey, Vec<String>>,
    /// The digest of all classes.
    pub(super) digest: ListDigest,
    provenance: Provenance,
    /// Whether the quotients come from a census.
    is_census: bool,
}

impl Source {
    /// Takes the quotients of a list, with the number of quotients of every complete order.
    #[must_use]
    pub fn of_list(
        list: Vec<Construction>,
        counts: BTreeMap<usize, usize>,
        provenance: Provenance,
    ) -> Self {
        let digest = ListDigest::of(&list);
        Self {
            provenance: checked(provenance, &digest),
            counts,
            list,
            games: BTreeMap::new(),
            digest,
            is_census: false,
        }
    }

    /// Takes the quotients of a census, with some of its games for each class.
    #[must_use]
    pub fn of_census(
        list: Vec<Construction>,
        counts: BTreeMap<usize, usize>,
        games: BTreeMap<ClassKey, Vec<String>>,
        provenance: Provenance,
    ) -> Self {
        Self {
            games,
            is_census: true,
            ..Self::of_list(list, counts, provenance)
        }
    }

    /// Returns the quotients of one order, if it is complete.
    pub(super) fn of_order(&self, order: usize) -> Option<Vec<&Construction>> {
        self.counts.get(&order)?;
        let all = self.list.iter();
        Some(
            all.filter(|construction| construction.quotient.order() == order)
                .collect(),
        )
    }

    /// Returns the command that computes a missing order.
    pub(super) fn how_to_run(&self, order: usize) -> String {
        match self.is_census {
            true => format!(
                "run `misere census run --space quotients --order {order} --data DIR` and give the report --data DIR"
            ),
            false => format!(
                "run `misere classify --order {order} --json > {order}.json` and give the report --list {order}.json"
            ),
        }
    }

    /// Returns the source of the quotients in words: a census or a list.
    pub(super) fn place(&self) -> &'static str {
        match self.is_census {
            true => "this census",
            false => "this list",
        }
    }
}

impl Input for Source {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        Ok(self.provenance.clone())
    }
}

/// Adds how the quotients were checked for the report, and what that does not show.
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
