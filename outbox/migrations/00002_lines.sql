-- +goose Up
-- Whose a webhook is and which host receives it. Rows from before have neither, and
-- learn their host when they are tried.
ALTER TABLE deliveries ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ADD COLUMN host TEXT NOT NULL DEFAULT '';
DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (kind, owner, host, next_at) WHERE state = 'waiting';

-- What waits for one host on behalf of one owner. Owners take turns, and of an owner
-- its lines do.
CREATE TABLE delivery_lines (
    kind     TEXT NOT NULL,
    owner    TEXT NOT NULL,
    host     TEXT NOT NULL,
    turn     BIGINT NOT NULL DEFAULT 0, -- the higher, the later it was served last
    failures BIGINT NOT NULL DEFAULT 0, -- attempts since the host answered last
    next_at  BIGINT NOT NULL DEFAULT 0, -- not before
    PRIMARY KEY (kind, owner, host)
);
INSERT INTO delivery_lines (kind, owner, host) SELECT DISTINCT kind, owner, host FROM deliveries WHERE state = 'waiting';

-- +goose Down
DROP TABLE delivery_lines;
DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (kind, next_at) WHERE state = 'waiting';
ALTER TABLE deliveries DROP COLUMN host;
ALTER TABLE deliveries DROP COLUMN owner;
