package edge

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
)

// secret finds what looks like a key of ours, whole or cut.
var secret = regexp.MustCompile(`wg_[0-9A-Za-z]{6,}`)

// masked hides keys in a text that is logged or shown back.
func masked(s string) string {
	if !strings.Contains(s, "wg_") {
		return s
	}
	return secret.ReplaceAllString(s, "wg_***")
}

// ShownPath returns the path of a request as logs and failures may show it.
func ShownPath(r *http.Request) string { return traceOf(r.Context()).shown }

// shown returns a path without keys, and cut where it goes on with a token or an
// address.
func (e *Edge) shown(path string) string {
	if rest, ok := strings.CutPrefix(path, signed.Prefix); ok {
		_, opened, _ := strings.Cut(rest, "/")
		return fault.Clip(signed.Prefix + "…/" + masked(opened))
	}
	for _, s := range e.secret {
		if strings.HasPrefix(path, s) {
			return s + "…"
		}
	}
	return fault.Clip(masked(path))
}
