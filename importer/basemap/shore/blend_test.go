package shore

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// inMetres is a box of 20 km with a margin of 800 m.
var (
	inMetres  = orb.Bound{Max: orb.Point{20_000, 20_000}}
	andMargin = inMetres.Pad(800)
	worldwide = andMargin.Pad(30_000)
)

// coarse returns a map of the world whose land lies south of a line from west to east.
func coarse(line orb.LineString) Coarse {
	b := worldwide
	ring := append(orb.Ring{}, line...)
	ring = append(ring, b.Max, orb.Point{b.Min[0], b.Max[1]}, line[0])
	return Coarse{Land: orb.MultiPolygon{{ring}}, Coast: []orb.LineString{line}}
}

func wavy(rng *rand.Rand, from, to, y, height float64) (line orb.LineString) {
	phase := rng.Float64() * 6
	for k := range 200 {
		x := from + (to-from)*float64(k)/199
		line = append(line, orb.Point{x, y + height*math.Sin(x/900+phase)})
	}
	return line
}

func eastwards(line orb.LineString) orb.LineString { return reversed([]orb.LineString{line})[0] }

// Well inside the box the coast is the extract's to the point, at the sides it is the
// world's, and in between it is one line however far apart the two are.
func TestBlendIsOneCoast(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := worldwide
		own := wavy(rng, b.Min[0], b.Max[0], 10_000, 200)
		world := wavy(rng, b.Min[0], b.Max[0], 10_000+rng.Float64()*3000-1500, 300)
		s := Blend(nil, []Coast{{First: 1, Last: 2, Points: eastwards(own)}}, inMetres, andMargin, Blending{World: coarse(world), Metre: 1})
		if len(s.Land) != 1 || len(s.Sea) != 1 || len(s.Land[0]) != 1 || len(s.Sea[0]) != 1 {
			t.Fatalf("seed %d: land in %d parts, sea in %d", seed, len(s.Land), len(s.Sea))
		}
		if all, box := multipolygon.Area(s.Land)+multipolygon.Area(s.Sea), andMargin; math.Abs(all/((box.Max[0]-box.Min[0])*(box.Max[1]-box.Min[1]))-1) > 1e-9 {
			t.Errorf("seed %d: land and sea are not all of the box: %v", seed, all)
		}
		for _, p := range own {
			if p[0] < 500 || p[0] > 19_500 {
				continue
			}
			if !inAreas(s.Land, orb.Point{p[0], p[1] + 1}) || !inAreas(s.Sea, orb.Point{p[0], p[1] - 1}) {
				t.Fatalf("seed %d: the coast is not the extract's at %v", seed, p)
			}
		}
		for _, x := range []float64{andMargin.Min[0], andMargin.Max[0]} {
			at := height(world, x)
			in := math.Copysign(1, 10_000-x)
			if !inAreas(s.Land, orb.Point{x + in, at + 30}) || !inAreas(s.Sea, orb.Point{x + in, at - 30}) {
				t.Errorf("seed %d: the coast does not meet the world's at x %v, y %v", seed, x, at)
			}
		}
	}
}

// height returns where a line is at an x.
func height(line orb.LineString, x float64) float64 {
	for i := 1; i < len(line); i++ {
		if p, q := line[i-1], line[i]; p[0] <= x && q[0] >= x {
			return p[1] + (q[1]-p[1])*(x-p[0])/(q[0]-p[0])
		}
	}
	return math.NaN()
}

