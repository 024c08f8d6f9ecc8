package e2e

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
)

// mostMemory is the memory that serving a city may take, in MiB of resident memory.
const mostMemory = 150

func TestMemoryOfServing(t *testing.T) {
	t.Parallel()
	dir := importertest.Import(t, importer.Options{Sources: []string{realdata.File(t, "osm/newport-wales-20230613.osm.pbf")}})
	g := start(t, nil, "serve", "--region", dir)
	idle := resident(t, g)
	// Places in the city, by a fixed sequence.
	seed := uint64(1)
	next := func() float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed>>11) / (1 << 53)
	}
	found := 0
	for i := range 2000 {
		from, to := [2]float64{-3.04 + 0.1*next(), 51.55 + 0.05*next()}, [2]float64{-3.04 + 0.1*next(), 51.55 + 0.05*next()}
		profile := profileOf[costings[i%len(costings)]]
		a := g.get(t, fmt.Sprintf("/route/v1/%s/%.6f,%.6f;%.6f,%.6f?steps=true&overview=full", profile, from[0], from[1], to[0], to[1]))
		switch a.status {
		case 200:
			found++
		case 400, 442: // in the Bristol Channel, or on a car park nobody drives out of
		default:
			t.Fatalf("%s", a)
		}
	}
	for i := range 500 {
		if a := g.get(t, fmt.Sprintf("/tiles/newport-wales/14/%d/%d.mvt", 8050+i%20, 5450+i/20%15)); a.status != 200 && a.status != 204 {
			t.Fatalf("%s", a)
		}
	}
	used := resident(t, g)
	t.Logf("resident memory: %d MiB at the start, %d MiB after 2,000 routes (%d found) and 500 tiles", idle, used, found)
	if used > mostMemory {
		t.Errorf("%d MiB are resident, more than %d", used, mostMemory)
	}
	if found < 1500 {
		t.Errorf("%d of 2,000 routes found", found)
	}
}

// resident returns the resident memory of the gateway's process in MiB, the mapped
// region included.
func resident(t *testing.T, g *gateway) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.cmd.Process.Pid))
	if err != nil {
		t.Skipf("no /proc here: %v", err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmRSS in %s", status)
	}
	kib, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib / 1024
}
