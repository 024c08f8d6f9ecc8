package timetable_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/realdata"
)

// BenchmarkBuild makes the index of a real feed: the bytes of the section for each stop time
// and the memory that is in use when it is done.
func BenchmarkBuild(b *testing.B) {
	path := realdata.File(b, "transit/newport-wales-bus_gtfs.zip")
	for _, copies := range []int{1, 3} {
		feed := path
		if copies > 1 {
			feed = multiplied(b, path, copies)
		}
		b.Run(fmt.Sprint("newport times ", copies), func(b *testing.B) {
			out := filepath.Join(b.TempDir(), "section")
			var r *importer.Result
			var most uint64
			for b.Loop() {
				var err error
				if r, err = importer.Build(b.Context(), importer.Options{Feeds: []string{feed}, Out: out}); err != nil {
					b.Fatal(err)
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapSys)
			}
			info, err := os.Stat(out)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Counts["timetable_calls"]), "calls")
			b.ReportMetric(float64(info.Size())/float64(r.Counts["timetable_calls"]), "bytes/call")
			b.ReportMetric(float64(most)/1e6, "MB")
		})
	}
}

// multiplied writes a feed that has the lines and trips of another several times.
func multiplied(b *testing.B, path string, copies int) string {
	b.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	dir := b.TempDir()
	for _, e := range z.File {
		in, err := e.Open()
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			b.Fatal(err)
		}
		head, rows, _ := bytes.Cut(text, []byte("\n"))
		out := append(bytes.Clone(head), '\n')
		for n := range copies {
			// The first column of these is the id of a route, a trip or a shape, and that of a
			// trip's row is its route.
			prefixed := map[string]bool{"routes.txt": true, "stop_times.txt": true, "shapes.txt": true, "trips.txt": true}[e.Name]
			if !prefixed && n > 0 {
				break
			}
			for row := range bytes.Lines(rows) {
				if !prefixed {
					out = append(out, row...)
					continue
				}
				fields := bytes.SplitN(row, []byte(","), 7)
				for i, f := range fields {
					if id := i == 0 || e.Name == "trips.txt" && (i == 2 || i == 5); id && len(f) > 0 {
						out = fmt.Appendf(out, "%d", n)
					} else if e.Name == "routes.txt" && i == 2 { // the name of a line
						out = fmt.Appendf(out, "%d", n)
					}
					out = append(out, f...)
					if i < len(fields)-1 {
						out = append(out, ',')
					}
				}
			}
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name), out, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
