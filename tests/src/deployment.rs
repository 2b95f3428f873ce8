//! A control plane on a database of its own, with a scripted runtime, tokens, and a clock that the
//! test moves. It can be stopped, killed and started again on the same database.
//!
//! Each control plane runs on its own set of threads, so that killing it drops every task where it
//! stands, as a crash would.

mod chat;
mod client;
mod running;

pub use chat::{Chat, Observation, number, text};
pub use client::{Client, Replied, send};
pub use running::Running;

use crate::postgres;
use crate::scripted_runtime::ScriptedRuntime;
use api::scopes::{Scope, parse_scopes};
use api::settings::Settings;
use api::tokens::{self, NewToken};
use domain::id::{PrincipalId, TenantId, TokenId};
use domain::scope::{HostRule, SiteScope};
use domain::time::Timestamp;
use eventlog::{Clock, Options};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// The tenant of the deployment's own tokens.
pub const TENANT: &str = "acme";
/// The principal of the deployment's own tokens.
pub const PRINCIPAL: &str = "ada";
/// What an agent's token may do.
pub const AGENT: &str = "session.write,tool.call";
/// Where the clock of a deployment starts, in microseconds: 2026-06-01T12:00:00Z.
const NOON: i64 = 1_780_315_200_000_000;

/// How long a locked database is waited for.
const BUSY_WAIT: Duration = Duration::from_secs(10);

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In memory; it is gone with the process.
    Memory,
    /// A file of its own.
    Sqlite,
    /// A database of its own on the private server.
    Postgres,
}

/// A clock that stands until it is moved.
#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

impl TestClock {
    /// Moves it, forwards or backwards.
    pub fn move_by(&self, micros: i64) {
        self.0.fetch_add(micros, Ordering::SeqCst);
    }

    /// Sets it to an instant in RFC 3339.
    ///
    /// # Panics
    /// When the text is no instant.
    pub fn set(&self, instant: &str) {
        #[expect(clippy::expect_used, reason = "a test names an instant")]
        let instant: jiff::Timestamp = instant.parse().expect("an instant");
        self.0.store(instant.as_microsecond(), Ordering::SeqCst);
    }
}

/// The deployment.
#[derive(Debug)]
pub struct Deployment {
    /// What it was started with; change it before a restart.
    pub settings: Settings,
    /// Its clock.
    pub clock: Arc<TestClock>,
    /// Its runtime.
    pub runtime: ScriptedRuntime,
    /// How long a locked database is waited for; change it before a restart.
    pub busy_wait: Duration,
    /// The owner's token: every owner scope.
    pub owner: Client,
    /// The agent's token of the same principal.
    pub agent: Client,
    running: Option<Running>,
    _folder: TempDir,
}

impl Deployment {
    /// Starts one with task grants for `https://www.example.com/lesson`.
    ///
    /// # Errors
    /// Says in words what could not be started.
    pub async fn start(kind: Kind) -> Result<Self, String> {
        Self::start_as(kind, true, &["https://www.example.com/lesson"]).await
    }

    /// Starts one with the flag and the scopes given.
    ///
    /// # Errors
    /// Says in words what could not be started.
    pub async fn start_as(kind: Kind, grants_enabled: bool, scopes: &[&str]) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let database_url = match kind {
            Kind::Memory => "sqlite::memory:".to_owned(),
            Kind::Sqlite => format!("sqlite://{}", folder.path().join("hallpass.db").display()),
            Kind::Postgres => postgres::fresh_database().await?,
        };
        let runtime = ScriptedRuntime::start().await.map_err(|error| error.to_string())?;
        let settings = Settings {
            database_url,
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            runtime: Some(runtime.remote()),
            allowed_hosts: Vec::new(),
            agent_version: "1".to_owned(),
            dev_allow_loopback: false,
            grants_enabled,
            scopes: scopes
                .iter()
                .map(|scope| SiteScope::parse(scope, HostRule::Public).map_err(|error| error.to_string()))
                .collect::<Result<_, _>>()?,
        };
        let clock = Arc::new(TestClock(AtomicI64::new(NOON)));
        let running = Running::start(&settings, options(&clock, BUSY_WAIT)).await?;
        let nobody = Client::new(running.address(), "");
        let mut deployment = Self {
            settings,
            clock,
            runtime,
            busy_wait: BUSY_WAIT,
            owner: nobody.clone(),
            agent: nobody,
            running: Some(running),
            _folder: folder,
        };
        let owner_scopes: Vec<&str> = Scope::ALL.into_iter().filter(|scope| *scope != Scope::ToolCall).map(Scope::as_str).collect();
        deployment.owner = deployment.token(&owner_scopes.join(",")).await;
        deployment.agent = deployment.token(AGENT).await;
        Ok(deployment)
    }

    /// A client with a new token of the deployment's own principal.
    pub async fn token(&self, scopes: &str) -> Client {
        self.foreign(TENANT, PRINCIPAL, scopes).await
    }

    /// A client with a new token of another tenant or principal.
    pub async fn foreign(&self, tenant: &str, principal: &str, scopes: &str) -> Client {
        self.token_of(tenant, principal, scopes).await.1
    }

    /// A new token with its id.
    ///
    /// # Panics
    /// When there is no such scope, or the store fails.
    #[expect(clippy::expect_used, reason = "a test names tenants, principals and scopes that exist")]
    pub async fn token_of(&self, tenant: &str, principal: &str, scopes: &str) -> (TokenId, Client) {
        let (holder, scopes) = parse_scopes(scopes).expect("scopes");
        let tenant: TenantId = tenant.parse().expect("a tenant");
        let principal: PrincipalId = principal.parse().expect("a principal");
        let new = NewToken { tenant, principal, name: "test".to_owned(), holder, scopes };
        let made = self.running().inside(async move |app| tokens::create(&app.log, &new).await).await;
        let (id, secret) = made.expect("a token");
        (id, Client::new(self.running().address(), &secret))
    }

    /// The control plane.
    ///
    /// # Panics
    /// While it is stopped.
    #[must_use]
    pub fn running(&self) -> &Running {
        #[expect(clippy::expect_used, reason = "a test asks while it runs")]
        self.running.as_ref().expect("a running control plane")
    }

    /// Stops it in order and starts it again with the settings as they are now.
    ///
    /// # Errors
    /// Says why it does not start.
    pub async fn restart(&mut self) -> Result<(), String> {
        if let Some(running) = self.running.take() {
            running.stop().await;
        }
        self.start_again().await
    }

    /// Kills it where it stands and starts it again.
    ///
    /// # Errors
    /// Says why it does not start.
    pub async fn crash(&mut self) -> Result<(), String> {
        if let Some(running) = self.running.take() {
            running.kill().await;
        }
        self.start_again().await
    }

    async fn start_again(&mut self) -> Result<(), String> {
        let running = Running::start(&self.settings, options(&self.clock, self.busy_wait)).await?;
        self.owner.move_to(running.address());
        self.agent.move_to(running.address());
        self.running = Some(running);
        Ok(())
    }

    /// One more control plane on the same database.
    ///
    /// # Errors
    /// Says why it does not start.
    pub async fn another_node(&self) -> Result<Running, String> {
        Running::start(&self.settings, options(&self.clock, self.busy_wait)).await
    }
}

/// The log's options: the test's clock, and little patience.
fn options(clock: &Arc<TestClock>, busy_wait: Duration) -> Options {
    Options { clock: clock.clone(), busy_wait, poll_every: Duration::from_millis(50), ..Options::default() }
}
