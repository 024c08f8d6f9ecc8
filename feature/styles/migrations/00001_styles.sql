-- +goose Up
CREATE TABLE styles (
    id         TEXT PRIMARY KEY,
    key_id     TEXT NOT NULL, -- who may publish over it
    created_at BIGINT NOT NULL
);
CREATE INDEX styles_key ON styles (key_id, id);

CREATE TABLE style_versions (
    id      TEXT NOT NULL REFERENCES styles (id),
    version BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    theme   TEXT NOT NULL, -- as JSON
    PRIMARY KEY (id, version)
);

-- +goose Down
DROP TABLE style_versions;
DROP TABLE styles;
