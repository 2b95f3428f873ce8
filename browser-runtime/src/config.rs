//! Settings from the environment, checked as a whole before anything starts (RUN-1).

use domain::scope::HostRule;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use subtle::ConstantTimeEq;

/// Shortest token in bytes: 32 characters of hexadecimal are 128 bits.
const TOKEN_BYTES_MIN: usize = 32;
/// Directories where programs are looked for, after the two override variables.
const PROGRAM_DIRS: [&str; 3] = ["/usr/bin", "/usr/local/bin", "/snap/bin"];

/// Everything that the runtime is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the control plane is listened for.
    pub listen: SocketAddr,
    /// What every request must carry.
    pub token: Token,
    /// Whether loopback origins may be driven (development only).
    pub hosts: HostRule,
    /// Where profiles and lease records live.
    pub state_dir: PathBuf,
    /// The Chromium program.
    pub chromium: PathBuf,
    /// The ChromeDriver program.
    pub chromedriver: PathBuf,
}

/// The bearer token, kept as a digest so that comparing takes the same time for every guess.
#[derive(Clone)]
pub struct Token([u8; 32]);

/// Why the settings cannot be used. Each message says what to do.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingError {
    /// The database's address reached a program that must not know it.
    #[error("HALLPASS_DATABASE_URL is set: the browser runtime must not know the database; start it without that variable")]
    DatabaseKnown,
    /// No token, or a short one.
    #[error("HALLPASS_RUNTIME_TOKEN must be set to at least {TOKEN_BYTES_MIN} characters, the same as the control plane's")]
    Token,
    /// The address does not parse.
    #[error("HALLPASS_RUNTIME_LISTEN `{0}` is no address and port, such as 127.0.0.1:8090")]
    Listen(String),
    /// The development switch has another value than 0 or 1.
    #[error("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES must be 1 (development only) or unset")]
    Switch,
    /// The development switch and an address that others can reach.
    #[error(
        "HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES=1 is refused together with HALLPASS_RUNTIME_LISTEN={0}: listen on a loopback address or unset the switch"
    )]
    SwitchBeyondLoopback(SocketAddr),
    /// A browser program is missing.
    #[error("{name} was not found; install it (Debian: apt-get install {package}) or set {variable} to its path")]
    ProgramMissing {
        /// What is missing.
        name: &'static str,
        /// The Debian package that holds it.
        package: &'static str,
        /// The variable that overrides the search.
        variable: &'static str,
    },
    /// No place for state.
    #[error("set HALLPASS_RUNTIME_STATE or HOME: there is no directory to keep browser profiles in")]
    NoStateDir,
}

impl Settings {
    /// Reads the settings through `variable`, which gives an environment variable's value.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, SettingError> {
        let text = |name: &str| variable(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty());
        if variable("HALLPASS_DATABASE_URL").is_some() {
            return Err(SettingError::DatabaseKnown);
        }
        let token = text("HALLPASS_RUNTIME_TOKEN").filter(|token| token.len() >= TOKEN_BYTES_MIN).ok_or(SettingError::Token)?;
        let address = text("HALLPASS_RUNTIME_LISTEN").unwrap_or_else(|| "127.0.0.1:8090".to_owned());
        let listen: SocketAddr = address.parse().map_err(|_| SettingError::Listen(address))?;
        let hosts = match text("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES").as_deref() {
            None | Some("0") => HostRule::Public,
            Some("1") if listen.ip().is_loopback() => HostRule::PublicOrLoopback,
            Some("1") => return Err(SettingError::SwitchBeyondLoopback(listen)),
            Some(_) => return Err(SettingError::Switch),
        };
        Ok(Self {
            listen,
            token: Token::new(&token),
            hosts,
            state_dir: state_dir(&variable).ok_or(SettingError::NoStateDir)?,
            chromium: program(&variable, "CHROMIUM", "chromium", "chromium")?,
            chromedriver: program(&variable, "CHROMEDRIVER", "chromedriver", "chromium-driver")?,
        })
    }
}

