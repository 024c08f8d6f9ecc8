#!/usr/bin/env bash
# Builds Valhalla tiles from an OSM extract and serves them on loopback, with a
# real Valhalla from npm behind our own HTTP front. The engine tests start
# exactly this.
#
#   start.sh EXTRACT.osm.pbf [PORT=8002] [WORKDIR=a temporary folder]
#
# PORT 0 takes any free port; the last line of the start-up is
# "listening on http://127.0.0.1:PORT". PORT none builds, if WORKDIR holds no
# finished build, and serves nothing. VALHALLA_THREADS (2) is how many
# requests run at once. VALHALLA_TOOLS is where npm installs to: .tools/valhalla
# at the root of the module. VALHALLA_ELEVATION is a folder of heights, as
# N42/N42E001.hgt of 3601 x 3601 points. Debian packages: see scripts/apt-packages.txt.
set -euo pipefail

extract=$(realpath "$1")
port=${2:-8002}
work=${3:-$(mktemp -d)}
front=$(cd "$(dirname "$0")" && pwd)
export VALHALLA_TOOLS=${VALHALLA_TOOLS:-$front/../../../.tools/valhalla}
mkdir -p "$VALHALLA_TOOLS" "$work"
work=$(realpath "$work")
VALHALLA_TOOLS=$(realpath "$VALHALLA_TOOLS") # npm takes a symbolic link for a package of its own

# Packages are tested side by side, so one installs and the others wait.
exec 9>"$VALHALLA_TOOLS/.lock"
flock 9
if ! cmp -s "$front/package-lock.json" "$VALHALLA_TOOLS/.installed"; then
  cp "$front/package.json" "$front/package-lock.json" "$VALHALLA_TOOLS/"
  npm ci --prefix "$VALHALLA_TOOLS" --no-audit --no-fund --loglevel=error >&2
  cp "$front/package-lock.json" "$VALHALLA_TOOLS/.installed"
fi
exec 9>&-

# The size of the thread pool is read before the first line of JavaScript runs.
export UV_THREADPOOL_SIZE=${VALHALLA_THREADS:-2}
exec node "$front/serve.mjs" "$extract" "$port" "$work"
