package tags

import (
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// surfaces are words in values of the surface key and their meanings; the first word
// that occurs anywhere in the value counts. The grading is Valhalla's.
var surfaces = []struct {
	word    string
	surface graph.Surface
}{
	{"unpaved", graph.Gravel},
	{"paved", graph.PavedSmooth},
	{"pavement", graph.PavedSmooth},
	{"asphalt", graph.PavedSmooth},
	{"concrete", graph.PavedSmooth},
	{"cement", graph.PavedSmooth},
	{"chipseal", graph.PavedSmooth},
	{"metal", graph.PavedSmooth},
	{"tartan", graph.Paved},
	{"pavingstone", graph.Paved},
	{"paving_stones", graph.Paved},
	{"sett", graph.Paved},
	{"grass_paver", graph.Paved},
	{"cobblestone", graph.PavedRough},
	{"brick", graph.PavedRough},
	{"compacted", graph.Compacted},
	{"wood", graph.Compacted},
	{"boardwalk", graph.Compacted},
	{"dirt", graph.Dirt},
	{"natural", graph.Dirt},
	{"earth", graph.Dirt},
	{"ground", graph.Dirt},
	{"mud", graph.Dirt},
	{"laterite", graph.Dirt},
	{"clay", graph.Dirt},
	{"gravel", graph.Gravel},
	{"pebblestone", graph.Gravel},
	{"sand", graph.Gravel},
	{"grass", graph.PathSurface},
	{"stepping_stones", graph.PathSurface},
}

// rareSurfaces are whole values that Valhalla lacks.
var rareSurfaces = map[string]graph.Surface{
	"tiles": graph.Paved, "acrylic": graph.Paved, "rubber": graph.Paved,
	"rock": graph.Gravel, "stone": graph.Gravel, "shells": graph.Gravel, "snow": graph.PathSurface, "ice": graph.PathSurface,
}

func surfaceOf(value string) (graph.Surface, bool) {
	if value == "" {
		return 0, false
	}
	value = strings.ToLower(value)
	for _, s := range surfaces {
		if strings.Contains(value, s.word) {
			return s.surface, true
		}
	}
	s, ok := rareSurfaces[value]
	return s, ok
}

var tracks = map[string]graph.Surface{
	"grade1": graph.PavedRough, "grade2": graph.Compacted, "grade3": graph.Dirt, "grade4": graph.Gravel, "grade5": graph.PathSurface,
}

var smoothness = map[string]graph.Surface{
	"excellent": graph.PavedSmooth, "good": graph.PavedSmooth, "intermediate": graph.PavedRough, "bad": graph.Compacted,
	"very_bad": graph.Dirt, "horrible": graph.Gravel, "very_horrible": graph.PathSurface, "impassable": graph.Impassable,
}

// scales grade ways for mountain bikes; the grade counts more than the surface key.
var scales = []struct {
	key   string
	grade [3]graph.Surface // of 0, of 1, of more
}{
	{"mtb:scale", [3]graph.Surface{graph.Dirt, graph.Gravel, graph.PathSurface}},
	{"mtb:scale:uphill", [3]graph.Surface{graph.Gravel, graph.Gravel, graph.PathSurface}},
}

func scaleOf(t osm.Tags) (graph.Surface, bool) {
	for _, s := range scales {
		if v := t.Get(s.key); v != "" && v[0] >= '0' && v[0] <= '9' {
			return s.grade[min(2, v[0]-'0')], true
		}
	}
	return 0, false
}

func (w *Way) surface(t osm.Tags) {
	s, tagged := scaleOf(t)
	if !tagged {
		s, tagged = surfaceOf(t.Get("surface"))
	}
	if !tagged {
		s, tagged = tracks[t.Get("tracktype")]
	}
	if !tagged {
		s, tagged = smoothness[t.Get("smoothness")]
	}
	if !tagged && t.Has("sac_scale") {
		s, tagged = graph.PathSurface, true // who grades it for hikers does not mean a road
	}
	if tagged {
		w.Flags |= graph.SurfaceTagged
		if s >= graph.Compacted {
			w.Flags |= graph.Unpaved
		}
		w.Surface = s
		return
	}
	w.Surface = w.usualSurface()
}

// usualSurface returns the surface of an untagged way, by Valhalla's guesses.
func (w *Way) usualSurface() graph.Surface {
	if w.Class < graph.ServiceOther {
		return graph.PavedSmooth
	}
	switch w.Use {
	case graph.Track:
		return graph.Dirt
	case graph.Footway, graph.PedestrianStreet, graph.Sidewalk, graph.Trail, graph.MountainBike, graph.Bridleway:
		return graph.Compacted
	case graph.Cycleway, graph.Steps, graph.Escalator, graph.Elevator, graph.Crossing:
		return graph.Paved
	}
	return graph.PavedSmooth
}
