//! The traces of leases, sent to a collector (OpenTelemetry, OTLP over gRPC).
//!
//! What is traced is decided by coordinator and worker; without `--otlp` nothing is. Which share of
//! the leases is traced, and further settings, are those of every program that uses OpenTelemetry:
//! the variables `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`, `OTEL_SERVICE_NAME` and such.

use std::time::Duration;

use opentelemetry::global;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Runtime;

use crate::exit::{CommandError, Exit};

/// The time that the last spans may take at the end of a process.
const FAREWELL: Duration = Duration::from_secs(5);

/// The option for traces of a command that grants or computes leases.
#[derive(Clone, Debug, clap::Args)]
pub struct TraceArgs {
    /// Send traces of leases to this OpenTelemetry collector (OTLP over gRPC, in plaintext), such as
    /// http://127.0.0.1:4317 [default: none]
    #[arg(
        long,
        value_name = "URL",
        env = "OTEL_EXPORTER_OTLP_ENDPOINT",
        help_heading = "Traces"
    )]
    otlp: Option<String>,
}

impl TraceArgs {
    /// Begins to send traces, on threads of `runtime`, if a collector is named.
    ///
    /// The collector need not be there: its absence is logged, and costs only the spans.
    ///
    /// # Errors
    /// [`TraceError`] if its address is none.
    pub fn start(&self, runtime: &Runtime) -> Result<TraceExport, TraceError> {
        let Some(url) = &self.otlp else {
            return Ok(TraceExport(None));
        };
        let malformed = |reason: String| TraceError {
            url: url.clone(),
            reason,
        };
        if !url.starts_with("http://") {
            return Err(malformed("it begins with http://".to_owned()));
        }
        let _within = runtime.enter();
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(url);
        let exporter = exporter
            .build()
            .map_err(|error| malformed(error.to_string()))?;
        let mut resource = Resource::builder();
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name(env!("CARGO_PKG_NAME"));
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build())
            .build();
        global::set_tracer_provider(provider.clone());
        Ok(TraceExport(Some(provider)))
    }
}

/// The connection to a collector; when it is dropped, the last spans are sent.
#[derive(Debug)]
pub struct TraceExport(Option<SdkTracerProvider>);

impl Drop for TraceExport {
    fn drop(&mut self) {
        if let Some(provider) = &self.0
            && let Err(error) = provider.shutdown_with_timeout(FAREWELL)
        {
            tracing::warn!(%error, "the last spans are lost");
        }
    }
}

/// The error of an address to which no traces can be sent.
#[derive(Debug, thiserror::Error)]
#[error("cannot send traces to `{url}`: {reason}; name a collector such as http://127.0.0.1:4317")]
pub struct TraceError {
    url: String,
    reason: String,
}

impl CommandError for TraceError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
