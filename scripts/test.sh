#!/usr/bin/env bash
# Runs every test and ends with a count of all, which were skipped and why, and
# which failed. The argument is gotestsum.
set -euo pipefail
cd "$(dirname "$0")/.."
gotestsum=$1

# What tests write is dropped at once. In memory, where there is room for it, nothing waits
# for a disk; the folder's name is the same each time, for the cache of go test. What runs
# that were killed have left is deleted after a day.
memory=/dev/shm/waygate
if mkdir -p -m 1777 $memory 2>/dev/null && (($(stat -f -c '%a * %S' $memory) >= 8 << 30)) &&
    awk '/^MemAvailable:/ { exit $2 < 8 * 1024 ^ 2 }' /proc/meminfo && probe=$(mktemp -p $memory 2>/dev/null); then
    find $memory -mindepth 1 -maxdepth 1 -mmin +1440 -exec rm -rf {} +
    printf '#!/bin/sh\n' >"$probe"
    chmod +x "$probe"
    if "$probe" 2>/dev/null; then export TMPDIR=$memory; fi # not where programs are forbidden
    rm -f "$probe"
fi
events=$(mktemp -d)
trap 'rm -rf "$events"' EXIT
failed=0

# Each package has forty minutes, so that a slow machine is slow and not red. make lint
# runs go vet. Without what debuggers need, the two hundred programs are linked in half the
# time.
run() {
    local name=$1
    shift
    echo "== $name"
    "$gotestsum" --format pkgname --hide-summary skipped,output --jsonfile "$events/$name.json" -- \
        -timeout 40m -vet off -ldflags '-s -w' "$@"
}

# A package that waits, for a lease or a browser, leaves its processor to others.
packages=$((2 * $(nproc)))

# One PostgreSQL for all. It ends when its standard input does.
coproc postgres { exec go run ./scripts/postgres; }
read -r -u "${postgres[0]}" WAYGATE_POSTGRES || failed=1
export WAYGATE_POSTGRES
# The sample county, which the first that needs it builds for the others.
export WAYGATE_COUNTY=$events/county

# Tests make much that they drop at once: a heap that may grow is collected less often. What
# asks the binary measures it as it is run, without these settings.
GOGC=400 GOMEMLIMIT=2GiB run tests -p "$packages" $(go list ./... | grep -vE '/e2e(/clients)?$') || failed=1

# The binary is built once for all that ask it from outside. go does not see that these
# depend on it, so it must not cache them.
scripts/build.sh
export WAYGATE_BINARY=$PWD/bin/waygate

# Scenarios wait for most of their time, for kills, leases and feeds, and the pages that draw
# no map for a person's steps. Beside them run, under the race detector, the tests of several
# callers or workers at once, with few random cases; make soak runs all tests of these
# packages under it. Then clients are generated.
run e2e -count 1 -parallel "$packages" -skip '^TestBrowser$' ./e2e &
scenarios=$!
(
    while [[ ! -d $WAYGATE_COUNTY ]] && kill -0 "$scenarios" 2>/dev/null; do sleep 1; done # built once
    run pages -count 1 -run '^TestBrowser$/^account_pages$' ./e2e
) &
pages=$!
CGO_ENABLED=1 GOGC=400 GOMEMLIMIT=2GiB run race -race -short -run 'AtOnce$' $(<scripts/race-packages.txt) || failed=1
run clients -count 1 ./e2e/clients || failed=1
wait "$scenarios" || failed=1
wait "$pages" || failed=1

# The browser that draws maps has the processors to itself.
run map -count 1 -run '^TestBrowser$/^map$' ./e2e || failed=1

echo "== all"
# Without what a short run leaves out: it has run in full before.
"$gotestsum" --format none --raw-command -- cat "$events"/{tests,e2e,map,pages,clients}.json || failed=1
exit $failed
