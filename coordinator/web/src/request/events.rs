//! The stream of the states of a census, for viewers.

use std::sync::Arc;

use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::view::error::RequestError;
use crate::view::live::{Live, REFRESH_INTERVAL};
use crate::view::site::Site;

/// Returns the stream of the states of the census, one for each change.
///
/// It ends when the viewer is gone.
pub(crate) fn stream(
    site: Site,
    event: impl Fn(&Live) -> Result<Event, RequestError> + Send + Sync + 'static,
) -> Result<impl IntoResponse, RequestError> {
    let seat = site.viewers().try_acquire_owned();
    let seat = seat.map_err(|_| RequestError::Busy)?;
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        let mut shown: Option<Arc<Live>> = None;
        let mut beat = tokio::time::interval(REFRESH_INTERVAL);
        loop {
            beat.tick().await;
            if sender.is_closed() {
                break;
            }
            // A census that cannot be read now may be readable in a second.
            let Ok(live) = site.live().await else {
                continue;
            };
            if shown.as_ref() == Some(&live) {
                continue;
            }
            let Ok(event) = event(&live) else { break };
            if sender
                .send(Ok::<_, std::convert::Infallible>(event))
                .await
                .is_err()
            {
                break;
            }
            shown = Some(live);
        }
        drop(seat);
    });
    let events = Sse::new(ReceiverStream::new(receiver));
    Ok(events.keep_alive(KeepAlive::default()))
}
