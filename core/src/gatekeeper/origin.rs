//! Origins and destinations, parsed once: what is judged is what is executed.

use alloc::string::{String, ToString};
use serde::Serialize;
use url::{Origin, Url};

/// Where a call leads, as a canonical URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Destination {
    url: String,
    scheme: String,
    origin: String,
    host: String,
}

/// A URL that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct BadUrl {
    /// The parser's reason.
    pub reason: String,
}

impl Destination {
    /// Parses an absolute URL.
    ///
    /// # Errors
    /// The URL is relative or not a URL.
    pub fn parse(text: &str) -> Result<Self, BadUrl> {
        let url = Url::parse(text).map_err(|reason| BadUrl { reason: reason.to_string() })?;
        Ok(Self {
            origin: origin_text(&url),
            scheme: url.scheme().to_string(),
            host: url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase(),
            url: url.into(),
        })
    }

    /// The canonical URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its origin; `null` for an opaque one.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its scheme, lower case.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Its host, lower case, without a trailing dot; empty if it has none.
    pub fn host(&self) -> &str {
        &self.host
    }
}

/// Origin of a document's URL; `null` for an opaque one or a URL that does not parse.
pub fn origin_of(url: &str) -> String {
    Url::parse(url).map_or_else(|_| "null".into(), |url| origin_text(&url))
}

fn origin_text(url: &Url) -> String {
    match url.origin() {
        origin @ Origin::Tuple(..) => origin.ascii_serialization(),
        Origin::Opaque(_) => "null".into(),
    }
}
