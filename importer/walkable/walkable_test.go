package walkable

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
)

// pointAt is so many metres east and north of a place on the equator.
func pointAt(x, y float64) geo.Fixed { return geo.Point{Lon: x / 111_195, Lat: y / 111_195}.Fix() }

// star is a ring of so many points about a middle, at distances that vary by seed.
func star(a *Area, rng *rand.Rand, points int, x, y, least, most float64) {
	var ring []int
	for i := range points {
		angle, r := 2*math.Pi*float64(i)/float64(points), least+(most-least)*rng.Float64()
		ring = append(ring, len(a.Points))
		a.Points = append(a.Points, pointAt(x+r*math.Cos(angle), y+r*math.Sin(angle)))
	}
	a.Rings = append(a.Rings, ring)
}

// inside reports whether a place lies in the area, by the even-odd rule.
func inside(a *Area, x, y float64) bool {
	in := false
	for _, ring := range a.Rings {
		from := ring[len(ring)-1]
		for _, to := range ring {
			p, q := a.Points[from], a.Points[to]
			px, py, qx, qy := float64(p.Lon), float64(p.Lat), float64(q.Lon), float64(q.Lat)
			if (py > y) != (qy > y) && x < px+(y-py)*(qx-px)/(qy-py) {
				in = !in
			}
			from = to
		}
	}
	return in
}

// onEdge reports whether a place lies within a centimetre or two of a side.
func onEdge(a *Area, x, y float64) bool {
	for _, ring := range a.Rings {
		from := ring[len(ring)-1]
		for _, to := range ring {
			p, q := a.Points[from], a.Points[to]
			_, _, square := geo.Nearest(geo.Point{Lon: x / 1e7, Lat: y / 1e7}, p.Point(), q.Point())
			if square < 0.1*0.1 {
				return true
			}
			from = to
		}
	}
	return false
}

// length returns the length of a line in metres.
func length(a *Area, line []int) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += geo.Distance(a.Points[line[i-1]].Point(), a.Points[line[i]].Point())
	}
	return sum
}

// TestLinesStayInside crosses squares of odd forms with holes: no line leaves them, and
// with the rings the lines join all ends.
func TestLinesStayInside(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		a := &Area{}
		star(a, rng, 5+rng.IntN(30), 0, 0, 60, 150)
		if seed%3 > 0 {
			star(a, rng, 3+rng.IntN(12), -25, 0, 5, 20)
		}
		if seed%3 > 1 {
			star(a, rng, 3+rng.IntN(12), 25, 5, 5, 20)
		}
		var ends []int
		for k := range a.Points {
			if rng.IntN(3) == 0 && len(ends) < MostEnds {
				ends = append(ends, k)
			}
		}
		lines := a.Cross(ends, nil)
		group := make([]int, len(a.Points))
		for i := range group {
			group[i] = i
		}
		for _, line := range lines {
			for i := 1; i < len(line); i++ {
				p, q := a.Points[line[i-1]], a.Points[line[i]]
				for s := 0.05; s < 1; s += 0.1 {
					x, y := float64(p.Lon)+s*(float64(q.Lon)-float64(p.Lon)), float64(p.Lat)+s*(float64(q.Lat)-float64(p.Lat))
					if !inside(a, x, y) && !onEdge(a, x, y) {
						t.Fatalf("seed %d: line %v leaves the area", seed, line)
					}
				}
			}
			from, to := group[line[0]], group[line[len(line)-1]]
			for i := range group {
				if group[i] == from {
					group[i] = to
				}
			}
		}
		for _, k := range ends {
			if group[k] != group[ends[0]] {
				t.Fatalf("seed %d: ends %d and %d are not joined", seed, k, ends[0])
			}
		}
	}
}

// TestLinesAreShort crosses round squares: between any two ends the way by lines is at
// most 15 % longer than straight, and there are far fewer lines than pairs.
func TestLinesAreShort(t *testing.T) {
	a := &Area{}
	star(a, rand.New(rand.NewPCG(1, 1)), MostEnds, 0, 0, 100, 100)
	lines := a.Cross(a.Rings[0], nil)
	if len(lines) > 6*MostEnds {
		t.Errorf("%d lines between %d ends", len(lines), MostEnds)
	}
	known := make([][]float64, MostEnds)
	for i := range known {
		known[i] = make([]float64, MostEnds)
		for j := range known {
			if i != j {
				known[i][j] = math.Inf(1)
			}
		}
	}
	for _, line := range lines {
		from, to := line[0], line[len(line)-1]
		known[from][to] = length(a, line)
		known[to][from] = known[from][to]
	}
	for k := range known {
		for i := range known {
			for j := range known {
				known[i][j] = min(known[i][j], known[i][k]+known[k][j])
			}
		}
	}
	for i := range known {
		for j := range known {
			if straight := geo.Distance(a.Points[i].Point(), a.Points[j].Point()); known[i][j] > stretch*straight+0.1 {
				t.Errorf("from %d to %d it is %.1f m, straight %.1f", i, j, known[i][j], straight)
			}
		}
	}
	if none := a.Cross(a.Rings[0], ways(a.Rings[0], known)); len(none) > 0 {
		t.Errorf("%d lines where there are ways as short", len(none))
	}
}

// ways returns those that a table of distances has.
func ways(ends []int, known [][]float64) (list []Way) {
	for i := range ends {
		for j := range i {
			list = append(list, Way{i, j, known[i][j]})
		}
	}
	return list
}

// TestCrossIsBounded crosses an area whose outline has very many points.
func TestCrossIsBounded(t *testing.T) {
	a := &Area{}
	star(a, rand.New(rand.NewPCG(2, 1)), 200_000, 0, 0, 900, 1000)
	ends := make([]int, 100)
	for i := range ends {
		ends[i] = i * 2000
	}
	if lines := a.Cross(ends, nil); len(lines) != 0 {
		t.Errorf("%d lines, want none", len(lines))
	}
	if got := a.Spread(nil, ends, 10, 0); len(got) != 10 || got[0] != 0 || got[1] != 100_000 {
		t.Errorf("spread over the outline are %v", got)
	}
	if got := a.Spread(nil, ends, 100, 1500); len(got) != 2 {
		t.Errorf("%v are 1.5 km apart", got)
	}
}
