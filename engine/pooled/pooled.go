// Package pooled puts the states of remote servers into the terms of the engine contract.
package pooled

import (
	"cmp"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/upstream"
)

// Add adds the servers of an engine, or of one costing of it, to a status. Version and date
// are those of the first that works where the status has none. The error says why the first
// server does not work, where none does.
func Add(s *engine.Status, name, costing string, states []upstream.State) error {
	var failure error
	works := false
	for i := range states {
		x := &states[i]
		s.Servers = append(s.Servers, engine.Server{
			Engine: name, Costing: costing, Number: i + 1, Condition: string(x.Condition), Since: x.Since.UTC().Truncate(time.Second),
			Version: x.Info.Version, GraphDate: given(x.Info.Data), Renewed: given(x.Renewed),
		})
		busy := x.InFlight > 0 && fault.Is(x.Fault, fault.UpstreamTimeout)
		if x.Condition == upstream.Down || x.Condition == upstream.Unknown || x.Fault != nil && !busy {
			failure = cmp.Or(failure, x.Fault)
			continue
		}
		works = true
		if s.Version == "" {
			s.Version = x.Info.Version
		}
		if s.GraphDate == nil {
			s.GraphDate = given(x.Info.Data)
		}
	}
	if works {
		return nil
	}
	return cmp.Or(failure, error(fault.New(fault.UpstreamUnavailable, "no server of the routing engine answers")))
}

func given(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}
