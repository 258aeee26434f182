//! `snapshot`: the text of one page and nothing else.

use super::CommandError;
use crate::arm::Setup;
use crate::cli::{ArmName, SnapshotArgs};
use crate::session::Session;
use crate::site::Site;
use crate::with_arm;
use std::io::Write;
use std::path::Path;

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
    let text: Result<String, String> = with_arm!(args.arm, &setup, arm => Ok(Session::reader(&arm).snapshot(&url, args.max_tokens)))?;
    let text = text.map_err(CommandError::Failed)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").map_err(|error| CommandError::output(&error))?;
    Ok(true)
}
