#!/usr/bin/env bash
# Spreads a total time over all fuzz targets of the module, or over those of the
# packages given: fuzz.sh [TIME [PACKAGE...]], TIME as 90s, 30m or 8h, by default
# 30m. What a target finds stays in its testdata/fuzz, where ordinary tests run it
# from then on, and the others go on. It ends with a count, and fails where
# anything was found.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30m}
shift || true
[ $# -gt 0 ] || set -- ./...

case $time in
*h) total=$((${time%h} * 3600)) ;;
*m) total=$((${time%m} * 60)) ;;
*s) total=${time%s} ;;
*)
    echo "fuzz.sh: the time $time is not like 90s, 30m or 8h" >&2
    exit 2
    ;;
esac

# The names of a package's targets come before the line that names the package.
targets=$(go test -list '^Fuzz' "$@" | awk '/^Fuzz/ { name[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, name[i]; n = 0 }')
count=$(grep -c . <<<"$targets" || true)
if [ "$count" -eq 0 ]; then
    echo "fuzz.sh: no targets in $*" >&2
    exit 2
fi
each=$((total / count))
[ "$each" -ge 1 ] || each=1
echo "$count targets, ${each}s each"

found=0
tried=0
while read -r package target; do
    if ! out=$(go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${each}s" 2>&1); then
        # The fuzzer now and then reports its own running out of time as a
        # failure; a finding always writes its input.
        if grep -q 'Failing input written' <<<"$out" || ! grep -q 'context deadline exceeded' <<<"$out"; then
            found=$((found + 1))
            echo "== $package $target"
            echo "$out"
        fi
    fi
    execs=$(grep -oE 'execs: [0-9]+' <<<"$out" | tail -n 1 | cut -d ' ' -f 2)
    tried=$((tried + ${execs:-0}))
    echo "$package $target: ${execs:-0} inputs"
done <<<"$targets"
echo "$count targets tried $tried inputs; $found of them found something"
[ "$found" -eq 0 ]
