package osrm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Codes of these services besides the family's own.
const (
	NoTrips   = "NoTrips"
	noSegment = "NoSegment"
	noMatch   = "NoMatch"
)

// WriteTable writes a table. A place that is not on the network is refused.
func WriteTable(t *Table, a *engine.MatrixAnswer, region geo.Bounds) ([]byte, error) {
	if err := Missing(a.Sources, t.Matrix.Sources, t.From, region); err != nil {
		return nil, err
	}
	if err := Missing(a.Targets, t.Matrix.Targets, t.To, region); err != nil {
		return nil, err
	}
	w := &writer{}
	w.Grow(256 + 20*len(a.Sources)*len(a.Targets))
	w.Open('{')
	w.String("code", "Ok")
	if t.Durations {
		w.cells("durations", t, a, func(c *engine.MatrixCell) float64 { return c.Seconds * t.Scale }, func(i, j int) float64 { return t.straight(a, i, j) / t.Fallback * t.Scale })
	}
	if t.Distances {
		w.cells("distances", t, a, func(c *engine.MatrixCell) float64 { return c.Metres }, func(i, j int) float64 { return t.straight(a, i, j) })
	}
	if t.Fallback > 0 {
		w.Open('[', "fallback_speed_cells")
		for i, row := range a.Cells {
			for j := range row {
				if !row[j].Reached {
					w.Open('[')
					w.IntElement(int64(i))
					w.IntElement(int64(j))
					w.Close(']')
				}
			}
		}
		w.Close(']')
	}
	if !t.SkipWaypoints {
		w.snapped("sources", a.Sources, t.Matrix.Sources)
		w.snapped("destinations", a.Targets, t.Matrix.Targets)
	}
	w.Close('}')
	return w.Bytes()
}

// straight returns the length of the straight line of a cell without a way.
func (t *Table) straight(a *engine.MatrixAnswer, i, j int) float64 {
	if t.Asked {
		return geo.Distance(t.Matrix.Sources[i].Point, t.Matrix.Targets[j].Point)
	}
	return geo.Distance(a.Sources[i].Point, a.Targets[j].Point)
}

// cells writes a value for each way, and for each pair without one another, or
// null where there is no fallback.
func (w *writer) cells(name string, t *Table, a *engine.MatrixAnswer, value func(*engine.MatrixCell) float64, other func(i, j int) float64) {
	w.Open('[', name)
	for i, row := range a.Cells {
		w.Open('[')
		for j := range row {
			switch {
			case row[j].Reached:
				w.NumberElement(value(&row[j]), 1)
			case t.Fallback > 0:
				w.NumberElement(other(i, j), 1)
			default:
				w.NullElement()
			}
		}
		w.Close(']')
	}
	w.Close(']')
}

func (w *writer) snapped(name string, on []engine.Snapped, asked []engine.Location) {
	w.Open('[', name)
	for i := range on {
		w.Open('{')
		w.waypoint(on[i].Point, asked[i].Point)
		w.Close('}')
	}
	w.Close(']')
}

// WriteNearest writes the roads near a place.
func WriteNearest(n *Nearest, a *engine.NearestAnswer) ([]byte, error) {
	w := &writer{}
	w.Open('{')
	w.String("code", "Ok")
	if !n.SkipWaypoints {
		w.Open('[', "waypoints")
		for _, r := range a.Roads {
			w.Open('{')
			w.waypoint(r.Point, n.Nearest.Location.Point)
			w.Open('[', "nodes")
			w.IntElement(r.Nodes[0])
			w.IntElement(r.Nodes[1])
			w.Close(']')
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	return w.Bytes()
}

// WithHint names the place of a refusal for want of a road as callers of this family name it,
// and adds what a swapped position would explain. list has the coordinates of the engine's
// request; nil is all.
func WithHint(err error, locations []engine.Location, list []int, region geo.Bounds) error {
	var e *fault.Error
	if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &e) {
		return err
	}
	renamed := *e
	for i := range locations {
		for _, theirs := range []string{"locations", "sources"} {
			if rest, ok := strings.CutPrefix(renamed.Detail, fmt.Sprintf("%s[%d] ", theirs, i)); ok {
				renamed.Detail = fmt.Sprintf("coordinate %d %s", coordinate(list, i), rest)
			}
		}
	}
	for i, l := range locations {
		if hint := engine.SwappedHint(l.Point, region); hint != "" {
			renamed.Detail += fmt.Sprintf("; coordinate %d: %s", coordinate(list, i), hint)
			break
		}
	}
	return &renamed
}

// Missing refuses the first place that is not on the network.
func Missing(all []engine.Snapped, asked []engine.Location, list []int, region geo.Bounds) error {
	for i := range all {
		if all[i].Miss == "" {
			continue
		}
		text := fmt.Sprintf("coordinate %d: %s", coordinate(list, i), all[i].Miss)
		if hint := engine.SwappedHint(asked[i].Point, region); hint != "" {
			text += "; " + hint
		}
		return Refuse(noSegment, "%s", text)
	}
	return nil
}

// coordinate returns the place in the request of one in a list; nil is all.
func coordinate(list []int, i int) int {
	if list == nil {
		return i
	}
	return list[i]
}

// Matched refuses a match that has not what the caller asked for: one way along
// the whole trace, where legs begin and end at chosen positions.
func (m *Match) Matched(a *engine.TraceAnswer, err error) (*engine.TraceAnswer, error) {
	var e *fault.Error
	if code := engine.Code(err); (code == engine.CodeNoMatch || code == engine.CodeNoWalk) && errors.As(err, &e) {
		return nil, Refuse(noMatch, "%s", e.Detail)
	}
	if err != nil || m.Stops == nil {
		return a, err
	}
	pieces := 0
	for _, p := range a.Points {
		pieces = max(pieces, p.Route+1)
	}
	if pieces > 1 {
		return nil, Refuse(noMatch, "the trace has gaps and was matched in %d pieces, and the waypoints asked for begin and end the legs of one", pieces)
	}
	for _, i := range m.Stops {
		if i < len(a.Points) && a.Points[i].Route < 0 {
			return nil, Refuse(noMatch, "waypoint %d was not matched to a road", i)
		}
	}
	return a, nil
}
