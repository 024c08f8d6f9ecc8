package style

import (
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/index/glyph"
)

// label starts a symbol layer.
func label(id, layer string, zoom float64, filter any, layout, paint props) Layer {
	return Layer{ID: id, Type: "symbol", Source: SourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Layout: layout, Paint: paint}
}

// nameIn returns a label in a language where the map has it.
func nameIn(language string) any {
	if language == "" {
		return readable(get("name"))
	}
	return readable(list{"coalesce", get("name:" + language), get("name")})
}

// readable falls back on the English name where the renderer reports that it cannot write the
// letters of another, as MapLibre before its own bidirectional text and MapLibre Native do of
// scripts of India and South-East Asia. Later ones draw those with the device's fonts.
func readable(name list) list {
	return list{"case", list{"is-supported-script", list{"to-string", name}}, name, list{"coalesce", get("name:en"), name}}
}

// labelLayers makes the layers of labels of a look.
type labelLayers struct{ *ResolvedTheme }

// labels writes names and numbers. Renderers place the last layer first, so
// what matters most comes last.
func (l labelLayers) labels(under Surroundings) []Layer {
	name := nameIn(l.Language)
	var beyond []Layer
	if !under.WithoutWorld {
		beyond = slices.Concat(of("water_names", l.worldWaters()...), of("place_names", l.globeLabels(under.Boxes)...))
	}
	out := slices.Concat(
		of("place_names", l.edgeLabels()), of("contours", l.contourLabels()), of("house_numbers", l.houseNumbers()), l.poiLabels(name), of("water_names", l.waterLabels(name)...),
		l.roadLabels(name), l.landmarkLabels(name), beyond, of("place_names", l.placeLabels(name)...),
	)
	for _, d := range out {
		if d.Layout["text-field"] == nil {
			continue
		}
		size := l.size
		if factor, ok := l.sizes[d.group]; ok {
			size *= factor
		}
		d.Layout["text-size"] = sized(d.Layout["text-size"], size)
		if names, ok := d.Layout["text-font"].([]string); ok && l.font != "" {
			d.Layout["text-font"] = append([]string{l.font + strings.TrimPrefix(names[0], family)}, names...)
		}
		d.Paint["text-halo-width"] = l.halo * toFloat(d.Paint["text-halo-width"])
	}
	return out
}

// family is that of the built-in fonts.
const family = "Go"

// sized returns a size, which may differ by zoom, so many times as large.
func sized(size any, factor float64) any {
	if pairs, ok := size.(list); ok {
		const head = 3 // interpolate, its curve, the zoom
		return append(slices.Clone(pairs[:head]), scaled(factor, pairs[head:]...)...)
	}
	return factor * toFloat(size)
}

func (l labelLayers) houseNumbers() Layer {
	p := &l.palette
	return label("house-numbers", "buildings", 17, oneOf("kind", "address"), props{
		"text-field": get("addr_housenumber"), "text-font": fonts(glyph.Regular), "text-size": by(17, 9, 20, 12),
	}, props{"text-color": p.TextSoft, "text-halo-color": p.Building, "text-halo-width": 1})
}

// contourLabels writes the heights on every fifth contour.
func (l labelLayers) contourLabels() Layer {
	p := &l.palette
	return label("contour-heights", "contours", 12, list{"has", "index"}, props{
		"symbol-placement": "line", "symbol-spacing": 320, "text-field": list{"to-string", get("ele")}, "text-font": fonts(glyph.Regular),
		"text-size": 9.5, "text-max-angle": 30, "text-padding": 6,
	}, props{"text-color": p.TextSoft, "text-halo-color": p.TextHalo, "text-halo-width": 1.2})
}

