package regions

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/waygate/waygate/importer"
)

// Progress shows the progress of an import: a bar on a terminal, otherwise a line for
// each stage.
type Progress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar // nil off a terminal
	stage string
	size  int64
}

// NewProgress returns the progress that is shown on a terminal or in a log.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	return p
}

// Report shows a stage's progress. Errors of the terminal must not fail an import, so
// they are ignored.
func (p *Progress) Report(r importer.Progress) {
	if p.bar == nil {
		switch {
		case r.Skipped:
			_, _ = fmt.Fprintf(p.w, "%s: unchanged, skipped\n", r.Stage)
		case r.Finished:
			_, _ = fmt.Fprintf(p.w, "%s: done in %s\n", r.Stage, r.Took.Round(time.Millisecond))
		}
		return
	}
	stage := strings.TrimSpace(r.Stage + " " + r.Step)
	if stage != p.stage || r.Size != p.size {
		p.stage, p.size = stage, r.Size
		p.bar.Reset()
		p.bar.Describe(fmt.Sprintf("%-20s", stage))
		size := r.Size
		if size <= 0 {
			size = -1
		}
		p.bar.ChangeMax64(size)
	}
	_ = p.bar.Set64(r.Done)
}

// Finish removes the bar.
func (p *Progress) Finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
