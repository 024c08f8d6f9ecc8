package e2e

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
)

// TestParsers has the packages that apps read OSRM answers with take many of
// ours, in the sample county and, where there is an extract of it, in
// Liechtenstein.
func TestParsers(t *testing.T) {
	t.Parallel()
	urls := county(t).url
	t.Run("county", func(t *testing.T) { parse(t, urls, "150") })
	t.Run("Liechtenstein", func(t *testing.T) {
		dir := importertest.Region(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
		g := start(t, []string{"SVC_DEMO_RPM=100000", "SVC_DATA_DIR=" + t.TempDir()}, "serve", "--region", dir)
		parse(t, g.url, "350")
	})
}

// TestClients has unmodified clients of other services' families ask the gateway.
func TestClients(t *testing.T) {
	t.Parallel()
	node(t, "e2e:clients", "@routingjs/valhalla", "WAYGATE_URL="+county(t).url)
}

// parse runs the website's test of parsers.
func parse(t *testing.T, url, routes string) {
	t.Helper()
	node(t, "e2e:parsers", "osrm-text-instructions", "WAYGATE_URL="+url, "ROUTES="+routes)
}

// node runs a script of the website's that needs a package and no browser.
func node(t *testing.T, script, needs string, env ...string) {
	t.Helper()
	web := filepath.Join(root, "web")
	if _, err := os.Stat(filepath.Join(web, "node_modules", filepath.FromSlash(needs))); errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("CI") == "true" {
			t.Fatalf("web/node_modules has no %s: make web", needs)
		}
		t.Skipf("web/node_modules has no %s: make web", needs)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "run", "--silent", script)
	npm.Dir = web
	npm.Env = append(os.Environ(), env...)
	npm.WaitDelay = 10 * time.Second
	if out, err := npm.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
