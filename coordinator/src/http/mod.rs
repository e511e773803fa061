//! What does a coordinator serve over HTTP?
//!
//! To people the pages of [`crate::page`], to monitoring systems three addresses.
//! `/healthz`: the process is alive. `/readyz`: the store is open and the driver answers. `/metrics`: figures for Prometheus.
//! Nothing can be changed here, and nothing secret is told; still it belongs on loopback or a network of one's own.

mod metrics;

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::observer::Observer;
use crate::page::{self, Census};

/// How long the driver has to answer before the coordinator counts as not ready. A commit takes milliseconds; a group of a
/// thousand on a slow disk a second or two.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves the pages, health and metrics until the handle is aborted.
#[must_use]
pub fn serve(listener: TcpListener, observer: Observer) -> JoinHandle<std::io::Result<()>> {
    tokio::spawn(async move { page::serve(listener, router(observer)).await })
}

fn router(observer: Observer) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(figures))
        .with_state(observer.clone())
        .merge(page::router(Census::running(observer), None))
}

async fn ready(State(observer): State<Observer>) -> impl IntoResponse {
    let asked = observer.with_store(|store| store.generation());
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(_)) => (StatusCode::OK, "ready\n"),
        Ok(Err(_)) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "not ready: the coordinator is stopping or its store has failed\n",
        ),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "not ready: the store does not answer\n",
        ),
    }
}

async fn figures(State(observer): State<Observer>) -> impl IntoResponse {
    const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";
    (
        [(header::CONTENT_TYPE, PROMETHEUS)],
        metrics::text(&observer),
    )
}
