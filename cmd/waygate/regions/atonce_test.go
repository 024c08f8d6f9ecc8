package regions

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/towntest"
)

// TestBuildAtOnce builds two regions at once, beside an import that is interrupted.
func TestBuildAtOnce(t *testing.T) {
	town := towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	extract := town.PBF(t)
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	var imports sync.WaitGroup
	for _, ctx := range []context.Context{t.Context(), t.Context(), interrupted} {
		dir := t.TempDir()
		imports.Go(func() {
			var out bytes.Buffer
			err := Build(ctx, &out, importer.Options{Dir: dir, Sources: []string{extract}, ID: "town", NoMap: true})
			switch {
			case ctx.Err() != nil:
				if err == nil || !strings.Contains(err.Error(), "interrupted") {
					t.Errorf("an interrupted import: %v", err)
				}
			case err != nil || !strings.Contains(out.String(), "region town"):
				t.Errorf("%v, %s", err, out.String())
			}
		})
	}
	imports.Wait()
}
