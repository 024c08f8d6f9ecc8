// Package clearance has its subcommands.
package clearance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/structures"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/progress"
)

// Command is the command line.
type Command struct {
	Build  Build  `cmd:"" help:"Measure the clearance above the roads of a region in surveys: LAS, LAZ or COPC files, and tables of structures."`
	Info   Info   `cmd:"" help:"Print the sources and the quality of an artefact."`
	Verify Verify `cmd:"" help:"Read whole artefacts, and check them."`
	Export Export `cmd:"" help:"Write the structures and wires above the lanes of an artefact as a table (CSV)."`
}

// Info prints a header.
type Info struct {
	JSON bool   `name:"json" help:"Print the whole header as JSON."`
	File string `arg:"" type:"existingfile" help:"Clearance artefact to print." placeholder:"FILE"`
}

// Run prints it.
func (c *Info) Run() error {
	f, a, err := files.Open(c.File, artefact.Open)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if c.JSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(&a.Header)
	}
	return describe(os.Stdout, &a.Header, a.Tiles)
}

// describe prints a header, a line for each fact.
func describe(w io.Writer, h *artefact.Header, tiles int) error {
	var b strings.Builder
	line := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "%-18s "+format+"\n", append([]any{name}, values...)...)
	}
	share := func(n int64) float64 { return 100 * float64(n) / float64(max(1, h.QA.Cells)) }
	line("surveys", "%s", h.SurveyDates())
	line("reference system", "EPSG:%d, a place may be %g m off", h.EPSG, h.PositionAccuracy)
	line("heights", "%s", h.Vertical)
	line("cells", "%d of %g m in %d tiles", h.QA.Cells, h.Grid.Cell, tiles)
	line("overhead", "from %g to %g m above the road", h.Least, h.Ceiling)
	line("thinnest object", "%g m", h.LeastObject)
	line("points", "%d read, %d near roads, %d marked as noise", h.QA.Points, h.QA.Used, h.QA.Withheld)
	line("road", "%.1f %% of the cells, %.0f returns a square metre, %.4f m about its planes", share(h.QA.Surveyed), h.QA.MedianDensity, h.QA.SurfaceRMS)
	line("dense enough", "%.1f %% of the cells", share(h.QA.Dense))
	line("something overhead", "%.1f %% of the cells", share(h.QA.Overhead))
	line("insufficient", "%.1f %% of the cells", share(h.QA.Insufficient))
	line("isolated returns", "%d", h.QA.Isolated)
	sums := map[string]string{}
	for _, s := range h.Sources {
		what := "points, seen from " + s.View
		if s.Kind == "table" {
			what = "rows of a table"
		}
		line("source", "%s: %d %s, %s/%s", s.Name, s.Count, what, s.From, s.To)
		sums[s.Name] = s.SHA256
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	line("for the manifest", `"sources": %s`, text)
	_, err = io.WriteString(w, b.String())
	return err
}

// Verify checks artefacts.
type Verify struct {
	Files []string `arg:"" type:"path" help:"Clearance artefacts to check." placeholder:"FILE"`
}

// Run checks all, and fails if one is damaged.
func (c *Verify) Run(ctx context.Context) error {
	var wrong []error
	for _, path := range c.Files {
		tiles, err := verify(ctx, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if _, err := fmt.Printf("%s: %d tiles, nothing wrong\n", path, tiles); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}

func verify(ctx context.Context, path string) (tiles int, err error) {
	f, a, err := files.Open(path, artefact.Open)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	show, done := progress.Bar(os.Stderr)
	defer done()
	if err := a.Verify(ctx, func(n, all int) { show("checking", int64(n), int64(all)) }); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return a.Tiles, nil
}

// Export writes a table.
type Export struct {
	Out  string `type:"path" help:"File to write; by default the output." placeholder:"FILE"`
	File string `arg:"" type:"existingfile" help:"Clearance artefact to print." placeholder:"FILE"`
}

// Run writes it.
func (c *Export) Run(ctx context.Context) error {
	f, a, err := files.Open(c.File, artefact.Open)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	show, done := progress.Bar(os.Stderr)
	rows, err := structures.Find(ctx, a, func(n, all int) { show("reading", int64(n), int64(all)) })
	done()
	if err != nil {
		return err
	}
	if c.Out == "" {
		return structures.Write(os.Stdout, rows)
	}
	out, err := os.Create(c.Out)
	if err != nil {
		return err
	}
	return errors.Join(structures.Write(out, rows), out.Close())
}
