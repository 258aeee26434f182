//! The commands, and how they fail.

pub(crate) mod boxes;
pub(crate) mod compare;
pub(crate) mod fuzz;
pub(crate) mod mutants;
#[cfg(feature = "live")]
pub(crate) mod oracle;
pub(crate) mod playwright;
mod roots;
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
    /// Nobody reads standard output any more.
    OutputClosed,
    /// Something else: a file that cannot be read, a browser that does not start.
    Failed(String),
}

impl CommandError {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(_) | Self::OutputClosed => 1,
            Self::Usage(_) => 2,
            Self::NoBrowser(_) => 3,
        }
    }

    /// A path that was typed and is not there.
    pub(crate) fn check_exists(path: &Path) -> Result<(), Self> {
        match path.exists() {
            true => Ok(()),
            false => Err(Self::Usage(format!("{}: no such file or folder", path.display()))),
        }
    }

    pub(crate) fn output(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Failed(format!("standard output: {error}")),
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
            Self::OutputClosed => f.write_str("standard output was closed"),
            Self::NoBrowser(looked_at) => write!(
                f,
                "no Chromium or Chrome was found ({looked_at}); install it (Debian: apt-get install chromium) or name \
                 one by BACKLOT_CHROMIUM"
            ),
        }
    }
}
