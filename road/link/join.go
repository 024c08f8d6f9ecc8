package link

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/openlr"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/snap"
)

// Joiner finds places. It is scratch for one goroutine at a time.
type Joiner struct {
	g      *graph.Graph
	snap   *snap.Query
	match  *match.Query
	openlr *openlr.Decoder
	ways   func(way int64) []graph.Edge
	car    *profile.Costing
	points []match.Point
}

// NewJoiner returns a joiner over a graph and its index. ways lists the directed
// edges of an OSM way.
func NewJoiner(g *graph.Graph, t *snap.Tree, ways func(way int64) []graph.Edge) *Joiner {
	return &Joiner{
		g: g, snap: snap.NewQuery(g, t), match: match.NewQuery(g, t), openlr: openlr.NewDecoder(g, t), ways: ways,
		car: profile.New(g, costing.Default(costing.Auto)),
	}
}

// ErrNotFound is a place that is on no road of the graph.
var ErrNotFound = errors.New("no road of the region is meant")

// Find returns the ways that a place means, one for each direction. Places that are
// given by nodes are found by Nodes, many at once. The error is ErrNotFound,
// or that of the context.
func (j *Joiner) Find(ctx context.Context, p *Place) ([]graph.Path, error) {
	switch {
	case p.Way != 0:
		return j.way(p)
	case len(p.OpenLR) > 0:
		return j.reference(p)
	case len(p.Line) == 1 || len(p.Line) > 1 && geo.Length(p.Line) < shortLine:
		return j.point(p)
	case len(p.Line) > 1:
		return j.line(ctx, p)
	}
	return nil, ErrNotFound
}

func (j *Joiner) way(p *Place) ([]graph.Path, error) {
	var ahead, back graph.Path
	for _, e := range j.ways(p.Way) {
		if j.g.ByEdge[e].Access&graph.Vehicles == 0 {
			continue
		}
		step := graph.Step{Edge: e, End: 1}
		if j.g.Backward(e) {
			back = append(back, step)
		} else {
			ahead = append(ahead, step)
		}
	}
	var list []graph.Path
	if p.Dir != Backwards && ahead != nil {
		list = append(list, ahead)
	}
	if p.Dir != Forwards && back != nil {
		list = append(list, back)
	}
	return list, orNotFound(list)
}

func orNotFound(list []graph.Path) error {
	if len(list) == 0 {
		return ErrNotFound
	}
	return nil
}

func (j *Joiner) reference(p *Place) ([]graph.Path, error) {
	l, err := openlr.Parse(p.OpenLR)
	if err != nil {
		return nil, ErrNotFound
	}
	path, err := j.openlr.Decode(l)
	if err != nil {
		return nil, ErrNotFound
	}
	return []graph.Path{path}, nil
}

// How far a place may lie from the roads it means, in metres.
const (
	pointRadius = 30
	lineRadius  = 15 // standard deviation of a line
	shortLine   = 10
	sameSpot    = 8   // roads that lie no farther than the nearest are as good
	maxOff      = 50  // degrees from the heading
	longest     = 200 // km of a line
)

// point finds the edge at a point that leads where the place heads; both of its
// directions where there is no heading.
func (j *Joiner) point(p *Place) ([]graph.Path, error) {
	heading := p.Heading
	if len(p.Line) > 1 && p.Line[0] != p.Line[len(p.Line)-1] && p.Dir != Both {
		h := geo.Bearing(p.Line[0], p.Line[len(p.Line)-1])
		heading = &h
	}
	if p.Dir == Both {
		heading = nil
	}
	var list []graph.Path
	nearest, segment := math.Inf(1), graph.Segment(graph.None)
	j.snap.Nearest(p.Line[0], pointRadius, func(c snap.Candidate) bool {
		if c.Metres > nearest+sameSpot {
			return false
		}
		forward := j.g.Forward[c.Segment]
		for _, e := range []graph.Edge{forward, j.g.ByEdge[forward].Opposite} {
			if j.g.ByEdge[e].Access&graph.Motor == 0 {
				continue
			}
			along, bearing := c.Along, j.bearing(c)
			if e != forward {
				along, bearing = 1-along, bearing+180
			}
			if heading != nil && math.Abs(math.Remainder(bearing-*heading, 360)) > maxOff {
				continue
			}
			if segment != graph.None && segment != c.Segment {
				return false // the nearest segment, one or both of its directions
			}
			segment, nearest = c.Segment, min(nearest, c.Metres)
			list = append(list, graph.Path{{Edge: e, Begin: along, End: along}})
		}
		return true
	})
	return list, orNotFound(list)
}

// bearing returns the direction of a segment at a place on it, in degrees.
func (j *Joiner) bearing(c snap.Candidate) float64 {
	shape := j.g.SegmentShape(c.Segment)
	return geo.Bearing(shape[c.Piece].Point(), shape[c.Piece+1].Point())
}

// line finds the way along a line, each direction by itself.
func (j *Joiner) line(ctx context.Context, p *Place) ([]graph.Path, error) {
	if geo.Length(p.Line) > longest*1000 {
		return nil, ErrNotFound
	}
	var list []graph.Path
	if p.Dir != Backwards {
		path, err := j.along(ctx, p.Line)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		if err == nil {
			list = append(list, path)
		}
	}
	if p.Dir != Forwards {
		back := make([]geo.Point, len(p.Line))
		for i, at := range p.Line {
			back[len(back)-1-i] = at
		}
		path, err := j.along(ctx, back)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		if err == nil {
			list = append(list, path)
		}
	}
	return list, orNotFound(list)
}

// How long the way may be beside the line.
const (
	lengthShare = 0.2
	lengthSlack = 60 // metres
)

func (j *Joiner) along(ctx context.Context, line []geo.Point) (graph.Path, error) {
	j.points = j.points[:0]
	for i, at := range line {
		if i > 0 && at == line[i-1] {
			continue
		}
		j.points = append(j.points, match.Point{At: at, Time: math.NaN()})
	}
	if len(j.points) < 2 {
		return nil, ErrNotFound
	}
	o := match.ForAccuracy(lineRadius)
	o.Breakage = 20_000
	found, err := j.match.Match(ctx, j.car, j.points, o)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(found.Matches) != 1 {
		return nil, ErrNotFound
	}
	path := slices.Clone(found.Matches[0].Path)
	// One that goes to and fro matches something else.
	if want := geo.Length(line); math.Abs(path.Metres(j.g)-want) > lengthShare*want+lengthSlack {
		return nil, ErrNotFound
	}
	return path, nil
}
