package osrm_test

import (
	"os"
	"testing"

	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/osrm"
)

// TestSuite runs the suite on the OSRM servers of SVC_OSRM_URL, whose data are of the extract
// that it writes to the file which WAYGATE_EXTRACT names.
func TestSuite(t *testing.T) {
	if to := os.Getenv("WAYGATE_EXTRACT"); to != "" {
		data, err := os.ReadFile(enginetest.Extract(t))
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	servers := enginetest.OSRMServers(t)
	if len(servers) == 0 {
		t.Skip("SVC_OSRM_URL names no OSRM")
	}
	enginetest.Run(t, osrm.New(servers, nil))
}
