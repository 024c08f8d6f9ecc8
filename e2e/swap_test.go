package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/waittest"
)

// without writes the county's extract without the ways that a feature names.
func without(t *testing.T, feature, file string) string {
	t.Helper()
	s := generated()
	gone := map[int64]bool{}
	for _, f := range s.Features {
		if f.Name == feature {
			for _, ref := range f.Refs {
				if ref.Kind == osm.KindWay {
					gone[ref.ID] = true
				}
			}
		}
	}
	if len(gone) == 0 {
		t.Fatalf("the county has no %s", feature)
	}
	changed := *s.Data
	changed.Ways = nil
	for i := range s.Data.Ways {
		if w := &s.Data.Ways[i]; !gone[w.ID] {
			changed.Ways = append(changed.Ways, *w)
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := osm.WritePBF(f, &changed); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// load is a crowd of callers that asks one gateway for routes and tiles.
type load struct {
	crowd  sync.WaitGroup
	stop   atomic.Bool
	calls  atomic.Int64
	turned atomic.Int64 // away, where that is no failure
	mu     sync.Mutex
	failed []string
}

// overload starts the crowd. accept reports which failures are expected.
func overload(t *testing.T, g *gateway, callers int, accept func(error) bool) *load {
	t.Helper()
	a, b, c := countyPlace(t, "Over Thorling"), countyPlace(t, "Pengarrow"), countyPlace(t, "Port Gwillan")
	native := fmt.Sprintf(`{"locations":[{"lat":%g,"lon":%g},{"lat":%g,"lon":%g}],"costing":"truck"}`, a.Lat, a.Lon, c.Lat, c.Lon)
	l := &load{}
	for i := range callers {
		l.crowd.Go(func() {
			for n := i; !l.stop.Load(); n++ {
				method, path, content := http.MethodGet, fmt.Sprintf("/route/v1/driving/%s;%s?steps=true", a, b), ""
				switch n % 4 {
				case 1:
					path = "/tiles/halvern/12/1966/1403.mvt"
				case 2:
					method, path, content = http.MethodPost, "/route", native
				case 3:
					path = "/tiles/halvern/tiles.json"
				}
				// The header lets the client repeat a call whose idle connection
				// was closed before it got through.
				got, err := request(method, g.url+path, content, "Idempotency-Key: x")
				l.calls.Add(1)
				if err != nil && accept != nil && accept(err) {
					l.turned.Add(1)
					continue
				}
				if err != nil || got.status != http.StatusOK {
					l.mu.Lock()
					l.failed = append(l.failed, fmt.Sprintf("%s: %v %v", path, got, err))
					l.mu.Unlock()
				}
			}
		})
	}
	return l
}

// end stops the crowd and fails the test for every failed call.
func (l *load) end(t *testing.T) {
	t.Helper()
	l.stop.Store(true)
	l.crowd.Wait()
	if len(l.failed) > 0 || l.calls.Load() < 50 {
		t.Errorf("%d of %d calls failed: %.2000s", len(l.failed), l.calls.Load(), strings.Join(l.failed, "\n"))
	}
	t.Logf("%d calls under load", l.calls.Load())
}

// overToll reports whether the quick way goes over the toll bridge.
func overToll(t *testing.T, g *gateway) bool {
	t.Helper()
	r := g.route(t, between(t, "auto", "Over Thorling", "Pengarrow"))
	return r.Trip.Summary.HasToll
}

func metric(t *testing.T, g *gateway, line string) bool {
	t.Helper()
	return strings.Contains(string(g.get(t, "/metrics").ok(t).body), line)
}

func TestSwapUnderLoad(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	changed := without(t, "toll bridge", filepath.Join(t.TempDir(), "halvern.osm.pbf"))
	g := start(t, []string{"SVC_REGION_POLL=200ms"}, "serve", "--region", dir)
	if !overToll(t, g) {
		t.Fatal("the quick way does not go over the toll bridge")
	}
	l := overload(t, g, 8, nil)
	again := func(extract, name string) {
		succeeds(t, "import", "--out", dir, "--id", "halvern", "--name", name, "--country", "GB", extract)
		waittest.Until(t, name+" is in service", func() bool {
			return strings.Contains(string(g.get(t, "/explorer.json").ok(t).body), `"name":"`+name+`"`)
		})
	}
	swaps := times(t, "WAYGATE_SWAPS", 2)
	for i := range swaps {
		extract, bridge := changed, i%2 == 1
		if bridge {
			extract = countyPBF(t)
		}
		again(extract, fmt.Sprint("Halvern ", i))
		if overToll(t, g) != bridge {
			t.Errorf("after swap %d there is a toll bridge: %v", i+1, !bridge)
		}
	}
	if swaps%2 == 1 {
		again(countyPBF(t), "Halvern with its bridge")
	}

	// A region that does not verify is turned down; the old one stays.
	m := manifestOf(t, dir)
	m["name"] = "Damaged"
	for _, s := range m["sections"].([]any) {
		s := s.(map[string]any)
		data := read(t, filepath.Join(dir, s["file"].(string)))
		data[len(data)/3] ^= 4
		s["file"] = "damaged-" + s["file"].(string)
		write(t, filepath.Join(dir, s["file"].(string)), data)
	}
	m.write(t, dir)
	waittest.Until(t, "the damaged region is turned down", func() bool { return metric(t, g, `waygate_region_swaps_total{outcome="refused"} 1`) })
	waittest.Until(t, "the log names the damaged section", func() bool { return strings.Contains(g.log.String(), "section graph") })
	if !overToll(t, g) {
		t.Error("the damaged region is in service")
	}
	// An import over the damaged one brings the folder in order again.
	again(changed, "Halvern repaired")
	l.end(t)
	t.Logf("%d swaps and one refused: %d calls, %d failed", swaps, l.calls.Load(), len(l.failed))
}

func TestSwapOnSignal(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	g := start(t, []string{"SVC_REGION_POLL=0"}, "serve", "--region", dir)
	succeeds(t, "import", "--out", dir, "--id", "halvern", "--name", "Another", "--country", "GB", countyPBF(t))
	time.Sleep(300 * time.Millisecond)
	if strings.Contains(string(g.get(t, "/explorer.json").body), "Another") {
		t.Error("a region is taken into service that nobody asked for")
	}
	l := overload(t, g, 4, nil)
	if err := g.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the new region is in service", func() bool { return strings.Contains(string(g.get(t, "/explorer.json").body), "Another") })
	// The folder vanishes: what is in service stays.
	if err := os.Rename(filepath.Join(dir, "region.json"), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	if err := g.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the empty folder is turned down", func() bool { return metric(t, g, `waygate_region_swaps_total{outcome="refused"} 1`) })
	overToll(t, g)
	waittest.Until(t, "the load has gone on for a while", func() bool { return l.calls.Load() > 200 })
	l.end(t)
}

// Told to stop, the gateway ends what it has begun: all that it served arrives.
// Connections that it never took are no failures.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	g := start(t, nil, "serve", "--region", countyDir(t))
	before := strings.Count(g.log.String(), "msg=request")
	l := overload(t, g, 8, func(err error) bool {
		return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET)
	})
	waittest.Until(t, "the load is on", func() bool { return l.calls.Load() > 300 })
	if err := g.stop(); err != nil {
		t.Errorf("ended with %v\n%s", err, g.log.String())
	}
	l.end(t)
	served := strings.Count(g.log.String(), "msg=request") - before
	if arrived := int(l.calls.Load() - l.turned.Load()); served != arrived || l.turned.Load() == 0 {
		t.Errorf("%d calls were served, %d arrived, %d were turned away", served, arrived, l.turned.Load())
	}
}
