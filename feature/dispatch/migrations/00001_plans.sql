-- +goose Up
CREATE TABLE plans (
    id         TEXT PRIMARY KEY,
    key_id     TEXT NOT NULL,   -- whose it is
    name       TEXT NOT NULL,
    begins_at  BIGINT NOT NULL, -- second 0 of its times, in milliseconds
    offset_s   BIGINT NOT NULL, -- from UTC, in which clocks are shown
    stops      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX plans_of_key ON plans (key_id, created_at);
CREATE INDEX plans_expired ON plans (expires_at);

CREATE TABLE plan_rounds (
    plan_id TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    vehicle TEXT NOT NULL,
    n       BIGINT NOT NULL, -- from 0, in the order of the plan
    round   TEXT NOT NULL,   -- as JSON
    PRIMARY KEY (plan_id, vehicle)
);

CREATE TABLE plan_links (
    token_hash TEXT PRIMARY KEY, -- SHA-256 of the token, which is nowhere else
    id         TEXT NOT NULL,
    plan_id    TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    vehicle    TEXT NOT NULL,
    stop       TEXT NOT NULL,    -- '' is the driver's
    former     TEXT NOT NULL     -- vehicle that served the stop before; '' is none
);
CREATE UNIQUE INDEX plan_links_of ON plan_links (plan_id, id);

CREATE TABLE plan_marks (
    plan_id TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    stop    TEXT NOT NULL,
    state   TEXT NOT NULL,   -- done, failed, open
    note    TEXT NOT NULL,   -- as JSON
    at      BIGINT NOT NULL, -- when it was so, by the driver
    PRIMARY KEY (plan_id, stop)
);

-- +goose Down
DROP TABLE plan_marks;
DROP TABLE plan_links;
DROP TABLE plan_rounds;
DROP TABLE plans;