// A coast that ends in the middle of the box goes on as the world's, not to the box's nearest side.
func TestBlendOfARaggedCoast(t *testing.T) {
	world := orb.LineString{{worldwide.Min[0], 15_000}, {worldwide.Max[0], 15_000}}
	own := orb.LineString{{9000, 14_000}, {4000, 14_300}, {-3000, 14_000}} // land to the south
	s := Blend(nil, []Coast{{First: 1, Last: 2, Points: own}}, inMetres, andMargin, Blending{
		World: coarse(world), Metre: 1, Known: func(p orb.Point) bool { return p[0] < 9000 && p[1] > 13_000 },
	})
	if s.Loose != 1 || len(s.Land) != 1 || len(s.Sea) != 1 {
		t.Errorf("%d loose ends, land in %d parts, sea in %d", s.Loose, len(s.Land), len(s.Sea))
	}
	for _, c := range []struct {
		at   orb.Point
		land bool
	}{
		{orb.Point{5000, 14_300}, true},
		{orb.Point{5000, 14_200}, false}, // the extract's
		{orb.Point{14_000, 14_900}, false},
		{orb.Point{14_000, 15_100}, true}, // the world's
		{orb.Point{19_000, 14_900}, false},
		{orb.Point{19_000, 15_100}, true},
		{orb.Point{10_500, 13_800}, false},
		{orb.Point{10_500, 15_200}, true}, // between both
	} {
		if inAreas(s.Land, c.at) != c.land || inAreas(s.Sea, c.at) == c.land {
			t.Errorf("%v is land: %v", c.at, !c.land)
		}
	}
}

// However a coast ends in the middle of what the extract knows, and wherever that of the world
// is: no place is both land and sea.
func TestBlendDividesTheBox(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 2))
		from := (rng.Float64() - 0.4) * 20_000
		own := eastwards(wavy(rng, from, from+rng.Float64()*30_000, 10_000, 8000*rng.Float64()))
		lines := []Coast{{First: 1, Last: 2, Points: own}}
		if alone := Divide(nil, lines, inMetres, andMargin); !alone.fills(andMargin) {
			continue // what was drawn on crosses the coast
		}
		world := coarse(wavy(rng, worldwide.Min[0], worldwide.Max[0], 20_000*rng.Float64(), 3000*rng.Float64()))
		if s := Blend(nil, lines, inMetres, andMargin, Blending{World: world, Metre: 1}); !s.fills(andMargin) {
			t.Errorf("seed %d: land and sea have %v and %v", seed, multipolygon.Area(s.Land), multipolygon.Area(s.Sea))
		}
	}
}

// In a box of two thousand kilometres, whose grid is coarse, the coast is the extract's to the
// point too, though nothing is known of the sea beside it.
func TestBlendOfALargeBox(t *testing.T) {
	const size = 2_000_000
	box := orb.Bound{Max: orb.Point{size, size}}
	wide := box.Pad(size / 25)
	line := func(y, height float64) (line orb.LineString) {
		for x := wide.Min[0] - 1000; x <= wide.Max[0]+1000; x += 500 {
			line = append(line, orb.Point{x, y + height*math.Sin(x/3000)})
		}
		return line
	}
	own, world := line(size/2, 2000), line(size/2+1000, 1500)
	land := append(orb.Ring{}, world...)
	land = append(land, orb.Point{world[len(world)-1][0], 2 * size}, orb.Point{world[0][0], 2 * size}, world[0])
	s := Blend(nil, []Coast{{First: 1, Last: 2, Points: eastwards(own)}}, box, wide, Blending{
		World: Coarse{Land: orb.MultiPolygon{{land}}, Coast: []orb.LineString{world}}, Metre: 1,
		Known: func(p orb.Point) bool { return p[1] > size/2+3000 },
	})
	drawn := map[orb.Point]bool{}
	for _, line := range CoastOf(s.Land, wide) {
		for _, p := range line {
			drawn[p] = true
		}
	}
	missing := 0
	for _, p := range own {
		if p[0] > size/20 && p[0] < size*19/20 && !drawn[p] {
			missing++
		}
	}
	if missing > 0 || len(s.Land) != 1 || len(s.Sea) != 1 {
		t.Errorf("%d of %d points of the coast are missing; land in %d parts, sea in %d", missing, len(own), len(s.Land), len(s.Sea))
	}
}

