package cch

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/cch/searchgraph"
)

func TestMetricsAtOnce(t *testing.T) {
	g := drawn(t)
	topology := Contracted(g)
	var kinds []costing.Costing
	err := eachKind(t.Context(), costing.All[:], topology.customiser(g, defaults(g)), func(k costing.Costing, m *Metric) error {
		kinds = append(kinds, k)
		if len(m.forward.Blocks) != searchgraph.BlocksOf(len(topology.Edge)) {
			t.Errorf("%s has %d blocks of ranks", k, len(m.forward.Blocks))
		}
		return nil
	})
	if err != nil || !slices.Equal(kinds, costing.All[:]) {
		t.Errorf("%v, %v", kinds, err)
	}
}

// No writer waits for a metric that does not come.
func TestMetricsEndWithTheFirstFailure(t *testing.T) {
	g := drawn(t)
	topology := Contracted(g)
	failure := errors.New("no room")
	ended, end := context.WithCancel(t.Context())
	end()
	usual := defaults(g)
	fail := func(context.Context, costing.Costing) (turnFollower, costs, error) {
		return nil, nil, failure
	}
	keep := func(costing.Costing, *Metric) error { return nil }
	for name, c := range map[string]struct {
		ctx  context.Context
		of   making
		take func(costing.Costing, *Metric) error
		want error
	}{
		"costs":   {t.Context(), fail, keep, failure},
		"taking":  {t.Context(), usual, func(costing.Costing, *Metric) error { return failure }, failure},
		"context": {ended, usual, keep, context.Canceled},
	} {
		if err := eachKind(c.ctx, costing.All[:], topology.customiser(g, c.of), c.take); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := topology.WriteDefaults(t.Context(), g, filepath.Join(t.TempDir(), "no", "folder")); err == nil {
		t.Error("metrics were written nowhere")
	}
}

func TestMetricsHandPanicsOn(t *testing.T) {
	g := drawn(t)
	topology := Contracted(g)
	usual := defaults(g)
	defer func() {
		if p := parallel.Of(recover()); p.Value != "torn" {
			t.Errorf("%v", p)
		}
	}()
	_ = eachKind(t.Context(), costing.All[:], topology.customiser(g, func(ctx context.Context, k costing.Costing) (turnFollower, costs, error) {
		if k == costing.All[0] {
			panic("torn")
		}
		return usual(ctx, k)
	}), func(costing.Costing, *Metric) error { return nil })
	t.Error("the panic was lost")
}
