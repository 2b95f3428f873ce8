//! Opening a log by its URL.

use crate::limits::SQLITE_JOURNAL_BYTES_MAX;
use crate::log::{Log, Options};
use crate::migrate;
use crate::pools::Pools;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, SqliteConnection, SqlitePool};
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Why a log could not be opened. Each has one cause and one remedy.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL is not one of `sqlite://path`, `sqlite::memory:` and `postgres://...`. It is not
    /// repeated here, because it may hold a password.
    #[error("the database URL is not valid: {0}")]
    Url(String),
    /// The file or database is not there and cannot be made.
    #[error("the database cannot be opened: {0}")]
    CannotOpen(String),
    /// The file is something else.
    #[error("the file is not a SQLite database: {0}")]
    NotADatabase(String),
    /// The file may not be written, or the server does not let this user in.
    #[error("the database may not be used: {0}")]
    Permission(String),
    /// Another process kept the database for the whole time that is waited for it.
    #[error("the database is locked by another process: {0}")]
    Locked(String),
    /// The server does not answer.
    #[error("the database server cannot be reached: {0}")]
    Unreachable(String),
    /// A newer Hallpass has been here; this one would not understand what it wrote.
    #[error("the database was made by a newer Hallpass: it has migration {version}, which this one does not know")]
    NewerSchema {
        /// The unknown migration.
        version: i64,
    },
    /// A migration that was applied is not the one that is compiled in.
    #[error("migration {version} of the database is not the one of this Hallpass")]
    AlteredSchema {
        /// The migration.
        version: i64,
    },
    /// A migration failed.
    #[error("the database could not be brought up to date: {0}")]
    Migration(String),
}

/// How long a server may take to answer the first connection.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// How long a PostgreSQL session may sit inside a transaction: a process that hangs must not keep
/// the head row for ever.
const IDLE_IN_TRANSACTION: &str = "60s";
/// Milliseconds between attempts to open a SQLite database that others are opening.
const OPEN_PAUSE: Duration = Duration::from_millis(20);

impl Log {
    /// Opens a log and brings its database up to date. Safe when several processes do so at once.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(url: &str, options: Options) -> Result<Self, OpenError> {
        let pools = if url.starts_with("sqlite:") {
            open_sqlite(url, &options).await?
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            open_postgres(url, &options).await?
        } else {
            return Err(OpenError::Url("it must start with sqlite: or postgres://".to_owned()));
        };
        Ok(Self::new(pools, options))
    }
}

async fn open_sqlite(url: &str, options: &Options) -> Result<Pools, OpenError> {
    let settings = SqliteConnectOptions::from_str(url).map_err(|error| OpenError::Url(error.to_string()))?;
    let settings = settings
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(options.busy_wait)
        // A use or a revocation that is lost with the power would be a lapse of security.
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging();
    // Waiting in the pool's queue comes before waiting for the file's lock.
    let patience = options.busy_wait.saturating_mul(4);
    let one =
        SqlitePoolOptions::new().max_connections(1).min_connections(0).idle_timeout(None).max_lifetime(None).acquire_timeout(patience);
    if is_in_memory(url) {
        // Connections to a database in memory share a cache with locks of its own, which know no
        // waiting; so one connection reads and writes.
        let mut anchor = SqliteConnection::connect_with(&settings).await.map_err(OpenError::from_sqlite)?;
        migrate::sqlite(&mut anchor).await?;
        let writer = one.connect_lazy_with(settings);
        return Ok(Pools::Sqlite { readers: writer.clone(), writer, _anchor: Some(Arc::new(Mutex::new(anchor))) });
    }
    touch(settings.get_filename()).await?;
    let settings = settings.journal_mode(SqliteJournalMode::Wal).pragma("journal_size_limit", SQLITE_JOURNAL_BYTES_MAX.to_string());
    let writer = one.connect_lazy_with(settings.clone());
    first_connection(&writer, options.busy_wait).await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(options.readers_max.max(1))
        .min_connections(0)
        .acquire_timeout(patience)
        .connect_lazy_with(settings.pragma("query_only", "ON"));
    Ok(Pools::Sqlite { writer, readers, _anchor: None })
}

