package basemap

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/osm"
)

// turned is data moved eastwards by degrees, round the globe where they must.
func turned(d *osm.Data, degrees int64) *osm.Data {
	out := *d
	out.Nodes = make([]osm.Node, len(d.Nodes))
	for i, n := range d.Nodes {
		lon := int64(n.Lon) + degrees*1e7
		if lon > 180e7 {
			lon -= 360e7
		}
		n.Lon = int32(lon)
		out.Nodes[i] = n
	}
	return &out
}

// A map across the antimeridian is the map of the same place elsewhere, tile by tile: land
// and sea, areas and relations, roads, labels.
func TestMapAcrossTheAntimeridian(t *testing.T) {
	s := town()
	s.way(tags("route=ferry", "name=Ferry"), 90, 5, 120, -10)
	s.box(tags("natural=coastline", "place=islet", "name=Inis"), 118, -30, 124, -24)
	for _, c := range []struct {
		name         string
		middle       int // of the grid, where the antimeridian is
		west, across bool
	}{{"across", 100, false, true}, {"all west of it", 400, true, false}, {"all east of it", -100, false, false}} {
		t.Run(c.name, func(t *testing.T) {
			d := s.data
			d.Nodes = nil
			for _, n := range s.data.Nodes {
				n.Lon += 45e7 - 1e7 - int32(c.middle)*1000 // where tiles of zoom 3 meet, as at 180
				d.Nodes = append(d.Nodes, n)
			}
			here, at := build(t, &d, Options{MaxZoom: 14})
			there, across := build(t, turned(&d, 135), Options{MaxZoom: 14})
			if at.Tiles.Addressed == 0 || across.Bounds.Crosses() != c.across {
				t.Fatalf("%d tiles, bounds %v", at.Tiles.Addressed, across.Bounds)
			}
			for zoom := 3; zoom <= 14; zoom++ {
				n := 1 << zoom
				same := 0
				for y := n * 1 / 4; y <= n/2; y++ {
					for dx := -3; dx <= 2; dx++ {
						x := n*5/8 + dx
						if !c.across && (dx < 0) != c.west {
							continue // a neighbour's buffer ends there
						}
						want, _, err := here.Tile(zoom, x, y)
						if err != nil {
							t.Fatal(err)
						}
						got, _, err := there.Tile(zoom, (x+n*3/8)%n, y)
						if err != nil {
							t.Fatal(err)
						}
						if !bytes.Equal(got, want) {
							t.Errorf("%d/%d/%d has %d bytes, that across %d", zoom, x, y, len(want), len(got))
						} else if len(want) > 0 {
							same++
						}
					}
				}
				if same == 0 {
					t.Errorf("nothing is drawn at zoom %d", zoom)
				}
			}
			h := there.Header()
			if !across.Bounds.Contains(h.Centre) || h.Bounds.Crosses() || !h.Bounds.Contains(h.Centre) {
				t.Errorf("centre %v of %v, in the archive %v", h.Centre, across.Bounds, h.Bounds)
			}
			view := there.Metadata().View
			if view[2]-view[0] > 1 || math.Abs((view[0]+view[2])/2-180) > 1 && math.Abs((view[0]+view[2])/2+180) > 1 {
				t.Errorf("view %v", *view)
			}
		})
	}
}

// A line that crosses where positions are counted anew goes on, also where the data go round
// the globe and there is no better place to count from.
func TestLinesRoundTheGlobe(t *testing.T) {
	d := &osm.Data{}
	add := func(lon, lat float64) int64 {
		f := geo.Point{Lon: lon, Lat: lat}.Fix()
		d.Nodes = append(d.Nodes, osm.Node{ID: int64(len(d.Nodes) + 1), Version: 1, Lon: f.Lon, Lat: f.Lat})
		return int64(len(d.Nodes))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for lon := -180.0; lon < 180; lon += 20 { // villages all round
		var nodes []int64
		for range 30 {
			nodes = append(nodes, add(lon+rng.Float64()/10, rng.Float64()/10))
		}
		d.Ways = append(d.Ways, osm.Way{ID: int64(len(d.Ways) + 1), Version: 1, Nodes: nodes, Tags: tags("highway=residential")})
	}
	lake := []int64{add(179.9, 0.2), add(-179.9, 0.2), add(-179.9, 0.4), add(179.9, 0.4)}
	d.Ways = append(d.Ways, osm.Way{ID: 1000, Version: 1, Nodes: append(lake, lake[0]), Tags: tags("natural=water")})
	r, summary := build(t, d, Options{MaxZoom: 9, Bounds: geo.Bounds{Min: geo.Point{Lon: -180, Lat: -5}, Max: geo.Point{Lon: 180, Lat: 5}}})
	if summary.Bounds.Width() != 360 {
		t.Errorf("bounds %v", summary.Bounds)
	}
	at := plane.Project(geo.Point{Lon: 179.95, Lat: 0.3})
	var lakes []int32
	eachTile(t, r, 9, func(tile tileAt, layers map[string][]*geojson.Feature) {
		if len(layers["water"]) > 0 && tile.y == int32(at[1]*512) {
			lakes = append(lakes, tile.x)
		}
	})
	if !slices.Equal(lakes, []int32{0, 511}) {
		t.Errorf("the lake is drawn in columns %v", lakes)
	}
}

// A map that ends at the antimeridian does not come to cross it, whichever way 180 degrees are
// written there.
func TestMapUpToTheAntimeridian(t *testing.T) {
	for _, c := range []struct {
		lons       []float64
		west, east float64
		crosses    bool
	}{
		{[]float64{179.98, 180}, 179.98, 180, false},
		{[]float64{179.98, -180}, 179.98, 180, false},
		{[]float64{-180, -179.98}, -180, -179.98, false},
		{[]float64{179.98, 180, -179.98}, 179.98, -179.98, true},
		{[]float64{179.98, -180, -179.98}, 179.98, -179.98, true},
	} {
		d := &osm.Data{}
		road := osm.Way{ID: 1, Version: 1, Tags: tags("highway=residential")}
		for i, lon := range c.lons {
			f := geo.Point{Lon: lon, Lat: 66}.Fix()
			d.Nodes = append(d.Nodes, osm.Node{ID: int64(i + 1), Version: 1, Lon: f.Lon, Lat: f.Lat})
			road.Nodes = append(road.Nodes, int64(i+1))
		}
		d.Ways = append(d.Ways, road)
		r, s := build(t, d, Options{MaxZoom: 12})
		if s.Tiles.Addressed > 200 || s.Bounds.Crosses() != c.crosses || s.Bounds.Width() > 0.1 {
			t.Errorf("%v: %d tiles in %v", c.lons, s.Tiles.Addressed, s.Bounds)
		}
		if at := r.Header().Centre; math.Abs(math.Remainder(at.Lon-180, 360)) > 0.02 {
			t.Errorf("%v: the centre is %v", c.lons, at)
		}
	}
}
