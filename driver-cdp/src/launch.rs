//! Finds, starts and ends a browser of our own.
//!
//! The process is started here and not by chromiumoxide's `BrowserConfig`: that offers no process group to kill as a whole,
//! always adds arguments of its own, and adopts a shared profile folder when it is given none.

use crate::watchdog::Watchdog;
use backlot_core::port::DriverError;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};

/// Environment variable that names the browser program.
pub const PROGRAM_VARIABLE: &str = "BACKLOT_CHROMIUM";
/// Program names looked for in `PATH`, in this order.
const PROGRAMS: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/// Longest start-up, until the browser names its endpoint.
const START_MAX: Duration = Duration::from_secs(30);
/// Longest orderly end before the browser is killed.
const END_MAX: Duration = Duration::from_secs(3);
/// Lines of the browser's error output that are kept for a failed start.
const LAST_LINES: usize = 8;

/// How to launch a browser.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program; `None`: [`PROGRAM_VARIABLE`], then the usual names in `PATH`.
    pub program: Option<PathBuf>,
    /// No window on a screen.
    pub headless: bool,
    /// More arguments, as they are.
    pub extra_args: Vec<String>,
    /// More environment variables.
    pub env: Vec<(String, String)>,
    /// The text-metrics profile of conformance: 1280x720 viewport, device pixel ratio 1, no scrollbars, no fonts but
    /// the system's, UTC, en-US.
    pub deterministic: bool,
    /// A script for the main world of every new document, in every frame.
    pub new_document_script: Option<String>,
    /// Name of a function in every main world whose calls are collected
    /// ([`crate::CdpBrowser::binding_calls`]).
    pub binding: Option<String>,
    /// Pages run no scripts.
    pub scripts_disabled: bool,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            program: None,
            headless: true,
            extra_args: Vec::new(),
            env: Vec::new(),
            deterministic: false,
            new_document_script: None,
            binding: None,
            scripts_disabled: false,
        }
    }
}

/// A running browser of ours.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pid: u32,
    profile: PathBuf,
    watchdog: Watchdog,
    /// The browser's WebSocket.
    pub(crate) endpoint: String,
}

impl Process {
    /// Starts a browser and waits until it names its endpoint.
    pub(crate) async fn start(options: &LaunchOptions) -> Result<Self, DriverError> {
        let program = find_program(options.program.as_deref())?;
        let failed = |reason: String| DriverError::LaunchFailed { reason };
        let profile = fresh_profile().map_err(|e| failed(format!("no profile folder: {e}")))?;
        let root = is_root();
        if root && !options.extra_args.iter().any(|arg| arg == "--no-sandbox") {
            eprintln!("backlot: running as root, where Chromium refuses its sandbox: it is off");
        }
        let mut command = Command::new(&program);
        command
            .args(arguments(options, &profile, root))
            .envs(options.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0);
        if options.deterministic {
            command.env("TZ", "UTC").env("LANG", "en_US.UTF-8").env("LANGUAGE", "en_US");
        }
        let started = command.spawn().map_err(|e| failed(format!("{}: {e}", program.display())));
        let mut child = match started {
            Ok(child) => child,
            Err(error) => {
                let _ = std::fs::remove_dir_all(&profile);
                return Err(error);
            }
        };
        // A child that was not waited for has its number.
        let pid = child.id().unwrap_or_default();
        let watchdog =
            Watchdog::start(pid, &profile).map_err(|e| failed(format!("no watchdog: {e}")))?;
        let stderr = child.stderr.take();
        let endpoint = match stderr {
            Some(stderr) => tokio::time::timeout(START_MAX, endpoint(stderr)).await,
            None => Ok(Err("its error output cannot be read".into())),
        };
        match endpoint {
            Ok(Ok(endpoint)) => Ok(Self { child, pid, profile, watchdog, endpoint }),
            Ok(Err(reason)) => Err(failed(reason)),
            Err(_) => Err(failed(format!("it named no endpoint within {} s", START_MAX.as_secs()))),
        }
    }

    /// The browser's process number.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// The profile folder.
    pub(crate) fn profile(&self) -> &Path {
        &self.profile
    }

