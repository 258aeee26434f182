//! What can be typed.

use backlot_core::gatekeeper::Policy;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Browser tools for LLM agents.
#[derive(Debug, Parser)]
#[command(name = "backlot", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serves the tools over MCP on standard input and output. The browser starts at the first call that needs it.
    Mcp(McpArgs),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct McpArgs {
    /// Which tools to serve.
    #[arg(long, value_enum, default_value = "catalog")]
    pub(crate) surface: SurfaceName,
    /// Attach to a running browser (http://127.0.0.1:PORT or its ws: URL) and leave it running at the end.
    #[arg(long, value_name = "ENDPOINT")]
    pub(crate) cdp: Option<String>,
    /// What happens to calls that no rule speaks about.
    #[arg(long, value_enum, default_value = "untrusted")]
    pub(crate) policy: PolicyName,
    /// Browser program; else BACKLOT_CHROMIUM, else chromium, google-chrome or chrome in PATH.
    #[arg(long, value_name = "PROGRAM", conflicts_with = "cdp")]
    pub(crate) chromium: Option<PathBuf>,
    /// Show the browser's window.
    #[arg(long, conflicts_with = "cdp")]
    pub(crate) headed: bool,
    /// A host that the toolkit's pages may show, or *.example.com for what lies below one; may be given again. All may be shown
    /// unless this is given.
    #[arg(long, value_name = "HOST")]
    pub(crate) allowed_domain: Vec<String>,
    /// A host that they may not show.
    #[arg(long, value_name = "HOST")]
    pub(crate) blocked_domain: Vec<String>,
    /// Offer the catalog's tools of level L2 too (trusted input).
    #[arg(long)]
    pub(crate) l2: bool,
}

/// A tool set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurfaceName {
    /// Many small tools over the tabs of one browser.
    Catalog,
    /// Six tools over sessions, with Playwright code bodies.
    Toolkit,
    /// One tool `browser` with many actions.
    Browser,
}

/// A policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyName {
    /// Every call asks.
    Always,
    /// Reads are free, writes ask.
    Untrusted,
    /// Reads and writes are free.
    Auto,
}

impl From<PolicyName> for Policy {
    fn from(name: PolicyName) -> Self {
        match name {
            PolicyName::Always => Self::Always,
            PolicyName::Untrusted => Self::Untrusted,
            PolicyName::Auto => Self::Auto,
        }
    }
}
