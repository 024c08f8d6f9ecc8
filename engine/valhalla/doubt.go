package valhalla

import (
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// doubt says which options Valhalla accepts and does not heed: by what its costings read in
// src/sif of versions 3.6.1 and 3.8.3, between which some were added.
func doubt(c costing.Costing, o costing.Option) engine.OptionSupport {
	cars := c == costing.Auto || c == costing.Bus
	switch o {
	case costing.UseDistance, costing.IncludeHOT, costing.IncludeHOV2, costing.IncludeHOV3:
		if !cars {
			return engine.Unheeded
		}
	case costing.UseHighways, costing.UseTolls:
		if c == costing.MotorScooter {
			return engine.Unheeded
		}
	case costing.Weight, costing.Length:
		if cars {
			return engine.Unsure
		}
	case costing.SpeedPenaltyFactor, costing.LowClassFactor:
		return engine.Unsure
	}
	if slices.Contains(unread, o) {
		return engine.Unheeded
	}
	return engine.Heeded
}

// unread are options that no costing of Valhalla reads.
var unread = []costing.Option{costing.ADRTunnelCode}
