package basemap

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/encoding/mvt/vectortile"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/realdata"
)

// Every tile of a town keeps the vector tile specification 2.1 as another
// program reads it, and the limit on its size.
func TestTilesAreValid(t *testing.T) {
	for _, file := range []string{"osm/newport-wales-20230613.osm.pbf", "osm/london-westminster-20200720.osm.pbf"} {
		r, s := buildFrom(t, Options{Sources: []string{realdata.File(t, file)}})
		if s.Largest >= 500_000 {
			t.Errorf("%s: a tile of %d bytes", file, s.Largest)
		}
		tiles := 0
		for zoom := 0; zoom <= DefaultMaxZoom; zoom++ {
			eachPacked(t, r, zoom, func(name string, packed []byte) {
				tiles++
				if problem := invalid(t, packed); problem != "" {
					t.Errorf("%s: tile %s: %s", file, name, problem)
				}
			})
		}
		if tiles < 40 {
			t.Errorf("%s: only %d tiles", file, tiles)
		}
	}
}

func eachPacked(t testing.TB, r *tileset.Reader, zoom int, use func(name string, packed []byte)) {
	t.Helper()
	b := plane.ProjectBounds(r.Header().Bounds)
	n := float64(int(1) << zoom)
	for y := int(b.Min[1] * n); y <= int(b.Max[1]*n); y++ {
		for x := int(b.Min[0] * n); x <= int(b.Max[0]*n); x++ {
			packed, ok, err := r.Tile(zoom, x, y)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				use(fmt.Sprintf("%d/%d/%d", zoom, x, y), packed)
			}
		}
	}
}

// invalid says what of a tile does not keep the specification.
func invalid(t *testing.T, packed []byte) string {
	t.Helper()
	unzip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err.Error()
	}
	raw, err := io.ReadAll(unzip)
	if err != nil {
		return err.Error()
	}
	var tile vectortile.Tile
	if err := tile.Unmarshal(raw); err != nil {
		return err.Error()
	}
	names := map[string]bool{}
	for _, l := range tile.Layers {
		switch {
		case names[l.GetName()]:
			return "two layers are called " + l.GetName()
		case l.GetVersion() != 2 || l.GetExtent() != extent:
			return fmt.Sprintf("%s has version %d, extent %d", l.GetName(), l.GetVersion(), l.GetExtent())
		case len(l.Features) == 0:
			return l.GetName() + " is empty"
		}
		names[l.GetName()] = true
		for _, f := range l.Features {
			if f.GetType() == vectortile.Tile_UNKNOWN || len(f.Tags)%2 != 0 {
				return fmt.Sprintf("%s has a feature of type %v with %d tags", l.GetName(), f.GetType(), len(f.Tags))
			}
			for i := 0; i < len(f.Tags); i += 2 {
				if int(f.Tags[i]) >= len(l.Keys) || int(f.Tags[i+1]) >= len(l.Values) {
					return l.GetName() + " has a tag beyond its tables"
				}
			}
		}
	}
	layers, err := mvt.Unmarshal(raw)
	if err != nil {
		return err.Error()
	}
	for _, l := range layers {
		for _, f := range l.Features {
			if problem := badShape(f.Geometry); problem != "" {
				return l.Name + ": " + problem
			}
		}
	}
	return ""
}

// badShape says what is wrong with a decoded geometry: where it lies, and how
// rings go round.
func badShape(g orb.Geometry) string {
	if g == nil {
		return "no geometry"
	}
	b := g.Bound()
	if b.Min[0] < -buffer || b.Min[1] < -buffer || b.Max[0] > extent+buffer || b.Max[1] > extent+buffer {
		return fmt.Sprintf("reaches %v", b)
	}
	switch g := g.(type) {
	case orb.Polygon:
		for i, r := range g {
			area := multipolygon.Shoelace(r)
			switch {
			case len(r) < 4 || r[0] != r[len(r)-1]:
				return fmt.Sprintf("a ring of %d points", len(r))
			case (area > 0) != (i == 0):
				return fmt.Sprintf("ring %d has an area of %v", i, area)
			}
		}
	case orb.MultiPolygon:
		for _, p := range g {
			if problem := badShape(p); problem != "" {
				return problem
			}
		}
	case orb.LineString:
		if len(g) < 2 {
			return "a line of one point"
		}
	case orb.MultiLineString:
		for _, l := range g {
			if problem := badShape(l); problem != "" {
				return problem
			}
		}
	}
	return ""
}
