//! The network: URLs and what they answer.

use std::collections::BTreeMap;
use url::Url;

/// An HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Status code. For 301, 302, 303, 307 and 308 the body is the new location.
    pub status: u16,
    /// MIME type, with parameters or without.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
    /// Virtual milliseconds until it is there.
    pub latency_ms: u64,
}

impl Response {
    /// An HTML page, at once.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        let content_type = "text/html; charset=utf-8".into();
        Self { status: 200, content_type, body: body.into(), latency_ms: 0 }
    }

    /// A redirect, at once.
    pub fn redirect(location: &str) -> Self {
        Self { status: 302, content_type: String::new(), body: location.into(), latency_ms: 0 }
    }
}

/// Answers the URLs it knows.
pub type Answer = Box<dyn Fn(&str) -> Option<Response>>;

#[derive(Default)]
pub(crate) struct Network {
    known: BTreeMap<String, Response>,
    fallback: Option<Answer>,
}

/// A fetched resource.
pub(crate) struct Fetched {
    pub(crate) url: Url,
    pub(crate) response: Response,
    /// Of all redirects together.
    pub(crate) latency_ms: u64,
    /// What was asked for on the way, with the status of its answer.
    pub(crate) redirects: Vec<(Url, u16)>,
}

/// Most redirects that are followed.
const REDIRECTS_MAX: u32 = 20;

impl Network {
    pub(super) fn serve(&mut self, url: &str, response: Response) {
        self.known.insert(key(url), response);
    }

    pub(super) fn serve_with(&mut self, answer: Answer) {
        self.fallback = Some(answer);
    }

    /// Follows redirects. The error is Chromium's word for it.
    pub(crate) fn fetch(&self, url: &Url) -> Result<Fetched, &'static str> {
        let mut url = url.clone();
        let mut latency_ms = 0;
        let mut redirects = Vec::new();
        for _ in 0..=REDIRECTS_MAX {
            let asked = key(url.as_str());
            let known = self.known.get(&asked).cloned();
            let answer = known.or_else(|| self.fallback.as_ref().and_then(|ask| ask(&asked)));
            let response = answer.ok_or("net::ERR_NAME_NOT_RESOLVED")?;
            latency_ms += response.latency_ms;
            if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
                return Ok(Fetched { url, response, latency_ms, redirects });
            }
            let location = String::from_utf8_lossy(&response.body).into_owned();
            let mut next = url.join(location.trim()).map_err(|_| "net::ERR_INVALID_REDIRECT")?;
            if next.fragment().is_none() {
                next.set_fragment(url.fragment());
            }
            redirects.push((url, response.status));
            url = next;
        }
        Err("net::ERR_TOO_MANY_REDIRECTS")
    }
}

fn key(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => url.into(),
    }
}
