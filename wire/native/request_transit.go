package native

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// transit is the way of travel that is no costing of an engine.
const transit = "transit"

// TravelMode is a costing, or public transport.
type TravelMode string

// Words lists what a way of travel may be called.
func (TravelMode) Words() []string { return append(costing.Costing(0).Words(), transit) }

// AnyTravel is how one travels, by public transport too.
type AnyTravel struct {
	Costing        TravelMode      `json:"costing,omitempty" default:"auto" doc:"way of travel; transit, an extension, is on foot and by public transport"`
	CostingOptions CostingOptions  `json:"costing_options,omitempty" doc:"options by costing; those of another costing have no effect"`
	Transit        *TransitOptions `json:"transit,omitempty" doc:"of the costing transit. An extension"`

	travel Travel // by a costing
}

// TransitOptions are how one travels by public transport.
type TransitOptions struct {
	Window     int      `json:"window_minutes,omitempty" minimum:"0" maximum:"120" default:"0" doc:"looks at a departure in each of so many minutes from date_time on, or with a time of arrival at an arrival in each before it; 0 looks at that at date_time alone"`
	Share      int      `json:"share_percent,omitempty" minimum:"1" maximum:"100" default:"50" doc:"of a window: a duration is one that so many of its departures do not exceed, in an isochrone stop by stop; 50 is the median"`
	MaxChanges *int     `json:"max_changes,omitempty" minimum:"0" maximum:"6" default:"4"`
	MaxWalk    *float64 `json:"max_walk_m,omitempty" minimum:"0" maximum:"5000" default:"1500" unit:"metres" doc:"of the walk to the first stop and, of a matrix, of that from the last and of one all the way; in an isochrone these are as long as the time allows"`
	MinChange  *int     `json:"min_change_s,omitempty" minimum:"0" maximum:"1800" default:"60" unit:"seconds" doc:"least time between two vehicles, where the timetable has none"`
	Wheelchair bool     `json:"wheelchair,omitempty" doc:"only trips and stops that the timetable states to be accessible by wheelchair, streets without steps, and changes within one station; what is not known counts as not accessible"`
	Modes      []string `json:"modes,omitempty" maxItems:"8" enum:"other,bus,coach,tram,metro,rail,ferry,cable_car" doc:"kinds of vehicle; all without it"`
}

// Settings returns the options of the costing, checked; of public transport those of walking.
func (t *AnyTravel) Settings() costing.Settings { return t.travel.settings }

// IsTransit reports whether one travels by public transport.
func (t *AnyTravel) IsTransit() bool { return t.Costing == transit }

// Check checks the options of the costing.
func (t *AnyTravel) Check(c *schema.Context) {
	if !t.IsTransit() {
		if t.Transit != nil {
			c.Refuse("transit", nil, "needs the costing transit; the costing is %s", t.Costing)
		}
		t.travel = Travel{Costing: costing.Named(string(t.Costing)), CostingOptions: t.CostingOptions}
		t.travel.Check(c)
		return
	}
	t.travel = Travel{Costing: costing.Pedestrian}
	t.travel.Check(c)
	if len(t.CostingOptions) > 0 {
		c.WarnOf("costing_options", schema.WithoutEffect, "costing_options has no effect: the costing is transit, whose options stand in transit")
	}
	if t.Transit == nil {
		t.Transit = &TransitOptions{Share: 50}
	}
}

// checkTime refuses a time that public transport does not have.
func (t *AnyTravel) checkTime(c *schema.Context, at *RouteTime) {
	if t.IsTransit() && at != nil && engine.TimeType(at.Type) == engine.Invariant {
		c.Refuse("date_time.type", at.Type, "is 3, one time for the whole journey, which the costing transit does not have: give 0, 1 or 2")
	}
}

// notHere refuses public transport where only a costing of an engine can be answered.
func (t *AnyTravel) notHere() error {
	if !t.IsTransit() {
		return nil
	}
	return fault.Invalid(fault.Violation{Location: "costing", Value: transit, Message: "counts on POST /matrix and POST /isochrone only"})
}

// unused warns of what has no effect on public transport, and of members that are not known.
// places are those of the request.
func (x *Conditions) unused(rest schema.UnknownMembers, avoidZones bool, places ...[]RouteLocation) ([]engine.Warning, error) {
	b := Beyond{}
	for _, name := range x.Names() {
		if name != "date_time" {
			b.warnOf(name, schema.WithoutEffect, "%s has no effect with the costing transit", name)
		}
	}
	if avoidZones {
		b.warnOf("avoid_zones", schema.WithoutEffect, "avoid_zones has no effect with the costing transit")
	}
	for _, list := range places {
		for i := range list {
			if l := &list[i]; l.Heading != nil || l.Radius > 0 || l.SearchCutoff != nil || l.SearchFilter.MinRoadClass != "" || l.SearchFilter.MaxRoadClass != "" {
				b.warnOf("locations[].heading,locations[].radius,locations[].search_cutoff,locations[].search_filter", schema.WithoutEffect, "heading, radius, search_cutoff and search_filter of locations have no effect with the costing transit")
				return b.Warnings, b.Read(rest)
			}
		}
	}
	return b.Warnings, b.Read(rest)
}
