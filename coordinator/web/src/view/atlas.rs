//! The atlas that is shown beside a census: the misère quotients of small order, with least games.

use std::collections::BTreeMap;

use misere_census::atlas::{Atlas, Entry, SearchedCensus};
use schemars::JsonSchema;
use serde::Serialize;

use super::error::RequestError;
use super::schema;

/// The number of quotients on a page.
pub(crate) const ON_A_PAGE: usize = 500;

/// Returns the atlas that is shown, or the reason why there is none.
pub(crate) fn shown(atlas: Option<&Atlas>) -> Result<&Atlas, RequestError> {
    atlas.ok_or_else(|| RequestError::NotHere {
        message: "no atlas is shown here".to_owned(),
        advice: "An atlas is a file of `misere report atlas`, named by the option `--atlas`."
            .to_owned(),
    })
}

/// Returns the quotients of a page of the atlas: of an order, or all that some game has.
pub(crate) fn listed(atlas: &Atlas, order: Option<u32>) -> Vec<&Entry> {
    match order {
        Some(order) => atlas.of_order(order).iter().collect(),
        None => {
            let all = atlas.entries().iter();
            all.filter(|entry| entry.is_met()).collect()
        }
    }
}

/// Returns the address of a page from a quotient on.
pub(crate) fn at(path: &str, offset: usize) -> String {
    match offset {
        0 => path.to_owned(),
        offset => format!("{path}?offset={offset}"),
    }
}

/// A part of a list of the atlas: the quotients of an order, or all that some game has.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Atlas")]
pub(crate) struct AtlasView<'a> {
    /// The quotients of the list, in words.
    extent: String,
    /// The digest of the classes in the list.
    digest: &'a str,
    /// The orders whose quotients are all listed, each with their number.
    complete_orders: &'a BTreeMap<u32, u64>,
    /// The censuses in which the quotients were looked for.
    #[schemars(with = "Vec<schema::SearchedCensus>")]
    censuses: &'a [SearchedCensus],
    /// The number of all quotients of this list.
    total: usize,
    #[schemars(with = "Vec<schema::AtlasEntry>")]
    entries: Vec<&'a Entry>,
    /// The address of the next part.
    next: Option<String>,
}

impl<'a> AtlasView<'a> {
    pub(crate) fn of(atlas: &'a Atlas, order: Option<u32>, offset: usize, limit: usize) -> Self {
        let all = listed(atlas, order);
        let entries: Vec<_> = all.iter().skip(offset).take(limit).copied().collect();
        let end = offset.saturating_add(entries.len());
        let of_order = order.map_or(String::new(), |order| format!("order={order}&"));
        let is_more = end < all.len() && !entries.is_empty();
        Self {
            extent: atlas.extent(),
            digest: atlas.list_digest(),
            complete_orders: atlas.complete_orders(),
            censuses: atlas.censuses(),
            total: all.len(),
            entries,
            next: is_more.then(|| format!("/api/v1/atlas?{of_order}offset={end}&limit={limit}")),
        }
    }
}
