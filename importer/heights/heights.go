// Package heights is the import stage that finds how steep the roads are: it
// samples the heights of the ground along every road and weighs its slopes.
package heights

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/road/graph"
)

// Found is the result of Measure.
type Found struct {
	Grades  *graph.Grades
	Known   int // segments with heights
	Unknown int // segments without, taken to be level
}

// Measure computes the grades of a graph's roads. Where the tiles have no height, a
// road is level and its height unknown.
func Measure(ctx context.Context, g *graph.Graph, tiles *height.Set, report func(done, size int64)) (Found, error) {
	f := Found{Grades: graph.NewGrades(g.Segments())}
	m := measurer{g: g, reader: height.NewReader(tiles)}
	done := int64(0)
	// Edges are ordered along a Hilbert curve, so tiles are opened about once.
	for e := range g.Base {
		if g.Backward(e) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return f, err
		}
		if done++; done%4096 == 0 {
			report(done, int64(g.Segments()))
		}
		s := g.Segment(e)
		known, err := m.measure(s, f.Grades)
		if err != nil {
			return f, err
		}
		if known {
			f.Known++
		} else {
			f.Unknown++
		}
	}
	return f, nil
}

// Tiles lists the corners of the tiles that a graph's roads lie on, each once, in the
// order in which they are first needed. For a road longer than longest it lists those
// of its points alone.
func Tiles(g *graph.Graph) []height.Corner {
	var list []height.Corner
	seen := map[height.Corner]bool{}
	var last height.Corner
	for s := range graph.Segment(g.Segments()) {
		shape := g.SegmentShape(s)
		for i, p := range shape {
			c := height.CornerOf(p.Point())
			if i > 0 && c == last {
				continue
			}
			low, high := c, c
			if i > 0 && g.BySegment[s].Length <= longest { // a line between two tiles may cross others
				low = height.Corner{Lat: min(c.Lat, last.Lat), Lon: min(c.Lon, last.Lon)}
				high = height.Corner{Lat: max(c.Lat, last.Lat), Lon: max(c.Lon, last.Lon)}
			}
			last = c
			for lat := low.Lat; lat <= high.Lat; lat++ {
				for lon := low.Lon; lon <= high.Lon; lon++ {
					if c := (height.Corner{Lat: lat, Lon: lon}); !seen[c] {
						seen[c] = true
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

// interval is the distance in metres between two samples of the ground, and shortest
// the length below which a road is taken to be level, because heights are not that
// fine. Both are Valhalla's. A road longer than longest without a junction is an error
// of the map, and not measured.
const (
	interval = 60
	shortest = 10
	longest  = 1_000_000
)

// measurer measures one segment after another.
type measurer struct {
	g       *graph.Graph
	reader  *height.Reader
	heights []float64 // NaN where not known
}

func (m *measurer) measure(s graph.Segment, out *graph.Grades) (known bool, err error) {
	g := m.g
	spans := g.BySegment[s].Flags&(graph.Bridge|graph.Tunnel) != 0
	ferry := g.BySegment[s].Use == graph.Ferry || g.BySegment[s].Use == graph.RailFerry
	if g.BySegment[s].Length > longest && !ferry {
		return false, nil
	}
	if spans || ferry {
		err = m.ends(s)
	} else {
		err = m.sample(s)
	}
	if err != nil {
		return false, err
	}
	mean, ok := mean(m.heights)
	if !ok {
		return false, nil
	}
	out.Mean[s] = int16(math.Round(mean))
	if ferry || float64(g.BySegment[s].Length) < shortest {
		return true, nil
	}
	step := float64(interval)
	if spans {
		step = max(interval, float64(g.BySegment[s].Length))
	}
	forward, backward := slopesOf(m.heights, step, 1), slopesOf(m.heights, step, -1)
	if spans {
		forward, backward = forward.level(), backward.level()
	}
	out.Weighted[s.Forwards()], out.Weighted[s.Backwards()] = forward.weighted(), backward.weighted()
	out.Up[s], out.Down[s] = whole(forward.up), whole(forward.down)
	return true, nil
}

// ends samples the heights of a segment's two ends alone, for bridges and tunnels.
func (m *measurer) ends(s graph.Segment) error {
	shape := m.g.SegmentShape(s)
	m.heights = m.heights[:0]
	if err := m.add(shape[0].Point()); err != nil {
		return err
	}
	return m.add(shape[len(shape)-1].Point())
}

// sample takes the heights of a segment every interval and at its end.
func (m *measurer) sample(s graph.Segment) error {
	shape := m.g.SegmentShape(s)
	m.heights = m.heights[:0]
	at := shape[0].Point()
	if err := m.add(at); err != nil {
		return err
	}
	left := float64(interval)
	for _, f := range shape[1:] {
		next := f.Point()
		d := geo.Distance(at, next)
		for d > left {
			part := left / d
			at = geo.Point{Lon: at.Lon + (next.Lon-at.Lon)*part, Lat: at.Lat + (next.Lat-at.Lat)*part}
			if err := m.add(at); err != nil {
				return err
			}
			d -= left
			left = interval
		}
		left -= d
		at = next
	}
	return m.add(at)
}

func (m *measurer) add(p geo.Point) error {
	h, ok, err := m.reader.Height(p)
	if !ok {
		h = math.NaN()
	}
	m.heights = append(m.heights, h)
	return err
}

func mean(heights []float64) (metres float64, ok bool) {
	sum, n := 0.0, 0
	for _, h := range heights {
		if !math.IsNaN(h) {
			sum, n = sum+h, n+1
		}
	}
	return sum / float64(n), n > 0
}
