package optimise

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/explain"
	"github.com/waygate/waygate/geo"
	wire "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// Answer is a plan.
type Answer struct {
	Code       int                    `json:"code" doc:"0: there is a plan, as VROOM says it"`
	Profile    string                 `json:"profile" doc:"costing of the request"`
	Summary    planSummary            `json:"summary"`
	Unassigned []Unassigned           `json:"unassigned" nullable:"false" doc:"jobs and shipments that the plan leaves out"`
	Routes     []planRoute            `json:"routes" nullable:"false" doc:"of vehicles that have work, by vehicle and trip"`
	Reloads    []planReloads          `json:"reloads,omitempty" doc:"of vehicles with reloads"`
	Relaxed    *planRelaxed           `json:"relaxation,omitempty" doc:"present where relax_if_unassigned was asked for"`
	Zones      *planZones             `json:"zones,omitempty" doc:"present when a location lies in a clean-air zone"`
	Search     planSearch             `json:"search"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
}

// planSummary adds a plan up.
type planSummary struct {
	Routes     int     `json:"routes"`
	Unassigned int     `json:"unassigned"`
	Cost       float64 `json:"cost" decimals:"2" doc:"in the unit of the vehicles' costs: a second of travel is 1 without any"`
	Duration   int64   `json:"duration" doc:"of travel, in seconds"`
	Distance   int64   `json:"distance" doc:"in metres"`
	Setup      int64   `json:"setup" doc:"in seconds"`
	Service    int64   `json:"service" doc:"in seconds, breaks included"`
	Waiting    int64   `json:"waiting_time" doc:"in seconds"`
	Priority   int     `json:"priority" doc:"of the tasks served, together"`
}

// planRoute is the route of a vehicle, or one trip of it.
type planRoute struct {
	Vehicle     string     `json:"vehicle"`
	Trip        int        `json:"trip,omitempty" doc:"from 1, of a vehicle with reloads"`
	Description string     `json:"description,omitempty"`
	Cost        float64    `json:"cost" decimals:"2"`
	Duration    int64      `json:"duration" doc:"of travel, in seconds"`
	Distance    int64      `json:"distance" doc:"in metres"`
	Setup       int64      `json:"setup"`
	Service     int64      `json:"service"`
	Waiting     int64      `json:"waiting_time"`
	Steps       []planStep `json:"steps"`
	Geometry    string     `json:"geometry,omitempty" doc:"the line, as a polyline of six digits, where geometry was asked for"`
}

// planStep is a moment of a route.
type planStep struct {
	Type        string     `json:"type" enum:"start,job,pickup,delivery,break,pause,end" doc:"a pause lies between two shifts"`
	ID          string     `json:"id,omitempty" doc:"of the stop or the break"`
	Shipment    string     `json:"shipment,omitempty" doc:"id, of a pickup or a delivery"`
	Description string     `json:"description,omitempty"`
	Location    *planPlace `json:"location,omitempty"`
	Arrival     int64      `json:"arrival" doc:"in the seconds of the windows"`
	Waiting     int64      `json:"waiting_time" doc:"before the service starts"`
	Setup       int64      `json:"setup"`
	Service     int64      `json:"service"`
	Duration    int64      `json:"duration" doc:"of travel from the start to here"`
	Distance    int64      `json:"distance" doc:"metres from the start to here"`
	Load        []int32    `json:"load" nullable:"false" doc:"on board after it"`
}

// planPlace is a place.
type planPlace struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// Unassigned is a task that the plan leaves out, and why.
type Unassigned struct {
	ID          string           `json:"id"`
	Type        string           `json:"type" enum:"job,shipment"`
	Description string           `json:"description,omitempty"`
	Location    *planPlace       `json:"location,omitempty" doc:"of a job; of the pickup of a shipment"`
	Reason      string           `json:"reason" enum:"off_network,unreachable,skills,territory,capacity,limits,no_room,search,not_examined,no_vehicle,on_board" doc:"off_network: no road that can be used is near; unreachable: no vehicle has a way there and on; skills, territory, capacity: no vehicle has what it takes; limits: windows and limits forbid it, were it all that a vehicle did; no_room: not beside the rest of the plan; search: a longer search would serve it; not_examined: explain is off, or too many are left over; no_vehicle, on_board: of a re-plan, where no vehicle is available, or the load is on one that is not"`
	Detail      string           `json:"detail" doc:"the reason in words"`
	Snap        *float64         `json:"snap_distance_m,omitempty" decimals:"1" doc:"metres from the location to its road, of what cannot be reached, and to the nearest road that it could use, of what is off the network, which it is beyond 35 km; of a shipment the larger one. Left out where that is not known, as without such a road within 100 km"`
	Relaxations []planRelaxation `json:"relaxations" nullable:"false" doc:"each alone would serve it beside all that the plan serves; each was solved. The first asks for least"`
}

// planRelaxation is a change of the problem that would serve the task.
type planRelaxation struct {
	Vehicle  string  `json:"vehicle" doc:"that would serve it"`
	Windows  int64   `json:"time_windows_by_s,omitempty" doc:"its windows begin so much earlier and end so much later"`
	Ride     int64   `json:"max_ride_time_by_s,omitempty" doc:"the shipment may be on board for so much longer"`
	Overtime int64   `json:"allow_overtime_s,omitempty" doc:"the shift of the vehicle ends so much later"`
	Capacity []int32 `json:"capacity,omitempty" doc:"the vehicle carries so much more"`
	Skills   []int32 `json:"skills,omitempty" doc:"that the vehicle lacks"`
	Anywhere bool    `json:"leaves_territory,omitempty" doc:"the vehicle leaves its territories"`
	Tasks    int     `json:"max_tasks,omitempty" doc:"more of them"`
	Travel   int64   `json:"max_travel_time,omitempty" doc:"more seconds"`
	Distance int64   `json:"max_distance,omitempty" doc:"more metres"`
	Cost     float64 `json:"cost" decimals:"2" doc:"by which the plan is dearer"`
	Text     string  `json:"text" doc:"the same in words"`
}

// planRelaxed describes what relax_if_unassigned did.
type planRelaxed struct {
	Applied  bool  `json:"applied" doc:"work was left over, and the answer is the plan of the relaxed problem"`
	Windows  int64 `json:"time_windows_by_s"`
	Overtime int64 `json:"allow_overtime_s"`
	Before   int   `json:"unassigned_before"`
	After    int   `json:"unassigned_after"`
}

// planReloads are the trips of a vehicle with reloads.
type planReloads struct {
	Vehicle  string     `json:"vehicle"`
	MaxTrips int        `json:"max_trips"`
	Trips    int        `json:"trips" doc:"that it drives"`
	Seconds  int64      `json:"reload_time_s"`
	Depot    planPlace  `json:"depot"`
	Windows  [][2]int64 `json:"trip_windows" nullable:"false" doc:"[start, end] of each trip: consecutive parts of the time_window"`
}

// planSearch describes how the plan was found.
type planSearch struct {
	Solver      string `json:"solver" enum:"embedded,vroom" doc:"what planned"`
	Seed        uint64 `json:"seed"`
	Iterations  int64  `json:"iterations" doc:"of the embedded solver; 0 of vroom"`
	DeadlineHit bool   `json:"deadline_hit" doc:"the time ended a search, or came before the one of relax_if_unassigned: another call may find another plan; vroom does not say so, and has it where it took more than half of its time"`
	Stopped     bool   `json:"stopped,omitempty" doc:"of a job that was to end with the best plan so far (DELETE with keep=best): a longer search may find a better one, and what is left over is not explained"`
	Ended       []Part `json:"ended_by_time,omitempty" enum:"search,relaxation,explanations" doc:"what was not done to its end because the time was up (time_limit_s): the search; the one of relax_if_unassigned; the reasons of what is left over, of which those that are missing are not_examined"`
	Locations   int    `json:"locations" doc:"unique ones, of the matrices"`
}

// JSON writes an answer, or one that has it in it, as the endpoints do: with as many digits as
// its members are documented with.
func JSON(answer any) ([]byte, error) {
	wire.Shorten(answer)
	return json.Marshal(answer)
}

func placeOf(p geo.Point) *planPlace { return &planPlace{p.Lat, p.Lon} }

func units(cost int64) float64 { return float64(cost) / fleet.CostUnit }

// answer writes an outcome in the caller's names.
func (b *builder) answer(o *Outcome) *Answer {
	r := b.request
	a := &Answer{
		Profile: r.Costing.String(), Unassigned: []Unassigned{}, Routes: []planRoute{},
		Search: planSearch{Iterations: o.Plan.Iterations, DeadlineHit: slices.ContainsFunc(o.Ended, func(p Part) bool { return p != PartExplanations }), Ended: o.Ended, Stopped: o.Stopped, Locations: len(b.points)},
	}
	a.Summary = planSummary{Unassigned: len(o.Plan.Unassigned), Cost: units(o.Plan.Cost), Priority: o.Plan.Priority}
	for i := range o.Plan.Routes {
		x := b.route(o, i)
		a.Routes = append(a.Routes, x)
		s := &a.Summary
		s.Routes++
		s.Duration, s.Distance, s.Setup = s.Duration+x.Duration, s.Distance+x.Distance, s.Setup+x.Setup
		s.Service, s.Waiting = s.Service+x.Service, s.Waiting+x.Waiting
	}
	for _, t := range o.Plan.Unassigned {
		a.Unassigned = append(a.Unassigned, b.unassigned(o, t))
	}
	if r.Relax != nil {
		a.Relaxed = &planRelaxed{Applied: o.Relaxed, Windows: r.Relax.Windows, Overtime: r.Relax.Overtime, Before: o.Before, After: len(o.Plan.Unassigned)}
	}
	for i := range r.Vehicles {
		if v := &r.Vehicles[i]; v.Reloads != nil {
			a.Reloads = append(a.Reloads, b.trips(o.Plan, i, v))
		}
	}
	return a
}

func (b *builder) trips(plan *fleet.Plan, i int, v *plan.FleetVehicle) planReloads {
	x := planReloads{Vehicle: string(v.ID), MaxTrips: v.Reloads.MaxTrips, Seconds: v.Reloads.Seconds, Windows: [][2]int64{}}
	x.Depot = *placeOf(b.points[b.problem.Vehicles[i].Reloads.Depot])
	for k := range plan.Routes {
		if route := &plan.Routes[k]; route.Vehicle == i {
			x.Trips++
			x.Windows = append(x.Windows, [2]int64{route.Steps[0].Arrival, route.Steps[len(route.Steps)-1].Ends()})
		}
	}
	return x
}

func (b *builder) route(o *Outcome, i int) planRoute {
	f := &o.Plan.Routes[i]
	v := &b.request.Vehicles[f.Vehicle]
	x := planRoute{
		Vehicle: string(v.ID), Description: v.Description, Cost: units(f.Cost), Duration: f.Travel, Distance: f.Distance, Setup: f.Setup, Service: f.Service, Waiting: f.Waiting, Steps: []planStep{},
	}
	if v.Reloads != nil {
		x.Trip = f.Trip + 1
	}
	if o.Lines != nil {
		x.Geometry = geo.EncodePolyline(o.Lines[i], 6)
	}
	for k := range f.Steps {
		x.Steps = append(x.Steps, b.step(v, &f.Steps[k]))
	}
	return x
}

func (b *builder) step(v *plan.FleetVehicle, s *fleet.Step) planStep {
	x := planStep{Arrival: s.Arrival, Waiting: s.Waiting, Setup: s.Setup, Service: s.Service, Duration: s.Travel, Distance: s.Distance, Load: slices.Clone(s.Load)}
	if x.Load == nil {
		x.Load = []int32{}
	}
	if s.Location != fleet.None {
		x.Location = placeOf(b.points[s.Location])
	}
	switch s.Kind {
	case fleet.StepStart:
		x.Type = "start"
	case fleet.StepEnd:
		x.Type = "end"
	case fleet.StepPause:
		x.Type = "pause"
	case fleet.StepBreak:
		x.Type, x.ID, x.Description = "break", string(v.Breaks[s.Break].ID), v.Breaks[s.Break].Description
	case fleet.StepStop:
		n := b.stop(s.Stop)
		x.Type, x.ID, x.Shipment, x.Description = n.kind, string(n.id), string(n.shipment), n.description
	}
	return x
}

// stopName names a stop by its task and kind.
type stopName struct {
	kind         string
	id, shipment plan.FleetID
	description  string
}

func (b *builder) stop(s fleet.Stop) stopName {
	switch s.Kind {
	case fleet.AtPickup:
		x := &b.request.Shipments[s.Index]
		return stopName{"pickup", x.Pickup.ID, x.ID, x.Pickup.Description}
	case fleet.AtDelivery:
		x := &b.request.Shipments[s.Index]
		return stopName{"delivery", x.Delivery.ID, x.ID, x.Delivery.Description}
	}
	j := &b.request.Jobs[s.Index]
	return stopName{"job", j.ID, "", j.Description}
}

// reasons in words.
var reasons = map[string]string{
	"off_network":                    "no road that can be used is near it",
	string(explain.CauseUnreachable): "no vehicle has a way there and on to its end: it may lie on an island, or behind what the vehicle may not pass",
	string(explain.CauseSkills):      "no vehicle that could get there has the skills",
	string(explain.CauseTerritory):   "no such vehicle serves the territory that it lies in",
	string(explain.CauseCapacity):    "its load is more than such a vehicle carries",
	string(explain.CauseLimits):      "windows, shifts or limits forbid it, even if it were all that a vehicle did",
	string(explain.CauseNoRoom):      "a vehicle could serve it, but not beside what the plan has it do",
	string(explain.CauseSearch):      "nothing forbids it: a longer search (time_limit_s) would serve it",
	"no_vehicle":                     "no vehicle is available",
	"on_board":                       "it is on board of a vehicle that is unavailable",
	"not_examined":                   "its reason was not looked for",
}

// unassigned returns why a task is left out.
func (b *builder) unassigned(o *Outcome, t fleet.Task) Unassigned {
	x := Unassigned{Type: "job", Reason: "not_examined", Relaxations: []planRelaxation{}}
	var places []int
	if t.Shipment {
		s := &b.request.Shipments[t.Index]
		x.Type, x.ID, x.Description = "shipment", string(s.ID), s.Pickup.Description
		places = []int{b.problem.Shipments[t.Index].Pickup.Location, b.problem.Shipments[t.Index].Delivery.Location}
	} else {
		j := &b.request.Jobs[t.Index]
		x.ID, x.Description = string(j.ID), j.Description
		places = []int{b.problem.Jobs[t.Index].Location}
	}
	x.Location = placeOf(b.points[places[0]])
	why, known := o.Reasons[t]
	if known {
		x.Reason = string(why.Cause)
	}
	missed := slices.DeleteFunc(slices.Clone(places), func(p int) bool { return o.Snapped[p].Miss == "" })
	far := 0.0
	switch {
	case len(missed) > 0:
		x.Reason = "off_network"
		x.Detail = reasons[x.Reason] + ": " + o.Snapped[missed[0]].Miss
		for _, p := range missed {
			far = max(far, o.Snapped[p].RoadM)
		}
		if far > 0 {
			x.Snap = &far
		}
	case x.Reason == string(explain.CauseUnreachable):
		for _, p := range places {
			far = max(far, geo.Distance(b.points[p], o.Snapped[p].Point))
		}
		x.Detail = reasons[x.Reason] + fmt.Sprintf("; its road is %.0f m away", far)
		x.Snap = &far
	default:
		x.Detail = reasons[x.Reason]
	}
	for i := range why.Relaxations {
		x.Relaxations = append(x.Relaxations, b.relaxation(&why.Relaxations[i]))
	}
	return x
}

func (b *builder) relaxation(r *explain.Relaxation) planRelaxation {
	x := planRelaxation{
		Vehicle: string(b.request.Vehicles[r.Vehicle].ID), Windows: r.TimeWindows, Ride: r.Ride, Overtime: r.Overtime, Skills: r.Skills, Anywhere: r.Anywhere,
		Tasks: r.Tasks, Travel: r.TravelTime, Distance: r.Distance, Cost: units(r.Cost),
	}
	if slices.ContainsFunc(r.Capacity, func(n int32) bool { return n > 0 }) {
		x.Capacity = r.Capacity
	}
	var parts []string
	say := func(there bool, format string, args ...any) {
		if there {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	say(x.Windows > 0, "its time_windows begin %s earlier and end %s later", duration(x.Windows), duration(x.Windows))
	say(x.Ride > 0, "it may be on board %s longer", duration(x.Ride))
	say(x.Overtime > 0, "vehicle %s works %s longer", x.Vehicle, duration(x.Overtime))
	say(x.Capacity != nil, "vehicle %s carries %v more", x.Vehicle, x.Capacity)
	say(len(x.Skills) > 0, "vehicle %s has the skills %v", x.Vehicle, x.Skills)
	say(x.Anywhere, "vehicle %s may leave its territories", x.Vehicle)
	say(x.Tasks > 0, "vehicle %s may make %d more stops", x.Vehicle, x.Tasks)
	say(x.Travel > 0, "vehicle %s may drive %s longer", x.Vehicle, duration(x.Travel))
	say(x.Distance > 0, "vehicle %s may drive %.1f km more", x.Vehicle, float64(x.Distance)/1000)
	for i, p := range parts {
		if i > 0 {
			x.Text += ", and "
		}
		x.Text += p
	}
	return x
}

// duration words seconds.
func duration(s int64) string {
	if s < 120 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d min", (s+59)/60)
}

// farAway is from how many metres between a place and its road an answer has a note of it.
const farAway = 1000

// names gives each place the id of what lies there.
func (b *builder) names() map[int]string {
	names := map[int]string{}
	for i := range b.problem.Vehicles {
		names[b.problem.Vehicles[i].Start], names[b.problem.Vehicles[i].End] = string(b.request.Vehicles[i].ID), string(b.request.Vehicles[i].ID)
	}
	for id, s := range b.stops {
		place := fleet.None
		switch s.Kind {
		case fleet.AtJob:
			place = b.problem.Jobs[s.Index].Location
		case fleet.AtPickup:
			place = b.problem.Shipments[s.Index].Pickup.Location
		case fleet.AtDelivery:
			place = b.problem.Shipments[s.Index].Delivery.Location
		}
		if names[place] == "" || string(id) < names[place] {
			names[place] = string(id)
		}
	}
	return names
}

// aboutPlace is the beginning of a matrix's warning about a place of it.
var aboutPlace = regexp.MustCompile(`^(?:sources|targets)\[(\d+)\]`)

// named has the warnings of matrices speak of the problem, which has no sources and targets: each
// place is both, and is named once.
func (b *builder) named(warnings []engine.Warning) (named []engine.Warning) {
	names := b.names()
	for _, w := range warnings {
		if m := aboutPlace.FindStringSubmatch(w.Text); m != nil {
			i, _ := strconv.Atoi(m[1])
			w.Text = names[i] + w.Text[len(m[0]):]
		}
		if !slices.Contains(named, w) {
			named = append(named, w)
		}
	}
	return named
}

// far warns of places that are served from a road far off.
func (b *builder) far(o *Outcome) (warnings []engine.Warning) {
	names := b.names()
	for i := range o.Snapped {
		if s := &o.Snapped[i]; s.Miss == "" {
			if m := geo.Distance(b.points[i], s.Point); m > farAway {
				warnings = schema.AppendWarning(warnings, engine.WarnCentroid, "%s is %.0f m from the road that it is reached by", names[i], m)
			}
		}
	}
	return warnings
}
