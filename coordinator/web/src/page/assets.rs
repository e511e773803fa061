//! The files that pages load: style sheet, script and icon.
//!
//! One style sheet, one script, one picture, all within this program. Their addresses contain a
//! hash of their content, so that browsers may keep them forever and request them again only when
//! they have changed.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::request::params::PathParam;
use crate::view::error::RequestError;

struct Asset {
    address: String,
    kind: &'static str,
    content: &'static str,
}

impl Asset {
    fn new((name, ending): (&str, &str), kind: &'static str, content: &'static str) -> Self {
        let hash = blake3::hash(content.as_bytes()).to_hex();
        Self {
            address: format!("/assets/{name}.{}.{ending}", &hash[..12]),
            kind,
            content,
        }
    }
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let style = include_str!("../../assets/style.css");
    Asset::new(("style", "css"), "text/css; charset=utf-8", style)
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../../assets/script.js");
    Asset::new(("script", "js"), "text/javascript; charset=utf-8", script)
});
static ICON: LazyLock<Asset> = LazyLock::new(|| {
    let icon = include_str!("../../assets/icon.svg");
    Asset::new(("icon", "svg"), "image/svg+xml", icon)
});

/// Returns the files that every page loads, with their addresses.
pub(crate) fn all() -> [(&'static str, &'static str); 3] {
    [&*STYLE, &*SCRIPT, &*ICON].map(|asset| (asset.address.as_str(), asset.content))
}

/// Returns the address of the style sheet.
pub(super) fn style() -> &'static str {
    &STYLE.address
}

/// Returns the address of the script.
pub(super) fn script() -> &'static str {
    &SCRIPT.address
}

/// Returns the address of the icon.
pub(super) fn icon() -> &'static str {
    &ICON.address
}

/// Serves one of the files.
pub(super) async fn asset(PathParam(name): PathParam) -> Result<Response, RequestError> {
    let asset = [&*STYLE, &*SCRIPT, &*ICON]
        .into_iter()
        .find(|asset| asset.address.strip_prefix("/assets/") == Some(&name))
        .ok_or(RequestError::NoPage)?;
    let headers = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.content).into_response())
}
