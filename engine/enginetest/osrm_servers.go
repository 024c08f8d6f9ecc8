package enginetest

import (
	"os"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
)

// OSRMServers are the addresses of SVC_OSRM_URL by costing: real servers whose data are of
// Extract's file. There are none where it is not set.
func OSRMServers(t testing.TB) map[costing.Costing]string {
	t.Helper()
	servers := map[costing.Costing]string{}
	for one := range strings.SplitSeq(os.Getenv("SVC_OSRM_URL"), ",") {
		c, at := costing.Auto, one
		if name, rest, named := strings.Cut(one, "="); named {
			if c, at = costing.Named(name), rest; !c.Known() {
				t.Fatalf("SVC_OSRM_URL names the costing %q", name)
			}
		}
		if at != "" {
			servers[c] = at
		}
	}
	return servers
}
