//! `backlot`: browser tools for agents, on live Chromium.

mod actor;
mod cli;
mod lines;
mod server;
mod stage;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let outcome = match cli.command {
        cli::Command::Mcp(args) => server::serve(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("backlot: {error:#}");
            ExitCode::FAILURE
        }
    }
}
