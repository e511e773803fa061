//! The settings of a user: options that need not be written each time.
//!
//! The file `~/.config/misere/settings` has a section for each command, and in it a line for each
//! option:
//!
//! ```text
//! [solve]
//! fuel = 20M
//! ```
//!
//! `misere solve 0.77` is then read as `misere solve --fuel=20M 0.77`. An option on the command
//! line takes precedence over the same setting and over settings that it contradicts.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use misere_census::input_file;

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

/// The fault of a line of a file of settings.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsLineError {
    /// The line is neither a section nor a setting.
    #[error("a section such as [solve] or a setting such as `fuel = 20M` is expected here")]
    Form,
    /// A setting comes before the first section.
    #[error("a section such as [solve] must come first, which names the command")]
    NoSection,
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
}

/// An option with its value; the number of the line is for messages.
#[derive(Debug, PartialEq, Eq)]
struct Setting {
    line: usize,
    option: String,
    value: String,
}

/// The settings of each command, by the words that call it.
type Settings = BTreeMap<String, Vec<Setting>>;

/// Returns the arguments of the process, with the settings of the command that they call.
///
/// `whole` makes the command line with all options, which is needed only if there are settings.
///
/// # Errors
/// [`SettingsError`] if the file cannot be read or has any fault.
pub fn arguments(
    given: &[OsString],
    whole: impl FnOnce() -> Command,
) -> Result<Vec<OsString>, SettingsError> {
    let given = given.to_vec();
    let variable = |name: &str| std::env::var_os(name);
    let Some(file) = file(variable) else {
        return Ok(given);
    };
    let text = match input_file::read_text(&file, input_file::SMALL) {
        Ok(text) => text,
        Err(_) if is_usual() && is_absent(&file) => return Ok(given),
        Err(cause) => return Err(SettingsError::File { file, cause }),
    };
    let fault = |(line, fault)| SettingsError::Line { file, line, fault };
    let mut whole = whole();
    whole.build();
    let settings = read(&text, &whole).map_err(fault)?;
    Ok(completed(given, &settings, &whole))
}

/// Reports whether the file is the usual one, which need not exist.
fn is_usual() -> bool {
    std::env::var_os(VARIABLE).is_none()
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
    Some(usual?.join("misere").join("settings"))
}

/// Parses settings. Each must be an option of its command.
fn read(text: &str, whole: &Command) -> Result<Settings, (usize, SettingsLineError)> {
    let mut settings = Settings::new();
    let mut section: Option<(String, &Command)> = None;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let is = |fault| (line, fault);
        if let Some(named) = content.strip_prefix('[') {
            let named = named.strip_suffix(']').ok_or(is(SettingsLineError::Form))?;
            let named = named.split_whitespace().collect::<Vec<_>>().join(" ");
            let command = named.split(' ').try_fold(whole, |command, word| {
                command
                    .find_subcommand(word)
                    .filter(|sub| !sub.is_hide_set())
            });
            let command = command.ok_or_else(|| is(SettingsLineError::NoCommand(named.clone())))?;
            section = Some((named, command));
            continue;
        }
        let (option, value) = content.split_once('=').ok_or(is(SettingsLineError::Form))?;
        let (option, value) = (option.trim().to_owned(), value.trim().to_owned());
        let (named, command) = section.as_ref().ok_or(is(SettingsLineError::NoSection))?;
        let argument = command
            .get_arguments()
            .find(|argument| is_called(argument, &option));
        let Some(argument) = argument else {
            let command = named.clone();
            return Err(is(SettingsLineError::NoOption { command, option }));
        };
        if !argument.get_action().takes_values() && !["true", "false"].contains(&value.as_str()) {
            return Err(is(SettingsLineError::NoValue(option)));
        }
        let setting = Setting {
            line,
            option,
            value,
        };
        settings.entry(named.clone()).or_default().push(setting);
    }
    Ok(settings)
}

