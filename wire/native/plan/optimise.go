// Package plan reads the requests of plans: fleets and their tasks, territories,
// clusters, errands, claims to verify, and the options of jobs.
package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// OptimiseRequest is the body of POST /optimise.
type OptimiseRequest struct {
	Vehicles       []FleetVehicle        `json:"vehicles" minItems:"1" maxItems:"1000" of:"vehicles"`
	Jobs           []FleetJob            `json:"jobs,omitempty" maxItems:"10000" of:"jobs" doc:"single stops; these or shipments, or both"`
	Shipments      []FleetShipment       `json:"shipments,omitempty" maxItems:"5000" of:"shipments" doc:"loads from one place to another"`
	Costing        costing.Costing       `json:"costing,omitempty" default:"auto" doc:"way of travel of vehicles without a profile"`
	CostingOptions native.CostingOptions `json:"costing_options,omitempty" doc:"options by costing, for the matrix of each profile"`
	ADR            *native.ADRProfile    `json:"adr,omitempty" doc:"lorry and dangerous goods, for the profile truck; merged into costing_options.truck"`
	native.Zoned
	DateTime    *native.RouteTime `json:"date_time,omitempty" doc:"time of departure that the matrices are worked out for: roads that are open at times, and zones"`
	Territories Territories       `json:"territories,omitempty" maxItems:"64" of:"territories" doc:"areas that vehicles are bound to by territory_ids"`
	Together    [][]FleetID       `json:"together,omitempty" maxItems:"1000" of:"groups" doc:"lists of ids of jobs and shipments that one vehicle serves, or nobody"`
	Apart       [][]FleetID       `json:"apart,omitempty" maxItems:"1000" of:"groups" doc:"lists of ids of jobs and shipments of which no two share a vehicle"`
	Relax       *FleetRelaxation  `json:"relax_if_unassigned,omitempty" doc:"where work is left over the problem is solved once more with exactly this"`
	Stability   *FleetStability   `json:"stability,omitempty" doc:"holds the new plan to the steps of vehicles"`
	Geometry    bool              `json:"geometry,omitempty" doc:"adds the line of each route, a polyline of six digits"`
	Explain     *bool             `json:"explain,omitempty" default:"true" doc:"look for the smallest relaxation that would serve what is left over"`
	TimeLimit   *float64          `json:"time_limit_s,omitempty" minimum:"0.1" maximum:"600" unit:"seconds" doc:"how long the whole may take, the ways between the places included: when it is over the best plan so far is given, and search.ended_by_time says what was not done to its end. At most 10 unless it is a job, where waiting for the processor counts and waiting in the queue does not. Without it 20, and of a job 45 or more where it has many stops, of which the search takes about a second for 100 stops"`
	Seed        uint64            `json:"seed,omitempty" maximum:"9007199254740991" default:"42" doc:"the same body with the same seed gives the same plan, unless the deadline ends the search (search.deadline_hit)"`
	OtherMembers

	settings map[costing.Costing]costing.Settings
	given    *given // nil of what is no re-plan
}

// OtherMembers are those of a plan's body that are not known here.
type OtherMembers struct{ Rest schema.UnknownMembers }

// Check refuses the matrices of VROOM's bodies, without which the plan would be another, and
// warns of other members.
func (o *OtherMembers) Check(c *schema.Context) {
	for _, m := range o.Rest {
		switch {
		case string(m.Raw) == "null":
		case m.Name == "matrices" || m.Name == "matrix":
			c.Refuse(m.Name, nil, "cannot be given: the ways between the places are worked out on the road; leave it out, and give each stop its location and each vehicle its start or end")
		case m.Name == "options":
			c.Warn(schema.UnknownMember, "options is not known here and had no effect: geometry asks for the lines of the routes, time_limit_s bounds the time")
		default:
			c.Warn(schema.UnknownMember, "%s is not known here and had no effect", m.Name)
		}
	}
}

// Speeds returns how many different pairs of profile and speed_factor vehicles have.
func (r *OptimiseRequest) Speeds() int {
	type pair struct {
		costing costing.Costing
		factor  float64
	}
	all := map[pair]bool{}
	for i := range r.Vehicles {
		all[pair{r.ProfileOf(&r.Vehicles[i]), r.Vehicles[i].SpeedFactor}] = true
	}
	return len(all)
}

