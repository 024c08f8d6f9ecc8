package e2e

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkTiles asks the gateway, with a key, for the tiles of a region at its last
// four zooms in turn, and, where $WAYGATE_PMTILES names the program of go-pmtiles, its
// server for the same tiles of the same archive. Both log every request. cpu-µs/op is
// the processor time of the server, p99-ms how long all but one in a hundred take.
// The region is that of $WAYGATE_BENCH_REGION, or the sample county.
func BenchmarkTiles(b *testing.B) {
	region := os.Getenv("WAYGATE_BENCH_REGION")
	if region == "" {
		region = countyDir(b)
	}
	g := start(b, []string{"SVC_REGION_DIR=" + region, "SVC_ADMIN_TOKEN=" + adminToken}, "serve")
	key, _ := mint(b, g, 1e12, 1e6)
	var platform struct{ Basemaps []string }
	g.get(b, "/v1/platform").into(b, &platform)
	id := platform.Basemaps[0]
	var about struct {
		Bounds  [4]float64
		MaxZoom int
	}
	g.get(b, "/tiles/"+id+"/tiles.json").into(b, &about)
	box, last := about.Bounds, about.MaxZoom
	var paths []string
	for z := last - 3; z <= last; z++ {
		west, north := tileOf(z, box[0], box[3])
		east, south := tileOf(z, box[2], box[1])
		for x := west; x <= east; x++ {
			for y := north; y <= south; y++ {
				paths = append(paths, fmt.Sprintf("/%d/%d/%d.mvt", z, x, y))
			}
		}
	}
	b.Run("waygate", func(b *testing.B) {
		tiles(b, g.cmd.Process.Pid, g.url+"/tiles/"+id, paths, "Bearer "+key)
	})
	program := os.Getenv("WAYGATE_PMTILES")
	if program == "" {
		b.Log("go-pmtiles is not asked: name its program in WAYGATE_PMTILES (go install github.com/protomaps/go-pmtiles@v1.30.1)")
		return
	}
	address, pid := pmtiles(b, program, region)
	b.Run("go-pmtiles", func(b *testing.B) { tiles(b, pid, address+"/region", paths, "") })
}

// tileOf returns the tile of a zoom that a place lies in.
func tileOf(z int, lon, lat float64) (x, y int) {
	n := math.Exp2(float64(z))
	sin := math.Sin(lat * math.Pi / 180)
	return int(n * (lon/360 + 0.5)), int(n * (0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)))
}

// pmtiles starts go-pmtiles' server on a folder with a region's archive.
func pmtiles(b *testing.B, program, region string) (address string, pid int) {
	b.Helper()
	sections, err := filepath.Glob(filepath.Join(region, "basemap-*.section"))
	if err != nil || len(sections) == 0 {
		b.Fatalf("no basemap: %v", err)
	}
	dir := b.TempDir()
	if err := os.Symlink(sections[0], filepath.Join(dir, "region.pmtiles")); err != nil {
		b.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "serve", dir, "--interface=127.0.0.1", "--port="+strconv.Itoa(port))
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stop(); _ = cmd.Wait() })
	address = fmt.Sprintf("http://127.0.0.1:%d", port)
	for range 100 {
		if c, err := new(net.Dialer).DialContext(b.Context(), "tcp", address[len("http://"):]); err == nil {
			_ = c.Close()
			return address, cmd.Process.Pid
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatal("go-pmtiles does not listen")
	return "", 0
}

// tiles asks a server for tiles on one connection, packed as browsers take them.
func tiles(b *testing.B, pid int, address string, paths []string, authorization string) {
	client := &http.Client{}
	defer client.CloseIdleConnections()
	took := make([]time.Duration, 0, b.N)
	bytes := int64(0)
	ask := func(i int) {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address+paths[i%len(paths)], nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip")
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		began := time.Now()
		answer, err := client.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, answer.Body)
		if err = cmp.Or(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNoContent {
			b.Fatalf("%s: %d, %v", r.URL, answer.StatusCode, err)
		}
		took = append(took, time.Since(began))
		bytes += n
	}
	for i := range paths { // what either keeps in memory is there
		ask(i)
	}
	took, bytes = took[:0], 0
	before := processor(b, pid)
	b.ResetTimer()
	for i := range b.N {
		ask(i)
	}
	b.StopTimer()
	b.ReportMetric(float64((processor(b, pid)-before).Microseconds())/float64(b.N), "cpu-µs/op")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/op")
}
