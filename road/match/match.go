// Package match finds the way that a trace of noisy positions was taken along
// the roads. It follows Newson and Krumm, "Hidden Markov map matching through
// noise and sparseness" (2009): the hidden states are places on the roads near
// each position, less likely the farther off they lie, and going from one to
// the next is less likely the more the way between them differs in length from
// the straight line between the positions. The most likely sequence is found
// exactly (Viterbi).
//
// States are directed: a place is on an edge in one direction of travel, so
// that turn costs and restrictions hold through the positions too, and turning
// round between them has its price. A restriction over several ways is
// forgotten where a position lies on one in its middle.
package match

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/snap"
)

// Point is one position of a trace.
type Point struct {
	At   geo.Point
	Time float64 // seconds since any moment; NaN where unknown

	// Course is where it headed, in degrees clockwise from north, and Within by
	// how many degrees a way may be off that; 0 is any way.
	Course, Within float64
}

// headingFits reports whether a way of a course may be the one that a position is on.
func (p *Point) headingFits(course vertex, back bool) bool {
	if p.Within == 0 || course.x == 0 && course.y == 0 {
		return true
	}
	way := math.Atan2(course.x, course.y) * 180 / math.Pi
	if back {
		way += 180
	}
	off := math.Abs(math.Remainder(way-p.Course, 360))
	return off <= p.Within
}

// Options are the parameters of the model. All lengths are metres.
type Options struct {
	Sigma         float64 // standard deviation of the positions' error
	Beta          float64 // scale of the difference in length between road and straight line
	Radius        float64 // within which roads are looked for
	Breakage      float64 // a longer gap between positions splits the trace
	Interpolation float64 // positions nearer to the last one than this are put on the way found without them
	Turn          float64 // what turning right round counts as; lesser turns count less
	Excess        float64 // by how much a way may be longer than the straight line; 0 is as far as it is likely at all
	Strict        bool    // every position must be matched, without a gap
	LeaveOut      bool    // what the traveller's options exclude takes no part at all
}

// For gives options for positions of an accuracy in metres.
func For(accuracy float64) Options {
	return Options{
		Sigma: accuracy, Beta: betaShare * accuracy, Radius: math.Max(50, 3*accuracy), Breakage: 2000,
		Interpolation: interpolationShare * accuracy, Turn: turnShare * accuracy,
	}
}

// Walk are the options for lines that were taken from the roads themselves,
// as the shape of an earlier route: every vertex is there, to the digits of an
// encoded polyline.
func Walk() Options {
	return Options{Sigma: 1, Beta: 1, Radius: 4, Breakage: 100_000, Turn: 8, Excess: 5, Strict: true}
}

// Parameters of the model that do not come with a request.
const (
	betaShare          = 1  // of the accuracy
	turnShare          = 24 // of the accuracy
	interpolationShare = 2  // of the accuracy
	beam               = 50 // a state this much dearer than the best is not followed
	backwardSigmas     = 4  // how far back along an edge noise may seem to move a traveller
	tooFast            = 3  // times the speed that the costing gives a way
	maxCandidates      = 16 // segments a position may lie on
	maxOutliers        = 2  // positions in a row taken for wild ones
)

// Kind says how a position was matched.
type Kind uint8

// The kinds: a position without a place, one that the way was found without
// and that was put on it, and one that took part.
const (
	Unmatched Kind = iota
	Interpolated
	Matched
)

// Place is where on the roads a position was matched to.
type Place struct {
	Kind   Kind
	Match  int     // in Result.Matches
	Step   int     // of the match's path
	Along  float64 // part of the edge's length, 0 to 1, in the direction of travel
	At     geo.Point
	Metres float64 // from the position
}

// Match is a stretch of the trace that was matched without a gap.
type Match struct {
	Path        graph.Path // without times and costs
	First, Last int        // positions at its ends
	Score       float64    // negative logarithm of the likelihood, up to a constant; lower is better
}

// Result is a matched trace.
type Result struct {
	Places  []Place // by position
	Matches []Match // in order; none where nothing matched
	Near    bool    // some position has a road within the radius
}

// Query matches traces. It is scratch for one goroutine at a time.
type Query struct {
	g            *graph.Graph
	nearby       nearby
	c            *profile.Costing
	o            Options
	local        localSearch
	layers       []layer
	states       []state
	order        []int32
	result       Result
	trace        []Point
	targets      table // edge to its state in the next layer
	settled      int
	lastDistance pairDistance // measured last
	chosen       []int32
	edges        []graph.Edge
}

// layer is a position that takes part, with its states.
type layer struct {
	point       int     // in the trace
	first, last int     // in states, last excluded
	straight    float64 // metres from the layer before
}

// state is a place on a directed edge as a hidden state.
type state struct {
	edge        graph.Edge
	along       float64
	at          geo.Point
	metres      float64 // from the position
	cost        float64 // of the most likely sequence that ends here
	parent      int32   // in states; -1 at the start
	reverse     int32   // the same place in the other direction; -1 where there is none
	turnedRound bool    // the sequence comes from the twin by turning round on the spot
}

// NewQuery gives a query over a graph and its index.
func NewQuery(g *graph.Graph, t *snap.Tree) *Query {
	return &Query{g: g, nearby: nearby{g: g, tree: t, box: snap.Box{MinLon: 1}}, local: localSearch{g: g}}
}

