package boundary_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// ring is closed, of corners as lon, lat pairs in degrees.
func ring(v ...float64) []geo.Fixed {
	var out []geo.Fixed
	for i := 0; i < len(v); i += 2 {
		out = append(out, geo.Point{Lon: v[i], Lat: v[i+1]}.Fix())
	}
	return append(out, out[0])
}

func box(west, south, east, north float64) []geo.Fixed {
	return ring(west, south, east, south, east, north, west, north)
}

func area(level int, name, iso string, polygons ...[][]geo.Fixed) boundary.Outlined {
	return boundary.Outlined{Area: boundary.Area{Level: level, Name: name, ISO: iso}, Polygons: polygons}
}

func open(tb testing.TB, list ...boundary.Outlined) *boundary.Index {
	tb.Helper()
	x, err := boundary.Open(regiontest.Of(tb, boundary.SectionName, boundary.Version, boundary.Build(list).Write))
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

func names(x *boundary.Index, lon, lat float64) string {
	var list []string
	for _, a := range x.At(geo.Point{Lon: lon, Lat: lat}) {
		list = append(list, a.Name)
	}
	return strings.Join(list, " ")
}

// The Netherlands, in which Belgium has an enclave, in which the Netherlands have
// one, as at Baarle.
func TestEnclaves(t *testing.T) {
	outer, baarle, nassau := box(4, 51, 6, 53), box(4.9, 51.4, 5, 51.5), box(4.94, 51.44, 4.96, 51.46)
	x := open(t,
		area(8, "Baarle-Hertog", "", [][]geo.Fixed{baarle, nassau}),
		area(2, "Nederland", "NL", [][]geo.Fixed{outer, baarle}, [][]geo.Fixed{nassau}),
		area(2, "België", "BE", [][]geo.Fixed{baarle, nassau}),
	)
	for want, at := range map[string][2]float64{
		"Nederland": {4.5, 52}, "België Baarle-Hertog": {4.92, 51.45}, "": {3, 52},
	} {
		if got := names(x, at[0], at[1]); got != want {
			t.Errorf("at %v: %q, want %q", at, got, want)
		}
	}
	if got := names(x, 4.95, 51.45); got != "Nederland" {
		t.Errorf("in the enclave of the enclave: %q", got)
	}
}

// Areas that share a border, of which both have it, and one that consists of
// islands, one of which touches another in a point.
func TestSharedBordersAndIslands(t *testing.T) {
	x := open(t,
		area(6, "West", "", [][]geo.Fixed{box(0, 0, 1, 1)}),
		area(6, "East", "", [][]geo.Fixed{box(1, 0, 3, 1)}),
		area(4, "Both", "", [][]geo.Fixed{ring(0, 0, 1, 0, 3, 0, 3, 1, 1, 1, 0, 1)}),
		area(7, "Islands", "", [][]geo.Fixed{box(0.1, 0.1, 0.2, 0.2)}, [][]geo.Fixed{box(0.2, 0.2, 0.3, 0.3)}),
	)
	for want, at := range map[string][2]float64{
		"Both West": {0.5, 0.5}, "Both East": {2, 0.5}, "Both West Islands": {0.25, 0.25}, "": {0.5, -0.5},
	} {
		if got := names(x, at[0], at[1]); got != want {
			t.Errorf("at %v: %q, want %q", at, got, want)
		}
	}
	if got := names(x, 0.15, 0.25); got != "Both West" {
		t.Errorf("between the islands: %q", got)
	}
}

func TestAntimeridian(t *testing.T) {
	x := open(t,
		area(2, "Fiji", "FJ", [][]geo.Fixed{ring(177, -19, -178, -19, -178, -15, 177, -15)}),
		area(2, "Chukotka", "RU", [][]geo.Fixed{ring(170, -5, -170, 65, -170, 70, 170, 70)}),
		area(2, "South", "AQ", [][]geo.Fixed{ring(-180, -60, -90, -62, 0, -60, 90, -62, 180, -60, 180, -90, -180, -90)}),
		area(2, "Cap", "XS", [][]geo.Fixed{ring(-120, -80, 0, -82, 120, -80)}),
		area(2, "Arctic", "XN", [][]geo.Fixed{ring(-120, 80, 0, 82, 120, 80)}),
	)
	for want, list := range map[string][][2]float64{
		"Fiji":      {{177.5, -17}, {179.99, -17}, {-179.99, -17}, {-178.5, -17}, {180, -17}, {-180, -17}},
		"Chukotka":  {{179, 66}, {-175, 66}, {178, 40}},
		"South Cap": {{0, -89}, {180, -89}, {-179, -85}, {60, -85}, {0, -89.9}},
		"South":     {{0, -70}, {180, -70}, {-179.9, -65}},
		"Arctic":    {{0, 89}, {180, 89}, {-179, 85}, {60, 85}, {0, 90}},
		"":          {{0, 0}, {176, -17}, {-177, -17}, {179.9, 0}, {-179.9, -40}, {180, 0}, {-180, 0}},
	} {
		for _, at := range list {
			if got := names(x, at[0], at[1]); got != want {
				t.Errorf("at %v: %q, want %q", at, got, want)
			}
		}
	}
}

// Hong Kong drives on the left in a country that drives on the right; a coarse
// outline does not count where the map has an area of its level.
func TestDrivingSidesAndCoarseOutlines(t *testing.T) {
	china, hongKong, coarse := area(2, "China", "CN", [][]geo.Fixed{box(70, 18, 130, 50)}), area(3, "Hong Kong", "HK", [][]geo.Fixed{box(113.8, 22.1, 114.5, 22.6)}), area(2, "Macau", "MO", [][]geo.Fixed{box(100, 10, 114, 22.3)})
	china.Drives, hongKong.Drives, coarse.Coarse = boundary.Right, boundary.Left, true
	district := area(6, "Sai Kung", "", [][]geo.Fixed{box(114.2, 22.2, 114.4, 22.5)})
	x := open(t, china, hongKong, coarse, district)
	areas := x.At(geo.Point{Lon: 114.3, Lat: 22.3})
	var sides []boundary.Side
	for _, a := range areas {
		sides = append(sides, a.Drives)
	}
	if !slices.Equal(sides, []boundary.Side{boundary.Right, boundary.Left, boundary.Left}) || boundary.Country(areas) != "HK" {
		t.Errorf("%v in %s", sides, boundary.Country(areas))
	}
	if got := names(x, 113.9, 22.2); got != "China Hong Kong" {
		t.Errorf("%q", got)
	}
	if got := names(x, 101, 11); got != "Macau" {
		t.Errorf("%q", got)
	}
}

func TestNames(t *testing.T) {
	a := area(4, "Cymru / Wales", "GB-WLS", [][]geo.Fixed{box(0, 0, 1, 1)})
	a.Names = []boundary.Name{{Lang: "cy", Text: "Cymru"}, {Lang: "en", Text: "Wales"}, {Lang: "zh-Hant", Text: "威爾斯"}, {Lang: "xx", Text: strings.Repeat("é", 200)}}
	got := open(t, a).At(geo.Point{Lon: 0.5, Lat: 0.5})[0]
	for lang, want := range map[string]string{"": "Cymru / Wales", "cy": "Cymru", "EN-gb": "Wales", "zh-Hant-TW": "威爾斯", "zh": "Cymru / Wales", "xx": strings.Repeat("é", 127)} {
		if name := got.In(lang); name != want {
			t.Errorf("%q: %q, want %q", lang, name, want)
		}
	}
	if got.ISO != "GB-WLS" || math.Abs(got.Size-1.2364e10) > 1e7 {
		t.Errorf("%+v", got)
	}
}

// The areas of a place are those that counting all sides of all rings finds.
func TestAtIsTheSlowRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grid := rapid.IntRange(0, 12)
		n := rapid.IntRange(1, 6).Draw(t, "areas")
		var list []boundary.Outlined
		for i := range n {
			var polygons [][][]geo.Fixed
			for range rapid.IntRange(1, 3).Draw(t, "polygons") {
				var v []float64
				for range rapid.IntRange(3, 8).Draw(t, "corners") {
					v = append(v, float64(grid.Draw(t, "lon"))/10, float64(grid.Draw(t, "lat"))/10)
				}
				polygons = append(polygons, [][]geo.Fixed{ring(v...)})
			}
			list = append(list, area(2+i, fmt.Sprint(i), "", polygons...))
		}
		x := boundary.Build(list)
		for range 30 {
			p := geo.Point{Lon: rapid.Float64Range(-0.1, 1.3).Draw(t, "x"), Lat: rapid.Float64Range(-0.1, 1.3).Draw(t, "y")}.Fix()
			var got, want []string
			for _, a := range x.At(p.Point()) {
				got = append(got, a.Name)
			}
			for _, o := range list {
				in := false
				for _, polygon := range o.Polygons {
					for _, r := range polygon {
						for i := 1; i < len(r); i++ {
							if a, b := r[i-1], r[i]; (a.Lat > p.Lat) != (b.Lat > p.Lat) {
								across := int64(p.Lat-a.Lat)*int64(b.Lon-a.Lon) - int64(p.Lon-a.Lon)*int64(b.Lat-a.Lat)
								in = in != (across < 0 == (b.Lat > a.Lat) && across != 0)
							}
						}
					}
				}
				if in {
					want = append(want, o.Name)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", p, got, want)
			}
		}
	})
}

