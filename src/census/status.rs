//! `misere census status`: the status of a census.
//!
//! The status of a running census comes from its coordinator, here or on another machine; otherwise
//! it is read from disk.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use misere_census::quantity::write_duration;
use misere_coordinator::control::{self, Answer, Request};
use misere_coordinator::observer::{
    CensusState, CensusStatus, CheckersStatus, LiveStatus, Remaining, Waits,
};
use misere_coordinator::rpc::{self, SharedCertificate};
use misere_proto::endpoint;
use misere_report::completeness::Completeness;
use misere_store::{Counters, Store};
use serde_json::{Value, json};
use tonic::transport::Endpoint;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::place::PlaceArgs;
use crate::security::SecurityArgs;
use crate::signals;
use crate::terminal::{self, PrintError, counted};
use crate::watch::{WatchError, WatchGuard};

/// The days before its end from which on the certificate of a coordinator is remarked on.
const WARNED_DAYS: u64 = 30;

/// The interval of `--watch`.
const REFRESH_INTERVAL: Duration = Duration::from_secs(2);

/// The arguments of `misere census status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census status --data census
  misere census status --data census --watch   again every two seconds, until it
                                               is finished or Ctrl-C
  misere census status --data census --json
  misere census status --coordinator https://census.lab.example:7117
      from another machine, with MISERE_CA, MISERE_CERT and MISERE_KEY set

The last part of the text says what is complete and how sure it is: the plan and
its budgets, and what is proved, suspected, open and cited. With --watch this
part comes with the last text only. The digest of a large census is shown if it
was computed since the census was last written, as every run does at its end;
`misere census digest` always computes it.

The time left is given with bounds, between which it lies about 19 times in 20,
if the games to come take as long, and differ as much, as the games that were
finished in the last ten minutes. The time left is unknown if too few games were
finished, or if there is no worker.

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct StatusArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Read the status again every two seconds until the census is finished
    #[arg(long)]
    watch: bool,
    /// Print JSON; with --watch one document a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    security: SecurityArgs,
}

/// Runs `misere census status`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read, or its coordinator does not answer.
pub fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let place = Place::of(args)?;
    if !args.watch {
        return place.look(true)?.print(args.json);
    }
    let (stop, stopped) = mpsc::channel();
    let heard = move || {
        WatchGuard::for_good();
        // The receiver is gone only if the loop has ended already.
        let _ = stop.send(());
    };
    signals::listen(heard).map_err(WatchError::Signals)?;
    // This command is meant to end by a signal.
    let _counted = WatchGuard::one();
    let screen = console::Term::stdout();
    loop {
        let look = place.look(false)?;
        if !args.json && screen.is_term() {
            screen.clear_screen().map_err(PrintError::Output)?;
        }
        if look.status.counters.pending() == 0 {
            return place.look(true)?.print(args.json);
        }
        look.print(args.json)?;
        if stopped.recv_timeout(REFRESH_INTERVAL).is_ok() {
            return Ok(Exit::Done);
        }
    }
}

/// The place that a status is read from.
enum Place {
    /// The directory of the census, running or not.
    Directory(PathBuf),
    /// The coordinator of the census, from another machine.
    Coordinator(Box<Endpoint>),
}

impl Place {
    fn of(args: &StatusArgs) -> Result<Self, Failure> {
        Ok(match &args.place.coordinator {
            Some(url) => {
                let security = args.security.resolve()?;
                Self::Coordinator(Box::new(
                    endpoint(url, &security).map_err(CensusError::from)?,
                ))
            }
            None => Self::Directory(args.place.data.clone().unwrap_or_default()),
        })
    }

    fn look(&self, with_statement: bool) -> Result<StatusView, Failure> {
        Ok(match self {
            Self::Directory(data) => StatusView::into(data, with_statement)?,
            Self::Coordinator(endpoint) => StatusView::through(endpoint, with_statement)?,
        })
    }
}

/// The status of a census as it was read.
struct StatusView {
    status: CensusStatus,
    /// The statement on what is complete and how sure it is, if requested.
    statement: Option<Statement>,
}

/// The statement on what is complete about a census and how sure it is.
struct Statement {
    document: Value,
    sentences: Vec<String>,
}

impl Statement {
    fn of(completeness: &Completeness) -> Self {
        Self {
            document: json!(completeness),
            sentences: completeness.sentences(),
        }
    }
}

impl StatusView {
    /// Reads the status from a directory.
    fn into(data: &Path, with_statement: bool) -> Result<Self, CensusError> {
        let store = Store::open_read_only(data)?;
        let live = match control::ask(data, &Request::Status) {
            Ok(Some(Answer::Status(standing))) => Some(*standing),
            // The coordinator may have ended a moment ago.
            _ => None,
        };
        let status = CensusStatus::of(&store, live, misere_store::is_in_use(data));
        let statement = match with_statement {
            // Opened again, so that the store has what the coordinator counted and both agree on a
            // finished census.
            true => {
                let store = Store::open_read_only(data)?;
                Some(Statement::of(&Completeness::quick(&store)?))
            }
            false => None,
        };
        Ok(Self { status, statement })
    }

