//! The `hallpass-runtime` program.

use browser_runtime::config::Settings;
use browser_runtime::serve::{self, Start};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Exit status for settings that cannot be used.
const BAD_SETTINGS: u8 = 2;

/// The isolated browser runtime of Hallpass.
#[derive(Debug, Parser)]
#[command(name = "hallpass-runtime", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve browser leases to the control plane.
    Serve {
        /// End, with every browser, when standard input ends.
        #[arg(long)]
        exit_with_parent: bool,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let Verb::Serve { exit_with_parent } = Arguments::parse().verb;
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let settings = match Settings::read(|name| std::env::var_os(name)) {
        Ok(settings) => settings,
        Err(error) => return fail(&error, BAD_SETTINGS),
    };
    match serve::run(settings, Start { exit_with_parent }).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error, 1),
    }
}

/// One line that says what to do.
fn fail(error: &dyn std::error::Error, status: u8) -> ExitCode {
    eprintln!("hallpass-runtime: {error}");
    ExitCode::from(status)
}
