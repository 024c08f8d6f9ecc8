package tags

import (
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

var surfaces = map[string]graph.Surface{
	"asphalt": graph.PavedSmooth, "concrete": graph.PavedSmooth, "chipseal": graph.PavedSmooth, "metal": graph.PavedSmooth,
	"paved": graph.Paved, "concrete:plates": graph.Paved, "concrete:lanes": graph.Paved, "paving_stones": graph.Paved, "bricks": graph.Paved,
	"brick": graph.Paved, "tiles": graph.Paved, "acrylic": graph.Paved, "tartan": graph.Paved, "rubber": graph.Paved, "wood": graph.Paved,
	"sett": graph.PavedRough, "cobblestone": graph.PavedRough, "unhewn_cobblestone": graph.PavedRough, "metal_grid": graph.PavedRough, "grass_paver": graph.PavedRough, "stone": graph.PavedRough,
	"compacted": graph.Compacted, "fine_gravel": graph.Compacted, "unpaved": graph.Gravel,
	"gravel": graph.Gravel, "pebblestone": graph.Gravel, "rock": graph.Gravel, "shells": graph.Gravel, "salt": graph.Gravel,
	"dirt": graph.Dirt, "ground": graph.Dirt, "earth": graph.Dirt, "clay": graph.Dirt, "woodchips": graph.Dirt, "dirt/sand": graph.Dirt,
	"grass": graph.PathSurface, "mud": graph.PathSurface, "sand": graph.PathSurface, "snow": graph.PathSurface, "ice": graph.PathSurface,
}

var tracks = map[string]graph.Surface{
	"grade1": graph.PavedRough, "grade2": graph.Compacted, "grade3": graph.Gravel, "grade4": graph.Dirt, "grade5": graph.PathSurface,
}

var smoothness = map[string]graph.Surface{
	"excellent": graph.PavedSmooth, "good": graph.Paved, "intermediate": graph.PavedRough, "bad": graph.Compacted,
	"very_bad": graph.Dirt, "horrible": graph.Gravel, "very_horrible": graph.PathSurface, "impassable": graph.Impassable,
}

func (w *Way) surface(t osm.Tags) {
	value, _, _ := strings.Cut(t.Get("surface"), ";")
	s, tagged := surfaces[value]
	if !tagged {
		s, tagged = tracks[t.Get("tracktype")]
	}
	if !tagged {
		s, tagged = smoothness[t.Get("smoothness")]
	}
	if tagged {
		w.Flags |= graph.SurfaceTagged
		if s >= graph.Compacted {
			w.Flags |= graph.Unpaved
		}
		w.Surface = s
		return
	}
	switch w.Use {
	case graph.Track:
		w.Surface = graph.Compacted
	case graph.Trail, graph.MountainBike, graph.Bridleway:
		w.Surface = graph.Dirt
	case graph.Footway, graph.Sidewalk, graph.PedestrianStreet, graph.Steps, graph.Crossing, graph.Cycleway:
		w.Surface = graph.Paved
	default:
		w.Surface = graph.PavedSmooth
	}
	if t.Get("highway") == "trunk" || t.Get("highway") == "motorway" {
		w.Surface = graph.PavedSmooth
	}
}
