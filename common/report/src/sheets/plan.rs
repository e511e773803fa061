//! A plan in words and as JSON.

use misere_census::quantity::write_fuel;
use misere_census::{Budget, Plan, Space};
use serde_json::{Value, json};

/// Describes the budget of a plan in one line.
#[must_use]
pub fn describe_budget(plan: &Plan) -> String {
    let Budget { fuel, limits, .. } = plan.budget();
    format!(
        "each with fuel {} (max-heap {}, max-order {}, max-copies {}, evidence {}, strategy {})\n",
        write_fuel(fuel),
        limits.max_heap,
        limits.max_order,
        limits.max_copies,
        write_fuel(limits.max_evidence.min(fuel)),
        plan.budget().strategy_name(),
    )
}

/// Returns a plan as JSON.
#[must_use]
pub fn document(plan: &Plan) -> Value {
    let Budget { fuel, limits, .. } = plan.budget();
    let space = match plan.space() {
        Space::Octal { digits } => json!({ "kind": "octal", "digits": digits }),
        Space::Hexadecimal { digits } => json!({ "kind": "hexadecimal", "digits": digits }),
        Space::Subtraction { most } => json!({ "kind": "subtraction", "digits": most }),
        Space::Quaternary { digits } => json!({ "kind": "quaternary", "digits": digits }),
        Space::BornByFive { late } => json!({ "kind": "born-by-5", "late": late }),
        Space::Codes(codes) => json!({ "kind": "codes", "codes": codes }),
        Space::Quotients { order } => json!({ "kind": "quotients", "order": order }),
        Space::GamesAndQuotients { games, order } => {
            let mut games = match games {
                misere_census::Games::Octal { digits } => {
                    json!({ "kind": "octal", "digits": digits })
                }
                misere_census::Games::BornByFive { late } => {
                    json!({ "kind": "born-by-5", "late": late })
                }
                misere_census::Games::Codes(codes) => json!({ "kind": "codes", "codes": codes }),
                misere_census::Games::Hexadecimal { digits } => {
                    json!({ "kind": "hexadecimal", "digits": digits })
                }
                misere_census::Games::Subtraction { most } => {
                    json!({ "kind": "subtraction", "digits": most })
                }
                misere_census::Games::Quaternary { digits } => {
                    json!({ "kind": "quaternary", "digits": digits })
                }
            };
            games["quotients"] = json!({ "order": order });
            games
        }
    };
    json!({
        "schema": 1,
        "id": plan.id().to_string(),
        "space": space,
        "fuel": fuel,
        "max_heap": limits.max_heap,
        "max_order": limits.max_order,
        "max_copies": limits.max_copies,
        "max_evidence": limits.max_evidence,
        "strategy": plan.budget().strategy_name(),
    })
}
