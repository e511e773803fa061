//! Sessions: the commands that a page shows, with their output, and where they can be run.
//!
//! A code block is a session if its lines begin with a prompt: `$ ` of a shell, `gap> ` or `>>> `.
//! The text between two prompts is the output of the first command. A comment before the block
//! restricts where the session is run:
//!
//! | comment | the session is run |
//! |---|---|
//! | none | by every `make test` |
//! | `<!-- run: slow -->` | by `make test-slow` |
//! | `<!-- run: needs gap, jq -->` | where these programs are; `make test-slow` demands them |
//! | `<!-- run: background -->` | beside the sessions that follow on the page, and ended with them |
//! | `<!-- run: never: needs Slurm -->` | nowhere, for the reason given |
//!
//! Words can be combined: `<!-- run: slow, needs sqlite3 -->`.

use crate::documents::markdown::{Block, Page};

/// A code block whose lines begin with prompts.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) interpreter: Interpreter,
    pub(crate) conditions: Conditions,
    pub(crate) steps: Vec<Step>,
}

/// A command and the output that the page shows for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of the line with the prompt, counted from 1.
    pub(crate) line: usize,
    pub(crate) command: String,
    /// The numbers of the lines with the output: from this one on, before that one.
    pub(crate) shown_lines: (usize, usize),
    pub(crate) shown: Vec<String>,
}

/// The program that reads the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interpreter {
    Shell,
    Gap,
    Python,
}

/// The conditions under which a session can be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    pub(crate) slow: bool,
    pub(crate) never: bool,
    pub(crate) background: bool,
    pub(crate) needs: Vec<String>,
}

/// Programs whose commands must not be on a page without a prompt, unless a comment says why they
/// are never run.
const COMMANDS: [&str; 12] = [
    "misere",
    "make",
    "cargo",
    "docker",
    "curl",
    "sqlite3",
    "gap",
    "python3",
    "sudo",
    "systemctl",
    "head",
    "sed",
];

impl Interpreter {
    fn prompt(self) -> &'static str {
        match self {
            Self::Shell => "$ ",
            Self::Gap => "gap> ",
            Self::Python => ">>> ",
        }
    }

    /// Returns the program that runs the commands of a session.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Shell => "sh",
            Self::Gap => "gap",
            Self::Python => "python3",
        }
    }
}

impl Conditions {
    /// Reads `run: slow, needs gap, jq`.
    fn read(marker: Option<&str>) -> Result<Self, String> {
        let mut conditions = Self::default();
        let Some(said) = marker.and_then(|marker| marker.strip_prefix("run:")) else {
            return Ok(conditions);
        };
        if let Some(reason) = said.trim().strip_prefix("never") {
            conditions.never = true;
            let reason = reason.trim_start_matches(':').trim();
            return if reason.is_empty() {
                Err("`run: never` needs a reason".to_owned())
            } else {
                Ok(conditions)
            };
        }
        let mut naming_programs = false;
        for word in said.split([',', ' ']).filter(|word| !word.is_empty()) {
            match word {
                "slow" => conditions.slow = true,
                "background" => conditions.background = true,
                "needs" => naming_programs = true,
                program if naming_programs => conditions.needs.push(program.to_owned()),
                _ => {
                    return Err(format!(
                        "`{word}` says nothing about where to run a session"
                    ));
                }
            }
        }
        Ok(conditions)
    }
}

/// Returns the reasons for which code blocks of a page are never run.
pub(crate) fn never_run(page: &Page) -> Vec<String> {
    let markers = page.blocks().into_iter().filter_map(|block| block.marker);
    let reasons = markers.filter_map(|marker| {
        let said = marker.strip_prefix("run:")?.trim();
        let reason = said.strip_prefix("never")?.trim_start_matches(':').trim();
        Some(reason.to_owned())
    });
    reasons.collect()
}

