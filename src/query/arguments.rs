//! The conditions, the order and the limit of a query, as options of the command line.
//!
//! The options are generated from the table of the query fields, so that every field has an option.

use std::str::FromStr;
use std::sync::LazyLock;

use clap::error::Error;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, value_parser};
use misere_census::Status;
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use misere_game::solution::Reason;
use misere_query::{
    ClassPattern, CodePattern, Field, Filter, GenusClass, Kind, Query, Sort, Span, Tameness,
};

use crate::census_error::CensusError;
use crate::exit::Failure;

/// The name of the group of all conditions, for options that exclude them.
const GROUP: &str = "Conditions";

/// The fields that the summary of the help lists.
const FREQUENT: [Field; 5] = [
    Field::Status,
    Field::Tame,
    Field::Order,
    Field::Class,
    Field::Period,
];

/// The conditions on a game.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The filter, without the conditions on classes that are named by a game.
    filter: Filter,
    class_of: Option<Code>,
    any_class_of: Option<Code>,
}

impl Conditions {
    /// Returns the filter that consists of the conditions.
    ///
    /// `class_of` returns the class for a game that represents it, or `None` for a game that is not
    /// in the census.
    ///
    /// # Errors
    /// The errors of `class_of`, and [`CensusError::NotInCensus`] for a game that has no class.
    pub fn filter(
        &self,
        mut class_of: impl FnMut(&Code) -> Result<Option<ClassKey>, Failure>,
    ) -> Result<Filter, Failure> {
        let mut pattern = |game: &Code| -> Result<_, Failure> {
            match class_of(game)? {
                Some(class) => Ok(ClassPattern::from(class)),
                None => Err(CensusError::NotInCensus(game.clone()).into()),
            }
        };
        let mut filter = self.filter.clone();
        if let Some(game) = &self.class_of {
            filter.class = Some(pattern(game)?);
        }
        if let Some(game) = &self.any_class_of {
            filter.any_class = Some(pattern(game)?);
        }
        Ok(filter)
    }

    /// Reports whether there is no condition.
    pub fn is_empty(&self) -> bool {
        let has_none = self.class_of.is_none() && self.any_class_of.is_none();
        has_none && self.filter == Filter::default()
    }
}

/// A class as the user names it.
#[derive(Clone, Debug)]
enum NamedClass {
    Pattern(ClassPattern),
    /// The class of the quotient of this game in the census.
    OfGame(Code),
}

impl FromStr for NamedClass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text.parse(), text.parse()) {
            (Ok(pattern), _) => Ok(Self::Pattern(pattern)),
            (Err(_), Ok(game)) => Ok(Self::OfGame(game)),
            (Err(no_class), Err(_)) => Err(no_class.to_string()),
        }
    }
}

/// Returns the options of a field.
fn options(field: Field) -> Vec<Arg> {
    let option = |value_name: &'static str| {
        let option = Arg::new(field.option()).long(field.option());
        option.value_name(value_name).help(field.about())
    };
    match field.kind() {
        Kind::Status => vec![
            option("STATUS")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .value_parser(value_parser!(Status)),
        ],
        Kind::Tameness => Tameness::ALL.into_iter().map(flag).collect(),
        Kind::Number | Kind::Event => vec![option("A..B").value_parser(value_parser!(Span))],
        Kind::Class => vec![
            option("CLASS")
                .value_parser(value_parser!(NamedClass))
                .help(format!(
                    "{}; or a game of the census that has it",
                    field.about()
                )),
        ],
        Kind::Reason => vec![
            option("REASON")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .value_parser(reason),
        ],
        Kind::Genus => vec![
            option("CLASS")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .value_parser(genus),
        ],
    }
}

/// Parses a reason.
fn reason(text: &str) -> Result<Reason, String> {
    let names = || Reason::ALL.map(Reason::name).join(", ");
    Reason::named(text).ok_or_else(|| format!("no reason has this name; the names are {}", names()))
}

/// Parses a class of heaps.
fn genus(text: &str) -> Result<GenusClass, String> {
    let names = GenusClass::names;
    GenusClass::named(text)
        .ok_or_else(|| format!("no class of heaps has this name; the names are {}", names()))
}

/// Returns the flag that selects tame, wild or open games; the three exclude one another.
fn flag(tame: Tameness) -> Arg {
    let name = tame.name();
    let others = Tameness::ALL.into_iter().filter(|other| *other != tame);
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .conflicts_with_all(others.map(Tameness::name))
        .help(tame.about())
}

