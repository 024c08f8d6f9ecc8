package search

import (
	"fmt"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// Arrange makes the plan in which each vehicle makes given stops in their order (one
// list for each vehicle) at the times that suit it best; stops in no list are left out.
// Vehicles with Reloads have one trip. The error names what is impossible; it is an
// *InputError only if Check returns one.
func Arrange(p *fleet.Problem, orders [][]fleet.Stop) (*fleet.Plan, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := p.CheckOrder(orders); err != nil {
		return nil, err
	}
	m := model.Compile(p, limit.Unlimited())
	s := newState(m)
	for r := range m.Slots {
		sl := &m.Slots[r]
		if sl.Trip > 0 || len(orders[sl.Vehicle]) == 0 {
			continue
		}
		visits := make([]int32, len(orders[sl.Vehicle]))
		for i, stop := range orders[sl.Vehicle] {
			visits[i] = m.VisitOf(stop)
		}
		s.fill(int32(r), visits)
	}
	for r := range m.Slots {
		if sl := &m.Slots[r]; sl.Trip == 0 && !s.alone(sl) && !s.sound(int32(r)) {
			return nil, fmt.Errorf("vehicle %d cannot make its stops in this order within its limits and their windows", sl.Vehicle)
		}
	}
	plan := s.plan()
	if bad := fleet.Verify(p, plan); len(bad) > 0 {
		return nil, fmt.Errorf("the plan breaks a constraint: %s", bad[0])
	}
	return plan, nil
}
