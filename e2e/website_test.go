package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/waygate/waygate/account/stripe/stripetest"
)

// TestBrowser runs the website's own tests in a real Chromium against the
// binary, one browser at a time.
func TestBrowser(t *testing.T) {
	t.Parallel()
	t.Run("map", func(t *testing.T) { browse(t, "e2e", "WAYGATE_URL="+county(t).url) })
	t.Run("account pages", func(t *testing.T) { browse(t, "e2e:account", accounts(t)...) })
}

// accounts starts a gateway whose till is stripe-mock, and tells the tests of
// the account pages where all is. The mails are in the gateway's log.
func accounts(t *testing.T) (env []string) {
	t.Helper()
	const token, secret = "the-token-of-the-operator", "whsec_browser"
	till := stripetest.Start(t)
	g := start(t, []string{
		"SVC_REGION_DIR=" + countyDir(t), "SVC_ADMIN_TOKEN=" + token,
		"SVC_STRIPE_KEY=" + stripetest.Key, "SVC_STRIPE_API=" + till, "SVC_STRIPE_WEBHOOK_SECRET=" + secret,
	}, "serve")
	mails := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(g.log.String()))
	}))
	t.Cleanup(mails.Close)
	return []string{"WAYGATE_URL=" + g.url, "MAILS=" + mails.URL, "ADMIN_TOKEN=" + token, "STRIPE_SECRET=" + secret}
}

// browse runs a script of the website's tests.
func browse(t *testing.T, script string, env ...string) {
	t.Helper()
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
	npm := exec.CommandContext(ctx, "npm", "run", "--silent", script)
	npm.Dir = filepath.Join(root, "web")
	npm.Env = append(append(os.Environ(), "CHROMIUM="+chromium), env...)
	npm.WaitDelay = 10 * time.Second
	if out, err := npm.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
