//! Runs of the commands of a page, in their order and in a directory of their own.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::documents::comparison::{Line, compare};
use crate::documents::markdown::repository;
use crate::documents::session::{Interpreter, Session, Step};
use rustix::process::{Pid, Signal, kill_process_group};

/// Time limit of a command: on a busy machine a hundred times what it takes on an idle one.
const WAIT_TIMEOUT: Duration = Duration::from_secs(600);
const SLOW_TIMEOUT: Duration = Duration::from_secs(2 * 3600);

/// Time limit of a program in the background until it has printed what the page shows.
const SERVER_TIMEOUT: Duration = Duration::from_secs(300);

/// The separator between the outputs of the steps of an interpreter.
const SEPARATOR: &str = "\u{1e}";

/// The directory in which the commands of a page are run.
pub(crate) struct Directory {
    path: PathBuf,
    /// Addresses as the page writes them, and those that are free at the moment.
    addresses: Vec<(&'static str, String)>,
    background: Vec<Child>,
    patience: Duration,
    last_exit: i32,
}

/// The output of a command, and how it ended.
pub(crate) struct Answer {
    pub(crate) printed: Vec<String>,
    pub(crate) exit: i32,
}

impl Directory {
    /// Makes a directory with the folder `docs`, as in a checkout of the project.
    pub(crate) fn new(path: PathBuf, slow: bool) -> Self {
        symlink(repository().join("docs"), path.join("docs")).unwrap();
        let free = |page| (page, free_address());
        Self {
            path,
            addresses: ["127.0.0.1:7117", "127.0.0.1:8117"].map(free).into(),
            background: Vec::new(),
            patience: if slow { SLOW_TIMEOUT } else { WAIT_TIMEOUT },
            last_exit: 0,
        }
    }

    /// Runs a session and returns the answer to each of its steps.
    pub(crate) fn run(&mut self, session: &Session) -> Vec<Answer> {
        match session.interpreter {
            Interpreter::Shell if session.conditions.background => {
                let start = |step: &Step| self.start(&step.command, &step.shown);
                session.steps.iter().map(start).collect()
            }
            Interpreter::Shell => {
                let run = |step: &Step| self.shell(&step.command);
                session.steps.iter().map(run).collect()
            }
            Interpreter::Gap => self.gap(&session.steps),
            Interpreter::Python => self.python(&session.steps),
        }
    }

    pub(crate) fn shell(&mut self, command: &str) -> Answer {
        // `$?` is the exit code of the command before.
        let script = format!(
            "(exit {}); {}",
            self.last_exit,
            self.with_free_addresses(command)
        );
        let answer = self.answer(&mut self.command("sh", &["-c", &script]), "");
        self.last_exit = answer.exit;
        answer
    }

