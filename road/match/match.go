// Package match finds the path along the roads that a trace of noisy positions was
// taken on. It follows Newson and Krumm, "Hidden Markov Map Matching Through Noise
// and Sparseness" (2009): the hidden states are places on the roads near each
// position, less likely the farther off they lie, and the transition from one to
// the next is less likely the more the path between them differs in length from
// the straight line between the positions. The most likely sequence is found
// exactly, by Viterbi's algorithm. Costs are negative logarithms of likelihoods.
//
// States are directed: a place is on an edge in one direction of travel, so that
// turn costs and restrictions apply across positions, and turning round at one has
// its price. A restriction over several ways is not applied where a position lies
// on an edge in its middle.
//
// MatchUnknown matches a trace of unknown accuracy: NoiseOf
// estimates its noise, and thin replaces neighbours that are nearer to each other
// than that by their mean.
//
// Match takes the positions one after another. candidates makes the states of one,
// from the segments that nearby keeps; step finds the transitions from the states
// before, with one bounded search for all of them where it can (localSearch); and
// where nothing leads on, close follows the parents of the likeliest state and lays
// the path through the states chosen.
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

	// Heading is the heading in degrees clockwise from north, and Within by how
	// many degrees a road's direction may differ from it; 0 allows any.
	Heading, Within float64
}

// headingFits reports whether the direction of a road, as a vector, fits the
// heading of a position; back is for travelling against it.
func (p *Point) headingFits(direction vertex, back bool) bool {
	if p.Within == 0 || direction.x == 0 && direction.y == 0 {
		return true
	}
	way := math.Atan2(direction.x, direction.y) * 180 / math.Pi
	if back {
		way += 180
	}
	off := math.Abs(math.Remainder(way-p.Heading, 360))
	return off <= p.Within
}

// Options are the parameters of the model. All lengths are metres.
type Options struct {
	Sigma         float64 // standard deviation of the positions' error
	Beta          float64 // scale of the difference in length between road and straight line
	Radius        float64 // within which roads are looked for
	Breakage      float64 // a longer gap between positions splits the trace
	Interpolation float64 // positions nearer to the last one than this take no part and are put on the path found
	Turn          float64 // penalty of turning right round; lesser turns have less
	Excess        float64 // by how much a path may be longer than the straight line; 0 sets a limit by Beta
	Strict        bool    // every position must be matched, without a gap
	OmitExcluded  bool    // edges that the traveller's options exclude are not used even at the ends
}

// ForAccuracy returns options for positions of an accuracy in metres.
func ForAccuracy(accuracy float64) Options {
	return Options{
		Sigma: accuracy, Beta: betaShare * accuracy, Radius: math.Max(50, 3*accuracy), Breakage: 2000,
		Interpolation: interpolationShare * accuracy, Turn: turnShare * accuracy,
	}
}

// EdgeWalk returns options for lines that were made from the roads themselves, as the shape
// of an earlier route: every vertex is there, to the digits of an encoded polyline.
func EdgeWalk() Options {
	return Options{Sigma: 1, Beta: 1, Radius: 4, Breakage: 100_000, Turn: 8, Excess: 5, Strict: true}
}

// Parameters of the model that do not come with a request.
const (
	betaShare          = 1  // of the accuracy
	turnShare          = 24 // of the accuracy
	interpolationShare = 2  // of the accuracy
	beam               = 50 // a state dearer than the best by more than this is not followed
	backwardSigmas     = 4  // noise may seem to move a traveller back along an edge by so many
	tooFast            = 3  // times the speed by the costing
	maxCandidates      = 16 // segments considered for a position
	maxOutliers        = 2  // positions in a row that may be taken for outliers
)

// Kind is how a position was matched.
type Kind uint8

// The kinds: a position without a place, one that took no part and was put on the
// path found, and one that took part.
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
	Score       float64    // negative logarithm of the likelihood, up to a constant: lower is likelier
	Straight    float64    // metres straight from each position that took part to the next, where these are means; 0 for others
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
	settled      int
	lastDistance pairDistance // the last one computed
	chosen       []int32
	edges        []graph.Edge
}

