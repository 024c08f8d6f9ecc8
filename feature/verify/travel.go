package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// leg is the way from one claim to the next.
type leg struct {
	from, to  int // of the claims
	available time.Duration
}

// Legs returns how many ways at the most there are between claims.
func Legs(claims []Claim) int {
	n := 0
	for i := range claims {
		if claims[i].Sequence != nil && claims[i].At != nil {
			n++
		}
	}
	return max(0, n-1)
}

// legs returns the ways between claims that follow one another by their sequence,
// where both the sequence and the claimed time increase.
func (s *Service) legs(claims []Claim, found []existence) []leg {
	var order []int
	for i := range claims {
		if claims[i].Sequence != nil && claims[i].At != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(*claims[a].Sequence, *claims[b].Sequence)
	})
	var list []leg
	for i := 1; i < len(order); i++ {
		from, to := order[i-1], order[i]
		available := s.instant(&claims[to], &found[to]).Sub(s.instant(&claims[from], &found[from]))
		if *claims[from].Sequence < *claims[to].Sequence && available > 0 {
			list = append(list, leg{from, to, available})
		}
	}
	return list
}

// instant returns a claimed time: one without an offset is by the clocks of the place
// that was found, and by UTC where there is none.
func (s *Service) instant(c *Claim, e *existence) time.Time {
	t := c.At.Time
	if !c.At.Local || len(e.places) == 0 {
		return t
	}
	zone := s.Zone(e.places[0].At)
	if zone == nil {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
}

// travel measures a leg. Of several places of a name those count that lie
// nearest to each other, so that nobody is contradicted who meant another.
func (s *Service) travel(ctx context.Context, l leg, claims []Claim, found []existence, by costing.Costing, now time.Time) (*Feasibility, Evidence, error) {
	from, to := &claims[l.from], &claims[l.to]
	f := &Feasibility{FromID: from.ID, FromName: from.Name, ToID: to.ID, ToName: to.Name, Available: l.available.Minutes(), Status: Implausible}
	sources, targets := points(&found[l.from]), points(&found[l.to])
	least, whole := math.Inf(1), found[l.from].all && found[l.to].all
	cells, err := s.matrix(ctx, sources, targets, by)
	if err != nil {
		return nil, Evidence{}, err
	}
	for _, row := range cells {
		for _, c := range row {
			if whole = whole && c.Reached; c.Reached {
				least = min(least, c.Seconds)
			}
		}
	}
	source := "routing engine on " + s.Source
	e := Evidence{Source: source, CheckedAt: now.Format(time.RFC3339), Detail: fmt.Sprintf("the way from %s to %s could not be measured", from.Name, to.Name)}
	if math.IsInf(least, 1) {
		return f, e, nil
	}
	minutes := math.Round(least/6) / 10
	switch {
	case least <= l.available.Seconds():
		f.Status = Feasible
	case whole:
		f.Status = Impossible
		minutes = math.Ceil(least/6) / 10
	default: // another place of the name may be nearer
		e.Detail = fmt.Sprintf("the way from %s to %s takes %.1f minutes (%s) where it could be measured and %.1f are available; not all places of these names could be", from.Name, to.Name, minutes, by, f.Available)
		return f, e, nil
	}
	f.Travel = &minutes
	e.Detail = fmt.Sprintf("the way from %s to %s takes %.1f minutes (%s, free of traffic), and %.1f are available", from.Name, to.Name, minutes, by, f.Available)
	return f, e, nil
}

func points(e *existence) []geo.Point {
	list := make([]geo.Point, len(e.places))
	for i := range e.places {
		list[i] = e.places[i].At
	}
	return list
}

// matrix measures the ways between places; all are unreached where no engine has
// roads at all of them, or it has no matrix.
func (s *Service) matrix(ctx context.Context, sources, targets []geo.Point, by costing.Costing) ([][]engine.MatrixCell, error) {
	none := [][]engine.MatrixCell{{{}}}
	if len(sources) == 0 || len(targets) == 0 {
		return none, nil
	}
	e := s.Engine(slices.Concat(sources, targets)...)
	if e == nil {
		return none, nil
	}
	if can := e.Can(); !can.Does(engine.CallMatrix) {
		return none, nil
	}
	options, _, _ := costing.Parse(by, nil, "")
	m, err := e.Matrix(ctx, &engine.MatrixRequest{Sources: engine.Stops(sources), Targets: engine.Stops(targets), Costing: by, Options: options})
	switch engine.Code(err) {
	case engine.CodeNoSegment, engine.CodeNoRoute, engine.CodeTooFar:
		return none, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Cells, nil
}
