package sample

import (
	"math"
	"slices"

	"github.com/waygate/waygate/osm"
)

// circle is a closed ring of points, clockwise as traffic goes round in a
// country that drives on the left.
func circle(c pt, r float64, n int) []pt {
	out := make([]pt, 0, n+1)
	for i := range n {
		out = append(out, snap(c.add(heading(-2*math.Pi*float64(i)/float64(n)).mul(r))))
	}
	return append(out, out[0])
}

// punch cuts the roads that takes accepts at a closed ring, drops what lies
// inside, and lays the ring as a road through the ends.
func (b *builder) punch(ring []pt, ringRoad *road, takes func(*road) bool) *road {
	var keep []*road
	var ends []pt
	for _, r := range b.roads {
		if r.level != 0 || !takes(r) || !touches(r.pts, ring) {
			keep = append(keep, r)
			continue
		}
		for _, part := range outside(r.pts, ring, &ends) {
			c := *r
			c.pts, c.tags = part, slices.Clone(r.tags)
			keep = append(keep, &c)
		}
	}
	for _, e := range ends {
		ring = insertVertex(ring, e)
	}
	ringRoad.pts = ring
	keep = append(keep, ringRoad)
	b.roads = keep
	b.reindex()
	return ringRoad
}

func touches(line, ring []pt) bool {
	c := centroid(ring[1:])
	far := 0.0
	for _, p := range ring {
		far = math.Max(far, p.dist(c))
	}
	for i := 1; i < len(line); i++ {
		if _, d := foot(c, line[i-1], line[i]); d <= far {
			return true
		}
	}
	return false
}

// outside gives the parts of line outside the ring, ending on it, and adds
// those ends to ends.
func outside(line, ring []pt, ends *[]pt) [][]pt {
	var parts [][]pt
	var part []pt
	if !inside(ring, line[0]) {
		part = []pt{line[0]}
	}
	flush := func() {
		if len(part) > 1 && length(part) > 4 {
			parts = append(parts, part)
		}
		part = nil
	}
	for i := 1; i < len(line); i++ {
		var ts []float64
		for k := 1; k < len(ring); k++ {
			if t, _, ok := crossing(line[i-1], line[i], ring[k-1], ring[k]); ok {
				ts = append(ts, t)
			}
		}
		slices.Sort(ts)
		for _, t := range ts {
			p := snap(line[i-1].lerp(line[i], t))
			for _, v := range ring {
				if v.dist(p) < 2.5 {
					p = v
					break
				}
			}
			if part != nil {
				part = appendPt(part, p)
				if len(part) > 1 && length(part) > 4 {
					*ends = append(*ends, p)
				}
				flush()
			} else {
				part = []pt{p}
				*ends = append(*ends, p)
			}
		}
		if part != nil {
			part = appendPt(part, line[i])
		}
	}
	flush()
	return parts
}

// insertVertex puts p into line at the segment nearest to it.
func insertVertex(line []pt, p pt) []pt {
	if slices.Contains(line, p) {
		return line
	}
	at, best := 1, math.Inf(1)
	for i := 1; i < len(line); i++ {
		if _, d := foot(p, line[i-1], line[i]); d < best {
			at, best = i, d
		}
	}
	return slices.Insert(slices.Clone(line), at, p)
}

// roundabout lays one at c and cuts to it all roads on the ground.
func (b *builder) roundabout(c pt, radius float64, k rank, extra osm.Tags) *road {
	r := &road{rank: k, street: b.street(), tags: tags("highway", rankValue[k], "junction", "roundabout")}
	for _, t := range extra {
		r.set(t.Key, t.Value)
	}
	return b.punch(circle(c, radius, max(12, int(radius/2))), r, func(o *road) bool { return o.rank < path })
}
