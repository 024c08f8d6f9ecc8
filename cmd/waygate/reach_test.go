package main

import (
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/waygate/waygate/towntest"
)

// closedPort is an address of this machine on which nothing listens.
const closedPort = "127.0.0.1:1"

// TestReach warns of the servers that take no connection and names no password.
func TestReach(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	s := settings{GeocoderProxyURL: "http://" + l.Addr().String(), ValhallaURL: []string{"http://" + closedPort}, accountSettings: accountSettings{SMTPURL: "smtp://me:hunter2@" + closedPort}}
	var log strings.Builder
	s.reach(t.Context(), slog.New(slog.NewTextHandler(&log, nil)))
	for _, name := range []string{"SVC_VALHALLA_URL", "SVC_SMTP_URL"} {
		if !strings.Contains(log.String(), "setting="+name+" server="+closedPort) {
			t.Errorf("%s is not in %s", name, log.String())
		}
	}
	if n := strings.Count(log.String(), "level=WARN"); n != 2 || strings.Contains(log.String(), "hunter") {
		t.Errorf("%d warnings, want 2 and no password: %s", n, log.String())
	}
}

// TestServeWithoutItsRedis says in /health that Redis does not answer, before any
// call has tried it, and serves as well as with it.
func TestServeWithoutItsRedis(t *testing.T) {
	town := towntest.Draw(t, "a---b", towntest.Ways{{"ab", "primary"}})
	dir := t.TempDir()
	imports(t, town, dir, "Town")
	s := quick()
	s.RedisURL = "redis://" + closedPort
	address, _ := serving(t, s, dir)
	if status, body := get(t, address+"/health"); status != 200 || !strings.Contains(body, `"status":"ok"`) || !strings.Contains(body, `"rate_limits":{"store":"redis","state":"failing"}`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := get(t, address+"/ready"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	mustRoute(t, address, way(town, "a", "b"))
}
