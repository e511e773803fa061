//! `misere census plan`: the games, the budget and the number of tasks of a plan.

use std::path::Path;
use std::str::FromStr;

use misere_census::quantity::{fuel, heap, write_fuel};
use misere_census::{Budget, Plan, Space};
use misere_engine::quotient::Limits;
use misere_game::ruleset::day_five::{DayFive, MAX_LATE};
use misere_game::ruleset::simplest_form::LAST_DAY;
use misere_game::ruleset::{Code, FiniteGame, games_born_by};
use misere_store::StoreError;
use serde_json::json;

use crate::census_error::CensusError;
use crate::computation::Strategy;
use crate::exit::{Exit, Failure};
use crate::rules_file;
use crate::terminal::{self, counted};

/// The greatest number of options born on day 4 unless `--late` says another one: 4,278 games.
const DEFAULT_LATE: u8 = 2;

/// The options that belong to the plan of a census, and so to its digest.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Plan options (they determine the result completely)")]
pub struct PlanArgs {
    /// Every octal code 0.d1…dN and 4.d1…d(N-1); with --space hexadecimal, quaternary or
    /// subtraction every code of that kind
    #[arg(long, value_name = "N", conflicts_with_all = ["codes", "born_by"])]
    digits: Option<u8>,
    /// The games listed, separated by commas: codes, grundy, finite games, @FILE for a file of
    /// rules; a ? marks unequal heaps, and is not a pattern
    #[arg(long, value_name = "LIST", conflicts_with = "born_by")]
    codes: Option<Games>,
    /// The finite games in simplest form born by day DAY, but 0; on day 5 those of --late
    #[arg(long, value_name = "DAY", value_parser = clap::value_parser!(u32).range(1..=i64::from(LAST_DAY) + 1))]
    born_by: Option<u32>,
    /// With --born-by 5: the games with at most N options born on day 4; for those known to have an
    /// infinite quotient, a few games that prove it [default: 2]
    #[arg(long, value_name = "N", requires = "born_by", value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_LATE)))]
    late: Option<u8>,
    /// The codes that --digits means, or quotients, beside the games or alone
    #[arg(long, value_enum)]
    space: Option<SpaceArg>,
    /// The greatest order of the quotients
    #[arg(long, value_name = "N")]
    order: Option<u8>,
    /// Fuel of each game or construction scheme; one unit is about a microsecond of one core: 10M,
    /// or 10s [default: 10M]
    #[arg(long, value_name = "N", value_parser = fuel)]
    fuel: Option<u64>,
    /// The greatest heap to compute, such as 1000, 20M or 2^26 [default: 10000]
    #[arg(long, value_name = "N", value_parser = heap)]
    max_heap: Option<u32>,
    /// The greatest order of a partial quotient [default: 65536]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_order: Option<u32>,
    /// The part of --fuel for proofs that a quotient which looks infinite is infinite; 0: none
    /// [default: 3M]
    #[arg(long, value_name = "N", value_parser = fuel)]
    evidence: Option<u64>,
    /// How new partial quotients are found [default: exact]
    #[arg(long, value_enum)]
    strategy: Option<Strategy>,
}

/// The spaces that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SpaceArg {
    /// Codes 0.d1…dN, and d0.d1…d(N-1) with d0 = 4, 8 or C
    Hexadecimal,
    /// Codes 0.d1…dN with digits 0 to 3: no move splits a heap
    Quaternary,
    /// Every game whose moves take at most N beans
    Subtraction,
    /// Misère quotients of order at most --order
    Quotients,
}

/// Games separated by commas; the commas within a finite game do not separate.
#[derive(Clone, Debug)]
struct Games(Vec<Code>);

impl FromStr for Games {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut depth = 0_i32;
        let parts = text.split(|c| {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth -= 1,
                _ => {}
            }
            c == ',' && depth <= 0
        });
        Ok(Self(parts.map(rules_file::game).collect::<Result<_, _>>()?))
    }
}

impl PlanArgs {
    /// Reports whether any of the options is given.
    pub fn is_given(&self) -> bool {
        self.digits.is_some()
            || self.codes.is_some()
            || self.born_by.is_some()
            || self.late.is_some()
            || self.space.is_some()
            || self.order.is_some()
            || self.fuel.is_some()
            || self.max_heap.is_some()
            || self.max_order.is_some()
            || self.evidence.is_some()
            || self.strategy.is_some()
    }

