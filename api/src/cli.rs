//! The command line.

mod classify;
mod token;

use crate::settings::Settings;
use crate::{demo, serve};
use clap::{Parser, Subcommand};
use eventlog::Log;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

/// The command was carried out and says no: a line of input was malformed, a check failed.
pub const FAILED: u8 = 1;
/// The command cannot be carried out as configured; the message says what to change.
pub const REFUSED: u8 = 2;

#[derive(Parser)]
#[command(name = "hallpass", version, about = "Time-boxed permission for agents that drive a real browser")]
struct Arguments {
    /// Settings in a TOML file; the environment wins.
    #[arg(long, global = true, env = "HALLPASS_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the control plane.
    Serve {
        /// Validate the settings and exit.
        #[arg(long)]
        check: bool,
        /// Serve the bundled lesson site over local HTTPS and allow tasks in it (development only).
        #[arg(long)]
        with_lesson_site: bool,
    },
    /// Run the bundled lesson end to end in a real browser, on a temporary database.
    Demo(demo::Options),
    /// Classify JSON Lines from standard input.
    Classify,
    /// Create, list or revoke API tokens.
    #[command(subcommand)]
    Token(token::Command),
    /// Bring the database's schema up to date and exit.
    Migrate,
    /// Look at the read models, or rebuild them from the log.
    #[command(subcommand)]
    Projections(Projections),
}

#[derive(Clone, Copy, Subcommand)]
enum Projections {
    /// Drop what the log can give again, and build it anew.
    Rebuild,
    /// Say how far the read models are.
    Status,
}

/// Reads the arguments and runs the command.
pub async fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { REFUSED } else { 0 });
        }
    };
    start_tracing();
    match arguments.command {
        Command::Classify => classify::run(),
        Command::Demo(options) => demo::run(&options).await,
        Command::Serve { check, with_lesson_site } => serve::run(arguments.config.as_deref(), check, with_lesson_site).await,
        Command::Token(command) => with_log(arguments.config, async |log| token::run(&log, command).await).await,
        Command::Migrate => with_log(arguments.config, async |_| done("the schema is up to date")).await,
        Command::Projections(command) => with_log(arguments.config, async |log| projections(&log, command).await).await,
    }
}

/// One line on standard error, and the status that says why.
pub fn refuse(status: u8, message: impl Display) -> ExitCode {
    eprintln!("hallpass: {message}");
    ExitCode::from(status)
}

fn done(message: &str) -> ExitCode {
    eprintln!("hallpass: {message}");
    ExitCode::SUCCESS
}

async fn with_log(config: Option<PathBuf>, command: impl AsyncFnOnce(Log) -> ExitCode) -> ExitCode {
    let settings = match Settings::load(config.as_deref()) {
        Ok(settings) => settings,
        Err(error) => return refuse(REFUSED, error),
    };
    match serve::open_log(&settings.database_url).await {
        Ok(log) => command(log).await,
        Err(error) => refuse(REFUSED, error),
    }
}

async fn projections(log: &Log, command: Projections) -> ExitCode {
    let tenants = match log.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => return refuse(FAILED, error),
    };
    for tenant in tenants {
        if matches!(command, Projections::Rebuild)
            && let Err(error) = projections::rebuild(log, &tenant).await
        {
            return refuse(FAILED, error);
        }
        match (log.head(&tenant).await, projections::digest(log, &tenant).await) {
            (Ok(head), Ok(digest)) => println!("{}", serde_json::json!({"tenant": tenant, "position": head, "digest": digest})),
            (Err(error), _) | (_, Err(error)) => return refuse(FAILED, error),
        }
    }
    ExitCode::SUCCESS
}

/// Logs go to standard error; standard output belongs to answers.
fn start_tracing() {
    let filter =
        tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,api=info"));
    let started = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    if started.is_err() {
        eprintln!("hallpass: logging was started already");
    }
}
