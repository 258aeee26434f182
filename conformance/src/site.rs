//! The site that both arms see: a folder under hosts that end in `.test`.

use crate::command::CommandError;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Host of the pages.
pub(crate) const HOST: &str = "fixtures.test";

/// A folder as a site. Every host under `.test` shows it, so that a page can embed itself from another origin.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    folder: PathBuf,
}

impl Site {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.into() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// URL of a file below the folder.
    pub(crate) fn url(&self, file: &Path) -> String {
        let below = file.strip_prefix(&self.folder).unwrap_or(file);
        let path: Vec<String> = below
            .components()
            .filter_map(|part| match part {
                Component::Normal(name) => Some(escaped(&name.to_string_lossy())),
                _ => None,
            })
            .collect();
        format!("http://{HOST}/{}", path.join("/"))
    }

    /// Content type and bytes of what a URL path names, if it is a file below the folder.
    pub(crate) fn read(&self, path: &str) -> Option<(String, Vec<u8>)> {
        let plain = unescaped(path.split(['?', '#']).next().unwrap_or_default());
        let below = Path::new(plain.trim_start_matches('/'));
        let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
        let file = self.folder.join(below);
        let bytes = is_below.then(|| fs::read(&file).ok()).flatten()?;
        Some((content_type(&file).into(), bytes))
    }
}

/// The folder that is served, and the pages in it.
pub(crate) fn pages(path: &Path) -> Result<(PathBuf, Vec<PathBuf>), CommandError> {
    if path.is_file() {
        let root = path.parent().unwrap_or(Path::new("")).to_owned();
        return Ok((root, vec![path.to_owned()]));
    }
    let mut found = Vec::new();
    gather(path, &mut found)?;
    found.sort();
    Ok((path.to_owned(), found))
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    for entry in fs::read_dir(folder).map_err(|error| CommandError::file(folder, error))? {
        let path = entry.map_err(|error| CommandError::file(folder, error))?.path();
        if path.is_dir() {
            gather(&path, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html" || extension == "htm")
        {
            found.push(path);
        }
    }
    Ok(())
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

fn escaped(name: &str) -> String {
    name.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
        out
    })
}

fn unescaped(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match pair.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_survives_the_url() {
        let folder = std::env::temp_dir();
        let site = Site::new(&folder);
        let url = site.url(&folder.join("a b/ü%.html"));
        assert_eq!(url, "http://fixtures.test/a%20b/%C3%BC%25.html");
        assert_eq!(unescaped("/a%20b/%C3%BC%25.html"), "/a b/ü%.html");
    }

    #[test]
    fn nothing_above_the_folder_is_read() {
        let site = Site::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").as_path());
        assert!(site.read("/main.rs").is_some());
        assert!(site.read("/../Cargo.toml").is_none());
        assert!(site.read("/%2e%2e/Cargo.toml").is_none());
    }
}
