//! The settings of a user: defaults of options, from the environment and from a file.
//!
//! The file `~/.config/misere/settings.toml` has a table for each command, and in it a line for
//! each option:
//!
//! ```toml
//! [solve]
//! fuel = "20M"
//! ```
//!
//! An option of the command line comes before a variable of the environment, and that before the
//! file. A default is left out if it contradicts an option that comes before it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::builder::{Resettable, Styles};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use misere_census::input_file;
use toml::de::{DeTable, DeValue};

use crate::exit::{CommandError, Exit};
use crate::usage;

/// The variable that names another file; if it is empty, there are no settings.
const VARIABLE: &str = "MISERE_SETTINGS";

/// The fault of a file of settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read the settings in {}: {cause}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// There is a file of the form that earlier programs read.
    #[error(
        "{} holds settings in their earlier form: rename it to settings.toml, quote its values \
         (fuel = \"20M\"), and write [census.run] for [census run]",
        .0.display()
    )]
    EarlierForm(PathBuf),
    /// A line is wrong.
    #[error("line {line} of the settings in {}: {fault}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The fault of the line.
        fault: SettingsLineError,
    },
}

impl CommandError for SettingsError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// The fault of a line of a file of settings.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsLineError {
    /// The file is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// A setting comes before the first table.
    #[error("a table such as [solve] must come first, which names the command")]
    NoTable,
    /// The command does not exist.
    #[error("there is no command `{0}`")]
    NoCommand(String),
    /// The command has no such option.
    #[error("the command `{command}` has no option `--{option}`")]
    NoOption {
        /// The command.
        command: String,
        /// The option, without hyphens.
        option: String,
    },
    /// The value of an option that takes none is neither `true` nor `false`.
    #[error("`--{0}` takes no value; write `{0} = true` or `{0} = false`")]
    NoValue(String),
    /// An option that takes one value has several.
    #[error("`--{0}` takes one value")]
    OneValue(String),
    /// The option does not take this value.
    #[error("{0}")]
    Value(String),
    /// Two settings contradict each other.
    #[error("`{0}` contradicts `{1}`; leave one of them out")]
    Contradiction(String, String),
}

/// An option of a command: the words that call the command, and the identifier of the option.
type Place = (String, String);

/// The defaults of this process.
#[derive(Debug, Default)]
struct Defaults {
    /// The values in the file.
    settings: BTreeMap<Place, Vec<OsString>>,
    /// The options whose defaults contradict an option that comes before them.
    left_out: BTreeSet<Place>,
}

thread_local! {
    static DEFAULTS: RefCell<Defaults> = RefCell::default();
}

/// The origin of a value; the first comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    CommandLine,
    Environment,
    File,
}

/// Reads the file of settings, if there is one.
///
/// `whole` makes the command line with all options, which is needed only if there are settings.
///
/// # Errors
/// [`SettingsError`] if the file cannot be read or has any fault.
pub fn load(whole: impl FnOnce() -> Command) -> Result<(), SettingsError> {
    let Some(file) = file(|name| std::env::var_os(name)) else {
        return Ok(());
    };
    let is_usual = std::env::var_os(VARIABLE).is_none();
    let text = match input_file::read_text(&file, input_file::SMALL) {
        Ok(text) => text,
        Err(_) if is_usual && is_absent(&file) => {
            let earlier = file.with_extension("");
            return match is_absent(&earlier) {
                true => Ok(()),
                false => Err(SettingsError::EarlierForm(earlier)),
            };
        }
        Err(cause) => return Err(SettingsError::File { file, cause }),
    };
    let mut whole = whole();
    whole.build();
    let settings = read(&text, &whole).map_err(|(place, fault)| SettingsError::Line {
        file,
        line: text[..place.start].matches('\n').count() + 1,
        fault,
    })?;
    DEFAULTS.with_borrow_mut(|defaults| defaults.settings = settings);
    Ok(())
}

/// Reports whether there is no file of settings, or none visible to this user.
///
/// A link that leads nowhere, or in a circle, was made on purpose, so it is a fault.
fn is_absent(file: &Path) -> bool {
    let absent = |cause: &std::io::Error| {
        // Another user's process may lack permission to enter the directory.
        let kinds = [
            ErrorKind::NotFound,
            ErrorKind::NotADirectory,
            ErrorKind::PermissionDenied,
        ];
        kinds.contains(&cause.kind())
    };
    std::fs::metadata(file).is_err_and(|cause| absent(&cause))
        && std::fs::symlink_metadata(file).is_err_and(|cause| absent(&cause))
}