    /// Requests the status from a coordinator.
    fn through(endpoint: &Endpoint, with_statement: bool) -> Result<Self, CensusError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(CensusError::Start)?;
        let answer = runtime.block_on(rpc::status(endpoint, with_statement));
        let answer = answer.map_err(|status| CensusError::of_call(&status))?;
        let statement = answer.completeness.map(|answer| Statement {
            document: answer.document,
            sentences: answer.sentences,
        });
        Ok(Self {
            status: answer.status,
            statement,
        })
    }

    fn print(&self, json: bool) -> Result<Exit, Failure> {
        if json {
            terminal::print_json(&self.document())?;
        } else {
            terminal::print(&self.text())?;
        }
        Ok(Exit::Done)
    }

    fn text(&self) -> String {
        let Counters {
            tasks,
            codes,
            done,
            exhausted,
            quarantined,
            dropped,
        } = self.status.counters;
        let tasks_are = match self.status.plan.space().max_quotient_order() {
            None => format!("{} ({})", counted(tasks, "ruleset"), counted(codes, "code")),
            Some(_) if codes > 0 => format!(
                "{} so far ({} among them)",
                counted(tasks, "task"),
                counted(codes, "code")
            ),
            Some(_) => format!("{} so far", counted(tasks, "task")),
        };
        let mut text = format!(
            "{}\n{}{tasks_are}: {done} done, {exhausted} exhausted, {quarantined} in quarantine, {} to do\n",
            self.status.plan.space(),
            misere_report::sheets::plan::describe_budget(&self.status.plan),
            self.status.counters.pending(),
        );
        text.push_str(&self.levels_text());
        if dropped > 0 {
            text.push_str(&format!("{dropped} given up\n"));
        }
        if quarantined > 0 {
            text.push_str("look at `misere census quarantine list`\n");
        }
        let state = self.status.state;
        match state.advice() {
            Some(advice) => text.push_str(&format!("{state}; {advice}\n")),
            None => text.push_str(&format!("{state}\n")),
        }
        if self.status.paused && state == CensusState::NotRunning {
            text.push_str("paused: a coordinator leases nothing until `misere census resume`; `misere census run` goes on\n");
        }
        if let Some(live) = &self.status.live {
            text.push_str(&self.at_work(live));
        }
        if let Some(statement) = &self.statement {
            text.push('\n');
            let width = terminal::Page::of_stdout().width;
            for sentence in &statement.sentences {
                let answer = terminal::flow(sentence.split(' '), 2, width);
                text.push_str(&format!("- {answer}\n"));
            }
        }
        text
    }

    /// Describes the pace and the workers, as the coordinator reports them.
    fn at_work(&self, live: &LiveStatus) -> String {
        let mut text = String::new();
        if self.status.counters.pending() > 0 {
            let pace = live
                .per_second
                .map_or("unknown".to_owned(), |rate| format!("{rate:.1} rulesets/s"));
            text.push_str(&format!(
                "pace {pace}, time left {}\n",
                left(live.remaining)
            ));
        }
        for waits in &live.waiting {
            text.push_str(&waiting(waits));
        }
        for shared in &live.shared_certificates {
            text.push_str(&sharing(shared));
        }
        text.push_str(&checkers(live));
        if let Some(expires) = live.certificate_expires_ms {
            text.push_str(&expiry(expires, SystemTime::now()));
        }
        if !live.caught.is_empty() {
            let caught = counted(live.caught.len() as u64, "worker");
            text.push_str(&format!(
                "{caught} caught or banned; look at `misere census workers`\n"
            ));
        }
        for worker in &live.workers {
            text.push_str(&format!(
                "worker {} `{}`, {}, memory class {}\n",
                worker.worker,
                terminal::foreign(&worker.name),
                counted(worker.threads, "thread"),
                worker.memory_class
            ));
            if worker.draining {
                text.push_str("  it is drained: it ends when it has finished its games\n");
            }
            if let Some(why) = &worker.trust.why {
                text.push_str(&format!("  it gets no games: {why}\n"));
            }
            for task in &worker.running {
                let kept = task.checkpoint.map_or(String::new(), |kept| {
                    format!(", checkpoint at heap {} ({} fuel)", kept.heap, kept.fuel)
                });
                text.push_str(&format!(
                    "  {}: heap {}, order {}, {} s{kept}\n",
                    task.code,
                    task.heap,
                    task.order,
                    task.running_ms / 1000
                ));
            }
        }
        text
    }

    /// Describes the levels of the quotients: the complete ones and the incomplete one.
    fn levels_text(&self) -> String {
        let mut text = String::new();
        let closed = self.status.levels.iter().filter(|level| level.closed);
        let found: Vec<String> = closed
            .map(|level| format!("{} of order {}", level.classes, level.order))
            .collect();
        if !found.is_empty() {
            text.push_str(&format!("quotients, complete: {}\n", found.join(", ")));
        }
        let top = self.status.plan.space().max_quotient_order().unwrap_or(0);
        if let Some(open) = self.status.levels.iter().find(|level| !level.closed) {
            text.push_str(&format!(
                "order {} of {top}: {} of {} batches settled, {} quotients so far\n",
                open.order, open.settled, open.tasks, open.constructions
            ));
        }
        text
    }

    fn document(&self) -> Value {
        let levels = self.status.levels.iter().map(|level| {
            json!({
                "order": level.order,
                "complete": level.closed,
                "batches": level.tasks,
                "settled": level.settled,
                "quotients": level.closed.then_some(level.classes),
            })
        });
        let Counters {
            tasks,
            codes,
            done,
            exhausted,
            quarantined,
            dropped,
        } = self.status.counters;
        let live = self.status.live.as_ref();
        let remaining = live.and_then(|live| match live.remaining {
            Remaining::Nothing => Some((0.0, 0.0, Some(0.0))),
            Remaining::Unknown => None,
            Remaining::Between {
                at_least,
                likely,
                at_most,
            } => Some((at_least, likely, at_most)),
        });
        let remaining = remaining.map(|(at_least, likely, at_most)| {
            json!({ "at_least_s": at_least, "likely_s": likely, "at_most_s": at_most })
        });
        json!({
            "schema": 1,
            "plan": misere_report::sheets::plan::document(&self.status.plan),
            "state": self.status.state,
            "running": live.is_some(),
            "paused": self.status.paused,
            "tasks": tasks,
            "codes": codes,
            "done": done,
            "exhausted": exhausted,
            "quarantined": quarantined,
            "dropped": dropped,
            "pending": self.status.counters.pending(),
            "levels": levels.collect::<Vec<_>>(),
            "leased": live.map(|live| live.leased),
            "checking": live.map(|live| live.checking),
            "per_second": live.and_then(|live| live.per_second),
            "remaining": remaining,
            "waiting": live.map_or(&[][..], |live| &live.waiting),
            "shared_certificates": live.map_or(&[][..], |live| &live.shared_certificates),
            "workers": live.map_or(&[][..], |live| &live.workers),
            "caught": live.map_or(&[][..], |live| &live.caught),
            "evicted": live.map(|live| live.evicted),
            "certificate_expires_ms": live.and_then(|live| live.certificate_expires_ms),
            "checkers": live.map(|live| live.checkers),
            "rechecking": live.map(|live| live.rechecking),
            "completeness": self.statement.as_ref().map(|statement| &statement.document),
        })
    }
}

