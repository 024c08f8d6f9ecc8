#!/usr/bin/env bash
# Makes systems.txt.gz from the EPSG dataset as PROJ has it: every system that is not
# deprecated, and that well-known text of version 1 can say. Needs projinfo (Debian package
# proj-bin), python3 and gzip; takes some minutes. After it, put the release of PROJ and of the
# EPSG dataset, which are printed, into epsg.go and NOTICE, and run the tests.
set -euo pipefail
cd "$(dirname "$0")"
database=${1:-/usr/share/proj/proj.db}
python3 - "$database" <<'PY' | gzip -9n >systems.txt.gz
import sqlite3, subprocess, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute("SELECT key, value FROM metadata WHERE key LIKE 'EPSG%' OR key = 'PROJ.VERSION'").fetchall(), file=sys.stderr)
kinds = ("projected", "geographic 2D", "vertical", "compound")
for (code,) in db.execute("SELECT code FROM crs_view WHERE auth_name = 'EPSG' AND deprecated = 0 AND type IN (?, ?, ?, ?) ORDER BY CAST(code AS INTEGER)", kinds).fetchall():
    said = subprocess.run(["projinfo", f"EPSG:{code}", "-o", "WKT1:GDAL", "--single-line", "-q"], capture_output=True, text=True).stdout.strip()
    if said and "\n" not in said:
        print(code, said, sep="\t")
PY
