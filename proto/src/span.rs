//! The span of a lease, within which coordinator and worker record its stages (OpenTelemetry).
//!
//! The coordinator begins a span when it grants a lease, if traces are collected, and sends its
//! name with the task. Without a collector nothing here does anything.

use std::time::{Instant, SystemTime};

use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, KeyValue, global};

use crate::{WireError, v1};

/// The name under which all spans are recorded.
pub const TRACER: &str = "misere";

impl From<&SpanContext> for v1::LeaseSpan {
    fn from(span: &SpanContext) -> Self {
        Self {
            trace_id: span.trace_id().to_bytes().to_vec(),
            span_id: span.span_id().to_bytes().to_vec(),
        }
    }
}

impl TryFrom<v1::LeaseSpan> for SpanContext {
    type Error = WireError;

    fn try_from(wire: v1::LeaseSpan) -> Result<Self, WireError> {
        let trace = wire.trace_id.try_into().map_err(|_| WireError::Span)?;
        let span = wire.span_id.try_into().map_err(|_| WireError::Span)?;
        let context = Self::new(
            TraceId::from_bytes(trace),
            SpanId::from_bytes(span),
            // A span that is not sampled is not sent.
            TraceFlags::SAMPLED,
            true,
            TraceState::NONE,
        );
        match context.is_valid() {
            true => Ok(context),
            false => Err(WireError::Span),
        }
    }
}

/// Records a stage of a lease that began at `began` and ends now.
pub fn record_stage(
    lease: &SpanContext,
    stage: &'static str,
    began: Instant,
    attributes: Vec<KeyValue>,
) {
    let now = SystemTime::now();
    let tracer = global::tracer(TRACER);
    let began = now.checked_sub(began.elapsed()).unwrap_or(now);
    tracer
        .span_builder(stage)
        .with_start_time(began)
        .with_attributes(attributes)
        .start_with_context(
            &tracer,
            &Context::new().with_remote_span_context(lease.clone()),
        )
        .end_with_timestamp(now);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_come_back_and_malformed_ones_are_refused() {
        let wire = v1::LeaseSpan {
            trace_id: vec![7; 16],
            span_id: vec![9; 8],
        };
        let span = SpanContext::try_from(wire.clone()).unwrap();
        assert!(span.is_sampled() && span.is_remote());
        assert_eq!(v1::LeaseSpan::from(&span), wire);
        for (trace_id, span_id) in [
            (vec![7; 15], vec![9; 8]),
            (vec![7; 16], vec![9; 9]),
            (vec![0; 16], vec![9; 8]),
            (vec![7; 16], vec![0; 8]),
            (vec![], vec![]),
        ] {
            let wire = v1::LeaseSpan { trace_id, span_id };
            assert_eq!(SpanContext::try_from(wire), Err(WireError::Span));
        }
    }
}
