#!/usr/bin/env bash
# Kills workers of jobs again and again under load, 1,000 times or as often as the
# argument says, on SQLite and, where it is installed, on PostgreSQL. Fails where a
# job is lost, told of twice or begun a third time, or the charges do not add up.
set -euo pipefail
cd "$(dirname "$0")/.."
WAYGATE_KILLS=${1:-1000} go test ./job -run '^TestKillNine$' -count 1 -timeout 0 -v
