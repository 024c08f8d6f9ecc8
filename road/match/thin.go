package match

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/profile"
)

// The bounds of the groups of a dense trace.
const (
	usualMore    = 1.2  // times the usual accuracy that noise is at least to count
	sparseSigmas = 1.6  // standard deviations of the noise that positions are farther apart where they are sparse
	sparseMore   = 1.5  // times the usual accuracy that it is at most then
	mostGrouped  = 24   // positions in a group
	fewGrouped   = 5    // positions in a group by which few are left
	groupSigmas  = 2.0  // standard deviations of the noise that a group is long
	driftSigmas  = 3.0  // the same of noise that drifts
	driftMore    = 1.25 // times its white part that such noise is at least
	driftShare   = 0.2  // of the variance of drift that a mean is taken to keep
	cornerShare  = 0.1  // of a group's length that its mean is taken to be off the road
	leapSigmas   = 6    // a longer step than so many, and four of the usual, ends a group
	thirdsSigmas = 12   // variances of what is white by which thirds of a group may seem apart
)

// thinned is a dense trace with noise as fewer positions with less of it: each is the
// mean of a group of neighbours, but the first and the last are where the trace ends.
type thinned struct {
	trace []Point
	at    []int   // of each: the position in the middle of its group, ascending
	first []int   // of each: the first position of its group
	sigma float64 // standard deviation of the noise that is left, in metres
}

// Unknown are the options for a trace of unknown accuracy.
type Unknown struct {
	Usual   float64                        // accuracy in metres of a trace that does not show that it has less
	Whole   bool                           // every position takes part by itself
	Options func(accuracy float64) Options // the options for an accuracy
}

// options returns the options for an estimated accuracy, the usual one at least. If many
// positions take part, paths may exceed the straight line by less than the noise would
// require, so that the searches for them stay small.
func (u *Unknown) options(accuracy float64, many bool) Options {
	accuracy = max(accuracy, u.Usual)
	o := u.Options(accuracy)
	if many {
		o.Beta = max(betaShare*u.Usual, o.Beta/2)
	}
	return o
}

// MatchUnknown matches a trace of unknown accuracy. The estimated noise counts if it is more
// than usual, and positions nearer to each other than the noise take part as their mean,
// unless positions have headings. See Match for the rest.
func (q *Query) MatchUnknown(ctx context.Context, c *profile.Costing, trace []Point, u Unknown) (*Result, error) {
	n := NoiseOf(trace)
	if n.Sigma <= usualMore*u.Usual {
		return q.Match(ctx, c, trace, u.options(u.Usual, false))
	}
	t, ok := thinned{}, false
	if !u.Whole && !slices.ContainsFunc(trace, func(p Point) bool { return p.Within > 0 }) {
		t, ok = thin(trace, n)
	}
	if !ok {
		accuracy := n.Sigma
		if n.Spacing > sparseSigmas*n.Sigma { // bends have a part in it
			accuracy = min(accuracy, sparseMore*u.Usual)
		}
		return q.Match(ctx, c, trace, u.options(accuracy, true))
	}
	r, err := q.Match(ctx, c, t.trace, u.options(t.sigma, len(t.trace) > len(trace)/fewGrouped))
	if err != nil {
		return nil, err
	}
	return t.spread(ctx, q, trace, r)
}

// thin thins a trace. ok is false if that would gain nothing.
func thin(trace []Point, n Noise) (t thinned, ok bool) {
	long, drift := groupSigmas*n.Sigma, 0.0
	if n.Sigma > driftMore*n.White {
		long, drift = driftSigmas*n.Sigma, driftShare*(n.Sigma*n.Sigma-n.White*n.White)
	}
	most := mostGrouped
	if n.Spacing > 0 {
		most = min(most, int(long/n.Spacing+0.5))
	}
	if most < 2 {
		return t, false
	}
	for first := 0; first < len(trace); {
		last := first + 1
		for last < len(trace) && last-first < most && together(trace[first:last+1], n, long) {
			last++
		}
		t.trace, t.at, t.first = append(t.trace, mean(trace[first:last])), append(t.at, (first+last-1)/2), append(t.first, first)
		first = last
	}
	k := len(t.trace) - 1
	if k < 2 {
		return t, false
	}
	t.extrapolate(trace, 0, 1, 0)
	t.extrapolate(trace, k, k-1, len(trace)-1)
	corner := cornerShare * float64(most) * n.Spacing
	t.sigma = math.Sqrt(n.White*n.White/float64(most) + drift + corner*corner)
	return t, true
}