/// Reports whether an option has this name, written without hyphens.
fn is_called(argument: &Arg, name: &str) -> bool {
    let others = argument.get_all_aliases().unwrap_or_default();
    argument.get_long() == Some(name) || others.contains(&name)
}

/// Inserts the settings of the command after the words that call it.
fn completed(given: Vec<OsString>, settings: &Settings, whole: &Command) -> Vec<OsString> {
    let mut command = whole;
    let mut words: Vec<&str> = Vec::new();
    for word in given.iter().skip(1) {
        let named = word.to_str().and_then(|word| command.find_subcommand(word));
        let Some(named) = named else { break };
        words.push(named.get_name());
        command = named;
    }
    let Some(settings) = settings.get(&words.join(" ")) else {
        return given;
    };
    let (calling, others) = given.split_at(1 + words.len());
    let options = others.iter().take_while(|word| *word != "--");
    let written: Vec<&Arg> = options.filter_map(|word| written(command, word)).collect();
    let is_free = |argument: &Arg| {
        let contradicts = |one: &Arg, other: &Arg| {
            let conflicts = command.get_arg_conflicts_with(one);
            conflicts
                .iter()
                .any(|found| found.get_id() == other.get_id())
        };
        !written.iter().any(|&option| {
            option.get_id() == argument.get_id()
                || contradicts(option, argument)
                || contradicts(argument, option)
        })
    };
    let added = settings.iter().filter_map(|setting| {
        let mut arguments = command.get_arguments();
        let argument = arguments.find(|argument| is_called(argument, &setting.option))?;
        let (option, value) = (&setting.option, &setting.value);
        let word = match (argument.get_action().takes_values(), value.as_str()) {
            (true, _) => format!("--{option}={value}"),
            (false, "true") => format!("--{option}"),
            (false, _) => return None,
        };
        is_free(argument).then(|| OsString::from(word))
    });
    let calling = calling.iter().cloned();
    calling.chain(added).chain(others.iter().cloned()).collect()
}

