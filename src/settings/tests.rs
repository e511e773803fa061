use clap::CommandFactory;

use super::*;
use crate::CommandLine;

const SETTINGS: &str = "\
# How I work.
[solve]
fuel = \"20M\"
json = true
max-order = 5_000

[census.run]
workers = 4

[coordinator.certs]
count = 8
";

fn whole() -> Command {
    let mut whole = CommandLine::command();
    whole.build();
    whole
}

/// Returns the matches of the command called, with these settings.
fn with(settings: &str, line: &str) -> Result<ArgMatches, clap::Error> {
    DEFAULTS.set(Defaults {
        settings: read(settings, &whole()).unwrap(),
        left_out: BTreeSet::new(),
    });
    let line: Vec<&str> = line.split(' ').collect();
    let mut matches = crate::parsed(&line)?;
    while let Some((_, below)) = matches.remove_subcommand() {
        matches = below;
    }
    Ok(matches)
}

#[test]
fn settings_are_defaults_of_their_command() {
    let solve = |line| with(SETTINGS, line).unwrap();
    let found = solve("misere solve 0.77");
    assert_eq!(found.get_one::<u64>("fuel"), Some(&20_000_000));
    assert_eq!(found.get_one::<u32>("max_order"), Some(&5_000));
    assert!(found.get_flag("json"));
    let found = solve("misere solve 0.77 --fuel 5M");
    assert_eq!(found.get_one::<u64>("fuel"), Some(&5_000_000));
    let found = solve("misere census run --data c --digits 1");
    assert_eq!(found.get_one::<u16>("workers"), Some(&4));
    let found = solve("misere coordinator certs --dir d");
    assert_eq!(found.get_one::<u32>("count"), Some(&8));
    let settings = "[coordinator.certs]\nrole = [\"worker\", \"reader\"]\n";
    let found = with(settings, "misere coordinator certs --dir d --name n").unwrap();
    assert_eq!(found.get_raw("roles").unwrap().count(), 2);
    let off = with("[solve]\njson = false\n", "misere solve 0.3").unwrap();
    assert!(!off.get_flag("json"));
}

#[test]
fn an_option_that_contradicts_a_setting_comes_first() {
    let settings = "[query]\ndata = \"census\"\n";
    let here = with(settings, "misere query --count").unwrap();
    assert_eq!(here.get_one::<PathBuf>("data"), Some(&"census".into()));
    let there = with(settings, "misere query --coordinator http://127.0.0.1:7117").unwrap();
    assert!(there.get_one::<PathBuf>("data").is_none());
    let found = with("[query]\njson = true\n", "misere query --data c --jsonl").unwrap();
    assert!(!found.get_flag("json") && found.get_flag("jsonl"));
    let found = with("[solve]\nnormal = true\n", "misere solve 0.3 --max-order 5").unwrap();
    assert!(!found.get_flag("normal"));
    let found = with("[solve]\nnormal = true\n", "misere solve 0.3").unwrap();
    assert!(found.get_flag("normal"));
    let both = "misere query --data c --coordinator http://127.0.0.1:7117";
    assert!(with(settings, both).is_err());
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
    let usual = Some("/h/.config/misere/settings.toml".to_owned());
    assert_eq!(
        file(&[(xdg, "/x"), home]).as_deref(),
        Some("/x/misere/settings.toml")
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
fn faults_name_their_line() {
    let fault = |text: &str| {
        let (place, fault) = read(text, &whole()).unwrap_err();
        (text[..place.start].matches('\n').count() + 1, fault)
    };
    assert_eq!(fault("\nfuel = 1\n"), (2, SettingsLineError::NoTable));
    for text in ["[solve\n", "[solve]\nfuel\n", "[solve]\nfuel = 20M\n"] {
        let (line, fault) = fault(text);
        assert_eq!(line, text.matches('\n').count());
        assert!(matches!(fault, SettingsLineError::Syntax(_)), "{fault}");
    }
    assert_eq!(
        fault("[solve]\n[slove]\n"),
        (2, SettingsLineError::NoCommand("slove".to_owned()))
    );
    assert_eq!(
        fault("[census.rum]\n"),
        (1, SettingsLineError::NoCommand("census rum".to_owned()))
    );
    let (command, option) = ("solve".to_owned(), "fule".to_owned());
    let expected = (2, SettingsLineError::NoOption { command, option });
    assert_eq!(fault("[solve]\nfule = 1\n"), expected);
    let expected = (2, SettingsLineError::NoValue("json".to_owned()));
    assert_eq!(fault("[solve]\njson = \"yes\"\n"), expected);
    let expected = (2, SettingsLineError::OneValue("fuel".to_owned()));
    assert_eq!(fault("[solve]\nfuel = [1, 2]\n"), expected);
    let both = SettingsLineError::Contradiction("jsonl".to_owned(), "json".to_owned());
    assert_eq!(fault("[query]\njson = true\njsonl = true\n"), (3, both));
    let (line, fault) = fault("[solve]\n\nfuel = \"plenty\"\n");
    assert_eq!(line, 3);
    assert!(
        fault.to_string().contains("'plenty' for '--fuel <N>'"),
        "{fault}"
    );
}
