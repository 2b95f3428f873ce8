//! The connections of a log: few that write, some that read.

use crate::conn::Conn;
use crate::error::StoreError;
use crate::value::{Row, Value};
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool};
use std::sync::{Arc, Mutex};

/// Pools of either database.
#[derive(Clone, Debug)]
pub(crate) enum Pools {
    /// One connection writes, so writers queue fairly in the process instead of polling a lock.
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
        /// A database in memory lives as long as some connection to it. A pool closes one whose use
        /// was broken off at the wrong moment; this one is never used and stays.
        _anchor: Option<Arc<Mutex<SqliteConnection>>>,
    },
    Postgres {
        writers: PgPool,
        readers: PgPool,
    },
}

impl Pools {
    /// Begins a transaction that writes. SQLite takes its write lock at once: a transaction that
    /// first reads and then writes would fail instead of waiting.
    pub(crate) async fn begin(&self) -> Result<Transaction, StoreError> {
        Ok(Transaction(match self {
            Self::Sqlite { writer, .. } => Begun::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres { writers, .. } => Begun::Postgres(writers.begin_with("BEGIN ISOLATION LEVEL READ COMMITTED").await?),
        }))
    }

    pub(crate) async fn reader(&self) -> Result<Reader, StoreError> {
        Ok(Reader(match self {
            Self::Sqlite { readers, .. } => Leased::Sqlite(readers.acquire().await?),
            Self::Postgres { readers, .. } => Leased::Postgres(readers.acquire().await?),
        }))
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres { writers, readers } => {
                readers.close().await;
                writers.close().await;
            }
        }
    }
}

/// A transaction for tables that are no history, such as tokens. Dropped, it is rolled back.
#[derive(Debug)]
pub struct Transaction(Begun);

#[derive(Debug)]
enum Begun {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    /// The connection that the transaction runs on.
    pub fn connection(&mut self) -> Conn<'_> {
        match &mut self.0 {
            Begun::Sqlite(transaction) => Conn::Sqlite(transaction),
            Begun::Postgres(transaction) => Conn::Postgres(transaction),
        }
    }

    /// Makes everything durable.
    ///
    /// # Errors
    /// When the database refuses, or when the connection breaks; then it is not known whether it
    /// was committed.
    pub async fn commit(self) -> Result<(), StoreError> {
        match self.0 {
            Begun::Sqlite(transaction) => transaction.commit().await?,
            Begun::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }

    /// Undoes everything.
    ///
    /// # Errors
    /// When the connection breaks, which undoes it too.
    pub async fn rollback(self) -> Result<(), StoreError> {
        match self.0 {
            Begun::Sqlite(transaction) => transaction.rollback().await?,
            Begun::Postgres(transaction) => transaction.rollback().await?,
        }
        Ok(())
    }
}

/// A connection that only reads.
#[derive(Debug)]
pub struct Reader(Leased);

#[derive(Debug)]
enum Leased {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

impl Reader {
    /// The connection.
    pub fn connection(&mut self) -> Conn<'_> {
        match &mut self.0 {
            Leased::Sqlite(connection) => Conn::Sqlite(connection),
            Leased::Postgres(connection) => Conn::Postgres(connection),
        }
    }

    /// As [`Conn::fetch_all`].
    ///
    /// # Errors
    /// As for [`Conn::fetch_all`].
    pub async fn fetch_all(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.connection().fetch_all(sql, values).await
    }

    /// As [`Conn::fetch_optional`].
    ///
    /// # Errors
    /// As for [`Conn::fetch_all`].
    pub async fn fetch_optional(&mut self, sql: &'static str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        self.connection().fetch_optional(sql, values).await
    }
}
