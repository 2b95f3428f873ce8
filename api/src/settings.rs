//! Settings: read once at start from the environment or a TOML file, the environment winning. A
//! setting that makes no sense stops the start with its name and what to write instead.

use domain::scope::{HostRule, SiteScope, read_list};
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use url::Url;

/// The names of the settings. A TOML file uses the same names as keys.
pub const NAMES: [&str; 11] = [
    "HALLPASS_DATABASE_URL",
    "HALLPASS_LISTEN",
    "HALLPASS_RUNTIME_URL",
    "HALLPASS_RUNTIME_TOKEN",
    "HALLPASS_ALLOWED_HOSTS",
    "HALLPASS_AGENT_VERSION",
    "HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES",
    "BROWSER_TASK_GRANTS_ENABLED",
    "BROWSER_TASK_GRANT_SCOPES",
    "BROWSER_PROFILE_ID",
    "BROWSER_GRANT_ID",
];

/// What a deployment says.
#[derive(Clone)]
pub struct Settings {
    /// `sqlite://...` or `postgres://...`.
    pub database_url: String,
    /// Where the control plane listens.
    pub listen: SocketAddr,
    /// A runtime that runs elsewhere; none means that one is started here.
    pub runtime: Option<RemoteRuntime>,
    /// Host names that requests may be addressed to, beside the listen address.
    pub allowed_hosts: Vec<String>,
    /// The agent's version, pinned by grants.
    pub agent_version: String,
    /// Development only: loopback origins count as public ones.
    pub dev_allow_loopback: bool,
    /// Whether task grants exist (API-4).
    pub grants_enabled: bool,
    /// The places that the owner may allow tasks in (SCP-1).
    pub scopes: Vec<SiteScope>,
}

/// A runtime that this deployment does not start itself.
#[derive(Clone)]
pub struct RemoteRuntime {
    /// Its base URL.
    pub url: Url,
    /// Its bearer token.
    pub token: String,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the database URL nor the runtime's token is printed: both can hold a secret.
        f.debug_struct("Settings").field("listen", &self.listen).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

/// A setting that stops the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    name: String,
    problem: String,
}

impl SettingsError {
    fn new(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { name: name.into(), problem: problem.into() }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.problem)
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Reads the environment and, if given, a TOML file.
    ///
    /// # Errors
    /// Names the first setting that makes no sense, and the reason.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        let mut values = match file {
            Some(path) => read_file(path)?,
            None => BTreeMap::new(),
        };
        for name in NAMES {
            match std::env::var(name) {
                Ok(value) => drop(values.insert(name.to_owned(), value)),
                Err(std::env::VarError::NotPresent) => {}
                Err(std::env::VarError::NotUnicode(_)) => return Err(SettingsError::new(name, "is not valid UTF-8")),
            }
        }
        Self::from_values(&values)
    }

    /// Checks a set of named values. Empty values count as absent.
    ///
    /// # Errors
    /// Names the first setting that makes no sense, and the reason.
    pub fn from_values(values: &BTreeMap<String, String>) -> Result<Self, SettingsError> {
        let value = |name: &str| values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
        let dev_allow_loopback = switch(value("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES"), "HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES")?;
        let grants_enabled = switch(value("BROWSER_TASK_GRANTS_ENABLED"), "BROWSER_TASK_GRANTS_ENABLED")?;
        let listen = value("HALLPASS_LISTEN").unwrap_or("127.0.0.1:8080");
        let listen: SocketAddr =
            listen.parse().map_err(|_| SettingsError::new("HALLPASS_LISTEN", format!("`{listen}` is not of the form 127.0.0.1:8080")))?;
        if dev_allow_loopback && !listen.ip().is_loopback() {
            return Err(SettingsError::new(
                "HALLPASS_LISTEN",
                "must be a loopback address while HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES is set; the switch is for development on one machine",
            ));
        }
        for name in ["BROWSER_PROFILE_ID", "BROWSER_GRANT_ID"] {
            if value(name).is_some() {
                return Err(SettingsError::new(name, "standing permissions are not available in this version; remove the setting"));
            }
        }
        let scopes = scopes(value("BROWSER_TASK_GRANT_SCOPES"), grants_enabled, dev_allow_loopback)?;
        let allowed_hosts = allowed_hosts(value("HALLPASS_ALLOWED_HOSTS").unwrap_or_default())?;
        if !listen.ip().is_loopback() && allowed_hosts.is_empty() {
            return Err(SettingsError::new(
                "HALLPASS_ALLOWED_HOSTS",
                "must name the host names that clients use, since HALLPASS_LISTEN is not a loopback address",
            ));
        }
        Ok(Self {
            database_url: database_url(value("HALLPASS_DATABASE_URL").unwrap_or("sqlite://hallpass.db"))?,
            listen,
            runtime: runtime(value("HALLPASS_RUNTIME_URL"), value("HALLPASS_RUNTIME_TOKEN"))?,
            allowed_hosts,
            agent_version: value("HALLPASS_AGENT_VERSION").unwrap_or("1").to_owned(),
            dev_allow_loopback,
            grants_enabled,
            scopes,
        })
    }

    /// Which hosts scopes and allowed origins may name.
    #[must_use]
    pub const fn host_rule(&self) -> HostRule {
        if self.dev_allow_loopback { HostRule::PublicOrLoopback } else { HostRule::Public }
    }
}

