package sample

import (
	"math"
	"slices"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// circle returns a closed ring of points, clockwise as traffic goes round in a
// country that drives on the left.
func circle(c plane.Point, r float64, n int) []plane.Point {
	out := make([]plane.Point, 0, n+1)
	for i := range n {
		out = append(out, plane.Snap(c.Add(plane.Heading(-2*math.Pi*float64(i)/float64(n)).Mul(r))))
	}
	return append(out, out[0])
}

// punch cuts the roads that takes accepts at a closed ring, drops what lies
// inside, and lays the ring as a road through the ends.
func (b roadPlanner) punch(ring []plane.Point, ringRoad *network.Road, takes func(*network.Road) bool) *network.Road {
	var keep []*network.Road
	var ends []plane.Point
	for _, r := range b.roads {
		if r.Level != 0 || !takes(r) || !touches(r.Pts, ring) {
			keep = append(keep, r)
			continue
		}
		for _, part := range outside(r.Pts, ring, &ends) {
			c := *r
			c.Pts, c.Tags = part, slices.Clone(r.Tags)
			keep = append(keep, &c)
		}
	}
	for _, e := range ends {
		ring = insertVertex(ring, e)
	}
	ringRoad.Pts = ring
	keep = append(keep, ringRoad)
	b.roads = keep
	b.reindex()
	return ringRoad
}

func touches(line, ring []plane.Point) bool {
	c := plane.Centroid(ring[1:])
	far := 0.0
	for _, p := range ring {
		far = math.Max(far, p.Dist(c))
	}
	for i := 1; i < len(line); i++ {
		if _, d := plane.Foot(c, line[i-1], line[i]); d <= far {
			return true
		}
	}
	return false
}

// outside returns the parts of line outside the ring, ending on it, and adds
// those ends to ends.
func outside(line, ring []plane.Point, ends *[]plane.Point) [][]plane.Point {
	var parts [][]plane.Point
	var part []plane.Point
	if !plane.Inside(ring, line[0]) {
		part = []plane.Point{line[0]}
	}
	flush := func() {
		if len(part) > 1 && plane.Length(part) > 4 {
			parts = append(parts, part)
		}
		part = nil
	}
	for i := 1; i < len(line); i++ {
		var ts []float64
		for k := 1; k < len(ring); k++ {
			if t, _, ok := plane.Crossing(line[i-1], line[i], ring[k-1], ring[k]); ok {
				ts = append(ts, t)
			}
		}
		slices.Sort(ts)
		for _, t := range ts {
			p := plane.Snap(line[i-1].Lerp(line[i], t))
			for _, v := range ring {
				if v.Dist(p) < 2.5 {
					p = v
					break
				}
			}
			if part != nil {
				part = plane.AppendPt(part, p)
				if len(part) > 1 && plane.Length(part) > 4 {
					*ends = append(*ends, p)
				}
				flush()
			} else {
				part = []plane.Point{p}
				*ends = append(*ends, p)
			}
		}
		if part != nil {
			part = plane.AppendPt(part, line[i])
		}
	}
	flush()
	return parts
}

// insertVertex puts p into line at the segment nearest to it.
func insertVertex(line []plane.Point, p plane.Point) []plane.Point {
	if slices.Contains(line, p) {
		return line
	}
	at, best := 1, math.Inf(1)
	for i := 1; i < len(line); i++ {
		if _, d := plane.Foot(p, line[i-1], line[i]); d < best {
			at, best = i, d
		}
	}
	return slices.Insert(slices.Clone(line), at, p)
}

// roundabout lays one at c and cuts to it all roads on the ground.
func (b roadPlanner) roundabout(c plane.Point, radius float64, k network.Rank, extra osm.Tags) *network.Road {
	r := &network.Road{Rank: k, Street: b.street(), Tags: network.Tags("highway", network.RankValue[k], "junction", "roundabout")}
	for _, t := range extra {
		r.Set(t.Key, t.Value)
	}
	return b.punch(circle(c, radius, max(12, int(radius/2))), r, func(o *network.Road) bool { return o.Rank < network.Path })
}