// FuzzRead damages a section: reading it gives an error, or areas that can be
// looked up anywhere.
func FuzzRead(f *testing.F) {
	var list []boundary.Outlined
	for i := range 12 {
		x := float64(i) * 0.1
		a := area(2+i%5, fmt.Sprint("Area ", i), "GB-WLS", [][]geo.Fixed{box(x, 47, x+0.25, 47.3)})
		a.Names = []boundary.Name{{Lang: "de", Text: "Gebiet"}}
		list = append(list, a)
	}
	whole := regiontest.Written(f, boundary.Build(list).Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 900)
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(boundary.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		x, err := boundary.Read(s)
		if err != nil {
			return
		}
		for _, p := range []geo.Point{{Lon: 0.11, Lat: 47.1}, {Lon: 1.3, Lat: 47.29}, {Lon: -180, Lat: -90}, {Lon: 180, Lat: 90}, {Lon: 0.5, Lat: 46}} {
			if n := len(x.At(p)); n > x.Len() {
				t.Errorf("%d areas of %d at %v", n, x.Len(), p)
			}
		}
	})
}

// BenchmarkAt asks for places among ten thousand areas in a grid, each within one
// of a hundred and all in one.
func BenchmarkAt(b *testing.B) {
	list := []boundary.Outlined{area(2, "Land", "XX", [][]geo.Fixed{box(0, 40, 10, 50)})}
	for i := range 100 {
		x, y := float64(i%10), 40+float64(i/10)
		list = append(list, area(6, fmt.Sprint("County ", i), "", [][]geo.Fixed{box(x, y, x+1, y+1)}))
		for j := range 100 {
			x, y := x+float64(j%10)/10, y+float64(j/10)/10
			list = append(list, area(8, fmt.Sprint("Commune ", j), "", [][]geo.Fixed{box(x, y, x+0.1, y+0.1)}))
		}
	}
	x := boundary.Build(list)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := geo.Point{Lon: 0.003 + float64(i%997)/100, Lat: 40.003 + float64(i%991)/100}
		if n := len(x.At(p)); n != 3 {
			b.Fatalf("%d areas at %v", n, p)
		}
	}
}
