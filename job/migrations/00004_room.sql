-- +goose Up
-- What a job takes: its request and result, packed, and 1024 for the row.
ALTER TABLE jobs ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE jobs SET bytes = 1024 + LENGTH(request) + COALESCE((SELECT LENGTH(body) FROM job_results WHERE job_id = jobs.id), 0);
CREATE INDEX jobs_room ON jobs (key_id, bytes);

-- +goose Down
DROP INDEX jobs_room;
ALTER TABLE jobs DROP COLUMN bytes;
