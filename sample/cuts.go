package sample

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/osm"
)

// arm is one way out of a junction.
type arm struct {
	r    *road
	next pt
	in   bool // traffic may come in from here
	out  bool // and leave this way
}

// meetings finds the arms at every vertex where roads for cars meet.
func (b *builder) meetings() {
	b.arms = map[pt][]arm{}
	for _, r := range b.roads {
		if !r.drivable() {
			continue
		}
		one := r.tags.Get("oneway") == "yes" || r.tags.Get("junction") == "roundabout"
		for i, p := range r.pts {
			if i > 0 {
				b.arms[p] = append(b.arms[p], arm{r, r.pts[i-1], true, !one})
			}
			if i < len(r.pts)-1 {
				b.arms[p] = append(b.arms[p], arm{r, r.pts[i+1], !one, true})
			}
		}
	}
}

// junctions gives the places within r of c where n roads or more meet and ok
// holds, nearest first.
func (b *builder) junctions(c pt, r float64, n int, ok func(p pt, arms []arm) bool) []pt {
	var out []pt
	for p, arms := range b.arms {
		if len(arms) >= n && p.dist(c) <= r && !b.taken[p] && ok(p, arms) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(p, q pt) int {
		return cmp.Or(cmp.Compare(p.dist(c), q.dist(c)), cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y))
	})
	return out
}

// nearestRoad gives the road nearest c for which ok holds, and takes it: no
// road is chosen twice.
func (b *builder) nearestRoad(c pt, ok func(*road) bool) *road {
	var best *road
	far := 0.0
	for _, r := range b.roads {
		if b.chosen[r] || !ok(r) {
			continue
		}
		if d := r.pts[len(r.pts)/2].dist(c); best == nil || d < far {
			best, far = r, d
		}
	}
	if best != nil {
		b.chosen[best] = true
	}
	return best
}

// linked reports whether both ends of r meet other roads for cars.
func (b *builder) linked(r *road) bool {
	return len(b.arms[r.pts[0]]) > 1 && len(b.arms[r.pts[len(r.pts)-1]]) > 1
}

// pieces gives the parts of r between the places where ways must end.
func (b *builder) pieces(r *road) [][]pt {
	var out [][]pt
	from := 0
	for i := 1; i < len(r.pts); i++ {
		if i == len(r.pts)-1 || b.cut[r.pts[i]] {
			out = append(out, r.pts[from:i+1])
			from = i
		}
	}
	return out
}

// apartAt takes the stretch of r from one distance to another out of it as a
// road of its own with more tags. Junctions of r stay where they are.
func (b *builder) apartAt(r *road, from, to float64, extra osm.Tags) *road {
	total := length(r.pts)
	mid, tail := *r, *r
	mid.pts, mid.tags = slice(r.pts, from, min(to, total)), slices.Clone(r.tags)
	for _, t := range extra {
		mid.set(t.Key, t.Value)
	}
	i := slices.Index(b.roads, r)
	b.roads = slices.Insert(b.roads, i+1, &mid)
	if total-to < 1 {
		mid.pts[len(mid.pts)-1] = r.pts[len(r.pts)-1]
	} else {
		tail.pts, tail.tags = slice(r.pts, to, total), slices.Clone(r.tags)
		b.roads = slices.Insert(b.roads, i+2, &tail)
	}
	r.pts = slice(r.pts, 0, from)
	return &mid
}

// segment names a stretch of road between two neighbouring vertices.
type segment [2]pt

// note promises a feature to the list of what the county holds.
type note struct {
	name       string
	key, value string
	roads      []*road
	nodes      []pt
	refs       []Ref
}

func (b *builder) noteRoad(name, key string, roads ...*road) {
	n := note{name: name, key: key}
	for _, r := range roads {
		if r != nil {
			n.value = r.tags.Get(key)
			n.roads = append(n.roads, r)
		}
	}
	b.notes = append(b.notes, n)
}

func (b *builder) noteNode(name, key, value string, at ...pt) {
	b.notes = append(b.notes, note{name: name, key: key, value: value, nodes: at})
}

func (b *builder) noteRefs(name, key, value string, refs ...Ref) {
	b.notes = append(b.notes, note{name: name, key: key, value: value, refs: refs})
}
