//! `backlot-conformance`: one suite, two arms.
//!
//! Exit codes: 0 all as expected, 1 something is not, 2 usage, 3 no browser found.

mod accepted;
mod accessible;
mod arm;
mod cli;
mod client;
mod command;
mod fault;
mod fill;
mod fuzz;
mod normalise;
#[cfg(feature = "live")]
mod oracle;
mod pattern;
mod report;
mod session;
mod site;
mod text_diff;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Usage errors leave with code 2 by clap itself.
    let cli = cli::Cli::parse();
    let outcome = match &cli.command {
        None => command::run::run(&cli.run),
        Some(cli::Command::Run(args)) => command::run::run(args),
        Some(cli::Command::Boxes(args)) => command::boxes::boxes(args),
        Some(cli::Command::Compare(args)) => command::compare::compare(args),
        #[cfg(feature = "live")]
        Some(cli::Command::Oracle(args)) => command::oracle::oracle(args),
        #[cfg(not(feature = "live"))]
        Some(cli::Command::Oracle(_)) => Err(arm::not_live()),
        Some(cli::Command::Playwright(args)) => command::playwright::playwright(args),
        Some(cli::Command::Vectors(args)) => command::vectors::vectors(args),
        Some(cli::Command::Fuzz(args)) => command::fuzz::fuzz(args),
        Some(cli::Command::Mutants(args)) => command::mutants::mutants(args),
        Some(cli::Command::Snapshot(args)) => command::snapshot::snapshot(args),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // As of a pipe into `head`: there is nobody to tell.
        Err(error @ command::CommandError::OutputClosed) => ExitCode::from(error.exit_code()),
        Err(error) => {
            eprintln!("backlot-conformance: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
