//! Every command on a page prints what the page shows, and ends as the page says.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::documents::census;
use crate::documents::comparison::{Line, compare};
use crate::documents::markdown::{Page, book, repository};
use crate::documents::running::{Answer, Directory, is_there};
use crate::documents::session::{Session, Step, sessions};

/// A variable set by `make documents`: the output is written into the pages.
const REFRESH: &str = "MISERE_REFRESH_DOCUMENTS";

/// The number of lines of an output that a failure shows.
const LINES: usize = 60;

#[test]
fn what_the_pages_show_is_printed() {
    run_the_book(false);
}

#[test]
#[ignore = "computes the census of three digits and the quotients of order 20"]
fn what_the_pages_show_is_printed_slow_ones_too() {
    run_the_book(true);
}

/// A step whose answer differs from the page.
struct Mismatch {
    step: Step,
    /// The shown lines compared with the printed ones, if any are shown.
    compared: Vec<Line>,
    printed: Vec<String>,
    /// The exit code, where the page does not say that the command fails.
    exit: Option<i32>,
}

fn run_the_book(slow: bool) {
    let all = tempfile::tempdir().unwrap();
    let census = census::make(all.path(), slow);
    let pages = book();
    let next = Mutex::new(pages.iter().enumerate());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((number, page)) = { next.lock().unwrap().next() } {
                    let directory = all.path().join(number.to_string());
                    let says = run_page(page, directory, &census, slow);
                    failures
                        .lock()
                        .unwrap()
                        .extend(says.map(|says| (number, says)));
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let texts: Vec<String> = failures.into_iter().map(|(_, says)| says).collect();
    assert!(texts.is_empty(), "\n{}", texts.join("\n"));
}

/// Runs the sessions of a page that can be run; returns what is wrong with it.
fn run_page(page: &Page, path: PathBuf, census: &Path, slow: bool) -> Option<String> {
    let (sessions, mut says) = sessions(page);
    let sessions: Vec<Session> = sessions
        .into_iter()
        .filter(|one| is_run(one, slow))
        .collect();
    if !sessions.is_empty() {
        std::fs::create_dir(&path).unwrap();
        let steps = sessions.iter().flat_map(|session| &session.steps);
        if steps
            .clone()
            .any(|step| step.command.contains(census::NAME))
        {
            census::copy(census, &path);
        }
        let mut directory = Directory::new(path, slow);
        let mut faults: Vec<Mismatch> = sessions
            .iter()
            .flat_map(|session| faults(session, directory.run(session)))
            .collect();
        if std::env::var_os(REFRESH).is_some() {
            refresh(page, &faults);
            faults.retain(|fault| fault.exit.is_some());
        }
        says.extend(faults.iter().map(|fault| fault.describe(&page.name)));
    }
    (!says.is_empty()).then(|| says.join("\n"))
}

fn is_run(session: &Session, slow: bool) -> bool {
    let conditions = &session.conditions;
    let needs = conditions.needs.iter().map(String::as_str);
    let missing: Vec<&str> = needs
        .chain([session.interpreter.program()])
        .filter(|program| !is_there(program))
        .collect();
    let wanted = !conditions.never && (slow || !conditions.slow);
    assert!(
        !wanted || !slow || missing.is_empty(),
        "these programs are missing: {missing:?}; `make test-slow` installs them"
    );
    wanted && missing.is_empty()
}

fn faults(session: &Session, answers: Vec<Answer>) -> Vec<Mismatch> {
    let mut faults = Vec::new();
    for (place, (step, answer)) in session.steps.iter().zip(answers).enumerate() {
        let next = session.steps.get(place + 1);
        let tells_the_exit = next.is_some_and(|next| next.command.contains("$?"));
        let compared = if step.shown.is_empty() {
            Vec::new()
        } else {
            compare(&step.shown, &answer.printed)
        };
        let differs = compared.iter().any(|line| !matches!(line, Line::Same(_)));
        let exit = (answer.exit != 0 && !tells_the_exit).then_some(answer.exit);
        if differs || exit.is_some() {
            faults.push(Mismatch {
                step: step.clone(),
                compared,
                printed: answer.printed,
                exit,
            });
        }
    }
    faults
}

impl Mismatch {
    /// Describes the fault: the command with its place, and the lines that differ.
    ///
    /// A line is shown and not printed (`-`) or printed and not shown (`+`).
    fn describe(&self, page: &str) -> String {
        let Step { line, command, .. } = &self.step;
        let mut text = format!("{page}:{line}: `{command}`");
        if let Some(exit) = self.exit {
            text.push_str(&format!(
                " ends with exit code {exit}; if it should, the page says so with `$ echo $?`"
            ));
        }
        if self.compared.is_empty() {
            text.push_str(" prints\n");
            for line in self.printed.iter().take(LINES) {
                text.push_str(&format!("      {line}\n"));
            }
        } else {
            text.push_str(" prints something else (+) than the page shows (-)\n");
            for line in self.compared.iter().take(LINES) {
                text.push_str(&match line {
                    Line::Same(line) => format!("      {line}\n"),
                    Line::Missing(line) => format!("    - {line}\n"),
                    Line::Unexpected(line) => format!("    + {line}\n"),
                });
            }
        }
        text
    }
}

/// Writes the printed output into the page, where the page shows something else.
fn refresh(page: &Page, faults: &[Mismatch]) {
    let blocks = page.blocks();
    let mut lines = page.lines.clone();
    for fault in faults.iter().rev() {
        if fault.compared.is_empty() {
            continue;
        }
        let (start, end) = fault.step.shown_lines;
        let block = blocks.iter().rfind(|block| block.line <= fault.step.line);
        let indent = " ".repeat(block.map_or(0, |block| block.indent));
        let printed = fault.compared.iter().filter_map(|line| match line {
            Line::Same(line) | Line::Unexpected(line) if line.is_empty() => Some(String::new()),
            Line::Same(line) | Line::Unexpected(line) => Some(format!("{indent}{line}")),
            Line::Missing(_) => None,
        });
        lines.splice(start - 1..end - 1, printed);
    }
    if lines != page.lines {
        std::fs::write(repository().join(&page.name), lines.join("\n") + "\n").unwrap();
    }
}
