// Package disposable lists the domains of throw-away e-mail addresses.
//
// The list is that of the npm package disposable-email-domains 1.0.62 (MIT licence, see
// NOTICE). refresh.sh makes it again from a later release.
package disposable

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"
)

//go:embed domains.txt.gz
var packed []byte

// list is one text of sorted lines, which is searched directly: a set of the same names
// would take ten times the memory.
var list = sync.OnceValue(func() string {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Errorf("built-in list of disposable domains: %w", err))
	}
	lines, err := io.ReadAll(z)
	if err != nil {
		panic(fmt.Errorf("built-in list of disposable domains: %w", err))
	}
	return string(lines)
})

// Has reports whether a domain, or one above it, is listed. The domain is in
// lower case and ASCII, without a dot at the end.
func Has(domain string) bool {
	for strings.Contains(domain, ".") {
		if listed(domain) {
			return true
		}
		_, domain, _ = strings.Cut(domain, ".")
	}
	return false
}

// listed searches the lines by bisection of the bytes: from and to are always starts of
// lines.
func listed(domain string) bool {
	lines := list()
	from, to := 0, len(lines)
	for from < to {
		middle := (from + to) / 2
		start := strings.LastIndexByte(lines[from:middle], '\n') + 1 + from
		line, _, _ := strings.Cut(lines[start:], "\n")
		switch strings.Compare(domain, line) {
		case 0:
			return true
		case -1:
			to = start
		default:
			from = start + len(line) + 1
		}
	}
	return false
}
