//! The whole program: clear up, test itself, listen, serve, and end with every browser gone.

use crate::config::Settings;
use crate::http::{ControlPlane, router};
use crate::lease::quarters;
use crate::lease::registry::{Place, Registry};
use crate::selftest::{self, SelfTestError};
use domain::scope::HostRule;
use serde_json::json;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// How it was started.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// End when standard input ends.
    pub exit_with_parent: bool,
}

/// Why it did not start. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not ours.
    #[error("cannot listen on {address} ({why}): choose another HALLPASS_RUNTIME_LISTEN or end what uses it")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The operating system's words.
        why: io::Error,
    },
    /// State cannot be kept.
    #[error("cannot use the state directory {} ({why}): set HALLPASS_RUNTIME_STATE to a private directory of this user", .dir.display())]
    State {
        /// The directory.
        dir: PathBuf,
        /// What is wrong with it.
        why: io::Error,
    },
    /// The browser does not hold what the runtime relies on.
    #[error(transparent)]
    SelfTest(#[from] SelfTestError),
    /// The operating system refused something.
    #[error("the operating system refused: {0}")]
    System(#[from] io::Error),
}

/// Runs until a signal, or the end of standard input if so told.
///
/// # Errors
/// See [`ServeError`].
pub async fn run(settings: Settings, start: Start) -> Result<(), ServeError> {
    warn(&settings);
    // Both signals first: one that comes during the self-test must end its browser too.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = parent_gone(start.exit_with_parent) => {}
        }
    };
    tokio::pin!(stop);
    let listener = TcpListener::bind(settings.listen).await.map_err(|why| ServeError::Listen { address: settings.listen, why })?;
    let prepared = tokio::select! {
        () = &mut stop => return Ok(()),
        prepared = prepare(&settings) => prepared?,
    };
    let registry = prepared.registry.clone();
    let address = listener.local_addr()?;
    announce(address)?;
    // Closing the leases ends every call that is still waiting, so that the server can end as well.
    let end = async move {
        stop.await;
        tracing::info!("ending");
        registry.shut_down().await;
    };
    tokio::select! {
        served = axum::serve(listener, router(prepared)) => served?,
        () = end => {}
    }
    Ok(())
}

async fn prepare(settings: &Settings) -> Result<ControlPlane, ServeError> {
    let unusable = |why| ServeError::State { dir: settings.state_dir.clone(), why };
    quarters::prepare(&settings.state_dir).map_err(unusable)?;
    let reaped = quarters::reap(&settings.state_dir).await.map_err(unusable)?;
    if reaped > 0 {
        tracing::warn!(leases = reaped, "cleared up after a runtime that was killed");
    }
    let place = Place {
        chromium: settings.chromium.clone(),
        chromedriver: settings.chromedriver.clone(),
        state_dir: settings.state_dir.clone(),
        hosts: settings.hosts,
    };
    let passed = selftest::run(&place).await?;
    tracing::info!(browser = %passed.browser_version, took_ms = passed.took_ms, "self-test passed");
    Ok(ControlPlane { token: settings.token.clone(), registry: Registry::new(place), browser_version: passed.browser_version })
}

fn warn(settings: &Settings) {
    if settings.hosts == HostRule::PublicOrLoopback {
        tracing::warn!(
            "DEVELOPMENT SWITCH: loopback sites may be driven, with certificates that nobody signed. Never use this in production"
        );
    }
    if rustix::process::geteuid().is_root() {
        tracing::warn!("RUNNING AS ROOT: Chromium runs WITHOUT ITS SANDBOX. Run the runtime as an ordinary user");
    }
}

/// The one line on standard output, for whoever started this program.
fn announce(address: SocketAddr) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", json!({ "listening": address.to_string(), "self_test": "passed" }))?;
    out.flush()
}

async fn parent_gone(watched: bool) {
    if !watched {
        return std::future::pending().await;
    }
    // A plain thread: one that waits in the async runtime would keep the program from ending.
    let (gone, wait) = oneshot::channel();
    std::thread::spawn(move || {
        // Whatever is written there means nothing; only the end does.
        let ended = io::copy(&mut io::stdin().lock(), &mut io::sink());
        drop(gone.send(ended));
    });
    drop(wait.await);
}