fn read_file(path: &Path) -> Result<BTreeMap<String, String>, SettingsError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| SettingsError::new(&name, format!("cannot be read: {error}")))?;
    let table: toml::Table = text.parse().map_err(|error| SettingsError::new(&name, format!("is not valid TOML: {error}")))?;
    let mut values = BTreeMap::new();
    for (key, value) in table {
        if !NAMES.contains(&key.as_str()) {
            return Err(SettingsError::new(name, format!("`{key}` is no setting; known are: {}", NAMES.join(", "))));
        }
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Boolean(on) => on.to_string(),
            toml::Value::Integer(number) => number.to_string(),
            _ => return Err(SettingsError::new(name, format!("`{key}` must be a string, a number or true/false"))),
        };
        values.insert(key, text);
    }
    Ok(values)
}

fn switch(value: Option<&str>, name: &str) -> Result<bool, SettingsError> {
    match value {
        None | Some("0" | "false") => Ok(false),
        Some("1" | "true") => Ok(true),
        Some(other) => Err(SettingsError::new(name, format!("`{other}` is neither 1, true, 0 nor false"))),
    }
}

fn scopes(list: Option<&str>, grants_enabled: bool, dev_allow_loopback: bool) -> Result<Vec<SiteScope>, SettingsError> {
    const NAME: &str = "BROWSER_TASK_GRANT_SCOPES";
    let hosts = if dev_allow_loopback { HostRule::PublicOrLoopback } else { HostRule::Public };
    read_list(list.unwrap_or_default(), grants_enabled, hosts).map_err(|refusal| SettingsError::new(NAME, refusal.to_string()))
}

/// What is wrong is said without the URL, which can hold a password.
fn database_url(url: &str) -> Result<String, SettingsError> {
    if ["sqlite:", "postgres://", "postgresql://"].iter().any(|kind| url.starts_with(kind)) {
        return Ok(url.to_owned());
    }
    Err(SettingsError::new("HALLPASS_DATABASE_URL", "must start with sqlite:// or postgres://"))
}

fn allowed_hosts(list: &str) -> Result<Vec<String>, SettingsError> {
    let hosts = list.split(',').map(|host| host.trim().to_ascii_lowercase()).filter(|host| !host.is_empty());
    let read = |host: String| {
        if is_host_header(&host) {
            return Ok(host);
        }
        Err(SettingsError::new(
            "HALLPASS_ALLOWED_HOSTS",
            format!("`{host}` is not a host name as clients send it, such as console.example.com or console.example.com:8443"),
        ))
    };
    hosts.map(read).collect()
}

/// Whether a text is a host, with or without a port, as it stands in a `Host` header (RFC 9110,
/// section 7.2): a name with international letters stands there in its ASCII form.
fn is_host_header(host: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '[' | ']');
    host.chars().all(plain) && Url::parse(&format!("http://{host}/")).is_ok()
}

