//! The statistics of calls: how many there were, how long they took, and how many failed.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tonic::Code;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::{Layer, Service};

/// The calls of the services of workers, checkers, readers and operators.
const CALLS: [&str; 19] = [
    "Register",
    "Lease",
    "Heartbeat",
    "Report",
    "Leave",
    "KeepCheckpoint",
    "FetchCheckpoint",
    "Check",
    "Status",
    "Find",
    "Pause",
    "Resume",
    "Drain",
    "Cancel",
    "StopTask",
    "Workers",
    "Evict",
    "Ban",
    "Pardon",
];

/// The ends of the classes of durations, in milliseconds.
///
/// One end is the five seconds of the alert `MisereSlowCalls`: a quantile within a class is a guess.
const ENDS_MS: [u64; 6] = [1, 10, 100, 1_000, 5_000, 60_000];

/// The statistics of one call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallDurations {
    /// The number of calls that took at most so long, for each of [`CallDurations::ends`].
    within: [u64; ENDS_MS.len()],
    /// The number of calls.
    pub calls: u64,
    /// The number of calls that were answered with an error.
    pub failures: u64,
    /// The sum of the durations.
    pub duration: Duration,
}

impl CallDurations {
    /// Iterates over the ends of the classes, with the number of calls that took at most so long.
    ///
    /// A call that answers with a stream lasts until the stream begins.
    pub fn classes(&self) -> impl Iterator<Item = (Duration, u64)> {
        let ends = ENDS_MS.map(Duration::from_millis);
        ends.into_iter().zip(self.within)
    }

    fn note(&mut self, duration: Duration, code: Code) {
        for (end, within) in ENDS_MS.into_iter().zip(&mut self.within) {
            *within += u64::from(duration <= Duration::from_millis(end));
        }
        self.calls += 1;
        self.failures += u64::from(code != Code::Ok);
        self.duration += duration;
    }
}

/// The statistics of all answered calls since the coordinator was started.
///
/// A call whose caller leaves before the answer is not counted. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct CallStatistics(Arc<Mutex<[CallDurations; CALLS.len()]>>);

impl CallStatistics {
    /// Returns each call with its statistics.
    #[must_use]
    pub fn by_call(&self) -> Vec<(&'static str, CallDurations)> {
        let durations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        CALLS.into_iter().zip(durations.iter().cloned()).collect()
    }

    /// Counts a call by the path of its request. Other paths, as those of health, are not counted.
    fn note(&self, path: &str, duration: Duration, code: Code) {
        let call = path
            .rsplit('/')
            .next()
            .filter(|_| path.starts_with("/census.v1."));
        let place = call.and_then(|call| CALLS.iter().position(|known| *known == call));
        let mut durations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_call) = place.and_then(|place| durations.get_mut(place)) {
            of_call.note(duration, code);
        }
    }
}

/// Measures every call.
#[derive(Clone, Debug)]
pub(super) struct MeasureCalls(pub(super) CallStatistics);

impl<S> Layer<S> for MeasureCalls {
    type Service = MeasuredService<S>;
    fn layer(&self, service: S) -> MeasuredService<S> {
        MeasuredService {
            service,
            statistics: self.0.clone(),
        }
    }
}

/// A service with its statistics.
#[derive(Clone, Debug)]
pub(super) struct MeasuredService<S> {
    service: S,
    statistics: CallStatistics,
}

impl<S, B> Service<Request<B>> for MeasuredService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let path = request.uri().path().to_owned();
        let statistics = self.statistics.clone();
        let since = Instant::now();
        let answered = self.service.call(request);
        Box::pin(async move {
            let answer = answered.await;
            statistics.note(
                &path,
                since.elapsed(),
                answer.as_ref().map_or(Code::Unknown, code),
            );
            answer
        })
    }
}

/// Returns the code of an answer, as far as its head has it.
fn code(response: &Response<Body>) -> Code {
    let code = response.headers().get("grpc-status");
    code.map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_of_the_services_is_counted() {
        let proto = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto/census/v1");
        let mut named = 0;
        for file in ["worker", "checker", "query", "control"] {
            let text = std::fs::read_to_string(format!("{proto}/{file}.proto")).unwrap();
            for call in text
                .lines()
                .filter_map(|line| line.trim().strip_prefix("rpc "))
            {
                let name = call.split('(').next().unwrap();
                assert!(CALLS.contains(&name), "{name}");
                named += 1;
            }
        }
        assert_eq!(named, CALLS.len());
    }

    #[test]
    fn calls_are_counted_by_their_duration_and_answer() {
        let statistics = CallStatistics::default();
        let took = |path: &str, milliseconds, code| {
            statistics.note(path, Duration::from_millis(milliseconds), code);
        };
        took("/census.v1.Census/Lease", 5, Code::Ok);
        took("/census.v1.Census/Lease", 2_000, Code::ResourceExhausted);
        took("/census.v1.Census/NoSuchCall", 5, Code::Unimplemented);
        took("/grpc.health.v1.Health/Lease", 5, Code::Ok);
        let by_call = statistics.by_call();
        let (_, lease) = by_call.iter().find(|(call, _)| *call == "Lease").unwrap();
        assert_eq!((lease.calls, lease.failures), (2, 1));
        let within: Vec<u64> = lease.classes().map(|(_, calls)| calls).collect();
        assert_eq!(within, [0, 1, 1, 1, 2, 2]);
        let all: u64 = by_call.iter().map(|(_, of_call)| of_call.calls).sum();
        assert_eq!(all, 2);
    }
}