impl Args for Conditions {
    fn augment_args(command: Command) -> Command {
        let code = Arg::new("code")
            .long("code")
            .value_name("GLOB")
            .value_parser(value_parser!(CodePattern))
            .help(
                "A code, or a pattern: `?` is one digit, `[1-3]` one of these, `*` any number of \
                 digits. Aliases are found too",
            );
        let fields = Field::ALL.into_iter().flat_map(|field| {
            let is_frequent = FREQUENT.contains(&field);
            let options = options(field).into_iter();
            options.map(move |option| match is_frequent {
                true => option,
                false => option.help_heading("Further conditions"),
            })
        });
        let options: Vec<Arg> = std::iter::once(code).chain(fields).collect();
        let names: Vec<_> = options.iter().map(|arg| arg.get_id().clone()).collect();
        command
            .group(ArgGroup::new(GROUP).multiple(true).args(names))
            .args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Conditions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let class = |field: Field| matches.get_one::<NamedClass>(field.option()).cloned();
        let apart = |class: Option<NamedClass>| match class {
            Some(NamedClass::Pattern(pattern)) => (Some(pattern), None),
            Some(NamedClass::OfGame(game)) => (None, Some(game)),
            None => (None, None),
        };
        let (class_pattern, class_of) = apart(class(Field::Class));
        let (any_class, any_class_of) = apart(class(Field::AnyClass));
        let is_set = |tame: &Tameness| matches.get_flag(tame.name());
        let statuses = matches.get_many::<Status>(Field::Status.option());
        let reasons = matches.get_many::<Reason>(Field::Reason.option());
        let genera = matches.get_many::<GenusClass>(Field::Genus.option());
        let span = |field: Field| matches.get_one::<Span>(field.option()).copied();
        let ranges = Field::with_ranges().filter_map(|field| Some((field, span(field)?)));
        Ok(Self {
            filter: Filter {
                code: matches.get_one::<CodePattern>("code").cloned(),
                status: statuses.into_iter().flatten().copied().collect(),
                tame: Tameness::ALL.into_iter().find(is_set),
                ranges: ranges.collect(),
                class: class_pattern,
                any_class,
                reason: reasons.into_iter().flatten().copied().collect(),
                genus: genera.into_iter().flatten().copied().collect(),
            },
            class_of,
            any_class_of,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The help of `--sort`, with the existing orders.
static SORT_HELP: LazyLock<String> = LazyLock::new(|| {
    format!(
        "The property by which the answers are sorted: {}",
        Sort::names()
    )
});

/// The conditions, the order and the limit of a query.
#[derive(Clone, Debug, clap::Args)]
pub struct QueryConditions {
    #[command(flatten)]
    conditions: Conditions,
    #[arg(
        long,
        value_name = "BY",
        default_value = "code",
        help = SORT_HELP.as_str(),
        help_heading = "Order and limit"
    )]
    sort: Sort,
    /// Put the greatest first; games without such a number come last either way
    #[arg(long, help_heading = "Order and limit")]
    descending: bool,
    /// Print at most N answers
    #[arg(short = 'n', long, value_name = "N", help_heading = "Order and limit")]
    limit: Option<u64>,
    /// Pass over the first N answers
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Order and limit"
    )]
    offset: u64,
}

impl QueryConditions {
    /// Returns the query with these conditions, this order and this limit.
    ///
    /// `class_of` returns the class for a game that represents it.
    ///
    /// # Errors
    /// The errors of `class_of`, and [`CensusError::NotInCensus`] for a game that has no class.
    pub fn query(
        &self,
        class_of: impl FnMut(&Code) -> Result<Option<ClassKey>, Failure>,
    ) -> Result<Query, Failure> {
        Ok(Query {
            filter: self.conditions.filter(class_of)?,
            sort: self.sort,
            descending: self.descending,
            offset: self.offset,
            limit: self.limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Filter, String> {
        let command = Conditions::augment_args(Command::new("query"));
        let words = std::iter::once("query").chain(words.iter().copied());
        let matches = command.try_get_matches_from(words).unwrap();
        let conditions = Conditions::from_arg_matches(&matches).unwrap();
        let class = misere_game::bipartite::families::tame(2).class_key();
        let of = |game: &Code| Ok((game.to_string() == "0.77").then_some(class));
        conditions.filter(of).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_game_represents_its_class() {
        let class = misere_game::bipartite::families::tame(2).class_key();
        let filter = parsed(&["--class", "kayles", "--any-class", "0.77"]).unwrap();
        assert!(filter.class.unwrap().fits(&class));
        assert!(filter.any_class.unwrap().fits(&class));
        // A text that is both a code and the key of a class is the key.
        let filter = parsed(&["--class", "123"]).unwrap();
        assert_eq!(filter.class.unwrap().to_string(), "123");
        let error = parsed(&["--class", "0.07"]).unwrap_err();
        assert!(
            error.starts_with("0.07 is not a game of this census"),
            "{error}"
        );
    }

    #[test]
    fn every_field_has_an_option_that_arrives_in_the_filter() {
        let span: Span = "3..5".parse().unwrap();
        for field in Field::with_ranges() {
            let option = format!("--{}", field.option());
            let filter = parsed(&[&option, "3..5"]).unwrap();
            assert_eq!(filter.ranges.iter().collect::<Vec<_>>(), [(field, span)]);
        }
        let filter = parsed(&["--wild", "--status", "solved,grows", "--any-class", "S_12"]);
        let filter = filter.unwrap();
        assert_eq!(filter.tame, Some(Tameness::Wild));
        assert_eq!(filter.status, [Status::Solved, Status::Grows].into());
        assert_eq!(filter.any_class.unwrap().to_string(), "S_12");
        assert!(filter.class.is_none());
    }

    #[test]
    fn the_book_names_the_option_of_every_field() {
        let page = include_str!("../../docs/query.md");
        for field in Field::ALL {
            for option in options(field) {
                let option = format!("`--{}", option.get_id());
                assert!(page.contains(&option), "docs/query.md lacks {option}`");
            }
        }
        for sort in Sort::all() {
            let name = format!("`{}`", sort.name());
            assert!(page.contains(&name), "docs/query.md lacks the order {name}");
        }
    }
}
