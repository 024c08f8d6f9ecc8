package osrm

import (
	"github.com/waygate/waygate/engine"
)

// Table says how a matrix is written as OSRM's table service does.
type Table struct {
	Durations, Distances bool
	Filled               [][2]int // cells that were estimated; nil where none may be
	SkipWaypoints        bool     // sources and destinations are left out
}

// WriteTable writes the answer to a request for a matrix.
func WriteTable(r *engine.MatrixRequest, a *engine.MatrixAnswer, t *Table) ([]byte, error) {
	w := &writer{}
	w.Grow(256 + 20*len(a.Sources)*len(a.Targets))
	w.Open('{')
	w.String("code", "Ok")
	if t.Durations {
		w.cells("durations", a.Cells, func(c *engine.MatrixCell) float64 { return c.Seconds })
	}
	if t.Distances {
		w.cells("distances", a.Cells, func(c *engine.MatrixCell) float64 { return c.Metres })
	}
	if t.Filled != nil {
		w.Open('[', "fallback_speed_cells")
		for _, cell := range t.Filled {
			w.Open('[')
			w.IntElement(int64(cell[0]))
			w.IntElement(int64(cell[1]))
			w.Close(']')
		}
		w.Close(']')
	}
	if !t.SkipWaypoints {
		w.places("sources", a.Sources, r.Sources)
		w.places("destinations", a.Targets, r.Targets)
	}
	w.Close('}')
	return w.Bytes()
}

// cells writes a value for each cell; null where there is none.
func (w *writer) cells(name string, cells [][]engine.MatrixCell, value func(*engine.MatrixCell) float64) {
	w.Open('[', name)
	for _, row := range cells {
		w.Open('[')
		for j := range row {
			if row[j].Reached {
				w.NumberElement(value(&row[j]), 1)
			} else {
				w.NullElement()
			}
		}
		w.Close(']')
	}
	w.Close(']')
}

func (w *writer) places(name string, on []engine.Snapped, asked []engine.Location) {
	w.Open('[', name)
	for i := range on {
		w.Open('{')
		w.waypoint(on[i].Point, asked[i].Point)
		w.Close('}')
	}
	w.Close(']')
}

// WriteNearest writes the roads near a place as OSRM's nearest service does;
// without them where the waypoints are to be left out.
func WriteNearest(r *engine.NearestRequest, a *engine.NearestAnswer, skipWaypoints bool) ([]byte, error) {
	w := &writer{}
	w.Open('{')
	w.String("code", "Ok")
	if !skipWaypoints {
		w.Open('[', "waypoints")
		for _, road := range a.Roads {
			w.Open('{')
			w.waypoint(road.Point, r.Location.Point)
			w.Open('[', "nodes")
			w.IntElement(road.Nodes[0])
			w.IntElement(road.Nodes[1])
			w.Close(']')
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	return w.Bytes()
}