// maxStates bounds, in states, the scratch that is kept between traces.
const maxStates = 1 << 17

// Match matches a trace for a traveller. The error is the context's. The
// result is good until the next call.
func (q *Query) Match(ctx context.Context, c *profile.Costing, trace []Point, o Options) (*Result, error) {
	if cap(q.states) > maxStates {
		q.states = nil
	}
	q.c, q.o, q.trace = c, o, trace
	q.layers, q.states = q.layers[:0], q.states[:0]
	q.result = Result{Places: make([]Place, len(trace))}
	q.local.begin(c, o)
	q.local.untimed = !slices.ContainsFunc(trace, func(p Point) bool { return !math.IsNaN(p.Time) })
	q.lastDistance = pairDistance{}
	for i := range trace {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !q.takesPart(i) {
			continue
		}
		if err := q.extend(ctx, i); err != nil {
			return nil, err
		}
		if o.Strict && (len(q.layers) == 0 || q.layers[len(q.layers)-1].point != i || len(q.result.Matches) > 0) {
			return &Result{Places: q.result.Places, Near: q.result.Near}, nil
		}
	}
	if err := q.close(ctx); err != nil {
		return nil, err
	}
	return &q.result, nil
}

// takesPart reports whether a position is far enough from the last one that
// did; the first and the last always are.
func (q *Query) takesPart(i int) bool {
	if len(q.layers) == 0 || i == len(q.trace)-1 {
		return true
	}
	last := q.layers[len(q.layers)-1].point
	return q.straight(last, i) >= q.o.Interpolation
}

// pairDistance is how far apart two positions are.
type pairDistance struct {
	from, to int
	metres   float64
}

// straight is how far apart two positions are in metres.
func (q *Query) straight(from, to int) float64 {
	if q.lastDistance.from != from || q.lastDistance.to != to {
		q.lastDistance = pairDistance{from, to, geo.Distance(q.trace[from].At, q.trace[to].At)}
	}
	return q.lastDistance.metres
}

// extend takes a position into the sequence. Where no way leads to it, it may
// be a wild one and is left out if a way leads to one of the next; otherwise
// the trace has a gap here and a new sequence begins.
func (q *Query) extend(ctx context.Context, i int) error {
	next := q.candidates(i)
	if next.first == next.last {
		return nil
	}
	q.result.Near = true
	if len(q.layers) == 0 {
		q.start(next)
		return nil
	}
	last := &q.layers[len(q.layers)-1]
	ok, err := q.step(ctx, last, &next)
	if err != nil {
		return err
	}
	if ok {
		q.layers = append(q.layers, next)
		return nil
	}
	if !q.o.Strict {
		if ok, err = q.rejoins(ctx, i); ok || err != nil {
			q.states = q.states[:next.first]
			return err
		}
	}
	// The states of the position are made anew behind those that stay.
	if err := q.close(ctx); err != nil {
		return err
	}
	q.start(q.candidates(i))
	return nil
}

// rejoins reports whether the sequence can go on at one of the positions after
// i, which would then be a wild one.
func (q *Query) rejoins(ctx context.Context, i int) (bool, error) {
	last := &q.layers[len(q.layers)-1]
	keep := len(q.states)
	defer func() { q.states = q.states[:keep] }()
	for j := i + 1; j < len(q.trace) && j <= last.point+1+maxOutliers; j++ {
		next := q.candidates(j)
		if next.first != next.last {
			if ok, err := q.step(ctx, last, &next); ok || err != nil {
				return ok, err
			}
		}
		q.states = q.states[:keep]
	}
	return false, nil
}

func (q *Query) start(l layer) {
	for i := l.first; i < l.last; i++ {
		s := &q.states[i]
		s.cost, s.parent, s.turnedRound = q.emission(s), -1, false
	}
	q.layers = append(q.layers, l)
}

// emission is the negative logarithm of how likely a position is so far off.
func (q *Query) emission(s *state) float64 {
	off := s.metres / q.o.Sigma
	return off * off / 2
}

// candidates appends the states of a position: the nearest place on each
// segment within the radius, in each direction that may be travelled.
func (q *Query) candidates(i int) layer {
	l := layer{point: i, first: len(q.states)}
	for _, p := range q.nearby.around(q.trace[i].At, q.o.Radius, maxCandidates, q.travelled) {
		first := len(q.states)
		forward := q.g.Forward[p.segment]
		for _, e := range [2]graph.Edge{forward, q.g.Opposite[forward]} {
			back := q.g.Backward(e)
			if !q.local.allowed(e) || !q.trace[i].headingFits(p.course, back) {
				continue
			}
			along := p.along
			if back {
				along = 1 - along
			}
			q.states = append(q.states, state{edge: e, along: along, at: p.at, metres: p.metres, reverse: -1, parent: -1})
		}
		if len(q.states) == first+2 {
			q.states[first].reverse, q.states[first+1].reverse = int32(first+1), int32(first)
		}
	}
	l.last = len(q.states)
	return l
}

// travelled reports whether a segment may be travelled at all.
func (q *Query) travelled(segment graph.Segment) bool {
	forward := q.g.Forward[segment]
	return q.local.allowed(forward) || q.local.allowed(q.g.Opposite[forward])
}