/// Returns the file of settings by the variables of the environment, if there can be one.
///
/// A directory that is not absolute is ignored, as the XDG specification demands: otherwise the
/// settings would depend on the current directory.
fn file(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(named) = variable(VARIABLE) {
        return Some(named)
            .filter(|named| !named.is_empty())
            .map(PathBuf::from);
    }
    let directory = |name| {
        let named = variable(name).map(PathBuf::from);
        named.filter(|directory| directory.is_absolute())
    };
    let usual = directory("XDG_CONFIG_HOME");
    let usual = usual.or_else(|| Some(directory("HOME")?.join(".config")));
    Some(usual?.join("misere").join("settings.toml"))
}

/// The fault of a file, and its place in bytes.
type Fault = (Range<usize>, SettingsLineError);

/// Parses settings. Each must be an option of its command, and a value of that option.
fn read(text: &str, whole: &Command) -> Result<BTreeMap<Place, Vec<OsString>>, Fault> {
    let syntax = |error: toml::de::Error| {
        let message = error.message().replace('\n', ", ");
        (
            error.span().unwrap_or_default(),
            SettingsLineError::Syntax(message),
        )
    };
    let table = DeTable::parse(text).map_err(syntax)?;
    let mut settings = BTreeMap::new();
    read_table(table.get_ref(), whole, "", &mut settings)?;
    Ok(settings)
}

/// Parses the table of a command, and those of the commands below it.
fn read_table(
    table: &DeTable<'_>,
    command: &Command,
    words: &str,
    settings: &mut BTreeMap<Place, Vec<OsString>>,
) -> Result<(), Fault> {
    let mut active: Vec<&Arg> = Vec::new();
    for (key, value) in table {
        let option = key.get_ref().to_string();
        let is = |fault| (key.span(), fault);
        if let DeValue::Table(below) = value.get_ref() {
            let words = joined(words, &option);
            let found = command.find_subcommand(&option);
            let found = found.filter(|found| !found.is_hide_set());
            let found = found.ok_or_else(|| is(SettingsLineError::NoCommand(words.clone())))?;
            read_table(below, found, &words, settings)?;
            continue;
        }
        if words.is_empty() {
            return Err(is(SettingsLineError::NoTable));
        }
        let mut arguments = command.get_arguments();
        let argument = arguments.find(|argument| is_called(argument, &option));
        let argument = argument.ok_or_else(|| {
            is(SettingsLineError::NoOption {
                command: words.to_owned(),
                option: option.clone(),
            })
        })?;
        let values = values(argument, &option, value.get_ref()).map_err(is)?;
        if is_active(argument, &values) {
            if let Some(other) = active.iter().find(|it| contradict(command, it, argument)) {
                let other = other.get_long().unwrap_or_default().to_owned();
                return Err(is(SettingsLineError::Contradiction(option, other)));
            }
            active.push(argument);
        }
        settings.insert(place(words, argument), values);
    }
    Ok(())
}

/// Reports whether an option has this name, written without hyphens.
fn is_called(argument: &Arg, name: &str) -> bool {
    let others = argument.get_all_aliases().unwrap_or_default();
    argument.get_long() == Some(name) || others.contains(&name)
}

/// Returns the values of an option as they would be on the command line.
fn values(
    argument: &Arg,
    option: &str,
    value: &DeValue<'_>,
) -> Result<Vec<OsString>, SettingsLineError> {
    if !argument.get_action().takes_values() {
        return match value.as_bool() {
            Some(is_set) => Ok(vec![is_set.to_string().into()]),
            None => Err(SettingsLineError::NoValue(option.to_owned())),
        };
    }
    let values: Vec<String> = match value {
        DeValue::Array(items) => items.iter().map(|item| written(item.get_ref())).collect(),
        one => vec![written(one)],
    };
    let is_one = !matches!(argument.get_action(), ArgAction::Append)
        && argument
            .get_num_args()
            .is_none_or(|count| count.max_values() <= 1);
    if is_one && values.len() != 1 {
        return Err(SettingsLineError::OneValue(option.to_owned()));
    }
    // Clap checks the values as it would on a command line.
    let names = argument
        .get_value_names()
        .unwrap_or_default()
        .first()
        .cloned();
    let checked = Arg::new("checked")
        .long(option.to_owned())
        .action(ArgAction::Append)
        .value_name(names.unwrap_or_else(|| "VALUE".into()))
        .value_parser(argument.get_value_parser().clone());
    let line = Command::new("misere")
        .no_binary_name(true)
        .styles(Styles::plain())
        .arg(checked);
    let words = values.iter().map(|value| format!("--{option}={value}"));
    match line.try_get_matches_from(words) {
        Ok(_) => Ok(values.into_iter().map(OsString::from).collect()),
        Err(error) => Err(SettingsLineError::Value(usage::fault(error))),
    }
}

