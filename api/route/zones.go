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

// zoneService finds the clean-air zones that matter to a request.
type zoneService struct{ zones.Service }

func newZoneService(now func() time.Time) zoneService {
	return zoneService{zones.Service{Holidays: holiday.In, Now: now}}
}

// vehicle returns the vehicle of emissions, nil where there are none.
func vehicle(e *native.Emissions) *zones.Vehicle {
	if e == nil {
		return nil
	}
	return &zones.Vehicle{Category: e.VehicleCategory, Fuel: e.Fuel, Euro: e.Euro()}
}

// keepOut puts the zones that are to be avoided among the conditions of a journey
// through some places. It returns a warning for each zone that cannot be avoided, because
// a place lies in it.
func (z zoneService) keepOut(here *world.Region, asked *native.Zoned, conditions *engine.Conditions, places []geo.Point) (warnings []engine.Warning) {
	if !asked.AvoidZones {
		return nil
	}
	a := z.Avoid(here.Zones, vehicle(asked.Emissions), conditions.When, places)
	conditions.ExcludeAreas = a.Areas
	for _, in := range a.Inside {
		warnings = append(warnings, engine.Warning{Code: engine.WarnInside, Text: fmt.Sprintf("avoid_zones: location %d lies in %s, which is not kept out of", in.Location, in.Zone)})
	}
	return append(warnings, zones.Warn(a.Warning())...)
}
