package optimise

import (
	"context"
	"fmt"
	"slices"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
)

// ReplanAnswer is a plan of what remains.
type ReplanAnswer struct {
	Answer
	Replan ReplanBlock `json:"replan"`
}

// ReplanBlock describes what a plan of the rest rests on.
type ReplanBlock struct {
	Mechanism string          `json:"mechanism" enum:"resolve_remaining,nothing_remains,no_vehicle_remains"`
	Basis     string          `json:"basis" doc:"what was planned, in words"`
	Locked    []LockedStops   `json:"locked_stops_per_vehicle" nullable:"false"`
	Released  []string        `json:"released_stops" nullable:"false" doc:"ids of stops that a vehicle which is unavailable had in its steps and did not do: others may serve them"`
	Applied   ReplanChanges   `json:"changes_applied"`
	Stability StabilityWeight `json:"stability" doc:"what it cost to depart from the steps"`
	Notes     []string        `json:"notes" nullable:"false" doc:"what could not be followed, and what is not known"`
}

// LockedStops are the stops that a vehicle has made.
type LockedStops struct {
	Vehicle     string     `json:"vehicle"`
	Stops       []string   `json:"stops" nullable:"false" doc:"ids in the order in which they were done"`
	Unavailable bool       `json:"unavailable"`
	StartBasis  string     `json:"start_basis" enum:"current_position,last_completed_stop,start,none" doc:"where the rest begins; none for a vehicle that does nothing more, or that begins anywhere"`
	StartFrom   *planPlace `json:"start_from,omitempty" doc:"left out where the start_basis is none"`
}

// ReplanChanges counts what was different.
type ReplanChanges struct {
	Cancelled   int `json:"cancelled_jobs"`
	Jobs        int `json:"added_jobs"`
	Shipments   int `json:"added_shipments"`
	Unavailable int `json:"vehicles_unavailable"`
	Completed   int `json:"completed_stops"`
}

// StabilityWeight is the cost of departing from a plan.
type StabilityWeight struct {
	Vehicle  int64 `json:"vehicle"`
	Position int64 `json:"position"`
}

// PlanRemaining plans what remains of a problem, where anything does.
func (p *Planner) PlanRemaining(ctx context.Context, r *Remaining, x PlanRequest) (*ReplanAnswer, error) {
	if r.Done() {
		a := &ReplanAnswer{Answer: *r.nothing(p.Solver.Name()), Replan: r.block}
		a.Warnings = native.AnswerWarnings(x.Warnings...)
		return a, nil
	}
	b, err := newBuilder(r.request, r.aboard)
	if err != nil {
		return nil, err
	}
	for i := range r.request.Vehicles {
		r.reduceCapacity(&b.problem, i)
	}
	plan, err := p.plan(ctx, b, x)
	if err != nil {
		return nil, err
	}
	a := &ReplanAnswer{Answer: *plan, Replan: r.block}
	r.strand(&a.Answer)
	return a, nil
}

// nothing returns the answer where nothing is left to plan, or nobody to do it.
func (r *Remaining) nothing(solver string) *Answer {
	a := &Answer{Profile: r.request.Costing.String(), Unassigned: []Unassigned{}, Routes: []planRoute{}, Search: planSearch{Solver: solver, Seed: r.request.Seed}}
	for i := range r.request.Jobs {
		j := &r.request.Jobs[i]
		a.Unassigned = append(a.Unassigned, Unassigned{ID: string(j.ID), Type: "job", Description: j.Description, Location: placeOf(j.Location.Point()), Reason: "no_vehicle", Detail: reasons["no_vehicle"], Relaxations: []planRelaxation{}})
	}
	for i := range r.request.Shipments {
		s := &r.request.Shipments[i]
		a.Unassigned = append(a.Unassigned, Unassigned{ID: string(s.ID), Type: "shipment", Description: s.Pickup.Description, Location: placeOf(s.Pickup.Location.Point()), Reason: "no_vehicle", Detail: reasons["no_vehicle"], Relaxations: []planRelaxation{}})
	}
	r.strand(a)
	return a
}

// strand adds the loads that are on board of a vehicle which does nothing more.
func (r *Remaining) strand(a *Answer) {
	for _, s := range r.stranded {
		a.Unassigned = append(a.Unassigned, Unassigned{
			ID: string(s.ID), Type: "shipment", Description: s.Pickup.Description, Location: placeOf(s.Delivery.Location.Point()),
			Reason: "on_board", Detail: reasons["on_board"], Relaxations: []planRelaxation{},
		})
	}
	a.Summary.Unassigned = len(a.Unassigned)
}

