package find_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
)

// TestTheAntimeridianChangesNothing draws the county with the antimeridian through the middle
// of its city and beside it: every question finds the same places there in the same order, and
// every look around a point finds the same ones, as far away and as large.
func TestTheAntimeridianChangesNothing(t *testing.T) {
	plain, from := county(t, geo.Point{Lon: 20, Lat: -17})
	for _, lon := range []float64{180, -180, 179.9995, -179.998, 179.97} {
		x, to := county(t, geo.Point{Lon: lon, Lat: -17})
		here, there := askings(from), askings(to)
		for i := range here {
			for _, a := range here[i].answers {
				search := func(x *find.Index, g ground, q place.Query) (all []sight) {
					q.Text, q.Limit = a.text, 10
					hits, err := x.Search(t.Context(), &q)
					if err != nil {
						t.Fatal(err)
					}
					for k := range hits {
						all = append(all, sight{sighted(&hits[k].Place, g), 1000 * hits[k].Score})
					}
					return all
				}
				same(t, fmt.Sprintf("with the city at %v, %s, %q", lon, here[i].how, a.text), search(x, to, there[i].options), search(plain, from, here[i].options))
			}
		}
		for east := -1493.0; east <= 7500; east += 271 {
			for north := -3097.0; north <= 1900; north += 411 {
				near := func(x *find.Index, g ground) (all []sight) {
					found, err := x.Reverse(t.Context(), g.at(east, north), 0, 100, 3000, "")
					if err != nil {
						t.Fatal(err)
					}
					err = x.Around(t.Context(), g.at(east, north), 3000, []string{"pub", "cafe"}, "", func(n place.Near) bool { found = append(found, n); return true })
					if err != nil {
						t.Fatal(err)
					}
					for i := range found {
						all = append(all, sight{sighted(&found[i].Place, g), found[i].Metres})
					}
					slices.SortStableFunc(all, func(a, b sight) int { return cmp.Compare(a.place, b.place) }) // of two that are as far away either may come first
					return all
				}
				same(t, fmt.Sprintf("with the city at %v, %v m east and %v m north", lon, east, north), near(x, to), near(plain, from))
			}
		}
	}
}

// sight is a place as text, with its distance or score.
type sight struct {
	place  string
	number float64
}

// sighted writes a place by where on the ground it lies.
func sighted(p *place.Place, g ground) string {
	metres := func(q geo.Point) string {
		const degree = geo.EarthRadius * math.Pi / 180
		return fmt.Sprintf("%.0f,%.0f", math.Remainder(q.Lon-g.middle.Lon, 360)*degree*math.Cos(g.middle.Lat*math.Pi/180), (q.Lat-g.middle.Lat)*degree)
	}
	s := fmt.Sprintf("%s %s at %s", p.Kind, label(p), metres(p.At))
	if p.Extent != nil {
		s += " from " + metres(p.Extent.Min) + " to " + metres(p.Extent.Max)
	}
	return s
}

func same(t *testing.T, what string, got, want []sight) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b sight) bool { return a.place == b.place && math.Abs(a.number-b.number) < 0.1 }) {
		t.Errorf("%s it finds\n%v, elsewhere\n%v", what, got, want)
	}
}
