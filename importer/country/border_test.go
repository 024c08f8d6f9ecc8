package country

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
)

// star returns a closed ring of random radii, in degrees, around a place.
func star(r *rand.Rand, at geo.Point, least, most float64) []geo.Fixed {
	n := 5 + r.IntN(40)
	ring := make([]geo.Fixed, 0, n+1)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		d := least + (most-least)*r.Float64()
		ring = append(ring, geo.Point{Lon: at.Lon + d*sin, Lat: at.Lat + d*cos}.Fix())
	}
	return append(ring, ring[0])
}

// inside casts a ray over all pieces.
func inside(rings [][]geo.Fixed, p geo.Fixed) bool {
	in := false
	for _, ring := range rings {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1].Point(), ring[i].Point()
			q := p.Point()
			if (a.Lat > q.Lat) != (b.Lat > q.Lat) && q.Lon < a.Lon+(b.Lon-a.Lon)*(q.Lat-a.Lat)/(b.Lat-a.Lat) {
				in = !in
			}
		}
	}
	return in
}

// TestRefine redraws Liechtenstein a thousand times, with a hole in it, in lines
// in any order, and asks for places around its border.
func TestRefine(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	vaduz := geo.Point{Lon: 9.53, Lat: 47.15}
	borders := 0
	plain, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		b := *plain // shares the built-in areas, which do not change
		rings := [][]geo.Fixed{star(r, vaduz, 0.05, 0.11), star(r, vaduz, 0.01, 0.03)}
		cut := 1 + r.IntN(len(rings[0])-2)
		lines := [][]geo.Fixed{rings[0][cut:], rings[1], rings[0][:cut+1]}
		if !b.Refine("LI", lines) {
			t.Fatalf("%v was not taken", lines)
		}
		for range 50 {
			p := geo.Point{Lon: vaduz.Lon + r.NormFloat64()*0.08, Lat: vaduz.Lat + r.NormFloat64()*0.08}.Fix()
			got := b.At(p.Point()).Code
			if in := inside(rings, p); in != (got == "LI") {
				// Far from the drawn border the built-in one counts.
				if b.near[[2]int{floor(p.Lon, nearUnits), floor(p.Lat, nearUnits)}] {
					t.Fatalf("%v within %v: %v, and the country is %q", p, rings, in, got)
				}
				continue
			} else if in {
				borders++
			}
			switch got {
			case "LI", "CH", "AT":
			default:
				t.Fatalf("%v is in %q", p, got)
			}
		}
	}
	if borders < 1000 {
		t.Errorf("only %d places were within", borders)
	}
}

func TestRefineTakesWhatIsWhole(t *testing.T) {
	b, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	ring := star(rand.New(rand.NewPCG(1, 2)), geo.Point{Lon: 9.53, Lat: 47.15}, 0.05, 0.1)
	for _, c := range []struct {
		what  string
		code  string
		rings [][]geo.Fixed
		want  bool
	}{
		{"nothing", "LI", nil, false},
		{"a line", "LI", [][]geo.Fixed{ring[:4]}, false},
		{"a point", "LI", [][]geo.Fixed{ring, ring[:1]}, false},
		{"no country", "QQ", [][]geo.Fixed{ring}, false},
		{"all of it", "LI", [][]geo.Fixed{ring}, true},
		{"once more", "LI", [][]geo.Fixed{ring}, false},
	} {
		if got := b.Refine(c.code, c.rings); got != c.want {
			t.Errorf("%s: taken %v, want %v", c.what, got, c.want)
		}
	}
	if c := b.At(geo.Point{Lon: 7.44, Lat: 46.95}); c.Code != "CH" || c.Left {
		t.Errorf("Bern is in %+v", c)
	}
}

// A territory that has a code of its own keeps it within the border of its
// country.
func TestRefineLeavesTerritories(t *testing.T) {
	b, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	pointe := geo.Point{Lon: -61.53, Lat: 16.24}
	if !b.Refine("FR", [][]geo.Fixed{star(rand.New(rand.NewPCG(3, 4)), pointe, 0.01, 0.02)}) {
		t.Fatal("France was not taken")
	}
	if c := b.At(pointe); c.Code != "GP" {
		t.Errorf("Guadeloupe is in %q", c.Code)
	}
}
