//! The JSON documents of the API.
//!
//! The forms of records and solutions are elsewhere ([`misere_query::document`],
//! [`misere_game::solution::document`]).

use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::families::name_of_class;
use misere_game::monoid::readable::Readable;
use serde_json::{Value, json};

use misere_census::atlas::Atlas;
use misere_report::completeness::Completeness;
use misere_report::facts::figure1::{Entry, NormalPlay};
use misere_report::identify::{Exclusion, whereabouts};
use misere_store::{Counters, Store};

use crate::page::atlas::listed;
use crate::page::chart::ChartView;
use crate::page::class::ClassInfo;
use crate::page::error::PageError;
use crate::page::live::Live;
use crate::page::occurring::Occurrences;
use crate::page::search::WrittenClass;

/// Returns the census with its plan, its progress, and the statement on completeness.
pub(super) fn census(completeness: &Completeness, live: &Live) -> Value {
    json!({
        "version": 1,
        "state": live.status.state,
        "counters": counters(live.counters()),
        "completeness": completeness,
    })
}

fn counters(counters: Counters) -> Value {
    json!({
        "tasks": counters.tasks,
        "codes": counters.codes,
        "done": counters.done,
        "exhausted": counters.exhausted,
        "quarantined": counters.quarantined,
        "dropped": counters.dropped,
        "pending": counters.pending(),
    })
}

/// Returns the chart of Figure 1.
pub(super) fn chart(made: &ChartView) -> Value {
    let chart = &made.chart;
    json!({
        "digest": chart.digest.to_string(),
        "complete": chart.complete,
        "normal_heaps": chart.normal_heaps,
        "computing": made.computing(),
        "games": chart.entries().map(|box_| entry(made, box_)).collect::<Vec<_>>(),
    })
}

fn entry(made: &ChartView, entry: &Entry) -> Value {
    let is_computing = made.is_computing(entry);
    let mut document = json!({
        "code": entry.code,
        "same_as": entry.game.as_ref().map(|game| &game.representative),
        "standing": entry.kind().name(),
        "says": entry.ended(),
        "normal_play": entry.normal.filter(|_| !is_computing).map(NormalPlay::document),
        "computing": is_computing,
        "in_2007": entry.published.name(),
        "difference": made.difference(entry),
    });
    // Only where results of normal play were given.
    if let Some(known) = &entry.nim_values {
        document["nim_values"] = json!(known);
    }
    document
}

/// Returns the classes that games have, of one order or of all.
pub(super) fn classes(found: &Occurrences, order: Option<u32>) -> Value {
    let classes = found.0.values().flatten();
    let classes = classes.filter(|class| order.is_none_or(|order| class.order == order));
    let classes = classes.map(|occurring| {
        json!({
            "class": occurring.class,
            "name": name_of_class(occurring.order as usize, occurring.p_size as usize, &occurring.class),
            "order": occurring.order,
            "p_size": occurring.p_size,
            "games": occurring.games,
            "solved": occurring.solved,
        })
    });
    json!({ "classes": classes.collect::<Vec<_>>() })
}

/// Returns a quotient in its canonical form, with the presentation of its class.
fn quotient(monoid: &BipartiteMonoid) -> Value {
    let readable = Readable::of_class(monoid);
    json!({
        "written": readable.to_string(),
        "generators": readable.names(),
        "relations": readable.relations.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "p_portion": readable.p_portion.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "canonical_form": monoid,
    })
}

/// Returns a part of the atlas: the quotients of an order, or all that some game has.
pub(super) fn atlas(atlas: &Atlas, order: Option<u32>, offset: usize, limit: usize) -> Value {
    let all = listed(atlas, order);
    let entries: Vec<_> = all.iter().skip(offset).take(limit).copied().collect();
    let end = offset.saturating_add(entries.len());
    let of_order = order.map_or(String::new(), |order| format!("order={order}&"));
    let is_more = end < all.len() && !entries.is_empty();
    json!({
        "extent": atlas.extent(),
        "digest": atlas.list_digest(),
        "complete_orders": atlas.complete_orders(),
        "censuses": atlas.censuses(),
        "total": all.len(),
        "entries": entries,
        "next": is_more.then(|| format!("/api/v1/atlas?{of_order}offset={end}&limit={limit}")),
    })
}

/// Returns a class of this census, with its first games and its entry in an atlas.
pub(super) fn class(
    store: &Store,
    atlas: Option<&Atlas>,
    known: &ClassInfo,
    limit: usize,
) -> Result<Value, PageError> {
    let places = whereabouts(store, &known.class, limit)?;
    let monoid = known.monoid.as_ref();
    let as_in = known
        .as_in
        .as_ref()
        .map(|(code, monoid)| json!({ "code": code, "written": Readable::of(monoid).to_string() }));
    Ok(json!({
        "class": known.class,
        "as_in": as_in,
        "name": name_of_class(known.order, known.p_size, &known.class),
        "order": known.order,
        "p_size": known.p_size,
        "quotient": monoid.map(quotient),
        "smallest": places.smallest.map(|(code, heap)| json!({ "code": code, "heap": heap })),
        "games": places.games,
        "whole_games": places.whole_games,
        "occurrences": places.occurrences,
        "atlas": atlas.map(|atlas| atlas.document(&known.class, Some(known.order))),
    }))
}

/// Returns the identification of a presentation that a person wrote.
pub(super) fn identity(
    store: &Store,
    atlas: Option<&Atlas>,
    found: &WrittenClass,
) -> Result<Value, PageError> {
    let WrittenClass { identity, realized } = found;
    let is_here = store.class(&identity.class)?.is_some();
    let excluded = (!is_here).then(|| Exclusion::of(store, Some(identity.order)));
    Ok(json!({
        "class": identity.class,
        "name": identity.name,
        "given_order": identity.given_order,
        "was_reduced": identity.was_reduced,
        "order": identity.order,
        "p_size": identity.p_size,
        "quotient": quotient(&identity.monoid),
        "misere_quotient": realized.document(),
        "in_census": is_here,
        "excluded": excluded,
        "atlas": atlas.map(|atlas| atlas.document(&identity.class, Some(identity.order))),
    }))
}

/// Returns the state of the census.
pub(super) fn live(live: &Live) -> Value {
    let quarantine = live.quarantine.iter().map(|failed| {
        json!({
            "task": failed.task,
            "attempts": failed.failures,
            "reason": failed.reason,
            "dropped": failed.dropped,
        })
    });
    let events = live
        .events
        .iter()
        .map(|event| json!({ "at_ms": event.at_ms, "says": event.what }));
    let standing = live.standing();
    json!({
        "state": live.status.state,
        "counters": counters(live.counters()),
        "ready": standing.map(|live| live.ready),
        "leased": standing.map(|live| live.leased),
        "checking": standing.map(|live| live.checking),
        "per_second": standing.and_then(|live| live.per_second),
        "remaining": standing.map(|live| live.remaining),
        "workers": standing.map_or(&[][..], |live| live.workers.as_slice()),
        "quarantine": quarantine.collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use misere_coordinator::observer::CensusState;

    #[test]
    fn the_description_lists_every_state_of_a_census() {
        let description: Value =
            serde_json::from_str(&crate::api::description::DESCRIPTION).unwrap();
        let listed = &description["components"]["schemas"]["CensusState"]["enum"];
        assert_eq!(*listed, json!(CensusState::ALL));
    }
}
