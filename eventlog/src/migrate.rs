//! The migrations, compiled in, and applying them when several processes start together.

use crate::open::OpenError;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection, PgConnection, SqlSafeStr, SqliteConnection};

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Brings a SQLite database up to date. One write transaction is held around all migrations, so a
/// second process waits and then finds nothing left to do.
pub(crate) async fn sqlite(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(OpenError::from_sqlite)?;
    run(SQLITE, &mut *transaction, OpenError::from_sqlite).await?;
    transaction.commit().await.map_err(OpenError::from_sqlite)
}

/// Brings a PostgreSQL database up to date, under the advisory lock that sqlx takes for it.
pub(crate) async fn postgres(connection: &mut PgConnection) -> Result<(), OpenError> {
    run(POSTGRES, connection, OpenError::from_postgres).await
}

async fn run<C: Migrate>(
    list: &[(i64, &'static str, &'static str)],
    connection: &mut C,
    other: fn(sqlx::Error) -> OpenError,
) -> Result<(), OpenError> {
    let migrations = list.iter().map(|(version, description, sql)| {
        Migration::new(*version, (*description).into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    let migrator = Migrator::with_migrations(migrations.collect());
    migrator.run_direct(None, connection, false).await.map_err(|error| match error {
        MigrateError::VersionMissing(version) => OpenError::NewerSchema { version },
        MigrateError::VersionMismatch(version) => OpenError::AlteredSchema { version },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => other(error),
        error => OpenError::Migration(error.to_string()),
    })
}