    /// Starts a command that ends with the page, and waits until it has printed what is shown.
    pub(crate) fn start(&mut self, command: &str, shown: &[String]) -> Answer {
        let script = format!("exec {}", self.with_free_addresses(command));
        let log = self
            .path
            .join(format!(".background-{}", self.background.len()));
        let file = File::create(&log).unwrap();
        let mut command = self.command("sh", &["-c", &script]);
        let errors = file.try_clone().unwrap();
        let child = command.stdin(Stdio::null()).stdout(file).stderr(errors);
        self.background.push(child.spawn().unwrap());
        let since = Instant::now();
        loop {
            let text = fs::read(&log).unwrap();
            let printed = self.lines(&String::from_utf8_lossy(&text));
            let compared = compare(shown, &printed);
            let is_there = !compared.iter().any(|line| matches!(line, Line::Missing(_)));
            if is_there || since.elapsed() > SERVER_TIMEOUT {
                return Answer { printed, exit: 0 };
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Runs all steps in one process of GAP.
    fn gap(&self, steps: &[Step]) -> Vec<Answer> {
        let separator = format!("Print(\"{SEPARATOR}\\n\");;\n");
        let script: Vec<String> = steps
            .iter()
            .map(|step| format!("{}\n{separator}", step.command))
            .collect();
        let mut command = self.command("gap", &["-q", "-b", "-x", "200"]);
        self.answers(steps, &mut command, &script.concat())
    }

    /// Runs all steps in one process of Python, read as at its prompt.
    fn python(&self, steps: &[Step]) -> Vec<Answer> {
        const PROMPT: &str = "import code, json, sys\n\
             sys.stderr = sys.stdout\n\
             sys.path.insert(0, '')\n\
             console = code.InteractiveConsole()\n\
             for line in json.load(sys.stdin):\n\
             \x20   console.push(line)\n\
             \x20   print('\\x1e')\n";
        let lines: Vec<&str> = steps.iter().map(|step| step.command.as_str()).collect();
        let input = serde_json::to_string(&lines).unwrap();
        self.answers(steps, &mut self.command("python3", &["-c", PROMPT]), &input)
    }

    /// Runs one process whose output has a separator after each step.
    fn answers(&self, steps: &[Step], command: &mut Command, input: &str) -> Vec<Answer> {
        let all = self.answer(command, input);
        let text = all.printed.join("\n");
        let mut parts = text.split(SEPARATOR);
        let answer = |_| Answer {
            printed: self.lines(parts.next().unwrap_or("").trim_start_matches('\n')),
            exit: all.exit,
        };
        steps.iter().map(answer).collect()
    }

    fn command(&self, program: &str, args: &[&str]) -> Command {
        let misere = Path::new(env!("CARGO_BIN_EXE_misere"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let before = misere.parent().into_iter().map(Path::to_owned);
        let path = std::env::join_paths(before.chain(std::env::split_paths(&path))).unwrap();
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(&self.path)
            .env("PATH", path)
            .env("MISERE_SETTINGS", "")
            .env_remove("RUST_LOG")
            .env_remove("RUST_LOG_FORMAT")
            .env_remove("RUST_BACKTRACE")
            .process_group(0);
        command
    }

    /// Runs a program to its end.
    ///
    /// Standard output and standard error come in one stream.
    fn answer(&self, command: &mut Command, input: &str) -> Answer {
        let (mut reader, writer) = std::io::pipe().unwrap();
        command
            .stdin(Stdio::piped())
            .stdout(writer.try_clone().unwrap())
            .stderr(writer);
        let mut child = command.spawn().unwrap();
        // The writing ends that the command holds would keep the stream open.
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // A program that does not read its input is not at fault.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map(|_| bytes)
        });
        let exit = end(&mut child, self.patience);
        let bytes = output.join().unwrap().unwrap();
        Answer {
            printed: self.lines(&String::from_utf8_lossy(&bytes)),
            exit,
        }
    }

    /// Returns the free address that replaces one on a page.
    pub(crate) fn free(&self, page: &str) -> String {
        self.with_free_addresses(page)
    }

    fn with_free_addresses(&self, command: &str) -> String {
        let replace = |text: String, (page, free): &(&str, String)| text.replace(page, free);
        self.addresses.iter().fold(command.to_owned(), replace)
    }

    /// Returns the lines of an output, without empty lines at the end.
    ///
    /// The addresses are as the page writes them.
    fn lines(&self, text: &str) -> Vec<String> {
        let replace = |text: String, (page, free): &(&str, String)| text.replace(free, page);
        let text = self.addresses.iter().fold(text.to_owned(), replace);
        text.trim_end().lines().map(str::to_owned).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let mut background = std::mem::take(&mut self.background);
        for child in &mut background {
            signal(Signal::TERM, child);
            end(child, SERVER_TIMEOUT);
        }
    }
}

/// Returns the exit code of a process.
///
/// A process that takes too long is killed with all that it has started.
fn end(child: &mut Child, patience: Duration) -> i32 {
    let since = Instant::now();
    while since.elapsed() < patience {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(Signal::KILL, child);
    child.wait().unwrap().code().unwrap_or(-1)
}

/// Sends a signal to a process and all that it has started.
fn signal(signal: Signal, child: &Child) {
    let _ = kill_process_group(Pid::from_child(child), signal);
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Reports whether a program can be found.
pub(crate) fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
