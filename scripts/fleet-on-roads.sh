#!/usr/bin/env bash
# Draws a problem of 199 jobs and 20 vehicles in a box, LON LAT LON LAT, and asks gateways to
# plan it: scripts/fleet-on-roads.sh -3.05 51.55 -2.93 51.60 http://127.0.0.1:8080 ...
set -euo pipefail
problem=$(awk -v west="$1" -v south="$2" -v east="$3" -v north="$4" '
    function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
    function place() { return sprintf("{\"lat\":%.6f,\"lon\":%.6f}", south + draw() * (north - south), west + draw() * (east - west)) }
    BEGIN {
        seed = 1; depot = place()
        printf "{\"vehicles\":["
        for (i = 0; i < 20; i++) printf "%s{\"id\":\"v%d\",\"start\":%s,\"end\":%s,\"capacity\":[13],\"time_window\":[0,36000]}", i ? "," : "", i, depot, depot
        printf "],\"jobs\":["
        for (i = 0; i < 199; i++) {
            printf "%s{\"id\":\"j%d\",\"location\":%s,\"service_s\":180,\"delivery\":[1]", i ? "," : "", i, place()
            if (i % 3 == 0) { at = int(draw() * 25000); printf ",\"time_windows\":[[%d,%d]]", at, at + 7200 }
            printf "}"
        }
        printf "]}"
    }')
shift 4
for gateway in "$@"; do
    curl -sS -H 'Content-Type: application/json' "$gateway/optimise" -d "$problem" |
        sed -E "s#.*\"summary\": ?(\{[^}]*\}).*\"search\": ?(\{[^}]*\}).*#$gateway \1 \2#"
done
