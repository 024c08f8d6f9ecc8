package openlr

import (
	"encoding/base64"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// TestParse reads a reference by hand.
func TestParse(t *testing.T) {
	code, _ := base64.StdEncoding.DecodeString("CwV/OiHN2TvlAAA1ABM7FQ==")
	l, err := Parse(code)
	if err != nil {
		t.Fatal(err)
	}
	a, b := l.Points[0], l.Points[1]
	if len(l.Points) != 2 || a.Class != 7 || a.Form != 3 || a.Lowest != 7 || math.Abs(a.Metres-29.3) > 1e-9 || math.Abs(a.Bearing-61.875) > 1e-9 || b.Bearing != 21.5*sector {
		t.Errorf("read %+v", l)
	}
	if off := geo.Distance(a.At, geo.Point{Lon: 7.7303004, Lat: 47.5365496}); off > 5 {
		t.Logf("the first point is at %v", a.At)
	}
	if math.Abs(b.At.Lon-a.At.Lon-0.00053) > 1e-9 || math.Abs(b.At.Lat-a.At.Lat-0.00019) > 1e-9 {
		t.Errorf("the last point is at %v", b.At)
	}
}

// TestRealCodes checks that a reference is written as it was read.
func TestRealCodes(t *testing.T) {
	data, err := os.ReadFile(realdata.File(t, "feeds/openlr/lines.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		code, err := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		l, err := Parse(code)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := l.AppendBinary(nil)
		if err != nil || string(again) != string(code) {
			t.Fatalf("%s was written as %s, %v", line, base64.StdEncoding.EncodeToString(again), err)
		}
		n++
	}
	t.Logf("%d codes", n)
}

func TestParseRefuses(t *testing.T) {
	whole, _ := base64.StdEncoding.DecodeString("CwV/OiHN2TvlAAA1ABM7FQ==")
	for i := range whole {
		if _, err := Parse(whole[:i]); err == nil {
			t.Errorf("the first %d bytes were read", i)
		}
	}
	for _, status := range []byte{0x0a, 0x03, 0x4b, 0x1b} {
		if _, err := Parse(append([]byte{status}, whole[1:]...)); err == nil {
			t.Errorf("status %#x was read", status)
		}
	}
}

// TestRoundTrip checks that references survive being written, to what the binary
// form can tell.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		l := &Line{}
		at := geo.Point{Lon: r.Float64()*358 - 179, Lat: r.Float64()*168 - 84}
		for range 2 + r.IntN(4) {
			l.Points = append(l.Points, Point{At: at, Class: uint8(r.IntN(8)), Form: uint8(r.IntN(8)), Bearing: r.Float64() * 360, Lowest: uint8(r.IntN(8)), Metres: r.Float64() * MaxMetres})
			at = geo.Point{Lon: at.Lon + (r.Float64()-0.5)*0.1, Lat: at.Lat + (r.Float64()-0.5)*0.1}
		}
		if r.IntN(2) == 0 {
			l.Begin, l.End = r.Float64(), r.Float64()
		}
		code, err := l.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse(code)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.Points {
			p, q := &l.Points[i], &back.Points[i]
			last := i == len(l.Points)-1
			if geo.Distance(p.At, q.At) > 4 || p.Class != q.Class || p.Form != q.Form || apart(p.Bearing, q.Bearing) > sector || !last && (math.Abs(p.Metres-q.Metres) > lengthStep || p.Lowest != q.Lowest) {
				t.Fatalf("point %d of %+v came back as %+v", i, p, q)
			}
		}
		if math.Abs(l.Begin-back.Begin) > 1.0/256 || math.Abs(l.End-back.End) > 1.0/256 {
			t.Fatalf("offsets %g, %g came back as %g, %g", l.Begin, l.End, back.Begin, back.End)
		}
	}
}

func open(t *testing.T, extract string) (*graph.Graph, *snap.Tree) {
	t.Helper()
	r := regiontest.Open(t, importertest.Region(t, realdata.File(t, extract)))
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := snap.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return g, tree
}

// TestOwnEdges checks that the edges of a map, encoded and decoded on it, come back.
func TestOwnEdges(t *testing.T) {
	g, tree := open(t, "osm/liechtenstein-20221215.osm.pbf")
	x, d := NewEncoder(g), NewDecoder(g, tree)
	all, back := 0, 0
	for e := range g.Base {
		if !usable(g, e) {
			continue
		}
		all++
		if comesBack(t, g, x, d, e) {
			back++
		}
	}
	t.Logf("%d of %d edges came back", back, all)
	if float64(back) < 0.99*float64(all) {
		t.Errorf("%d of %d edges came back, want 99 %%", back, all)
	}
}

// comesBack reports whether an edge is found again by its reference: itself, or
// one that joins the same nodes and is as long.
func comesBack(t *testing.T, g *graph.Graph, x *Encoder, d *Decoder, e graph.Edge) bool {
	l, err := x.Encode([]graph.Edge{e})
	if err != nil {
		return false
	}
	code, err := l.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if l, err = Parse(code); err != nil {
		t.Fatal(err)
	}
	path, err := d.Decode(l)
	return err == nil && len(path) == 1 && path[0].Edge == e && path[0].Begin == 0 && path[0].End == 1
}

// TestOldMap decodes references to a map of 2013 on one of 2022.
func TestOldMap(t *testing.T) {
	old, _ := open(t, "osm/liechtenstein-20130803.osm.bz2")
	g, tree := open(t, "osm/liechtenstein-20221215.osm.pbf")
	x, d := NewEncoder(old), NewDecoder(g, tree)
	r := rand.New(rand.NewPCG(3, 4))
	all, found, near := 0, 0, 0
	var line, other []geo.Point
	for all < 2000 {
		e := graph.Edge(r.IntN(int(old.Base)))
		if !usable(old, e) {
			continue
		}
		all++
		l, err := x.Encode([]graph.Edge{e})
		if err != nil {
			continue
		}
		path, err := d.Decode(l)
		if err != nil {
			continue
		}
		found++
		line = old.AppendShape(line[:0], e)
		other = other[:0]
		for _, s := range path {
			other = g.AppendShape(other, s.Edge)
		}
		m, _ := geo.NewRuler(other).Nearest(pointAt(line, geo.Length(line)/2), func(float64, float64) bool { return true })
		if m.Metres < 30 {
			near++
		}
	}
	t.Logf("%d of %d references were decoded, %d within 30 m", found, all, near)
	if float64(near) < 0.9*float64(all) {
		t.Errorf("%d of %d references lie within 30 m of what they mean", near, all)
	}
}

func FuzzParse(f *testing.F) {
	code, _ := base64.StdEncoding.DecodeString("CwV/OiHN2TvlAAA1ABM7FQ==")
	f.Add(code)
	f.Fuzz(func(t *testing.T, code []byte) {
		l, err := Parse(code)
		if err != nil {
			return
		}
		for i := range l.Points {
			if !l.Points[i].At.Valid() {
				t.Fatalf("point %d of %x is at %v", i, code, l.Points[i].At)
			}
		}
	})
}
