// Package progress shows on a terminal how much of a stage is done.
package progress

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar returns a function that shows how much of a stage is done, and one that ends this. Both
// do nothing where out is no terminal.
func Bar(out *os.File) (show func(stage string, done, total int64), end func()) {
	if !term.IsTerminal(int(out.Fd())) {
		return func(string, int64, int64) {}, func() {}
	}
	bar := progressbar.NewOptions64(1, progressbar.OptionSetWriter(out), progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	stage := ""
	return func(name string, done, total int64) {
		if name != stage {
			stage = name
			bar.Reset()
			bar.Describe(fmt.Sprintf("%-10s", name))
			bar.ChangeMax64(max(1, total))
		}
		_ = bar.Set64(done)
	}, func() { _ = bar.Finish() }
}
