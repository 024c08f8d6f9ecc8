package embedded_test

import (
	"context"
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

var citySquares = flag.Bool("cities.squares", false, "walk across the squares of cities too")

// square is an area of an extract with the places where paths and roads reach its edge.
type square struct {
	way       int64
	entrances []geo.Point
}

// squares finds the areas that are closed ways with two entrances or more.
func squares(t *testing.T, extract string) []square {
	t.Helper()
	type drawn struct {
		way   int64
		nodes []int64
	}
	var areas []drawn
	reached, wanted, at := map[int64]bool{}, map[int64]bool{}, map[int64]geo.Point{}
	scan := func(o osm.Options, fn func(b *osm.Block) error) {
		if _, err := osm.Scan(t.Context(), extract, o, fn); err != nil {
			t.Fatal(err)
		}
	}
	scan(osm.Options{SkipNodes: true, SkipRelations: true}, func(b *osm.Block) error {
		for _, w := range b.Ways {
			kind := w.Tags.Get("highway")
			closed := []string{w.Tags.Get("access"), w.Tags.Get("foot")}
			if slices.Contains(closed, "no") || slices.Contains(closed, "private") || len(w.Nodes) < 2 {
				continue
			}
			switch {
			case w.Tags.Get("area") == "yes":
				if slices.Contains([]string{"pedestrian", "footway", "path", "living_street"}, kind) && w.Nodes[0] == w.Nodes[len(w.Nodes)-1] {
					areas = append(areas, drawn{w.ID, slices.Clone(w.Nodes)})
				}
			case slices.Contains([]string{"pedestrian", "footway", "path", "living_street", "residential", "unclassified", "service", "steps", "tertiary", "secondary"}, kind):
				for _, n := range w.Nodes {
					reached[n] = true
				}
			}
		}
		return nil
	})
	for _, a := range areas {
		for _, n := range a.nodes {
			wanted[n] = true
		}
	}
	scan(osm.Options{SkipWays: true, SkipRelations: true}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			if wanted[n.ID] {
				at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			}
		}
		return nil
	})
	var list []square
	for _, a := range areas {
		s := square{way: a.way}
		for _, n := range a.nodes[1:] {
			if p, ok := at[n]; ok && reached[n] {
				s.entrances = append(s.entrances, p)
			}
		}
		if len(s.entrances) > 1 {
			list = append(list, s)
		}
	}
	return list
}

// walks counts the results of walking across squares.
type walks struct {
	squares, pairs, long, lost int // squares with a way of 200 m more than straight, pairs without a way
	straight, walked           float64
	worst, worstStraight       float64
	worstWay                   int64
}

func (w *walks) walk(t *testing.T, e engine.Engine, s *square) {
	t.Helper()
	long := false
	n := len(s.entrances)
	for k := range min(n*(n-1)/2, 6) {
		from, to := s.entrances[k*n/6%n], s.entrances[(k*n/6+n/2+k%2)%n]
		straight := geo.Distance(from, to)
		if straight < 10 {
			continue
		}
		a, err := e.Route(context.WithoutCancel(t.Context()), pair{from: from, to: to}.request(t, costing.Pedestrian))
		if err != nil {
			w.lost++
			continue
		}
		metres := a.Routes[0].Legs[0].Sums.Metres
		w.pairs++
		w.straight += straight
		w.walked += metres
		long = long || metres-straight > 200
		if metres-straight > w.worst-w.worstStraight {
			w.worst, w.worstStraight, w.worstWay = metres, straight, s.way
		}
	}
	w.squares++
	if long {
		w.long++
	}
}

// TestSquaresOfRealPlaces walks between the entrances of squares: hardly any square
// takes 200 m more than straight across.
func TestSquaresOfRealPlaces(t *testing.T) {
	var extracts []string
	for _, name := range []string{
		"newport-wales-20230613", "malta-20180827", "london-westminster-20200720", "liechtenstein-20221215", "andorra-20211028",
		"dusseldorf-universitaetstunnel-20210812", "rutland-england-20220720",
	} {
		extracts = append(extracts, realdata.File(t, "osm/"+name+".osm.pbf"))
	}
	if *citySquares {
		for _, c := range cities {
			extracts = append(extracts, c.extract(t))
		}
	}
	var all walks
	for _, extract := range extracts {
		e := open(t, extract)
		var w walks
		for _, s := range squares(t, extract) {
			w.walk(t, e, &s)
		}
		t.Logf("%s: %d squares, %d over 200 m more than straight; %d pairs, %d without a way, walked %.2f of straight; the worst %.0f m for %.0f, way %d",
			filepath.Base(extract), w.squares, w.long, w.pairs, w.lost, w.walked/max(1, w.straight), w.worst, w.worstStraight, w.worstWay)
		all.squares, all.long = all.squares+w.squares, all.long+w.long
	}
	if all.long*100 > all.squares {
		t.Errorf("%d of %d squares take 200 m more than straight, want one in a hundred at most", all.long, all.squares)
	}
}
