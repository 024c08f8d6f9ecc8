package api_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/api"
)

func TestPages(t *testing.T) {
	site := fstest.MapFS{}
	for _, name := range []string{"index", "keys", "verify", "console", "claim", "admin"} {
		site[name+".html"] = &fstest.MapFile{Data: []byte(`<!doctype html><html><head><script src="./assets/` + name + `.js"></script></head></html>`)}
	}
	for _, built := range []bool{true, false} {
		g := start(t, func(o *api.Options) {
			if built {
				o.Website = site
			}
		})
		for path, c := range map[string]struct{ name, base string }{
			"/keys":                   {"keys", ""},
			"/console":                {"console", ""},
			"/console/claim":          {"claim", `<head><base href="../">`},
			"/admin":                  {"admin", ""},
			"/v1/keys/verify?token=x": {"verify", `<head><base href="../../">`},
		} {
			r := g.send("GET", path, "")
			text := string(r.body)
			if r.status != 200 || r.header.Get("Content-Type") != "text/html; charset=utf-8" || r.header.Get("Referrer-Policy") != "no-referrer" ||
				!strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s: %d %v", path, r.status, r.header)
			}
			if built != strings.Contains(text, "assets/"+c.name+".js") || c.base == "" && strings.Contains(text, "<base") || !strings.Contains(text, c.base) {
				t.Errorf("%s: %s", path, text)
			}
		}
	}
}
