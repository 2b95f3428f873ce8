//! Stored bytes that are no event.

use eventlog::codec::{DecodeError, TYPES, decode};

/// A field of a protobuf message, by the rules of its wire format: the number and type in one byte,
/// then the length, then the bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2, u8::try_from(bytes.len()).unwrap()];
    field.extend_from_slice(bytes);
    field
}

const ID: [u8; 16] = [7; 16];

/// EVT-5: a type or a schema version that is not known is an error that names it.
#[test]
fn an_unknown_type_or_version_is_refused() {
    for (type_name, schema_version) in [("run.paused", 1), ("", 1), ("run.ended", 0), ("run.ended", 2), ("RUN.ENDED", 1), ("run.ended ", 1)]
    {
        let error = decode(type_name, schema_version, &field(1, &ID)).unwrap_err();
        assert_eq!(error, DecodeError::UnknownType { type_name: type_name.to_owned(), schema_version });
    }
    assert!(decode("run.ended", 1, &field(1, &ID)).is_ok());
}

/// EVT-5: no event is read from nothing: none has only fields with a default.
#[test]
fn no_type_is_read_from_nothing() {
    for type_name in TYPES {
        assert!(decode(type_name, 1, &[]).is_err(), "{type_name}");
    }
}

/// EVT-5: an id of another length is refused, and so is an absent one.
#[test]
fn a_malformed_id_is_refused() {
    for bytes in [&[][..], &ID[..15], &[7; 17]] {
        assert_eq!(decode("run.ended", 1, &field(1, bytes)), Err(DecodeError::Field { field: "run" }));
    }
    let with_parent = |parent: &[u8]| [field(1, &ID), field(2, &ID), field(3, b"child"), field(4, parent)].concat();
    assert!(decode("run.started", 1, &with_parent(&ID)).is_ok());
    assert_eq!(decode("run.started", 1, &with_parent(&[])), Err(DecodeError::Field { field: "parent" }));
}

/// APR-1, EVT-5: a name outside its vocabulary is refused, an absent one too: there is no default
/// answer, outcome or reason.
#[test]
fn an_unknown_name_is_refused() {
    let cases: [(&str, &'static str, Vec<Vec<u8>>, u8); 7] = [
        ("approval.resolved", "resolution", vec![field(1, &ID)], 2),
        ("approval.answered_late", "resolution", vec![field(1, &ID)], 2),
        ("run.started", "kind", vec![field(1, &ID), field(2, &ID)], 3),
        ("message.received", "author", vec![field(1, &ID)], 2),
        ("tool.call.finished", "outcome", vec![field(1, &ID)], 2),
        ("browser.task_grant.ended", "reason", vec![field(1, &ID)], 2),
        ("browser.profile.sign_in_began", "kind", vec![field(1, &ID), field(2, &ID)], 3),
    ];
    for (type_name, name_of_field, before, number) in cases {
        for name in ["approved", "", "unspecified", "0", "Deny", "deny "] {
            let payload = [before.concat(), field(number, name.as_bytes())].concat();
            let error = decode(type_name, 1, &payload).unwrap_err();
            assert_eq!(error, DecodeError::UnknownName { field: name_of_field, name: name.to_owned() }, "{type_name}");
        }
        let error = decode(type_name, 1, &before.concat()).unwrap_err();
        assert_eq!(error, DecodeError::UnknownName { field: name_of_field, name: String::new() }, "{type_name}");
    }
    let reason = |name: &str| [field(1, &ID), field(2, b"refused"), field(4, name.as_bytes())].concat();
    assert!(decode("tool.call.finished", 1, &reason("page_outside_prefix")).is_ok());
    for name in ["", "page", "PageOutsidePrefix"] {
        assert_eq!(
            decode("tool.call.finished", 1, &reason(name)),
            Err(DecodeError::UnknownName { field: "reasons", name: name.to_owned() })
        );
    }
}

/// EVT-5: what authority stood behind a call is never left open.
#[test]
fn a_use_without_authority_is_refused() {
    let ids = [field(1, &ID), field(2, &ID), field(3, &ID)].concat();
    let rest = [field(11, &[]), field(12, b"routine")].concat();
    let whole = [ids.clone(), field(5, &ID), rest.clone()].concat();
    assert!(decode("tool.call.authorized", 1, &whole).is_ok());
    assert_eq!(decode("tool.call.authorized", 1, &[ids.clone(), rest].concat()), Err(DecodeError::Field { field: "authority" }));
    let no_view = [ids, field(5, &ID), field(12, b"routine")].concat();
    assert_eq!(decode("tool.call.authorized", 1, &no_view), Err(DecodeError::Field { field: "view" }));
}

/// EVT-5: bytes that are no message, and text that is no UTF-8, are refused.
#[test]
fn malformed_bytes_are_refused() {
    let not_text = [field(1, &ID), field(2, b"owner"), field(3, &[0xff, 0xfe])].concat();
    for payload in [&[0xff; 8][..], &[0x0a, 0x10, 1, 2], &[0x0b], &not_text] {
        let error = decode("message.received", 1, payload).unwrap_err();
        assert!(matches!(error, DecodeError::Malformed(_)), "{payload:?}: {error:?}");
    }
}
