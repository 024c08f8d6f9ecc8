package fleettest

import (
	"context"

	"github.com/waygate/waygate/fleet"
)

// CancelledContext is a context that ends at a look at it, and counts those after that.
type CancelledContext struct {
	context.Context
	Left, After int // looks
}

// Err counts a look.
func (f *CancelledContext) Err() error {
	if f.Left > 0 {
		f.Left--
		return nil
	}
	f.After++
	return context.Canceled
}

// Demanding are problems with much work before, in and after the first step of a search.
func Demanding() map[string]*fleet.Problem {
	with := func(p *fleet.Problem, all ...Widening) *fleet.Problem {
		for _, w := range all {
			w(p)
		}
		return p
	}
	return map[string]*fleet.Problem{
		"matrices":  with(Wide(200, 20, 600), Speeds),
		"vehicles":  with(Wide(500, 300, 100), Unlike, Skills),
		"steps":     with(Wide(60, 2, 50), Steps, Breaks, Roomy),
		"rides":     with(Wide(16, 2, 20), Rides, Breaks),
		"together":  with(Wide(100, 10, 100), SameVehicle(10, 100), Unlike, Roomy),
		"shipments": with(Wide(600, 10, 100), Pairs, Alone),
		"no room":   with(Wide(300, 30, 100), Incompatible(1000, 300)),
	}
}
