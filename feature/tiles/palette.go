package tiles

// palette is the colours of a theme.
type palette struct {
	earth, housing, works, park, wood, field, sand, rock, ice, school, hospital, airfield, pedestrian string
	water, waterEdge, flat, building, buildingEdge                                                    string
	motorway, motorwayEdge, trunk, trunkEdge, primary, primaryEdge, street, streetEdge, path, track   string
	tunnel, rail, railSleeper, ferry, runway, border, borderHalo                                      string
	text, textSoft, textHalo, textWater, textWaterHalo, textPark, textRoad, textStation               string
	shield, shieldHalo, motorwayShield, motorwayShieldHalo                                            string
}

func light() palette {
	return palette{
		earth: "#f5f3ee", housing: "#efece6", works: "#ebe7e4", park: "#d5e6c8", wood: "#c8dcb9",
		field: "#edf0df", sand: "#f4ecd2", rock: "#e6e3dd", ice: "#f7fbfd", school: "#f1ebd9", hospital: "#f6e6e4",
		airfield: "#e8e8ee", pedestrian: "#f1eee9",
		water: "#aacfe0", waterEdge: "#93bfd4", flat: "#cfd6d2", building: "#e3ddd4", buildingEdge: "#d3ccc1",
		motorway: "#f3b27a", motorwayEdge: "#d68a4c", trunk: "#f8cf97", trunkEdge: "#dba45f", primary: "#fbe3b0", primaryEdge: "#dcbf7f",
		street: "#ffffff", streetEdge: "#d8d3ca", path: "#c9b79f", track: "#cbbb96",
		tunnel: "#f0ede7", rail: "#a9a6a4", railSleeper: "#f5f3ee", ferry: "#7ba6bf", runway: "#d6d7e0",
		border: "#a48fae", borderHalo: "#f5f3ee",
		text: "#33383d", textSoft: "#6b6f73", textHalo: "#ffffff", textWater: "#3f7590", textWaterHalo: "#cfe4ee",
		textPark: "#4f7a46", textRoad: "#57524b", textStation: "#4a5f8f",
		shield: "#5d5140", shieldHalo: "#fbf1da", motorwayShield: "#ffffff", motorwayShieldHalo: "#3d6fa8",
	}
}

func dark() palette {
	return palette{
		earth: "#1d2126", housing: "#21262b", works: "#23272d", park: "#1f2d28", wood: "#1d2b25",
		field: "#202720", sand: "#2b2a24", rock: "#25282b", ice: "#2b3338", school: "#282721", hospital: "#2b2426",
		airfield: "#24272f", pedestrian: "#262a30",
		water: "#12293a", waterEdge: "#1b3a50", flat: "#1b2a31", building: "#292e35", buildingEdge: "#323841",
		motorway: "#8a6036", motorwayEdge: "#15181c", trunk: "#735531", trunkEdge: "#15181c", primary: "#564a38", primaryEdge: "#15181c",
		street: "#414852", streetEdge: "#15181c", path: "#48433c", track: "#443f37",
		tunnel: "#262b31", rail: "#4c5157", railSleeper: "#1d2126", ferry: "#2d5a78", runway: "#2f343e",
		border: "#6d6179", borderHalo: "#1d2126",
		text: "#dfe3e6", textSoft: "#9aa1a8", textHalo: "#15181c", textWater: "#6fa3c0", textWaterHalo: "#12293a",
		textPark: "#7fa57a", textRoad: "#b3b0aa", textStation: "#8fa5d6",
		shield: "#e3d8c0", shieldHalo: "#4a3d28", motorwayShield: "#ffffff", motorwayShieldHalo: "#2b5585",
	}
}
