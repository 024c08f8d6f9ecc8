#!/usr/bin/env bash
# Installs the Debian packages of apt-packages.txt that are missing. Tests that
# need one skip without it, so a machine where they cannot be installed is fine.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: tests that compare with other programs skip where those are missing"
    exit 0
fi

missing=()
while read -r package _; do
    [[ -z $package || $package == \#* ]] && continue
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done <apt-packages.txt
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $(id -u) -ne 0 ]]; then
    echo "not root: not installing ${missing[*]}; tests that need them skip"
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -qq -y --no-install-recommends "${missing[@]}"; } >/dev/null; then
    echo "could not install ${missing[*]}; tests that need them skip"
fi
