package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
)

// TestBrowser runs the website's own tests in a real Chromium against the
// binary, two browsers at a time.
func TestBrowser(t *testing.T) {
	t.Parallel()
	t.Run("map", func(t *testing.T) { browse(t, "e2e", "WAYGATE_URL="+county(t).url) })
	t.Run("account pages", func(t *testing.T) { browse(t, "e2e:account", behindPages(t)...) })
}

// behindPages starts a gateway with a mail server and a payment processor, and returns the
// environment by which the tests of the account pages find them.
func behindPages(t *testing.T) (env []string) {
	t.Helper()
	mails := outboxtest.SMTP(t)
	box := httptest.NewServer(mailbox(t, mails))
	t.Cleanup(box.Close)
	g := start(t, accounts(storetest.SQLite(t), mails, "SVC_STRIPE_API="+stripeMock(t)), "serve", "--region", countyDir(t))
	return []string{"WAYGATE_URL=" + g.url, "ADMIN_TOKEN=" + adminToken, "MAILS=" + box.URL, "STRIPE_SECRET=" + stripeSecret}
}

// mailbox shows all mails as text, the newest last.
func mailbox(t *testing.T, mails *outboxtest.Server) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, m := range mails.Mails() {
			read := m.Message(t)
			_, _ = fmt.Fprintf(w, "To: %s\nSubject: %s\n\n%s\n\n", m.To[0], read.Subject, read.Text)
		}
	}
}

// browse runs a script of the website's with a Chromium.
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
	ctx, cancel := context.WithTimeout(t.Context(), 35*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "run", "--silent", script)
	npm.Dir = filepath.Join(root, "web")
	npm.Env = append(append(os.Environ(), env...), "CHROMIUM="+chromium)
	npm.WaitDelay = 10 * time.Second
	if out, err := npm.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
