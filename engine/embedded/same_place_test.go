package embedded_test

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// letters are the places of a street that is long enough to be on no island.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// street returns a street with a node at each letter, and what else is drawn below its
// beginning, which is abc.
func street(t *testing.T, below string, ways towntest.Ways, more ...towntest.Part) *towntest.Town {
	t.Helper()
	for i := 1; i < len(letters); i++ {
		ways = append(ways, [2]string{letters[i-1 : i+1], `residential name="Long Street"`})
	}
	return towntest.Draw(t, letters+"\n"+below, append([]towntest.Part{ways}, more...)...)
}

// TestNobodyTravelsToWhereHeIs asks for ways from places to themselves: one on a street
// that nothing leads into, so that paths begin there and end elsewhere.
func TestNobodyTravelsToWhereHeIs(t *testing.T) {
	town := street(t, "|\n1", towntest.Ways{{"1a", "residential oneway=yes oneway:foot=yes"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range costing.All {
		for i, r := range asked(t, by) {
			for _, at := range []geo.Point{town.Point("1"), town.Between("1", "a", 0.5), town.Point("b"), town.Between("c", "d", 0.5)} {
				away := town.Between("f", "g", 0.5)
				m, err := e.Matrix(t.Context(), &engine.MatrixRequest{Costing: by, Options: r.Options, Conditions: r.Conditions, Sources: engine.Stops([]geo.Point{at, away}), Targets: engine.Stops([]geo.Point{away, at})})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range []engine.MatrixCell{m.Cells[0][1], m.Cells[1][0]} {
					if c != (engine.MatrixCell{Reached: true}) {
						t.Errorf("%s: a cell from %v to itself is %+v", name(r, i), at, c)
					}
				}
				for _, stop := range []engine.Stop{engine.Break, engine.Via, engine.Through, engine.BreakThrough} {
					q := *r
					q.Locations = engine.Stops([]geo.Point{at, at, away, away})
					q.Locations[1].Stop, q.Locations[2].Stop, q.Alternates = stop, stop, 2
					a, err := e.Route(t.Context(), &q)
					if err != nil {
						t.Fatal(err)
					}
					for _, route := range a.Routes {
						legs := route.Legs
						if stop == engine.Via || stop == engine.Through {
							if len(legs) != 1 {
								t.Errorf("%s: %d legs over %s locations", name(r, i), len(legs), stop)
							}
							continue
						}
						if len(legs) != 3 || legs[0].Metres != 0 || legs[0].Seconds != 0 || legs[2].Metres != 0 || legs[2].Seconds != 0 || legs[1].Metres == 0 {
							t.Errorf("%s: from %v, %s: %d legs, the first %+v", name(r, i), at, stop, len(legs), legs[0].Sums)
						}
					}
				}
			}
		}
	}
}
