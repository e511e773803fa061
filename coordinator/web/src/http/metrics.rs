//! The metrics of a coordinator for Prometheus (text format 0.0.4).

use std::fmt::{Display, Write};

use misere_census::Misconduct;
use misere_coordinator::check_threads::CheckBacklog;
use misere_coordinator::connections::{ConnectionLimiter, Reason};
use misere_coordinator::observer::{CheckersStatus, LiveStatus, Observer, Remaining};
use misere_coordinator::rpc::call_statistics::CallStatistics;
use misere_store::WriteStatistics;

use super::process_metrics::process;

/// Returns all metrics of a running census.
pub(super) fn text(observer: &Observer) -> String {
    let mut page = Page(String::new());
    standing(&mut page, &observer.standing());
    statistics(&mut page, observer.statistics());
    connections(&mut page, &observer.gates());
    calls(&mut page, observer.calls());
    checks(&mut page, observer.backlog());
    checkers(&mut page, observer.check_counts().into());
    let size = observer.files().size();
    page.family("misere_store_bytes", "gauge", "Size of the store.");
    page.line("misere_store_bytes{part=\"tables\"}", size.tables);
    page.line("misere_store_bytes{part=\"buffers\"}", size.buffers);
    process(&mut page);
    page.0
}

/// The metrics written so far.
pub(super) struct Page(String);

impl Page {
    pub(super) fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    pub(super) fn line(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name} {value}");
    }
}

fn standing(page: &mut Page, standing: &LiveStatus) {
    let counters = standing.counters;
    page.family(
        "misere_tasks",
        "gauge",
        "Tasks by state; each is counted once.",
    );
    for (state, tasks) in [
        ("ready", standing.ready),
        ("leased", standing.leased),
        ("checking", standing.checking),
        ("done", counters.done),
        ("exhausted", counters.exhausted),
        ("quarantined", counters.quarantined),
        ("dropped", counters.dropped),
    ] {
        page.line(&format!("misere_tasks{{state=\"{state}\"}}"), tasks);
    }
    page.family(
        "misere_certificate_expires_timestamp_seconds",
        "gauge",
        "Unix time at which the certificate of the coordinator expires; NaN in plaintext.",
    );
    let expires = standing.certificate_expires_ms;
    page.line(
        "misere_certificate_expires_timestamp_seconds",
        expires.map_or(f64::NAN, |at| at as f64 / 1e3),
    );
    page.family(
        "misere_paused",
        "gauge",
        "1 if an operator has paused the census.",
    );
    page.line("misere_paused", u8::from(standing.paused));
    page.family("misere_leases", "gauge", "Live leases.");
    page.line("misere_leases", standing.leased);
    page.family("misere_workers", "gauge", "Workers known.");
    page.line("misere_workers", standing.workers.len());
    let state = |state| {
        let workers = standing.workers.iter();
        workers
            .filter(move |worker| worker.trust.state == state)
            .count()
    };
    page.family(
        "misere_workers_by_trust",
        "gauge",
        "Workers known, by trust.",
    );
    for (label, workers) in [
        ("trusted", state("trusted")),
        ("held_back", state("held back")),
        ("distrusted", state("distrusted")),
    ] {
        page.line(
            &format!("misere_workers_by_trust{{trust=\"{label}\"}}"),
            workers,
        );
    }
    page.family(
        "misere_identities_caught",
        "gauge",
        "Workers that are distrusted or banned, connected or not, by misconduct.",
    );
    for kind in Misconduct::WORDS {
        let caught = standing.caught.iter();
        let caught = caught.filter(|caught| caught.misdeed == kind).count();
        page.line(
            &format!("misere_identities_caught{{misdeed=\"{kind}\"}}"),
            caught,
        );
    }
    page.family(
        "misere_identities_banned",
        "gauge",
        "Workers that an operator refuses, there or not.",
    );
    let banned = standing.caught.iter().filter(|caught| caught.banned);
    page.line("misere_identities_banned", banned.count());
    page.family(
        "misere_workers_evicted_total",
        "counter",
        "Workers that an operator has sent away.",
    );
    page.line("misere_workers_evicted_total", standing.evicted);
    let threads = standing
        .workers
        .iter()
        .map(|worker| u64::from(worker.threads));
    page.family(
        "misere_worker_threads",
        "gauge",
        "Tasks that all workers can compute at once.",
    );
    page.line("misere_worker_threads", threads.sum::<u64>());
    let running = standing.workers.iter().map(|worker| worker.running.len());
    page.family("misere_tasks_running", "gauge", "Tasks being computed.");
    page.line("misere_tasks_running", running.sum::<usize>());
    page.family(
        "misere_tasks_per_second",
        "gauge",
        "Tasks finished per second over the last minute.",
    );
    page.line(
        "misere_tasks_per_second",
        standing.per_second.unwrap_or(f64::NAN),
    );
    page.family(
        "misere_remaining_seconds",
        "gauge",
        "Time left by the pace seen; NaN where it is unknown.",
    );
    let (least, likely, most) = match standing.remaining {
        Remaining::Nothing => (0.0, 0.0, 0.0),
        Remaining::Unknown => (f64::NAN, f64::NAN, f64::NAN),
        Remaining::Between {
            at_least,
            likely,
            at_most,
        } => (at_least, likely, at_most.unwrap_or(f64::NAN)),
    };
    for (bound, seconds) in [("at_least", least), ("likely", likely), ("at_most", most)] {
        page.line(
            &format!("misere_remaining_seconds{{bound=\"{bound}\"}}"),
            seconds,
        );
    }
}

