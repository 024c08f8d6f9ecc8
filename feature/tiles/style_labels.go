package tiles

import "github.com/waygate/waygate/index/glyph"

// label starts a symbol layer.
func label(id, layer string, zoom float64, filter any, layout, paint props) styleLayer {
	return styleLayer{ID: id, Type: "symbol", Source: sourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Layout: layout, Paint: paint}
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
func labels(p palette, look Look) []styleLayer {
	name := nameIn(look.Language)
	out := []styleLayer{houseNumbers(p)}
	out = append(out, waterLabels(p, name)...)
	out = append(out, roadLabels(p, name)...)
	if !look.HidePOIs {
		out = append(out, poiLabels(p, name)...)
	}
	return append(out, placeLabels(p, name)...)
}

func houseNumbers(p palette) styleLayer {
	return label("house-numbers", "buildings", 17, oneOf("kind", "address"), props{
		"text-field": get("addr_housenumber"), "text-font": fonts(glyph.Regular), "text-size": by(17, 9, 20, 12),
	}, props{"text-color": p.textSoft, "text-halo-color": p.building, "text-halo-width": 1})
}

func waterLabels(p palette, name any) []styleLayer {
	paint := props{"text-color": p.textWater, "text-halo-color": p.textWaterHalo, "text-halo-width": 1}
	return []styleLayer{
		label("waterway-names", "water", 11, all(shape("LineString"), list{"has", "name"}), props{
			"symbol-placement": "line", "symbol-spacing": 350, "text-field": name, "text-font": fonts(glyph.Italic),
			"text-size": by(11, 10, 16, 14), "text-letter-spacing": 0.06, "text-max-angle": 30,
		}, paint),
		label("water-names", "water", 6, all(shape("Point"), shown()), props{
			"text-field": name, "text-font": fonts(glyph.Italic), "text-size": by(6, 11, 14, 13), "text-max-width": 7, "text-letter-spacing": 0.04,
		}, paint),
	}
}

func roadLabels(p palette, name any) []styleLayer {
	paint := props{"text-color": p.textRoad, "text-halo-color": p.textHalo, "text-halo-width": 1.4}
	along := func(id string, zoom float64, filter any, size any) styleLayer {
		return label(id, "roads", zoom, filter, props{
			"symbol-placement": "line", "symbol-spacing": 280, "text-field": name, "text-font": fonts(glyph.Regular),
			"text-size": size, "text-max-angle": 35, "text-padding": 4,
		}, paint)
	}
	shield := func(id string, zoom float64, filter any, color, halo string) styleLayer {
		return label(id, "roads", zoom, all(list{"has", "shield_text"}, filter), props{
			"symbol-placement": "line", "symbol-spacing": 400, "text-field": get("shield_text"), "text-font": fonts(glyph.Bold),
			"text-size": by(8, 9, 14, 10.5), "text-rotation-alignment": "viewport", "text-pitch-alignment": "viewport", "text-padding": 12,
		}, props{"text-color": color, "text-halo-color": halo, "text-halo-width": 2.5})
	}
	rank := func(d styleLayer, key any) styleLayer { d.Layout["symbol-sort-key"] = key; return d }
	return []styleLayer{
		along("path-names", 15, oneOf("kind", "path"), by(15, 9.5, 18, 12)),
		along("street-names", 14, oneOf("kind", "minor_road"), by(14, 10, 18, 14)),
		along("ferry-names", 12, oneOf("kind", "ferry", "aerialway"), 10.5),
		along("road-names", 12, oneOf("kind", "major_road", "highway"), by(12, 10, 18, 15)),
		rank(shield("road-shields", 10, oneOf("kind", "major_road"), p.shield, p.shieldHalo), get("min_zoom")),
		shield("motorway-shields", 8, oneOf("kind", "highway"), p.motorwayShield, p.motorwayShieldHalo),
	}
}

// poiLabels writes points of interest with a dot over the name, both or none.
func poiLabels(p palette, name any) []styleLayer {
	color := list{
		"match", get("kind"),
		[]string{"park", "garden", "nature_reserve", "golf_course", "cemetery", "wood", "forest", "national_park", "recreation_ground", "village_green", "allotments", "playground", "camp_site", "zoo"},
		p.textPark,
		[]string{"station", "halt", "aerodrome", "ferry_terminal", "bus_station", "bus_stop"},
		p.textStation,
		[]string{"peak", "volcano", "viewpoint", "cave_entrance", "alpine_hut"},
		p.text,
		p.textSoft,
	}
	field := list{"format", list{"match", get("kind"), []string{"peak", "volcano"}, "▲", "●"}, props{"font-scale": 0.9}, "\n", props{}, name, props{}}
	return []styleLayer{label("pois", "pois", 10, all(shown(), list{"has", "name"}), props{
		"text-field": field, "text-font": fonts(glyph.Regular), "text-size": by(10, 10.5, 17, 12), "text-max-width": 8,
		"text-padding": 6, "symbol-sort-key": get("min_zoom"), "text-line-height": 1.1,
	}, props{"text-color": color, "text-halo-color": p.textHalo, "text-halo-width": 1.2})}
}

func placeLabels(p palette, name any) []styleLayer {
	paint := func(color string) props {
		return props{"text-color": color, "text-halo-color": p.textHalo, "text-halo-width": 1.5}
	}
	place := func(id string, zoom, until float64, filter any, font string, size any, color string) styleLayer {
		d := label(id, "places", zoom, all(filter, shown()), props{
			"text-field": name, "text-font": fonts(font), "text-size": size, "text-max-width": 8, "text-padding": 6,
			"symbol-sort-key": get("sort_key"),
		}, paint(color))
		d.MaxZoom = until
		return d
	}
	spaced := func(d styleLayer, upper bool) styleLayer {
		d.Layout["text-letter-spacing"] = 0.12
		if upper {
			d.Layout["text-transform"] = "uppercase"
		}
		return d
	}
	islands := label("islands", "earth", 10, all(shape("Point"), shown()), props{
		"text-field": name, "text-font": fonts(glyph.Italic), "text-size": 12, "text-max-width": 7,
	}, paint(p.textSoft))
	hamlet := oneOf("kind_detail", "hamlet", "locality", "isolated_dwelling", "farm")
	return []styleLayer{
		islands,
		place("hamlets", 12, 0, all(oneOf("kind", "locality"), hamlet), glyph.Regular, by(12, 10.5, 16, 13), p.textSoft),
		spaced(place("suburbs", 11, 17, oneOf("kind", "neighbourhood", "macrohood"), glyph.Regular, by(11, 9.5, 15, 12.5), p.textSoft), true),
		place("villages", 9, 0, all(oneOf("kind", "locality"), oneOf("kind_detail", "village")), glyph.Regular, by(9, 10.5, 16, 16), p.text),
		place("towns", 7, 0, all(oneOf("kind", "locality"), oneOf("kind_detail", "town")), glyph.Regular, by(7, 11, 10, 13, 16, 20), p.text),
		place("cities", 4, 0, all(oneOf("kind", "locality"), oneOf("kind_detail", "city")), glyph.Bold, by(4, 11, 10, 17, 15, 24), p.text),
		spaced(place("regions", 4, 9, oneOf("kind", "region"), glyph.Regular, by(4, 10, 8, 13), p.textSoft), true),
		spaced(place("countries", 1, 9, oneOf("kind", "country"), glyph.Bold, by(1, 9, 6, 16), p.text), true),
	}
}
