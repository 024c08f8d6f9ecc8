package tags

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/road/graph"
)

func TestWalked(t *testing.T) {
	for tags, want := range map[string]bool{
		"highway=pedestrian|area=yes": true, "highway=footway|area=yes": true, "highway=living_street|area=yes": true, "highway=steps|area=yes": true,
		"highway=pedestrian|type=multipolygon": true, "highway=pedestrian": false, "highway=pedestrian|area=no": false,
		"highway=residential|area=yes": false, "highway=service|area=yes": false, "highway=service|type=multipolygon": false, "highway=motorway|area=yes": false,
		"area=yes": false, "area:highway=footway": false, "place=square|area=yes": false, "building=yes|type=multipolygon": false,
		"railway=platform": true, "public_transport=platform": true, "highway=platform": true, "railway=platform|area=no": false,
		"highway=bus_stop|public_transport=platform": true, "highway=bus_stop": false, "public_transport=station": false,
		"man_made=pier": true, "man_made=pier|area=yes": true, "man_made=pier|area=no": false, "man_made=bridge": false,
		"indoor=corridor": true, "indoor=area": true, "indoor=room": false, "indoor=area|building=yes": false, "highway=corridor|indoor=corridor": true, "highway=corridor": false,
	} {
		if got := Walked(parse(tags)); got != want {
			t.Errorf("%s: walked all over is %v, want %v", tags, got, want)
		}
	}
	for tags, want := range map[string]bool{
		"railway=platform": true, "public_transport=platform": true, "highway=bus_stop|public_transport=platform": true, "railway=platform|area=yes": false,
		"highway=platform": false, "highway=footway|public_transport=platform": false, "railway=rail": false,
	} {
		if got := Platform(parse(tags)); got != want {
			t.Errorf("%s: a platform is %v, want %v", tags, got, want)
		}
	}
}

func TestReadWalked(t *testing.T) {
	for _, c := range []struct {
		tags  string
		use   graph.Use
		modes graph.Modes
		flags graph.SegFlags
	}{
		{"highway=pedestrian|area=yes", graph.PedestrianStreet, onFoot, 0},
		{"highway=pedestrian|area=yes|bicycle=yes|motor_vehicle=destination", graph.PedestrianStreet, active, 0},
		{"highway=living_street|area=yes", graph.LivingStreet, active, 0},
		{"highway=path|area=yes|bicycle=no|oneway=yes", graph.Trail, onFoot, 0},
		{"highway=steps|area=yes", graph.Steps, graph.Pedestrian | graph.Bicycle, 0},
		{"railway=platform|ref=1", graph.Footway, onFoot, 0},
		{"highway=bus_stop|public_transport=platform|wheelchair=no", graph.Footway, graph.Pedestrian, 0},
		{"man_made=pier", graph.Footway, onFoot, 0},
		{"indoor=area|level=1", graph.Footway, onFoot, graph.Indoor | graph.HasLevels},
		{"railway=platform|access=no", graph.Footway, 0, 0},
	} {
		w, ok := ReadWalked(parse(c.tags), &country.Country{})
		if ok != (c.modes != 0) {
			t.Errorf("%s: kept is %v", c.tags, ok)
			continue
		}
		if !ok {
			continue
		}
		if w.Use != c.use || w.Forward.Access != c.modes || w.Backward.Access != c.modes || w.Flags&(c.flags|graph.Area) != c.flags|graph.Area {
			t.Errorf("%s: use %v, access %b and %b, flags %b", c.tags, w.Use, w.Forward.Access, w.Backward.Access, w.Flags)
		}
		if slices.Contains(w.Names, "ref") {
			t.Errorf("%s: has the number of a road", c.tags)
		}
	}
}
