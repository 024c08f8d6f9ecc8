-- +goose Up
-- The places that a key has uploaded, as one list of JSON: they are replaced,
-- given back and searched together. The version is new with every upload.
CREATE TABLE place_sets (
    key_id     TEXT PRIMARY KEY,
    version    TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    n          BIGINT NOT NULL,
    places     TEXT NOT NULL
);

-- +goose Down
DROP TABLE place_sets;
