package basemap

import (
	"testing"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/realdata"
)

func TestNewport(t *testing.T) {
	r, s := buildFrom(t, Options{Sources: []string{realdata.File(t, "osm/newport-wales-20230613.osm.pbf")}})
	if s.Features["buildings"] < 34000 || s.Features["roads"] < 9000 || s.LooseEnds != 0 || s.Dropped != 0 {
		t.Errorf("summary %+v", s)
	}
	if s.Bounds.Min.Lon < -3.2 || s.Bounds.Max.Lon > -2.8 {
		t.Errorf("bounds %v: the extract's stray nodes count", s.Bounds)
	}
	// The mouth of the Usk is sea, the town on both banks is land.
	layers := zoomLayers(t, r, 14)
	if len(find(layers, "water", "ocean")) == 0 || len(find(layers, "earth", "earth")) == 0 {
		t.Error("Newport has lost its sea or its land")
	}
	rivers := 0
	for _, f := range find(layers, "water", "river") {
		if _, ok := f.Geometry.(orb.Point); !ok && f.Properties["name"] == "River Usk" {
			rivers++
		}
	}
	if rivers == 0 {
		t.Error("no River Usk")
	}
	if len(find(layers, "places", "locality")) == 0 || len(find(layers, "roads", "highway")) == 0 {
		t.Error("no places or no motorway")
	}
}
