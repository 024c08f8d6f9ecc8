package api

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/waygate/waygate/fault"
)

// privatePaths begin paths that go on with a token or an address.
var privatePaths = []string{"/v1/console/claims/", "/admin/identities/"}

// secret finds what looks like a key of ours, whole or cut.
var secret = regexp.MustCompile(`wg_[0-9A-Za-z]{6,}`)

// masked hides keys in a text that is logged or shown back.
func masked(s string) string {
	if !strings.Contains(s, "wg_") {
		return s
	}
	return secret.ReplaceAllString(s, "wg_***")
}

// shownPath is the path of a request as logs and failures may show it.
func shownPath(r *http.Request) string {
	for _, p := range privatePaths {
		if strings.HasPrefix(r.URL.Path, p) {
			return p + "…"
		}
	}
	return fault.Clip(masked(r.URL.Path))
}
