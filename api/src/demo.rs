//! `hallpass demo`: an agent works through the bundled lesson in a real browser while an owner
//! answers its cards, all through the public HTTP API, on a database of its own.

mod agent;
mod client;
mod lesson;
mod owner;
mod replay;
mod summary;

use crate::cli::{FAILED, refuse};
use crate::lesson_site::LessonSite;
use crate::random::new_uuid;
use crate::scopes::{Holder, Scope};
use crate::serve::Server;
use crate::settings::Settings;
use crate::tokens::{self, NewToken};
use client::Client;
use domain::id::{PrincipalId, TenantId};
use std::collections::BTreeMap;
use std::process::ExitCode;
use thiserror::Error;

/// How the demo runs.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Answer the card with an owner's token instead of waiting for a person in the console.
    #[arg(long)]
    auto: bool,
    /// Print one summary object as JSON.
    #[arg(long)]
    json: bool,
    /// Repeat a cheap covered action this many times, so that the 201st asks.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000))]
    fast_actions: u32,
}

/// Why the demo did not reach its end.
#[derive(Debug, Error)]
pub enum DemoError {
    /// The control plane, the browser or the site did not start.
    #[error("{0}")]
    Start(String),
    /// A request was not answered as the demo needs it.
    #[error("{0}")]
    Request(String),
    /// The lesson's page is not what the agent can follow.
    #[error("the agent is lost in the lesson: {0}")]
    Lost(String),
}

/// Everything that the demo's roles share.
struct Stage {
    owner: Client,
    agent: Client,
    site: String,
}

/// Runs the demo and prints what came of it.
pub async fn run(options: &Options) -> ExitCode {
    match play(options).await {
        Ok(summary) if options.json => {
            println!("{}", summary.json());
            if summary.holds() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
        }
        Ok(summary) => {
            print!("{}", summary.text());
            if summary.holds() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
        }
        Err(error) => refuse(FAILED, error),
    }
}

async fn play(options: &Options) -> Result<summary::Summary, DemoError> {
    let start = |error: &dyn std::fmt::Display| DemoError::Start(error.to_string());
    let folder = tempfile::tempdir().map_err(|error| start(&error))?;
    let site = LessonSite::start(0).await.map_err(|error| start(&error))?;
    let settings = settings(&folder.path().join("demo.db"), &site)?;
    let server = Server::start(&settings).await.map_err(|error| start(&error))?;
    let played = on_stage(options, &server, &site).await;
    server.stop().await;
    played
}

/// A temporary SQLite file, or, where the environment names a PostgreSQL server, a tenant of its
/// own there.
fn settings(file: &std::path::Path, site: &LessonSite) -> Result<Settings, DemoError> {
    let named = std::env::var("HALLPASS_DATABASE_URL").ok().filter(|url| url.starts_with("postgres"));
    let database = named.unwrap_or_else(|| format!("sqlite://{}", file.display()));
    let scope = format!("{}/lesson", site.origin());
    let values = [
        ("HALLPASS_DATABASE_URL", database.as_str()),
        ("HALLPASS_LISTEN", "127.0.0.1:0"),
        ("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES", "1"),
        ("BROWSER_TASK_GRANTS_ENABLED", "1"),
        ("BROWSER_TASK_GRANT_SCOPES", scope.as_str()),
    ];
    let values: BTreeMap<String, String> = values.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Settings::from_values(&values).map_err(|error| DemoError::Start(error.to_string()))
}

async fn on_stage(options: &Options, server: &Server, site: &LessonSite) -> Result<summary::Summary, DemoError> {
    let start = |error: &dyn std::fmt::Display| DemoError::Start(error.to_string());
    let tenant: TenantId = format!("demo-{}", new_uuid()).parse().map_err(|error| start(&error))?;
    let principal: PrincipalId = "owner".parse().map_err(|error| start(&error))?;
    let base = format!("http://{}", server.address);
    let token = async |name: &str, holder, scopes: &[Scope]| {
        let new = NewToken { tenant: tenant.clone(), principal: principal.clone(), name: name.to_owned(), holder, scopes: scopes.to_vec() };
        tokens::create(&server.app.log, &new).await.map(|(_, secret)| secret).map_err(|error| start(&error))
    };
    let owner = token("owner", Holder::Owner, &Scope::CONSOLE).await?;
    let agent = token("agent", Holder::Agent, &[Scope::SessionWrite, Scope::ToolCall]).await?;
    let stage = Stage { owner: Client::new(&base, &owner)?, agent: Client::new(&base, &agent)?, site: site.origin().to_owned() };
    if !options.auto {
        let link = server.app.console.issue_link(tenant, principal);
        eprintln!("Open the owner console and answer the card: {base}/console/sign-in/{link}");
    }
    agent::work(&stage, options).await
}
