-- +goose Up
-- The places that a key picked last from suggestions, as a list of their ids in JSON, the newest
-- first. There is a row for a key that wants them kept and for no other.
CREATE TABLE geocode_recent (
    key_id     TEXT PRIMARY KEY,
    updated_at BIGINT NOT NULL,
    places     TEXT NOT NULL
);

-- +goose Down
DROP TABLE geocode_recent;