    /// Returns the plan that the options describe.
    ///
    /// If they name no games, it is the plan of the census in `data`, if there is one.
    ///
    /// # Errors
    /// [`CensusError`] if the games are not specified, or the plan is invalid.
    pub fn resolve(&self, data: Option<&Path>) -> Result<Plan, CensusError> {
        let family = self.space.filter(|&space| space != SpaceArg::Quotients);
        let quotients = match (self.space, self.order) {
            (Some(SpaceArg::Quotients), Some(order)) => Some(order),
            (_, order) if family.is_some() => order,
            (None, None) => None,
            _ => return Err(CensusError::Quotients),
        };
        let games = match (self.digits, &self.codes, self.born_by) {
            (Some(digits), ..) => match family {
                Some(SpaceArg::Hexadecimal) => Space::Hexadecimal { digits },
                Some(SpaceArg::Quaternary) => Space::Quaternary { digits },
                Some(SpaceArg::Subtraction) => Space::Subtraction { most: digits },
                _ => Space::Octal { digits },
            },
            _ if family.is_some() => return Err(CensusError::NoDigits),
            (None, Some(Games(codes)), _) => Space::Codes(codes.clone()),
            (None, None, Some(day)) => match (day > LAST_DAY, self.late) {
                (true, late) => born_by_five(late.unwrap_or(DEFAULT_LATE)),
                (false, Some(_)) => return Err(CensusError::Late),
                (false, None) => listed(games_born_by(day)),
            },
            (None, None, None) => match quotients {
                Some(order) => Space::Quotients { order },
                None => return self.resumed(data),
            },
        };
        let space = match quotients {
            Some(order) if games.has_games() => games.with_quotients(order)?,
            _ => games,
        };
        Ok(Plan::new(space, self.budget(Budget::default()))?)
    }

    /// Returns the plan of the census in `data`, with its own values replaced by the options.
    ///
    /// A difference is then reported.
    ///
    /// A difference is then reported.
    fn resumed(&self, data: Option<&Path>) -> Result<Plan, CensusError> {
        let Some(data) = data else {
            return Err(CensusError::NoSpace(None));
        };
        match misere_store::plan_of(data) {
            Ok(stored) => Ok(Plan::new(
                stored.space().clone(),
                self.budget(stored.budget()),
            )?),
            Err(StoreError::Missing(_)) => Err(CensusError::NoSpace(Some(data.to_owned()))),
            // The advice is different: a census could be begun in another directory.
            Err(StoreError::NoCensus(other, name)) => {
                Err(StoreError::NotACensus(other, name).into())
            }
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

/// Returns a survey of the games born by day 5 with at most `late` options born on day 4.
///
/// Up to three late options the plan lists the games, as it did when no survey had more, so the
/// plan of a census begun then is still the same.
fn born_by_five(late: u8) -> Space {
    const MAX_LISTED: u8 = 3;
    if late > MAX_LISTED {
        return Space::BornByFive { late };
    }
    let day = DayFive::new();
    let sets = day.survey(late.into());
    listed(sets.into_iter().filter_map(|set| day.game(set)).collect())
}

fn listed(games: Vec<FiniteGame>) -> Space {
    let games = games.into_iter().map(Code::from);
    Space::Codes(games.filter(Code::has_moves).collect())
}

/// The arguments of `misere census plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census plan --digits 3             the octal games of Figure 1: 575
                                            codes
  misere census plan --codes 0.77,0.07 --fuel 60M
  misere census plan --born-by 4            the 21 finite games but 0 of Figure
                                            11
  misere census plan --born-by 5 --late 1   games born on day 5 with at most 1
                                            option of day 4
  misere census plan --space hexadecimal --digits 2
  misere census plan --space quaternary --digits 6
  misere census plan --space subtraction --digits 8
      the sets of numbers from 1 to 8
  misere census plan --space quotients --order 18

Exit codes: 0 done, 2 usage.")]
pub struct PlanCommand {
    #[command(flatten)]
    plan: PlanArgs,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census plan`.
///
/// # Errors
/// A [`Failure`] if the plan is invalid.
pub fn run(args: &PlanCommand) -> Result<Exit, Failure> {
    let plan = args.plan.resolve(None)?;
    let tasks = misere_census::plan::tasks(&plan);
    let codes = plan.space().listing().count();
    let fuel = plan.budget().fuel;
    if args.json {
        let mut document = misere_report::sheets::plan::document(&plan);
        document["codes"] = json!(codes);
        document["tasks"] = json!(tasks.len());
        terminal::print_json(&document)?;
    } else {
        let mut text = format!(
            "{}\n{}",
            plan.space(),
            misere_report::sheets::plan::describe_budget(&plan)
        );
        if plan.space().has_games() {
            let most = write_fuel(fuel.saturating_mul(tasks.len() as u64));
            let codes = counted(codes, "code");
            let rulesets = counted(tasks.len() as u64, "different ruleset");
            text.push_str(&format!(
                "{codes}, {rulesets}; at most {most} fuel in all\n"
            ));
        }
        if let Some(order) = plan.space().max_quotient_order() {
            text.push_str(&format!(
                "{} levels of quotients, of orders 2 to {order}; the tasks of a level are known \
                 when the one before is complete\n",
                order / 2
            ));
        }
        terminal::print(&text)?;
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use misere_census::DEFAULT_FUEL;

    use super::*;

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
