//! The network: requests and what they answer.

use std::collections::BTreeMap;
use url::Url;

/// An HTTP answer, or the way in which there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Status code. For 301, 302, 303, 307 and 308 the body is the new location.
    pub status: u16,
    /// MIME type, with parameters or without.
    pub content_type: String,
    /// More headers; `Set-Cookie` and `Content-Disposition` are looked at.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Virtual milliseconds until it is there.
    pub latency_ms: u64,
    /// There is no answer: Chromium's word for why, such as `net::ERR_CONNECTION_RESET`.
    pub failure: Option<&'static str>,
}

/// Virtual milliseconds that no deadline reaches.
const NEVER_MS: u64 = 1 << 40;

impl Response {
    /// An HTML page, at once.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        let content_type = "text/html; charset=utf-8".into();
        let headers = Vec::new();
        Self { status: 200, content_type, headers, body: body.into(), latency_ms: 0, failure: None }
    }

    /// A redirect, at once.
    pub fn redirect(location: &str) -> Self {
        Self { status: 302, content_type: String::new(), ..Self::html(location) }
    }

    /// No answer: the connection fails, with Chromium's word for it.
    pub fn failure(reason: &'static str) -> Self {
        Self { failure: Some(reason), ..Self::html("") }
    }

    /// A connection that stays open and never ends.
    pub fn endless() -> Self {
        Self { latency_ms: NEVER_MS, ..Self::html("") }
    }

    /// With one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Values of a header, whose name is given in lower case.
    pub(crate) fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }
}

/// What a page asks the network for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Absolute, without a fragment.
    pub url: String,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// `name=value` pairs, separated by `; `; empty where there are none.
    pub cookies: String,
    /// MIME type of the body; empty where there is none.
    pub content_type: String,
    /// What a form sends by `POST`.
    pub body: Vec<u8>,
}

/// What a form sends by `POST`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Post {
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

/// Answers the URLs it knows.
pub type Answer = Box<dyn Fn(&str) -> Option<Response>>;

/// Answers the requests it knows.
pub type Route = Box<dyn Fn(&Request) -> Option<Response>>;

#[derive(Default)]
pub(crate) struct Network {
    routes: Vec<Route>,
    known: BTreeMap<String, Response>,
    fallback: Option<Answer>,
    /// Most virtual milliseconds that chance adds to an answer.
    pub(crate) jitter_ms: u64,
}

/// A fetched resource.
pub(crate) struct Fetched {
    pub(crate) url: Url,
    pub(crate) method: &'static str,
    pub(crate) response: Response,
    /// Of all redirects together.
    pub(crate) latency_ms: u64,
    /// What was asked for on the way, how, and with the status of its answer.
    pub(crate) redirects: Vec<(Url, &'static str, u16)>,
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

    pub(super) fn route(&mut self, route: Route) {
        self.routes.push(route);
    }

    /// Follows redirects. The error is Chromium's word for it. `jar` gives the cookies of a URL and keeps those of an answer;
    /// `chance` draws what is added to the latency.
    pub(crate) fn fetch(
        &self,
        url: &Url,
        post: Option<&Post>,
        jar: &mut super::cookies::Jar,
        (now, chance): (u64, &mut super::Numbers),
    ) -> Result<Fetched, &'static str> {
        let mut url = url.clone();
        let mut post = post;
        let mut latency_ms = 0;
        let mut redirects = Vec::new();
        for _ in 0..=REDIRECTS_MAX {
            let method = if post.is_some() { "POST" } else { "GET" };
            let request = Request {
                url: key(url.as_str()),
                method,
                cookies: jar.header(&url, now),
                content_type: post.map(|post| post.content_type.clone()).unwrap_or_default(),
                body: post.map(|post| post.body.clone()).unwrap_or_default(),
            };
            let response = self.answer(&request).ok_or("net::ERR_NAME_NOT_RESOLVED")?;
            if self.jitter_ms > 0 {
                latency_ms += chance.draw() % (self.jitter_ms + 1);
            }
            latency_ms += response.latency_ms;
            if let Some(reason) = response.failure {
                return Err(reason);
            }
            for cookie in response.header("set-cookie") {
                jar.keep(&url, cookie, now);
            }
            if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
                return Ok(Fetched { url, method, response, latency_ms, redirects });
            }
            let location = String::from_utf8_lossy(&response.body).into_owned();
            let mut next = url.join(location.trim()).map_err(|_| "net::ERR_INVALID_REDIRECT")?;
            if next.fragment().is_none() {
                next.set_fragment(url.fragment());
            }
            redirects.push((url, method, response.status));
            if !matches!(response.status, 307 | 308) {
                post = None;
            }
            url = next;
        }
        Err("net::ERR_TOO_MANY_REDIRECTS")
    }

    fn answer(&self, request: &Request) -> Option<Response> {
        let routed = self.routes.iter().rev().find_map(|route| route(request));
        let known = routed.or_else(|| self.known.get(&request.url).cloned());
        known.or_else(|| self.fallback.as_ref().and_then(|ask| ask(&request.url)))
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
