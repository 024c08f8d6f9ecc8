package route

import (
	"fmt"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/world"
)

// zoning judges clean-air zones.
type zoning struct{ zones.Service }

func newZoning(now func() time.Time) zoning {
	return zoning{zones.Service{Holidays: holiday.In, Now: now}}
}

// vehicle is what emissions say, nil where there are none.
func vehicle(e *native.Emissions) *zones.Vehicle {
	if e == nil {
		return nil
	}
	return &zones.Vehicle{Category: e.VehicleCategory, Fuel: e.Fuel, Euro: e.Euro()}
}

// keepOut puts the zones that are to be avoided among the conditions of a journey
// through some places, and tells of those that cannot be.
func (z zoning) keepOut(here *world.Region, asked *native.Zoned, conditions *engine.Conditions, places []geo.Point) (told []engine.Warning) {
	if !asked.AvoidZones {
		return nil
	}
	a := z.Avoid(here.Zones, vehicle(asked.Emissions), conditions.When, places)
	conditions.ExcludeAreas = a.Areas
	for _, in := range a.Inside {
		told = append(told, engine.Warning{Code: engine.WarnInside, Text: fmt.Sprintf("avoid_zones: location %d lies in %s, which is not kept out of", in.Location, in.Zone)})
	}
	return append(told, outdated(a.Warning())...)
}

// outdated warns of zones that are told of by what is old; "" is none.
func outdated(text string) []engine.Warning {
	if text == "" {
		return nil
	}
	return []engine.Warning{{Code: engine.WarnOutdated, Text: text}}
}