func (l labelLayers) waterLabels(name any) []Layer {
	p := &l.palette
	paint := func() props {
		return props{"text-color": p.TextWater, "text-halo-color": p.TextWaterHalo, "text-halo-width": 1}
	}
	return []Layer{
		label("waterway-names", "water", 11, all(shape("LineString"), list{"has", "name"}), props{
			"symbol-placement": "line", "symbol-spacing": 350, "text-field": name, "text-font": fonts(glyph.Italic),
			"text-size": by(11, 10, 16, 14), "text-letter-spacing": 0.06, "text-max-angle": 30,
		}, paint()),
		label("water-names", "water", 6, all(shape("Point"), shown()), props{
			"text-field": name, "text-font": fonts(glyph.Italic), "text-size": by(6, 11, 14, 13), "text-max-width": 7, "text-letter-spacing": 0.04,
		}, paint()),
	}
}

func (l labelLayers) roadLabels(name any) []Layer {
	p := &l.palette
	paint := props{"text-color": p.TextRoad, "text-halo-color": p.TextHalo, "text-halo-width": 1.4}
	along := func(id string, zoom float64, filter any, size any) Layer {
		return label(id, "roads", zoom, filter, props{
			"symbol-placement": "line", "symbol-spacing": 280, "text-field": name, "text-font": fonts(glyph.Regular),
			"text-size": size, "text-max-angle": 35, "text-padding": 4,
		}, maps.Clone(paint))
	}
	return slices.Concat(
		of("one_ways", l.arrows()),
		of("road_names",
			along("path-names", 15, oneOf("kind", "path"), by(15, 9.5, 18, 12)),
			along("street-names", 14, oneOf("kind", "minor_road"), by(14, 10, 18, 14)),
			along("ferry-names", 12, oneOf("kind", "ferry", "aerialway"), 10.5),
			along("road-names", 12, oneOf("kind", "major_road", "highway"), by(12, 10, 18, 15)),
		),
		of("transit_lines", l.transitLabels()),
		of("shields", l.shields()...),
	)
}

// arrows point along streets for one direction.
func (l labelLayers) arrows() Layer {
	p := &l.palette
	return label("one-ways", "roads", 16, all(oneOf("kind", "highway", "major_road", "minor_road"), list{"has", "oneway"}), props{
		"symbol-placement": "line", "symbol-spacing": 140, "icon-image": "arrow", "icon-size": by(16, 0.55, 19, 0.95),
		"icon-rotate": list{"match", get("oneway"), "-1", 180, 0}, "icon-rotation-alignment": "map", "icon-padding": 12,
	}, props{"icon-color": p.TextRoad, "icon-opacity": 0.6})
}

// transitLabels writes the numbers of lines of public transport along their rails.
func (l labelLayers) transitLabels() Layer {
	p := &l.palette
	return label("transit-lines", "roads", 14, all(oneOf("kind", "rail"), list{"has", "ref"}), props{
		"symbol-placement": "line", "symbol-spacing": 400, "text-field": get("ref"), "text-font": fonts(glyph.Bold), "text-size": 10,
		"text-rotation-alignment": "viewport", "text-pitch-alignment": "viewport", "text-padding": 10,
	}, props{"text-color": p.TextStation, "text-halo-color": p.TextHalo, "text-halo-width": 1.6})
}

// shields draws the numbers of roads as signs have them: motorways and what is
// like them white on blue, European roads white on green, the rest dark on light.
func (l labelLayers) shields() []Layer {
	p := &l.palette
	motorway := list{"any", oneOf("kind", "highway"), oneOf("network", "US:I")}
	european := oneOf("network", "e-road")
	shield := func(id string, zoom float64, filter any, letters, ground string) Layer {
		return label(id, "roads", zoom, all(list{"has", "shield_text"}, list{"<=", list{"length", get("shield_text")}, 8}, filter), props{
			"symbol-placement": "line", "symbol-spacing": 420, "text-field": get("shield_text"), "text-font": fonts(glyph.Bold),
			"text-size": by(8, 9, 14, 10.5), "text-rotation-alignment": "viewport", "text-pitch-alignment": "viewport", "text-padding": 6,
			"icon-image": "shield", "icon-text-fit": "both", "icon-text-fit-padding": []float64{1, 3, 0, 3},
			"icon-rotation-alignment": "viewport", "icon-pitch-alignment": "viewport", "icon-padding": 14,
			"symbol-sort-key": list{"coalesce", get("min_zoom"), 0},
		}, props{
			"text-color": letters, "text-halo-color": ground, "text-halo-width": 0.5,
			"icon-color": ground, "icon-halo-color": letters, "icon-halo-width": 1,
		})
	}
	return []Layer{
		shield("road-shields", 9, all(oneOf("kind", "major_road"), not(motorway), not(european)), p.Shield, p.ShieldHalo),
		shield("european-shields", 8, all(european, not(motorway)), p.EuropeanShield, p.EuropeanShieldHalo),
		shield("motorway-shields", 7, motorway, p.MotorwayShield, p.MotorwayShieldHalo),
	}
}

