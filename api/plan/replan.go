package plan

import (
	"context"
	"fmt"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

type replanIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     native.ReplanRequest

	rest *remaining
}

// Points choose the region.
func (in *replanIn) Points() []geo.Point { return in.Body.Whole() }

// Price is that of what remains.
func (in *replanIn) Price() edge.Price {
	return edge.Price{Features: in.rest.body.Features()}
}

var replanDoc = edge.Doc{
	Summary: "Plan the rest of a day", Tags: []string{"planning"}, Fails: []int{422, 502, 503, 504},
	Example: `{"vehicles":[{"id":"van-1","start":{"lat":49.326622,"lon":-7.267471},"steps":[{"type":"job","id":"a"},{"type":"job","id":"b"}]},{"id":"van-2","start":{"lat":49.326622,"lon":-7.267471}}],"jobs":[{"id":"a","location":{"lat":49.324115,"lon":-7.251523}},{"id":"b","location":{"lat":49.321496,"lon":-7.235719}}],"progress":[{"vehicle":"van-1","completed_stop_ids":["a"],"current_position":{"lat":49.324115,"lon":-7.251523}}],"changes":{"add_jobs":[{"id":"c","location":{"lat":49.3221,"lon":-7.2361}}]}}`,
	Description: "The body of POST /optimise with progress and changes. Nothing is kept between calls. What is done is taken out and never moves; each vehicle that reports goes on from its current_position, or from its last completed stop; a load that is picked up and not delivered stays on its vehicle; the rest is planned as POST /optimise does. " +
		"With the steps of the plan that is being driven the new plan keeps to it, unless to depart pays for stability: 900 for another vehicle and 60 for another predecessor where nothing else is said. " +
		"What cannot be followed is left out with a note: an unknown id among what is done or cancelled, a cancelled stop that is done or a load that is on board. " +
		"A 400: no progress and no change; an unknown vehicle in progress, or one with two entries; two vehicles claiming one stop; an added id that is in the problem; reloads; and all that POST /optimise refuses. " +
		"When all is done the answer has no routes, and costs nothing. Billed as what remains.",
}

// ReplanAnswer is a plan of what remains.
type ReplanAnswer struct {
	OptimiseAnswer
	Replan ReplanBlock `json:"replan"`
}

// ReplanBlock tells what a plan of the rest rests on.
type ReplanBlock struct {
	Mechanism string          `json:"mechanism" enum:"resolve_remaining,nothing_remains,no_vehicle_remains"`
	Basis     string          `json:"basis" doc:"what was planned, in words"`
	Locked    []LockedStops   `json:"locked_stops_per_vehicle" nullable:"false"`
	Released  []string        `json:"released_stops" nullable:"false" doc:"ids of stops that a vehicle which is unavailable had in its steps and did not do: others may serve them"`
	Applied   ReplanChanges   `json:"changes_applied"`
	Stability StabilityWeight `json:"stability" doc:"what it cost to depart from the steps"`
	Notes     []string        `json:"notes" nullable:"false" doc:"what could not be followed, and what is not known"`
}

// LockedStops are what a vehicle has done.
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

// StabilityWeight is what it costs to depart from a plan.
type StabilityWeight struct {
	Vehicle  int64 `json:"vehicle"`
	Position int64 `json:"position"`
}

// prepareReplan takes what is done out of the problem before it is priced.
func (p *planner) prepareReplan(_ context.Context, in *replanIn) (free bool, err error) {
	if p.solver == nil {
		return false, errNoSolver
	}
	if in.rest, err = remainderOf(&in.Body, p.solver); err != nil {
		return false, err
	}
	if in.rest.done() {
		return false, nil
	}
	return false, p.check(in.Region, in.rest.body, true)
}

func (p *planner) replan(ctx context.Context, in *replanIn) (*ReplanAnswer, error) {
	if in.rest.done() {
		edge.CallOf(ctx).Use(0)
	}
	return p.planRest(ctx, in.rest, planning{here: in.Region, sync: true, warnings: in.Warnings})
}

