//! The seam between one SQL text and two databases. `$1` is a parameter in both.

use crate::error::StoreError;
use crate::value::{Cell, Row, Value};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Database, Encode, PgConnection, Row as _, SqliteConnection, Type, TypeInfo as _, ValueRef as _};

/// A connection of either database, borrowed from the transaction or the pool that it belongs to.
#[derive(Debug)]
pub enum Conn<'c> {
    /// SQLite.
    Sqlite(&'c mut SqliteConnection),
    /// PostgreSQL.
    Postgres(&'c mut PgConnection),
}

type Query<'q, D> = sqlx::query::Query<'q, D, <D as Database>::Arguments>;

impl Conn<'_> {
    /// The same connection for a shorter time.
    pub fn reborrow(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(connection) => Conn::Sqlite(connection),
            Self::Postgres(connection) => Conn::Postgres(connection),
        }
    }

    /// Runs a statement and gives the number of rows that it changed.
    ///
    /// # Errors
    /// What the database says, sorted as [`StoreError`].
    pub async fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, StoreError> {
        Ok(match self {
            Self::Sqlite(connection) => bind(sqlx::query(sql), values).execute(&mut **connection).await?.rows_affected(),
            Self::Postgres(connection) => bind(sqlx::query(sql), values).execute(&mut **connection).await?.rows_affected(),
        })
    }

    /// Runs a query and gives all rows: the caller bounds their number.
    ///
    /// # Errors
    /// As for [`Conn::execute`], and for a column of a type that [`Value`] does not know.
    pub async fn fetch_all(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        match self {
            Self::Sqlite(connection) => {
                let rows = bind(sqlx::query(sql), values).fetch_all(&mut **connection).await?;
                rows.iter().map(sqlite_row).collect()
            }
            Self::Postgres(connection) => {
                let rows = bind(sqlx::query(sql), values).fetch_all(&mut **connection).await?;
                rows.iter().map(postgres_row).collect()
            }
        }
    }

    /// Runs a query and gives its first row, if there is one.
    ///
    /// # Errors
    /// As for [`Conn::fetch_all`].
    pub async fn fetch_optional(&mut self, sql: &'static str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.fetch_all(sql, values).await?.into_iter().next())
    }
}

fn bind<'q, D: Database>(query: Query<'q, D>, values: &[Value]) -> Query<'q, D>
where
    Option<i64>: for<'t> Encode<'t, D> + Type<D>,
    Option<String>: for<'t> Encode<'t, D> + Type<D>,
    Option<Vec<u8>>: for<'t> Encode<'t, D> + Type<D>,
{
    values.iter().fold(query, |query, value| match value {
        Value::I64(value) => query.bind(*value),
        Value::Text(value) => query.bind(value.clone()),
        Value::Bytes(value) => query.bind(value.clone()),
    })
}

fn sqlite_row(row: &SqliteRow) -> Result<Row, StoreError> {
    let cells = (0..row.len()).map(|column| {
        let raw = row.try_get_raw(column)?;
        if raw.is_null() {
            return Ok(Cell::Null);
        }
        // The type of the value, not of the column: SQLite has both.
        match raw.type_info().name() {
            "INTEGER" => Ok(Cell::I64(row.try_get::<i64, _>(column)?)),
            "TEXT" => Ok(Cell::Text(row.try_get::<String, _>(column)?)),
            "BLOB" => Ok(Cell::Bytes(row.try_get::<Vec<u8>, _>(column)?)),
            _ => Err(StoreError::Column { column, wanted: "an integer, a text or bytes" }),
        }
    });
    Ok(Row::new(cells.collect::<Result<_, _>>()?))
}

fn postgres_row(row: &PgRow) -> Result<Row, StoreError> {
    let cells = (0..row.len()).map(|column| {
        let raw = row.try_get_raw(column)?;
        if raw.is_null() {
            return Ok(Cell::Null);
        }
        match raw.type_info().name() {
            "INT8" => Ok(Cell::I64(row.try_get::<i64, _>(column)?)),
            "INT4" => Ok(Cell::I64(row.try_get::<i32, _>(column)?.into())),
            "BOOL" => Ok(Cell::I64(row.try_get::<bool, _>(column)?.into())),
            "TEXT" | "VARCHAR" => Ok(Cell::Text(row.try_get::<String, _>(column)?)),
            "BYTEA" => Ok(Cell::Bytes(row.try_get::<Vec<u8>, _>(column)?)),
            _ => Err(StoreError::Column { column, wanted: "an integer, a text or bytes" }),
        }
    });
    Ok(Row::new(cells.collect::<Result<_, _>>()?))
}
