//! Opening a log, and refusing to.

use super::places::{Place, in_time, options};
use super::works::{append, everything, message, session, tenant, texts};
use eventlog::{Log, OpenError, Options};
use std::time::Duration;
use tokio::task::JoinSet;

async fn error(url: &str) -> OpenError {
    in_time(Log::open(url, options())).await.expect_err("it cannot be opened")
}

/// Eight processes that start on an empty database all come up, on one schema.
pub(super) async fn eight_logs_open_an_empty_database_at_once(place: &Place) {
    let mut opening = JoinSet::new();
    for _ in 0..8 {
        let url = place.url.clone();
        opening.spawn(async move { Log::open(&url, options()).await });
    }
    for log in in_time(opening.join_all()).await {
        append(&log.expect("every log opens"), vec![message(session(), "here")]).await;
    }
    let log = place.open().await;
    assert_eq!(everything(&log, &tenant()).await.len(), 8);
    let rows = log.reader().await.unwrap().fetch_all("SELECT version FROM _sqlx_migrations ORDER BY version", &[]).await.unwrap();
    let versions: Vec<u64> = rows.iter().map(|row| row.u64(0).unwrap()).collect();
    assert_eq!(versions, (1..=u64::try_from(versions.len()).unwrap()).collect::<Vec<_>>());
}

/// EVT-1: what was recorded is there when the log is opened again.
pub(super) async fn a_log_is_read_after_it_was_closed(place: &Place) {
    let log = place.open().await;
    append(&log, vec![message(session(), "kept")]).await;
    log.close().await;
    assert!(log.head(&tenant()).await.is_err(), "a closed log answers nothing");
    assert_eq!(texts(&everything(&place.open().await, &tenant()).await), ["kept"]);
}

async fn change_migrations(place: &Place, sql: &'static str) {
    let log = place.open().await;
    let mut transaction = log.begin().await.unwrap();
    assert_eq!(transaction.connection().execute(sql, &[]).await.unwrap(), 1);
    transaction.commit().await.unwrap();
    log.close().await;
}

/// A database that a newer Hallpass made is refused, by the number of what is not known.
pub(super) async fn a_newer_schema_is_refused(place: &Place) {
    change_migrations(
        place,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         SELECT 9999, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1",
    )
    .await;
    let error = error(&place.url).await;
    assert!(matches!(error, OpenError::NewerSchema { version: 9999 }), "{error:?}");
}

/// A database whose tables came from another text than ours is refused.
pub(super) async fn an_altered_schema_is_refused(place: &Place) {
    let sql = if place.is_postgres() {
        "UPDATE _sqlx_migrations SET checksum = '\\x00' WHERE version = 1"
    } else {
        "UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 1"
    };
    change_migrations(place, sql).await;
    let error = error(&place.url).await;
    assert!(matches!(error, OpenError::AlteredSchema { version: 1 }), "{error:?}");
}

/// Each way in which a URL can be wrong has its own error.
#[tokio::test]
async fn what_cannot_be_opened_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for url in ["", "mysql://localhost/x", "hallpass.db", "sqlite://x.db?mode=banana"] {
        let error = error(url).await;
        assert!(matches!(error, OpenError::Url(_)), "{url}: {error:?}");
    }
    let missing = error(&format!("sqlite://{path}/missing/log.db")).await;
    assert!(matches!(&missing, OpenError::CannotOpen(words) if words.contains("missing/log.db")), "{missing:?}");
    std::fs::write(folder.path().join("letter.txt"), "Dear database, ".repeat(100)).unwrap();
    let letter = error(&format!("sqlite://{path}/letter.txt")).await;
    assert!(matches!(letter, OpenError::NotADatabase(_)), "{letter:?}");
    let closed = error("postgres://nobody:secret@127.0.0.1:1/none").await;
    assert!(matches!(closed, OpenError::Unreachable(_)), "{closed:?}");
    assert!(!closed.to_string().contains("secret"));
}

/// A user or database that the server does not have is told apart from a server that is not there.
#[tokio::test]
async fn what_a_server_refuses_says_why() {
    let url = Place::postgres().await.url;
    let nowhere = error(&url.replace("/test_", "/absent_")).await;
    assert!(matches!(nowhere, OpenError::CannotOpen(_)), "{nowhere:?}");
    let nobody = error(&url.replace("postgres@", "nobody_known@")).await;
    assert!(matches!(nobody, OpenError::Permission(_)), "{nobody:?}");
}

/// A file that another process keeps locked cannot be brought up to date, and says so in time.
#[tokio::test(flavor = "multi_thread")]
async fn a_locked_file_does_not_open() {
    let place = Place::file();
    let holder = place.open().await;
    let held = holder.begin().await.unwrap();
    let impatient = Options { busy_wait: Duration::from_millis(100), ..options() };
    let locked = in_time(Log::open(&place.url, impatient)).await.expect_err("it is locked");
    assert!(matches!(locked, OpenError::Locked(_)), "{locked:?}");
    held.rollback().await.unwrap();
    place.open().await;
}

/// The database file holds what people wrote, so nobody but its owner may read it.
#[cfg(unix)]
#[tokio::test]
async fn the_file_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::file();
    place.open().await;
    let path = place.url.strip_prefix("sqlite://").unwrap();
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}
