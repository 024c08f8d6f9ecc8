-- +goose Up
ALTER TABLE jobs ADD COLUMN stop BIGINT NOT NULL DEFAULT 0; -- 1: its run is to end with what it has

-- +goose Down
ALTER TABLE jobs DROP COLUMN stop;
