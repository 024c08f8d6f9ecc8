package sample

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/plane"
)

func tagsOf(d *osm.Data, r extract.Ref) osm.Tags {
	switch r.Kind {
	case osm.KindNode:
		return d.Nodes[r.ID-1].Tags
	case osm.KindWay:
		return d.Ways[r.ID-1].Tags
	}
	return d.Relations[r.ID-1].Tags
}

func TestFeaturesAreThere(t *testing.T) {
	s := drawn()
	have := map[string]bool{}
	for _, f := range s.Features {
		if have[f.Name] {
			t.Errorf("two features are called %q", f.Name)
		}
		have[f.Name] = true
		for _, r := range f.Refs {
			if got := tagsOf(s.Data, r).Get(f.Key); got != f.Value {
				t.Errorf("%s: %v %d has %s=%q, want %q", f.Name, r.Kind, r.ID, f.Key, got, f.Value)
			}
		}
	}
	for _, name := range []string{
		"no left turn", "no right turn", "no straight on", "no U-turn", "no entry", "only left turn", "only right turn", "only straight on",
		"school run left turn", "peak hours right turn", "right turn for buses", "left turn for taxis", "no right turn for lorries", "no left turn for lorries",
		"no U-turn by the next street", "no right turn by the next street",
		"low bridge", "low bridge in feet", "railway bridge", "width limit in metres", "width limit in feet", "weight limit", "weight limit for lorries", "axle load limit",
		"length limit", "no lorries", "no lorries but for access", "category B tunnel", "category C tunnel", "category E tunnel", "tunnel closed to tankers", "tunnel closed to dangerous goods",
		"toll bridge", "toll booth", "car ferry", "foot ferry", "level crossing", "traffic signals", "mini roundabout", "stop sign", "give way", "crossing",
		"gate", "cattle grid", "bollard", "kissing gate", "lift gate", "bus street", "bus lane", "cycle lanes", "cycle lane", "one-way street", "contraflow for bicycles",
		"living street", "pedestrian street", "private road", "access only", "school street", "school road", "lanes at a roundabout", "lanes at a junction", "driveway", "parking aisle",
		"cycle route", "bus route 1", "bus route 2", "bus route 7", "bus route 12", "bus route X5", "station Tarrowmouth", "station Stannerford", "station Port Gwillan",
		"speed camera", "enforcement", "charge point", "low emission zone", "protected landscape", "nature reserve", "peak", "viewpoint", "beach",
		"Isle of Halvern (level 6)", "West Halvern (level 8)", "Tarrowside (level 8)", "East Halvern (level 8)",
		"motorway", "motorway exit", "interchange", "dual carriageway", "steps", "bridleway", "public footpath", "back alley", "separate pavement", "track",
		"demanding alpine path", "fuel station", "lorry park", "hospital", "camp site", "castle", "museum", "motorway services", "variable limit", "named roundabout",
	} {
		if !have[name] {
			t.Errorf("no feature %q", name)
		}
	}
}

// The features that the county must have so often, by one of its tags.
func TestCounts(t *testing.T) {
	count := map[string]int{}
	see := func(tags osm.Tags) {
		for _, x := range tags {
			count[x.Key]++
			count[x.Key+"="+x.Value]++
		}
	}
	d := drawn().Data
	for i := range d.Nodes {
		see(d.Nodes[i].Tags)
	}
	for i := range d.Ways {
		see(d.Ways[i].Tags)
	}
	for i := range d.Relations {
		see(d.Relations[i].Tags)
	}
	for tag, least := range map[string]int{
		"place=town": 3, "place=village": 8, "highway=motorway_junction": 6, "highway=motorway_link": 12, "junction=roundabout": 8,
		"highway=traffic_signals": 8, "highway=mini_roundabout": 3, "highway=crossing": 40, "highway=bus_stop": 60, "type=restriction": 16,
		"building": 5000, "addr:postcode": 5000, "addr:housenumber": 5000, "natural=coastline": 3, "waterway=river": 3, "natural=wood": 30,
		"landuse=farmland": 200, "landuse=meadow": 200, "landuse=industrial": 3, "amenity=pub": 12, "amenity=cafe": 6, "amenity=school": 8,
		"shop=supermarket": 3, "amenity=pharmacy": 4, "amenity=doctors": 2, "amenity=fuel": 4, "amenity=charging_station": 3, "highway=speed_camera": 3,
		"opening_hours": 80, "website": 40, "phone": 60, "admin_level=10": 11, "admin_level=8": 3, "admin_level=6": 1, "amenity=parking": 4,
		"name:kw": 15, "highway=steps": 3, "highway=track": 40, "tracktype=grade2": 5, "barrier=gate": 5, "highway=cycleway": 10, "highway=bridleway": 5,
		"amenity=bank": 2, "amenity=post_office": 3, "amenity=place_of_worship": 4, "tourism=hotel": 2, "leisure=park": 3, "landuse=cemetery": 3, "natural=cliff": 5, "natural=beach": 5,
	} {
		if count[tag] < least {
			t.Errorf("%s is there %d times, want %d", tag, count[tag], least)
		}
	}
}

func TestPhonesAreForDrama(t *testing.T) {
	d := drawn().Data
	for i := range d.Ways {
		if v := d.Ways[i].Tags.Get("phone"); v != "" && (!strings.HasPrefix(v, "+44 1632 960") || len(v) != 15) {
			t.Errorf("way %d has phone=%q", d.Ways[i].ID, v)
		}
		if v := d.Ways[i].Tags.Get("website"); v != "" && !strings.Contains(v, "example.org") {
			t.Errorf("way %d has website=%q", d.Ways[i].ID, v)
		}
	}
}

func TestPlacesAreOnTheIslands(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range drawn().Places {
		if seen[p.Name] {
			t.Errorf("place %q twice", p.Name)
		}
		seen[p.Name] = true
		if h := land.Height(p.Point); h <= 0 && p.Name != "Toll bridge" && !strings.HasPrefix(p.Name, "Ferry quay") {
			t.Errorf("%s at %v is at height %g", p.Name, p.Point, h)
		}
	}
}

func TestHeight(t *testing.T) {
	if h := land.Height(geo.Point{Lon: -7.39, Lat: 49.26}); h != 0 {
		t.Errorf("height at sea %g", h)
	}
	if h := land.Height(geo.Point{Lon: 10, Lat: 50}); h != 0 {
		t.Errorf("height far away %g", h)
	}
	top := 0.0
	for x := 0.0; x < plane.Breadth; x += 100 {
		for y := 0.0; y < plane.Depth; y += 100 {
			top = max(top, land.Height(plane.Point{X: x, Y: y}.Fixed().Point()))
		}
	}
	if top < 330 || top > 480 {
		t.Errorf("the highest place is %g m", top)
	}
}
