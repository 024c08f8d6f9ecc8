package coverage

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/road/graph"
)

// counter counts the tags of a graph's roads.
type counter struct {
	g       *graph.Graph
	tagged  map[int64]tagged
	bridges crossings
	cells   map[coverage.Cell]*coverage.Tally
}

// count finds the bridges, and then counts all roads that lorries may use.
func (c *counter) count(ctx context.Context) error {
	g := c.g
	var line []geo.Point
	for s := range graph.Segment(g.Segments()) {
		if g.BySegment[s].Flags&graph.Bridge != 0 {
			c.bridges.add(c.line(line[:0], s))
		}
	}
	for s := range graph.Segment(g.Segments()) {
		if s%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		forward := g.Forward[s]
		if (g.ByEdge[forward].Access|g.ByEdge[g.ByEdge[forward].Opposite].Access)&graph.Truck == 0 || g.BySegment[s].Class == graph.ServiceOther || g.BySegment[s].Use == graph.Ferry {
			continue
		}
		line = c.line(line[:0], s)
		c.segment(s, line)
	}
	return nil
}

func (c *counter) line(line []geo.Point, s graph.Segment) []geo.Point {
	for _, f := range c.g.SegmentShape(s) {
		line = append(line, f.Point())
	}
	return line
}

// segment counts one road, in the cell of its middle.
func (c *counter) segment(s graph.Segment, line []geo.Point) {
	g := c.g
	set := c.tagged[g.WayID[s]]
	tally := c.tally(line[len(line)/2])
	add := func(all, with *uint32, n uint32, kinds tagged) {
		*all += n
		if set&kinds != 0 {
			*with += n
		}
	}
	bridge := g.BySegment[s].Flags&graph.Bridge != 0
	if g.BySegment[s].Flags&graph.Tunnel != 0 || c.bridges.over(line) {
		add(&tally.Under, &tally.UnderTagged, 1, height)
	}
	if bridge {
		add(&tally.Bridges, &tally.BridgesTagged, 1, weight)
	}
	metres := uint32(math.Ceil(float64(g.BySegment[s].Length)))
	if g.BySegment[s].Class <= graph.Primary {
		add(&tally.Main, &tally.MainTagged, metres, lorries|height|weight)
	} else if g.BySegment[s].Class >= graph.Tertiary {
		add(&tally.Minor, &tally.MinorTagged, metres, width|weight|lorries)
	}
}

func (c *counter) tally(p geo.Point) *coverage.Tally {
	cell := coverage.CellOf(p)
	t := c.cells[cell]
	if t == nil {
		t = &coverage.Tally{}
		c.cells[cell] = t
	}
	return t
}

// crossings are pieces of bridges by squares of the ground.
type crossings map[[2]int32][][2]geo.Point

// square is the side of one, in degrees: some 200 m.
const square = 0.002

func squares(a, b geo.Point, yield func([2]int32)) {
	at := func(degrees float64) int32 { return int32(math.Floor(degrees / square)) }
	for y := at(min(a.Lat, b.Lat)); y <= at(max(a.Lat, b.Lat)); y++ {
		for x := at(min(a.Lon, b.Lon)); x <= at(max(a.Lon, b.Lon)); x++ {
			yield([2]int32{x, y})
		}
	}
}

// longest is the longest piece that counts, in degrees: a longer one is a mistake of
// the map.
const longest = 0.5

func (x crossings) add(line []geo.Point) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		if math.Abs(a.Lon-b.Lon) < longest && math.Abs(a.Lat-b.Lat) < longest {
			squares(a, b, func(at [2]int32) { x[at] = append(x[at], [2]geo.Point{a, b}) })
		}
	}
}

// over reports whether a bridge crosses a line away from their common ends.
func (x crossings) over(line []geo.Point) (found bool) {
	for i := 1; i < len(line) && !found; i++ {
		a, b := line[i-1], line[i]
		if math.Abs(a.Lon-b.Lon) >= longest || math.Abs(a.Lat-b.Lat) >= longest {
			continue
		}
		squares(a, b, func(at [2]int32) {
			for _, bridge := range x[at] {
				found = found || cross(a, b, bridge[0], bridge[1])
			}
		})
	}
	return found
}

// cross reports whether two lines cross between their ends.
func cross(a, b, c, d geo.Point) bool {
	side := func(p, q, r geo.Point) float64 { return (q.Lon-p.Lon)*(r.Lat-p.Lat) - (q.Lat-p.Lat)*(r.Lon-p.Lon) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}
