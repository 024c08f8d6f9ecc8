package optimise

import (
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
)

// planZones are clean-air zones that places of a problem lie in.
type planZones struct {
	Zones  []planZone `json:"zones"`
	Caveat string     `json:"caveat"`
}

// planZone is one of them.
type planZone struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Website  *string       `json:"website" doc:"with information for drivers; null where not known"`
	Verdict  zones.Verdict `json:"verdict" enum:"free,unknown,charged,banned" doc:"the severest for the vehicle of emissions in the day that begins with date_time, or now; unknown without emissions"`
	Outdated string        `json:"outdated,omitempty" doc:"present where what is known of the zone was last compared more than two years ago: since when"`
	Stops    []string      `json:"stops" doc:"ids of stops, and of vehicles that begin, end or are loaded there"`
}

// emitter returns the vehicle of declared emissions, nil where there are none.
func emitter(e *native.Emissions) *zones.Vehicle {
	if e == nil {
		return nil
	}
	return &zones.Vehicle{Category: e.VehicleCategory, Fuel: e.Fuel, Euro: e.Euro()}
}

// keepOut has the matrices keep out of zones that are to be avoided, and warns of those that
// cannot be.
func (p *Planner) keepOut(here *Region, r *plan.OptimiseRequest, c *engine.Conditions) (warnings []engine.Warning) {
	if !r.AvoidZones {
		return nil
	}
	a := p.Zones.Avoid(here.Zones, emitter(r.Emissions), c.When, r.Points())
	c.ExcludeAreas = a.Areas
	seen := map[string]bool{}
	for _, in := range a.Inside {
		if !seen[in.Zone] {
			seen[in.Zone] = true
			warnings = append(warnings, engine.Warning{Code: engine.WarnInside, Text: fmt.Sprintf("avoid_zones: a place of the problem lies in %s, which is not kept out of", in.Zone)})
		}
	}
	return append(warnings, zones.Warn(a.Warning())...)
}

// zonesOf names the zones that places lie in; nil where none does.
func (p *Planner) zonesOf(here *Region, b *builder) *planZones {
	r := b.request
	held := p.Zones.Holding(here.Zones, emitter(r.Emissions), r.When(), r.Points())
	if len(held) == 0 {
		return nil
	}
	names := b.placeNames()
	out := &planZones{Caveat: "Judged by the day, not by when a route passes; zones on the way are not listed."}
	for _, h := range held {
		z := planZone{ID: h.ID, Name: h.Name, Verdict: h.Verdict, Outdated: h.Outdated, Stops: []string{}}
		if h.Website != "" {
			z.Website = &h.Website
		}
		seen := map[string]bool{}
		for _, i := range h.Places {
			if !seen[names[i]] {
				seen[names[i]] = true
				z.Stops = append(z.Stops, names[i])
			}
		}
		out.Zones = append(out.Zones, z)
	}
	return out
}

// placeNames returns the ids of what the places of a request are of, in its order of places.
func (b *builder) placeNames() (list []string) {
	for i := range b.request.Vehicles {
		v := &b.request.Vehicles[i]
		for _, there := range []bool{v.Start != nil, v.End != nil, v.Reloads != nil && v.Reloads.Depot != nil} {
			if there {
				list = append(list, string(v.ID))
			}
		}
	}
	for i := range b.request.Jobs {
		list = append(list, string(b.request.Jobs[i].ID))
	}
	for i := range b.request.Shipments {
		list = append(list, string(b.request.Shipments[i].Pickup.ID), string(b.request.Shipments[i].Delivery.ID))
	}
	return list
}