// The islands of an archipelago are cut out of the sea once, so that a blended coast has
// as many of them as one that is not.
func TestBlendOfAnArchipelago(t *testing.T) {
	coast := eastwards(wavy(rand.New(rand.NewPCG(1, 1)), -1000, 21_000, 15_000, 300))
	lines := []Coast{{First: 1, Last: 2, Points: coast}}
	for i := range 400 {
		x, y := float64(i%20)*1000+300, float64(i/20)*600+900
		lines = append(lines, Coast{int64(i + 3), int64(i + 3), orb.LineString{{x, y}, {x, y + 200}, {x + 200, y + 200}, {x + 200, y}, {x, y}}})
	}
	spent := func(with Blending) (int64, Shore) {
		work := multipolygon.NewEffort(t.Context())
		before := work.Left()
		s := Blend(work, lines, inMetres, andMargin, with)
		return before - work.Left(), s
	}
	alone, _ := spent(Blending{Metre: 1})
	blended, s := spent(Blending{World: coarse(orb.LineString{{worldwide.Min[0], 15_000}, {worldwide.Max[0], 15_000}}), Metre: 1})
	if holes := len(s.Sea[0]) - 1; len(s.Sea) != 1 || holes != 400 {
		t.Errorf("the sea has %d parts, and %d islands", len(s.Sea), holes)
	}
	if float64(blended) > 1.5*float64(alone) {
		t.Errorf("it takes %d comparisons, and %d without the world", blended, alone)
	}
}

// What one of both maps lacks: an islet that the world's map is too coarse for is drawn as it
// is, and an island where the extract has nothing is the world's.
func TestBlendOfIslands(t *testing.T) {
	islet := orb.Ring{{5000, 5000}, {5000, 6400}, {6400, 6400}, {6400, 5000}, {5000, 5000}}
	island := orb.Ring{{15_000, 15_000}, {15_000, 17_000}, {17_000, 17_000}, {17_000, 15_000}, {15_000, 15_000}}
	s := Blend(nil, []Coast{{First: 1, Last: 1, Points: orb.LineString(islet)}}, inMetres, andMargin, Blending{
		World: Coarse{Land: orb.MultiPolygon{{island}}, Coast: []orb.LineString{orb.LineString(island)}}, Metre: 1,
		Known: func(p orb.Point) bool { return p[0] < 8000 && p[1] < 8000 },
	})
	if len(s.Land) != 2 || len(s.Sea) != 1 || len(s.Sea[0]) != 3 {
		t.Fatalf("land %v, sea %v", s.Land, s.Sea)
	}
	if a := multipolygon.Area(s.Land); math.Abs(a-(1400*1400+2000*2000)) > 40_000 {
		t.Errorf("the islands take %v", a)
	}
	for _, p := range islet {
		if !holdsPoint(s.Land, p) {
			t.Errorf("the islet lacks %v", p)
		}
	}
}

// An island that the world's map lacks, and that reaches into the margin, ends at its own coast and
// not at the sides of the map.
func TestBlendOfAnIslandInTheMargin(t *testing.T) {
	west, east := inMetres.Min[0], inMetres.Min[0]+4000
	out := west - (west-andMargin.Min[0])/4
	islet := orb.Ring{{out, 5000}, {out, 8000}, {east, 8000}, {east, 5000}, {out, 5000}}
	island := orb.Ring{{15_000, 15_000}, {15_000, 17_000}, {17_000, 17_000}, {17_000, 15_000}, {15_000, 15_000}}
	s := Blend(nil, []Coast{{First: 1, Last: 1, Points: orb.LineString(islet)}}, inMetres, andMargin, Blending{
		World: Coarse{Land: orb.MultiPolygon{{island}}, Coast: []orb.LineString{orb.LineString(island)}}, Metre: 1,
	})
	for at, land := range map[orb.Point]bool{{(out + west) / 2, 6000}: true, {out - 100, 6000}: false, {east - 500, 6000}: true, {east + 500, 6000}: false} {
		if inAreas(s.Land, at) != land || inAreas(s.Sea, at) == land {
			t.Errorf("%v is on land %v, at sea %v", at, inAreas(s.Land, at), inAreas(s.Sea, at))
		}
	}
}

