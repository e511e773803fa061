//! The delivery of results while the coordinator comes and goes.
//!
//! A call carries all results that have come while the calls before it were in flight: a long task
//! is reported at once and by itself, tiny ones by the hundred. Large certificates travel alone,
//! since their check takes a while and no other result should wait for it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use misere_census::{Failure, InterruptCause, Lease, WorkerId};
use misere_proto::{CHUNK_BYTES, RefusalKind};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::backoff::Backoff;
use crate::link::{Link, LinkError, ReportReply, parts};
use crate::pool::ComputationResult;

/// The number of calls at once, beside one for each computing thread.
///
/// A large certificate is checked for a while. With more calls each carries less.
const SPARE_CALLS: usize = 3;

/// The greatest number of results in one call, and of bytes of their certificates.
///
/// A single result may be larger.
const MAX_RESULTS_PER_CALL: usize = 512;
const MAX_BYTES_PER_CALL: usize = CHUNK_BYTES;

/// A result on its way.
pub(crate) struct Report {
    pub(crate) worker: WorkerId,
    pub(crate) lease: Lease,
    pub(crate) computed: ComputationResult,
    pub(crate) cause: InterruptCause,
    pub(crate) abandoned: Arc<AtomicBool>,
}

/// The answers of the coordinator to reported results.
///
/// An answer is `None` if the call was not accepted, or if the lease was lost before.
pub(crate) type ReportAnswers = Vec<(Lease, Option<ReportReply>)>;

/// Delivers results, however often the coordinator is away, unless their leases are lost.
///
/// `on_answers` receives the answers. The function ends after the last result, once no more can
/// come.
pub(crate) async fn deliver(
    link: Link,
    slots: usize,
    mut reports: mpsc::UnboundedReceiver<Report>,
    on_answers: impl Fn(ReportAnswers) + Clone + Send + Sync + 'static,
) {
    let mut waiting = VecDeque::new();
    let mut calls = JoinSet::new();
    let mut open = true;
    while open || !calls.is_empty() {
        while calls.len() < slots + SPARE_CALLS && !waiting.is_empty() {
            let call = Call {
                link: link.clone(),
                reports: next_together(&mut waiting),
            };
            let on_answers = on_answers.clone();
            calls.spawn(async move { call.deliver(&on_answers).await });
        }
        tokio::select! {
            report = reports.recv(), if open => match report {
                Some(report) => {
                    waiting.push_back(report);
                    while let Ok(report) = reports.try_recv() {
                        waiting.push_back(report);
                    }
                }
                None => open = false,
            },
            Some(_) = calls.join_next() => {}
        }
    }
}

/// Returns the results that go with the next call.
///
/// They are results of one worker's number, as many as may go together.
fn next_together(waiting: &mut VecDeque<Report>) -> Vec<Report> {
    let mut together: Vec<Report> = Vec::new();
    let mut bytes = 0;
    while together.len() < MAX_RESULTS_PER_CALL
        && let Some(next) = waiting.front()
    {
        bytes += next.computed.bytes();
        let fits = bytes <= MAX_BYTES_PER_CALL
            && together
                .first()
                .is_none_or(|first| first.worker == next.worker);
        if !fits && !together.is_empty() {
            break;
        }
        together.extend(waiting.pop_front());
    }
    together
}

/// Results that travel together.
struct Call {
    link: Link,
    reports: Vec<Report>,
}

impl Call {
    async fn deliver(mut self, on_answers: &impl Fn(ReportAnswers)) {
        let mut backoff = Backoff::default();
        while self.drop_abandoned(on_answers) {
            match self.send().await {
                Ok(answers) => {
                    let answers = answers.into_iter().map(Some);
                    let leases = self.reports.iter().map(|report| report.lease);
                    return on_answers(leases.zip(answers).collect());
                }
                Err(error) if error.kind() == RefusalKind::Retry => {
                    tracing::debug!(%error, "the coordinator is away");
                    tokio::time::sleep(backoff.next_pause()).await;
                }
                // One of them is at fault: send each by itself.
                Err(error) if error.is_final() && self.reports.len() > 1 => {
                    for report in self.reports {
                        let link = self.link.clone();
                        let reports = vec![report];
                        Box::pin(Self { link, reports }.deliver(on_answers)).await;
                    }
                    return;
                }
                Err(error) => {
                    // A refused result is a failure of its task, and a failure can always be
                    // reported.
                    if error.is_final()
                        && let [report] = &mut self.reports[..]
                        && matches!(report.computed, ComputationResult::Certificate(_))
                    {
                        tracing::error!(worker = %report.worker, task = %report.lease.task, %error, "our certificate is not taken");
                        let reason = format!("its certificate is not taken: {error}");
                        report.computed = ComputationResult::Failed(Failure::computation(&reason));
                        continue;
                    }
                    let worker = self.reports.first().map(|report| report.worker.to_string());
                    tracing::warn!(worker, %error, results = self.reports.len(), "could not report");
                    let leases = self.reports.iter().map(|report| report.lease);
                    return on_answers(leases.map(|lease| (lease, None)).collect());
                }
            }
        }
    }

    async fn send(&mut self) -> Result<Vec<ReportReply>, LinkError> {
        let reports = self.reports.iter();
        let parts = reports
            .flat_map(|report| parts(report.worker, report.lease, &report.computed, report.cause));
        let parts = parts.collect();
        self.link.report_all(parts, self.reports.len()).await
    }

    /// Drops the reports whose leases are lost; returns whether any are left.
    fn drop_abandoned(&mut self, on_answers: &impl Fn(ReportAnswers)) -> bool {
        let abandoned = |report: &mut Report| report.abandoned.load(Ordering::Relaxed);
        let lost = self.reports.extract_if(.., abandoned);
        let lost: ReportAnswers = lost.map(|report| (report.lease, None)).collect();
        if !lost.is_empty() {
            on_answers(lost);
        }
        !self.reports.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use misere_census::{Epoch, TaskId};

    use super::*;

    fn report(worker: u64, bytes: usize) -> Report {
        Report {
            worker: WorkerId(worker),
            lease: Lease {
                task: TaskId([0; 32]),
                epoch: Epoch(0),
            },
            computed: ComputationResult::Certificate(vec![0; bytes]),
            cause: InterruptCause::Shutdown,
            abandoned: Arc::default(),
        }
    }

    fn together(reports: impl IntoIterator<Item = Report>) -> Vec<usize> {
        let mut waiting: VecDeque<Report> = reports.into_iter().collect();
        let mut groups = Vec::new();
        while !waiting.is_empty() {
            groups.push(next_together(&mut waiting).len());
        }
        groups
    }

    #[test]
    fn small_results_travel_together_and_large_ones_alone() {
        let many = (0..MAX_RESULTS_PER_CALL + 1).map(|_| report(1, 10));
        assert_eq!(together(many), [MAX_RESULTS_PER_CALL, 1]);
        let large = CHUNK_BYTES;
        let mixed = [10, 10, large, large + 1, 10].map(|bytes| report(1, bytes));
        assert_eq!(together(mixed), [2, 1, 1, 1]);
        assert_eq!(together([report(1, 1), report(2, 1), report(2, 1)]), [1, 2]);
    }
}
