package match

import "github.com/waygate/waygate/road/graph"

// way is a stretch of a path between two places on it.
type way struct {
	q        *Query
	path     graph.Path
	from, to Place
	metres   float64
}

// newWay measures the way from a place to a later one.
func newWay(q *Query, path graph.Path, from, to Place) way {
	w := way{q: q, path: path, from: from, to: to}
	for k := from.Step; k <= to.Step; k++ {
		begin, end := w.part(k)
		w.metres += max(0, end-begin) * q.g.EdgeLength(path[k].Edge)
	}
	return w
}

// part returns the part of a step's edge that lies on the way.
func (w *way) part(k int) (begin, end float64) {
	begin, end = w.path[k].Begin, w.path[k].End
	if k == w.from.Step {
		begin = w.from.Along
	}
	if k == w.to.Step {
		end = w.to.Along
	}
	return begin, end
}

// at returns the place at a share of the way.
func (w *way) at(share float64) Place {
	left, p := share*w.metres, w.from
	for k := w.from.Step; k <= w.to.Step; k++ {
		begin, end := w.part(k)
		length := w.q.g.EdgeLength(w.path[k].Edge)
		metres := max(0, end-begin) * length
		if left > metres && k < w.to.Step {
			left -= metres
			continue
		}
		p.Step, p.Along = k, begin
		if metres > 0 {
			p.Along += min(left, metres) / length
		}
		break
	}
	p.At = pointOn(w.q.g, w.path[p.Step].Edge, p.Along)
	return p
}