/// Finds the option of a command that a word of the command line is, with or without its value.
fn written<'a>(command: &'a Command, word: &OsStr) -> Option<&'a Arg> {
    let word = word.to_str()?;
    let mut arguments = command.get_arguments();
    match word.strip_prefix("--") {
        Some(name) => {
            let name = name.split('=').next()?;
            arguments.find(|argument| is_called(argument, name))
        }
        None => {
            let short = word.strip_prefix('-')?.chars().next()?;
            arguments.find(|argument| argument.get_short() == Some(short))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::CommandLine;

    fn whole() -> Command {
        let mut whole = CommandLine::command();
        whole.build();
        whole
    }

    /// Returns the command line that a line becomes with some settings.
    fn with(settings: &str, line: &str) -> String {
        let whole = whole();
        let settings = read(settings, &whole).unwrap();
        let given = line.split(' ').map(OsString::from).collect();
        let completed = completed(given, &settings, &whole);
        let words: Vec<&str> = completed.iter().filter_map(|word| word.to_str()).collect();
        words.join(" ")
    }

    const SETTINGS: &str = "\
# How I work.
[solve]
fuel = 20M
json = true

[census run]
workers = 4

[coordinator certs]
count = 8
";

    #[test]
    fn settings_follow_the_words_of_their_command() {
        for (line, expected) in [
            ("misere solve 0.77", "misere solve --fuel=20M --json 0.77"),
            (
                "misere solve 0.77 --fuel 5M",
                "misere solve --json 0.77 --fuel 5M",
            ),
            (
                "misere solve 0.77 --fuel=5M",
                "misere solve --json 0.77 --fuel=5M",
            ),
            (
                "misere solve --json -- 0.77",
                "misere solve --fuel=20M --json -- 0.77",
            ),
            ("misere verify a.json", "misere verify a.json"),
            (
                "misere census run --data c",
                "misere census run --workers=4 --data c",
            ),
            (
                "misere census status --data c",
                "misere census status --data c",
            ),
            (
                "misere solve --help",
                "misere solve --fuel=20M --json --help",
            ),
            ("misere", "misere"),
            ("misere slove", "misere slove"),
        ] {
            assert_eq!(with(SETTINGS, line), expected);
        }
    }

    #[test]
    fn an_option_that_contradicts_a_setting_comes_first() {
        let settings = "[query]\ndata = census\n";
        let here = "misere query --data=census --count";
        assert_eq!(with(settings, "misere query --count"), here);
        let there = "misere query --coordinator http://127.0.0.1:7117";
        assert_eq!(with(settings, there), there);
        let settings = "[query]\njson = true\n";
        assert_eq!(
            with(settings, "misere query --jsonl"),
            "misere query --jsonl"
        );
    }

    /// Tests the conflicts: clap panics if an option contradicts one that its command lacks.
    #[test]
    fn options_contradict_only_existing_options() {
        fn all(command: &Command) -> usize {
            let own = command.get_arguments();
            let own = own.map(|argument| command.get_arg_conflicts_with(argument).len());
            own.sum::<usize>() + command.get_subcommands().map(all).sum::<usize>()
        }
        assert!(all(&whole()) > 50);
    }

    #[test]
    fn the_settings_file_is_in_an_absolute_directory() {
        let file = |variables: &[(&str, &str)]| {
            let found = file(|name| {
                let mut variables = variables.iter();
                let (_, value) = variables.find(|(named, _)| *named == name)?;
                Some(OsString::from(value))
            });
            found.map(|file| file.display().to_string())
        };
        let (xdg, home) = ("XDG_CONFIG_HOME", ("HOME", "/h"));
        let usual = Some("/h/.config/misere/settings".to_owned());
        assert_eq!(
            file(&[(xdg, "/x"), home]).as_deref(),
            Some("/x/misere/settings")
        );
        for other in ["x", ".", "../x", ""] {
            assert_eq!(file(&[(xdg, other), home]), usual, "{other}");
            assert_eq!(file(&[(xdg, other), ("HOME", other)]), None, "{other}");
        }
        assert_eq!(file(&[home]), usual);
        let named = [(VARIABLE, "here"), (xdg, "/x"), home];
        assert_eq!(file(&named).as_deref(), Some("here"));
        assert_eq!(file(&[(VARIABLE, ""), (xdg, "/x"), home]), None);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_a_fault() {
        let directory = std::env::temp_dir().join(format!("misere-links-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let [circle, dangling] = ["circle", "dangling"].map(|name| directory.join(name));
        std::os::unix::fs::symlink(&circle, &circle).unwrap();
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        let found = [
            is_absent(&circle),
            is_absent(&dangling),
            is_absent(&directory.join("none")),
            is_absent(&directory.join("no/such/file")),
            is_absent("/dev/null/settings".as_ref()),
        ];
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(found, [false, false, true, true, true]);
    }

    #[test]
    fn a_setting_that_is_off_is_not_added() {
        assert_eq!(
            with("[solve]\njson = false\n", "misere solve 0.3"),
            "misere solve 0.3"
        );
    }

    #[test]
    fn faults_name_their_line() {
        let fault = |text: &str| read(text, &whole()).unwrap_err();
        let command = "solve".to_owned();
        assert_eq!(fault("\nfuel = 1\n"), (2, SettingsLineError::NoSection));
        assert_eq!(fault("[solve\n"), (1, SettingsLineError::Form));
        assert_eq!(fault("[solve]\nfuel\n"), (2, SettingsLineError::Form));
        assert_eq!(
            fault("[slove]\n"),
            (1, SettingsLineError::NoCommand("slove".to_owned()))
        );
        assert_eq!(
            fault("[]\n"),
            (1, SettingsLineError::NoCommand(String::new()))
        );
        let option = "fule".to_owned();
        let expected = (2, SettingsLineError::NoOption { command, option });
        assert_eq!(fault("[solve]\nfule = 1\n"), expected);
        let expected = (2, SettingsLineError::NoValue("json".to_owned()));
        assert_eq!(fault("[solve]\njson = yes\n"), expected);
    }
}
