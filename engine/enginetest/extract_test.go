package enginetest_test

import (
	"os"
	"testing"

	"github.com/waygate/waygate/engine/enginetest"
)

// TestExtract checks that the towns of all scenarios fit into one extract, and writes it to the
// file that WAYGATE_EXTRACT names, for engines that are built elsewhere.
func TestExtract(t *testing.T) {
	data, err := os.ReadFile(enginetest.Extract(t))
	if err != nil || len(data) < 1000 {
		t.Fatalf("%d bytes (%v)", len(data), err)
	}
	if to := os.Getenv("WAYGATE_EXTRACT"); to != "" {
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