/// Warns of a certificate that expires within a month, or has expired.
/// Describes the checks that other machines make.
fn checkers(live: &LiveStatus) -> String {
    let CheckersStatus {
        connected,
        accepted,
        checked_again,
        ..
    } = live.checkers;
    let mut text = String::new();
    if connected + accepted > 0 {
        let checkers = counted(connected, "checker");
        let certificates = counted(accepted, "certificate");
        text.push_str(&format!(
            "{checkers} connected; {certificates} accepted on their word, {checked_again} more \
             checked here after them\n"
        ));
    }
    if live.rechecking {
        text.push_str("what a checker accepted that is not trusted is being checked again\n");
    }
    text
}

fn expiry(expires_ms: u64, now: SystemTime) -> String {
    let expires = SystemTime::UNIX_EPOCH + Duration::from_millis(expires_ms);
    let left = expires.duration_since(now);
    let days = |left: Duration| left.as_secs() / 86_400;
    let state = match left {
        Ok(left) if days(left) >= WARNED_DAYS => return String::new(),
        Ok(left) => format!("expires in {}", counted(days(left), "day")),
        Err(_) => "has expired".to_owned(),
    };
    format!(
        "the certificate of the coordinator {state}: `misere coordinator certs` makes a new one, which \
         the running coordinator reads\n"
    )
}

fn waiting(waits: &Waits) -> String {
    match waits {
        // Already reported.
        Waits::Workers => String::new(),
        Waits::Memory {
            class,
            tasks: 1,
            example,
        } => format!("{example} waits for a worker of memory class {class}; there is none\n"),
        Waits::Memory {
            class,
            tasks,
            example,
        } => format!(
            "{tasks} games wait for a worker of memory class {class}, one of them {example}; there \
             is none\n"
        ),
    }
}

fn sharing(shared: &SharedCertificate) -> String {
    let SharedCertificate {
        name,
        fingerprint,
        workers,
        hosts,
    } = shared;
    let name = terminal::foreign(name);
    format!(
        "workers {} from {} show one certificate, `{name}` ({fingerprint}): they do not check each \
         other; give each its own with `misere coordinator certs --worker NAME`\n",
        workers.join(", "),
        hosts.join(", "),
    )
}

fn left(remaining: Remaining) -> String {
    match remaining {
        Remaining::Nothing => "0 s".to_owned(),
        Remaining::Unknown => "unknown".to_owned(),
        Remaining::Between {
            at_least,
            likely,
            at_most,
        } => {
            let most = at_most.map_or("unknown".to_owned(), write_duration);
            format!(
                "about {} ({} to {most})",
                write_duration(likely),
                write_duration(at_least)
            )
        }
    }
}
