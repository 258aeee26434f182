//! The commands, and how they fail.

pub(crate) mod compare;
#[cfg(feature = "live")]
pub(crate) mod oracle;
pub(crate) mod run;
pub(crate) mod snapshot;
pub(crate) mod vectors;

use std::fmt;
use std::path::Path;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// What was typed cannot be done.
    Usage(String),
    /// No browser program.
    #[cfg_attr(
        not(feature = "live"),
        expect(dead_code, reason = "only the live arm looks for a browser")
    )]
    NoBrowser(String),
    /// Something else: a file that cannot be read, a browser that does not start.
    Failed(String),
}

impl CommandError {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::NoBrowser(_) => 3,
        }
    }

    pub(crate) fn file(path: &Path, error: impl fmt::Display) -> Self {
        Self::Failed(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Failed(text) => f.write_str(text),
            Self::NoBrowser(looked_at) => write!(
                f,
                "no Chromium or Chrome was found ({looked_at}); install it (Debian: apt-get install chromium) or name \
                 one by BACKLOT_CHROMIUM"
            ),
        }
    }
}
