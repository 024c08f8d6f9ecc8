package native

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
)

// WriteMatrix writes a matrix of any size, with blocks at the top.
func WriteMatrix(a *engine.MatrixAnswer, blocks ...json.Block) ([]byte, error) {
	w := &matrixWriter{}
	w.Grow(256 + 20*len(a.Sources)*len(a.Targets))
	w.Open('{')
	w.cells("durations", a.Cells, func(c *engine.MatrixCell) float64 { return c.Seconds }, 3)
	w.cells("distances", a.Cells, func(c *engine.MatrixCell) float64 { return c.Metres }, 1)
	w.snapped("sources", a.Sources)
	w.snapped("targets", a.Targets)
	w.unreachable(a)
	w.Blocks(blocks)
	w.Close('}')
	return w.Bytes()
}

// matrixWriter writes one matrix.
type matrixWriter struct{ json.Writer }

// cells writes a value for each cell; null where there is no way.
func (w *matrixWriter) cells(name string, cells [][]engine.MatrixCell, value func(*engine.MatrixCell) float64, digits int) {
	w.Open('[', name)
	for _, row := range cells {
		w.Open('[')
		for j := range row {
			if row[j].Reached {
				w.NumberElement(value(&row[j]), digits)
			} else {
				w.NullElement()
			}
		}
		w.Close(']')
	}
	w.Close(']')
}

// snapped writes locations on the network; null for one that is not.
func (w *matrixWriter) snapped(name string, list []engine.Snapped) {
	w.Open('[', name)
	for _, p := range list {
		if p.Miss != "" {
			w.NullElement()
			continue
		}
		w.Open('{')
		w.Decimal("lat", p.Point.Lat, 6, 6)
		w.Decimal("lon", p.Point.Lon, 6, 6)
		w.Close('}')
	}
	w.Close(']')
}

// unreachable writes the cells without a way, and why there is none.
func (w *matrixWriter) unreachable(a *engine.MatrixAnswer) {
	w.Open('[', "unreachable")
	for i, row := range a.Cells {
		for j := range row {
			if row[j].Reached {
				continue
			}
			reason := "no way between them"
			switch {
			case a.Sources[i].Miss != "":
				reason = "no road near the source"
			case a.Targets[j].Miss != "":
				reason = "no road near the target"
			}
			w.Open('{')
			w.Int("source", i)
			w.Int("target", j)
			w.String("reason", reason)
			w.Close('}')
		}
	}
	w.Close(']')
}
