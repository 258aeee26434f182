//! Whatever ends this process ends its browser: a small shell waits on a pipe from us.
//!
//! When the pipe ends without the word `done`, the shell kills the browser's process group; in both cases it deletes the
//! profile folder. No signal can keep it from that: the kernel closes the pipe of a killed process.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const SCRIPT: &str = r#"
word=""
read -r word
if [ "$word" != done ]; then kill -s KILL -- "-$1" 2>/dev/null; fi
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  rm -rf -- "$2" 2>/dev/null
  [ -e "$2" ] || exit 0
  sleep 0.1
done
"#;

/// The waiting shell.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
}

impl Watchdog {
    /// Watches over a browser that leads the process group `pid`, and over its profile folder.
    pub(crate) fn start(pid: u32, profile: &Path) -> std::io::Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT, "backlot-watchdog", &pid.to_string()])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A group of its own: an interrupt typed at the terminal must not end the watchdog first.
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }

    /// The browser has ended and was waited for: only the folder is left to delete.
    pub(crate) fn done(&mut self) {
        if let Some(mut pipe) = self.shell.stdin.take() {
            // A watchdog that is gone has nothing left to do.
            let _ = pipe.write_all(b"done\n");
        }
        let _ = self.shell.wait();
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // Ends the pipe; the shell kills what still runs.
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}
