//! The seam between one SQL text and two databases.

use super::places::Place;
use eventlog::{StoreError, values};

/// Integers, texts, bytes and NULL of each type come back as they were given.
pub(super) async fn values_come_back_as_they_went_in(place: &Place) {
    let log = place.open().await;
    let mut transaction = log.begin().await.unwrap();
    let mut connection = transaction.connection();
    connection.execute("CREATE TABLE seam (id BIGINT, number BIGINT, words TEXT, raw_bytes_none TEXT)", &[]).await.unwrap();
    let insert = "INSERT INTO seam (id, number, words) VALUES ($1, $2, $3)";
    for (id, number, words) in [(1_i64, Some(i64::MIN), Some("עברית \u{1F9D1}")), (2, Some(i64::MAX), Some("")), (3, None, None)] {
        assert_eq!(connection.execute(insert, values![id, number, words]).await.unwrap(), 1);
    }
    let rows = connection.fetch_all("SELECT number, words FROM seam ORDER BY id", &[]).await.unwrap();
    assert_eq!(rows[0].i64(0).unwrap(), i64::MIN);
    assert_eq!(rows[0].text(1).unwrap(), "עברית \u{1F9D1}");
    assert_eq!((rows[1].i64(0).unwrap(), rows[1].text(1).unwrap()), (i64::MAX, ""));
    assert_eq!((rows[2].opt_i64(0).unwrap(), rows[2].opt_text(1).unwrap()), (None, None));
    // A statement that was prepared with a NULL takes a value, and the other way round.
    assert_eq!(connection.execute("UPDATE seam SET words = $1 WHERE id = $2", values![None::<&str>, 1_i64]).await.unwrap(), 1);
    assert_eq!(connection.execute("UPDATE seam SET words = $1 WHERE id = $2", values!["again", 3_i64]).await.unwrap(), 1);
    let changed =
        connection.fetch_all("SELECT id FROM seam WHERE words IS NULL OR words = $1 ORDER BY id", values!["again"]).await.unwrap();
    assert_eq!(changed.len(), 2);
    let bytes: Vec<u8> = (0..=255).collect();
    let row = connection.fetch_optional("SELECT $1, $2 = 1", values![bytes.clone(), 1_i64]).await.unwrap().unwrap();
    assert_eq!(row.bytes(0).unwrap(), bytes);
    assert!(row.bool(1).unwrap());
    let none = connection.fetch_optional("SELECT id FROM seam WHERE id = $1", values![99_i64]).await.unwrap();
    assert_eq!(none, None);
}

/// A column of another type, a NULL and a missing column are errors, never a default.
pub(super) async fn a_row_of_another_shape_is_an_error(place: &Place) {
    let log = place.open().await;
    let mut reader = log.reader().await.unwrap();
    let row = reader.fetch_optional("SELECT $1, $2, $3", values!["text", -1_i64, None::<i64>]).await.unwrap().unwrap();
    assert!(matches!(row.i64(0), Err(StoreError::Column { column: 0, .. })));
    assert!(row.bytes(0).is_err());
    assert!(row.parsed::<u32>(0).is_err());
    assert!(row.text(1).is_err());
    assert!(row.u64(1).is_err() && row.u32(1).is_err() && row.bool(1).is_err());
    assert!(row.i64(2).is_err() && row.text(2).is_err() && row.bytes(2).is_err());
    assert!(matches!(row.i64(3), Err(StoreError::Column { column: 3, .. })));
    let unknown = reader.fetch_all("SELECT 1.5", &[]).await.unwrap_err();
    assert!(matches!(unknown, StoreError::Column { column: 0, .. }), "{unknown:?}");
}

/// A reader's connection refuses to write.
pub(super) async fn a_reader_does_not_write(place: &Place) {
    let log = place.open().await;
    let refused = log.reader().await.unwrap().connection().execute("DELETE FROM commands", &[]).await;
    assert!(matches!(refused, Err(StoreError::ReadOnly(_))), "{refused:?}");
}
