package style

import (
	"maps"
	"slices"

	"github.com/waygate/waygate/index/glyph"
)

// label starts a symbol layer.
func label(id, layer string, zoom float64, filter any, layout, paint props) Layer {
	return Layer{ID: id, Type: "symbol", Source: SourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Layout: layout, Paint: paint}
}

// nameIn gives a label in a language where the map has it.
func nameIn(language string) any {
	if language == "" {
		return get("name")
	}
	return list{"coalesce", get("name:" + language), get("name")}
}

// labels writes names and numbers. Renderers place the last layer first, so
// what matters most comes last.
func (l *Look) labels(under Beneath) []Layer {
	name := nameIn(l.Language)
	var beyond []Layer
	if !under.Nothing {
		beyond = of("place_names", l.globeLabels(name, under.Boxes)...)
	}
	out := slices.Concat(
		of("contours", l.contourLabels()), of("house_numbers", l.houseNumbers()), l.poiLabels(name), of("water_names", l.waterLabels(name)...),
		l.roadLabels(name), l.landmarkLabels(name), beyond, of("place_names", l.placeLabels(name)...),
	)
	for _, d := range out {
		d.Layout["text-size"] = sized(d.Layout["text-size"], l.size)
		d.Paint["text-halo-width"] = l.halo * number(d.Paint["text-halo-width"])
	}
	return out
}

// sized gives a size, which may differ by zoom, so many times as large.
func sized(size any, factor float64) any {
	if pairs, ok := size.(list); ok {
		const head = 3 // interpolate, its curve, the zoom
		return append(slices.Clone(pairs[:head]), scaled(factor, pairs[head:]...)...)
	}
	return factor * number(size)
}

func (l *Look) houseNumbers() Layer {
	p := &l.palette
	return label("house-numbers", "buildings", 17, oneOf("kind", "address"), props{
		"text-field": get("addr_housenumber"), "text-font": fonts(glyph.Regular), "text-size": by(17, 9, 20, 12),
	}, props{"text-color": p.TextSoft, "text-halo-color": p.Building, "text-halo-width": 1})
}

// contourLabels writes the heights on every fifth contour.
func (l *Look) contourLabels() Layer {
	p := &l.palette
	return label("contour-heights", "contours", 12, list{"has", "index"}, props{
		"symbol-placement": "line", "symbol-spacing": 320, "text-field": list{"to-string", get("ele")}, "text-font": fonts(glyph.Regular),
		"text-size": 9.5, "text-max-angle": 30, "text-padding": 6,
	}, props{"text-color": p.TextSoft, "text-halo-color": p.TextHalo, "text-halo-width": 1.2})
}

