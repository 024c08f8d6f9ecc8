#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each, and fails at
# the first that finds something.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}

grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n 1 dirname | sort -u | while read -r folder; do
    grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$folder"/*_test.go | cut -d ' ' -f 2 | while read -r target; do
        echo "== $folder $target"
        if ! out=$(go test "$folder" -run '^$' -fuzz "^$target\$" -fuzztime "$time" 2>&1); then
            # The fuzzer now and then reports its own running out of time as a
            # failure; a finding always writes its input.
            if grep -q 'Failing input written' <<<"$out" || ! grep -q 'context deadline exceeded' <<<"$out"; then
                echo "$out"
                exit 1
            fi
        fi
        grep -E 'execs:' <<<"$out" | tail -n 1
    done
done