// layer is the states of a position that takes part.
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
	emission    float64 // the cost of that
	cost        float64 // of the most likely sequence that ends here
	parent      int32   // in states; -1 at the start
	reverse     int32   // the same place in the other direction; -1 where there is none
	turnedRound bool    // the sequence comes from reverse, by turning round on the spot
}

// NewQuery returns a query over a graph and its index.
func NewQuery(g *graph.Graph, t *snap.Tree) *Query {
	return &Query{g: g, nearby: nearby{g: g, tree: t}, local: localSearch{g: g, most: maxArcs}}
}

// maxStates is the capacity of states above which scratch is not kept for the next
// trace.
const maxStates = 1 << 17

// Match matches a trace for a traveller. The error is the context's. The result is
// valid until the next call.
func (q *Query) Match(ctx context.Context, c *profile.Costing, trace []Point, o Options) (*Result, error) {
	if cap(q.states) > maxStates {
		q.states = nil
	}
	q.c, q.o, q.trace = c, o, trace
	q.layers, q.states = q.layers[:0], q.states[:0]
	q.result = Result{Places: make([]Place, len(trace))}
	q.local.begin(c, o)
	q.nearby.begin()
	q.local.untimed = !slices.ContainsFunc(trace, func(p Point) bool { return !math.IsNaN(p.Time) })
	q.lastDistance = pairDistance{}
	for i := range trace {
		if i%checkPositions == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !q.takesPart(i) {
			continue
		}
		if err := q.extend(ctx, i); err != nil {
			return nil, err
		}
		if o.Strict && (len(q.layers) == 0 || q.layers[0].point != 0 || q.layers[len(q.layers)-1].point != i) {
			return &Result{Places: q.result.Places, Near: q.result.Near}, nil
		}
	}
	if err := q.close(ctx); err != nil {
		return nil, err
	}
	return &q.result, nil
}

// takesPart reports whether position i takes part: if it is far enough from the
// last one that does, or the first or the last of all.
func (q *Query) takesPart(i int) bool {
	if len(q.layers) == 0 || i == len(q.trace)-1 {
		return true
	}
	last := q.layers[len(q.layers)-1].point
	return q.straight(last, i) >= q.o.Interpolation
}

// pairDistance is the straight distance between two positions.
type pairDistance struct {
	from, to int
	metres   float64
}

// straight returns the distance between two positions in metres.
func (q *Query) straight(from, to int) float64 {
	if q.lastDistance.from != from || q.lastDistance.to != to {
		q.lastDistance = pairDistance{from, to, geo.Distance(q.trace[from].At, q.trace[to].At)}
	}
	return q.lastDistance.metres
}

// extend appends position i to the sequence. Where no path leads to it, it is taken
// for an outlier and left out if a path leads to one of the next; otherwise the
// trace has a gap here and a new sequence begins.
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
	// close drops all states, so those of the position are made again.
	if err := q.close(ctx); err != nil {
		return err
	}
	q.start(q.candidates(i))
	return nil
}

// rejoins reports whether a path leads from the last layer to one of the positions
// after i, which is an outlier then.
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
		s.cost, s.parent, s.turnedRound = s.emission, -1, false
	}
	q.layers = append(q.layers, l)
}

// emission returns the cost of a state so many metres from the position.
func (q *Query) emission(metres float64) float64 {
	off := metres / q.o.Sigma
	return off * off / 2
}

// candidates appends the states of a position: the nearest place on each
// segment within the radius, in each direction that may be travelled.
func (q *Query) candidates(i int) layer {
	l := layer{point: i, first: len(q.states)}
	for _, p := range q.nearby.around(q.trace[i:], q.o.Radius, maxCandidates, q.local.allowed) {
		first, emission := len(q.states), q.emission(p.metres)
		put := func(e graph.Edge, along float64, back bool) {
			if e != graph.None && q.trace[i].headingFits(p.bearing, back) {
				q.states = append(q.states, state{edge: e, along: along, at: p.at, metres: p.metres, emission: emission, reverse: -1, parent: -1})
			}
		}
		put(p.edges.forward, p.along, false)
		put(p.edges.back, 1-p.along, true)
		if len(q.states) == first+2 {
			q.states[first].reverse, q.states[first+1].reverse = int32(first+1), int32(first)
		}
	}
	l.last = len(q.states)
	return l
}