func (l *Look) waterLabels(name any) []Layer {
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

func (l *Look) roadLabels(name any) []Layer {
	p := &l.palette
	paint := props{"text-color": p.TextRoad, "text-halo-color": p.TextHalo, "text-halo-width": 1.4}
	along := func(id string, zoom float64, filter any, size any) Layer {
		return label(id, "roads", zoom, filter, props{
			"symbol-placement": "line", "symbol-spacing": 280, "text-field": name, "text-font": fonts(glyph.Regular),
			"text-size": size, "text-max-angle": 35, "text-padding": 4,
		}, maps.Clone(paint))
	}
	shield := func(id string, zoom float64, filter any, color, halo string) Layer {
		return label(id, "roads", zoom, all(list{"has", "shield_text"}, filter), props{
			"symbol-placement": "line", "symbol-spacing": 400, "text-field": get("shield_text"), "text-font": fonts(glyph.Bold),
			"text-size": by(8, 9, 14, 10.5), "text-rotation-alignment": "viewport", "text-pitch-alignment": "viewport", "text-padding": 12,
		}, props{"text-color": color, "text-halo-color": halo, "text-halo-width": 2.5})
	}
	rank := func(d Layer, key any) Layer { d.Layout["symbol-sort-key"] = key; return d }
	return slices.Concat(
		of("road_names",
			along("path-names", 15, oneOf("kind", "path"), by(15, 9.5, 18, 12)),
			along("street-names", 14, oneOf("kind", "minor_road"), by(14, 10, 18, 14)),
			along("ferry-names", 12, oneOf("kind", "ferry", "aerialway"), 10.5),
			along("road-names", 12, oneOf("kind", "major_road", "highway"), by(12, 10, 18, 15)),
		),
		of("shields",
			rank(shield("road-shields", 10, oneOf("kind", "major_road"), p.Shield, p.ShieldHalo), get("min_zoom")),
			shield("motorway-shields", 8, oneOf("kind", "highway"), p.MotorwayShield, p.MotorwayShieldHalo),
		),
	)
}

// landmarkZoom is the last min_zoom of points of interest that come before the
// names of streets: peaks, hospitals, airports, wide parks.
const landmarkZoom = 14

// poiLabels draws the points of interest that give way to the names of streets.
func (l *Look) poiLabels(name any) []Layer {
	late := list{">", get("min_zoom"), landmarkZoom}
	stop := oneOf("kind", "bus_stop", "tram_stop", "subway_entrance")
	return slices.Concat(
		of("pois", l.points(name, "pois", all(late, not(station()), not(stop)))),
		of("stations", l.points(name, "stops", stop)),
	)
}

// landmarkLabels draws those that streets give way to.
func (l *Look) landmarkLabels(name any) []Layer {
	early := list{"<=", get("min_zoom"), landmarkZoom}
	return slices.Concat(
		of("pois", l.points(name, "landmarks", all(early, not(station())))),
		of("stations", l.points(name, "stations", station())),
	)
}

func station() list {
	return oneOf("kind", "station", "halt", "aerodrome", "ferry_terminal", "bus_station", "aerialway_station")
}

// points draws points of interest as icons with the name under them. The icons
// are called like the kinds.
func (l *Look) points(name any, id string, which any) Layer {
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

// place starts a layer of names of places, drawn from one zoom until another; 0
// is always.
func (l *Look) place(name any, id string, zoom, until float64, filter any, font string, size any, color string) Layer {
	d := label(id, "places", zoom, all(filter, shown()), props{
		"text-field": name, "text-font": fonts(font), "text-size": size, "text-max-width": 8, "text-padding": 6,
		"symbol-sort-key": get("sort_key"),
	}, l.placePaint(color))
	d.MaxZoom = until
	return d
}

func (l *Look) placePaint(color string) props {
	return props{"text-color": color, "text-halo-color": l.palette.TextHalo, "text-halo-width": 1.5}
}

func spaced(d Layer, upper bool) Layer {
	d.Layout["text-letter-spacing"] = 0.12
	if upper {
		d.Layout["text-transform"] = "uppercase"
	}
	return d
}

func (l *Look) placeLabels(name any) []Layer {
	p := &l.palette
	place := func(id string, zoom, until float64, filter any, font string, size any, color string) Layer {
		return l.place(name, id, zoom, until, filter, font, size, color)
	}
	islands := label("islands", "earth", 10, all(shape("Point"), shown()), props{
		"text-field": name, "text-font": fonts(glyph.Italic), "text-size": 12, "text-max-width": 7,
	}, l.placePaint(p.TextSoft))
	hamlet := oneOf("kind_detail", "hamlet", "locality", "isolated_dwelling", "farm")
	return []Layer{
		islands,
		place("hamlets", 12, 0, all(oneOf("kind", "locality"), hamlet), glyph.Regular, by(12, 10.5, 16, 13), p.TextSoft),
		spaced(place("suburbs", 11, 17, oneOf("kind", "neighbourhood", "macrohood"), glyph.Regular, by(11, 9.5, 15, 12.5), p.TextSoft), true),
		place("villages", 9, 0, all(oneOf("kind", "locality"), oneOf("kind_detail", "village")), glyph.Regular, by(9, 10.5, 16, 16), p.Text),
		place("towns", 7, 0, all(oneOf("kind", "locality"), oneOf("kind_detail", "town")), glyph.Regular, by(7, 11, 10, 13, 16, 20), p.Text),
		place("cities", 4, 0, all(oneOf("kind", "locality"), oneOf("kind_detail", "city")), glyph.Bold, by(4, 11, 10, 17, 15, 24), p.Text),
		spaced(place("regions", 4, 9, oneOf("kind", "region"), glyph.Regular, by(4, 10, 8, 13), p.TextSoft), true),
		spaced(place("countries", 1, 9, oneOf("kind", "country"), glyph.Bold, by(1, 9, 6, 16), p.Text), true),
	}
}
