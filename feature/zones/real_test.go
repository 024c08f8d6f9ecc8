package zones_test

import (
	"math"
	"os"
	"testing"

	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/realdata"
)

// londonZones are London's real boundaries, by the names of their files, with
// made-up rules.
func londonZones(tb testing.TB) []zone.Zone {
	tb.Helper()
	var list []zone.Zone
	for id, file := range map[string]string{
		"ccz": "london_congestionchargezone_ccz.json", "lez": "london_lowemissionzone_lez_2008.json",
		"ulez-2019": "london_ltralowemissionzone_ulez_2019.json", "ulez-2021": "london_ultralowemissionzone_ulez_2021.json", "greater-london": "greaterlondon.json",
	} {
		text, err := os.ReadFile(realdata.File(tb, "uk/london-boundaries/"+file))
		if err != nil {
			tb.Fatal(err)
		}
		g, err := zone.ReadGeoJSON(text)
		if err != nil {
			tb.Fatal(err)
		}
		z := scheme()
		z.ID, z.Boundary.Geometry = id, g
		list = append(list, z)
	}
	return list
}

func TestLondon(t *testing.T) {
	list := londonZones(t)
	problems, let := zones.Check(list)
	for _, p := range problems {
		t.Error(p)
	}
	if let.Slivers == 0 {
		t.Error("the slivers of ULEZ 2021 are taken for areas")
	}
	x := zone.NewIndex(zone.Place(list, false))
	for name, c := range map[string]struct {
		at geo.Point
		in []string
	}{
		"Trafalgar Square": {geo.Point{Lon: -0.1281, Lat: 51.508}, []string{"ccz", "lez", "ulez-2019", "ulez-2021", "greater-london"}},
		"Wimbledon":        {geo.Point{Lon: -0.2064, Lat: 51.4214}, []string{"lez", "greater-london"}},
		"Greenwich":        {geo.Point{Lon: -0.0098, Lat: 51.4826}, []string{"lez", "ulez-2021", "greater-london"}},
		"Watford":          {geo.Point{Lon: -0.396, Lat: 51.6565}, nil},
	} {
		for _, z := range x.All() {
			want := false
			for _, id := range c.in {
				want = want || id == z.ID
			}
			if got := z.Area.Contains(c.at); got != want {
				t.Errorf("%s in %s: %v", name, z.ID, got)
			}
		}
	}
	// From the M1 to the M20 by a line through the middle.
	line := geo.Point{Lon: -0.5, Lat: 51.75}
	track := []geo.Point{line}
	for range 400 {
		line = geo.Point{Lon: line.Lon + 0.9/400, Lat: line.Lat - 0.5/400}
		track = append(track, line)
	}
	for _, c := range x.Crossed(track) {
		var got, want float64
		for _, s := range c.Stretches {
			got += s.To - s.From
		}
		const steps = 10
		for i := range 400 * steps {
			at := float64(i) / steps
			j := int(at)
			part := at - math.Floor(at)
			p := geo.Point{Lon: track[j].Lon + (track[j+1].Lon-track[j].Lon)*part, Lat: track[j].Lat + (track[j+1].Lat-track[j].Lat)*part}
			in := false
			for _, polygon := range c.Boundary.Geometry.Polygons {
				within := polygon[0].Contains(p)
				for _, hole := range polygon[1:] {
					within = within && !hole.Contains(p)
				}
				in = in || within
			}
			if in {
				want += 1.0 / steps
			}
		}
		if math.Abs(got-want) > 0.5 {
			t.Errorf("%s: %.2f pieces of the line are in it, by looking at each ring %.2f", c.ID, got, want)
		}
	}
}

// BenchmarkCrossed measures a route of 200 km with a point each 20 m against London's
// zones and 5,000 rings around.
func BenchmarkCrossed(b *testing.B) {
	list := londonZones(b)
	for i := range 5000 {
		list = append(list, zone.Zone{ID: "small", Boundary: zone.Boundary{Geometry: square(-2+float64(i%100)*0.04, 50.5+float64(i/100)*0.04, 0.02)}})
	}
	placed := zone.Place(list, false)
	for i := range placed {
		placed[i].ID = string(rune('a')) + string(rune(i+1000))
	}
	x := zone.NewIndex(placed)
	var track []geo.Point
	for i := range 10_000 {
		track = append(track, geo.Point{Lon: -1.5 + float64(i)*2.6/10_000, Lat: 51 + float64(i)*0.9/10_000 + 0.001*math.Sin(float64(i)/50)})
	}
	b.Logf("%d zones crossed of %d", len(x.Crossed(track)), len(placed))
	b.ResetTimer()
	for range b.N {
		x.Crossed(track)
	}
}
