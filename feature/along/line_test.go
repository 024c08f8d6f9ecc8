package along_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/progress"
	"github.com/waygate/waygate/geo"
)

var errFull = errors.New("no slot is free")

// admission refuses work of a millisecond and more.
type admission struct{ dear []engine.Estimate }

func (a *admission) Work(ctx context.Context, e engine.Estimate) (context.Context, func(bool), error) {
	if e.Work < time.Millisecond {
		return ctx, func(bool) {}, nil
	}
	a.dear = append(a.dear, e)
	return nil, nil, errFull
}

// TestLongLinesWaitForASlot has what is worked out along a line of 20,000 points refused
// before anything is measured: no engine is called, which there is none of.
func TestLongLinesWaitForASlot(t *testing.T) {
	t.Parallel()
	line := make([]geo.Point, 20_000)
	for i := range line {
		line[i] = geo.Point{Lon: 9 + float64(i)*1e-5, Lat: 47}
	}
	for name, ask := range map[string]func(ctx context.Context) error{
		"places": func(ctx context.Context) error {
			_, err := (&along.Service{}).Rank(ctx, &along.Request{Line: line, Costing: costing.Auto, Places: []along.Place{{Point: line[9]}}, Corridor: 100})
			return err
		},
		"a way": func(ctx context.Context) error {
			_, err := (&along.Service{}).Way(ctx, along.Ahead{Line: line}, along.Search{})
			return err
		},
		"progress": func(ctx context.Context) error {
			_, err := (&progress.Service{}).Of(ctx, &progress.Request{Line: line, Position: line[9]})
			return err
		},
	} {
		var a admission
		if err := ask(engine.WithAdmission(t.Context(), &a)); !errors.Is(err, errFull) || len(a.dear) != 1 {
			t.Errorf("%s: %v after %+v", name, err, a.dear)
		}
	}
}
