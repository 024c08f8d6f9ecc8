package centroid_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/road/centroid"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

func TestStops(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 64)
	c := profile.New(g, car)
	q := centroid.NewQuery(g)
	from := [][]search.End{{{Edge: 0}}, {{Edge: g.Base - 1}}, {{Edge: g.Base / 2}}}
	searchtest.Stops(t, 1024, func() int { return q.Settled }, func(ctx context.Context) error {
		_, _, err := q.Find(ctx, search.Weights{Costing: c}, from, centroid.Unbounded)
		return err
	})
}
