package sample

import (
	"math"
	"slices"

	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// structures lifts roads over rivers, railways and motorways, lowers the
// railway's bridges where lorries are to curse them, and makes the rest of the
// crossings of lane and railway level ones.
func (b roadPlanner) structures() {
	streams := plane.NewIndex(120)
	for i, s := range b.streams {
		streams.AddLine(s.Line, i)
	}
	apart := plane.NewIndex(120)
	for i, r := range b.roads {
		if r.Apart && r.Level == 0 {
			apart.AddLine(r.Pts, i)
		}
	}
	count := map[plane.Point]int{}
	for _, r := range b.roads {
		for _, p := range r.Pts {
			count[p]++
		}
		count[r.Pts[0]]++
		count[r.Pts[len(r.Pts)-1]]++
	}
	railSpans := map[int][]span{}
	var levelCrossings []plane.Point
	spansOf := make([][]span, len(b.roads))
	for i, r := range b.roads {
		if r.Level != 0 {
			continue
		}
		gone := 0.0
		for k := 1; k < len(r.Pts); k++ {
			p, q := r.Pts[k-1], r.Pts[k]
			streams.Around(p.Lerp(q, 0.5), p.Dist(q)/2+1, func(_ int, o plane.Segment) bool {
				if t, _, ok := plane.Crossing(p, q, o.A, o.B); ok {
					half := b.streams[o.Of].Width/2/math.Max(0.5, plane.SineBetween(q.Sub(p), o.Dir())) + 6
					s := gone + t*p.Dist(q)
					spansOf[i] = append(spansOf[i], span{s - half, s + half, 1, network.Tags("bridge", "yes", "layer", "1")})
				}
				return true
			})
			apart.Around(p.Lerp(q, 0.5), p.Dist(q)/2+1, func(_ int, o plane.Segment) bool {
				other := b.roads[o.Of]
				if o.Of == i || p == o.A || p == o.B || q == o.A || q == o.B {
					return true
				}
				t, _, ok := plane.Crossing(p, q, o.A, o.B)
				if !ok || r.Apart && r.Rank >= other.Rank {
					return true
				}
				s := gone + t*p.Dist(q)
				here := plane.Snap(p.Lerp(q, t))
				if other.Rank == network.Rail {
					if lowBridgeAt(here) {
						at, _ := plane.Project(other.Pts, here)
						railSpans[o.Of] = append(railSpans[o.Of], span{at - 14, at + 14, 1, network.Tags("bridge", "yes", "layer", "1")})
						return true
					}
					if !r.Apart && (r.Rank > network.Tertiary || here.Dist(plane.Km(13.4, 6.95)) < 250) && r.Rank < network.Path && plane.SineBetween(q.Sub(p), o.Dir()) > 0.5 && len(levelCrossings) < 9 {
						levelCrossings = append(levelCrossings, here)
						return true
					}
				}
				half := 13 / math.Max(0.4, plane.SineBetween(q.Sub(p), o.Dir()))
				spansOf[i] = append(spansOf[i], span{s - half, s + half, 1, network.Tags("bridge", "yes", "layer", "1")})
				return true
			})
			gone += p.Dist(q)
		}
	}
	for _, p := range levelCrossings {
		for _, r := range b.roads {
			if r.Level != 0 {
				continue
			}
			if s, d := plane.Project(r.Pts, p); d < 0.2 && s > 1 && s < plane.Length(r.Pts)-1 {
				r.Pts = insertVertex(r.Pts, p)
			}
		}
		b.tag(p, "railway", "level_crossing", "crossing:barrier", "half", "crossing:light", "yes", "crossing:bell", "yes")
		b.marks["level crossing"] = mark{at: p}
	}
	for i, s := range railSpans {
		spansOf[i] = append(spansOf[i], s...)
	}
	var out []*network.Road
	for i, r := range b.roads {
		out = append(out, b.raise(r, spansOf[i], count)...)
	}
	b.roads = out
	b.reindex()
}

// lowBridges are where the railway passes over a road and leaves it little
// room.
func lowBridgeAt(p plane.Point) bool {
	return p.Dist(lowBridge) < 200 || p.Dist(plane.Km(9.75, 8.5)) < 600 || p.Dist(plane.Km(15.8, 7.2)) < 350
}

// raise breaks a road at its bridges. No junction is lifted.
func (b roadPlanner) raise(r *network.Road, spans []span, count map[plane.Point]int) []*network.Road {
	if len(spans) == 0 {
		return []*network.Road{r}
	}
	slices.SortFunc(spans, func(a, c span) int {
		if a.from < c.from {
			return -1
		}
		return 1
	})
	merged := spans[:1]
	for _, s := range spans[1:] {
		if last := &merged[len(merged)-1]; s.from < last.to+14 {
			last.to = math.Max(last.to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	total := plane.Length(r.Pts)
	var junctions []float64
	gone := 0.0
	for k, p := range r.Pts {
		if k > 0 {
			gone += r.Pts[k-1].Dist(p)
		}
		if count[p] > 1 && k > 0 && k < len(r.Pts)-1 {
			junctions = append(junctions, gone)
		}
	}
	var out []*network.Road
	done := 0.0
	part := func(from, to float64) *network.Road {
		c := *r
		c.Pts, c.Tags = slices.Clone(plane.Slice(r.Pts, from, to)), slices.Clone(r.Tags)
		return &c
	}
	for _, s := range merged {
		from, to := math.Max(s.from, done), math.Min(s.to, total)
		mid := (s.from + s.to) / 2
		for _, j := range junctions {
			if j > from && j <= mid {
				from = j
			}
			if j < to && j > mid {
				to = j
			}
		}
		if from < done+1 {
			from = done
		}
		if to > total-1 {
			to = total
		}
		if to-from < 1 {
			continue
		}
		if from > done {
			out = append(out, part(done, from))
		}
		c := part(from, to)
		c.Level, c.Apart = 1, true
		for _, t := range s.tags {
			c.Set(t.Key, t.Value)
		}
		out = append(out, c)
		done = to
	}
	if done < total {
		out = append(out, part(done, total))
	}
	return out
}
