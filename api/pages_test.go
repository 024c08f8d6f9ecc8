package api_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

func TestPages(t *testing.T) {
	site := fstest.MapFS{}
	for _, name := range []string{"index", "keys", "verify", "console", "claim", "admin"} {
		site[name+".html"] = &fstest.MapFile{Data: []byte(`<!doctype html><html><head><script src="./assets/` + name + `.js"></script></head></html>`)}
	}
	for _, built := range []bool{true, false} {
		g := apitest.Start(t, func(o *api.Options) {
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
			r := g.Send("GET", path, "")
			text := string(r.Body)
			if r.Status != 200 || r.Header.Get("Content-Type") != "text/html; charset=utf-8" || r.Header.Get("Referrer-Policy") != "no-referrer" ||
				!strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s: %d %v", path, r.Status, r.Header)
			}
			if built != strings.Contains(text, "assets/"+c.name+".js") || c.base == "" && strings.Contains(text, "<base") || !strings.Contains(text, c.base) {
				t.Errorf("%s: %s", path, text)
			}
		}
	}
}
