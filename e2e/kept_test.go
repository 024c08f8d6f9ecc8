package e2e

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/index/sprite"
)

// TestKeptAnswers checks that the files that maps are drawn from and the service's documents
// have entity tags, are not sent again to clients that have them, and may be kept for good
// where the address names a version.
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
		first := g.get(t, path, "Accept-Encoding: identity")
		tag := first.header.Get("ETag")
		if first.status != 200 || first.header.Get("Cache-Control") != kept || tag == "" {
			t.Errorf("%s: %d, ETag %q, Cache-Control %q, want %q", path, first.status, tag, first.header.Get("Cache-Control"), kept)
			continue
		}
		for _, list := range []string{tag, `"other", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
			again := g.get(t, path, "If-None-Match: "+list, "Accept-Encoding: identity")
			if again.status != 304 || len(again.body) > 0 || again.header.Get("ETag") != tag || again.header.Get("Cache-Control") != kept {
				t.Errorf("%s with If-None-Match %s: %d, %d bytes, %v", path, list, again.status, len(again.body), again.header)
			}
		}
		if other := g.get(t, path, `If-None-Match: "other"`, "Accept-Encoding: identity"); other.status != 200 || len(other.body) != len(first.body) {
			t.Errorf("%s with another's tag: %d, %d bytes of %d", path, other.status, len(other.body), len(first.body))
		}
	}
	for _, path := range []string{"/openapi.json", "/tiles/halvern/style.json", "/tiles/halvern/12/1966/1403.mvt", "/"} {
		packedDiffers(t, g, path)
	}
	for _, path := range []string{"/styles/light@999", "/styles/light@0/theme", "/sprite/other.png"} {
		if p := g.get(t, path, "If-None-Match: *"); p.status != 404 || p.header.Get("ETag") != "" {
			t.Errorf("%s: %d, ETag %q", path, p.status, p.header.Get("ETag"))
		}
	}
}

// packedDiffers checks that an answer has another entity tag for each way it is packed, that
// each of the tags is known again however the next answer would be packed, and that caches
// get the differences.
func packedDiffers(t *testing.T, g *gateway, path string) {
	t.Helper()
	tags := map[string]string{} // by their coding
	for _, coding := range []string{"", "gzip", "zstd"} {
		a := g.get(t, path, "Accept-Encoding: "+cmp.Or(coding, "identity"))
		if a.status != 200 || !slices.Contains(a.header.Values("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %d, Vary %v", path, a.status, a.header.Values("Vary"))
		}
		if got := a.header.Get("Content-Encoding"); got != coding {
			continue // not worth packing
		}
		if tag := a.header.Get("ETag"); tag != "" {
			tags[coding] = tag
		}
	}
	different := map[string]bool{}
	for _, tag := range tags {
		different[tag] = true
	}
	if len(different) != len(tags) {
		t.Errorf("%s: the same tag for several codings: %v", path, tags)
	}
	for _, tag := range tags {
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			a := g.get(t, path, "Accept-Encoding: "+coding, "If-None-Match: "+tag)
			if a.status != 304 || len(a.body) > 0 || a.header.Get("ETag") != tag || a.header.Get("Content-Encoding") != "" || !slices.Contains(a.header.Values("Vary"), "Accept-Encoding") {
				t.Errorf("%s with %s, %s: %d, %v", path, tag, coding, a.status, a.header)
			}
		}
	}
}