// landmarkZoom is the last min_zoom of points of interest that come before the
// names of streets: peaks, hospitals, airports, wide parks.
const landmarkZoom = 14

// poiLabels draws the points of interest that give way to the names of streets.
func (l labelLayers) poiLabels(name any) []Layer {
	late := list{">", get("min_zoom"), landmarkZoom}
	stop := oneOf("kind", "bus_stop", "tram_stop", "subway_entrance")
	return slices.Concat(
		of("pois", l.points(name, "pois", all(late, not(station()), not(stop)))),
		of("stations", l.points(name, "stops", stop)),
	)
}

// landmarkLabels draws those that streets give way to.
func (l labelLayers) landmarkLabels(name any) []Layer {
	early := list{"<=", get("min_zoom"), landmarkZoom}
	return slices.Concat(
		of("pois", l.points(withHeight(name), "landmarks", all(early, not(station())))),
		of("stations", l.points(name, "stations", station())),
	)
}

// withHeight writes the height of a peak, a pass or a hut under its name.
func withHeight(name any) list {
	return list{
		"case",
		list{"has", "elevation"},
		list{"concat", name, "\n", list{"to-string", get("elevation")}, " m"},
		name,
	}
}

func station() list {
	return oneOf("kind", "station", "halt", "aerodrome", "ferry_terminal", "bus_station", "aerialway_station")
}

