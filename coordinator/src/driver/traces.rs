//! The traces of leases, from the grant to the commit of the result.
//!
//! The span of a lease has the stages that the coordinator sees, `check` and `commit`; its worker
//! adds those that it sees. Leases are traced only while a collector is named and samples them. No
//! trace is part of the census.

use std::collections::HashMap;
use std::time::Instant;

use misere_census::{Epoch, Task, TaskId, WorkerId};
use misere_proto::span::{TRACER, record_stage};
use opentelemetry::global::{self, BoxedSpan, BoxedTracer};
use opentelemetry::trace::{Span, SpanContext, Status, Tracer};
use opentelemetry::{Context, KeyValue};

/// The traces of the live leases, and of those that end with the current group.
pub(super) struct LeaseTraces {
    tracer: BoxedTracer,
    live: HashMap<TaskId, LeaseTrace>,
    ended: Vec<(LeaseTrace, Instant)>,
}

struct LeaseTrace {
    span: BoxedSpan,
    epoch: Epoch,
    worker: WorkerId,
    /// The time at which the result was submitted.
    submitted: Option<Instant>,
}

impl Default for LeaseTraces {
    fn default() -> Self {
        Self {
            tracer: global::tracer(TRACER),
            live: HashMap::new(),
            ended: Vec::new(),
        }
    }
}

impl LeaseTraces {
    /// Begins the span of a lease; `None` if it is not traced.
    ///
    /// If another worker held the task before, its span ends here.
    pub(super) fn begin(
        &mut self,
        (id, task): (TaskId, &Task),
        epoch: Epoch,
        (worker, name): (WorkerId, &str),
    ) -> Option<SpanContext> {
        self.end(id, Err("taken back".to_owned()));
        let lease = self.tracer.span_builder("lease");
        let mut span = lease.start_with_context(&self.tracer, &Context::new());
        let context = span.span_context().clone();
        if !context.is_sampled() {
            return None;
        }
        span.set_attributes([
            KeyValue::new("misere.task", id.to_string()),
            KeyValue::new("misere.game", task.to_string()),
            KeyValue::new("misere.epoch", epoch.to_string()),
            KeyValue::new("misere.worker", name.to_owned()),
        ]);
        let trace = LeaseTrace {
            span,
            epoch,
            worker,
            submitted: None,
        };
        self.live.insert(id, trace);
        Some(context)
    }

    /// Notes that the result of a lease was submitted.
    pub(super) fn submitted(&mut self, task: TaskId, epoch: Epoch) {
        if let Some(trace) = self.live.get_mut(&task).filter(|it| it.epoch == epoch) {
            trace.submitted = Some(Instant::now());
        }
    }

    /// Records the check of a submitted result: accepted, or refused for a reason.
    pub(super) fn checked(&mut self, task: TaskId, epoch: Epoch, refused: Option<String>) {
        if let Some(trace) = self.live.get(&task).filter(|it| it.epoch == epoch)
            && let Some(submitted) = trace.submitted
        {
            let refused = refused.map(|reason| KeyValue::new("misere.refused", reason));
            let attributes = refused.into_iter().collect();
            record_stage(trace.span.span_context(), "check", submitted, attributes);
        }
    }

    /// Ends the span of a lease with the current group: well, or with the reason of its failure.
    pub(super) fn end(&mut self, task: TaskId, result: Result<&'static str, String>) {
        if let Some(mut trace) = self.live.remove(&task) {
            match result {
                Ok(outcome) => {
                    let outcome = KeyValue::new("misere.outcome", outcome);
                    trace.span.set_attribute(outcome);
                }
                Err(reason) => trace.span.set_status(Status::error(reason)),
            }
            self.ended.push((trace, Instant::now()));
        }
    }

    /// Ends the spans of a worker that has left.
    pub(super) fn leave(&mut self, worker: WorkerId) {
        let held = self.live.iter().filter(|(_, it)| it.worker == worker);
        let held: Vec<TaskId> = held.map(|(&task, _)| task).collect();
        for task in held {
            self.end(task, Err("its worker left".to_owned()));
        }
    }

    /// Records that the current group is durable.
    pub(super) fn committed(&mut self) {
        for (mut trace, settled) in self.ended.drain(..) {
            record_stage(trace.span.span_context(), "commit", settled, Vec::new());
            trace.span.end();
        }
    }
}
