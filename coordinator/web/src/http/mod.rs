//! The HTTP server of a coordinator: pages, health and metrics.
//!
//! People get the pages of [`crate::page`], monitoring systems three addresses. `/healthz`: the
//! process is alive. `/readyz`: work moves ([`Observer::ready`]). `/metrics`: figures for
//! Prometheus. Nothing can be changed here, and nothing secret is shown; still the server belongs
//! on loopback or a private network.

mod metrics;
mod process_metrics;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use misere_coordinator::observer::Observer;

use crate::page::{self, Census, ExtraData};
use crate::request::connections::{gate, serve_through};

/// Serves the pages, health and metrics until the handle is aborted.
///
/// The pages compute little normal play beside a coordinator at work; `beside` has the results
/// known beforehand.
#[must_use]
pub fn serve(
    listener: TcpListener,
    observer: Observer,
    beside: ExtraData,
) -> JoinHandle<std::io::Result<()>> {
    let gate = gate();
    observer.watch(gate.clone());
    tokio::spawn(async move { serve_through(gate, listener, router(observer, beside)).await })
}

fn router(observer: Observer, beside: ExtraData) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(figures))
        .with_state(observer.clone())
        .merge(page::router(Census::running(observer), None, beside))
}

async fn ready(State(observer): State<Observer>) -> impl IntoResponse {
    match observer.ready().await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(unready) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("not ready: {unready}\n"),
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
