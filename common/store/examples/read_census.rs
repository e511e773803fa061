//! Counts the misère quotients of a census by their order: `read_census DIR`.
//!
//! The census in the directory is only read. Each ruleset counts under the order of its quotient,
//! or, if the game is not solved, under the order of its last partial quotient. For each order the
//! number of rulesets, the number of classes of isomorphic quotients, and the first game are
//! printed.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;

use misere_game::bipartite::ClassKey;
use misere_store::{ClassNames, Store};

/// The rulesets with quotients of one order.
#[derive(Default)]
struct Order {
    rulesets: u64,
    classes: BTreeSet<ClassKey>,
    first: Option<(String, ClassKey)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os().nth(1).map(PathBuf::from);
    let directory = directory.ok_or("name the directory of a census")?;
    let census = Store::open_read_only(&directory)?;
    let mut orders: BTreeMap<u32, Order> = BTreeMap::new();
    // Records come in the order of their codes, one at a time.
    for record in census.records()? {
        let record = record?;
        let order = orders.entry(record.order).or_default();
        order.rulesets += 1;
        order.classes.insert(record.class);
        order
            .first
            .get_or_insert((record.code.to_string(), record.class));
    }
    let counters = census.counters();
    println!("{} records of {} tasks", counters.records(), counters.tasks);
    let mut names = ClassNames::default();
    for (order, found) in &orders {
        let Some((code, class)) = &found.first else {
            continue;
        };
        let name = names.of(&census, class)?.unwrap_or_default();
        let (rulesets, classes) = (found.rulesets, found.classes.len());
        println!("order {order}: {rulesets} rulesets, {classes} classes, first {code} {name}");
    }
    Ok(())
}
