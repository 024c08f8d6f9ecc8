package shore

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// star draws a ring round a point whose radius wanders between half of r and r.
// It runs anticlockwise on the map where y grows southwards.
func star(rng *rand.Rand, cx, cy, r float64) orb.Ring {
	n := 8 + rng.IntN(30)
	ring := make(orb.Ring, 0, n+1)
	for i := range n {
		a := -2 * math.Pi * float64(i) / float64(n)
		d := r * (0.5 + rng.Float64()/2)
		ring = append(ring, orb.Point{cx + d*math.Cos(a), cy + d*math.Sin(a)})
	}
	return append(ring, ring[0])
}

// coastWays cuts rings into ways at random nodes.
func coastWays(rng *rand.Rand, rings []orb.Ring) []Coast {
	var out []Coast
	id := int64(0)
	for _, r := range rings {
		n := len(r) - 1
		first := id
		node := func(i int) int64 { return first + int64(i%n) }
		id += int64(n)
		cuts := []int{rng.IntN(n)}
		for range rng.IntN(4) {
			cuts = append(cuts, rng.IntN(n))
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		for i, from := range cuts {
			to := cuts[0] + n
			if i+1 < len(cuts) {
				to = cuts[i+1]
			}
			l := Coast{First: node(from), Last: node(to)}
			for j := from; j <= to; j++ {
				l.Points = append(l.Points, r[j%n])
			}
			out = append(out, l)
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func inAreas(areas orb.MultiPolygon, p orb.Point) bool {
	for _, poly := range areas {
		in := multipolygon.InRing(poly[0], p)
		for _, hole := range poly[1:] {
			in = in && !multipolygon.InRing(hole, p)
		}
		if in {
			return true
		}
	}
	return false
}

// A world of islands, each with a lagoon now and then, is divided as looking
// at each ring divides it, wherever the box cuts them. The inverse world, with
// every ring turned round, has land and sea swapped.
func TestDivideAgreesWithTheWorld(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var islands, lagoons, rings []orb.Ring
		for gx := range 4 {
			for gy := range 4 {
				if rng.IntN(3) == 0 {
					continue
				}
				cx, cy := float64(gx)+0.5, float64(gy)+0.5
				island := star(rng, cx, cy, 0.49)
				islands = append(islands, island)
				rings = append(rings, island)
				if rng.IntN(2) == 0 {
					lagoon := star(rng, cx, cy, 0.2)
					slices.Reverse(lagoon)
					lagoons = append(lagoons, lagoon)
					rings = append(rings, lagoon)
				}
			}
		}
		inverse := seed%2 == 1
		if inverse {
			for _, r := range rings {
				slices.Reverse(r)
			}
		}
		box := orb.Bound{Min: orb.Point{rng.Float64() * 1.7, rng.Float64() * 1.7}}
		box.Max = orb.Point{box.Min[0] + 0.5 + rng.Float64()*1.6, box.Min[1] + 0.5 + rng.Float64()*1.6}
		if !slices.ContainsFunc(rings, func(r orb.Ring) bool { return touches(r, box) }) {
			continue // without a coast all is land, see TestDivideWithoutCoast
		}
		s := Divide(nil, coastWays(rng, rings), box, box)
		if s.Loose != 0 {
			t.Fatalf("seed %d: %d loose ends of closed coasts", seed, s.Loose)
		}
		for range 300 {
			p := orb.Point{
				box.Min[0] + rng.Float64()*(box.Max[0]-box.Min[0]),
				box.Min[1] + rng.Float64()*(box.Max[1]-box.Min[1]),
			}
			land := slices.ContainsFunc(islands, func(r orb.Ring) bool { return multipolygon.InRing(r, p) }) &&
				!slices.ContainsFunc(lagoons, func(r orb.Ring) bool { return multipolygon.InRing(r, p) })
			if inverse {
				land = !land
			}
			if got, sea := inAreas(s.Land, p), inAreas(s.Sea, p); got != land || sea == land {
				t.Fatalf("seed %d, box %v: at %v land is %v, sea is %v; want land %v", seed, box, p, got, sea, land)
			}
		}
		if sum, want := multipolygon.Area(s.Land)+multipolygon.Area(s.Sea), (box.Max[0]-box.Min[0])*(box.Max[1]-box.Min[1]); math.Abs(sum-want) > 1e-9 {
			t.Fatalf("seed %d: land and sea take %v of %v", seed, sum, want)
		}
	}
}

// touches reports whether a ring has a part in the box.
func touches(r orb.Ring, box orb.Bound) bool {
	for i := 1; i < len(r); i++ {
		for k := range 50 {
			f := float64(k) / 50
			if box.Contains(orb.Point{r[i-1][0] + (r[i][0]-r[i-1][0])*f, r[i-1][1] + (r[i][1]-r[i-1][1])*f}) {
				return true
			}
		}
	}
	return false
}

func TestDivideWithoutCoast(t *testing.T) {
	box := orb.Bound{Max: orb.Point{2, 1}}
	s := Divide(nil, nil, box, box)
	if multipolygon.Area(s.Land) != 2 || len(s.Sea) != 0 {
		t.Errorf("land %v, sea %v; want all land", s.Land, s.Sea)
	}
}

func TestDivideDrawsLooseEndsToTheSide(t *testing.T) {
	box := orb.Bound{Max: orb.Point{1, 1}}
	// From inside near the east side to the west: land lies on the left, to
	// the south, where y is greater.
	s := Divide(nil, []Coast{{1, 2, orb.LineString{{0.9, 0.5}, {-0.5, 0.5}}}}, box, box)
	if s.Loose != 1 {
		t.Errorf("%d loose ends, want 1", s.Loose)
	}
	if !inAreas(s.Land, orb.Point{0.5, 0.75}) || !inAreas(s.Sea, orb.Point{0.5, 0.25}) || inAreas(s.Sea, orb.Point{0.5, 0.75}) {
		t.Errorf("land %v, sea %v", s.Land, s.Sea)
	}
}

// Land and sea go on beyond the box they were divided in; an island that touches
// its side stays as it is.
func TestDivideGoesOnToTheWiderBox(t *testing.T) {
	box, wide := orb.Bound{Max: orb.Point{1, 1}}, orb.Bound{Min: orb.Point{-0.5, -0.5}, Max: orb.Point{1.5, 1.5}}
	coast := Coast{1, 2, orb.LineString{{1, 0.5}, {0, 0.5}}} // land to the south
	island := Coast{3, 3, orb.LineString{{0.4, 0.2}, {0.5, 0.3}, {0.6, 0.2}, {0.5, 0}, {0.4, 0.2}}}
	s := Divide(nil, []Coast{coast, island}, box, wide)
	for _, p := range []struct {
		at  orb.Point
		sea bool
	}{{orb.Point{0.5, 1.4}, false}, {orb.Point{-0.4, 0.7}, false}, {orb.Point{1.4, 0.3}, true}, {orb.Point{0.5, -0.2}, true}, {orb.Point{0.5, 0.2}, false}} {
		if inAreas(s.Sea, p.at) != p.sea || inAreas(s.Land, p.at) == p.sea {
			t.Errorf("%v is sea %v, land %v", p.at, inAreas(s.Sea, p.at), inAreas(s.Land, p.at))
		}
	}
}

// An island that reaches beyond the box, as that round its roads, ends at its own coast and not at
// the sides of the wider box, alone and where another coast ends.
func TestIslandBeyondTheBox(t *testing.T) {
	box, wide := orb.Bound{Max: orb.Point{1, 1}}, orb.Bound{Min: orb.Point{-0.5, -0.5}, Max: orb.Point{1.5, 1.5}}
	island := Coast{3, 3, orb.LineString{{0.6, 0.6}, {0.6, 0.9}, {1.2, 0.9}, {1.2, 0.6}, {0.6, 0.6}}} // land inside
	other := Coast{1, 2, orb.LineString{{0, 0.4}, {1, 0.4}}}                                          // land to the north
	onward := Coast{1, 2, orb.LineString{{-2, 0.3}, {3, 0.3}}}
	for _, lines := range [][]Coast{{island}, {island, other}, {island, onward}} {
		s := Divide(nil, lines, box, wide)
		for at, land := range map[orb.Point]bool{{0.8, 0.8}: true, {1.1, 0.8}: true, {1.3, 0.8}: false, {0.3, 0.8}: false} {
			if inAreas(s.Land, at) != land || inAreas(s.Sea, at) == land {
				t.Errorf("%d coasts: %v is on land %v, at sea %v", len(lines), at, inAreas(s.Land, at), inAreas(s.Sea, at))
			}
		}
	}
}

func FuzzDivide(f *testing.F) {
	f.Add([]byte{0, 0, 9, 9, 3, 200, 7, 1}, uint8(2))
	f.Add([]byte{128, 128, 10, 10, 240, 3, 8, 8, 100, 100, 3, 4}, uint8(5))
	f.Fuzz(func(t *testing.T, b []byte, every uint8) {
		var lines []Coast
		var l Coast
		for i := 0; i+1 < len(b); i += 2 {
			p := orb.Point{float64(b[i]) / 100, float64(b[i+1]) / 100}
			if len(l.Points) == 0 {
				l.First = int64(b[i])<<8 | int64(b[i+1])
			}
			l.Points, l.Last = append(l.Points, p), int64(b[i])<<8|int64(b[i+1])
			if len(l.Points) > 1 && i%(2+int(every)) == 0 {
				lines = append(lines, l)
				l = Coast{}
			}
		}
		box := orb.Bound{Min: orb.Point{0.5, 0.5}, Max: orb.Point{1.5, 1.5}}
		s := Divide(nil, lines, box, box)
		for _, p := range slices.Concat(s.Land, s.Sea) {
			for _, r := range p {
				if len(r) < 3 || r[0] != r[len(r)-1] {
					t.Fatalf("ring %v is not closed", r)
				}
			}
		}
	})
}

// An extract cut along a border ends the banks of a river in the middle of the
// map, beside one another, the wider shore first: land is to their left all the
// same, and the river lies between them.
func TestBanksThatAreCutOff(t *testing.T) {
	box := orb.Bound{Max: orb.Point{100, 100}} // y grows southwards
	west := Coast{First: 1, Last: 2, Points: orb.LineString{{60, 100}, {50, 60}, {52, 20}}}
	for what, c := range map[string]struct {
		east  Coast
		loose int
	}{
		"to the side": {Coast{First: 3, Last: 4, Points: orb.LineString{{49, 21}, {58, 60}, {70, 70}, {100, 80}}}, 2},
		"cut off too": {Coast{First: 3, Last: 4, Points: orb.LineString{{49, 21}, {58, 60}, {70, 70}, {90, 80}}}, 3},
	} {
		s := Divide(nil, []Coast{west, c.east}, box, box)
		if s.Loose != c.loose {
			t.Errorf("%s: %d loose ends, want %d", what, s.Loose, c.loose)
		}
		for _, p := range []struct {
			at  orb.Point
			sea bool
		}{{orb.Point{20, 50}, false}, {orb.Point{45, 80}, false}, {orb.Point{54, 60}, true}, {orb.Point{80, 95}, true}, {orb.Point{80, 40}, false}, {orb.Point{50, 5}, false}} {
			if inAreas(s.Sea, p.at) != p.sea || inAreas(s.Land, p.at) == p.sea {
				t.Errorf("%s: %v is sea %v, land %v", what, p.at, inAreas(s.Sea, p.at), inAreas(s.Land, p.at))
			}
		}
	}
}

// A ring of coast that lacks a piece is an island all the same.
func TestIslandWithAGap(t *testing.T) {
	box := orb.Bound{Max: orb.Point{100, 100}}
	s := Divide(nil, []Coast{{First: 1, Last: 9, Points: orb.LineString{{40, 40}, {40, 60}, {60, 60}, {60, 40}, {45, 40}}}}, box, box)
	if !inAreas(s.Land, orb.Point{50, 50}) || inAreas(s.Sea, orb.Point{50, 50}) || !inAreas(s.Sea, orb.Point{20, 20}) {
		t.Errorf("land %v, sea %v", s.Land, s.Sea)
	}
}

// An island that was drawn the wrong way round is land where the sea is round it, and a lake
// in land stays one.
func TestIslandsTheWrongWayRound(t *testing.T) {
	box := orb.Bound{Max: orb.Point{10, 10}}
	ring := func(x, y, size float64, land bool) orb.LineString {
		r := orb.LineString{{x - size, y - size}, {x - size, y + size}, {x + size, y + size}, {x + size, y - size}, {x - size, y - size}}
		if (multipolygon.Shoelace(r) < 0) != land {
			slices.Reverse(r)
		}
		return r
	}
	coast := orb.LineString{{-1, 5}, {11, 5}} // sea to the south
	for _, c := range []struct {
		name  string
		rings []orb.LineString
		land  []orb.Point
		sea   []orb.Point
	}{
		{"beside others", []orb.LineString{ring(2, 2, 1, true), ring(5, 2, 1, false)}, []orb.Point{{2, 2}, {5, 2}}, []orb.Point{{8, 8}}},
		{"the largest", []orb.LineString{ring(2, 2, 1, true), ring(7, 7, 2, false)}, []orb.Point{{2, 2}, {7, 7}}, []orb.Point{{5, 2}}},
		{"off a coast", []orb.LineString{coast, ring(2, 8, 1, false), ring(5, 8, 1, true)}, []orb.Point{{2, 8}, {5, 8}, {2, 2}}, []orb.Point{{8, 8}}},
		{"in an inland sea", []orb.LineString{ring(5, 5, 4, false), ring(5, 5, 1, false)}, []orb.Point{{0.5, 0.5}, {5, 5}}, []orb.Point{{2, 5}}},
		{"a lake in an island", []orb.LineString{ring(5, 5, 4, true), ring(5, 5, 1, false)}, []orb.Point{{2, 5}}, []orb.Point{{0.5, 0.5}, {5, 5}}},
		{"a lake in land off a coast", []orb.LineString{coast, ring(5, 2, 1, false)}, []orb.Point{{2, 2}}, []orb.Point{{5, 2}, {8, 8}}},
		{"an inland sea alone", []orb.LineString{ring(5, 5, 2, false)}, []orb.Point{{1, 1}}, []orb.Point{{5, 5}}},
	} {
		var lines []Coast
		for i, r := range c.rings {
			id := int64(10 * i)
			l := Coast{id, id, r}
			if r[0] != r[len(r)-1] {
				l.Last++
			}
			lines = append(lines, l)
		}
		s := Divide(nil, lines, box, box)
		for _, p := range c.land {
			if !inAreas(s.Land, p) || inAreas(s.Sea, p) {
				t.Errorf("%s: %v is no land", c.name, p)
			}
		}
		for _, p := range c.sea {
			if inAreas(s.Land, p) || !inAreas(s.Sea, p) {
				t.Errorf("%s: %v is no sea", c.name, p)
			}
		}
	}
}

// The first free position is the one that a search one by one finds.
func TestFirstFree(t *testing.T) {
	f := newFirstFree(10)
	for _, i := range []int{3, 4, 5, 0, 9} {
		f.take(i)
	}
	for i, want := range []int{1, 1, 2, 6, 6, 6, 6, 7, 8, 10, 10} {
		if got := f.from(i); got != want {
			t.Errorf("from %d: %d, want %d", i, got, want)
		}
	}
}
