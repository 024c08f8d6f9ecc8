#!/usr/bin/env bash
# Builds the binary into bin/waygate, telling how far it is: the first time some
# five hundred packages are compiled. Stack traces and profiles need no debug
# information, which is a quarter of the file.
set -euo pipefail
cd "$(dirname "$0")/.."
tty=
[[ -t 1 ]] && tty=1
packages=$(go list -deps ./cmd/waygate | wc -l)
# What go build -v says of a package is its name alone; everything else is a
# download or an error.
go build -trimpath -ldflags "-s -w" -v -o bin/waygate ./cmd/waygate 2>&1 | awk -v all="$packages" -v tty="$tty" '
    function say(text) { if (tty) printf "\r\033[K  %s", text; else if (++lines % 50 == 1) print "  " text; fflush() }
    /^go: downloading / { say("downloading " $3); next }
    /^[^ #:]+$/ {
        if (++n == 10) print "Compiling Waygate: one to four minutes the first time, seconds after that"
        if (n >= 10) say(n " of at most " all " packages"); next
    }
    { print (tty && n ? "\n" : "") $0 }
    END { if (tty && n >= 10) print "" }
'
