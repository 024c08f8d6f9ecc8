package observations

import (
	"math"
	"slices"

	"github.com/waygate/waygate/index/surroundings"
)

// roadsBeside is the roads along the line near one place of it.
type roadsBeside struct {
	nearest surroundings.Near     // a road or a path
	beside  [32]surroundings.Near // roads, pieces of one perhaps more than once
	count   int
	crowded bool // there were more
}

// parallel is the cosine of the angle up to which a road runs along the line.
const parallel = 0.8

// linkAside is by how many metres a slip road must be nearer than the road that it leaves to
// be the nearest: where they part both are as near.
const linkAside = 3.0

// add takes a road or a path within reach. One that only crosses the line does not count.
func (l *roadsBeside) add(n *surroundings.Near, p *piece) {
	dx, dy := p.b.X-p.a.X, p.b.Y-p.a.Y
	if n.Metres > roadReach || math.Abs(dx*n.X+dy*n.Y) < parallel*math.Hypot(dx, dy) {
		return
	}
	if l.nearest.Feature == nil || aside(n) < aside(&l.nearest) {
		l.nearest = *n
	}
	switch {
	case n.Kind != surroundings.Road:
	case l.count == len(l.beside):
		l.crowded = true
	default:
		l.beside[l.count] = *n
		l.count++
	}
}

func aside(n *surroundings.Near) float64 {
	if n.Link {
		return n.Metres + linkAside
	}
	return n.Metres
}

// numbers calls each for the numbers of the road that the line is on, and for none where that
// is not certain: the nearest way must have the number and be no slip road, so must every road
// with a number that runs along the line within reach, and one without must be clearly
// further away. built reports whether the way is a bridge or a tunnel.
func (l *roadsBeside) numbers(parts func(ref string) []string, each func(number string)) (built bool) {
	n := &l.nearest
	if n.Feature == nil {
		return false
	}
	built = n.Bridge || n.Tunnel
	if n.Kind != surroundings.Road || n.Link || l.crowded {
		return built
	}
	for _, one := range parts(n.Ref) {
		if !slices.ContainsFunc(l.beside[:l.count], func(o surroundings.Near) bool {
			if o.Ref == "" {
				return !o.Link && o.Metres < n.Metres+clearOf
			}
			return !slices.Contains(parts(o.Ref), one)
		}) {
			each(one)
		}
	}
	return built
}
