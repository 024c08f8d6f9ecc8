package along

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
)

// Candidates are those that measuring each place against the whole line finds.
func TestCandidates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	line := []geo.Point{{Lon: -3, Lat: 51.5}}
	for range 1000 {
		last := line[len(line)-1]
		line = append(line, geo.Point{Lon: last.Lon + 0.001*random.Float64(), Lat: last.Lat + 0.001*(random.Float64()-0.5)})
	}
	ruler := geo.NewRuler(line)
	r := &Request{Corridor: 2000}
	type near struct {
		index  int
		metres float64
	}
	var want []near
	for i := range 3000 {
		p := geo.Point{Lon: -3.1 + random.Float64(), Lat: 51.3 + 0.4*random.Float64()}
		r.Places = append(r.Places, Place{Point: p})
		if on, _ := ruler.Nearest(p, nil); on.Metres <= r.Corridor {
			want = append(want, near{i, on.Metres})
		}
	}
	if len(want) < 100 {
		t.Fatalf("%d places are near the line", len(want))
	}
	check := func(places int) {
		t.Helper()
		left, out, err := candidates(t.Context(), r, line)
		if err != nil || len(left)+out.Corridor+out.Nearest != len(r.Places) || len(left) != places || !slices.IsSorted(left) {
			t.Fatalf("%d candidates, %+v, %v", len(left), out, err)
		}
		slices.SortFunc(want, func(a, b near) int { return int((a.metres - b.metres) * 1e6) })
		for _, n := range want[:places-2] { // the last differ by how distances are reckoned
			if !slices.Contains(left, n.index) {
				t.Errorf("place %d, %.0f m from the line, is not a candidate", n.index, n.metres)
			}
		}
	}
	check(min(len(want), MaxPlaces))
	r.Corridor = 20_000
	want = want[:0]
	for i := range r.Places {
		if on, _ := ruler.Nearest(r.Places[i].Point, nil); on.Metres <= r.Corridor {
			want = append(want, near{i, on.Metres})
		}
	}
	check(MaxPlaces)
}
