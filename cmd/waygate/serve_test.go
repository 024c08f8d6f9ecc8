package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// quick are settings for a test: any free port, an open lane, a sharp eye on
// the region's folder.
func quick() settings {
	return settings{
		Listen: "127.0.0.1:0", RoutingEngine: "auto", DemoRPM: 1_000_000, MaxBody: 1 << 20, MatrixCells: 100, RequestMemory: 512, RequestTimeout: waittest.Patience, ReadTimeout: waittest.Patience,
		WriteTimeout: 2 * waittest.Patience, IdleTimeout: waittest.Patience, DrainTimeout: 5 * time.Second, RegionPoll: 10 * time.Millisecond, LogFormat: "text", LogLevel: "error",
		imageSettings:   imageSettings{Chromium: noChromium, Browsers: 1},
		voiceSettings:   voiceSettings{VoiceEngine: "off", VoiceWorkers: 1, VoiceWait: time.Second},
		accountSettings: accountSettings{UnitPrice: 10, KeysPerIPDay: 3, MailFrom: "Waygate <noreply@localhost>"},
	}
}

// serving starts a server on the region in dir and gives its address and what
// stops it.
func serving(t *testing.T, s settings, dir string) (address string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	at := serveOptions{regions: filepath.SplitList(dir), data: t.TempDir(), ready: func(a string) { ready <- a }}
	go func() { ended <- serve(ctx, s, at) }()
	select {
	case address = <-ready:
	case err := <-ended:
		cancel()
		t.Fatal(err)
	}
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return address, stop
}

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// imports builds the region of a town in dir.
func imports(t *testing.T, town *towntest.Town, dir, name string) {
	t.Helper()
	_, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{town.PBF(t)}, ID: "town", Name: name, NoMap: true, Builder: "test"})
	if err != nil {
		t.Fatal(err)
	}
}

func way(town *towntest.Town, from, to string) string {
	a, b := town.Point(from), town.Point(to)
	return fmt.Sprintf("/route/v1/driving/%.6f,%.6f;%.6f,%.6f?overview=false", a.Lon, a.Lat, b.Lon, b.Lat)
}

func distance(t *testing.T, body string) float64 {
	t.Helper()
	var answer struct{ Routes []struct{ Distance float64 } }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Routes) == 0 {
		t.Fatalf("%v: %s", err, body)
	}
	return answer.Routes[0].Distance
}

func TestServeAndSwapRegionsAtOnce(t *testing.T) {
	straight := towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	round := towntest.Draw(t, "a   b\n|   |\nc---d", towntest.Ways{{"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	dir := t.TempDir()
	imports(t, straight, dir, "Straight")
	address, stop := serving(t, quick(), dir)
	short := mustRoute(t, address, way(straight, "a", "b"))
	if short < 380 || short > 420 {
		t.Fatalf("%.0f m from a to b, want about 400", short)
	}

	loaded, load := context.WithCancel(t.Context())
	var calls, failed atomic.Int64
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for loaded.Err() == nil {
				resp, err := http.Get(address + way(straight, "a", "b"))
				calls.Add(1)
				if err != nil || resp.StatusCode != http.StatusOK {
					failed.Add(1)
				}
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			}
		})
	}
	for i, town := range []*towntest.Town{round, straight, round} {
		imports(t, town, dir, fmt.Sprint("Town ", i))
		waittest.Until(t, "the new region is in service", func() bool {
			_, body := get(t, address+"/explorer.json")
			return strings.Contains(body, fmt.Sprint("Town ", i))
		})
	}
	if long := mustRoute(t, address, way(straight, "a", "b")); long < 700 {
		t.Errorf("%.0f m from a to b after the swap, want the way round", long)
	}
	load()
	callers.Wait()
	if failed.Load() > 0 || calls.Load() < 10 {
		t.Errorf("%d of %d calls failed", failed.Load(), calls.Load())
	}

	// A region that does not verify is turned down and the one in service
	// stays.
	damage(t, dir)
	waittest.Until(t, "the damaged region is turned down", func() bool {
		_, body := get(t, address+"/metrics")
		return strings.Contains(body, `waygate_region_swaps_total{outcome="refused"} 1`)
	})
	if long := mustRoute(t, address, way(straight, "a", "b")); long < 700 {
		t.Errorf("%.0f m from a to b after the damage", long)
	}
	if err := stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func mustRoute(t *testing.T, address, path string) float64 {
	t.Helper()
	status, body := get(t, address+path)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	return distance(t, body)
}

// damage puts a section with a wrong checksum beside the others and seals a
// manifest that names it.
func damage(t *testing.T, dir string) {
	t.Helper()
	m, err := region.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range m.Sections {
		data, err := os.ReadFile(filepath.Join(dir, s.File))
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		m.Sections[i].File = "damaged-" + s.File
		if err := os.WriteFile(filepath.Join(dir, m.Sections[i].File), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.Name = "Damaged"
	if err := region.Seal(dir, m); err != nil {
		t.Fatal(err)
	}
}

func TestServeRefusesToStart(t *testing.T) {
	s := quick()
	if err := serve(t.Context(), s, serveOptions{regions: files.Folders{t.TempDir()}, data: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "waygate import") {
		t.Errorf("an empty folder: %v", err)
	}
	if err := serve(t.Context(), s, serveOptions{data: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "SVC_REGION_DIR") {
		t.Errorf("no folder: %v", err)
	}
}

// TestServeOnATakenPort says that another program listens there, and what to set.
func TestServeOnATakenPort(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, setting := range []string{"SVC_LISTEN", "SVC_METRICS_LISTEN"} {
		s := quick()
		s.ValhallaURL = []string{"http://127.0.0.1:1"}
		if setting == "SVC_LISTEN" {
			s.Listen = taken.Addr().String()
		} else {
			s.Metrics = taken.Addr().String()
		}
		err := serve(t.Context(), s, serveOptions{data: t.TempDir()})
		if err == nil || !strings.HasPrefix(err.Error(), setting+": ") || !strings.Contains(err.Error(), "another program listens there") {
			t.Errorf("%v", err)
		}
	}
}

func TestServeARemoteEngineWithoutARegion(t *testing.T) {
	s := quick()
	s.ValhallaURL = []string{"http://127.0.0.1:1"}
	address, _ := serving(t, s, "")
	if status, body := get(t, address+"/health"); status != 200 || !strings.Contains(body, `"degraded"`) || !strings.Contains(body, `"valhalla"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := get(t, address+"/route/v1/car/1,2;3,4"); status != 503 || !strings.Contains(body, "UpstreamUnavailable") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := get(t, address+"/explorer.json"); status != 200 || !strings.Contains(body, `"bounds":null`) {
		t.Errorf("%d %s", status, body)
	}
}