// Remaining is the rest of a problem without the work that is done or cancelled.
type Remaining struct {
	request  *plan.OptimiseRequest
	aboard   map[plan.FleetID]plan.FleetID // the vehicle that has a shipment on board
	carried  map[plan.FleetID][]int32      // amounts that jobs put on board of a vehicle for the rest of its route
	stranded []plan.FleetShipment
	block    ReplanBlock

	did       map[plan.FleetID][]plan.FleetID // by vehicle
	completed map[plan.FleetID]plan.FleetID   // the vehicle that did a stop
	cancelled map[plan.FleetID]bool           // jobs and shipments
}

// Request returns the problem that remains.
func (r *Remaining) Request() *plan.OptimiseRequest { return r.request }

// Done reports whether there is nothing left to plan, or no vehicle to do it.
func (r *Remaining) Done() bool { return r.request.Stops() == 0 || len(r.request.Vehicles) == 0 }

func (r *Remaining) note(format string, args ...any) {
	if len(r.block.Notes) < mostNotes {
		r.block.Notes = append(r.block.Notes, fmt.Sprintf(format, args...))
	}
}

// mostNotes is how many notes one answer carries.
const mostNotes = 100

// RemainingOf takes what is done and what is cancelled out of a problem. The error is a bad request,
// what the solver cannot express, or ErrNoSolver.
func (p *Planner) RemainingOf(in *plan.ReplanRequest) (*Remaining, error) {
	if p.Solver == nil {
		return nil, ErrNoSolver
	}
	whole, err := newBuilder(&in.OptimiseRequest, nil)
	if err != nil {
		return nil, err
	}
	if err := p.Solver.Refuses(&whole.problem); err != nil {
		return nil, err
	}
	r := &Remaining{
		aboard: map[plan.FleetID]plan.FleetID{}, carried: map[plan.FleetID][]int32{},
		did: map[plan.FleetID][]plan.FleetID{}, completed: map[plan.FleetID]plan.FleetID{}, cancelled: map[plan.FleetID]bool{},
		block: ReplanBlock{Mechanism: "resolve_remaining", Locked: []LockedStops{}, Released: []string{}, Notes: []string{}},
	}
	if err := r.complete(whole, in.Progress); err != nil {
		return nil, err
	}
	r.cancel(whole, in.Changes.Cancel)
	rest := in.OptimiseRequest
	r.request = &rest
	r.tasks(whole)
	r.vehicles(whole, in.Progress)
	r.regroup(whole)
	r.summarise(in, p.Solver)
	return r, nil
}

// complete reads which stops are done, and by whom.
func (r *Remaining) complete(whole *builder, progress []plan.FleetProgress) error {
	var bad []fault.Violation
	for i := range progress {
		p := &progress[i]
		for k, id := range p.Completed {
			stop := r.stopOf(whole, id)
			at := fmt.Sprintf("progress[%d].completed_stop_ids[%d]", i, k)
			by, repeated := r.completed[stop]
			switch {
			case stop == "":
				r.note("%s: %s is the id of no stop and was left out", at, id)
			case repeated && by != p.Vehicle:
				bad = append(bad, fault.Violation{Location: at, Value: string(id), Message: fmt.Sprintf("is claimed by the vehicle %s too: one vehicle has done a stop", by)})
			case repeated:
				r.note("%s: %s stands twice and counts once", at, id)
			default:
				if s := whole.stops[stop]; s.Kind == atDelivery {
					pickup := whole.request.Shipments[s.Index].Pickup.ID
					if other, had := r.completed[pickup]; had && other != p.Vehicle {
						bad = append(bad, fault.Violation{Location: at, Value: string(id), Message: fmt.Sprintf("is the delivery of a load that the vehicle %s has picked up", other)})
						continue
					} else if !had {
						r.note("%s: the delivery %s is done, so its pickup %s counts as done", at, id, pickup)
						r.completed[pickup] = p.Vehicle
					}
				}
				r.completed[stop] = p.Vehicle
				r.did[p.Vehicle] = append(r.did[p.Vehicle], stop)
				r.block.Applied.Completed++
			}
		}
	}
	return fault.Invalid(bad...)
}

