package tiles

// ground draws what lies flat: land and sea, what covers the land, water and
// buildings. What lies round the map is not known: there the colour of most of
// its border shows no edge, the sea's for an island.
func ground(p palette, island bool) []styleLayer {
	void := p.earth
	if island {
		void = p.water
	}
	use := func(color string, kinds ...string) list { return list{kinds, color} }
	cover := list{"match", get("kind")}
	for _, c := range []list{
		use(p.park, "park", "garden", "golf_course", "dog_park", "playground", "pitch", "recreation_ground", "village_green",
			"cemetery", "allotments", "grass", "grassland", "meadow", "zoo", "stadium"),
		use(p.wood, "wood", "forest", "scrub", "nature_reserve", "national_park", "protected_area"),
		use(p.field, "farmland", "orchard", "wetland"),
		use(p.sand, "beach", "sand"),
		use(p.rock, "bare_rock", "quarry"),
		use(p.ice, "glacier"),
		use(p.housing, "residential", "farmyard"),
		use(p.works, "industrial", "commercial", "railway", "marina"),
		use(p.school, "school", "university", "college", "kindergarten"),
		use(p.hospital, "hospital"),
		use(p.airfield, "aerodrome", "airfield", "military", "naval_base", "apron"),
		use(p.pedestrian, "pedestrian", "platform", "pier"),
	} {
		cover = append(cover, c...)
	}
	cover = append(cover, p.earth)
	loose := oneOf("kind", "national_park", "protected_area", "nature_reserve")
	runway := oneOf("kind", "runway", "taxiway")
	inset := oneOf("kind", "pitch", "playground")
	flats := oneOf("kind_detail", "tidalflat", "mud")
	return []styleLayer{
		{ID: "void", Type: "background", Paint: props{"background-color": void}},
		fill("earth", "earth", 0, shape("Polygon"), props{"fill-color": p.earth}),
		fill("landuse", "landuse", 5, all(not(loose), not(runway), not(inset), not(flats)), props{
			"fill-color":   cover,
			"fill-opacity": by(6, 0.4, 10, 1),
		}),
		fill("landuse-inset", "landuse", 12, inset, props{"fill-color": cover, "fill-outline-color": p.wood}),
		fill("reserves", "landuse", 6, loose, props{"fill-color": p.wood, "fill-opacity": by(6, 0.35, 12, 0.2, 14, 0.12)}),
		fill("water", "water", 0, shape("Polygon"), props{"fill-color": p.water}),
		fill("tidal-flats", "landuse", 8, flats, props{"fill-color": p.flat, "fill-opacity": 0.6}),
		line("waterways", "water", 9, all(shape("LineString"), oneOf("kind", "river", "canal")), props{
			"line-color": p.water, "line-width": by(9, 0.8, 12, 1.8, 14, 3, 18, 14),
		}),
		line("streams", "water", 12, all(shape("LineString"), oneOf("kind", "stream", "ditch", "drain")), props{
			"line-color": p.water, "line-width": by(12, 0.5, 14, 1, 18, 5),
		}),
		line("shore", "water", 11, shape("Polygon"), props{"line-color": p.waterEdge, "line-width": by(11, 0.3, 16, 1), "line-opacity": 0.7}),
		fill("runways", "landuse", 10, all(runway, shape("Polygon")), props{"fill-color": p.runway}),
		fill("piers", "landuse", 12, oneOf("kind", "pier", "pedestrian"), props{"fill-color": p.pedestrian}),
		fill("buildings", "buildings", 13, shape("Polygon"), props{
			"fill-color":         p.building,
			"fill-outline-color": p.buildingEdge,
			"fill-opacity":       by(13, 0.3, 14, 0.8, 16, 1),
		}),
	}
}
