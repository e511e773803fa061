//! `misere census plan`: which games, which budget, how many tasks?

use std::path::Path;
use std::str::FromStr;

use misere_census::{Budget, Plan, Space};
use misere_coordinator::store::{self, StoreError};
use misere_theory::quotient::Limits;
use misere_theory::ruleset::simplest::LAST_DAY;
use misere_theory::ruleset::{Code, CodeError, games_born_by};
use serde_json::{Value, json};

use super::CensusFailure;
use crate::computation::Strategy;
use crate::exit::{Exit, Failure};
use crate::quantity::{fuel, write_fuel};
use crate::terminal;

/// What belongs to the plan of a census, and so to its digest.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Plan (the census is a function of these alone)")]
pub struct PlanArgs {
    /// Every octal code 0.d1…dN and 4.d1…d(N-1)
    #[arg(long, value_name = "N", conflicts_with_all = ["codes", "born_by"])]
    digits: Option<u8>,
    /// The games listed, separated by commas: codes, grundy, finite games
    #[arg(long, value_name = "LIST", conflicts_with = "born_by")]
    codes: Option<Games>,
    /// Every finite game in simplest form that is born by day DAY, but 0
    #[arg(long, value_name = "DAY", value_parser = clap::value_parser!(u32).range(1..=i64::from(LAST_DAY)))]
    born_by: Option<u32>,
    /// Fuel of each game; one unit is about one microsecond of one core. Suffixes k, M, G [default: 10M]
    #[arg(long, value_name = "N", value_parser = fuel)]
    fuel: Option<u64>,
    /// The greatest heap to compute [default: 10000]
    #[arg(long, value_name = "N")]
    max_heap: Option<u32>,
    /// The greatest order of a partial quotient [default: 65536]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_order: Option<u32>,
    /// Fuel, out of that, to prove quotients infinite that seem so, beyond what seeing it cost; 0: none [default: 3M]
    #[arg(long, value_name = "N", value_parser = fuel)]
    evidence: Option<u64>,
    /// How new partial quotients are found [default: exact]
    #[arg(long, value_enum)]
    strategy: Option<Strategy>,
}

/// Games separated by commas; the commas within a finite game do not separate.
#[derive(Clone, Debug)]
struct Games(Vec<Code>);

impl FromStr for Games {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let mut depth = 0_i32;
        let parts = text.split(|c| {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth -= 1,
                _ => {}
            }
            c == ',' && depth <= 0
        });
        Ok(Self(parts.map(str::parse).collect::<Result<_, _>>()?))
    }
}

impl PlanArgs {
    /// The plan asked for; if nothing is asked for, that of the census in `data`.
    ///
    /// # Errors
    /// [`CensusFailure`] if nothing says which games are meant, or there is no such plan.
    pub fn resolve(&self, data: Option<&Path>) -> Result<Plan, CensusFailure> {
        let space = match (self.digits, &self.codes, self.born_by) {
            (Some(digits), ..) => Space::Octal { digits },
            (None, Some(Games(codes)), _) => Space::Codes(codes.clone()),
            (None, None, Some(day)) => {
                let games = games_born_by(day).into_iter().map(Code::from);
                Space::Codes(games.filter(Code::has_moves).collect())
            }
            (None, None, None) => return self.resumed(data),
        };
        Ok(Plan::new(space, self.budget(Budget::default()))?)
    }

    /// The plan of the census in `data`, with whatever is asked for put in its place: a difference is then reported.
    fn resumed(&self, data: Option<&Path>) -> Result<Plan, CensusFailure> {
        let data = data.unwrap_or(Path::new("."));
        match store::plan_of(data) {
            Ok(stored) => Ok(Plan::new(
                stored.space().clone(),
                self.budget(stored.budget()),
            )?),
            Err(StoreError::Missing(_)) => Err(CensusFailure::NoSpace(data.to_owned())),
            Err(error) => Err(error.into()),
        }
    }

    fn budget(&self, otherwise: Budget) -> Budget {
        let limits = otherwise.limits;
        Budget {
            fuel: self.fuel.unwrap_or(otherwise.fuel),
            limits: Limits {
                max_heap: self.max_heap.unwrap_or(limits.max_heap),
                max_order: self.max_order.unwrap_or(limits.max_order),
                max_copies: limits.max_copies,
                max_evidence: self.evidence.unwrap_or(limits.max_evidence),
            },
            strategy: self.strategy.map_or(otherwise.strategy, Into::into),
        }
    }
}

/// The arguments of `misere census plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census plan --digits 3             the octal games of Figure 1: 575 codes
  misere census plan --codes 0.77,0.07 --fuel 60M
  misere census plan --born-by 4            the 21 finite games but 0 of Figure 11

Exit codes: 0 done, 2 usage.")]
pub struct PlanCommand {
    #[command(flatten)]
    plan: PlanArgs,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census plan`.
///
/// # Errors
/// A [`Failure`] if there is no such plan.
pub fn run(args: &PlanCommand) -> Result<Exit, Failure> {
    let plan = args.plan.resolve(None)?;
    let tasks = misere_coordinator::plan::tasks(&plan);
    let codes: usize = tasks.iter().map(|task| 1 + task.aliases.len()).sum();
    let fuel = plan.budget().fuel;
    if args.json {
        let mut document = document(&plan);
        document["codes"] = json!(codes);
        document["tasks"] = json!(tasks.len());
        terminal::print_json(&document)?;
    } else {
        let most = write_fuel(fuel.saturating_mul(tasks.len() as u64));
        terminal::print(&format!(
            "{}\n{}{codes} codes, {} different rulesets; at most {most} fuel in all\n",
            plan.space(),
            describe_budget(&plan),
            tasks.len(),
        ))?;
    }
    Ok(Exit::Done)
}

/// The budget of a plan, one line.
pub fn describe_budget(plan: &Plan) -> String {
    let Budget { fuel, limits, .. } = plan.budget();
    format!(
        "each with fuel {} (max-heap {}, max-order {}, max-copies {}, evidence {}, strategy {})\n",
        write_fuel(fuel),
        limits.max_heap,
        limits.max_order,
        limits.max_copies,
        write_fuel(limits.max_evidence),
        plan.budget().strategy_name(),
    )
}

/// A plan as JSON.
pub fn document(plan: &Plan) -> Value {
    let Budget { fuel, limits, .. } = plan.budget();
    let space = match plan.space() {
        Space::Octal { digits } => json!({ "kind": "octal", "digits": digits }),
        Space::Codes(codes) => json!({ "kind": "codes", "codes": codes }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::DEFAULT_FUEL;

    #[test]
    fn commas_within_a_game_do_not_separate() {
        let games: Games = "0.77,{*2,{*2,0}},grundy,*[2#,0]".parse().unwrap();
        let texts: Vec<String> = games.0.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["0.77", "{{*2,0},*2}", "grundy", "{{*2},0}"]);
        assert!("0.77,,0.07".parse::<Games>().is_err());
        assert!("".parse::<Games>().is_err());
    }

    #[test]
    fn the_defaults_in_the_help_are_the_defaults() {
        let Budget { fuel, limits, .. } = Budget::default();
        assert_eq!(
            (fuel, limits.max_heap, limits.max_order),
            (DEFAULT_FUEL, 10_000, 65536)
        );
        assert_eq!(limits.max_evidence, 3_000_000);
        assert_eq!(DEFAULT_FUEL, 10_000_000);
    }
}
