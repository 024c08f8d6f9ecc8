package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/waygate/waygate/importer"
)

type importCommand struct {
	Out      string   `required:"" help:"Folder of the region; made where it is missing." type:"path" placeholder:"DIR"`
	ID       string   `name:"id" help:"The region's identifier in tile addresses: lower-case letters, digits, hyphens. By default from the extract's name."`
	Name     string   `help:"The region's name for people. By default from the identifier."`
	Country  string   `help:"ISO 3166-1 alpha-2 code of places that lie in no country, such as an invented island." placeholder:"CC"`
	Map      bool     `default:"true" negatable:"" help:"Draw the map's tiles."`
	Extracts []string `arg:"" name:"extract" help:"Extracts: .osm.pbf, .osm, .osm.gz or .osm.bz2, files or addresses."`
}

// Run builds the region.
func (c *importCommand) Run(ctx context.Context) error {
	return build(ctx, os.Stderr, importer.Options{Dir: c.Out, Sources: c.Extracts, ID: c.ID, Name: c.Name, Country: c.Country, NoMap: !c.Map})
}

// build builds or refreshes a region and shows how far it is.
func build(ctx context.Context, w io.Writer, o importer.Options) error {
	p := newProgress(w)
	o.Builder, o.Report = version, p.report
	began := time.Now()
	summary, err := importer.Run(ctx, o)
	p.finish()
	if err != nil {
		return fmt.Errorf("import into %s: %w", o.Dir, err)
	}
	m := summary.Manifest
	size := int64(0)
	for _, s := range m.Sections {
		size += s.Size
	}
	if len(summary.Took) == 0 {
		_, err = fmt.Fprintf(w, "region %s in %s is up to date\n", m.ID, o.Dir)
		return err
	}
	_, err = fmt.Fprintf(w, "region %s (%s) is in %s: %.1f MB in %d sections, %d nodes, %d edges, after %s\n",
		m.ID, m.Name, o.Dir, float64(size)/1e6, len(m.Sections), m.Counts["nodes"], m.Counts["edges"], time.Since(began).Round(10*time.Millisecond))
	return err
}

// progress shows how far an import is: a bar on a terminal, else a line for
// each stage.
type progress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar // nil off a terminal
	stage string
	total int64
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	return p
}

// report takes a stage's progress. What the terminal makes of it cannot fail
// an import, so its errors end here.
func (p *progress) report(r importer.Progress) {
	stage := r.Stage
	if r.Step != "" {
		stage += ": " + r.Step
	}
	if p.bar == nil {
		p.line(stage, r)
		return
	}
	if stage != p.stage || r.Size != p.total {
		p.stage, p.total = stage, r.Size
		p.bar.Reset()
		p.bar.Describe(fmt.Sprintf("%-32s", stage))
		if r.Size > 0 {
			p.bar.ChangeMax64(r.Size)
		} else {
			p.bar.ChangeMax64(-1)
		}
	}
	_ = p.bar.Set64(r.Done)
}

// line writes a line where a stage begins, was done already, or ends.
func (p *progress) line(stage string, r importer.Progress) {
	switch {
	case r.Skipped:
		_, _ = fmt.Fprintf(p.w, "%s: done before\n", r.Stage)
	case r.Finished:
		_, _ = fmt.Fprintf(p.w, "%s: done in %s\n", r.Stage, r.Took.Round(10*time.Millisecond))
	case stage != p.stage:
		_, _ = fmt.Fprintln(p.w, stage)
	}
	p.stage = stage
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
