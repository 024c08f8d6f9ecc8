package regions

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/region"
)

// TestProgress writes a line for each finished or skipped stage where there is no terminal.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out)
	p.Report(importer.Progress{Stage: "roads", Step: "reading", Done: 1, Size: 2})
	p.Report(importer.Progress{Stage: "roads", Finished: true, Took: time.Second})
	p.Report(importer.Progress{Stage: "map", Skipped: true})
	p.Finish()
	if got := out.String(); got != "roads: done in 1s\nmap: unchanged, skipped\n" {
		t.Errorf("%q", got)
	}
}

// TestSummary names what was left out of a region.
func TestSummary(t *testing.T) {
	var out bytes.Buffer
	m := &region.Manifest{ID: "town", Name: "Town", Counts: map[string]int64{"missing_nodes": 3, "map_broken_areas": 0}, Facts: map[string]string{"missing_nodes": "n1"}}
	if err := summarise(&out, "dir", &importer.Summary{Manifest: m}, time.Second); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "region town (Town) is in dir after 1s") || !strings.Contains(got, "left out: 3 references of ways to nodes that the extracts lack: n1\n") || strings.Contains(got, "areas") {
		t.Errorf("%s", got)
	}
	out.Reset()
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	if err := printRegion(w, m); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil || !strings.Contains(out.String(), "missing_nodes     3\n") {
		t.Errorf("%v, %s", err, out.String())
	}
}

// TestRefusals fails on folders without a region and on files that are no heritage.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	if err := (&Verify{Dir: dir}).Run(t.Context()); err == nil {
		t.Error("an empty folder is a region")
	}
	file := filepath.Join(dir, "heritage.json")
	if err := os.WriteFile(file, []byte(`{"format":"other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&heritageCheck{Files: []string{file}}).Run(); err == nil {
		t.Error("another format is heritage")
	}
}
