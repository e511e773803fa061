//! The services behind an address.
//!
//! Every service has a [`Door`]. Silent connections are probed with pings. Each connection has a
//! limit of concurrent calls; further calls are refused for the time being.

use std::future::Future;
use std::io;

use misere_proto::MAX_MESSAGE_BYTES;
use misere_proto::connection::KEEPALIVE;
use misere_proto::v1::census_checker_server::CensusCheckerServer;
use misere_proto::v1::census_control_server::CensusControlServer;
use misere_proto::v1::census_query_server::CensusQueryServer;
use misere_proto::v1::census_server::CensusServer;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tonic::Code;
use tonic::body::Body;
use tonic::codegen::{InterceptedService, http};
use tonic::transport::Server;
use tonic::transport::server::Connected;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};
use tower::util::MapResponseLayer;

use super::access::Door;
use super::call_statistics::{CallStatistics, MeasureCalls};
use super::caller::Role;
use super::checker::CheckerService;
use super::control::ControlService;
use super::query::QueryService;
use super::revoked::RevocationList;
use super::service::{CALL, CensusService};
use crate::connections::ConnectionLimiter;

/// The number of calls of one connection that are answered at once.
///
/// A worker reports every task in a call. Further calls are refused as exhausted.
const CALLS_AT_ONCE: usize = 512;

/// The number of calls that one connection can have open.
const STREAMS: u32 = 1024;

/// The number of unread bytes that a connection may have sent.
const WINDOW_BYTES: u32 = 256 << 10;

/// The services at an address.
#[derive(Clone, Debug)]
pub struct Services {
    /// The service of workers.
    pub census: CensusService,
    /// The service of checkers.
    pub checker: CheckerService,
    /// The service of readers.
    pub query: QueryService,
    /// The service of operators.
    pub control: ControlService,
    /// The health service, for programs that watch over processes.
    pub health: HealthReporter,
    /// The statistics of calls.
    pub calls: CallStatistics,
}

/// The running server of a service.
pub type ServerHandle = JoinHandle<Result<(), tonic::transport::Error>>;

impl Services {
    /// Serves incoming connections, through a gate if they come by a port, until `stopped`.
    ///
    /// With a list of revoked certificates, it serves only callers that show another certificate.
    pub fn spawn<C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static>(
        self,
        connections: impl Stream<Item = io::Result<C>> + Send + 'static,
        gate: Option<&ConnectionLimiter>,
        revoked: Option<&RevocationList>,
        stopped: impl Future<Output = ()> + Send + 'static,
    ) -> ServerHandle {
        let door = |roles| Door {
            gate: gate.cloned(),
            revoked: revoked.cloned(),
            roles,
        };
        // Only the owner of the directory can open a socket without a gate.
        let is_anonymous = gate.is_some() && revoked.is_none();
        let span = self.census.span();
        let census = CensusServer::new(self.census)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let checker = CensusCheckerServer::new(self.checker.for_anonymous_callers(is_anonymous))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let query = CensusQueryServer::new(self.query).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let control =
            CensusControlServer::new(self.control).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let health = HealthServer::new(HealthService::from_health_reporter(self.health));
        let server = Server::builder().trace_fn(move |request| {
            let call = request.uri().path();
            tracing::error_span!(parent: &span, "call", call)
        });
        let mut server = server
            .timeout(CALL)
            .http2_keepalive_interval(Some(KEEPALIVE))
            .http2_keepalive_timeout(Some(KEEPALIVE))
            .concurrency_limit_per_connection(CALLS_AT_ONCE)
            .load_shed(true)
            .max_concurrent_streams(STREAMS)
            .initial_stream_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES)
            .layer(MeasureCalls(self.calls))
            .layer(MapResponseLayer::new(log_refusal));
        let serving = server
            .add_service(InterceptedService::new(
                census,
                door(&[Role::Worker, Role::Operator]),
            ))
            .add_service(InterceptedService::new(checker, door(&[Role::Checker])))
            .add_service(InterceptedService::new(
                query,
                door(&[Role::Reader, Role::Operator]),
            ))
            .add_service(InterceptedService::new(control, door(&[Role::Operator])))
            .add_service(InterceptedService::new(health, door(&Role::ALL)))
            .serve_with_incoming_shutdown(connections, stopped);
        tokio::spawn(serving)
    }
}

/// Reports to programs that watch over processes whether the services are up.
pub(crate) async fn report_health(health: &HealthReporter, status: ServingStatus) {
    for service in [
        "",
        "census.v1.Census",
        "census.v1.CensusChecker",
        "census.v1.CensusQuery",
        "census.v1.CensusControl",
    ] {
        health.set_service_status(service, status).await;
    }
}

/// Logs a refusal that no service has seen.
fn log_refusal(response: http::Response<Body>) -> http::Response<Body> {
    let code = response.headers().get("grpc-status");
    if let Some(code) = code.map(|code| Code::from_bytes(code.as_bytes()))
        && matches!(code, Code::OutOfRange | Code::ResourceExhausted)
    {
        let message = response.headers().get("grpc-message");
        let message = message.and_then(|message| message.to_str().ok());
        tracing::warn!(?code, message, "call refused");
    }
    response
}
