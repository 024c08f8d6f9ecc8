package journey_test

import (
	"archive/zip"
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/transit/journey"
)

// copyFeed writes a feed that is copies of another, side by side in a square, into a folder. A
// railway with a train every quarter of an hour goes from the busiest stop of each copy to that
// of the next in its row and in its column.
func copyFeed(t testing.TB, feed, folder string, side int) {
	t.Helper()
	z, err := zip.OpenReader(feed)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	hub := busiest(t, z)
	own := []string{"stop_id", "stop_code", "parent_station", "trip_id", "route_id", "service_id", "shape_id", "block_id"}
	for _, f := range z.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		rows := csv.NewReader(bufio.NewReader(from))
		rows.FieldsPerRecord, rows.LazyQuotes = -1, true
		head, err := rows.Read()
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(filepath.Join(folder, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		out := bufio.NewWriter(file)
		to := csv.NewWriter(out)
		put(t, to, head...)
		copies := side * side
		if strings.HasPrefix(f.Name, "agency") || strings.HasPrefix(f.Name, "feed_info") {
			copies = 1
		}
		for {
			row, err := rows.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for n := range copies {
				other := slices.Clone(row)
				for i, name := range head {
					switch {
					case i >= len(row) || row[i] == "" || copies == 1:
					case slices.Contains(own, name):
						other[i] = fmt.Sprint(n, ":", row[i])
					case strings.HasSuffix(name, "_lat"):
						other[i] = moved(row[i], 0.8*float64(n/side))
					case strings.HasSuffix(name, "_lon"):
						other[i] = moved(row[i], 1.3*float64(n%side))
					}
				}
				put(t, to, other...)
			}
		}
		joinCopies(t, f.Name, head, to, hub, side)
		to.Flush()
		if err := errors.Join(to.Error(), out.Flush(), file.Close(), from.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t testing.TB, to *csv.Writer, row ...string) {
	if err := to.Write(row); err != nil {
		t.Fatal(err)
	}
}

func moved(degrees string, by float64) string {
	at, err := strconv.ParseFloat(degrees, 64)
	if err != nil {
		return degrees
	}
	return strconv.FormatFloat(at+by, 'f', 6, 64)
}

// busiest returns the stop of a feed with most calls.
func busiest(t testing.TB, z *zip.ReadCloser) (hub string) {
	f, err := z.Open("stop_times.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows := csv.NewReader(bufio.NewReader(f))
	head, err := rows.Read()
	if err != nil {
		t.Fatal(err)
	}
	at, calls := slices.Index(head, "stop_id"), map[string]int{}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return hub
		}
		if err != nil {
			t.Fatal(err)
		}
		if calls[row[at]]++; calls[row[at]] > calls[hub] {
			hub = row[at]
		}
	}
}

// joinCopies writes the railways between copies to a table.
func joinCopies(t testing.TB, table string, head []string, to *csv.Writer, hub string, side int) {
	row := func(values map[string]string) {
		list := make([]string, len(head))
		for i, name := range head {
			list[i] = values[name]
		}
		put(t, to, list...)
	}
	if table == "calendar.txt" {
		row(map[string]string{"service_id": "daily", "monday": "1", "tuesday": "1", "wednesday": "1", "thursday": "1", "friday": "1", "saturday": "1", "sunday": "1", "start_date": "20240226", "end_date": "20241122"})
	}
	if table == "agency.txt" {
		row(map[string]string{"agency_id": "rail", "agency_name": "Rail", "agency_url": "https://rail.example", "agency_timezone": "Europe/London"})
	}
	for n := range side * side {
		for _, other := range []int{n + 1, n + side, n - 1, n - side} {
			if other < 0 || other >= side*side || (other == n+1 && other%side == 0) || (other == n-1 && n%side == 0) {
				continue
			}
			route := fmt.Sprintf("rail:%d:%d", n, other)
			if table == "routes.txt" {
				row(map[string]string{"route_id": route, "agency_id": "rail", "route_short_name": route, "route_type": "2"})
			}
			for at := 5 * 60; at < 23*60; at += 15 {
				trip := fmt.Sprint(route, ":", at)
				switch table {
				case "trips.txt":
					row(map[string]string{"route_id": route, "service_id": "daily", "trip_id": trip})
				case "stop_times.txt":
					for i, stop := range []int{n, other} {
						time := fmt.Sprintf("%02d:%02d:00", (at+40*i)/60, (at+40*i)%60)
						row(map[string]string{"trip_id": trip, "arrival_time": time, "departure_time": time, "stop_id": fmt.Sprint(stop, ":", hub), "stop_sequence": fmt.Sprint(i)})
					}
				}
			}
		}
	}
}

// resident returns the memory of the process that is not free.
func resident(b *testing.B) float64 {
	runtime.GC()
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skip(err)
	}
	pages, _ := strconv.Atoi(strings.Fields(string(data))[1])
	return float64(pages*os.Getpagesize()) / 1e6
}

// BenchmarkCopies asks a timetable of copies of Newport's, WAYGATE_COPIES in a row and as many
// rows: 7 make ten million stop times, take some minutes and 4 GB, and 1.5 GB on disk.
func BenchmarkCopies(b *testing.B) {
	side, _ := strconv.Atoi(os.Getenv("WAYGATE_COPIES"))
	if side == 0 {
		b.Skip("WAYGATE_COPIES is not set")
	}
	folder := b.TempDir()
	copyFeed(b, realdata.File(b, "transit/"+newport), folder, side)
	out := filepath.Join(b.TempDir(), "section")
	before := processor(b)
	if _, err := importer.Build(b.Context(), importer.Options{Feeds: []string{folder}, Out: out}); err != nil {
		b.Fatal(err)
	}
	b.Logf("import: %.0f s of processor", (processor(b) - before).Seconds())
	if err := os.RemoveAll(folder); err != nil {
		b.Fatal(err)
	}
	free := resident(b)
	data, err := os.ReadFile(out)
	if err != nil {
		b.Fatal(err)
	}
	s, err := region.ReadSection(timetable.SectionName, data)
	if err != nil {
		b.Fatal(err)
	}
	x, err := timetable.Read(s)
	if err != nil {
		b.Fatal(err)
	}
	calls := 0
	for p := range uint32(x.Patterns()) {
		calls += len(x.PatternTimes(p))
	}
	d := &town{x: x, walk: near(x, 300)}
	before = processor(b)
	d.n = journey.NewNetwork(x, d.walks)
	b.Logf("%d stops, %d patterns, %d stop times, %.1f bytes each; network: %.1f s of processor, memory %.0f MB with the index of %.0f MB", x.Stops(), x.Patterns(), calls, float64(len(data))/float64(calls), (processor(b) - before).Seconds(), resident(b)-free, float64(len(data))/1e6)
	for s := range uint32(x.Stops()) {
		if len(x.CallsAt(s)) > 0 {
			d.stops = append(d.stops, s)
		}
	}
	for _, c := range []struct {
		name  string
		apart float64
	}{{"near", 10_000}, {"far", 100_000}} {
		b.Run(c.name+"/departure", func(b *testing.B) { benchmark(b, d, c.apart, func(*journey.Query) {}) })
		b.Run(c.name+"/arrival", func(b *testing.B) { benchmark(b, d, c.apart, func(q *journey.Query) { q.ArriveBy = true }) })
		b.Run(c.name+"/window", func(b *testing.B) { benchmark(b, d, c.apart, func(q *journey.Query) { q.Window = 2 * time.Hour }) })
	}
	b.Logf("memory %.0f MB after", resident(b)-free)
}
