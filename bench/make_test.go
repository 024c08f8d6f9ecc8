package bench

import (
	"context"
	"errors"
	"testing"

	"github.com/waygate/waygate/costing"
)

// Drawing reports its progress, and ends with its context.
func TestRoutesAreDrawnWhileSomebodyWaits(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	last := 0
	m := NewMaker(ladder(t, 100), costing.Auto, 3)
	m.Progress = func(done, all int) {
		if done < last || done > all || all != 1000 {
			t.Errorf("%d of %d pairs are drawn, after %d", done, all, last)
		}
		if last = done; done > 20 {
			stop()
		}
	}
	if set, err := m.Routes(ctx, 1000); !errors.Is(err, context.Canceled) || last == 0 {
		t.Errorf("%d pairs, %v, after %d", len(set), err, last)
	}
}
