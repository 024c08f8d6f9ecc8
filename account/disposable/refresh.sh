#!/usr/bin/env bash
# Makes domains.txt.gz from a release of the npm package
# disposable-email-domains: ./refresh.sh 1.0.62. Needs npm, Node and gzip.
# After it, put the release into disposable.go, NOTICE and this line, and run
# the tests. LICENCE-disposable-email-domains.txt is the licence section of the
# package's Readme.md: look whether it has changed.
set -euo pipefail
cd "$(dirname "$0")"
release=${1:?give the release, as 1.0.62}
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
npm pack --silent --pack-destination "$unpacked" "disposable-email-domains@$release" >/dev/null
tar -xzf "$unpacked"/*.tgz -C "$unpacked"
# Names in ASCII and lower case, sorted by byte, once each, and none below
# another that is listed: a listed name covers what is below it.
node -e '
  const { domainToASCII } = require("node:url");
  const read = (name) => require(process.argv[1] + "/package/" + name);
  const all = new Set([...read("index.json"), ...read("wildcard.json")].map((d) => domainToASCII(d.trim())).filter(Boolean));
  const covered = (d) => {
    for (let dot = d.indexOf("."); dot > 0; dot = d.indexOf(".")) {
      d = d.slice(dot + 1);
      if (all.has(d)) return true;
    }
    return false;
  };
  process.stdout.write([...all].filter((d) => d.includes(".") && !covered(d)).sort().map((d) => d + "\n").join(""));
' "$unpacked" | gzip -9n >domains.txt.gz
