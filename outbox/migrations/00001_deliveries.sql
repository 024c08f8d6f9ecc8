-- +goose Up
CREATE TABLE deliveries (
    id          TEXT PRIMARY KEY,          -- the webhook-id, or the left side of the Message-ID
    kind        TEXT NOT NULL,             -- mail, webhook
    state       TEXT NOT NULL,             -- waiting, delivered, failed
    content     TEXT,                      -- JSON; gone as soon as nobody needs it
    attempts    BIGINT NOT NULL DEFAULT 0, -- begun; names the holder of the lease
    next_at     BIGINT NOT NULL,
    lease_until BIGINT NOT NULL DEFAULT 0,
    expires_at  BIGINT NOT NULL,
    error       TEXT NOT NULL DEFAULT '',  -- of the last attempt
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT
);
CREATE INDEX deliveries_due ON deliveries (kind, next_at) WHERE state = 'waiting';
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE state <> 'waiting';

-- +goose Down
DROP TABLE deliveries;