/// Returns the sessions of a page, and what is wrong with blocks that look like sessions.
pub(crate) fn sessions(page: &Page) -> (Vec<Session>, Vec<String>) {
    let mut sessions = Vec::new();
    let mut faults = Vec::new();
    for block in page.blocks() {
        match session(&block) {
            Ok(Some(session)) => sessions.push(session),
            Ok(None) => {}
            Err(fault) => faults.push(format!("{}:{}: {fault}", page.name, block.line)),
        }
    }
    (sessions, faults)
}

fn session(block: &Block) -> Result<Option<Session>, String> {
    let conditions = Conditions::read(block.marker.as_deref())?;
    let interpreters = [Interpreter::Shell, Interpreter::Gap, Interpreter::Python];
    let has_prompt = |interpreter: &Interpreter| {
        let prompt = interpreter.prompt();
        block.code.iter().any(|line| line.starts_with(prompt))
    };
    let Some(interpreter) = interpreters.into_iter().find(has_prompt) else {
        let command = block.code.iter().find(|line| {
            let word = line.split_whitespace().next();
            word.is_some_and(|word| COMMANDS.contains(&word))
        });
        return match command {
            Some(command) if !conditions.never => Err(format!(
                "`{command}` has no prompt; write `$ {command}`, or say before the block why it cannot be run: \
                 <!-- run: never: … -->"
            )),
            _ => Ok(None),
        };
    };
    if !block.code[0].starts_with(interpreter.prompt()) {
        return Err("there is text before the first prompt".to_owned());
    }
    Ok(Some(Session {
        interpreter,
        conditions,
        steps: steps(block, interpreter.prompt()),
    }))
}

fn steps(block: &Block, prompt: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = block.code.iter().zip(block.line..).peekable();
    while let Some((text, line)) = lines.next() {
        let Some(command) = text.strip_prefix(prompt) else {
            let step = steps.last_mut().expect("a block begins with a prompt");
            step.shown.push(text.clone());
            step.shown_lines.1 = line + 1;
            continue;
        };
        let mut command = command.to_owned();
        let mut end = line + 1;
        while command.ends_with('\\') {
            let Some((more, line)) = lines.next() else {
                break;
            };
            command = format!("{command}\n{more}");
            end = line + 1;
        }
        steps.push(Step {
            line,
            command,
            shown_lines: (end, end),
            shown: Vec::new(),
        });
    }
    // Empty lines before the next prompt are for the eye.
    for step in &mut steps {
        while step.shown.last().is_some_and(|line| line.trim().is_empty()) {
            step.shown.pop();
            step.shown_lines.1 -= 1;
        }
    }
    steps
}

#[test]
fn a_block_becomes_a_session() {
    let page = Page::new(
        "page.md",
        "<!-- run: slow, needs jq, gap -->\n\n    $ one \\\n        more\n    out\n\n    further\n\n    $ two\n",
    );
    let (sessions, faults) = sessions(&page);
    assert_eq!(faults, [""; 0]);
    let Conditions {
        slow, never, needs, ..
    } = &sessions[0].conditions;
    assert_eq!((*slow, *never), (true, false));
    assert_eq!(needs, &["jq", "gap"]);
    let steps = &sessions[0].steps;
    assert_eq!(steps[0].command, "one \\\n    more");
    assert_eq!(steps[0].shown, ["out", "", "further"]);
    assert_eq!((steps[0].line, steps[0].shown_lines), (3, (5, 8)));
    assert_eq!((steps[1].line, steps[1].shown_lines), (9, (10, 10)));
}

#[test]
fn commands_without_a_prompt_are_found() {
    let faults = |text: &str| sessions(&Page::new("page.md", text)).1;
    assert_eq!(faults("    misere solve 0.77\n").len(), 1);
    assert_eq!(
        faults("<!-- run: never -->\n\n    misere solve 0.77\n").len(),
        1
    );
    assert_eq!(
        faults("<!-- run: sometimes -->\n\n    $ misere solve 0.77\n").len(),
        1
    );
    assert!(faults("<!-- run: never: it takes days -->\n\n    misere solve 0.77\n").is_empty());
    assert!(faults("    Φ = abc\n").is_empty());
}