// leftOut lists the kinds of points of interest that are not drawn, in order.
func (l *ResolvedTheme) leftOut() (kinds []string) {
	for _, kind := range slices.Sorted(maps.Keys(l.kinds)) {
		if !l.kinds[kind] {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// points draws points of interest as icons with the name under them. The icons
// are called like the kinds.
func (l labelLayers) points(name any, id string, which any) Layer {
	p := &l.palette
	color := list{
		"match", get("kind"),
		[]string{"park", "garden", "nature_reserve", "golf_course", "cemetery", "wood", "forest", "national_park", "recreation_ground", "village_green", "allotments", "playground", "camp_site", "zoo"},
		p.TextPark,
		[]string{"station", "halt", "aerodrome", "ferry_terminal", "bus_station", "aerialway_station", "bus_stop", "tram_stop", "subway_entrance"},
		p.TextStation,
		[]string{"peak", "volcano", "viewpoint", "cave_entrance", "alpine_hut", "saddle"},
		p.Text,
		p.TextSoft,
	}
	if out := l.leftOut(); out != nil {
		which = all(which, not(oneOf("kind", out...)))
	}
	return label(id, "pois", 10, all(which, shown(), list{"has", "name"}), props{
		"icon-image": list{"coalesce", list{"image", get("kind")}, list{"image", "dot"}}, "icon-size": by(10, 0.75, 17, 1),
		"text-field": name, "text-font": fonts(glyph.Regular), "text-size": by(10, 10.5, 17, 12), "text-max-width": 8,
		"text-variable-anchor": []string{"top", "bottom", "left", "right"}, "text-radial-offset": 0.75, "text-justify": "auto",
		"text-padding": 4, "icon-padding": 4, "text-optional": true,
		"symbol-sort-key": get("min_zoom"), "text-line-height": 1.1,
	}, props{
		"text-color": color, "text-halo-color": p.TextHalo, "text-halo-width": 1.2,
		"icon-color": color, "icon-halo-color": p.TextHalo, "icon-halo-width": 1,
	})
}

// placeLayer starts a layer of names of places, drawn from one zoom until another; 0
// is always.
func (l labelLayers) placeLayer(name any, id string, zoom, until float64, filter any, font string, size any, color string) Layer {
	d := label(id, "places", zoom, all(filter, shown()), props{
		"text-field": name, "text-font": fonts(font), "text-size": size, "text-max-width": 8, "text-padding": 6,
		"symbol-sort-key": get("sort_key"),
	}, l.placePaint(color))
	d.MaxZoom = until
	return d
}

func (l labelLayers) placePaint(color string) props {
	return props{"text-color": color, "text-halo-color": l.palette.TextHalo, "text-halo-width": 1.5}
}

func spaced(d Layer, upper bool) Layer {
	d.Layout["text-letter-spacing"] = 0.12
	if upper {
		d.Layout["text-transform"] = "uppercase"
	}
	return d
}

// dotted marks a town on small maps with a dot and writes its name beside it.
func (l labelLayers) dotted(d Layer) Layer {
	const until = 8
	small := func(before, after any) list { return list{"step", list{"zoom"}, before, until, after} }
	anchors := func(names ...string) list { return list{"literal", names} }
	d.Layout["icon-image"] = small("dot", "")
	d.Layout["icon-size"] = 0.6
	d.Layout["text-variable-anchor"] = small(anchors("bottom", "top", "left", "right"), anchors("center", "top", "bottom"))
	d.Layout["text-radial-offset"] = small(0.4, 1.2)
	d.Layout["text-justify"] = "auto"
	d.Paint["icon-color"] = d.Paint["text-color"]
	d.Paint["icon-halo-color"], d.Paint["icon-halo-width"] = l.palette.TextHalo, 1
	return d
}

// aside lets a name move up or down where something else is in its middle: a town, a pin.
func aside(d Layer) Layer {
	d.Layout["text-variable-anchor"] = []string{"center", "top", "bottom"}
	d.Layout["text-radial-offset"] = 1.2
	return d
}

func (l labelLayers) placeLabels(name any) []Layer {
	p := &l.palette
	place := func(id string, zoom, until float64, filter any, font string, size any, color string) Layer {
		return l.placeLayer(name, id, zoom, until, filter, font, size, color)
	}
	islands := label("islands", "earth", 6, all(shape("Point"), shown()), props{
		"text-field": name, "text-font": fonts(glyph.Italic), "text-size": 12, "text-max-width": 7,
	}, l.placePaint(p.TextSoft))
	islands.MaxZoom = 14
	hamlet := oneOf("kind_detail", "hamlet", "locality", "isolated_dwelling", "farm")
	return []Layer{
		islands,
		place("hamlets", 12, 0, all(oneOf("kind", "locality"), hamlet), glyph.Regular, by(12, 10.5, 16, 13), p.TextSoft),
		spaced(place("suburbs", 11, 17, oneOf("kind", "neighbourhood", "macrohood"), glyph.Regular, by(11, 9.5, 15, 12.5), p.TextSoft), true),
		aside(place("villages", 9, 17, all(oneOf("kind", "locality"), oneOf("kind_detail", "village")), glyph.Regular, by(9, 10.5, 16, 16), p.Text)),
		aside(place("towns", 7, 16, all(oneOf("kind", "locality"), oneOf("kind_detail", "town")), glyph.Regular, by(7, 11, 10, 13, 16, 20), p.Text)),
		aside(spaced(place("regions", 4, 9, oneOf("kind", "region"), glyph.Regular, by(4, 10, 8, 13), p.TextSoft), true)),
		aside(spaced(place("countries", 1, 9, oneOf("kind", "country"), glyph.Bold, by(1, 9, 6, 16), p.Text), true)),
		l.dotted(place("cities", 4, 15.5, all(oneOf("kind", "locality"), oneOf("kind_detail", "city")), glyph.Bold, by(4, 11, 10, 17, 15, 24), p.Text)),
	}
}
