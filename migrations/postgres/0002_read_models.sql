-- Read models that change in the same transaction as their events. Everything here can be rebuilt
-- from the log (requirement EVT-1); the checks repeat the limits of the core on purpose (GRA-5).

CREATE TABLE sessions (
    tenant          TEXT   NOT NULL,
    session_id      TEXT   NOT NULL,
    principal       TEXT   NOT NULL,
    surface         TEXT   NOT NULL CHECK (surface IN ('chat', 'inbound', 'device', 'schedule')),
    profile_id      TEXT,
    schedule_id     TEXT,
    allowed_origins TEXT   NOT NULL,
    status          TEXT   NOT NULL CHECK (status IN ('open', 'deleted')),
    opened_at       BIGINT NOT NULL,
    position        BIGINT NOT NULL,
    PRIMARY KEY (tenant, session_id)
);

CREATE TABLE runs (
    tenant        TEXT   NOT NULL,
    run_id        TEXT   NOT NULL,
    session_id    TEXT   NOT NULL,
    kind          TEXT   NOT NULL CHECK (kind IN ('interactive', 'scheduled', 'child')),
    parent_run_id TEXT,
    status        TEXT   NOT NULL CHECK (status IN ('active', 'ended')),
    started_at    BIGINT NOT NULL,
    ended_at      BIGINT,
    position      BIGINT NOT NULL,
    PRIMARY KEY (tenant, run_id)
);

CREATE TABLE tool_calls (
    tenant             TEXT   NOT NULL,
    tool_call_id       TEXT   NOT NULL,
    run_id             TEXT   NOT NULL,
    session_id         TEXT   NOT NULL,
    tool               TEXT   NOT NULL,
    action             TEXT,
    status             TEXT   NOT NULL CHECK (status IN ('requested', 'dispatched', 'finished')),
    authorization_kind TEXT   CHECK (authorization_kind IN ('approval', 'browser_standing_grant', 'browser_task_grant')),
    authority_id       TEXT,
    use_ordinal        BIGINT,
    view_json          TEXT,
    outcome            TEXT   CHECK (outcome IN ('completed', 'refused', 'failed', 'unknown')),
    code               TEXT,
    reasons_json       TEXT   NOT NULL,
    requested_at       BIGINT NOT NULL,
    finished_at        BIGINT,
    position           BIGINT NOT NULL,
    PRIMARY KEY (tenant, tool_call_id),
    CHECK ((status = 'finished') = (outcome IS NOT NULL))
);
CREATE INDEX tool_calls_by_session ON tool_calls (tenant, session_id, position);
CREATE INDEX tool_calls_unfinished ON tool_calls (tenant, position) WHERE status <> 'finished';

CREATE TABLE approvals (
    tenant        TEXT   NOT NULL,
    approval_id   TEXT   NOT NULL,
    session_id    TEXT   NOT NULL,
    run_id        TEXT   NOT NULL,
    tool_call_id  TEXT   NOT NULL,
    status        TEXT   NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'lapsed', 'cancelled')),
    resolution    TEXT   CHECK (resolution IN ('approve_once', 'approve_for_task', 'deny')),
    view_json     TEXT   NOT NULL,
    offer_json    TEXT,
    reasons_json  TEXT   NOT NULL,
    task_grant_id TEXT,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    closed_at     BIGINT,
    position      BIGINT NOT NULL,
    PRIMARY KEY (tenant, approval_id),
    CHECK (CASE status
        WHEN 'approved' THEN resolution IN ('approve_once', 'approve_for_task')
        WHEN 'denied' THEN resolution = 'deny'
        ELSE resolution IS NULL END),
    CHECK ((resolution IS NOT NULL AND resolution = 'approve_for_task') = (task_grant_id IS NOT NULL))
);
CREATE INDEX approvals_by_session ON approvals (tenant, session_id, position);
CREATE INDEX approvals_pending ON approvals (tenant, expires_at) WHERE status = 'pending';

CREATE TABLE task_grants (
    tenant             TEXT   NOT NULL,
    task_grant_id      TEXT   NOT NULL,
    principal          TEXT   NOT NULL,
    session_id         TEXT   NOT NULL,
    profile_id         TEXT   NOT NULL,
    profile_generation BIGINT NOT NULL,
    agent_version      TEXT   NOT NULL,
    policy_version     TEXT   NOT NULL,
    origin             TEXT   NOT NULL,
    path_prefix        TEXT   NOT NULL,
    approval_id        TEXT   NOT NULL,
    status             TEXT   NOT NULL CHECK (status IN ('active', 'ended')),
    actions_used       BIGINT NOT NULL CHECK (actions_used BETWEEN 0 AND 200),
    characters_used    BIGINT NOT NULL CHECK (characters_used BETWEEN 0 AND 4096),
    end_reason         TEXT   CHECK (end_reason IN ('expired', 'exhausted', 'revoked', 'superseded', 'profile_changed',
                                                    'profile_revoked', 'policy_changed', 'agent_changed', 'scope_removed')),
    created_at         BIGINT NOT NULL,
    expires_at         BIGINT NOT NULL,
    ended_at           BIGINT,
    position           BIGINT NOT NULL,
    PRIMARY KEY (tenant, task_grant_id),
    CHECK (expires_at - created_at = 1800000000),
    CHECK ((status = 'ended') = (end_reason IS NOT NULL))
);
CREATE UNIQUE INDEX task_grants_one_active ON task_grants (tenant, session_id) WHERE status = 'active';
CREATE UNIQUE INDEX task_grants_by_approval ON task_grants (tenant, approval_id);
CREATE INDEX task_grants_expiring ON task_grants (tenant, expires_at) WHERE status = 'active';
CREATE INDEX task_grants_by_profile ON task_grants (tenant, profile_id) WHERE status = 'active';

CREATE TABLE browser_profiles (
    tenant     TEXT   NOT NULL,
    profile_id TEXT   NOT NULL,
    principal  TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    status     TEXT   NOT NULL CHECK (status IN ('ready', 'signing_in', 'revoked', 'deleted')),
    generation BIGINT NOT NULL CHECK (generation >= 1),
    sign_in_id TEXT,
    created_at BIGINT NOT NULL,
    position   BIGINT NOT NULL,
    PRIMARY KEY (tenant, profile_id)
);
