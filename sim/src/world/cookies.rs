//! Cookies (RFC 6265, as far as pages without scripts need it).

use backlot_core::port::Cookie;
use url::Url;

/// Most cookies of a browser.
const COOKIES_MAX: usize = 1_000;

/// The cookies of one browser, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Jar(Vec<Cookie>);

impl Jar {
    /// Keeps what a `Set-Cookie` header of an answer says. `now`: virtual milliseconds.
    pub(super) fn keep(&mut self, url: &Url, header: &str, now: u64) {
        let Some(cookie) = parsed(url, header, now) else { return };
        self.0.retain(|old| {
            (&old.name, &old.domain, &old.path) != (&cookie.name, &cookie.domain, &cookie.path)
        });
        if !is_over(&cookie, now) {
            self.0.push(cookie);
        }
        if self.0.len() > COOKIES_MAX {
            self.0.remove(0);
        }
    }

    /// The cookies that a URL is sent: longer paths first, then the older ones.
    pub(crate) fn of(&self, url: &Url, now: u64) -> Vec<Cookie> {
        let mut found: Vec<Cookie> = self
            .0
            .iter()
            .filter(|cookie| !is_over(cookie, now) && is_for(cookie, url))
            .cloned()
            .collect();
        found.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        found
    }

    pub(super) fn header(&self, url: &Url, now: u64) -> String {
        let pairs = self.of(url, now);
        pairs.iter().map(|c| format!("{}={}", c.name, c.value)).collect::<Vec<_>>().join("; ")
    }
}

fn is_over(cookie: &Cookie, now: u64) -> bool {
    cookie.expires >= 0.0 && cookie.expires * 1_000.0 <= now as f64
}

fn is_for(cookie: &Cookie, url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let fits_host = match cookie.domain.strip_prefix('.') {
        Some(domain) => host == domain || host.ends_with(&cookie.domain),
        None => host == cookie.domain,
    };
    let path = url.path();
    let fits_path = path == cookie.path
        || path
            .strip_prefix(cookie.path.as_str())
            .is_some_and(|rest| cookie.path.ends_with('/') || rest.starts_with('/'));
    fits_host && fits_path && (!cookie.secure || url.scheme() == "https")
}

fn parsed(url: &Url, header: &str, now: u64) -> Option<Cookie> {
    let host = url.host_str()?;
    let mut parts = header.split(';');
    let pair = parts.next()?;
    let (name, value) = pair.split_once('=').unwrap_or(("", pair));
    let above = url.path().rsplit_once('/').map_or("", |(above, _)| above);
    let mut cookie = Cookie {
        name: name.trim().into(),
        value: value.trim().into(),
        domain: host.into(),
        path: if above.is_empty() { "/".into() } else { above.into() },
        expires: -1.0,
        http_only: false,
        secure: false,
        same_site: "Lax".into(),
    };
    let mut lives_for = None;
    for part in parts {
        let (word, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim();
        match word.trim().to_ascii_lowercase().as_str() {
            "domain" => {
                let domain = value.trim_start_matches('.').to_ascii_lowercase();
                let is_own = host == domain || host.ends_with(&format!(".{domain}"));
                // A whole top-level domain is nobody's.
                if domain.is_empty() || !is_own || (host != domain && !domain.contains('.')) {
                    return None;
                }
                cookie.domain = format!(".{domain}");
            }
            "path" if value.starts_with('/') => cookie.path = value.into(),
            "max-age" => lives_for = value.parse::<f64>().ok(),
            "expires" => cookie.expires = seconds(value).unwrap_or(-1.0),
            "httponly" => cookie.http_only = true,
            "secure" => cookie.secure = true,
            "samesite" => {
                cookie.same_site = match value.to_ascii_lowercase().as_str() {
                    "strict" => "Strict".into(),
                    "none" => "None".into(),
                    _ => "Lax".into(),
                };
            }
            _ => {}
        }
    }
    if let Some(seconds) = lives_for {
        cookie.expires = (now as f64 / 1_000.0 + seconds).max(0.0);
    }
    // Only a connection that nobody reads may set a cookie for such connections.
    (!cookie.secure || url.scheme() == "https").then_some(cookie)
}

/// Seconds since 1970 of a date such as `Thu, 01 Jan 1970 00:00:00 GMT`.
fn seconds(text: &str) -> Option<f64> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let text = text.replace('-', " ");
    let mut words = text.split_ascii_whitespace().skip(1);
    let day: i64 = words.next()?.parse().ok()?;
    let month = words.next()?.get(..3)?.to_ascii_lowercase();
    let month = i64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()? + 1;
    let year: i64 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (clock.next()??, clock.next()??, clock.next()??);
    let days = crate::dom::days_since_1970(year, month, day);
    Some((days * 86_400 + hours * 3_600 + minutes * 60 + seconds) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(headers: &[&str], at: &str, asked: &str, now: u64) -> String {
        let mut jar = Jar::default();
        let at = Url::parse(at).expect("a URL");
        headers.iter().for_each(|header| jar.keep(&at, header, 0));
        jar.header(&Url::parse(asked).expect("a URL"), now)
    }

    #[test]
    fn a_cookie_goes_back_to_where_it_came_from() {
        let page = "http://a.test/x/page";
        assert_eq!(jar(&["n=1; Path=/"], page, "http://a.test/y", 0), "n=1");
        assert_eq!(jar(&["n=1"], page, "http://a.test/x/z", 0), "n=1");
        assert_eq!(jar(&["n=1"], page, "http://a.test/xy", 0), "");
        assert_eq!(jar(&["n=1; Path=/"], page, "http://b.a.test/", 0), "");
        assert_eq!(jar(&["n=1; Path=/; Domain=a.test"], page, "http://b.a.test/", 0), "n=1");
        assert_eq!(jar(&["n=1; Path=/; Domain=b.test"], page, "http://b.test/", 0), "");
        assert_eq!(jar(&["n=1; Path=/; Domain=test"], page, "http://a.test/", 0), "");
        assert_eq!(jar(&["n=1; Path=/; Secure"], page, "https://a.test/", 0), "");
        assert_eq!(
            jar(&["a=1; Path=/", "b=2", "a=3; Path=/"], page, "http://a.test/x/", 0),
            "b=2; a=3"
        );
    }

    #[test]
    fn a_cookie_ends_in_virtual_time() {
        let page = "http://a.test/";
        assert_eq!(jar(&["n=1; Max-Age=10"], page, page, 9_999), "n=1");
        assert_eq!(jar(&["n=1; Max-Age=10"], page, page, 10_000), "");
        assert_eq!(jar(&["n=1", "n=; Max-Age=0"], page, page, 0), "");
        let dated = "n=1; Expires=Thu, 01 Jan 1970 00:01:00 GMT";
        assert_eq!(jar(&[dated], page, page, 59_999), "n=1");
        assert_eq!(jar(&[dated], page, page, 60_000), "");
    }
}
