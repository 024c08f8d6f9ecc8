#!/usr/bin/env bash
# Kills whole gateways again and again under a load of jobs, 500 times or as often as
# the argument says, one on SQLite and as often two on one PostgreSQL. Every 100 kills
# it holds jobs, webhooks and charges against what the caller knows and prints the sums;
# fails where a job is lost, told twice or begun a third time, or charged for nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
WAYGATE_JOB_KILLS=${1:-500} go test ./e2e -run '^TestKillJobs$' -count 1 -timeout 0 -v