fn connections(page: &mut Page, gates: &[ConnectionLimiter]) {
    page.family("misere_connections", "gauge", "Connections by port.");
    for gate in gates {
        let port = gate.port();
        page.line(
            &format!("misere_connections{{port=\"{port}\"}}"),
            gate.open(),
        );
    }
    page.family(
        "misere_connections_most",
        "gauge",
        "The most connections of a port at once.",
    );
    for gate in gates {
        let port = gate.port();
        page.line(
            &format!("misere_connections_most{{port=\"{port}\"}}"),
            gate.most(),
        );
    }
    page.family(
        "misere_connections_turned_away_total",
        "counter",
        "Connections closed or refused by reason.",
    );
    for reason in Reason::ALL {
        let count: u64 = gates.iter().map(|at| at.turned_away().count(reason)).sum();
        let name = reason.name();
        page.line(
            &format!("misere_connections_turned_away_total{{reason=\"{name}\"}}"),
            count,
        );
    }
}

fn calls(page: &mut Page, statistics: &CallStatistics) {
    let by_call = statistics.by_call();
    page.family(
        "misere_call_seconds",
        "histogram",
        "Duration of calls, of streams until they begin.",
    );
    for (call, durations) in &by_call {
        for (end, count) in durations.classes() {
            let end = end.as_secs_f64();
            page.line(
                &format!("misere_call_seconds_bucket{{call=\"{call}\",le=\"{end}\"}}"),
                count,
            );
        }
        let (count, seconds) = (durations.calls, durations.duration.as_secs_f64());
        page.line(
            &format!("misere_call_seconds_bucket{{call=\"{call}\",le=\"+Inf\"}}"),
            count,
        );
        page.line(
            &format!("misere_call_seconds_sum{{call=\"{call}\"}}"),
            seconds,
        );
        page.line(
            &format!("misere_call_seconds_count{{call=\"{call}\"}}"),
            count,
        );
    }
    page.family(
        "misere_call_failures_total",
        "counter",
        "Calls that were answered with an error.",
    );
    for (call, durations) in &by_call {
        page.line(
            &format!("misere_call_failures_total{{call=\"{call}\"}}"),
            durations.failures,
        );
    }
}

fn checks(page: &mut Page, backlog: &CheckBacklog) {
    let (checks, took) = backlog.checked();
    page.family(
        "misere_check_seconds",
        "summary",
        "Time that checks of certificates took.",
    );
    page.line("misere_check_seconds_sum", took.as_secs_f64());
    page.line("misere_check_seconds_count", checks);
    page.family(
        "misere_oldest_unchecked_seconds",
        "gauge",
        "Time that the oldest certificate has waited for its check; 0 if none waits.",
    );
    page.line(
        "misere_oldest_unchecked_seconds",
        backlog.oldest().as_secs_f64(),
    );
}

fn checkers(page: &mut Page, checkers: CheckersStatus) {
    page.family("misere_checkers", "gauge", "Checkers connected.");
    page.line("misere_checkers", checkers.connected);
    page.family(
        "misere_checker_verdicts_total",
        "counter",
        "Certificates that checkers were sent, by what came of them.",
    );
    let verdicts = [
        ("accepted", checkers.accepted),
        ("checked_again", checkers.checked_again),
        ("unanswered", checkers.unanswered),
        ("wrong", checkers.errors),
    ];
    for (verdict, count) in verdicts {
        page.line(
            &format!("misere_checker_verdicts_total{{verdict=\"{verdict}\"}}"),
            count,
        );
    }
}

fn statistics(page: &mut Page, statistics: &WriteStatistics) {
    page.family(
        "misere_failures_total",
        "counter",
        "Failed attempts by kind.",
    );
    for (kind, failures) in statistics.failures() {
        page.line(
            &format!("misere_failures_total{{kind=\"{kind}\"}}"),
            failures,
        );
    }
    page.family(
        "misere_quarantined_total",
        "counter",
        "Tasks put into quarantine.",
    );
    page.line("misere_quarantined_total", statistics.quarantined());
    page.family(
        "misere_records_total",
        "counter",
        "Records that entered the census.",
    );
    page.line("misere_records_total", statistics.records());
    page.family(
        "misere_commits_total",
        "counter",
        "Commits, each of one group of requests.",
    );
    page.line("misere_commits_total", statistics.commits());
    page.family(
        "misere_store_written_bytes_total",
        "counter",
        "Bytes of all synced write batches.",
    );
    page.line("misere_store_written_bytes_total", statistics.bytes());
    let (classes, all, seconds) = statistics.write_times();
    page.family(
        "misere_commit_seconds",
        "histogram",
        "Duration of synced writes.",
    );
    for (end_us, count) in classes {
        let end = end_us as f64 / 1e6;
        page.line(
            &format!("misere_commit_seconds_bucket{{le=\"{end}\"}}"),
            count,
        );
    }
    page.line("misere_commit_seconds_bucket{le=\"+Inf\"}", all);
    page.line("misere_commit_seconds_sum", seconds);
    page.line("misere_commit_seconds_count", all);
}
