package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestBrowser runs the website's own tests in a real Chromium against the
// binary: the map explorer, and a map client of others on another origin.
func TestBrowser(t *testing.T) {
	t.Parallel()
	chromium := os.Getenv("CHROMIUM")
	if chromium == "" {
		chromium = "/usr/bin/chromium"
	}
	for _, need := range [][2]string{
		{filepath.Join(root, "web", "dist", "index.html"), "make web"},
		{filepath.Join(root, "web", "node_modules", "playwright-core"), "make web"},
		{chromium, "apt-get install chromium, or set CHROMIUM to the browser"},
	} {
		if exists(need[0]) {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing: %s", need[0], need[1])
		}
		t.Skipf("%s is missing: %s", need[0], need[1])
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "run", "--silent", "e2e")
	npm.Dir = filepath.Join(root, "web")
	npm.Env = append(os.Environ(), "WAYGATE_URL="+county(t).url, "CHROMIUM="+chromium)
	npm.WaitDelay = 10 * time.Second
	if out, err := npm.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
