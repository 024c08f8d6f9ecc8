package vroom

import (
	"fmt"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
)

// Refuses returns what VROOM cannot express of a problem, by the members of the
// request; nil if it can express all. Only the first problem of each kind is reported.
func (*Solver) Refuses(p *fleet.Problem) error {
	c := &refusal{seen: map[string]bool{}}
	for i := range p.Vehicles {
		v, at := &p.Vehicles[i], fmt.Sprintf("vehicles[%d].", i)
		c.refuse(v.Reloads != nil, at, "reloads", "it drives one trip a vehicle")
		c.refuse(len(v.Windows) > 1, at, "time_windows", "a vehicle has one shift, time_window")
		c.refuse(len(v.First) > 0, at, "first_stop_ids", "it holds no vehicle to its first stops; steps give it a plan to begin with")
		c.refuse(v.Start == fleet.None && v.End == fleet.None, at, "start", "a vehicle has a start or an end")
		for k := 1; k < len(v.Breaks); k++ {
			c.refuse(begin(&v.Breaks[k]) < begin(&v.Breaks[k-1]), at, "breaks", "they are taken in the order in which their time_windows begin")
		}
	}
	for i := range p.Jobs {
		c.refuseSetup(fmt.Sprintf("jobs[%d].", i), &p.Jobs[i].Place)
	}
	for i := range p.Shipments {
		s, at := &p.Shipments[i], fmt.Sprintf("shipments[%d].", i)
		c.refuse(s.MaxRide > 0, at, "max_ride_time_s", "it has no limit on the time on board")
		c.refuseSetup(at+"pickup.", &s.Pickup)
		c.refuseSetup(at+"delivery.", &s.Delivery)
	}
	c.refuse(len(p.SameVehicle) > 0, "", "together", "it binds no tasks to each other")
	c.refuse(len(p.Incompatible) > 0, "", "apart", "it keeps no tasks from each other")
	c.refuse(p.Stability != fleet.Stability{}, "", "stability", "it holds no plan to another; steps give it a plan to begin with")
	return fault.Invalid(c.bad...)
}

type refusal struct {
	seen map[string]bool
	bad  []fault.Violation
}

func (c *refusal) refuse(there bool, at, member, why string) {
	if there && !c.seen[member] {
		c.seen[member] = true
		c.bad = append(c.bad, fault.Violation{Location: at + member, Message: "cannot be had from the solver of this deployment, VROOM: " + why})
	}
}

// refuseSetup refuses a setup beside windows: VROOM's windows limit the begin of the setup,
// ours that of the service.
func (c *refusal) refuseSetup(at string, pl *fleet.Place) {
	setup := pl.Setup
	for _, n := range pl.SetupByType {
		setup = max(setup, n)
	}
	c.refuse(setup > 0 && len(pl.Windows) > 0, at, "setup", "beside time_windows it would begin in them, and not the service")
}

func begin(b *fleet.Break) int64 {
	if len(b.Windows) == 0 {
		return 0
	}
	return b.Windows[0].Start
}
