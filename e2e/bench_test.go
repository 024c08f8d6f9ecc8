package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
)

// A set drawn from the county is answered by the county's server, which agrees
// with itself.
func TestBench(t *testing.T) {
	t.Parallel()
	set, server := filepath.Join(t.TempDir(), "set.jsonl"), county(t).url
	succeeds(t, "bench", "make", "--region", countyDir(t), "-n", "30", "--costing", "truck", "--out", set)
	out := succeeds(t, "bench", "run", set, "--server", "one=waygate@"+server, "--server", "two=waygate@"+server, "--clients", "2")
	if !strings.Contains(out, "lengths within 2 % or 50 m 100.0 %") || strings.Contains(out, "fails with") {
		t.Errorf("%s", out)
	}
	if code, out := command(t, nil, "bench", "run", set, "--server", "google="+server); code == 0 || !strings.Contains(out, "google") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Routes are measured beside jobs that run, and these are gone afterwards.
func TestBenchBesideJobs(t *testing.T) {
	t.Parallel()
	set := filepath.Join(t.TempDir(), "set.jsonl")
	g := start(t, accounts(storetest.SQLite(t), outboxtest.SMTP(t), "SVC_JOB_WORKERS=2"), "serve", "--region", countyDir(t))
	key, _ := mint(t, g, 1e9, unlimitedRate)
	succeeds(t, "bench", "make", "--region", countyDir(t), "-n", "30", "--out", set)
	out := succeeds(t, "bench", "jobs", set, "--server", "waygate="+g.url+",key="+key, "--jobs", "2", "--stops", "20", "--block", "20", "--rounds", "1")
	if !strings.Contains(out, "2 jobs of 20 stops, of which 2 ran") || !strings.Contains(out, "beside jobs p99 is") {
		t.Errorf("%s", out)
	}
	list := reply[struct{ Jobs []struct{ State string } }](t, g, 200, "GET", "/v1/jobs", key, nil)
	if len(list.Jobs) != 2 || list.Jobs[0].State != "cancelled" || list.Jobs[1].State != "cancelled" {
		t.Errorf("%+v", list)
	}
	if code, out := command(t, nil, "bench", "jobs", set, "--server", "waygate="+g.url); code == 0 || !strings.Contains(out, "key") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Routes are measured beside clients of whatever endpoints a file has requests of.
func TestBenchBesideDearest(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), county(t).url
	set, file := filepath.Join(dir, "set.jsonl"), filepath.Join(dir, "requests.txt")
	succeeds(t, "bench", "make", "--region", countyDir(t), "-n", "30", "--out", set)
	assert.NilError(t, os.WriteFile(file, []byte("POST /locate {\"locations\":[{\"lat\":49.326622,\"lon\":-7.267471}]}\nGET /timezone?lat=49.3&lon=-7.2\nGET /timezone?lat=49.4&lon=-7.1\n"), 0o644))
	out := succeeds(t, "bench", "load", set, "--server", "waygate="+server, "--beside", file, "--dear", "2", "--block", "200ms", "--rounds", "1")
	for _, want := range []string{"| GET /timezone ", "| POST /locate ", "statuses map[200:"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	assert.NilError(t, os.WriteFile(file, []byte("timezone\n"), 0o644))
	fails(t, nil, []string{"line 1: want METHOD TARGET BODY"}, "bench", "load", set, "--server", "waygate="+server, "--beside", file)
}
