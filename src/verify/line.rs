//! The line that `misere verify` prints for one file.

use misere_answers::certificates::Finding;
use misere_answers::certificates::normal_play::WITHOUT_PERIOD;
use misere_census::shown_text::visible;

use super::CheckedFile;
use crate::terminal::{self, PrintError, counted};
use crate::watch::StoppedBy;

/// Describes the heaps that a document does not cover.
fn but_for(silent: usize) -> String {
    match silent {
        0 => String::new(),
        _ => format!(" but {} of them", silent),
    }
}

/// Prints one line for a file, on standard error if the file was not judged.
pub(super) fn say(checked: &CheckedFile) -> Result<(), PrintError> {
    let file = &checked.file;
    // A document may be a stranger's, and its words contain escapes and line ends.
    let reason = visible(checked.reason.as_deref().unwrap_or_default());
    let claim = match (
        &checked.claim.code,
        &checked.claim.status,
        checked.claim.order,
        checked.claim.heaps,
    ) {
        (Some(code), Some(status), Some(order), Some(heaps)) => {
            let infinite = checked.claim.infinite;
            let at = infinite.map_or(String::new(), |heap| format!(" {heap}"));
            format!("{code} {status}{at}, order {order}, heaps 0 to {heaps}")
        }
        (Some(code), Some(status), None, Some(heaps)) => match checked.claim.relations {
            _ if checked.claim.regions.is_some() => format!(
                "{code} {status}, heaps 0 to {heaps}{}, the P-positions in {}",
                but_for(checked.claim.silent),
                counted(checked.claim.regions.unwrap_or_default() as u64, "region")
            ),
            Some(relations) => format!(
                "{code} {status}, heaps 0 to {heaps}{}, {} with {}",
                but_for(checked.claim.silent),
                match checked.claim.reach {
                    None => "a presentation".to_owned(),
                    Some(degree) => format!("all equalities to degree {degree}"),
                },
                counted(relations as u64, "relation")
            ),
            None if WITHOUT_PERIOD.contains(&status.as_str()) => format!(
                "{code} {status} in normal play, nim-values of heaps 0 to {heaps}, no period"
            ),
            None => format!("{code} {status} in normal play, heaps 0 to {heaps}"),
        },
        (Some(code), Some(status), ..) => format!(
            "{code} {status} by an automaton with {}",
            counted(checked.claim.states.unwrap_or_default() as u64, "state")
        ),
        _ => "a list of quotients".to_owned(),
    };
    let claim = visible(&claim);
    match checked.result {
        Finding::Verified if checked.claim.quotients.is_some() => terminal::print(&format!(
            "{}    {file}: {} quotients to order {}, each with games that have it\n",
            console::style("ok").green(),
            checked.claim.quotients.unwrap_or_default(),
            checked.claim.order.unwrap_or_default()
        )),
        Finding::Verified
            if checked.claim.relations.is_some()
                || checked.claim.regions.is_some()
                || checked.claim.states.is_some() =>
        {
            terminal::print(&format!(
                "{}    {file}: {claim}\n",
                console::style("ok").green()
            ))
        }
        Finding::Verified => terminal::print(&format!(
            "{}    {file}: {claim}; certificate {} bytes\n",
            console::style("ok").green(),
            checked.certificate_bytes.unwrap_or_default()
        )),
        Finding::Refuted => terminal::print(&format!(
            "{}  {file}: claims {claim}; refuted: {reason}\n",
            console::style("flaw").red().bold()
        )),
        Finding::Unreadable | Finding::Unchecked => {
            notice!("error: `{file}` {reason}");
            Ok(())
        }
    }
}

/// Reports on standard error that the check of files was stopped, and how it may run longer.
pub(super) fn say_stopped(at: Option<&CheckedFile>, unjudged: usize, by: Option<StoppedBy>) {
    let how = match by {
        None => "its fuel was spent".to_owned(),
        Some(by) => format!("it was stopped {by}"),
    };
    let advice = by.map_or("; raise --fuel", StoppedBy::advice);
    let files = counted(unjudged as u64, "file");
    match at {
        Some(CheckedFile { file, .. }) if unjudged == 1 => {
            notice!(
                "error: `{file}` is not judged: {how} before it was checked to the end{advice}"
            );
        }
        Some(CheckedFile { file, .. }) => notice!(
            "error: {files} are not judged, the first of them `{file}`: {how} before it was checked \
             to the end{advice}"
        ),
        None => notice!("error: {files} not judged: the check ended since {how}{advice}"),
    }
}
