package e2e

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/index/sprite"
)

// TestKeptAnswers holds that what maps are drawn from and the service's documents have entity
// tags, are not sent again to who has them, and may be kept for good where the address names
// a version.
func TestKeptAnswers(t *testing.T) {
	t.Parallel()
	g := county(t)
	const forDays, forEver = "public, max-age=86400, immutable", "public, max-age=31536000, immutable"
	for path, kept := range map[string]string{
		"/styles/light": "no-cache", "/styles/light@1": forDays,
		"/styles/dark/theme": "no-cache", "/styles/dark@1/theme": forDays,
		"/sprite/sprite.json": "public, max-age=86400", "/sprite/" + sprite.Pinned() + "@2x.png": forEver, "/sprite/sprite-00000000.json": "public, max-age=86400",
		"/fonts/Go%20Regular/0-255.pbf": "public, max-age=86400",
		"/openapi.json":                 "public, max-age=300", "/llms.txt": "public, max-age=300", "/terms": "public, max-age=300", "/v1/platform": "public, max-age=300",
		"/tiles/halvern/style.json": "no-cache", "/tiles/halvern/tiles.json": "no-cache",
	} {
		first := g.get(t, path)
		tag := first.header.Get("ETag")
		if first.status != 200 || first.header.Get("Cache-Control") != kept || tag == "" {
			t.Errorf("%s: %d, ETag %q, Cache-Control %q, want %q", path, first.status, tag, first.header.Get("Cache-Control"), kept)
			continue
		}
		for _, list := range []string{tag, `"other", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
			again := g.get(t, path, "If-None-Match: "+list)
			if again.status != 304 || len(again.body) > 0 || again.header.Get("ETag") != tag || again.header.Get("Cache-Control") != kept {
				t.Errorf("%s with If-None-Match %s: %d, %d bytes, %v", path, list, again.status, len(again.body), again.header)
			}
		}
		if other := g.get(t, path, `If-None-Match: "other"`); other.status != 200 || len(other.body) != len(first.body) {
			t.Errorf("%s with another's tag: %d, %d bytes of %d", path, other.status, len(other.body), len(first.body))
		}
	}
	for _, path := range []string{"/styles/light@2", "/styles/light@0/theme", "/sprite/other.png"} {
		if p := g.get(t, path, "If-None-Match: *"); p.status != 404 || p.header.Get("ETag") != "" {
			t.Errorf("%s: %d, ETag %q", path, p.status, p.header.Get("ETag"))
		}
	}
}
