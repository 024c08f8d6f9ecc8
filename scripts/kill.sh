#!/usr/bin/env bash
# Kills the gateway again and again under load, 1,000 times or as often as the
# argument says, on SQLite and, where it is installed, on PostgreSQL. Every 100
# kills it compares the books (ledger, usage, credit, holds) with what the callers
# saw and prints the sums; fails where anything is lost or charged twice.
set -euo pipefail
cd "$(dirname "$0")/.."
WAYGATE_KILLS=${1:-1000} go test ./e2e -run '^TestKillNine$' -count 1 -timeout 0 -v
