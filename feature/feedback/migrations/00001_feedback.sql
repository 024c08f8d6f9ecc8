-- +goose Up
CREATE TABLE map_issues (
    id       TEXT PRIMARY KEY,
    key_id   TEXT NOT NULL, -- '' from the demo lane
    at       BIGINT NOT NULL,
    lat      DOUBLE PRECISION NOT NULL,
    lon      DOUBLE PRECISION NOT NULL,
    category TEXT NOT NULL,
    note     TEXT NOT NULL,
    contact  TEXT NOT NULL
);
CREATE INDEX map_issues_at ON map_issues (at, id);

-- Who has reported how often on a day, as a hash under the day's salt. Both go
-- once the day is over.
CREATE TABLE map_issue_salts (
    day  TEXT PRIMARY KEY,
    salt TEXT NOT NULL
);
CREATE TABLE map_issue_days (
    day TEXT NOT NULL,
    who TEXT NOT NULL,
    n   BIGINT NOT NULL,
    PRIMARY KEY (day, who)
);

CREATE TABLE retros (
    id          TEXT PRIMARY KEY,
    key_id      TEXT NOT NULL,
    at          BIGINT NOT NULL,
    what_built  TEXT NOT NULL,
    problems    TEXT NOT NULL,
    gotchas     TEXT NOT NULL,
    wins        TEXT NOT NULL,
    docs_gaps   TEXT NOT NULL,
    agent_name  TEXT NOT NULL,
    sdk_version TEXT NOT NULL
);
CREATE INDEX retros_at ON retros (at, id);

-- The times of a key's last five retros, the newest in t1, 0 for none. A row
-- goes once all are a day old.
CREATE TABLE retro_turns (
    key_id TEXT PRIMARY KEY,
    t1     BIGINT NOT NULL,
    t2     BIGINT NOT NULL DEFAULT 0,
    t3     BIGINT NOT NULL DEFAULT 0,
    t4     BIGINT NOT NULL DEFAULT 0,
    t5     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX retro_turns_t1 ON retro_turns (t1);

-- +goose Down
DROP TABLE retro_turns;
DROP TABLE retros;
DROP TABLE map_issue_days;
DROP TABLE map_issue_salts;
DROP TABLE map_issues;
