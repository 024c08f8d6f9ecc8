-- +goose Up
CREATE TABLE watches (
    id          TEXT PRIMARY KEY,
    key_id      TEXT NOT NULL,             -- whose it is
    webhook_url TEXT NOT NULL,
    line        TEXT NOT NULL,             -- the route, an encoded polyline of six digits
    costing     TEXT NOT NULL,
    options     TEXT NOT NULL,             -- of the costing, JSON
    threshold_s DOUBLE PRECISION NOT NULL, -- by which its time must change
    duration_s  DOUBLE PRECISION NOT NULL, -- that was told last
    closed      BIGINT NOT NULL,           -- 1 where the route was closed when that was told
    told        BIGINT NOT NULL DEFAULT 0, -- how often it was told of; who raises it tells
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX watches_of_key ON watches (key_id, created_at);
CREATE INDEX watches_expired ON watches (expires_at);

-- +goose Down
DROP TABLE watches;
