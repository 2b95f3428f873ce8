//! `hallpass serve`: settings, log, runtime, recovery, routes, and an orderly end.

use crate::app::{App, Shared};
use crate::cli::{FAILED, REFUSED, refuse};
use crate::commands::sweep::{Sweep, is_due};
use crate::console::sign_in::ConsoleSessions;
use crate::http;
use crate::lesson_site::LessonSite;
use crate::pipeline::recovery;
use crate::pipeline::session_worker::WorkerContext;
use crate::pipeline::sessions::{Results, Sessions};
use crate::random::{new_uuid, random_bytes};
use crate::runtime::client::Endpoint;
use crate::runtime::{RuntimeClient, Supervisor, supervisor};
use crate::settings::Settings;
use domain::event::Actor;
use domain::id::{CommandId, PrincipalId, TenantId};
use eventlog::{Log, OpenError, Options, WorkError};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Pause between two sweeps: the interval of the approval reaper (GRA-9).
const SWEEP_PAUSE: Duration = Duration::from_secs(5);
/// Time for running requests to end after the stop was asked for.
const STOP_SECS_MAX: u64 = 10;
/// Tenant and principal of the sign-in link that is printed at start.
const FIRST_OWNER: (&str, &str) = ("default", "owner");

/// A control plane that runs until it is stopped.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its state.
    pub app: App,
    supervisor: Option<Supervisor>,
    stop: watch::Sender<bool>,
    serving: JoinHandle<std::io::Result<()>>,
    sweeping: JoinHandle<()>,
}