// stopOf returns the stop that an id stands for: that of a shipment for its pickup, and once
// that is done for its delivery. "" is none.
func (r *Remaining) stopOf(whole *builder, id plan.FleetID) plan.FleetID {
	if _, ok := whole.stops[id]; ok {
		return id
	}
	t, ok := whole.tasks[id]
	if !ok {
		return ""
	}
	s := &whole.request.Shipments[t.Index]
	if _, had := r.completed[s.Pickup.ID]; had {
		return s.Delivery.ID
	}
	return s.Pickup.ID
}

// cancel reads what is not to be done any more.
func (r *Remaining) cancel(whole *builder, ids []plan.FleetID) {
	for k, id := range ids {
		at := fmt.Sprintf("changes.cancel_job_ids[%d]", k)
		t, ok := whole.tasks[id]
		if !ok {
			r.note("%s: %s is the id of no job or shipment and was left out", at, id)
			continue
		}
		task, first, last := id, id, id
		if t.Shipment {
			s := &whole.request.Shipments[t.Index]
			task, first, last = s.ID, s.Pickup.ID, s.Delivery.ID
		}
		_, begun := r.completed[first]
		_, ended := r.completed[last]
		switch {
		case ended:
			r.note("%s: %s is done and cannot be cancelled", at, id)
		case begun:
			r.note("%s: %s is on board and cannot be cancelled: it is delivered all the same", at, id)
		case r.cancelled[task]:
			r.note("%s: %s stands twice and counts once", at, id)
		default:
			r.cancelled[task] = true
			r.block.Applied.Cancelled++
		}
	}
}

// tasks keeps what is still to do.
func (r *Remaining) tasks(whole *builder) {
	var jobs []plan.FleetJob
	for i := range whole.request.Jobs {
		j := &whole.request.Jobs[i]
		by, done := r.completed[j.ID]
		if done && len(j.Pickup) > 0 {
			if r.carried[by] == nil {
				r.carried[by] = make([]int32, len(j.Pickup))
			}
			for d, n := range j.Pickup {
				r.carried[by][d] += n
			}
		}
		if !done && !r.cancelled[j.ID] {
			jobs = append(jobs, *j)
		}
	}
	var shipments []plan.FleetShipment
	for i := range whole.request.Shipments {
		s := &whole.request.Shipments[i]
		by, begun := r.completed[s.Pickup.ID]
		_, done := r.completed[s.Delivery.ID]
		if done || r.cancelled[s.ID] {
			continue
		}
		if begun {
			r.aboard[s.ID] = by
		}
		shipments = append(shipments, *s)
	}
	r.request.Jobs, r.request.Shipments = jobs, shipments
}

// summarise writes what the rest comes to, and weighs departures from the steps where the
// request does not.
func (r *Remaining) summarise(in *plan.ReplanRequest, solver Solver) {
	a := &r.block.Applied
	a.Jobs, a.Shipments = len(in.Changes.AddJobs), len(in.Changes.AddShipments)
	if r.request.Stability == nil && slices.ContainsFunc(r.request.Vehicles, func(v plan.FleetVehicle) bool { return len(v.Steps) > 0 }) {
		if solver.Stable() {
			r.request.Stability = &plan.FleetStability{Vehicle: 900, Position: 60}
		} else {
			r.note("the solver of this deployment, %s, holds no plan to another: the search begins with the steps, and may depart from them for nothing", solver.Name())
		}
	}
	if s := r.request.Stability; s != nil {
		r.block.Stability = StabilityWeight{s.Vehicle, s.Position}
	}
	switch {
	case r.request.Stops() == 0:
		r.block.Mechanism, r.block.Basis = "nothing_remains", "All stops are done or cancelled: nothing was planned, and the routing engine was not asked."
	case len(r.request.Vehicles) == 0:
		r.block.Mechanism, r.block.Basis = "no_vehicle_remains", "No vehicle is available: nothing was planned, and the routing engine was not asked."
	default:
		stops, were := r.request.Stops()-len(r.aboard), "were"
		if stops == 1 {
			were = "was"
		}
		r.block.Basis = fmt.Sprintf("%s of %s and %s %s planned anew for %s, from where they are; what is done was taken out.", fault.Counted(stops, "stop", "stops"), fault.Counted(len(r.request.Jobs), "job", "jobs"), fault.Counted(len(r.request.Shipments), "shipment", "shipments"), were, fault.Counted(len(r.request.Vehicles), "vehicle", "vehicles"))
	}
}