// planRest plans what remains, where anything does.
func (p *planner) planRest(ctx context.Context, r *remaining, x planning) (*ReplanAnswer, error) {
	if r.done() {
		a := &ReplanAnswer{OptimiseAnswer: *r.nothing(p.solver.Name()), Replan: r.block}
		a.Warnings = native.Told(x.warnings...)
		return a, nil
	}
	b, err := newBoardWith(r.body, r.aboard)
	if err != nil {
		return nil, err
	}
	for i := range r.body.Vehicles {
		r.narrow(&b.problem, i)
	}
	x.board = b
	plan, err := p.plan(ctx, x)
	if err != nil {
		return nil, err
	}
	a := &ReplanAnswer{OptimiseAnswer: *plan, Replan: r.block}
	r.strand(&a.OptimiseAnswer)
	return a, nil
}

// nothing is the answer where nothing is left to plan, or nobody to do it.
func (r *remaining) nothing(solver string) *OptimiseAnswer {
	a := &OptimiseAnswer{Profile: r.body.Costing.String(), Unassigned: []Unassigned{}, Routes: []planRoute{}, Search: planSearch{Solver: solver, Seed: r.body.Seed}}
	for i := range r.body.Jobs {
		j := &r.body.Jobs[i]
		a.Unassigned = append(a.Unassigned, Unassigned{ID: string(j.ID), Type: "job", Description: j.Description, Location: placeOf(j.Location.Point()), Reason: "no_vehicle", Detail: reasons["no_vehicle"], Relaxations: []planRelaxation{}})
	}
	for i := range r.body.Shipments {
		s := &r.body.Shipments[i]
		a.Unassigned = append(a.Unassigned, Unassigned{ID: string(s.ID), Type: "shipment", Description: s.Pickup.Description, Location: placeOf(s.Pickup.Location.Point()), Reason: "no_vehicle", Detail: reasons["no_vehicle"], Relaxations: []planRelaxation{}})
	}
	r.strand(a)
	return a
}

// strand adds the loads that are on board of a vehicle which does nothing more.
func (r *remaining) strand(a *OptimiseAnswer) {
	for _, s := range r.stranded {
		a.Unassigned = append(a.Unassigned, Unassigned{
			ID: string(s.ID), Type: "shipment", Description: s.Pickup.Description, Location: placeOf(s.Delivery.Location.Point()),
			Reason: "on_board", Detail: reasons["on_board"], Relaxations: []planRelaxation{},
		})
	}
	a.Summary.Unassigned = len(a.Unassigned)
}

// remaining is what is left of a problem.
type remaining struct {
	body     *native.OptimiseRequest
	aboard   map[native.FleetID]native.FleetID // the vehicle that has a shipment on board
	carried  map[native.FleetID][]int32        // amounts that jobs put on board of a vehicle for the rest of its route
	stranded []native.FleetShipment
	block    ReplanBlock

	did       map[native.FleetID][]native.FleetID // by vehicle
	completed map[native.FleetID]native.FleetID   // the vehicle that did a stop
	cancelled map[native.FleetID]bool             // jobs and shipments
}

// done reports whether there is nothing to solve.
func (r *remaining) done() bool { return r.body.Stops() == 0 || len(r.body.Vehicles) == 0 }

func (r *remaining) note(format string, args ...any) {
	if len(r.block.Notes) < mostNotes {
		r.block.Notes = append(r.block.Notes, fmt.Sprintf(format, args...))
	}
}

// mostNotes is how many notes one answer carries.
const mostNotes = 100

// remainderOf takes what is done and what is cancelled out of a problem, of which a solver
// will plan the rest.
func remainderOf(in *native.ReplanRequest, solver optimise.Solver) (*remaining, error) {
	whole, err := newBoard(&in.OptimiseRequest)
	if err != nil {
		return nil, err
	}
	if err := solver.Refuses(&whole.problem); err != nil {
		return nil, err
	}
	r := &remaining{
		aboard: map[native.FleetID]native.FleetID{}, carried: map[native.FleetID][]int32{},
		did: map[native.FleetID][]native.FleetID{}, completed: map[native.FleetID]native.FleetID{}, cancelled: map[native.FleetID]bool{},
		block: ReplanBlock{Mechanism: "resolve_remaining", Locked: []LockedStops{}, Released: []string{}, Notes: []string{}},
	}
	if err := r.complete(whole, in.Progress); err != nil {
		return nil, err
	}
	r.cancel(whole, in.Changes.Cancel)
	rest := in.OptimiseRequest
	r.body = &rest
	r.tasks(whole)
	r.vehicles(whole, in.Progress)
	r.regroup(whole)
	r.settle(in, solver)
	return r, nil
}

