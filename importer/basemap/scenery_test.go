package basemap

import "testing"

// TestScenery draws at the zoom that scenery is read from what maps label later, and takes no
// sewage for a lake.
func TestScenery(t *testing.T) {
	s := newSketch()
	s.node(40, 40, "tourism=viewpoint", "name=View", "ele=300")
	s.node(50, 40, "tourism=viewpoint")
	s.node(60, 40, "natural=saddle", "mountain_pass=yes", "name=Pass")
	s.node(70, 40, "natural=saddle", "name=Saddle")
	s.box(tags("natural=water", "water=pond"), 10, 10, 30, 30)
	s.box(tags("natural=water", "water=wastewater"), 110, 10, 130, 30)
	r, _ := build(t, &s.data, Options{Name: "Fell"})
	for zoom, want := range map[int][2]int{11: {0, 0}, sceneryZoom: {1, 1}, 14: {1, 2}} {
		layers := zoomLayers(t, r, zoom)
		if views, saddles := find(layers, "pois", "viewpoint"), find(layers, "pois", "saddle"); len(views) != want[0] || len(saddles) != want[1] {
			t.Errorf("zoom %d: %d viewpoints, %d saddles, want %v", zoom, len(views), len(saddles), want)
		}
	}
	details := map[any]int{}
	for _, f := range find(zoomLayers(t, r, 14), "water", "water") {
		details[f.Properties["kind_detail"]]++
	}
	if len(details) != 2 || details["lake"] == 0 || details["basin"] == 0 {
		t.Error(details)
	}
	// Styles show a label from its min_zoom on.
	if views := find(zoomLayers(t, r, sceneryZoom), "pois", "viewpoint"); len(views) != 1 || views[0].Properties["min_zoom"].(float64) != 17 {
		t.Errorf("%v", views)
	}
}