func holdsPoint(areas orb.MultiPolygon, p orb.Point) bool {
	for _, poly := range areas {
		for _, q := range poly[0] {
			if p == q {
				return true
			}
		}
	}
	return false
}

// An extract of roads alone, or one inland, has the world's coast where it has no data.
func TestBlendWithoutAnOwnCoast(t *testing.T) {
	world := orb.LineString{{worldwide.Min[0], 2000}, {worldwide.Max[0], 2000}}
	s := Blend(nil, nil, inMetres, andMargin, Blending{World: coarse(world), Metre: 1, Known: func(p orb.Point) bool { return p[1] > 12_000 }})
	if !inAreas(s.Sea, orb.Point{10_000, 1000}) || !inAreas(s.Land, orb.Point{10_000, 3000}) || !inAreas(s.Land, orb.Point{10_000, 19_000}) {
		t.Errorf("land %v, sea %v", s.Land, s.Sea)
	}
	same := Blend(nil, nil, inMetres, andMargin, Blending{Metre: 1})
	if len(same.Sea) > 0 || len(same.Land) != 1 {
		t.Errorf("without a world: land %v, sea %v", same.Land, same.Sea)
	}
}

// The rim is on the sides of a box where they are land, and inside them at sea.
func TestRim(t *testing.T) {
	box := orb.Bound{Max: orb.Point{10, 10}}
	for _, c := range []struct {
		name  string
		coast []Coast
		on    []orb.Point // of the sides
		off   []orb.Point
	}{
		{"land", nil, []orb.Point{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {5, 0}}, nil},
		{"sea", []Coast{{1, 1, orb.LineString{{4, 4}, {4, 6}, {6, 6}, {6, 4}, {4, 4}}}}, nil, []orb.Point{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {5, 0}}},
		{"half", []Coast{{1, 2, orb.LineString{{11, 5}, {-1, 5}}}}, []orb.Point{{0, 10}, {10, 10}, {0, 7}, {10, 7}}, []orb.Point{{0, 0}, {10, 0}, {0, 3}, {10, 3}}},
		{"the other half", []Coast{{1, 2, orb.LineString{{5, -1}, {5, 11}}}}, []orb.Point{{10, 0}, {10, 10}, {7, 0}, {7, 10}}, []orb.Point{{0, 0}, {0, 10}, {3, 0}, {3, 10}}},
	} {
		s := Divide(nil, c.coast, box, box)
		rim := s.Rim(box, 0.01)
		if rim[0] != rim[len(rim)-1] || multipolygon.Area(orb.MultiPolygon{{rim}}) < 95 {
			t.Errorf("%s: %v", c.name, rim)
		}
		within := func(p orb.Point) bool { // a hair's breadth inside the box
			return multipolygon.InRing(rim, orb.Point{p[0] + (5-p[0])*1e-4, p[1] + (5-p[1])*1e-4})
		}
		for _, p := range c.on {
			if !within(p) {
				t.Errorf("%s: %v is outside the rim %v", c.name, p, rim)
			}
		}
		for _, p := range c.off {
			if within(p) {
				t.Errorf("%s: %v is inside the rim %v", c.name, p, rim)
			}
		}
	}
}

// BenchmarkBlend has the most positions that a grid has.
func BenchmarkBlend(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	own := eastwards(wavy(rng, worldwide.Min[0], worldwide.Max[0], 10_000, 200))
	world := coarse(wavy(rng, worldwide.Min[0], worldwide.Max[0], 11_000, 300))
	for b.Loop() {
		Blend(nil, []Coast{{First: 1, Last: 2, Points: own}}, inMetres, andMargin, Blending{World: world, Metre: 0.3})
	}
}
