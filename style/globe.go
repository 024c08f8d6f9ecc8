package style

import (
	"slices"

	"github.com/waygate/waygate/index/glyph"
)

// GlobeName is the source of the map of the world in a style; it lies under that
// of the region.
const GlobeName = "globe"

// ownZoom is from where a region names its own towns and countries. Below it the
// names are the world's, as a region's first zooms hold next to none.
const ownZoom = 5

// Beneath is what lies round a region's map.
type Beneath struct {
	// Boxes are the west, south, east and north of the region's own ground, which
	// covers the world's land and sea there; the world's names are left out in them
	// from ownZoom on.
	Boxes [][4]float64
	// Nothing leaves the world out: the map is one of the world itself.
	Nothing bool
}

// ofGlobe turns layers of a region's map into layers of the world's.
func ofGlobe(layers ...Layer) []Layer {
	for i := range layers {
		layers[i].ID = "globe-" + layers[i].ID
		layers[i].Source = GlobeName
	}
	return layers
}

// globe draws the world's land, waters and borders. Whatever the region draws
// comes later: its ground has no gaps, so that the coarse coasts and borders here
// show only outside it.
func (l *Look) globe() []Layer {
	p := &l.palette
	country := line("border-country", "boundaries", 0, oneOf("kind", "country"), props{
		"line-color": p.Border, "line-width": by(0, 0.4, 4, 0.9, 10, 1.6), "line-opacity": by(0, 0.5, 5, 0.8),
	})
	country.Layout = props{"line-join": "round"}
	region := line("border-region", "boundaries", 3, oneOf("kind", "region"), props{
		"line-color": p.Border, "line-width": by(3, 0.3, 8, 0.8), "line-opacity": 0.45, "line-dasharray": list{4, 2},
	})
	region.Layout = props{"line-join": "round"}
	return slices.Concat(
		ofGlobe(
			fill("earth", "earth", 0, shape("Polygon"), props{"fill-color": p.Earth}),
			fill("water", "water", 0, shape("Polygon"), props{"fill-color": p.Water}),
			// Too coarse to be enlarged further.
			line("waterways", "water", 4, shape("LineString"), props{
				"line-color": p.Water, "line-width": by(4, 0.4, 8, 1.2, 12, 2), "line-opacity": by(8, 1, 10, 0),
			}),
			line("shore", "earth", 3, shape("Polygon"), props{"line-color": p.WaterEdge, "line-width": by(3, 0.2, 8, 0.6, 12, 1), "line-opacity": 0.6}),
		),
		of("boundaries", ofGlobe(region, country)...),
	)
}

// globeLabels names the countries and cities of the world that the region does
// not.
func (l labelLayers) globeLabels(name any, boxes [][4]float64) []Layer {
	var polygons []any
	for _, b := range boxes {
		polygons = append(polygons, [][][2]float64{{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}, {b[0], b[1]}}})
	}
	elsewhere := list{"any", list{"<", list{"zoom"}, ownZoom}, not(list{"within", props{"type": "MultiPolygon", "coordinates": polygons}})}
	if polygons == nil {
		elsewhere = list{"literal", true}
	}
	town := l.dotted(l.placeLayer(name, "towns", 6, 0, all(oneOf("kind_detail", "town"), elsewhere), glyph.Regular, by(7, 11, 10, 13, 16, 20), l.palette.Text))
	city := l.dotted(l.placeLayer(name, "cities", 3, 0, all(oneOf("kind_detail", "city"), elsewhere), glyph.Bold, by(3, 10, 10, 17, 15, 24), l.palette.Text))
	country := aside(spaced(l.placeLayer(name, "countries", 1, 9, all(oneOf("kind", "country"), elsewhere), glyph.Bold, by(1, 9, 6, 16), l.palette.Text), true))
	return ofGlobe(town, country, city)
}
