#!/usr/bin/env bash
# Runs what takes too long for each change, one after the other: all tests of the
# packages with goroutines under the race detector, every test, the walk of all
# requests, the fuzz targets, and the long forms of kills and swaps. It goes on after a
# failure, ends with a list of the parts, and fails where one of them did. The argument
# is gotestsum.
set -euo pipefail
cd "$(dirname "$0")/.."
gotestsum=$1
failed=0
export WAYGATE_SOAK=true # each page in every look, every journey of the planner
told=()

part() {
    local name=$1 began=$SECONDS outcome=passed
    shift
    echo "== soak: $name"
    "$@" || { outcome=FAILED failed=1; }
    told+=("$(printf '%-14s %s after %d min' "$name" "$outcome" $(((SECONDS - began) / 60)))")
}

part race env CGO_ENABLED=1 "$gotestsum" --format pkgname --hide-summary skipped -- \
    -timeout 40m -vet off -race -short $(<scripts/race-packages.txt)
part tests scripts/test.sh "$gotestsum"
part walk make --no-print-directory walk
part fuzz make --no-print-directory fuzz FUZZTIME=20m
for long in kill kill-jobs kill-gateways swap; do
    part "$long" "scripts/$long.sh"
done

printf '%s\n' "== soak" "${told[@]}"
exit $failed
