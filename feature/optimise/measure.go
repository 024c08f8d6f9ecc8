package optimise

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
)

// measure fills in the matrices, one for each profile, and where the places are on the
// road. A place without one has no ways.
func (s *Service) measure(ctx context.Context, t *Task, o *Outcome) error {
	n := len(t.Points)
	p := *t.Problem
	p.Matrices = make([]fleet.Matrix, len(t.Profiles))
	for k, profile := range t.Profiles {
		m := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
		q := &engine.MatrixRequest{Sources: engine.Stops(t.Points), Targets: engine.Stops(t.Points), Costing: profile.Costing, Options: profile.Options, Conditions: t.Conditions}
		snapped := make([]engine.Snapped, 0, n)
		err := engine.MatrixBlocks(ctx, s.Engine, q, s.Cells, func(first int, a *engine.MatrixAnswer) error {
			for i, row := range a.Cells {
				for j := range row {
					at := (first+i)*n + j
					m.Seconds[at], m.Metres[at] = cell(&row[j], first+i == j)
				}
			}
			snapped = append(snapped, a.Sources...)
			if first == 0 {
				o.Warnings = append(o.Warnings, a.Warnings...)
			}
			t.tell(Progress{Share: measured * (float64(k) + float64(len(snapped))/float64(n)) / float64(len(t.Profiles)), Stage: "matrix"})
			return nil
		})
		if err != nil {
			return t.unplaced(err)
		}
		if k == 0 {
			o.Snapped = snapped
		}
		p.Matrices[k] = m
	}
	o.Problem = &p
	return t.anchored(o.Snapped)
}

// unplaced has the refusal of a problem of which no place has a road name the first one as the
// caller does.
func (t *Task) unplaced(err error) error {
	var f *fault.Error
	if at := t.Anchors[0]; at != "" && engine.Code(err) == engine.CodeNoSegment && errors.As(err, &f) {
		f.Detail = strings.Replace(f.Detail, "sources[0]", at, 1)
	}
	return err
}

// anchored refuses a vehicle that begins or ends where there is no road.
func (t *Task) anchored(snapped []engine.Snapped) error {
	var bad []fault.Violation
	for i := range snapped {
		if at := t.Anchors[i]; at != "" && snapped[i].Miss != "" {
			bad = append(bad, fault.Violation{Location: at, Message: "has no road that can be used: " + snapped[i].Miss})
		}
	}
	return fault.Invalid(bad...)
}

// cell rounds a way to whole seconds and metres. The way from a place to itself is
// none, also where it has no road.
func cell(c *engine.MatrixCell, same bool) (seconds, metres int32) {
	const most = 1 << 29
	switch {
	case same && c.Reached:
		return 0, 0
	case !c.Reached || c.Seconds > most || c.Metres > most:
		return fleet.Unreachable, 0
	}
	return int32(math.Round(c.Seconds)), int32(math.Round(c.Metres))
}
