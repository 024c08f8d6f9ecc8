package style

import "slices"

// ground draws what lies flat: land and sea, what covers the land, water and
// buildings.
func (l *ResolvedTheme) ground() []Layer {
	p := &l.palette
	use := func(color string, kinds ...string) list { return list{kinds, color} }
	cover := list{"match", get("kind")}
	for _, c := range []list{
		use(p.Park, "park", "garden", "golf_course", "dog_park", "playground", "pitch", "recreation_ground", "village_green",
			"cemetery", "allotments", "grass", "grassland", "meadow", "zoo", "stadium"),
		use(p.Wood, "wood", "forest", "nature_reserve", "national_park", "protected_area"),
		use(p.Scrub, "scrub", "heath"),
		use(p.Field, "farmland", "orchard"),
		use(p.Wetland, "wetland"),
		use(p.Sand, "beach", "sand"),
		use(p.Rock, "bare_rock", "quarry"),
		use(p.Ice, "glacier"),
		use(p.Housing, "residential", "farmyard"),
		use(p.Works, "industrial", "commercial", "railway", "marina"),
		use(p.School, "school", "university", "college", "kindergarten"),
		use(p.Hospital, "hospital"),
		use(p.Airfield, "aerodrome", "airfield", "military", "naval_base", "apron"),
		use(p.Pedestrian, "pedestrian", "platform", "pier"),
	} {
		cover = append(cover, c...)
	}
	cover = append(cover, p.Earth)
	loose := oneOf("kind", "national_park", "protected_area", "nature_reserve")
	runway := oneOf("kind", "runway", "taxiway")
	inset := oneOf("kind", "pitch", "playground")
	flats := oneOf("kind_detail", "tidalflat", "mud")
	shoreline := func(id, layer string, which any) Layer {
		return line(id, layer, 11, which, props{"line-color": p.WaterEdge, "line-width": by(11, 0.3, 16, 1), "line-opacity": 0.7})
	}
	return slices.Concat(
		[]Layer{
			fill("earth", "earth", 0, shape("Polygon"), props{"fill-color": p.Earth}),
		},
		l.worldInRegion(),
		of("landuse",
			l.cover(),
			fill("landuse", "landuse", 5, all(not(loose), not(runway), not(inset), not(flats)), props{
				"fill-color":   cover,
				"fill-opacity": by(6, 0.4, 8, 0.65, 11, 1),
			}),
			fill("landuse-inset", "landuse", 12, inset, props{"fill-color": cover, "fill-outline-color": p.Wood}),
			fill("reserves", "landuse", 6, loose, props{"fill-color": p.Wood, "fill-opacity": by(6, 0.35, 12, 0.2, 14, 0.12)}),
		),
		l.relief(),
		[]Layer{
			// Each step leaves less of what covers the land, the first hardly less, for land near the last
			// roads is often mapped, the last next to nothing, as that is cut there.
			fill("land-ends", "earth", 6, all(shape("Polygon"), oneOf("kind", "beyond")), props{
				"fill-color": p.Earth, "fill-opacity": by(6, 0, 7, list{"step", get("beyond"), 0.12, 2, 0.38, 3, 0.5, 4, 0.7}), "fill-antialias": false, // below lies the world's
			}),
			hatch("earth", ragged()),
			fill("water", "water", 0, shape("Polygon"), props{"fill-color": p.Water}),
			fill("tidal-flats", "landuse", 8, flats, props{"fill-color": p.Flat, "fill-opacity": 0.6}),
			line("waterways", "water", 9, all(shape("LineString"), oneOf("kind", "river", "canal")), props{
				"line-color": p.Water, "line-width": by(9, 0.8, 12, 1.8, 14, 3, 18, 14),
			}),
			line("streams", "water", 12, all(shape("LineString"), oneOf("kind", "stream", "ditch", "drain")), props{
				"line-color": p.Water, "line-width": by(12, 0.5, 14, 1, 18, 5),
			}),
			// Of the sea only its coast: its sides are those of the map too.
			shoreline("shore", "water", all(shape("Polygon"), not(oneOf("kind", "ocean")))),
			shoreline("coast", "earth", all(shape("LineString"), oneOf("kind", "coast"))),
		},
		of("runways", fill("runways", "landuse", 10, all(runway, shape("Polygon")), props{"fill-color": p.Runway})),
		of("landuse", fill("piers", "landuse", 12, oneOf("kind", "pier", "pedestrian"), props{"fill-color": p.Pedestrian})),
		of("buildings", fill("buildings", "buildings", 13, shape("Polygon"), props{
			"fill-color":         p.Building,
			"fill-outline-color": p.BuildingEdge,
			"fill-opacity":       by(13, 0.3, 14, 0.8, 16, 1),
		})),
	)
}

// cover draws what covers the land on small maps, before the landuse layer does.
func (l *ResolvedTheme) cover() Layer {
	p := &l.palette
	d := fill("landcover", "landcover", 0, not(ofWorld()), props{
		"fill-color": list{
			"match", get("kind"), "forest", p.Wood, "farmland", p.Field, "grassland", p.Park, "scrub", p.Scrub,
			"glacier", p.Ice, "barren", p.Rock, "urban_area", p.Housing, p.Earth,
		},
		"fill-opacity": by(3, 0.25, 7, 0.5), "fill-antialias": false,
	})
	d.MaxZoom = 8
	return d
}

// worldInRegion draws the world's land cover and relief in a region, so that on small maps its
// ground looks like that round it.
func (l *ResolvedTheme) worldInRegion() []Layer {
	layers := l.worldCover(ofWorld())
	for i := range layers {
		layers[i].ID = "world-" + layers[i].ID
	}
	return layers
}

// relief draws the shades of hills, and their contours, where tiles have them.
// Areas of one kind lie over one another, the steepest on top.
func (l *ResolvedTheme) relief() []Layer {
	p := &l.palette
	tone := func(id, kind, color string, opacity list) Layer {
		return fill(id, "hillshade", 6, all(oneOf("kind", kind), not(ofWorld())), props{"fill-color": color, "fill-opacity": opacity, "fill-antialias": false})
	}
	index := list{"has", "index"}
	thin := line("contours", "contours", 11, not(index), props{
		"line-color": p.Contour, "line-width": by(11, 0.4, 14, 0.6, 18, 1), "line-opacity": by(11, 0.25, 13, 0.5),
	})
	thick := line("contours-index", "contours", 11, index, props{
		"line-color": p.Contour, "line-width": by(11, 0.6, 14, 1.1, 18, 1.8), "line-opacity": by(11, 0.4, 13, 0.65),
	})
	return slices.Concat(
		of("relief",
			tone("hillshade-light", "light", p.Light, by(7, 0.1, 13, 0.12, 15, 0.06, 17, 0)),
			tone("hillshade-shade", "shade", p.Shade, by(7, 0.055, 13, 0.06, 15, 0.03, 17, 0)),
		),
		of("contours", thin, thick),
	)
}

// blocks draws buildings as high as they are, over the streets.
func (l *ResolvedTheme) blocks() []Layer {
	return of("buildings_3d", Layer{
		ID: "buildings-3d", Type: "fill-extrusion", Source: SourceName, SourceLayer: "buildings", MinZoom: 14,
		Filter: all(shape("Polygon"), list{"has", "height"}),
		Paint: props{
			"fill-extrusion-color": l.palette.Building, "fill-extrusion-opacity": 0.75,
			"fill-extrusion-height": get("height"), "fill-extrusion-base": list{"coalesce", get("min_height"), 0},
		},
	})
}
