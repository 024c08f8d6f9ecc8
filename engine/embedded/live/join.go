package live

import (
	"context"
	"errors"
	"math"

	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// Report is a source's report on the roads, by places in the terms of the source.
type Report struct {
	Segments []link.Segment
	Ways     []link.Way
	Turns    []link.Turn
	Stretch  []Stretch
}

// Stretch is a stretch of road and what is reported of it.
type Stretch struct {
	Place   link.Place
	Kmh     float64 // 0 where unknown
	Seconds float64 // of travel along it; 0 where unknown
	At      uint32  // Unix seconds when it was so; 0 where unknown
	Closed  bool
	Windows []overlay.Change // times of the closure, without edges; nil is always
}

// MatchedReport is a report by the edges of a region.
type MatchedReport struct {
	Speeds   []link.Speed
	Closures []overlay.Change
	Turns    []link.TurnTime
	Lines    [][][]geo.Point // by stretch: where it is on the roads, one line for each direction
	Missed   int             // stretches, ways, turns and segments that are on no road of the region
}

// Join finds the edges that a source means. Its only error is that of its context.
func (e *Roads) Join(ctx context.Context, t *Report) (*MatchedReport, error) {
	out := &MatchedReport{Lines: make([][][]geo.Point, len(t.Stretch))}
	ctx = e.base.Scratch.Background(ctx)
	speeds, err := link.Segments(ctx, e.base.Graph, t.Segments)
	if err != nil {
		return nil, err
	}
	out.Speeds = speeds
	turns, missed, err := link.Turns(ctx, e.base.Graph, t.Turns)
	if err != nil {
		return nil, err
	}
	out.Turns = turns
	out.Missed = max(0, len(t.Segments)-len(speeds)) + missed
	for i := range t.Ways {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out.way(e, &t.Ways[i])
	}
	j := link.NewJoiner(e.base.Graph, e.base.Tree, e.EdgesOf)
	var lists [][]int64
	var of []int
	for i := range t.Stretch {
		s := &t.Stretch[i]
		if len(s.Place.Nodes) > 1 {
			lists, of = append(lists, s.Place.Nodes), append(of, i)
			continue
		}
		paths, err := j.Find(ctx, &s.Place)
		switch {
		case errors.Is(err, link.ErrNotFound):
			out.Missed++
			continue
		case err != nil:
			return nil, err
		}
		for _, path := range paths {
			out.add(e, i, s, path)
		}
	}
	edges, err := link.Nodes(ctx, e.base.Graph, lists)
	if err != nil {
		return nil, err
	}
	for k, list := range edges {
		if len(list) == 0 {
			out.Missed++
		}
		for _, x := range list {
			out.add(e, of[k], &t.Stretch[of[k]], graph.Path{{Edge: x, End: 1}})
		}
	}
	return out, nil
}

func (j *MatchedReport) way(e *Roads, w *link.Way) {
	found := false
	for _, x := range e.EdgesOf(w.ID) {
		back := e.base.Graph.Backward(x)
		if w.Dir == link.Both || back == (w.Dir == link.Backwards) {
			j.Speeds = append(j.Speeds, link.Speed{Edge: x, Kmh: w.Kmh, At: w.At})
			found = true
		}
	}
	if !found {
		j.Missed++
	}
}

// leastPart is how much of an edge at the end of a stretch counts at least: a share
// for speeds, metres for closures.
const (
	leastPart   = 0.5
	leastMetres = 10
)

// add notes what is reported of a path.
func (j *MatchedReport) add(e *Roads, i int, s *Stretch, path graph.Path) {
	g := e.base.Graph
	j.Lines[i] = append(j.Lines[i], pathLine(g, path))
	kmh := s.Kmh
	if metres := path.Metres(g); kmh == 0 && s.Seconds > 0 {
		if kmh = metres / s.Seconds * 3.6; kmh > 250 {
			kmh = 0 // of another road
		}
	}
	for _, step := range path {
		part := step.End - step.Begin
		point := part == 0 && len(path) == 1
		if s.Closed && (point || part*g.EdgeLength(step.Edge) >= leastMetres || part > leastPart) {
			for _, w := range windows(s) {
				w.Edge, w.Closed = step.Edge, true
				j.Closures = append(j.Closures, w)
			}
		}
		if !s.Closed && kmh > 0 && (point || part > leastPart) {
			j.Speeds = append(j.Speeds, link.Speed{Edge: step.Edge, Kmh: uint8(math.Max(1, math.Round(kmh))), At: s.At})
		}
	}
}

func windows(s *Stretch) []overlay.Change {
	if len(s.Windows) == 0 {
		return make([]overlay.Change, 1)
	}
	return s.Windows
}

// pathLine returns the line of a path, from where it begins to where it ends. A path
// that is a point has one point.
func pathLine(g *graph.Graph, path graph.Path) []geo.Point {
	var line, shape []geo.Point
	for _, s := range path {
		shape = g.AppendShape(shape[:0], s.Edge)
		length := geo.Length(shape)
		at := 0.0
		from, to := s.Begin*length, s.End*length
		line = appendPoint(line, kernel.PointAlong(g, s.Edge, s.Begin))
		for i := 1; i < len(shape); i++ {
			at += geo.Distance(shape[i-1], shape[i])
			if at > from && at < to {
				line = appendPoint(line, shape[i])
			}
		}
		line = appendPoint(line, kernel.PointAlong(g, s.Edge, s.End))
	}
	return line
}

func appendPoint(line []geo.Point, p geo.Point) []geo.Point {
	if len(line) > 0 && line[len(line)-1] == p {
		return line
	}
	return append(line, p)
}

// SpeedsOf returns the speeds of edges by those between their nodes. Its only error is
// that of its context.
func (e *Roads) SpeedsOf(ctx context.Context, list []link.Segment) ([]link.Speed, error) {
	return link.Segments(e.base.Scratch.Background(ctx), e.base.Graph, list)
}