// Profiles returns the costings in use: that of each vehicle, in the order in which they
// come first.
func (r *OptimiseRequest) Profiles() (list []costing.Costing) {
	for i := range r.Vehicles {
		if p := r.ProfileOf(&r.Vehicles[i]); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// ProfileOf returns the costing of a vehicle.
func (r *OptimiseRequest) ProfileOf(v *FleetVehicle) costing.Costing {
	switch v.Profile {
	case "":
		return r.Costing
	case "car":
		return costing.Auto
	}
	return costing.Named(v.Profile)
}

// SettingsOf returns the options of a profile, checked.
func (r *OptimiseRequest) SettingsOf(p costing.Costing) costing.Settings { return r.settings[p] }

// Features names what makes the call Premium: truck, adr.
func (r *OptimiseRequest) Features() (names []string) {
	if slices.Contains(r.Profiles(), costing.Truck) {
		names = append(names, costing.Truck.String())
	}
	if r.ADR != nil {
		names = append(names, "adr")
	}
	return names
}

// When returns the time of departure; nil where none was given.
func (r *OptimiseRequest) When() *engine.When {
	if r.DateTime == nil {
		return nil
	}
	return r.DateTime.When()
}

// Points returns all places.
func (r *OptimiseRequest) Points() (list []geo.Point) {
	add := func(p *FleetPlace) {
		if p != nil {
			list = append(list, p.Point())
		}
	}
	for i := range r.Vehicles {
		v := &r.Vehicles[i]
		add(v.Start)
		add(v.End)
		if v.Reloads != nil {
			add(v.Reloads.Depot)
		}
	}
	for i := range r.Jobs {
		add(&r.Jobs[i].Location)
	}
	for i := range r.Shipments {
		add(&r.Shipments[i].Pickup.Location)
		add(&r.Shipments[i].Delivery.Location)
	}
	return list
}

// Stops returns how many stops there are to plan.
func (r *OptimiseRequest) Stops() int { return len(r.Jobs) + 2*len(r.Shipments) }

// given is how many jobs and shipments a re-plan has beside those that its changes add, which
// come after them.
type given struct{ jobs, shipments int }

// jobAt returns where a job stands in the body.
func (r *OptimiseRequest) jobAt(i int) string {
	if r.given != nil && i >= r.given.jobs {
		return fmt.Sprintf("changes.add_jobs[%d]", i-r.given.jobs)
	}
	return fmt.Sprintf("jobs[%d]", i)
}

// shipmentAt returns where a shipment stands in the body.
func (r *OptimiseRequest) shipmentAt(i int) string {
	if r.given != nil && i >= r.given.shipments {
		return fmt.Sprintf("changes.add_shipments[%d]", i-r.given.shipments)
	}
	return fmt.Sprintf("shipments[%d]", i)
}

// Check checks what depends on several members.
func (r *OptimiseRequest) Check(c *schema.Context) {
	r.OtherMembers.Check(c)
	r.Zoned.Check(c)
	r.Territories.differ(c)
	if r.Stops() == 0 {
		c.Refuse("jobs", nil, "is missing, and so are shipments: there is nothing to plan")
	}
	r.ids(c)
	r.checkVehicles(c)
	r.checkAmounts(c)
	r.options(c)
	if r.Relax != nil && r.Relax.Windows == 0 && r.Relax.Overtime == 0 {
		c.Warn(schema.WithoutEffect, "relax_if_unassigned relaxes nothing: give time_windows_by_s, allow_overtime_s or both")
		r.Relax = nil
	}
}

// ids names shipments and their stops, and refuses ids that stand twice.
func (r *OptimiseRequest) ids(c *schema.Context) {
	vehicles, tasks := map[FleetID]string{}, map[FleetID]string{}
	once := func(seen map[FleetID]string, id FleetID, at string) {
		if before, repeated := seen[id]; repeated {
			c.Refuse(at, string(id), "is that of %s too: ids must differ", before)
			return
		}
		seen[id] = at
	}
	for i := range r.Vehicles {
		once(vehicles, r.Vehicles[i].ID, fmt.Sprintf("vehicles[%d].id", i))
		breaks := map[FleetID]string{}
		for k, rest := range r.Vehicles[i].Breaks {
			if rest.ID != "" {
				once(breaks, rest.ID, fmt.Sprintf("vehicles[%d].breaks[%d].id", i, k))
			}
		}
	}
	for i := range r.Jobs {
		once(tasks, r.Jobs[i].ID, r.jobAt(i)+".id")
	}
	for i := range r.Shipments {
		r.Shipments[i].name(i)
		s, at := &r.Shipments[i], r.shipmentAt(i)
		once(tasks, s.ID, at+".id")
		once(tasks, s.Pickup.ID, at+".pickup.id")
		once(tasks, s.Delivery.ID, at+".delivery.id")
	}
	for at, groups := range map[string][][]FleetID{"together": r.Together, "apart": r.Apart} {
		last := map[FleetID]int{} // the last list that an id stands in, from 1
		for i, g := range groups {
			if len(g) < 2 || len(g) > 1000 {
				c.Refuse(fmt.Sprintf("%s[%d]", at, i), nil, "has %d ids: must have 2 to 1000", len(g))
			}
			for k, id := range g {
				if tasks[id] == "" {
					c.Refuse(fmt.Sprintf("%s[%d][%d]", at, i, k), string(id), "is the id of no job or shipment")
				} else if last[id] == i+1 {
					c.Refuse(fmt.Sprintf("%s[%d][%d]", at, i, k), string(id), "stands twice in its list")
				}
				last[id] = i + 1
			}
		}
	}
}

// name gives a shipment and its stops the ids that they lack. VROOM's callers give the
// two stops one id: it is the shipment's then.
func (s *FleetShipment) name(i int) {
	if s.Pickup.ID != "" && s.Pickup.ID == s.Delivery.ID && (s.ID == "" || s.ID == s.Pickup.ID) {
		s.ID, s.Pickup.ID, s.Delivery.ID = s.Pickup.ID, "", ""
	}
	if s.ID == "" {
		s.ID = FleetID(fmt.Sprintf("shipment-%d", i+1))
	}
	if s.Pickup.ID == "" {
		s.Pickup.ID = s.ID + "/pickup"
	}
	if s.Delivery.ID == "" {
		s.Delivery.ID = s.ID + "/delivery"
	}
}

func (r *OptimiseRequest) checkVehicles(c *schema.Context) {
	known := map[string]bool{}
	for i := range r.Territories {
		known[r.Territories[i].ID] = true
	}
	for i := range r.Vehicles {
		v, at := &r.Vehicles[i], fmt.Sprintf("vehicles[%d]", i)
		if p := r.ProfileOf(v); !p.Valid() {
			c.Refuse(at+".profile", v.Profile, "must be one of %s", commas(p.Words()))
		}
		for k, id := range v.Territories {
			if !known[id] {
				c.Refuse(fmt.Sprintf("%s.territory_ids[%d]", at, k), id, "is the id of none of the territories")
			}
		}
	}
}

// checkAmounts refuses amounts and capacities of unlike length.
func (r *OptimiseRequest) checkAmounts(c *schema.Context) {
	first, n := "", 0
	same := func(at string, list []int32) {
		switch {
		case len(list) == 0:
		case first == "":
			first, n = at, len(list)
		case len(list) != n:
			c.Refuse(at, nil, "has %d numbers, and %s has %d: all amounts and capacities have the same", len(list), first, n)
		}
	}
	for i := range r.Vehicles {
		same(fmt.Sprintf("vehicles[%d].capacity", i), r.Vehicles[i].Capacity)
	}
	for i := range r.Jobs {
		same(r.jobAt(i)+".delivery", r.Jobs[i].Delivery)
		same(r.jobAt(i)+".pickup", r.Jobs[i].Pickup)
	}
	for i := range r.Shipments {
		same(r.shipmentAt(i)+".amount", r.Shipments[i].Amount)
	}
	for i := range r.Vehicles {
		for k := range r.Vehicles[i].Breaks {
			same(fmt.Sprintf("vehicles[%d].breaks[%d].max_load", i, k), r.Vehicles[i].Breaks[k].MaxLoad)
		}
	}
}

// Dimensions returns how many numbers amounts have.
func (r *OptimiseRequest) Dimensions() int {
	n := 0
	for i := range r.Vehicles {
		n = max(n, len(r.Vehicles[i].Capacity))
	}
	for i := range r.Jobs {
		n = max(n, len(r.Jobs[i].Delivery), len(r.Jobs[i].Pickup))
	}
	for i := range r.Shipments {
		n = max(n, len(r.Shipments[i].Amount))
	}
	return n
}

// options reads the options of each profile, with the load among those of the truck.
func (r *OptimiseRequest) options(c *schema.Context) {
	profiles := r.Profiles()
	r.settings = map[costing.Costing]costing.Settings{}
	if r.ADR != nil && !slices.Contains(profiles, costing.Truck) {
		c.Refuse("adr", nil, "needs the costing truck, or a vehicle of the profile truck")
	}
	rest := maps.Clone(r.CostingOptions)
	for _, p := range profiles {
		delete(rest, p.String())
		if !p.Valid() {
			continue
		}
		t := native.Travel{Costing: p, CostingOptions: native.CostingOptions{p.String(): maps.Clone(r.CostingOptions[p.String()])}}
		t.SetLoaded(r.ADR != nil)
		if t.CostingOptions[p.String()] == nil {
			t.CostingOptions[p.String()] = map[string]json.RawMessage{}
		}
		t.ReadOptions(c)
		r.settings[p] = t.Settings()
	}
	if len(rest) > 0 && len(profiles) > 0 {
		unused := native.Travel{Costing: profiles[0], CostingOptions: rest}
		unused.Check(c)
	}
}

// Loaded puts the load of dangerous goods among the options of the truck; the error is
// a fault of slug costing-conflict where they contradict each other.
func (r *OptimiseRequest) Loaded() error {
	if r.ADR == nil {
		return nil
	}
	t := native.Travel{Costing: costing.Truck, CostingOptions: r.CostingOptions}
	all := t.OwnOptions()
	_, assumed, err := r.ADR.Merge(all)
	if err != nil {
		return err
	}
	settings, _, bad := costing.Parse(costing.Truck, all, "costing_options.truck")
	settings.CodeAssumed = assumed
	r.settings[costing.Truck] = settings
	return fault.Invalid(bad...)
}

// ReplanRequest is the body of POST /optimise/replan.
type ReplanRequest struct {
	OptimiseRequest
	Progress []FleetProgress `json:"progress,omitempty" maxItems:"1000" of:"entries" doc:"what vehicles have done. At least one entry here or one of the changes is needed"`
	Changes  FleetChanges    `json:"changes,omitempty"`
}

// FleetProgress has the part of its plan that a vehicle has done.
type FleetProgress struct {
	Vehicle     FleetID     `json:"vehicle"`
	Completed   []FleetID   `json:"completed_stop_ids,omitempty" maxItems:"10000" doc:"ids of stops that are done, in the order in which they were: of jobs, of pickups and of deliveries. The id of a shipment stands for its pickup, and named once more for its delivery"`
	Position    *FleetPlace `json:"current_position,omitempty" doc:"where it is; its last completed stop without it, or its start"`
	Unavailable bool        `json:"unavailable,omitempty" doc:"it does nothing more: what it has not done is released to others"`
	Now         *int64      `json:"time_s,omitempty" minimum:"0" maximum:"1099511627776" unit:"seconds" doc:"the time it is there, as in windows: nothing of the rest begins before"`
}

// FleetChanges has the changes of the work.
type FleetChanges struct {
	Cancel       []FleetID       `json:"cancel_job_ids,omitempty" maxItems:"10000" doc:"jobs and shipments that are not to be done any more"`
	AddJobs      []FleetJob      `json:"add_jobs,omitempty" maxItems:"10000" of:"jobs"`
	AddShipments []FleetShipment `json:"add_shipments,omitempty" maxItems:"5000" of:"shipments"`
}

// Check checks what depends on several members.
func (r *ReplanRequest) Check(c *schema.Context) {
	added := len(r.Changes.AddJobs) + len(r.Changes.AddShipments)
	if len(r.Progress)+len(r.Changes.Cancel)+added == 0 {
		c.Refuse("progress", nil, "is missing, and so are changes: at least one entry or change is needed")
	}
	// Added tasks are part of the problem from here on.
	r.given = &given{len(r.Jobs), len(r.Shipments)}
	r.Jobs, r.Shipments = slices.Concat(r.Jobs, r.Changes.AddJobs), slices.Concat(r.Shipments, r.Changes.AddShipments)
	r.OptimiseRequest.Check(c)
	r.progressed(c)
}

// Whole returns all places, of progress too.
func (r *ReplanRequest) Whole() []geo.Point {
	list := r.Points()
	for i := range r.Progress {
		if p := r.Progress[i].Position; p != nil {
			list = append(list, p.Point())
		}
	}
	return list
}

// progressed refuses progress that cannot be true.
func (r *ReplanRequest) progressed(c *schema.Context) {
	vehicles, reported := map[FleetID]bool{}, map[FleetID]bool{}
	for i := range r.Vehicles {
		vehicles[r.Vehicles[i].ID] = true
		if r.Vehicles[i].Reloads != nil {
			c.Refuse(fmt.Sprintf("vehicles[%d].reloads", i), nil, "cannot be re-planned: which trip a vehicle is on is not known here; plan the rest of the day as a new problem")
		}
	}
	for i := range r.Progress {
		p, at := &r.Progress[i], fmt.Sprintf("progress[%d].vehicle", i)
		switch {
		case !vehicles[p.Vehicle]:
			c.Refuse(at, string(p.Vehicle), "is the id of none of the vehicles")
		case reported[p.Vehicle]:
			c.Refuse(at, string(p.Vehicle), "has an entry already: one for each vehicle")
		}
		reported[p.Vehicle] = true
	}
}
