//! `snapshot`: the text of one page and nothing else.

use super::CommandError;
use crate::arm::{Arm, Setup};
use crate::cli::{ArmName, SnapshotArgs};
use crate::session::Session;
use crate::site::Site;
use crate::with_arm;
use backlot_core::aria::AriaFrame;
use backlot_core::page::CaptureSpec;
use std::io::Write;
use std::path::Path;

/// Most notes that are printed, about.
const NOTES_MAX: usize = 1_000;

pub(crate) fn snapshot(args: &SnapshotArgs) -> Result<bool, CommandError> {
    let is_url = args.page.starts_with("http://") || args.page.starts_with("https://");
    if is_url && args.arm == ArmName::Sim {
        return Err(CommandError::Usage(
            "the simulated browser has no network: use --arm cdp for a URL".into(),
        ));
    }
    let file = Path::new(&args.page);
    if !is_url && !file.is_file() {
        return Err(CommandError::Usage(format!(
            "{} is neither a file nor an http or https URL",
            args.page
        )));
    }
    let site = Site::new(file.parent().filter(|_| !is_url).unwrap_or(Path::new(".")));
    let url = if is_url { args.page.clone() } else { site.url(file) };
    let setup = Setup::reader(&site, true);
    let (text, notes) =
        with_arm!(args.arm, &setup, arm => read(&Session::reader(&arm), &url, args))?;
    let mut told = std::io::stderr().lock();
    for note in notes {
        writeln!(told, "{note}").map_err(|error| CommandError::output(&error))?;
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").map_err(|error| CommandError::output(&error))?;
    Ok(true)
}

/// The snapshot, and the notes where they are asked for.
fn read<A: Arm>(
    session: &Session<'_, A>,
    url: &str,
    args: &SnapshotArgs,
) -> Result<(String, Vec<String>), CommandError> {
    let text = session.snapshot(url, args.max_tokens).map_err(CommandError::Failed)?;
    if !args.notes {
        return Ok((text, Vec::new()));
    }
    let capture = session.captured(CaptureSpec::TEXT)?;
    let mut notes = Vec::new();
    for frame in &capture.frames {
        let aria = AriaFrame::new(frame);
        for (at, _) in (0..).zip(&frame.nodes) {
            let Some(element) = frame.element(at) else { continue };
            let id = element.attr("id").map(|id| format!("#{id}")).unwrap_or_default();
            let told =
                aria.notes(at).into_iter().map(|note| format!("{}{id}: {note}", element.tag));
            notes.extend(told);
            if notes.len() >= NOTES_MAX {
                notes.push("more notes are left out".into());
                return Ok((text, notes));
            }
        }
    }
    Ok((text, notes))
}
