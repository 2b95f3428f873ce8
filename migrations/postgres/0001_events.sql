-- The log: one head row, one gap-free sequence of events and one record of commands per tenant.
-- Every key starts with the tenant. Instants are microseconds since 1970; ids are 16 raw bytes.

-- The last position handed out and the time of its event. A position is taken by moving this row,
-- in the transaction that inserts the event, so what is visible is always a contiguous prefix.
-- The low fill factor keeps the moved row on its page (a heap-only update).
CREATE TABLE log_head (
    tenant      TEXT   NOT NULL PRIMARY KEY,
    position    BIGINT NOT NULL CHECK (position >= 0),
    recorded_at BIGINT NOT NULL
) WITH (fillfactor = 10);

-- The payload is bytes, never text or JSON: bytes keep every character of a page and hash the same
-- for ever.
CREATE TABLE events (
    tenant         TEXT   NOT NULL,
    position       BIGINT NOT NULL CHECK (position >= 1),
    category       TEXT   NOT NULL,
    stream         BYTEA  NOT NULL CHECK (length(stream) = 16),
    version        BIGINT NOT NULL CHECK (version >= 1),
    type           TEXT   NOT NULL,
    schema_version BIGINT NOT NULL CHECK (schema_version >= 1),
    recorded_at    BIGINT NOT NULL,
    actor          TEXT   NOT NULL,
    command        BYTEA  NOT NULL CHECK (length(command) = 16),
    payload        BYTEA  NOT NULL,
    PRIMARY KEY (tenant, position),
    UNIQUE (tenant, category, stream, version)
);

-- What each command came to, written in the transaction of its events: the same command again
-- changes nothing.
CREATE TABLE commands (
    tenant         TEXT   NOT NULL,
    command        BYTEA  NOT NULL CHECK (length(command) = 16),
    first_position BIGINT NOT NULL CHECK (first_position >= 1),
    event_count    BIGINT NOT NULL CHECK (event_count >= 0),
    PRIMARY KEY (tenant, command)
);

CREATE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed or deleted';
END
$$;

CREATE TRIGGER events_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
