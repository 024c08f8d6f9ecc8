#!/usr/bin/env bash
# Runs the engines' one suite on the embedded engine, on a real Valhalla and, where SVC_OSRM_URL
# names servers of the suite's extract (WAYGATE_EXTRACT=FILE go test ./engine/osrm -run TestSuite
# writes it), on OSRM, and bad requests on all. Writes bench/history/conformance.md.
# OSRM_VERSION is the version of the servers, which do not say it themselves.
# Checks that an engine does not pass are in the table, and are no failure of this script.
set -euo pipefail
cd "$(dirname "$0")/.."
to=$PWD/bench/history/conformance.md
packages=(./engine/embedded ./engine/valhalla)
[ -z "${SVC_OSRM_URL:-}" ] || packages+=(./engine/osrm)
{
  echo "# The engines beside each other"
  echo
  echo "Made by \`make conformance\`. Checks of the suite (\`engine/enginetest\`) that each engine passes, by behaviour; *not asked* are those of what it does not do."
  echo
  echo "Valhalla is $(node -p "require('./engine/enginetest/front/package.json').dependencies['@valhallajs/valhallajs']"), OSRM is ${OSRM_VERSION:-not there}."
  echo
  { go test -count 1 -json -run '^(TestSuite|TestRealValhalla)$' "${packages[@]}" || true; } | go run ./scripts/conformance
  echo
  echo "## Bad requests"
  echo
  echo "The status and the slug, or the code in OSRM's form, that a gateway before each engine answers."
} >"$to.new"
WAYGATE_CONFORMANCE=$to.new go test -count 1 -run '^TestBadRequests$' ./api/route
mv "$to.new" "$to"
