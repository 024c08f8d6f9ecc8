package native

import "github.com/waygate/waygate/wire/schema"

// Emissions describes a vehicle's emissions.
type Emissions struct {
	VehicleCategory string `json:"vehicle_category" enum:"car,van,minibus,hgv,bus,coach,taxi,phv,motorcycle,motorhome"`
	Fuel            string `json:"fuel" enum:"petrol,diesel,electric,hydrogen,gas"`
	EuroStandard    *int   `json:"euro_standard,omitempty" minimum:"1" maximum:"6" doc:"needed with a fuel that burns; 6 is Euro VI of heavy vehicles. There are no rules for Euro 7 yet: what meets it meets 6"`
}

// Check requires the standard of a fuel that burns.
func (e *Emissions) Check(c *schema.Context) {
	if e.EuroStandard == nil && e.Fuel != "electric" && e.Fuel != "hydrogen" {
		c.Refuse("euro_standard", nil, "is missing: it is needed with the fuel %s, 1 to 6", e.Fuel)
	}
}

// Zoned has the facts by which zones are judged.
type Zoned struct {
	Emissions  *Emissions `json:"emissions,omitempty" doc:"the vehicle that clean-air zones are judged for"`
	AvoidZones bool       `json:"avoid_zones,omitempty" doc:"keeps out of every zone that the vehicle is charged or banned in while the journey may last; needs emissions. A zone that holds a location is not kept out of"`
}

// Check checks what depends on both members.
func (z *Zoned) Check(c *schema.Context) {
	if z.AvoidZones && z.Emissions == nil {
		c.Refuse("avoid_zones", true, "needs emissions: they say which zones charge or ban the vehicle")
	}
}

// Euro returns the standard; 0 where none was given.
func (e *Emissions) Euro() int {
	if e.EuroStandard == nil {
		return 0
	}
	return *e.EuroStandard
}
