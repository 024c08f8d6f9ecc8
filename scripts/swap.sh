#!/usr/bin/env bash
# Imports a region again and again into the folder that a gateway under load
# serves, 100 times or as often as the argument says. Prints the sums; fails where
# a single call fails or a swap does not come about.
set -euo pipefail
cd "$(dirname "$0")/.."
WAYGATE_SWAPS=${1:-100} go test ./e2e -run '^TestSwapUnderLoad$' -count 1 -timeout 0 -v
