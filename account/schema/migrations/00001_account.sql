-- +goose Up
CREATE TABLE identities (
    id                     TEXT PRIMARY KEY,
    email                  TEXT NOT NULL UNIQUE, -- lower case
    created_at             BIGINT NOT NULL,
    tos_accepted_at        BIGINT NOT NULL,
    verified_at            BIGINT,               -- of the first link that was confirmed
    source                 TEXT NOT NULL DEFAULT '',
    plan                   TEXT NOT NULL DEFAULT 'free',
    plan_quota             BIGINT,               -- units a month that the plan grants
    plan_rate              BIGINT,               -- calls a minute that the plan grants
    stripe_customer_id     TEXT UNIQUE,
    stripe_subscription_id TEXT,
    monthly_quota          BIGINT,               -- set by an operator; above all else
    download_allowance_mib BIGINT,
    mau_included           BIGINT
);

CREATE TABLE keys (
    id               TEXT PRIMARY KEY,
    identity_id      TEXT REFERENCES identities (id), -- NULL for a key minted by an operator
    name             TEXT NOT NULL,
    secret_hash      TEXT NOT NULL UNIQUE,            -- SHA-256 of the secret in hex
    state            TEXT NOT NULL,                   -- admin, provisional, verified
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT,
    verified_at      BIGINT,
    revoked_at       BIGINT,
    first_success_at BIGINT,
    monthly_quota    BIGINT NOT NULL,
    rate_per_min     BIGINT NOT NULL,
    allowed_origins  TEXT NOT NULL DEFAULT '[]',
    scope            TEXT NOT NULL DEFAULT 'full',
    source           TEXT NOT NULL DEFAULT '',
    user_agent       TEXT NOT NULL DEFAULT '',
    webhook_secret   TEXT,
    webhook_url      TEXT
);
CREATE INDEX keys_identity ON keys (identity_id);
CREATE INDEX keys_created ON keys (created_at);

-- Links of e-mails and claim pointers, by the hash of their token.
CREATE TABLE links (
    token_hash  TEXT PRIMARY KEY,
    kind        TEXT NOT NULL, -- verify, signin, claim
    identity_id TEXT NOT NULL REFERENCES identities (id),
    key_id      TEXT REFERENCES keys (id),
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    used_at     BIGINT
);
CREATE INDEX links_expires ON links (expires_at);
CREATE INDEX links_identity ON links (identity_id, kind, created_at);

CREATE TABLE sessions (
    token_hash  TEXT PRIMARY KEY,
    identity_id TEXT NOT NULL REFERENCES identities (id),
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);

-- Addresses are kept as hashes under a salt that goes with its day or month.
CREATE TABLE salts (
    scope TEXT PRIMARY KEY, -- client:2026-11-21, mau:2026-11
    salt  TEXT NOT NULL
);
CREATE TABLE issuances_client (
    day    TEXT NOT NULL,
    client TEXT NOT NULL,
    n      BIGINT NOT NULL,
    PRIMARY KEY (day, client)
);
CREATE TABLE issuances_hour (
    hour TEXT PRIMARY KEY, -- 2026-11-21T09
    n    BIGINT NOT NULL
);

-- Prepaid credit in millipence. What is held is promised to a replica and not
-- spent yet.
CREATE TABLE balances (
    identity_id TEXT PRIMARY KEY REFERENCES identities (id),
    millipence  BIGINT NOT NULL,
    held        BIGINT NOT NULL DEFAULT 0,
    credited    BIGINT NOT NULL DEFAULT 0,
    CHECK (held >= 0),
    CHECK (millipence >= held)
);
CREATE TABLE holds (
    id          TEXT PRIMARY KEY,
    identity_id TEXT NOT NULL REFERENCES balances (identity_id),
    millipence  BIGINT NOT NULL CHECK (millipence >= 0),
    expires_at  BIGINT NOT NULL
);
CREATE INDEX holds_expires ON holds (expires_at);
CREATE TABLE entries (
    seq           BIGINT NOT NULL,
    identity_id   TEXT NOT NULL REFERENCES balances (identity_id),
    at            BIGINT NOT NULL,
    kind          TEXT NOT NULL,   -- credit, usage
    millipence    BIGINT NOT NULL, -- above 0 for credit, below for usage
    balance_after BIGINT NOT NULL,
    reason        TEXT NOT NULL,
    source        TEXT NOT NULL DEFAULT '', -- admin, stripe
    PRIMARY KEY (identity_id, seq),
    UNIQUE (identity_id, reason)
);

