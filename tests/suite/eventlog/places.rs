//! The databases that the contract is run on.

use eventlog::{Log, Options};
use hallpass_tests::postgres;
use std::time::Duration;
use tempfile::TempDir;

/// A fresh, empty database.
pub(super) struct Place {
    /// Where it is.
    pub(super) url: String,
    /// Removed with the place.
    _folder: Option<TempDir>,
}

impl Place {
    pub(super) fn memory() -> Self {
        Self { url: "sqlite::memory:".to_owned(), _folder: None }
    }

    pub(super) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { url: format!("sqlite://{}/log.db", folder.path().display()), _folder: Some(folder) }
    }

    pub(super) async fn postgres() -> Self {
        let url = postgres::fresh_database().await.expect("a private PostgreSQL");
        Self { url, _folder: None }
    }

    pub(super) fn is_postgres(&self) -> bool {
        self.url.starts_with("postgres:")
    }

    /// Opens a log with what the tests need besides.
    pub(super) async fn open_with(&self, options: Options) -> Log {
        Log::open(&self.url, options).await.expect("the log opens")
    }

    pub(super) async fn open(&self) -> Log {
        self.open_with(options()).await
    }

    /// Opens a log that soon gives up waiting for others.
    pub(super) async fn open_impatient(&self) -> Log {
        self.open_with(Options { busy_wait: Duration::from_millis(200), ..options() }).await
    }
}

/// Options that suit tests: other processes are looked for often.
pub(super) fn options() -> Options {
    Options { poll_every: Duration::from_millis(20), ..Options::default() }
}

/// Ends a test that waits for something that does not come.
pub(super) async fn in_time<T>(wait: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect("it happens within a minute")
}
