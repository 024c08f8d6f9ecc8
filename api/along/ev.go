package along

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/ev/preset"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/evplan"
	points "github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
	"github.com/waygate/waygate/wire/schema"
)

var evPlanDoc = edge.Doc{
	Summary: "A journey of an electric vehicle with its stops", Tags: []string{"planning"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"vehicle":{"battery_kwh":58,"consumption_kwh_per_100km":16.5,"max_dc_kw":150,"max_ac_kw":11}}`,
	Description: "The least time from start to destination, with stops to charge, each as long as pays. The energy of every leg of the plan is worked out along its roads, by speed, slope, air and what runs beside driving; recuperation never fills a full battery. " +
		"No stop charges nothing, no arrival is below its minimum. Locations between the ends are called at in order; where a charger stands there the vehicle charges while it stays, and longer where that pays. Where there is no plan, feasible is false, and the answer says why and how far the vehicle comes. " +
		"Stations are those of feeds and of the map, within corridor_m of the direct route. 501 where there is no directory of stations, and where the routing engine has no matrix.",
	Fails: []int{http.StatusNotFound},
}

// EVPlan is a plan, or the reason for which there is none.
type EVPlan struct {
	evplan.Answer
	Vehicle  EVModel                `json:"vehicle" doc:"what was reckoned with"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// EVModel is the vehicle of a plan.
type EVModel struct {
	ID         *string  `json:"id"`
	Name       *string  `json:"name"`
	Battery    float64  `json:"battery_kwh"`
	Mass       float64  `json:"mass_kg"`
	Connectors []string `json:"connectors" doc:"that fit; none is all"`
}

func (d Deps) evPlan(ctx context.Context, in *asked[ahead.EVPlanRequest]) (*EVPlan, error) {
	b := &in.Body
	service := &evplan.Service{Engine: in.Region.Engine, Directory: d.Live.Charging.Directory(), Mapped: in.Region.Chargers}
	if d.Elevation != nil {
		service.Heights = d.Elevation.Heights.Heights
	}
	if service.Directory == nil && service.Mapped == nil {
		return nil, evplan.ErrNone
	}
	if when := b.Conditions.DateTime; when != nil {
		if at := when.Local(); !at.IsZero() && d.Now().UTC().Sub(at) > 2*latestDeparture {
			return nil, fault.Invalid(fault.Violation{Location: "date_time.value", Value: at.Format(engine.TimeForm), Message: "is days in the past: must be a time to come, or of today's journey"})
		}
	}
	conditions, warnings, err := b.Heeded()
	if err != nil {
		return nil, err
	}
	r := &evplan.Request{
		Options: b.Settings(), Conditions: conditions,
		Weather: ev.Weather{Temperature: 15, Headwind: b.Headwind},
		Start:   b.Charge / 100, MinStop: b.MinStop / 100, MinEnd: b.MinEnd / 100, MaxCharge: b.MaxCharge / 100,
		Overhead: seconds(b.Overhead), MinCharge: seconds(b.MinCharging), LeastKW: b.MinKW, Corridor: b.Corridor,
	}
	for i := range b.Locations {
		l := &b.Locations[i]
		at := evplan.Location{Point: l.Point(), Dwell: seconds(l.Dwell), Least: r.MinStop}
		if l.MinStop != nil {
			at.Least = *l.MinStop / 100
		}
		r.Locations = append(r.Locations, at)
	}
	if b.Temperature != nil {
		r.Weather.Temperature = *b.Temperature
	}
	model, err := build(&b.Vehicle, r)
	if err != nil {
		return nil, err
	}
	for i := range b.Locations {
		if kw := b.Locations[i].Charger; kw != nil {
			watts := min(*kw*1000, r.MostDC)
			if *kw <= mostAC {
				watts = min(*kw*1000, r.MostAC)
			}
			r.Locations[i].Watts = &watts
		}
	}
	if err := scheduled.Estimated(ctx, func() engine.Estimate { return service.Estimate(r) }); err != nil {
		return nil, err
	}
	a, err := service.Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	if model.ID != nil {
		a.Attribution = append(a.Attribution, preset.Attribution)
	}
	return &EVPlan{*a, *model, native.AnswerWarnings(slices.Concat(in.Warnings, warnings)...)}, nil
}

// mostAC is the greatest power of alternating current, in kilowatts.
const mostAC = 43

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// plugs are the connectors of the data by our names.
var plugs = map[string][]points.Standard{
	"type1": {points.Type1}, "type2": {points.Type2}, "ccs": {points.CCS2, points.CCS1}, "chademo": {points.CHAdeMO},
	"tesla_suc": {points.Tesla, points.NACS}, "tesla_ccs": {points.CCS2, points.Tesla},
}

// fitting returns the connectors of a vehicle, each once.
func fitting(v *preset.Vehicle) []points.Standard {
	var all []points.Standard
	for _, port := range v.Ports {
		for _, s := range plugs[port] {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// build sets the vehicle of a request: that of its id, with the values that the request changes.
func build(v *ahead.EVVehicle, r *evplan.Request) (*EVModel, error) {
	r.Vehicle, r.MostAC, r.MostDC = ev.Usual(), 11_000, 150_000
	model := &EVModel{Connectors: []string{}}
	if v.Name != "" {
		model.Name = &v.Name
	}
	average := 0.0
	if v.ID != "" {
		list, err := preset.All()
		if err != nil {
			return nil, err
		}
		p := list.ByID(v.ID)
		if p == nil {
			return nil, fault.New(fault.NotFound, "vehicle.id: there is no vehicle %q; GET /v1/ev/vehicles lists them", v.ID)
		}
		r.Vehicle, r.Battery = p.Build()
		r.MostAC, r.MostDC, average = p.AC*1000, p.DC*1000, p.Average
		r.Standards = fitting(p)
		name := p.Name()
		model.ID, model.Name = &p.ID, &name
	}
	over(&r.Battery.Capacity, v.Battery, 1000)
	over(&r.MostAC, v.MaxAC, 1000)
	over(&r.MostDC, v.MaxDC, 1000)
	x := &r.Vehicle
	over(&x.Mass, v.Mass, 1)
	over(&x.DragArea, v.DragArea, 1)
	over(&x.Rolling, v.Rolling, 1)
	over(&x.Drive, v.Drive, 1)
	over(&x.Regain, v.Regain, 1)
	over(&x.RegainPower, v.RegainKW, 1000)
	over(&x.Auxiliary, v.Auxiliary, 1)
	over(&x.Climate, v.Climate, 1)
	if v.Mass != nil || v.DragArea != nil || v.Rolling != nil {
		x.Factor = 1 // the request describes the vehicle exactly
	}
	if v.Consumption != nil && *v.Consumption != average { // the vehicle of the id meets its own already
		average = *v.Consumption
		x.Calibrate(average*10/1000, preset.Mixed)
	}
	x.Mass += v.Load
	for _, p := range v.Table {
		x.Table = append(x.Table, ev.TablePoint{Speed: p.Speed / 3.6, Energy: p.Energy})
	}
	over(&x.Ascent, v.Ascent, 1)
	over(&x.Descent, v.Descent, 1)
	if len(v.Curve) > 0 {
		r.Battery.Curve = nil
		for _, p := range v.Curve {
			r.Battery.Curve = append(r.Battery.Curve, ev.CurvePoint{Charge: p.Charge / 100, Watts: p.Power * 1000})
		}
	}
	if len(r.Battery.Curve) == 0 {
		r.Battery.Curve = ev.UsualCurve(max(r.MostAC, r.MostDC, 1000))
	}
	if len(v.Connectors) > 0 {
		r.Standards = nil
		for _, c := range v.Connectors {
			r.Standards = append(r.Standards, points.Standard(c))
		}
	}
	for _, s := range r.Standards {
		model.Connectors = append(model.Connectors, string(s))
	}
	model.Battery, model.Mass = r.Battery.Capacity/1000, x.Mass
	return model, nil
}

// over replaces a value by one of the request, in a unit, unless that is nil.
func over(into, given *float64, unit float64) {
	if given != nil {
		*into = *given * unit
	}
}

var evVehiclesDoc = edge.Doc{
	Summary: "Electric vehicles that plans can be made for", Tags: []string{"planning"},
	Description: "Batteries, charging and consumption of vehicles as Open EV Data collects them; POST /v1/ev/plan takes an id, or a row as it stands, and a row with some of it changed. What is not known of a vehicle, its mass and drag, is usual for its kind and size and made to meet its average consumption.",
}

type evVehiclesIn struct {
	Warnings schema.Warnings
	Query    string `query:"q" maxLength:"100" doc:"words of its name, all of which must be in it"`
	Limit    int    `query:"limit" minimum:"1" maximum:"2000" default:"50"`
}

// EVVehicles is a list of vehicles.
type EVVehicles struct {
	Count       int                    `json:"count" doc:"that the words fit"`
	Vehicles    []EVListed             `json:"vehicles" nullable:"false"`
	Attribution string                 `json:"attribution"`
	Warnings    []native.AnswerWarning `json:"warnings,omitempty"`
}

// EVListed is one vehicle.
type EVListed struct {
	ID         string               `json:"id"`
	Name       string               `json:"name"`
	Type       string               `json:"type" enum:"car,motorbike,microcar"`
	Year       *int                 `json:"year"`
	Battery    float64              `json:"battery_kwh" doc:"usable"`
	Average    float64              `json:"consumption_kwh_per_100km"`
	MaxAC      float64              `json:"max_ac_kw"`
	MaxDC      float64              `json:"max_dc_kw" doc:"0 where it takes none"`
	Connectors []string             `json:"connectors" nullable:"false" doc:"that fit, by the names of POST /v1/ev/plan"`
	Curve      []ahead.EVCurvePoint `json:"charging_curve" nullable:"false" doc:"most power by state of charge"`
	Assumed    bool                 `json:"curve_assumed" doc:"the curve is a usual one and was not measured"`
}

func evVehicles(_ context.Context, in *evVehiclesIn) (*EVVehicles, error) {
	list, err := preset.All()
	if err != nil {
		return nil, err
	}
	out := &EVVehicles{Vehicles: []EVListed{}, Attribution: preset.Attribution, Warnings: native.AnswerWarnings(in.Warnings...)}
	words := strings.Fields(strings.ToLower(in.Query))
	for i := range list.All {
		v := &list.All[i]
		name := strings.ToLower(v.Name())
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) && !strings.Contains(v.ID, w) }) {
			continue
		}
		if out.Count++; len(out.Vehicles) == in.Limit {
			continue
		}
		l := EVListed{ID: v.ID, Name: v.Name(), Type: v.Type, Battery: v.KWh, Average: v.Average, MaxAC: v.AC, MaxDC: v.DC, Connectors: []string{}, Curve: []ahead.EVCurvePoint{}, Assumed: v.Assumed}
		if v.Year > 0 {
			l.Year = &v.Year
		}
		for _, s := range fitting(v) {
			l.Connectors = append(l.Connectors, string(s))
		}
		for _, p := range v.Curve {
			l.Curve = append(l.Curve, ahead.EVCurvePoint{Charge: p[0], Power: p[1]})
		}
		out.Vehicles = append(out.Vehicles, l)
	}
	return out, nil
}
