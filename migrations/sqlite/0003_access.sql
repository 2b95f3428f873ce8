-- Who may call the API, and what was answered to a repeated command. Neither is history: a token is
-- a credential, of which only a hash is kept, and an answer is kept so that a retry gets it again.

CREATE TABLE tokens (
    token_id   TEXT   NOT NULL PRIMARY KEY,
    tenant     TEXT   NOT NULL,
    principal  TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    holder     TEXT   NOT NULL CHECK (holder IN ('owner', 'agent')),
    scopes     TEXT   NOT NULL,
    hash       TEXT   NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE command_answers (
    tenant       TEXT   NOT NULL,
    token_id     TEXT   NOT NULL,
    command_key  TEXT   NOT NULL,
    request_hash TEXT   NOT NULL,
    status       INTEGER NOT NULL,
    body         TEXT   NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (tenant, token_id, command_key)
) STRICT;