-- Figures an operator set for an identity, so that a repeated reason changes
-- nothing.
CREATE TABLE adjustments (
    identity_id TEXT NOT NULL REFERENCES identities (id),
    field       TEXT NOT NULL, -- monthly_quota, download_allowance_mib, mau_included
    reason      TEXT NOT NULL,
    value       BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (identity_id, field, reason)
);

-- A payment that a processor settled, for the operator's figures.
CREATE TABLE payments (
    id          TEXT PRIMARY KEY,
    identity_id TEXT NOT NULL REFERENCES identities (id),
    at          BIGINT NOT NULL,
    kind        TEXT NOT NULL, -- credit, subscription
    pence       BIGINT NOT NULL
);
CREATE TABLE processor_events (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL
);

-- Usage. A pool is an identity, or a key that stands alone; a period a month
-- (2026-11) or the whole life of a provisional key (life).
CREATE TABLE usage_days (
    key_id   TEXT NOT NULL REFERENCES keys (id),
    day      TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    class    TEXT NOT NULL, -- standard, premium
    calls    BIGINT NOT NULL,
    units    BIGINT NOT NULL,
    PRIMARY KEY (key_id, day, endpoint, class)
);
CREATE INDEX usage_days_day ON usage_days (day);
CREATE TABLE usage_periods (
    pool   TEXT NOT NULL,
    period TEXT NOT NULL,
    units  BIGINT NOT NULL,
    PRIMARY KEY (pool, period)
);
CREATE TABLE usage_batches (
    id TEXT PRIMARY KEY, -- of one flush, so that none is counted twice
    at BIGINT NOT NULL
);
CREATE TABLE active_users (
    identity_id TEXT NOT NULL,
    month       TEXT NOT NULL,
    client      TEXT NOT NULL,
    PRIMARY KEY (identity_id, month, client)
);
CREATE TABLE downloads (
    identity_id TEXT NOT NULL,
    month       TEXT NOT NULL,
    bytes       BIGINT NOT NULL,
    PRIMARY KEY (identity_id, month)
);
CREATE TABLE demo_days (
    day      TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    class    TEXT NOT NULL,
    calls    BIGINT NOT NULL,
    units    BIGINT NOT NULL,
    PRIMARY KEY (day, endpoint, class)
);
CREATE TABLE demo_features (
    day     TEXT NOT NULL,
    feature TEXT NOT NULL,
    calls   BIGINT NOT NULL,
    units   BIGINT NOT NULL,
    PRIMARY KEY (day, feature)
);

-- Quota thresholds that an identity was told of.
CREATE TABLE notices (
    identity_id TEXT NOT NULL REFERENCES identities (id),
    month       TEXT NOT NULL,
    percent     BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (identity_id, month, percent)
);

-- +goose Down
DROP TABLE notices;
DROP TABLE demo_features;
DROP TABLE demo_days;
DROP TABLE downloads;
DROP TABLE active_users;
DROP TABLE usage_batches;
DROP TABLE usage_periods;
DROP TABLE usage_days;
DROP TABLE processor_events;
DROP TABLE payments;
DROP TABLE adjustments;
DROP TABLE entries;
DROP TABLE holds;
DROP TABLE balances;
DROP TABLE issuances_hour;
DROP TABLE issuances_client;
DROP TABLE salts;
DROP TABLE sessions;
DROP TABLE links;
DROP TABLE keys;
DROP TABLE identities;
