package style

import (
	"cmp"
	"slices"
	"strings"

	"github.com/waygate/waygate/index/glyph"
)

// GlobeName is the source of the map of the world in a style; it lies under that
// of the region.
const GlobeName = "globe"

// ownZoom is from where a region names its own towns and countries. Below it the
// names are the world's, as a region's first zooms hold next to none.
const ownZoom = 5

// Surroundings describes the world round a region's map.
type Surroundings struct {
	// Boxes are the west, south, east and north of the region's own ground, which
	// covers the world's land and sea there; the world's names are left out in them
	// from ownZoom on.
	Boxes [][4]float64
	// WithoutWorld leaves the world out: the map is one of the world itself.
	WithoutWorld bool
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
func (l *ResolvedTheme) globe() []Layer {
	p := &l.palette
	country := line("border-country", "boundaries", 0, oneOf("kind", "country"), props{
		"line-color": p.Border, "line-width": by(0, 0.4, 4, 0.9, 10, 1.6), "line-opacity": by(0, 0.5, 5, 0.8, 8, 0.8, 10, 0),
	})
	country.Layout = props{"line-join": "round"}
	region := line("border-region", "boundaries", 3, oneOf("kind", "region"), props{
		"line-color": p.Border, "line-width": by(3, 0.3, 8, 0.8), "line-opacity": by(8, 0.45, 10, 0), "line-dasharray": list{4, 2},
	})
	region.Layout = props{"line-join": "round"}
	return slices.Concat(
		ofGlobe(
			fill("earth", "earth", 0, shape("Polygon"), props{"fill-color": p.Earth}),
		),
		ofGlobe(l.worldCover(not(ofWorld()))...),
		ofGlobe(
			hatch("earth", shape("Polygon")),
			fill("water", "water", 0, shape("Polygon"), props{"fill-color": p.Water}),
			// Too coarse to be enlarged further, as borders are.
			line("waterways", "water", 4, shape("LineString"), props{
				"line-color": p.Water, "line-width": by(4, 0.4, 8, 1.2, 12, 2), "line-opacity": by(8, 1, 10, 0),
			}),
			line("shore", "earth", 3, shape("Polygon"), props{"line-color": p.WaterEdge, "line-width": by(3, 0.2, 8, 0.6, 12, 1), "line-opacity": 0.6}),
		),
		of("boundaries", ofGlobe(region, country)...),
	)
}

// worldCover draws what covers the land and its relief, as long as cells of 40 km are fine enough.
func (l *ResolvedTheme) worldCover(which any) []Layer {
	p := &l.palette
	area := func(id, layer string, zoom float64, kinds, color any, opacity list) Layer {
		return fill(id, layer, zoom, all(kinds, which), props{"fill-color": color, "fill-opacity": opacity, "fill-antialias": false})
	}
	kinds := list{"match", get("kind"), "forest", p.Wood, "grassland", p.Park, "barren", p.Sand, "glacier", p.Ice, p.Earth}
	return slices.Concat(
		of("landuse", area("landcover", "landcover", 0, list{"has", "kind"}, kinds, by(0, 0.55, 4, 0.5, 5.5, 0.2, 7, 0))),
		of("relief",
			area("hillshade-light", "hillshade", 3, oneOf("kind", "light"), p.Light, by(3, 0.3, 5, 0.2, 7, 0)),
			area("hillshade-shade", "hillshade", 3, oneOf("kind", "shade"), p.Shade, by(3, 0.07, 5, 0.05, 7, 0)),
		),
	)
}

// ofWorld holds for what a region's tiles repeat of the world's map on their own ground.
func ofWorld() list { return list{"has", "world"} }

// hatch marks land of which there is no map but that of the world.
func hatch(layer string, which any) Layer {
	return fill("unmapped", layer, hatchZoom, which, props{"fill-pattern": "hatch", "fill-opacity": by(hatchZoom, 0, hatchZoom+1.5, 1)})
}

// hatchZoom is from where a map of the world alone is too little.
const hatchZoom = 7.5

// ragged returns the part of a region's box that lies well beyond the roads of its extract: land
// beside the last roads is mapped on islands.
func ragged() list { return all(shape("Polygon"), list{"==", get("beyond"), 4}) }

// edgeLabels writes along the edge of what a region has that there is no more.
func (l labelLayers) edgeLabels() Layer {
	p := &l.palette
	return label("unmapped-edge", "earth", 9, all(shape("LineString"), oneOf("kind", "unmapped")), props{
		"symbol-placement": "line", "symbol-spacing": 520, "text-field": noData(l.Language), "text-font": fonts(glyph.Italic), "text-size": 11,
		"text-letter-spacing": 0.08, "text-max-angle": 40, "text-offset": []float64{0, -1}, "text-padding": 24,
	}, props{"text-color": p.TextSoft, "text-halo-color": p.TextHalo, "text-halo-width": 1.2})
}

// noData returns the text at the edge of a map, in a language; English where there is none.
func noData(language string) string {
	words := map[string]string{
		"cy": "Dim data yma", "de": "Hier gibt es keine Daten", "es": "Aquí no hay datos", "fr": "Pas de données ici", "it": "Qui non ci sono dati",
		"nl": "Hier zijn geen gegevens", "pl": "Tu nie ma danych", "pt": "Sem dados aqui", "sv": "Inga data här",
	}
	base, _, _ := strings.Cut(language, "-")
	return cmp.Or(words[base], "No data here")
}

// expected returns the name of a country that a reader expects: in the language of labels, or in
// English where the world's map lacks that; without a language, as it is called there.
func expected(language string) any {
	if language == "" {
		return readable(get("name"))
	}
	return readable(list{"coalesce", get("name:" + language), get("name:en"), get("name")})
}

// worldWaters names the oceans, seas and the widest lakes.
func (l labelLayers) worldWaters() []Layer {
	p, name := &l.palette, expected(l.Language)
	named := func(id string, zoom, until float64, kind string, size list, spacing float64) Layer {
		d := label(id, "water", zoom, all(shape("Point"), oneOf("kind", kind)), props{
			"text-field": name, "text-font": fonts(glyph.Italic), "text-size": size, "text-max-width": 7, "text-letter-spacing": spacing, "text-padding": 8,
		}, props{"text-color": p.TextWater, "text-halo-color": p.TextWaterHalo, "text-halo-width": 1})
		d.MaxZoom = until
		return d
	}
	return ofGlobe(
		named("lake-names", 4, 9, "lake", by(4, 9.5, 8, 13), 0.02),
		named("sea-names", 3, 8, "sea", by(3, 10, 7, 15), 0.08),
		named("ocean-names", 1, 6, "ocean", by(1, 10, 5, 17), 0.16),
	)
}

// globeLabels names the countries and cities of the world that the region does
// not.
func (l labelLayers) globeLabels(boxes [][4]float64) []Layer {
	name := expected(l.Language)
	elsewhere := list{"any", list{"<", list{"zoom"}, ownZoom}, not(within(boxes))}
	town := l.dotted(l.placeLayer(name, "towns", 6, 0, all(oneOf("kind_detail", "town"), elsewhere), glyph.Regular, by(7, 11, 10, 13, 16, 20), l.palette.Text))
	city := l.dotted(l.placeLayer(name, "cities", 3, 0, all(oneOf("kind_detail", "city"), elsewhere), glyph.Bold, by(3, 10, 10, 17, 15, 24), l.palette.Text))
	country := aside(spaced(l.placeLayer(name, "countries", 1, 9, all(oneOf("kind", "country"), elsewhere), glyph.Bold, by(1, 9, 6, 16), l.palette.Text), true))
	return ofGlobe(town, country, city)
}

// within holds for what lies in any of some boxes.
func within(boxes [][4]float64) list {
	polygons := []any{}
	for _, b := range boxes {
		polygons = append(polygons, [][][2]float64{{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}, {b[0], b[1]}}})
	}
	return list{"within", props{"type": "MultiPolygon", "coordinates": polygons}}
}
