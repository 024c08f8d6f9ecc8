package fleet

import (
	"fmt"
)

// Arrange is the plan in which each vehicle makes given stops in their order, one list for
// each vehicle, at the times that suit it best; what no list has is left out. Vehicles with
// Reloads have one trip. The error, which is no *InputError unless Check gives one, says what
// of it cannot be.
func Arrange(p *Problem, orders [][]Stop) (*Plan, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := p.ordered(orders); err != nil {
		return nil, err
	}
	m := compile(p, idle())
	s := newState(m)
	for r := range m.slots {
		sl := &m.slots[r]
		if sl.trip > 0 || len(orders[sl.vehicle]) == 0 {
			continue
		}
		visits := make([]int32, len(orders[sl.vehicle]))
		for i, stop := range orders[sl.vehicle] {
			visits[i] = m.visitOf(stop)
		}
		s.fill(int32(r), visits)
	}
	for r := range m.slots {
		if sl := &m.slots[r]; sl.trip == 0 && !s.alone(sl) && !s.sound(int32(r)) {
			return nil, fmt.Errorf("vehicle %d cannot make its stops in this order within its limits and their windows", sl.vehicle)
		}
	}
	plan := s.plan()
	if bad := Verify(p, plan); len(bad) > 0 {
		return nil, fmt.Errorf("the plan breaks a constraint: %s", bad[0])
	}
	return plan, nil
}

// ordered looks for what is no order of stops: one that is not there or stands twice, half
// a shipment, a delivery before its pickup.
func (p *Problem) ordered(orders [][]Stop) error {
	if len(orders) != len(p.Vehicles) {
		return fmt.Errorf("there are %d orders for %d vehicles", len(orders), len(p.Vehicles))
	}
	by := map[Stop]int{}
	for v := range p.Vehicles {
		for _, s := range p.Vehicles[v].OnBoard {
			by[Stop{AtPickup, s}] = v
		}
	}
	for v, order := range orders {
		for _, stop := range order {
			n := len(p.Shipments)
			if stop.Kind == AtJob {
				n = len(p.Jobs)
			}
			if stop.Kind > AtDelivery || stop.Index < 0 || stop.Index >= n {
				return fmt.Errorf("vehicle %d makes a stop %v, which is none", v, stop)
			}
			if _, twice := by[stop]; twice {
				return fmt.Errorf("the stop %v is made twice", stop)
			}
			if on, picked := by[Stop{AtPickup, stop.Index}]; stop.Kind == AtDelivery && (!picked || on != v) {
				return fmt.Errorf("vehicle %d delivers shipment %d, which it has not picked up", v, stop.Index)
			}
			by[stop] = v
		}
	}
	for v, order := range orders {
		for _, stop := range order {
			if _, delivered := by[Stop{AtDelivery, stop.Index}]; stop.Kind == AtPickup && !delivered {
				return fmt.Errorf("vehicle %d picks up shipment %d and does not deliver it", v, stop.Index)
			}
		}
	}
	return nil
}

// Able reports whether a vehicle has the skills for a task, may stop there, has ways there and
// on to its end, and, where the task is on board of a vehicle, is that one.
func (p *Problem) Able(vehicle int, t Task) bool {
	if !p.mayServe(vehicle, t) {
		return false
	}
	stops := []*Place{}
	switch {
	case !t.Shipment:
		stops = append(stops, &p.Jobs[t.Index].Place)
	case p.carrier(t.Index) < 0:
		stops = append(stops, &p.Shipments[t.Index].Pickup, &p.Shipments[t.Index].Delivery)
	default:
		stops = append(stops, &p.Shipments[t.Index].Delivery)
	}
	return p.reaches(&p.Vehicles[vehicle], stops)
}
