package e2e

import (
	"path/filepath"
	"strings"
	"testing"
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
