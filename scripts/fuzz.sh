#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}

grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n 1 dirname | sort -u | while read -r folder; do
    grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$folder"/*_test.go | cut -d ' ' -f 2 | while read -r target; do
        echo "== $folder $target"
        go test "$folder" -run '^$' -fuzz "^$target\$" -fuzztime "$time"
    done
done
