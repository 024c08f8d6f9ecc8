package sample

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// arm is one way out of a junction.
type arm struct {
	r    *network.Road
	next plane.Point
	in   bool // traffic may come in from here
	out  bool // and leave this way
}

// meetings finds the arms at every vertex where roads for cars meet.
func (b *builder) meetings() {
	b.arms = map[plane.Point][]arm{}
	for _, r := range b.roads {
		if !r.Drivable() {
			continue
		}
		one := r.Tags.Get("oneway") == "yes" || r.Tags.Get("junction") == "roundabout"
		for i, p := range r.Pts {
			if i > 0 {
				b.arms[p] = append(b.arms[p], arm{r, r.Pts[i-1], true, !one})
			}
			if i < len(r.Pts)-1 {
				b.arms[p] = append(b.arms[p], arm{r, r.Pts[i+1], !one, true})
			}
		}
	}
}

// junctions returns the places within r of c where n roads or more meet and ok
// holds, nearest first.
func (b *builder) junctions(c plane.Point, r float64, n int, ok func(p plane.Point, arms []arm) bool) []plane.Point {
	var out []plane.Point
	for p, arms := range b.arms {
		if len(arms) >= n && p.Dist(c) <= r && !b.taken[p] && ok(p, arms) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(p, q plane.Point) int {
		return cmp.Or(cmp.Compare(p.Dist(c), q.Dist(c)), cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y))
	})
	return out
}

// nearestRoad returns the road nearest c for which ok holds, and takes it: no
// road is chosen twice.
func (b *builder) nearestRoad(c plane.Point, ok func(*network.Road) bool) *network.Road {
	var best *network.Road
	far := 0.0
	for _, r := range b.roads {
		if b.chosen[r] || !ok(r) {
			continue
		}
		if d := r.Pts[len(r.Pts)/2].Dist(c); best == nil || d < far {
			best, far = r, d
		}
	}
	if best != nil {
		b.chosen[best] = true
	}
	return best
}

// linked reports whether both ends of r meet other roads for cars.
func (b *builder) linked(r *network.Road) bool {
	return len(b.arms[r.Pts[0]]) > 1 && len(b.arms[r.Pts[len(r.Pts)-1]]) > 1
}

// pieces returns the parts of r between the places where ways must end.
func (b *builder) pieces(r *network.Road) [][]plane.Point {
	var out [][]plane.Point
	from := 0
	for i := 1; i < len(r.Pts); i++ {
		if i == len(r.Pts)-1 || b.cut[r.Pts[i]] {
			out = append(out, r.Pts[from:i+1])
			from = i
		}
	}
	return out
}

// apartAt takes the stretch of r from one distance to another out of it as a
// road of its own with more tags. Junctions of r stay where they are.
func (b *builder) apartAt(r *network.Road, from, to float64, extra osm.Tags) *network.Road {
	total := plane.Length(r.Pts)
	mid, tail := *r, *r
	mid.Pts, mid.Tags = plane.Slice(r.Pts, from, min(to, total)), slices.Clone(r.Tags)
	for _, t := range extra {
		mid.Set(t.Key, t.Value)
	}
	i := slices.Index(b.roads, r)
	b.roads = slices.Insert(b.roads, i+1, &mid)
	if total-to < 1 {
		mid.Pts[len(mid.Pts)-1] = r.Pts[len(r.Pts)-1]
	} else {
		tail.Pts, tail.Tags = plane.Slice(r.Pts, to, total), slices.Clone(r.Tags)
		b.roads = slices.Insert(b.roads, i+2, &tail)
	}
	r.Pts = plane.Slice(r.Pts, 0, from)
	return &mid
}

// segment names a stretch of road between two neighbouring vertices.
type segment [2]plane.Point

// note promises a feature to the list of what the county holds.
type note struct {
	name       string
	key, value string
	roads      []*network.Road
	nodes      []plane.Point
	refs       []extract.Ref
}

func (b *builder) noteRoad(name, key string, roads ...*network.Road) {
	n := note{name: name, key: key}
	for _, r := range roads {
		if r != nil {
			n.value = r.Tags.Get(key)
			n.roads = append(n.roads, r)
		}
	}
	b.notes = append(b.notes, n)
}

func (b *builder) noteNode(name, key, value string, at ...plane.Point) {
	b.notes = append(b.notes, note{name: name, key: key, value: value, nodes: at})
}

func (b *builder) noteRefs(name, key, value string, refs ...extract.Ref) {
	b.notes = append(b.notes, note{name: name, key: key, value: value, refs: refs})
}
