-- +goose Up
CREATE TABLE signing_keys (
    id         BIGINT PRIMARY KEY, -- 1: there is one
    seed       TEXT NOT NULL,      -- of the Ed25519 private key, base64
    created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE signing_keys;
