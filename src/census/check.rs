//! `misere census check`: the check whether a census on disk is sound.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use misere_census::plan;
use misere_game::control::Interrupt;
use misere_store::audit::{Audit, AuditResult, Fault, Findings, Part, audit};
use misere_store::repair::{RepairError, RepairSummary, repair};
use misere_store::{StoreError, keep_at_rest};
use serde_json::{Value, json};

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, counted};
use crate::watch::{Guards, Watch};

/// The interval of the lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The arguments of `misere census check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere census check --data census            every block, every entry, and
                                               whether they belong together
  misere census check --data census --proofs   and every certificate verified
                                               again, every class computed again
  misere census check --data census --repair   if something is wrong, rebuild
                                               the census from its certificates

No coordinator may be at work on the census; to check a running census, check a
copy that `misere census backup` makes. With --proofs an audit that was stopped
goes on where it stopped. The option --repair verifies every certificate that
can be read, puts everything that follows from these certificates into a new
database, and leaves the old database in DIR/damaged. Rulesets whose certificate
is lost are to be done again: `misere census run --data DIR` does them.

Exit codes: 0 sound, or repaired, 1 failed, 2 usage, 4 interrupted, 5 something
is wrong.")]
pub struct CheckArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// Verify every certificate again, and compute every class again
    #[arg(long)]
    proofs: bool,
    /// Rebuild the census from its certificates, if something is wrong
    #[arg(long)]
    repair: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere census check`.
///
/// # Errors
/// A [`Failure`] if there is no census, its coordinator is running, or the disk fails.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let interrupt = Interrupt::default();
    let what = format!("check of {}", args.data.display());
    let watch = Watch::start(what, &interrupt, Guards::default())?;
    let done = look(args, &interrupt);
    watch.finish();
    let (findings, repaired) = match done? {
        (AuditResult::Stopped(findings), _) => {
            notice!(
                "interrupted: {} verified and kept; the same command goes on",
                counted(findings.proofs, "certificate")
            );
            return Ok(Exit::Interrupted);
        }
        (AuditResult::Whole(findings), repaired) => (findings, repaired),
    };
    if args.json {
        terminal::print_json(&document(args, &findings, repaired.as_ref()))?;
    } else {
        terminal::print(&text(args, &findings, repaired.as_ref()))?;
    }
    Ok(match findings.is_sound() || repaired.is_some() {
        true => Exit::Done,
        false => Exit::Refuted,
    })
}

fn look(
    args: &CheckArgs,
    interrupt: &Interrupt,
) -> Result<(AuditResult, Option<RepairSummary>), CensusError> {
    let lock = keep_at_rest(&args.data)?;
    let audited = audit(
        &args.data,
        Audit {
            proves: args.proofs,
            interrupt,
            progress: &mut progress_line("checked"),
        },
    );
    drop(lock);
    let audited = match audited {
        // A census may look like that after damage; everything readable is restored.
        Err(error @ StoreError::BrokenOff(_)) if args.repair => AuditResult::Whole(Findings {
            faults: vec![Fault {
                part: Part::Database,
                place: String::new(),
                what: error.to_string(),
            }],
            count: 1,
            ..Findings::default()
        }),
        audited => audited?,
    };
    let repaired = match &audited {
        AuditResult::Whole(findings) if args.repair && !findings.is_sound() => {
            let repaired = repair(
                &args.data,
                plan::tasks,
                interrupt,
                &mut progress_line("gone through"),
            );
            Some(repaired?)
        }
        _ => None,
    };
    Ok((audited, repaired))
}

/// Returns a callback that prints at intervals how many of the tasks are done.
fn progress_line(how: &'static str) -> impl FnMut(u64, u64) {
    let mut last = Instant::now();
    move |seen, all| {
        if last.elapsed() >= LINE_INTERVAL {
            last = Instant::now();
            notice!("{seen} of {} {how}", counted(all, "task"));
        }
    }
}

fn text(args: &CheckArgs, findings: &Findings, repaired: Option<&RepairSummary>) -> String {
    let mut text = String::new();
    for fault in &findings.faults {
        text.push_str(&format!("{fault}\n"));
    }
    let untold = findings.count - findings.faults.len() as u64;
    if untold > 0 {
        text.push_str(&format!("and {untold} more\n"));
    }
    let Findings {
        entries,
        tasks,
        records,
        ..
    } = findings;
    text.push_str(&format!(
        "{entries} entries read, {} and {} compared",
        counted(*tasks, "task"),
        counted(*records, "record"),
    ));
    if args.proofs {
        let proofs = counted(findings.proofs, "certificate");
        text.push_str(&format!(", {proofs} verified again"));
    }
    text.push('\n');
    let data = args.data.display();
    match (findings.is_sound(), repaired) {
        (true, _) => text.push_str("sound\n"),
        (false, None) => text.push_str(&format!(
            "{}; restore the last copy that `misere census backup` made, or rebuild the census \
             from its certificates with `misere census check --repair --data {data}`\n",
            counted(findings.count, "fault")
        )),
        (false, Some(repaired)) => {
            text.push_str(&format!(
                "repaired: {} proved again, {} to do ({} of them again); what was there before is \
                 in {}\n",
                counted(repaired.records, "record"),
                counted(repaired.pending, "task"),
                repaired.again_count,
                args.data.join("damaged").display()
            ));
            if repaired.pending > 0 {
                text.push_str(&format!("`misere census run --data {data}` does them\n"));
            }
        }
    }
    text
}

fn document(args: &CheckArgs, findings: &Findings, repaired: Option<&RepairSummary>) -> Value {
    let faults = findings.faults.iter().map(
        |fault: &Fault| json!({ "part": fault.part, "place": fault.place, "what": fault.what }),
    );
    json!({
        "schema": 1,
        "sound": findings.is_sound(),
        "faults": findings.count,
        "told": faults.collect::<Vec<_>>(),
        "entries": findings.entries,
        "tasks": findings.tasks,
        "records": findings.records,
        "proofs": args.proofs.then_some(findings.proofs),
        "repaired": repaired.map(|repaired| json!({
            "records": repaired.records,
            "pending": repaired.pending,
            "again": repaired.again_count,
            "names": repaired.again,
        })),
    })
}

impl From<RepairError> for CensusError {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Store(error) => Self::Store(error),
            other => Self::Repair(other),
        }
    }
}
