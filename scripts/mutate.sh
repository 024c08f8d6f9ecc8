#!/usr/bin/env bash
# Plants faults in the code, one at a time, and lists those that the tests do not
# notice; scripts/mutate.sh -h tells how. It takes hours for hundreds of faults, and is no
# part of make test or make soak.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Faulty code must not build what other tests keep, so it has links to what there is.
kept=${WAYGATE_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/waygate-test}
export WAYGATE_TEST_CACHE=$scratch/kept
cp -al "$kept" "$WAYGATE_TEST_CACHE" 2>/dev/null || mkdir -p "$WAYGATE_TEST_CACHE"

# A fault that makes a loop endless must not fill the machine's memory.
ulimit -v $((16 << 20))
go build -o "$scratch/mutate" ./scripts/mutate
"$scratch/mutate" "$@"
