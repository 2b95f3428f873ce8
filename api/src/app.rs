//! Everything the routes share.

use crate::commands::GrantSettings;
use crate::console::sign_in::ConsoleSessions;
use crate::pipeline::sessions::{Results, Sessions};
use crate::runtime::RuntimeClient;
use crate::settings::Settings;
use domain::scope::HostRule;
use eventlog::Log;
use std::sync::Arc;
use tokio::sync::watch;

/// The shared state; cheap to clone.
pub type App = Arc<Shared>;

/// See [`App`].
pub struct Shared {
    /// The log.
    pub log: Log,
    /// The workers.
    pub sessions: Sessions,
    /// Results of finished calls.
    pub results: Results,
    /// The runtime.
    pub runtime: RuntimeClient,
    /// What grants are judged by.
    pub grants: GrantSettings,
    /// Which hosts origins may name.
    pub host_rule: HostRule,
    /// The signed-in owners of the console.
    pub console: ConsoleSessions,
    /// `Host` values that requests may carry.
    pub hosts: Vec<String>,
    /// Turns true when this process stops: whoever waits on behalf of a reader then answers.
    pub stopping: watch::Receiver<bool>,
}

impl Shared {
    /// What grants are judged by, from the settings.
    #[must_use]
    pub fn grant_settings(settings: &Settings) -> GrantSettings {
        GrantSettings {
            enabled: settings.grants_enabled,
            scopes: settings.scopes.clone(),
            agent_version: settings.agent_version.clone(),
            policy_version: crate::pipeline::policy::VERSION.to_owned(),
        }
    }
}