fn is_in_memory(url: &str) -> bool {
    let place = url.trim_start_matches("sqlite:").trim_start_matches("//");
    let (path, settings) = place.split_once('?').unwrap_or((place, ""));
    path == ":memory:" || settings.split('&').any(|setting| setting == "mode=memory")
}

/// Makes the first connection and migrates. Switching a new file to WAL fails at once, whatever the
/// busy time-out, while another process does the same; so it is tried again for as long.
async fn first_connection(writer: &SqlitePool, wait: Duration) -> Result<(), OpenError> {
    let deadline = Instant::now() + wait;
    loop {
        let opened = match writer.acquire().await {
            Ok(mut connection) => migrate::sqlite(&mut connection).await,
            Err(error) => Err(OpenError::from_sqlite(error)),
        };
        match opened {
            Err(OpenError::Locked(_)) if Instant::now() < deadline => tokio::time::sleep(OPEN_PAUSE).await,
            done => return done,
        }
    }
}

/// Makes the file, readable by its owner only, and learns in plain words why it cannot be used.
async fn touch(path: &Path) -> Result<(), OpenError> {
    let mut file = tokio::fs::OpenOptions::new();
    file.read(true).write(true).create(true);
    #[cfg(unix)]
    file.mode(0o600);
    let error = match file.open(path).await {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    let words = format!("{}: {error}", path.display());
    Err(match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => OpenError::Permission(words),
        _ => OpenError::CannotOpen(words),
    })
}

async fn open_postgres(url: &str, options: &Options) -> Result<Pools, OpenError> {
    let settings = PgConnectOptions::from_str(url).map_err(|_| OpenError::Url("it is no PostgreSQL URL".to_owned()))?;
    let settings = settings.application_name("hallpass").disable_statement_logging();
    // A connection of its own tells what is wrong; a pool would only say that it timed out.
    let mut first = match timeout(CONNECT_WAIT, PgConnection::connect_with(&settings)).await {
        Ok(connected) => connected.map_err(OpenError::from_postgres)?,
        Err(_) => return Err(OpenError::Unreachable("it did not answer in time".to_owned())),
    };
    migrate::postgres(&mut first).await?;
    first.close().await.map_err(OpenError::from_postgres)?;
    let wait = options.busy_wait.as_millis().to_string();
    let settings = settings.options([("lock_timeout", wait.as_str()), ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION)]);
    let pool =
        |connections: u32| PgPoolOptions::new().max_connections(connections.max(1)).min_connections(0).acquire_timeout(options.busy_wait);
    Ok(Pools::Postgres {
        writers: pool(options.writers_max).connect_lazy_with(settings.clone()),
        readers: pool(options.readers_max).connect_lazy_with(settings.options([("default_transaction_read_only", "on")])),
    })
}

impl OpenError {
    pub(crate) fn from_sqlite(error: sqlx::Error) -> Self {
        let code = match &error {
            sqlx::Error::Database(database) => database.code().and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff),
            _ => None,
        };
        match code {
            Some(5 | 6) => Self::Locked(error.to_string()),
            Some(3 | 8 | 23) => Self::Permission(error.to_string()),
            Some(11 | 26) => Self::NotADatabase(error.to_string()),
            Some(1) => Self::Migration(error.to_string()),
            _ if matches!(error, sqlx::Error::PoolTimedOut) => Self::Locked(error.to_string()),
            _ => Self::CannotOpen(error.to_string()),
        }
    }

    pub(crate) fn from_postgres(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(database) = &error else { return Self::Unreachable(error.to_string()) };
        let code = database.code().unwrap_or_default();
        let words = database.message().to_owned();
        match code.as_ref() {
            "42501" => Self::Permission(words),
            "3D000" => Self::CannotOpen(words),
            "55P03" => Self::Locked(words),
            code if code.starts_with("28") => Self::Permission(words),
            code if code.starts_with("08") || code.starts_with("57P") || code == "53300" => Self::Unreachable(words),
            _ => Self::Migration(words),
        }
    }
}