impl Token {
    /// Takes the token's text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Whether `guess` is the token, in a time that tells nothing.
    #[must_use]
    pub fn is(&self, guess: &[u8]) -> bool {
        let guess: [u8; 32] = Sha256::digest(guess).into();
        bool::from(self.0.ct_eq(&guess))
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

fn state_dir(variable: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("HALLPASS_RUNTIME_STATE")
        .or_else(|| set("XDG_STATE_HOME").map(|dir| dir.join("hallpass-runtime")))
        .or_else(|| set("HOME").map(|home| home.join(".local/state/hallpass-runtime")))
}

fn program(
    variable: &impl Fn(&str) -> Option<OsString>,
    override_by: &'static str,
    name: &'static str,
    package: &'static str,
) -> Result<PathBuf, SettingError> {
    let missing = SettingError::ProgramMissing { name, package, variable: override_by };
    if let Some(path) = variable(override_by).filter(|value| !value.is_empty()).map(PathBuf::from) {
        return if is_program(&path) { Ok(path) } else { Err(missing) };
    }
    let on_path: Vec<PathBuf> = variable("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let usual = PROGRAM_DIRS.iter().map(PathBuf::from);
    on_path.into_iter().chain(usual).map(|dir| dir.join(name)).find(|path| is_program(path)).ok_or(missing)
}

fn is_program(path: &Path) -> bool {
    path.is_absolute() && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::{SettingError, Settings, Token};
    use domain::scope::HostRule;
    use std::ffi::OsString;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn read(set: &[(&str, &str)]) -> Result<Settings, SettingError> {
        let usual =
            [("HALLPASS_RUNTIME_TOKEN", TOKEN), ("HOME", "/home/x"), ("CHROMIUM", "/proc/self/exe"), ("CHROMEDRIVER", "/proc/self/exe")];
        let all: Vec<(&str, &str)> = set.iter().copied().chain(usual).collect();
        Settings::read(|name| all.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)))
    }

    /// RUN-1: the database's address, even an empty one, stops the start.
    #[test]
    fn the_runtime_must_not_know_the_database() {
        assert!(read(&[]).is_ok());
        assert_eq!(read(&[("HALLPASS_DATABASE_URL", "sqlite://x")]).unwrap_err(), SettingError::DatabaseKnown);
        assert_eq!(read(&[("HALLPASS_DATABASE_URL", "")]).unwrap_err(), SettingError::DatabaseKnown);
    }

    /// RUN-1: no token, no start.
    #[test]
    fn a_token_is_required() {
        assert_eq!(read(&[("HALLPASS_RUNTIME_TOKEN", "")]).unwrap_err(), SettingError::Token);
        assert_eq!(read(&[("HALLPASS_RUNTIME_TOKEN", "0123456789abcdef0123456789abcde")]).unwrap_err(), SettingError::Token);
        assert!(Token::new(TOKEN).is(TOKEN.as_bytes()));
        assert!(!Token::new(TOKEN).is(b"0123456789abcdef0123456789abcdeg"));
    }

    /// SCP-6: the development switch stays on this machine.
    #[test]
    fn the_switch_needs_a_loopback_address() {
        let with = |address: &str| read(&[("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES", "1"), ("HALLPASS_RUNTIME_LISTEN", address)]);
        assert_eq!(with("127.0.0.1:0").unwrap().hosts, HostRule::PublicOrLoopback);
        assert_eq!(with("[::1]:8090").unwrap().hosts, HostRule::PublicOrLoopback);
        assert!(matches!(with("0.0.0.0:8090").unwrap_err(), SettingError::SwitchBeyondLoopback(_)));
        assert_eq!(read(&[("HALLPASS_RUNTIME_LISTEN", "0.0.0.0:8090")]).unwrap().hosts, HostRule::Public);
        assert_eq!(read(&[("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES", "yes")]).unwrap_err(), SettingError::Switch);
    }

    /// RUN-1: start errors say what to do.
    #[test]
    fn a_missing_program_names_its_package() {
        let error = read(&[("CHROMIUM", "/nowhere/chromium")]).unwrap_err();
        assert!(error.to_string().contains("apt-get install chromium"), "{error}");
        let error = read(&[("CHROMEDRIVER", "/nowhere/chromedriver")]).unwrap_err();
        assert!(error.to_string().contains("apt-get install chromium-driver"), "{error}");
        assert!(matches!(read(&[("HALLPASS_RUNTIME_LISTEN", "localhost")]).unwrap_err(), SettingError::Listen(_)));
    }
}
