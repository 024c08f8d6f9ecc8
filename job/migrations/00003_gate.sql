-- +goose Up
-- Whoever submits a job changes the one row first, so that what waits is counted
-- by one at a time.
CREATE TABLE job_gate (passed BIGINT NOT NULL); -- submissions, taken or not
INSERT INTO job_gate (passed) VALUES (0);

-- +goose Down
DROP TABLE job_gate;
