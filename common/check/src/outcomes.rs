//! The check that `Φ` predicts the outcome of every position of the heaps listed.
//!
//! Two things have to hold for every position: (P) if it is predicted P, no option is; (N) if it is
//! predicted N and is not the end, some option is. Then predictions and outcomes agree by
//! induction.
//!
//! (P) is a statement about single heaps in a context (Plambeck–Siegel supplement, Fact C.1): for
//! each heap `H`, option value `e` and element `z`, not both `Φ(H)z ∈ P` and `ez ∈ P`.
//!
//! (N) is one, too. Let the *need* of a heap be
//! `{z : Φ(H)z ∉ P, and no option value e of H has ez ∈ P}`: the context in which `H` is predicted
//! N and no move in `H` is right. A position violates (N) iff **each of its heaps needs the
//! others**: the product of the values of the others lies in its need. (The engine calls the need
//! of a single heap its *deficit*, see `quotient/deficit.rs`.) The condition depends on a heap only
//! through its value, so heaps of equal value are taken together, `need(h)` being the union of
//! their needs. What has to be excluded is a non-empty multiset `h_1, …, h_k` of values with
//! `∏_{j≠i} h_j ∈ need(h_i)` for all `i`.
//!
//! [`super::mutual_need`] decides whether there is one.

use rustc_hash::{FxHashMap, FxHashSet};

use misere_game::bipartite::{Element, ElementSet};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

use super::CheckError;
use super::images::Images;
use super::mutual_need::{Needy, Search};
use super::table::Table;

pub(super) fn check(
    code: &Code,
    phi: &[Element],
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<(), CheckError> {
    let needy = needy_values(code, phi, table, control)?;
    match Search::new(needy, table, control)?.violation(table, control)? {
        None => Ok(()),
        Some(needs) => Err(CheckError::NWithoutP {
            position: heaps_in_need(&needs, code, phi, table, control)?,
        }),
    }
}

/// Proves (P) and lists the values with a need, in the order of their least heaps.
fn needy_values(
    code: &Code,
    phi: &[Element],
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<Vec<Needy>, CheckError> {
    let order = table.order();
    let mut needy: Vec<Needy> = Vec::new();
    let mut place_of: FxHashMap<Element, usize> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let mut images = Images::new(code, phi, table, control)?;
    while let Some((heap, image)) = images.next(table, control)? {
        let value = phi[heap as usize];
        if !code.is_live(heap) || !seen.insert((image.clone(), value)) {
            continue;
        }
        let won = won_by_leaving(&image, table, control)?;
        let in_p = table.wins_by(value, control)?;
        control.spend(20 + order as u64 / 16)?;
        if !won.is_disjoint(in_p) {
            let context = in_p.iter().find(|&z| won.contains(z)).unwrap_or(0);
            return Err(CheckError::PToP { heap, context });
        }
        let mut settled = won;
        settled.union_with(in_p);
        let need = settled.complement();
        if need.is_empty() {
            continue;
        }
        let place = *place_of.entry(value).or_insert(needy.len());
        match needy.get_mut(place) {
            Some(known) => known.need.union_with(&need),
            None => needy.push(Needy { value, need }),
        }
    }
    Ok(needy)
}

/// Returns `{z : ez ∈ P for some option value e}`.
fn won_by_leaving(
    image: &ElementSet,
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<ElementSet, Stop> {
    let mut won = ElementSet::empty(table.order());
    for e in image.iter() {
        control.spend(10 + won.words().len() as u64)?;
        won.union_with(table.wins_by(e, control)?);
    }
    Ok(won)
}

/// Returns heaps of the values in need of context, with their counts, ascending.
fn heaps_in_need(
    needs: &[(Element, Element)],
    code: &Code,
    phi: &[Element],
    table: &mut Table<'_>,
    control: &mut Control,
) -> Result<Vec<(u32, u32)>, Stop> {
    let mut counts = std::collections::BTreeMap::new();
    let mut open: Vec<(Element, Element)> = needs.to_vec();
    let mut images = Images::new(code, phi, table, control)?;
    while let Some((heap, image)) = images.next(table, control)? {
        if !code.is_live(heap) || open.iter().all(|&(value, _)| value != phi[heap as usize]) {
            continue;
        }
        let won = won_by_leaving(&image, table, control)?;
        let before = open.len();
        open.retain(|&(value, context)| value != phi[heap as usize] || won.contains(context));
        if open.len() < before {
            counts.insert(heap, (before - open.len()) as u32);
        }
    }
    Ok(counts.into_iter().collect())
}
