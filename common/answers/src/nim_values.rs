//! The document of nim-values that `misere solve --normal --json` prints.

use misere_engine::normal::{Ending, NormalPlay};
use misere_game::solution::Limit;
use serde_json::{Value, json};

/// Returns the document of normal play: schema 1, convention "normal".
///
/// `stopped_by` is the cause of an interruption, if it is known, and `elapsed_s` is in seconds.
///
/// ```
/// use misere_answers::nim_values::document;
/// use misere_engine::normal::solve;
/// use misere_game::control::Control;
/// let play = solve(&"0.77".parse()?, 1_000, &mut Control::unlimited());
/// assert_eq!(document(&play, None, 0.0)["period"], 12);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn document(play: &NormalPlay, stopped_by: Option<&str>, elapsed_s: f64) -> Value {
    let (status, limit) = match play.ending {
        Ending::Periodic(_) | Ending::Arithmetic(_) => ("solved", None),
        Ending::Exhausted(Limit::Fuel) => ("exhausted", Some("fuel")),
        Ending::Exhausted(_) => ("exhausted", Some("max-heap")),
        Ending::Interrupted => ("interrupted", stopped_by),
    };
    let period = match play.ending {
        Ending::Periodic(found) => Some(found),
        _ => None,
    };
    let mut document = json!({
        "schema": 1,
        "code": play.code,
        "convention": "normal",
        "status": status,
        "heaps": play.nim_values.len() - 1,
        "period": period.map(|found| found.period),
        "preperiod": period.map(|found| found.preperiod),
        "max_nim_value": play.nim_values.iter().max(),
        "nim_values": play.nim_values,
        "fuel": play.fuel,
        "elapsed_s": elapsed_s,
        "engine": env!("CARGO_PKG_VERSION"),
    });
    if let Ending::Arithmetic(found) = play.ending {
        document["arithmetic_period"] = json!({
            "period": found.period,
            "saltus": found.saltus,
            "preperiod": found.preperiod,
            "step": found.step,
            "heaps": found.heaps,
        });
    }
    if let Some(limit) = limit {
        document["limit"] = limit.into();
    }
    document
}