fn runtime(url: Option<&str>, token: Option<&str>) -> Result<Option<RemoteRuntime>, SettingsError> {
    const NAME: &str = "HALLPASS_RUNTIME_URL";
    let Some(text) = url else { return Ok(None) };
    let url = Url::parse(text).map_err(|_| SettingsError::new(NAME, "is not a URL"))?;
    let loopback = match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    // The token would cross the network in the clear; a tunnel or proxy on this machine carries it.
    if url.scheme() != "http" || !loopback {
        return Err(SettingsError::new(
            NAME,
            "must be http:// to a loopback address; reach a runtime on another machine through a local TLS tunnel",
        ));
    }
    let token = token.ok_or_else(|| SettingsError::new("HALLPASS_RUNTIME_TOKEN", "must be set together with HALLPASS_RUNTIME_URL"))?;
    Ok(Some(RemoteRuntime { url, token: token.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let values = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Settings::from_values(&values).map_err(|error| error.to_string())
    }

    /// SCP-1, API-4: nothing is offered unless the owner configures it.
    #[test]
    fn defaults_are_closed() {
        let settings = check(&[]).unwrap();
        assert!(!settings.grants_enabled && settings.scopes.is_empty() && !settings.dev_allow_loopback);
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    }

    /// SCP-2: a refused entry is named together with the reason.
    #[test]
    fn refused_scopes_name_the_entry() {
        let on = ("BROWSER_TASK_GRANTS_ENABLED", "1");
        let with = |list| check(&[on, ("BROWSER_TASK_GRANT_SCOPES", list)]);
        assert!(with("https://www.example.com/lesson").is_ok());
        for (list, part) in [
            ("http://www.example.com/lesson", "https"),
            ("https://127.0.0.1:8443/lesson", "public"),
            ("https://www.example.com/lesson,https://www.example.com/lesson", "twice"),
            ("https://www.example.com/lesson,", "form"),
            ("https://www.example.com/", "one path segment"),
        ] {
            let message = with(list).unwrap_err();
            assert!(message.starts_with("BROWSER_TASK_GRANT_SCOPES: `") && message.contains(part), "{list}: {message}");
        }
        assert!(
            check(&[("BROWSER_TASK_GRANT_SCOPES", "https://www.example.com/lesson")]).unwrap_err().contains("BROWSER_TASK_GRANTS_ENABLED")
        );
    }

    /// SCP-6: the development switch and a public listen address exclude each other.
    #[test]
    fn development_switch_stays_on_loopback() {
        let dev = ("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES", "1");
        let scope = ("BROWSER_TASK_GRANT_SCOPES", "https://127.0.0.1:8443/lesson");
        assert!(check(&[dev, ("BROWSER_TASK_GRANTS_ENABLED", "1"), scope]).is_ok());
        assert!(check(&[dev, ("HALLPASS_LISTEN", "0.0.0.0:8080")]).unwrap_err().contains("loopback"));
    }

    /// Threat G4: a name that no Host header can be would shut every client out unseen.
    #[test]
    fn allowed_hosts_are_host_names() {
        let with = |hosts| check(&[("HALLPASS_ALLOWED_HOSTS", hosts)]);
        for good in ["console.example.com", "console.example.com:8443, Console", "10.0.0.1", "[2001:db8::1]:80", "xn--bcher-kva.example"] {
            assert!(with(good).is_ok(), "{good}");
        }
        for bad in [
            "*",
            "https://console.example.com",
            "console.example.com/",
            "a b",
            "user@host",
            "host:port",
            "*.example.com",
            "bücher.example",
            "2001:db8::1",
        ] {
            assert!(with(bad).unwrap_err().starts_with("HALLPASS_ALLOWED_HOSTS: `"), "{bad}");
        }
    }

    /// A database URL is checked with the other settings; it may hold a password, so it is not shown.
    #[test]
    fn database_urls_are_of_a_known_kind() {
        let with = |url| check(&[("HALLPASS_DATABASE_URL", url)]);
        for good in ["sqlite://hallpass.db", "sqlite::memory:", "postgres://hallpass@db/hallpass", "postgresql:///hallpass"] {
            assert!(with(good).is_ok(), "{good}");
        }
        for bad in ["hallpass.db", "mysql://u:sesame@db/x", "postgres:hallpass", "Sqlite://x"] {
            let message = with(bad).unwrap_err();
            assert!(message.starts_with("HALLPASS_DATABASE_URL: ") && !message.contains("sesame"), "{message}");
        }
    }

    #[test]
    fn switches_and_addresses_are_strict() {
        assert!(check(&[("BROWSER_TASK_GRANTS_ENABLED", "yes")]).is_err());
        assert!(check(&[("HALLPASS_LISTEN", "8080")]).is_err());
        assert!(check(&[("HALLPASS_RUNTIME_URL", "http://10.0.0.1:8090"), ("HALLPASS_RUNTIME_TOKEN", "t")]).is_err());
        assert!(check(&[("HALLPASS_RUNTIME_URL", "http://127.0.0.1:8090")]).is_err());
    }
}
