package ahead

import (
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// EVPlanRequest is the body of POST /v1/ev/plan.
type EVPlanRequest struct {
	Locations      []EVLocation          `json:"locations" minItems:"2" maxItems:"20" of:"locations" doc:"start and destination, and between them where the journey calls, in order"`
	Vehicle        EVVehicle             `json:"vehicle" doc:"an id of GET /v1/ev/vehicles, or what the vehicle is; what is said counts over what the id says"`
	Charge         float64               `json:"departure_soc_pct,omitempty" exclusiveMinimum:"0" maximum:"100" default:"90" doc:"charge at the start"`
	MinStop        float64               `json:"min_stop_soc_pct,omitempty" minimum:"0" maximum:"100" default:"10" doc:"charge that is left at a station, and at a location between the ends, at the least"`
	MinEnd         float64               `json:"min_destination_soc_pct,omitempty" minimum:"0" maximum:"100" default:"10" doc:"charge that is left at the destination at the least"`
	MaxCharge      float64               `json:"max_charge_soc_pct,omitempty" minimum:"20" maximum:"100" default:"90" doc:"charge up to which stations charge at the most"`
	Overhead       float64               `json:"stop_overhead_s,omitempty" minimum:"0" maximum:"3600" default:"300" unit:"seconds" doc:"of a stop, besides charging"`
	MinCharging    float64               `json:"min_charging_s,omitempty" minimum:"0" maximum:"3600" default:"300" unit:"seconds" doc:"that a stop charges at the least"`
	MinKW          float64               `json:"min_kw,omitempty" minimum:"0" maximum:"1000" doc:"least power of a station"`
	Corridor       float64               `json:"corridor_m,omitempty" minimum:"100" maximum:"50000" default:"8000" unit:"metres" doc:"how far from the direct route stations are looked at, straight"`
	Temperature    *float64              `json:"temperature_c,omitempty" minimum:"-40" maximum:"50" default:"15" doc:"of the air, degrees Celsius"`
	Headwind       float64               `json:"headwind_mps,omitempty" minimum:"-30" maximum:"30" doc:"metres a second, below zero from behind"`
	CostingOptions native.CostingOptions `json:"costing_options,omitempty" doc:"of auto"`
	native.Conditions
	Rest schema.UnknownMembers

	travel native.Travel
}

// EVLocation is where a journey begins, calls or ends.
type EVLocation struct {
	native.Position
	Dwell   float64  `json:"dwell_s,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"between the ends: how long the journey stays there in any case; charging there takes no time meanwhile"`
	MinStop *float64 `json:"min_soc_pct,omitempty" minimum:"0" maximum:"100" doc:"between the ends: charge on arrival at the least, in place of min_stop_soc_pct"`
	Charger *float64 `json:"charger_kw,omitempty" minimum:"0" maximum:"1000" doc:"between the ends: power of a charger that the vehicle can use there, 0 where there is none; up to 43 it is alternating current. Without it the strongest known station within 100 m counts"`
}

// EVVehicle is an electric vehicle.
type EVVehicle struct {
	ID          string         `json:"id,omitempty" maxLength:"200" doc:"of GET /v1/ev/vehicles, whose rows are taken as they stand"`
	Name        string         `json:"name,omitempty" maxLength:"200" doc:"of a vehicle without an id: its name in the answer"`
	Type        string         `json:"type,omitempty" enum:"car,motorbike,microcar" doc:"as rows of GET /v1/ev/vehicles have it; it has no effect"`
	Year        int            `json:"year,omitempty" minimum:"1800" maximum:"3000" doc:"as rows have it; it has no effect"`
	Assumed     bool           `json:"curve_assumed,omitempty" doc:"as rows have it; it has no effect"`
	Battery     *float64       `json:"battery_kwh,omitempty" exclusiveMinimum:"0" maximum:"2000" doc:"usable; required without id"`
	Consumption *float64       `json:"consumption_kwh_per_100km,omitempty" minimum:"2" maximum:"300" doc:"in mixed driving: drag and rolling resistance are made to meet it"`
	Mass        *float64       `json:"mass_kg,omitempty" minimum:"50" maximum:"60000" doc:"with load"`
	Load        float64        `json:"load_kg,omitempty" minimum:"0" maximum:"40000" doc:"added to the mass"`
	DragArea    *float64       `json:"drag_area_m2,omitempty" exclusiveMinimum:"0" maximum:"20" doc:"area times coefficient"`
	Rolling     *float64       `json:"rolling_resistance,omitempty" minimum:"0.001" maximum:"0.1"`
	Drive       *float64       `json:"drivetrain_efficiency,omitempty" exclusiveMinimum:"0" maximum:"1"`
	Regain      *float64       `json:"recuperation_efficiency,omitempty" minimum:"0" maximum:"1"`
	RegainKW    *float64       `json:"recuperation_kw,omitempty" minimum:"0" maximum:"2000" doc:"most power that comes back"`
	Auxiliary   *float64       `json:"auxiliary_w,omitempty" minimum:"0" maximum:"50000" doc:"drawn beside driving at 20 degrees"`
	Climate     *float64       `json:"climate_w_per_degree,omitempty" minimum:"0" maximum:"5000" doc:"for each degree below 20, and half of it above 24"`
	Table       []EVSpeed      `json:"speed_consumption,omitempty" minItems:"1" maxItems:"50" doc:"energy by speed on level ground, in place of drag and rolling resistance"`
	Ascent      *float64       `json:"ascent_wh_per_m,omitempty" minimum:"0" maximum:"1000" doc:"with speed_consumption: for each metre climbed"`
	Descent     *float64       `json:"descent_wh_per_m,omitempty" minimum:"0" maximum:"1000" doc:"with speed_consumption: what comes back for each metre descended"`
	MaxDC       *float64       `json:"max_dc_kw,omitempty" minimum:"0" maximum:"5000"`
	MaxAC       *float64       `json:"max_ac_kw,omitempty" minimum:"0" maximum:"1000"`
	Curve       []EVCurvePoint `json:"charging_curve,omitempty" maxItems:"101" doc:"most power by state of charge, rising; linear between. An empty list is none"`
	Connectors  []string       `json:"connectors,omitempty" maxItems:"20" enum:"type1,type2,type3,ccs1,ccs2,chademo,nacs,tesla,gbt_ac,gbt_dc,schuko,bs1363,domestic,cee_blue,cee_red,mcs,other" doc:"that fit; those of the id, else all"`
}

// EVSpeed is the energy of driving at a speed.
type EVSpeed struct {
	Speed  float64 `json:"speed_kph" minimum:"0" maximum:"300"`
	Energy float64 `json:"wh_per_m" exclusiveMinimum:"0" maximum:"20"`
}

// EVCurvePoint is a point of a charging curve.
type EVCurvePoint struct {
	Charge float64 `json:"soc_pct" minimum:"0" maximum:"100"`
	Power  float64 `json:"kw" exclusiveMinimum:"0" maximum:"5000"`
}

// Check checks what depends on several members.
func (v *EVVehicle) Check(c *schema.Context) {
	if v.ID == "" && v.Battery == nil {
		c.Refuse("battery_kwh", nil, "is missing: it is needed without an id")
	}
	if !slices.IsSortedFunc(v.Table, func(a, b EVSpeed) int { return after(a.Speed, b.Speed) }) {
		c.Refuse("speed_consumption", nil, "must be by rising speed, each once")
	}
	if !slices.IsSortedFunc(v.Curve, func(a, b EVCurvePoint) int { return after(a.Charge, b.Charge) }) {
		c.Refuse("charging_curve", nil, "must be by rising soc_pct, each once")
	}
	if len(v.Table) == 0 && (v.Ascent != nil || v.Descent != nil) {
		c.Warn(schema.WithoutEffect, "vehicle.ascent_wh_per_m and descent_wh_per_m have an effect with speed_consumption only: without it climbing follows from the mass")
	}
}

// after compares so that equal values are out of order.
func after(a, b float64) int {
	if a > b {
		return 1
	}
	return -1
}

// Check checks what depends on several members.
func (r *EVPlanRequest) Check(c *schema.Context) {
	r.travel = native.Travel{Costing: costing.Auto, CostingOptions: r.CostingOptions}
	r.travel.Check(c)
	if n := len(r.Locations); n >= 2 {
		r.Locations[0].ends(c, 0)
		r.Locations[n-1].ends(c, n-1)
	}
	if r.MaxCharge <= r.MinStop {
		c.Refuse("max_charge_soc_pct", r.MaxCharge, "must be above min_stop_soc_pct (%g)", r.MinStop)
	}
}

// ends warns of what counts between the ends only.
func (l *EVLocation) ends(c *schema.Context, index int) {
	if l.Dwell > 0 || l.MinStop != nil || l.Charger != nil {
		c.Warn(schema.WithoutEffect, "locations[%d]: dwell_s, min_soc_pct and charger_kw count between the start and the destination only; departure_soc_pct and min_destination_soc_pct are for these", index)
	}
}

// Settings returns the options of auto, checked.
func (r *EVPlanRequest) Settings() costing.Settings { return r.travel.Settings() }

// Heeded returns what an engine is to heed, and the warnings of what no part of the
// answer does.
func (r *EVPlanRequest) Heeded() (engine.Conditions, []engine.Warning, error) {
	return heeded(&r.Conditions, r.Rest)
}

// Points returns where the journey is.
func (r *EVPlanRequest) Points() []geo.Point {
	all := make([]geo.Point, len(r.Locations))
	for i := range r.Locations {
		all[i] = r.Locations[i].Point()
	}
	return all
}