/// Why it does not start. Each message says what to do.
#[derive(Debug, Error)]
pub enum StartError {
    /// The database.
    #[error("{0}")]
    Database(#[from] OpenError),
    /// The address.
    #[error("HALLPASS_LISTEN: {0} cannot be listened on ({1}); is another process using it?")]
    Listen(SocketAddr, std::io::Error),
    /// The runtime.
    #[error("{0}")]
    Runtime(#[from] supervisor::StartError),
    /// The HTTP client of the runtime.
    #[error("the HTTP client cannot be built: {0}")]
    Client(#[from] reqwest::Error),
    /// This program's own place.
    #[error("this program cannot tell where it is, so the runtime beside it cannot be found: {0}")]
    Place(std::io::Error),
    /// Settling what a restart interrupted.
    #[error("the log cannot be brought up to date: {0}")]
    Recovery(WorkError),
}

/// Opens the log with the read models that belong to it.
///
/// # Errors
/// As told by [`OpenError`].
pub async fn open_log(url: &str) -> Result<Log, OpenError> {
    open_log_with(url, Options::default()).await
}

async fn open_log_with(url: &str, options: Options) -> Result<Log, OpenError> {
    Log::open(url, Options { inline: vec![Arc::new(projections::ReadModels)], ..options }).await
}

impl Server {
    /// Starts everything. Nothing is left running when it fails.
    ///
    /// # Errors
    /// As told by [`StartError`].
    pub async fn start(settings: &Settings) -> Result<Self, StartError> {
        Self::start_with(settings, Options::default()).await
    }

    /// As [`Server::start`], with another clock or other waiting times for the log. Its read models
    /// are always the ones of this program.
    ///
    /// # Errors
    /// As told by [`StartError`].
    pub async fn start_with(settings: &Settings, log: Options) -> Result<Self, StartError> {
        // The address first: a second process on the same port must not touch the first one's log.
        let listener = TcpListener::bind(settings.listen).await.map_err(|error| StartError::Listen(settings.listen, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(settings.listen, error))?;
        let log = open_log_with(&settings.database_url, log).await?;
        let (supervisor, endpoint) = runtime(settings).await?;
        Self::assemble(settings, listener, address, log, supervisor, endpoint).await
    }

    async fn assemble(
        settings: &Settings,
        listener: TcpListener,
        address: SocketAddr,
        log: Log,
        supervisor: Option<Supervisor>,
        endpoint: watch::Receiver<Option<Endpoint>>,
    ) -> Result<Self, StartError> {
        let runtime = RuntimeClient::new(endpoint)?;
        let (results, grants) = (Results::default(), Shared::grant_settings(settings));
        let sessions = Sessions::new(WorkerContext {
            log: log.clone(),
            runtime: runtime.clone(),
            results: results.clone(),
            grants: grants.clone(),
            digest_key: random_bytes(),
        });
        recovery::settle(&log, &sessions).await.map_err(StartError::Recovery)?;
        let (stop, stopped) = watch::channel(false);
        let app: App = Arc::new(Shared {
            log: log.clone(),
            sessions,
            results,
            runtime,
            grants,
            host_rule: settings.host_rule(),
            console: ConsoleSessions::default(),
            hosts: http::allowed_hosts(address, &settings.allowed_hosts),
            stopping: stopped.clone(),
        });
        let serving = tokio::spawn(serve(listener, http::router(app.clone()), stopped.clone()));
        let sweeping = tokio::spawn(sweep(log, stopped));
        Ok(Self { address, app, supervisor, stop, serving, sweeping })
    }

    /// Stops taking requests, lets running ones end, ends the runtime and its browsers.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        if tokio::time::timeout(Duration::from_secs(STOP_SECS_MAX), self.serving).await.is_err() {
            tracing::warn!("some requests did not end in time");
        }
        let _ = self.sweeping.await;
        // The browsers of this process are let go even where the runtime lives on.
        if tokio::time::timeout(Duration::from_secs(STOP_SECS_MAX), self.app.sessions.stop()).await.is_err() {
            tracing::warn!("some tool calls did not end in time; the next start records what is known of them");
        }
        self.app.log.close().await;
        if let Some(supervisor) = self.supervisor {
            supervisor.stop().await;
        }
    }
}

async fn runtime(settings: &Settings) -> Result<(Option<Supervisor>, watch::Receiver<Option<Endpoint>>), StartError> {
    if let Some(remote) = &settings.runtime {
        let (_, endpoint) = watch::channel(Some(Endpoint { url: remote.url.clone(), token: remote.token.clone() }));
        return Ok((None, endpoint));
    }
    let program = supervisor::beside_this_program().map_err(StartError::Place)?;
    let supervisor = Supervisor::start(program, settings.dev_allow_loopback).await?;
    let endpoint = supervisor.endpoint();
    Ok((Some(supervisor), endpoint))
}

async fn serve(listener: TcpListener, router: axum::Router, mut stopped: watch::Receiver<bool>) -> std::io::Result<()> {
    let stopping = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    axum::serve(listener, router).with_graceful_shutdown(stopping).await
}

async fn sweep(log: Log, mut stopped: watch::Receiver<bool>) {
    loop {
        let tenants = log.tenants().await.unwrap_or_default();
        for tenant in tenants {
            if let Err(error) = sweep_tenant(&log, &tenant).await {
                tracing::error!(%error, "a sweep failed; the next one tries again");
            }
        }
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(SWEEP_PAUSE) => {}
        }
    }
}

async fn sweep_tenant(log: &Log, tenant: &TenantId) -> Result<(), WorkError> {
    if is_due(log, tenant).await? {
        log.perform(tenant, &Actor::System, CommandId::from_uuid(new_uuid()), &Sweep).await?;
    }
    Ok(())
}

/// Runs `hallpass serve`.
pub async fn run(config: Option<&Path>, check: bool, with_lesson_site: bool) -> ExitCode {
    let mut settings = match Settings::load(config) {
        Ok(settings) => settings,
        Err(error) => return refuse(REFUSED, error),
    };
    if check {
        println!("the settings are valid");
        return ExitCode::SUCCESS;
    }
    let site = match lesson_site(&mut settings, with_lesson_site).await {
        Ok(site) => site,
        Err(message) => return refuse(REFUSED, message),
    };
    if settings.dev_allow_loopback {
        tracing::warn!("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES is set: loopback sites count as public ones. Never use this with real accounts");
    }
    let server = match Server::start(&settings).await {
        Ok(server) => server,
        Err(error) => return refuse(FAILED, error),
    };
    announce(&server, site.as_ref());
    stop_asked().await;
    eprintln!("hallpass: stopping");
    server.stop().await;
    ExitCode::SUCCESS
}

async fn lesson_site(settings: &mut Settings, wanted: bool) -> Result<Option<LessonSite>, String> {
    if !wanted {
        return Ok(None);
    }
    if !settings.dev_allow_loopback || !settings.grants_enabled {
        return Err("--with-lesson-site needs HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES=1 and BROWSER_TASK_GRANTS_ENABLED=1".to_owned());
    }
    let site = LessonSite::start(0).await.map_err(|error| error.to_string())?;
    let entry = format!("{}/lesson", site.origin());
    let scope = domain::scope::SiteScope::parse(&entry, settings.host_rule()).map_err(|error| format!("`{entry}` {error}"))?;
    settings.scopes.push(scope);
    Ok(Some(site))
}

fn announce(server: &Server, site: Option<&LessonSite>) {
    let (Ok(tenant), Ok(principal)) = (FIRST_OWNER.0.parse::<TenantId>(), FIRST_OWNER.1.parse::<PrincipalId>()) else { return };
    let link = server.app.console.issue_link(tenant, principal);
    println!("Hallpass listens on http://{}", server.address);
    if let Some(site) = site {
        println!("Lesson site: {}/lesson", site.origin());
    }
    println!("Owner console (this link works once): http://{}/console/sign-in/{link}", server.address);
}

async fn stop_asked() {
    let interrupt = tokio::signal::ctrl_c();
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => drop(interrupt.await),
    }
}
