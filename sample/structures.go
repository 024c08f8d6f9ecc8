package sample

import (
	"math"
	"slices"
)

// structures lifts roads over rivers, railways and motorways, lowers the
// railway's bridges where lorries are to curse them, and makes the rest of the
// crossings of lane and railway level ones.
func (b *builder) structures() {
	streams := newSegIndex(120)
	for i, s := range b.streams {
		streams.addLine(s.line, i)
	}
	apart := newSegIndex(120)
	for i, r := range b.roads {
		if r.apart && r.level == 0 {
			apart.addLine(r.pts, i)
		}
	}
	count := map[pt]int{}
	for _, r := range b.roads {
		for _, p := range r.pts {
			count[p]++
		}
		count[r.pts[0]]++
		count[r.pts[len(r.pts)-1]]++
	}
	railSpans := map[int][]span{}
	var levelCrossings []pt
	spansOf := make([][]span, len(b.roads))
	for i, r := range b.roads {
		if r.level != 0 {
			continue
		}
		gone := 0.0
		for k := 1; k < len(r.pts); k++ {
			p, q := r.pts[k-1], r.pts[k]
			streams.around(p.lerp(q, 0.5), p.dist(q)/2+1, func(_ int, o seg) bool {
				if t, _, ok := crossing(p, q, o.a, o.b); ok {
					half := b.streams[o.of].width/2/math.Max(0.5, sineBetween(q.sub(p), o.dir())) + 6
					s := gone + t*p.dist(q)
					spansOf[i] = append(spansOf[i], span{s - half, s + half, 1, tags("bridge", "yes", "layer", "1")})
				}
				return true
			})
			apart.around(p.lerp(q, 0.5), p.dist(q)/2+1, func(_ int, o seg) bool {
				other := b.roads[o.of]
				if o.of == i || p == o.a || p == o.b || q == o.a || q == o.b {
					return true
				}
				t, _, ok := crossing(p, q, o.a, o.b)
				if !ok || r.apart && r.rank >= other.rank {
					return true
				}
				s := gone + t*p.dist(q)
				here := snap(p.lerp(q, t))
				if other.rank == rail {
					if lowBridgeAt(here) {
						at, _ := project(other.pts, here)
						railSpans[o.of] = append(railSpans[o.of], span{at - 14, at + 14, 1, tags("bridge", "yes", "layer", "1")})
						return true
					}
					if !r.apart && (r.rank > tertiary || here.dist(km(13.4, 6.95)) < 250) && r.rank < path && sineBetween(q.sub(p), o.dir()) > 0.5 && len(levelCrossings) < 9 {
						levelCrossings = append(levelCrossings, here)
						return true
					}
				}
				half := 13 / math.Max(0.4, sineBetween(q.sub(p), o.dir()))
				spansOf[i] = append(spansOf[i], span{s - half, s + half, 1, tags("bridge", "yes", "layer", "1")})
				return true
			})
			gone += p.dist(q)
		}
	}
	for _, p := range levelCrossings {
		for _, r := range b.roads {
			if r.level != 0 {
				continue
			}
			if s, d := project(r.pts, p); d < 0.2 && s > 1 && s < length(r.pts)-1 {
				r.pts = insertVertex(r.pts, p)
			}
		}
		b.tag(p, "railway", "level_crossing", "crossing:barrier", "half", "crossing:light", "yes", "crossing:bell", "yes")
		b.marks["level crossing"] = mark{at: p}
	}
	for i, s := range railSpans {
		spansOf[i] = append(spansOf[i], s...)
	}
	var out []*road
	for i, r := range b.roads {
		out = append(out, b.raise(r, spansOf[i], count)...)
	}
	b.roads = out
	b.reindex()
}

// lowBridges are where the railway passes over a road and leaves it little
// room.
func lowBridgeAt(p pt) bool {
	return p.dist(lowBridge) < 200 || p.dist(km(9.75, 8.5)) < 600 || p.dist(km(15.8, 7.2)) < 350
}

// raise breaks a road at its bridges. No junction is lifted.
func (b *builder) raise(r *road, spans []span, count map[pt]int) []*road {
	if len(spans) == 0 {
		return []*road{r}
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
	total := length(r.pts)
	var junctions []float64
	gone := 0.0
	for k, p := range r.pts {
		if k > 0 {
			gone += r.pts[k-1].dist(p)
		}
		if count[p] > 1 && k > 0 && k < len(r.pts)-1 {
			junctions = append(junctions, gone)
		}
	}
	var out []*road
	done := 0.0
	part := func(from, to float64) *road {
		c := *r
		c.pts, c.tags = slices.Clone(slice(r.pts, from, to)), slices.Clone(r.tags)
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
		c.level, c.apart = 1, true
		for _, t := range s.tags {
			c.set(t.Key, t.Value)
		}
		out = append(out, c)
		done = to
	}
	if done < total {
		out = append(out, part(done, total))
	}
	return out
}
