//! A tiny HTTP server on 127.0.0.1 for pages under test, and the one request that attaching needs.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Most bytes of a request's head.
const HEAD_MAX: usize = 64 * 1024;

/// One answer of a [`LoopbackServer`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Status code.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: String,
    /// More header lines, without line ends.
    pub headers: Vec<String>,
    /// The body.
    pub body: Vec<u8>,
    /// Waits so long before it answers.
    pub latency: Duration,
}

impl Route {
    /// An HTML page.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            content_type: "text/html; charset=utf-8".into(),
            headers: Vec::new(),
            body: body.into(),
            latency: Duration::ZERO,
        }
    }

    /// A redirect.
    pub fn redirect(to: &str) -> Self {
        let headers = vec![format!("Location: {to}")];
        Self { status: 302, headers, ..Self::html("") }
    }

    /// Another status.
    #[must_use]
    pub fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// Slower.
    #[must_use]
    pub fn latency(self, latency: Duration) -> Self {
        Self { latency, ..self }
    }
}

#[derive(Debug, Default)]
struct Site {
    routes: Mutex<BTreeMap<String, Route>>,
    folder: Option<PathBuf>,
}

/// A server of pages; it ends when it is dropped. Routes first, then the files of its folder, else 404. The host that is
/// asked for does not matter.
#[derive(Debug)]
pub struct LoopbackServer {
    address: SocketAddr,
    site: Arc<Site>,
    accepting: JoinHandle<()>,
}

impl LoopbackServer {
    /// Starts a server at a free port.
    ///
    /// # Errors
    /// No port could be bound.
    pub async fn start(folder: Option<PathBuf>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let site = Arc::new(Site { routes: Mutex::default(), folder });
        let serving = site.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let site = serving.clone();
                // A client that goes away in the middle is no concern of the server.
                tokio::spawn(async move { drop(serve(stream, &site).await) });
            }
        });
        Ok(Self { address, site, accepting })
    }

    /// Answers a path (with its query, if that is to matter) with a route from now on.
    pub fn route(&self, path: &str, route: Route) {
        let mut routes = self.site.routes.lock().unwrap_or_else(PoisonError::into_inner);
        routes.insert(path.into(), route);
    }

    /// Answers a path with an HTML page from now on.
    pub fn page(&self, path: &str, html: &str) {
        self.route(path, Route::html(html));
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// URL of a path, which starts with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port())
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream, site: &Site) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if head.len() > HEAD_MAX || stream.read_buf(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let text = String::from_utf8_lossy(&head);
    let target = text.split(' ').nth(1).unwrap_or("/").to_string();
    let route = answer(site, &target);
    tokio::time::sleep(route.latency).await;
    let mut reply = format!(
        "HTTP/1.1 {} -\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n",
        route.status,
        route.content_type,
        route.body.len()
    );
    for line in &route.headers {
        reply.push_str(line);
        reply.push_str("\r\n");
    }
    reply.push_str("\r\n");
    stream.write_all(reply.as_bytes()).await?;
    stream.write_all(&route.body).await?;
    stream.shutdown().await
}

fn answer(site: &Site, target: &str) -> Route {
    let routes = site.routes.lock().unwrap_or_else(PoisonError::into_inner);
    let path = target.split(['?', '#']).next().unwrap_or_default();
    if let Some(route) = routes.get(target).or_else(|| routes.get(path)) {
        return route.clone();
    }
    site.folder
        .as_deref()
        .and_then(|folder| file(folder, path))
        .unwrap_or_else(|| Route::html("not found").status(404))
}

fn file(folder: &Path, path: &str) -> Option<Route> {
    let relative = PathBuf::from(percent_decoded(path.trim_start_matches('/')));
    // Nothing outside the folder.
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let body = std::fs::read(folder.join(&relative)).ok()?;
    let content_type = match relative.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "txt" => "text/plain; charset=utf-8",
        "xhtml" => "application/xhtml+xml",
        _ => "application/octet-stream",
    };
    Some(Route { content_type: content_type.into(), ..Route::html(body) })
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The body of a plain `http:` URL.
///
/// # Errors
/// What failed, in words.
pub(crate) async fn get(url: &str) -> Result<Vec<u8>, String> {
    let rest = url.strip_prefix("http://").ok_or("it is not an http: URL")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let address =
        if authority.contains(':') { authority.into() } else { format!("{authority}:80") };
    let mut stream = TcpStream::connect(&address).await.map_err(|e| e.to_string())?;
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|e| e.to_string())?;
    let mut reply = Vec::new();
    // The browser may keep the connection open: the length says where the body ends.
    loop {
        if let Some(body) = whole_body(&reply) {
            return Ok(body.to_vec());
        }
        if stream.read_buf(&mut reply).await.map_err(|e| e.to_string())? == 0 {
            let start = body_start(&reply).ok_or("it gave no HTTP answer")?;
            return Ok(reply[start..].to_vec());
        }
    }
}

fn body_start(reply: &[u8]) -> Option<usize> {
    reply.windows(4).position(|end| end == b"\r\n\r\n").map(|at| at + 4)
}

fn whole_body(reply: &[u8]) -> Option<&[u8]> {
    let start = body_start(reply)?;
    let head = String::from_utf8_lossy(&reply[..start]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
    let length: usize = length.trim().parse().ok()?;
    reply.get(start..start.checked_add(length)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_outside_the_folder_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(file(&folder, "/lib.rs").is_some());
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/hostname", "/", "/%"] {
            assert!(file(&folder, path).is_none(), "{path}");
        }
    }
}
