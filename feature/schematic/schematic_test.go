package schematic

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/realdata"
)

// middle lies on the corner of four tiles of zoom 15.
var middle = geo.Point{Lon: 0, Lat: 51.50874245880332}

// town returns a map round the middle: a high street from west to east, a mill lane from
// it to the north, a bridge over it to the south, and a river; lengths in metres.
func town(t *testing.T) Tiles {
	t.Helper()
	const z = 15
	n := math.Exp2(z)
	scale := n / (worldMetres * math.Cos(middle.Lat*math.Pi/180)) * 4096
	cx, cy := math.Round(n*0.5), math.Round(n*mercator(middle.Lat))
	tile := func(x, y int) []byte {
		at := func(p [2]float64) orb.Point {
			return orb.Point{math.Round(p[0]*scale + (cx-float64(x))*4096), math.Round(-p[1]*scale + (cy-float64(y))*4096)}
		}
		roads, pois, water := geojson.NewFeatureCollection(), geojson.NewFeatureCollection(), geojson.NewFeatureCollection()
		line := func(to *geojson.FeatureCollection, tags geojson.Properties, points ...[2]float64) {
			var l orb.LineString
			for _, p := range points {
				l = append(l, at(p))
			}
			f := geojson.NewFeature(l)
			f.Properties = tags
			to.Append(f)
		}
		line(roads, geojson.Properties{"name": "High Street", "kind": "medium_road", "kind_detail": "secondary"}, [2]float64{-180, 0}, [2]float64{60, 0}, [2]float64{180, 0})
		line(roads, geojson.Properties{"name": "Mill\nLane", "kind": "minor_road"}, [2]float64{60, 0}, [2]float64{60, 150})
		line(roads, geojson.Properties{"name": "Over Way", "kind": "minor_road", "is_bridge": true}, [2]float64{-100, -100}, [2]float64{-100, 0}, [2]float64{-100, 100})
		line(roads, geojson.Properties{"kind": "minor_road"}, [2]float64{0, -150}, [2]float64{50, -150})
		line(water, geojson.Properties{"name": "River Ely", "kind": "river"}, [2]float64{-180, 120}, [2]float64{180, 130})
		pub := geojson.NewFeature(at([2]float64{65, 40}))
		pub.Properties = geojson.Properties{"name": "The Red Lion", "kind": "pub", "min_zoom": 15}
		pois.Append(pub)
		data, err := mvt.Marshal(mvt.Layers{{Name: "roads", Version: 2, Extent: 4096, Features: roads.Features}, {Name: "pois", Version: 2, Extent: 4096, Features: pois.Features}, {Name: "water", Version: 2, Extent: 4096, Features: water.Features}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	return Tiles{MaxZoom: z, Tile: func(_ context.Context, _, x, y int) ([]byte, error) { return tile(x, y), nil }}
}

func TestDraw(t *testing.T) {
	a, err := Draw(t.Context(), town(t), Request{At: middle, Radius: 200, Budget: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"A High Street: secondary road, 360, W to E, at the centre; meets B 240\n",
		"B Mill Lane: street, 150, N to S, 60 E; meets A 150\n",
		"C Over Way: street, 200, N to S, 100 W\n", // it meets nothing: it is a bridge
		": pub, 76 NE @B\n",
	} {
		if !strings.Contains(a.Schematic, want) {
			t.Errorf("%q is not in\n%s", want, a.Schematic)
		}
	}
	if a.Truncated || a.Legend["A"] != "High Street" || a.Legend["+"] != "the centre" || a.Legend["~"] == "" || a.Legend["."] == "" {
		t.Errorf("truncated %v, legend %v", a.Truncated, a.Legend)
	}
	rows := strings.Split(a.Schematic, "\n")
	for i, r := range rows {
		if strings.Contains(r, "+") && (strings.Index(r, "+") < 20 || !strings.Contains(r, "A+A")) {
			t.Errorf("row %d: %q", i, r)
		}
	}
	if b := a.Bounds; math.Abs(geo.Distance(geo.Point{Lon: b.Min.Lon, Lat: middle.Lat}, geo.Point{Lon: b.Max.Lon, Lat: middle.Lat})-400) > 2 {
		t.Errorf("bounds %v", b)
	}
}

func TestNothingIsThere(t *testing.T) {
	empty := Tiles{MaxZoom: 14, Tile: func(context.Context, int, int, int) ([]byte, error) { return nil, nil }}
	for _, at := range []geo.Point{middle, {Lon: 180, Lat: 84.9}, {Lon: -180, Lat: -85}} {
		a, err := Draw(t.Context(), empty, Request{At: at, Radius: MaxRadius, Budget: UsualBudget})
		if err != nil || a.Truncated || !strings.Contains(a.Schematic, "no named street") {
			t.Errorf("%v: %+v, %v", at, a, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for location, r := range map[string]Request{
		"lat":          {geo.Point{Lat: 86}, 300, 1000},
		"radius_m":     {middle, MaxRadius + 1, 1000},
		"token_budget": {middle, 300, MinBudget - 1},
	} {
		if _, err := Draw(t.Context(), town(t), r); !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), location) {
			t.Errorf("%s: %v", location, err)
		}
	}
	away := errors.New("away")
	broken := Tiles{MaxZoom: 15, Tile: func(context.Context, int, int, int) ([]byte, error) { return nil, away }}
	if _, err := Draw(t.Context(), broken, Request{middle, 300, 1000}); !errors.Is(err, away) {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Draw(stopped, town(t), Request{middle, 300, 1000}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBudget draws a real city with many budgets: none is exceeded, and more of them
// never says less.
func TestBudget(t *testing.T) {
	tiles := florence(t)
	streets := 0
	for budget := MinBudget; budget <= MaxBudget; budget = budget*3/2 + 7 {
		for _, radius := range []float64{MinRadius, UsualRadius, MaxRadius} {
			a, err := Draw(t.Context(), tiles, Request{At: geo.Point{Lon: 11.2558, Lat: 43.7696}, Radius: radius, Budget: budget})
			if err != nil {
				t.Fatal(err)
			}
			if a.Tokens > budget || a.Tokens == 0 {
				t.Errorf("%d tokens of %d", a.Tokens, budget)
			}
			if n := strings.Count(a.Schematic, " m"); radius == UsualRadius && budget > 1000 && n < 2 {
				t.Errorf("%d streets and landmarks for %d tokens:\n%s", n, budget, a.Schematic)
			}
			streets = max(streets, strings.Count(a.Schematic, "meets"))
		}
	}
	if streets < 20 {
		t.Errorf("at most %d streets meet others", streets)
	}
}

// florence returns a real archive whose attributes have the names of an older schema.
func florence(t *testing.T) Tiles {
	t.Helper()
	archive, err := tileset.Open(realdata.File(t, "tiles/firenze-protomaps-vector.pmtiles"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = archive.Close() })
	return Tiles{MaxZoom: int(archive.Header().MaxZoom), Tile: func(ctx context.Context, z, x, y int) ([]byte, error) {
		data, _, err := archive.TileIn(ctx, z, x, y)
		return data, err
	}}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "word": 1, "words more": 3, "1234": 2, "a, b": 3, "é": 1, "    ": 1, "\n\n": 2} {
		if got := Tokens(text); got != want {
			t.Errorf("%q is %d tokens, want %d", text, got, want)
		}
	}
}
