package vroom

import (
	"context"
	"math"
	"strconv"

	"github.com/waygate/waygate/fleet"
)

// digits is how many bytes a number of a matrix takes, about.
const digits = 8

// pathless returns the time that stands for a missing way in a matrix: longer than any
// route, and short enough that VROOM can add up as many as there may be, which it
// refuses otherwise. It is 0 if there are ways between all locations in use.
func (w *writer) pathless(m *fleet.Matrix) int64 {
	lacks := false
	for _, a := range w.used {
		for _, b := range w.used {
			lacks = lacks || m.Seconds[a*m.N+b] == fleet.Unreachable
		}
	}
	if !lacks {
		return 0
	}
	return min(1<<27, math.MaxUint32/int64(len(w.out.Jobs)+2*len(w.out.Shipments)+2*len(w.p.Vehicles)+1))
}

// matrices adds the matrices to a problem.
func (w *writer) matrices(ctx context.Context, text []byte) ([]byte, error) {
	n := len(w.used)
	out := make([]byte, 0, len(text)+2*digits*n*n*len(w.drives)+1<<10)
	out = append(out, text[:len(text)-1]...)
	out = append(out, `,"matrices":{`...)
	for k := range w.drives {
		d := &w.drives[k]
		m := &w.p.Matrices[d.profile]
		if k > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendQuote(out, strconv.Itoa(k))
		out = append(out, `:{"durations":`...)
		if out = w.square(ctx, out, func(at int) int64 { return d.seconds(m.Seconds[at]) }); w.metres {
			out = append(out, `,"distances":`...)
			out = w.square(ctx, out, func(at int) int64 { return max(0, int64(m.Metres[at])) })
		}
		out = append(out, '}')
	}
	return append(out, '}', '}'), ctx.Err()
}

// square writes the rows of the locations in use.
func (w *writer) square(ctx context.Context, out []byte, cell func(at int) int64) []byte {
	size := w.p.Matrices[0].N
	out = append(out, '[')
	for i, a := range w.used {
		if ctx.Err() != nil {
			break
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		for j, b := range w.used {
			if j > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, cell(a*size+b), 10)
		}
		out = append(out, ']')
	}
	return append(out, ']')
}

// seconds returns a time as the vehicles of the drive take it: VROOM has factors of two
// digits.
func (d *drive) seconds(s int32) int64 {
	switch {
	case s == fleet.Unreachable:
		return d.pathless
	case d.factor == 0:
		return int64(s)
	}
	return int64(math.Round(float64(s) / d.factor))
}