// complete reads which stops are done, and by whom.
func (r *remaining) complete(whole *board, progress []native.FleetProgress) error {
	var bad []fault.Violation
	for i := range progress {
		p := &progress[i]
		for k, id := range p.Completed {
			stop := r.stopOf(whole, id)
			at := fmt.Sprintf("progress[%d].completed_stop_ids[%d]", i, k)
			by, twice := r.completed[stop]
			switch {
			case stop == "":
				r.note("%s: %s is the id of no stop and was left out", at, id)
			case twice && by != p.Vehicle:
				bad = append(bad, fault.Violation{Location: at, Value: string(id), Message: fmt.Sprintf("is claimed by the vehicle %s too: one vehicle has done a stop", by)})
			case twice:
				r.note("%s: %s stands twice and counts once", at, id)
			default:
				if s := whole.stops[stop]; s.Kind == atDelivery {
					pickup := whole.body.Shipments[s.Index].Pickup.ID
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

// stopOf is the stop that an id stands for: that of a shipment for its pickup, and once
// that is done for its delivery. "" is none.
func (r *remaining) stopOf(whole *board, id native.FleetID) native.FleetID {
	if _, ok := whole.stops[id]; ok {
		return id
	}
	t, ok := whole.tasks[id]
	if !ok {
		return ""
	}
	s := &whole.body.Shipments[t.Index]
	if _, had := r.completed[s.Pickup.ID]; had {
		return s.Delivery.ID
	}
	return s.Pickup.ID
}

// cancel reads what is not to be done any more.
func (r *remaining) cancel(whole *board, ids []native.FleetID) {
	for k, id := range ids {
		at := fmt.Sprintf("changes.cancel_job_ids[%d]", k)
		t, ok := whole.tasks[id]
		if !ok {
			r.note("%s: %s is the id of no job or shipment and was left out", at, id)
			continue
		}
		task, first, last := id, id, id
		if t.Shipment {
			s := &whole.body.Shipments[t.Index]
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
func (r *remaining) tasks(whole *board) {
	var jobs []native.FleetJob
	for i := range whole.body.Jobs {
		j := &whole.body.Jobs[i]
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
	var shipments []native.FleetShipment
	for i := range whole.body.Shipments {
		s := &whole.body.Shipments[i]
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
	r.body.Jobs, r.body.Shipments = jobs, shipments
}

// settle says what the rest comes to.
func (r *remaining) settle(in *native.ReplanRequest, solver optimise.Solver) {
	a := &r.block.Applied
	a.Jobs, a.Shipments = len(in.Changes.AddJobs), len(in.Changes.AddShipments)
	if r.body.Stability == nil && slices.ContainsFunc(r.body.Vehicles, func(v native.FleetVehicle) bool { return len(v.Steps) > 0 }) {
		if solver.Stable() {
			r.body.Stability = &native.FleetStability{Vehicle: 900, Position: 60}
		} else {
			r.note("the solver of this deployment, %s, holds no plan to another: the search begins with the steps, and may depart from them for nothing", solver.Name())
		}
	}
	if s := r.body.Stability; s != nil {
		r.block.Stability = StabilityWeight{s.Vehicle, s.Position}
	}
	switch {
	case r.body.Stops() == 0:
		r.block.Mechanism, r.block.Basis = "nothing_remains", "All stops are done or cancelled: nothing was planned, and the routing engine was not asked."
	case len(r.body.Vehicles) == 0:
		r.block.Mechanism, r.block.Basis = "no_vehicle_remains", "No vehicle is available: nothing was planned, and the routing engine was not asked."
	default:
		r.block.Basis = fmt.Sprintf("%d stops of %d jobs and %d shipments were planned anew for %d vehicles, from where they are; what is done was taken out.", r.body.Stops()-len(r.aboard), len(r.body.Jobs), len(r.body.Shipments), len(r.body.Vehicles))
	}
}
