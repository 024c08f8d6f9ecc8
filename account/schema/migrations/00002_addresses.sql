-- +goose Up
-- Secrets that sign addresses for those without a key. A key has a new one after some time;
-- those before it go on to check what they have signed.
CREATE TABLE address_secrets (
    id         TEXT PRIMARY KEY,
    key_id     TEXT NOT NULL REFERENCES keys (id),
    secret     TEXT NOT NULL, -- 32 bytes in base64
    created_at BIGINT NOT NULL
);
CREATE INDEX address_secrets_key ON address_secrets (key_id, created_at);

-- +goose Down
DROP TABLE address_secrets;
