package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

type importCommand struct {
	Out      string   `required:"" help:"Folder of the region; made where it is missing." type:"path" placeholder:"DIR"`
	ID       string   `name:"id" help:"The region's identifier in tile addresses: lower-case letters, digits, hyphens. By default from the extract's name."`
	Name     string   `help:"The region's name for people. By default from the identifier."`
	Extracts []string `arg:"" name:"extract" help:"Extracts: .osm.pbf, .osm, .osm.gz or .osm.bz2, files or addresses."`
}

// Run builds the region.
func (c *importCommand) Run(ctx context.Context) error {
	b := build{dir: c.Out, sources: c.Extracts, id: c.ID, name: c.Name}
	if b.id == "" {
		b.id = identify(c.Extracts[0])
	}
	if !identifier.MatchString(b.id) {
		return fmt.Errorf("--id %q: lower-case letters, digits and hyphens, beginning with a letter or digit, at most 64", b.id)
	}
	return b.run(ctx, os.Stderr)
}

var identifier = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// identify makes an identifier of an extract's file name:
// delaware-latest.osm.pbf becomes delaware.
func identify(source string) string {
	base := strings.ToLower(filepath.Base(strings.TrimRight(source, "/")))
	base, _, _ = strings.Cut(base, ".")
	base = strings.TrimSuffix(base, "-latest")
	base = strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(base, "-"), "-")
	if base == "" {
		return "region"
	}
	return base[:min(len(base), 64)]
}

// title makes a name for people of an identifier: isle-of-wight becomes Isle
// Of Wight.
func title(id string) string {
	words := strings.Split(id, "-")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

// build is one import.
type build struct {
	dir      string
	sources  []string
	id, name string
	progress func(stage string, done, total int64)
}

func (b build) run(ctx context.Context, w io.Writer) error {
	if b.name == "" {
		b.name = title(b.id)
	}
	p := newProgress(w)
	b.progress = p.report
	began := time.Now()
	err := buildRegion(ctx, b)
	p.finish()
	if err != nil {
		return fmt.Errorf("import into %s: %w", b.dir, err)
	}
	_, err = fmt.Fprintf(w, "region %s is in %s after %s\n", b.id, b.dir, time.Since(began).Round(time.Millisecond))
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

// report takes a stage's progress; total is 0 where it is not known. What the
// terminal makes of it cannot fail an import, so its errors end here.
func (p *progress) report(stage string, done, total int64) {
	if p.bar == nil {
		if stage != p.stage {
			p.stage = stage
			_, _ = fmt.Fprintf(p.w, "%s\n", stage)
		}
		return
	}
	if stage != p.stage || total != p.total {
		p.stage, p.total = stage, total
		p.bar.Reset()
		p.bar.Describe(fmt.Sprintf("%-20s", stage))
		if total <= 0 {
			total = -1
		}
		p.bar.ChangeMax64(total)
	}
	_ = p.bar.Set64(done)
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
