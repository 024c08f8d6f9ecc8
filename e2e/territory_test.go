package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/outbox/outboxtest"
)

// polygon is round the county's town.
const polygon = `{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[-7.35,49.28],[-7.15,49.28],[-7.15,49.38],[-7.35,49.38],[-7.35,49.28]]]}}`

// TestTerritory publishes the county and an area of it, has somebody with a verified
// key pull the area, and serves what came.
func TestTerritory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	area, store := filepath.Join(dir, "Old Town.geojson"), filepath.Join(dir, "store")
	if err := os.WriteFile(area, []byte(polygon), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"SVC_DATA_DIR=" + filepath.Join(dir, "data"), "SVC_TERRITORIES=" + store}
	build := func(args ...string) string {
		t.Helper()
		code, out := command(t, env, append([]string{"territory", "build"}, args...)...)
		if code != 0 {
			t.Fatalf("%v: %s", args, out)
		}
		return out
	}
	if out := build(countyDir(t)); !strings.Contains(out, "halvern version 1 published") {
		t.Errorf("%s", out)
	}
	cut := func() string { return build("--polygon", area, "--country", "GB", countyPBF(t)) }
	if out := cut(); !strings.Contains(out, "old-town version 1 published") {
		t.Errorf("%s", out)
	}
	if out := cut(); !strings.Contains(out, "old-town version 1 unchanged") {
		t.Errorf("%s", out)
	}
	if code, out := command(t, env, "territory", "build", "--polygon", area, countyDir(t)); code == 0 || !strings.Contains(out, "published whole") {
		t.Errorf("a polygon of a region: exit %d, %s", code, out)
	}

	mails := outboxtest.Start(t, outboxtest.Options{})
	g := start(t, append(env, "SVC_REGION_DIR="+countyDir(t), "SVC_SMTP_URL="+mails.URL(), "SVC_ADMIN_TOKEN="+adminToken), "serve")
	somebody := join(t, g, mails, "walker@example.org")
	if out := succeeds(t, "territory", "list", g.url); !strings.Contains(out, "halvern") || !strings.Contains(out, "old-town") {
		t.Errorf("%s", out)
	}
	pulled := filepath.Join(dir, "pulled")
	if code, out := command(t, nil, "territory", "pull", g.url, "old-town", "--out", pulled); code == 0 || !strings.Contains(out, "needs an API key") {
		t.Errorf("without a key: exit %d, %s", code, out)
	}
	succeeds(t, "territory", "pull", g.url, "old-town", "--out", pulled, "--api-key", somebody.key)
	succeeds(t, "verify", pulled)
	if code, out := command(t, nil, "territory", "pull", g.url, "old-town", "--out", pulled, "--api-key", somebody.key, "--key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="); code == 0 || !strings.Contains(out, "the signature is wrong") {
		t.Errorf("another key: exit %d, %s", code, out)
	}

	offline := start(t, []string{"SVC_REGION_DIR=" + pulled}, "serve")
	if a := offline.get(t, "/tiles/old-town/tiles.json"); a.status != 200 {
		t.Errorf("the map of what was pulled: %s", a)
	}
	a := offline.send(t, "POST", "/route", `{"costing":"auto","locations":[{"lat":49.3266,"lon":-7.2674},{"lat":49.3241,"lon":-7.2515}]}`, "Content-Type: application/json")
	if a.status != 200 {
		t.Errorf("a route in what was pulled: %s", a)
	}
}
