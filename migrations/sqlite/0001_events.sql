-- The log: one head row, one gap-free sequence of events and one record of commands per tenant.
-- Every key starts with the tenant. Instants are microseconds since 1970; ids are 16 raw bytes.

-- The last position handed out and the time of its event. A position is taken by moving this row,
-- in the transaction that inserts the event, so what is visible is always a contiguous prefix.
CREATE TABLE log_head (
    tenant      TEXT    NOT NULL PRIMARY KEY,
    position    INTEGER NOT NULL CHECK (position >= 0),
    recorded_at INTEGER NOT NULL
) STRICT;

-- The payload is bytes, never text or JSON: bytes keep every character of a page and hash the same
-- for ever.
CREATE TABLE events (
    tenant         TEXT    NOT NULL,
    position       INTEGER NOT NULL CHECK (position >= 1),
    category       TEXT    NOT NULL,
    stream         BLOB    NOT NULL CHECK (length(stream) = 16),
    version        INTEGER NOT NULL CHECK (version >= 1),
    type           TEXT    NOT NULL,
    schema_version INTEGER NOT NULL CHECK (schema_version >= 1),
    recorded_at    INTEGER NOT NULL,
    actor          TEXT    NOT NULL,
    command        BLOB    NOT NULL CHECK (length(command) = 16),
    payload        BLOB    NOT NULL,
    PRIMARY KEY (tenant, position),
    UNIQUE (tenant, category, stream, version)
) STRICT;

-- What each command came to, written in the transaction of its events: the same command again
-- changes nothing.
CREATE TABLE commands (
    tenant         TEXT    NOT NULL,
    command        BLOB    NOT NULL CHECK (length(command) = 16),
    first_position INTEGER NOT NULL CHECK (first_position >= 1),
    event_count    INTEGER NOT NULL CHECK (event_count >= 0),
    PRIMARY KEY (tenant, command)
) STRICT;

CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never deleted');
END;