/// Returns a value as it would be on the command line.
fn written(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(is_set) => is_set.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        // No option takes such a value, so that its parser refuses it.
        DeValue::Array(_) | DeValue::Table(_) => "[…]".to_owned(),
    }
}

/// Returns the words that call a subcommand.
fn joined(words: &str, name: &str) -> String {
    match words {
        "" => name.to_owned(),
        words => format!("{words} {name}"),
    }
}

fn place(words: &str, argument: &Arg) -> Place {
    (words.to_owned(), argument.get_id().to_string())
}

/// Reports whether an option is given by a default: a flag that is false is not.
fn is_active(argument: &Arg, values: &[OsString]) -> bool {
    argument.get_action().takes_values() || values.iter().all(|value| value == "true")
}

/// Reports whether two options of a command cannot be given together.
fn contradict(command: &Command, one: &Arg, other: &Arg) -> bool {
    let names = |one: &Arg, other: &Arg| {
        let conflicts = command.get_arg_conflicts_with(one);
        conflicts.iter().any(|it| it.get_id() == other.get_id())
    };
    let mut groups = command.get_groups();
    names(one, other)
        || names(other, one)
        || groups.any(|group| {
            let has = |argument: &Arg| group.get_args().any(|id| id == argument.get_id());
            has(one) && has(other) && !group.clone().is_multiple()
        })
}

/// Returns the default of an option from the environment or the file, if there is one.
fn default(words: &str, argument: &Arg) -> Option<(Origin, Vec<OsString>)> {
    let place = place(words, argument);
    DEFAULTS.with_borrow(|defaults| {
        if defaults.left_out.contains(&place) {
            return None;
        }
        let variable = argument.get_env().and_then(std::env::var_os);
        if let Some(value) = variable.filter(|value| !value.is_empty()) {
            return Some((Origin::Environment, vec![value]));
        }
        Some((Origin::File, defaults.settings.get(&place)?.clone()))
    })
}

/// Sets the defaults of a command and of those below it; `words` call it.
///
/// A default does not contradict another option, which a variable that clap itself reads does.
pub fn applied(command: Command, words: &str) -> Command {
    let mut given = Vec::new();
    let mut command = command.mut_args(|argument| {
        let argument = match default(words, &argument) {
            Some((_, values)) => {
                given.push(argument.get_id().clone());
                argument.required(false).default_values(values)
            }
            None => argument,
        };
        argument.env(Resettable::Reset)
    });
    let groups = command.get_groups();
    let has_default = groups.filter(|group| group.get_args().any(|id| given.contains(id)));
    let has_default: Vec<String> = has_default
        .map(|group| group.get_id().to_string())
        .collect();
    for group in has_default {
        command = command.mut_group(group, |group| group.required(false));
    }
    command.mut_subcommands(|below| {
        let words = joined(words, below.get_name());
        applied(below, &words)
    })
}

/// Leaves out the defaults that contradict an option that comes before them.
///
/// Returns whether there are any, so that the arguments have to be parsed again.
pub fn leave_contradictions_out(line: &Command, matches: &ArgMatches) -> bool {
    let (mut command, mut matches, mut words) = (line, matches, String::new());
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else {
            break;
        };
        (command, matches, words) = (found, below, joined(&words, name));
    }
    let mut given: Vec<(Origin, &Arg)> = Vec::new();
    for argument in command.get_arguments() {
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            given.push((Origin::CommandLine, argument));
        } else if let Some((origin, values)) = default(&words, argument)
            && is_active(argument, &values)
        {
            given.push((origin, argument));
        }
    }
    given.sort_by_key(|(origin, _)| *origin);
    let mut valid: Vec<&Arg> = Vec::new();
    let mut is_any = false;
    for (origin, argument) in given {
        let contradicted = || valid.iter().any(|it| contradict(command, it, argument));
        if origin != Origin::CommandLine && contradicted() {
            let place = place(&words, argument);
            DEFAULTS.with_borrow_mut(|defaults| defaults.left_out.insert(place));
            is_any = true;
        } else {
            valid.push(argument);
        }
    }
    is_any
}

#[cfg(test)]
mod tests;
