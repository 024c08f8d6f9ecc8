-- +goose Up
CREATE TABLE jobs (
    id          TEXT PRIMARY KEY,
    key_id      TEXT NOT NULL,               -- whose it is
    kind        TEXT NOT NULL,
    state       TEXT NOT NULL,               -- queued, running, succeeded, failed, cancelled
    priority    BIGINT NOT NULL DEFAULT 0,   -- among those of the key; the highest first
    request     BYTEA NOT NULL,              -- packed
    digest      TEXT NOT NULL,               -- SHA-256 of the request and its address
    idempotency TEXT,                        -- as the caller sent it
    webhook_url TEXT NOT NULL DEFAULT '',
    charge      TEXT NOT NULL DEFAULT '',    -- what it was charged, as whoever charged it wrote it
    attempts    BIGINT NOT NULL DEFAULT 0,   -- runs that were begun
    holder      TEXT NOT NULL DEFAULT '',    -- of the lease
    lease_until BIGINT NOT NULL DEFAULT 0,
    next_at     BIGINT NOT NULL DEFAULT 0,   -- not before
    share       DOUBLE PRECISION NOT NULL DEFAULT 0,
    note        TEXT NOT NULL DEFAULT '',    -- what the run tells of itself
    problem     TEXT NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL,
    started_at  BIGINT,
    ended_at    BIGINT,
    expires_at  BIGINT                       -- of what has ended
);
CREATE UNIQUE INDEX jobs_idempotency ON jobs (key_id, idempotency) WHERE idempotency IS NOT NULL;
CREATE INDEX jobs_queued ON jobs (key_id, priority, created_at) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running';
CREATE INDEX jobs_of_key ON jobs (key_id, created_at);
CREATE INDEX jobs_expired ON jobs (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE job_results (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    body   BYTEA NOT NULL                    -- packed
);

-- When a key's job began last: the key that has waited longest is next.
CREATE TABLE job_turns (
    key_id    TEXT PRIMARY KEY,
    served_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE job_turns;
DROP TABLE job_results;
DROP TABLE jobs;