// together reports whether the last of some positions belongs to the group of the others:
// it is no leap away, and the group leads no farther than it may be long.
func together(group []Point, n Noise, long float64) bool {
	last := len(group) - 1
	if leap := offset(group[last-1].At, group[last].At, scaleAt(group[0].At)); math.Hypot(leap.x, leap.y) > leapSigmas*n.Sigma+4*n.Spacing {
		return false
	}
	if len(group)%3 != 0 {
		return true
	}
	third := len(group) / 3
	way := offset(mean(group[:third]).At, mean(group[2*third:]).At, scaleAt(group[0].At))
	return way.x*way.x+way.y*way.y <= long*long+thirdsSigmas*n.White*n.White/float64(third)
}

// mean returns the mean of positions.
func mean(group []Point) Point {
	var sum vertex
	time, scale := 0.0, scaleAt(group[0].At)
	for i := range group {
		o := offset(group[0].At, group[i].At, scale)
		sum.x, sum.y, time = sum.x+o.x, sum.y+o.y, time+group[i].Time
	}
	n := float64(len(group))
	return Point{At: moved(group[0].At, vertex{x: sum.x / n, y: sum.y / n}), Time: time / n}
}

// extrapolate moves the mean of a group at an end of the trace to that end, on the line
// from the next group.
func (t *thinned) extrapolate(trace []Point, group, next, end int) {
	share := float64(end-t.at[group]) / float64(t.at[next]-t.at[group])
	to := offset(t.trace[group].At, t.trace[next].At, scaleAt(t.trace[group].At))
	t.trace[group].At = moved(t.trace[group].At, vertex{x: to.x * share, y: to.y * share})
	t.trace[group].Time, t.at[group] = trace[end].Time, end
}

// end returns the position after the last one of a group.
func (t *thinned) end(group, positions int) int {
	if group+1 < len(t.first) {
		return t.first[group+1]
	}
	return positions
}

// spread returns the result for all positions of the trace. Those between the middles of two
// groups on one match are spread evenly over the way between; others are where their group
// is. Positions of a group that was left out have no place if they are too far from the way.
// The error is the context's.
func (t *thinned) spread(ctx context.Context, q *Query, trace []Point, r *Result) (*Result, error) {
	all := Result{Places: make([]Place, len(trace)), Matches: r.Matches, Near: r.Near}
	put := func(i int, p Place, k Kind) {
		p.Kind, p.Metres = k, geo.Distance(trace[i].At, p.At)
		all.Places[i] = p
	}
	last := -1 // the last group with a place
	for j := range r.Places {
		if j%checkPositions == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := &r.Places[j]
		if p.Kind == Unmatched {
			continue
		}
		for i := t.first[j]; i < t.end(j, len(trace)); i++ {
			put(i, *p, Interpolated)
		}
		if last >= 0 && r.Places[last].Match == p.Match {
			w := newWay(q, r.Matches[p.Match].Path, r.Places[last], *p)
			for i := t.at[last] + 1; i < t.at[j]; i++ {
				on := w.at(float64(i-t.at[last]) / float64(t.at[j]-t.at[last]))
				if leftOut := i >= t.end(last, len(trace)) && i < t.first[j]; !leftOut || geo.Distance(trace[i].At, on.At) <= q.o.Radius {
					put(i, on, Interpolated)
				}
			}
		}
		put(t.at[j], *p, p.Kind)
		last = j
	}
	for k := range all.Matches {
		m := &all.Matches[k]
		for j := m.First + 1; j <= m.Last; j++ {
			m.Straight += geo.Distance(t.trace[j-1].At, t.trace[j].At)
		}
		m.First, m.Last = t.first[m.First], t.end(m.Last, len(trace))-1
	}
	return &all, nil
}