    /// Waits for the end of a browser that was asked to close, then removes what is left of it.
    pub(crate) async fn end(mut self) {
        let ended = tokio::time::timeout(END_MAX, self.child.wait()).await;
        if matches!(ended, Ok(Ok(_))) {
            self.watchdog.done();
        } else {
            // The watchdog kills the group; a killed process may still take a moment to end.
            drop(self.watchdog);
            let _ = tokio::time::timeout(END_MAX, self.child.wait()).await;
        }
    }
}

fn find_program(given: Option<&Path>) -> Result<PathBuf, DriverError> {
    if let Some(given) = given {
        let missing = || DriverError::BrowserNotFound { looked_at: given.display().to_string() };
        return if given.is_file() { Ok(given.into()) } else { Err(missing()) };
    }
    if let Some(named) = std::env::var_os(PROGRAM_VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return if named.is_file() {
            Ok(named)
        } else {
            let looked_at = format!("{PROGRAM_VARIABLE}={}", named.display());
            Err(DriverError::BrowserNotFound { looked_at })
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for name in PROGRAMS {
        for folder in std::env::split_paths(&path) {
            let program = folder.join(name);
            if program.is_file() {
                return Ok(program);
            }
        }
    }
    let looked_at = format!("{PROGRAM_VARIABLE}, and {} in PATH", PROGRAMS.join(", "));
    Err(DriverError::BrowserNotFound { looked_at })
}

fn arguments(options: &LaunchOptions, profile: &Path, root: bool) -> Vec<String> {
    let mut args: Vec<String> = [
        "--remote-debugging-port=0",
        "--no-startup-window",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-gpu",
        "--disable-quic",
        "--disable-sync",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-domain-reliability",
        "--disable-client-side-phishing-detection",
        "--disable-hang-monitor",
        "--disable-popup-blocking",
        "--disable-renderer-backgrounding",
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-ipc-flooding-protection",
        "--metrics-recording-only",
        "--mute-audio",
        "--password-store=basic",
        "--use-mock-keychain",
        // A document that leaves the active tree never comes back: node keys stay dead.
        "--disable-features=BackForwardCache,Prerender2,Translate,MediaRouter,OptimizationHints,\
         HttpsUpgrades",
    ]
    .map(String::from)
    .into();
    args.push(format!("--user-data-dir={}", profile.display()));
    if options.headless {
        args.push("--headless=new".into());
    }
    if root {
        args.push("--no-sandbox".into());
    }
    if options.deterministic {
        args.extend(
            [
                "--window-size=1280,720",
                "--force-device-scale-factor=1",
                "--hide-scrollbars",
                // Fonts that pages bring along measure otherwise.
                "--disable-remote-fonts",
                "--lang=en-US",
            ]
            .map(String::from),
        );
    }
    args.extend(options.extra_args.iter().cloned());
    args
}

/// The endpoint that the browser prints; otherwise its last words.
async fn endpoint(stderr: ChildStderr) -> Result<String, String> {
    let mut last: VecDeque<String> = VecDeque::new();
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(endpoint) = line.strip_prefix("DevTools listening on ") {
            let endpoint = endpoint.trim().to_string();
            // The pipe must be read on, or the browser blocks on it one day.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(endpoint);
        }
        if last.len() == LAST_LINES {
            last.pop_front();
        }
        last.push_back(line);
    }
    let words: Vec<&str> = last.iter().map(String::as_str).collect();
    Err(if words.is_empty() {
        "it ended without a word".into()
    } else {
        format!("it ended and said: {}", words.join(" | "))
    })
}

fn fresh_profile() -> std::io::Result<PathBuf> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let name = format!("backlot-{}-{:016x}", std::process::id(), u64::from_le_bytes(bytes));
    let folder = std::env::temp_dir().join(name);
    std::os::unix::fs::DirBuilderExt::mode(&mut std::fs::DirBuilder::new(), 0o700)
        .create(&folder)?;
    Ok(folder)
}

/// Whether this process runs as root, told from the owner of its own entry in the process table.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|entry| entry.uid() == 0)
}
