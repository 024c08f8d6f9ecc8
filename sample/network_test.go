package sample

import (
	"container/heap"
	"regexp"
	"slices"
	"testing"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/plane"
)

// roadGraph is the county's roads as a plain graph.
type roadGraph struct {
	data  *osm.Data
	at    map[int64]plane.Point
	node  map[int64]*osm.Node
	roads []*osm.Way
}

func newNetwork(d *osm.Data) *roadGraph {
	n := &roadGraph{data: d, at: map[int64]plane.Point{}, node: map[int64]*osm.Node{}}
	for i := range d.Nodes {
		x := &d.Nodes[i]
		n.at[x.ID] = plane.Point{X: float64(x.Lon), Y: float64(x.Lat)}
		n.node[x.ID] = x
	}
	for i := range d.Ways {
		if v := d.Ways[i].Tags.Get("highway"); v != "" && v != "services" && d.Ways[i].Tags.Get("area") != "yes" {
			n.roads = append(n.roads, &d.Ways[i])
		}
	}
	return n
}

var forCars = []string{"motorway", "motorway_link", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street", "service"}

func openToCars(w *osm.Way) bool {
	return slices.Contains(forCars, w.Tags.Get("highway")) && w.Tags.Get("access") == "" && w.Tags.Get("motor_vehicle") != "no"
}

// reach returns the nodes to be reached from start, with or against the traffic,
// by ways for which ok holds.
func (n *roadGraph) reach(start int64, backwards bool, ok func(*osm.Way) bool) map[int64]bool {
	next := map[int64][]int64{}
	for i := range n.data.Ways {
		w := &n.data.Ways[i]
		if !ok(w) {
			continue
		}
		one := w.Tags.Get("oneway") == "yes" || w.Tags.Get("junction") == "roundabout"
		for i := 1; i < len(w.Nodes); i++ {
			a, b := w.Nodes[i-1], w.Nodes[i]
			if backwards {
				a, b = b, a
			}
			next[a] = append(next[a], b)
			if !one {
				next[b] = append(next[b], a)
			}
		}
	}
	seen := map[int64]bool{start: true}
	for todo := []int64{start}; len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, y := range next[x] {
			if !seen[y] {
				seen[y] = true
				todo = append(todo, y)
			}
		}
	}
	return seen
}

func featureNamed(t *testing.T, name string) Feature {
	t.Helper()
	for _, f := range drawn().Features {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no feature %q", name)
	return Feature{}
}

func (n *roadGraph) way(id int64) *osm.Way { return &n.data.Ways[id-1] }

// hub returns a node of Tarrowmouth's market place.
func (n *roadGraph) hub(t *testing.T) int64 {
	for _, w := range n.roads {
		if w.Tags.Get("name") == "Market Place" && n.at[w.Nodes[0]].Dist(drawnPlace(t, "Tarrowmouth")) < 20000 {
			return w.Nodes[0]
		}
	}
	t.Fatal("no market place")
	return 0
}

func drawnPlace(t *testing.T, name string) plane.Point {
	for _, p := range drawn().Places {
		if p.Name == name {
			f := p.Point.Fix()
			return plane.Point{X: float64(f.Lon), Y: float64(f.Lat)}
		}
	}
	t.Fatalf("no place %q", name)
	return plane.Point{}
}

func TestCarsGetEverywhereAndBack(t *testing.T) {
	n := newNetwork(drawn().Data)
	hub := n.hub(t)
	byRoad := func(w *osm.Way) bool {
		return openToCars(w) || w.Tags.Get("route") == "ferry" && w.Tags.Get("motor_vehicle") == "yes"
	}
	out, back := n.reach(hub, false, byRoad), n.reach(hub, true, byRoad)
	for _, w := range n.roads {
		if !openToCars(w) || w.Tags.Get("name") == "Lighthouse Lane" {
			continue
		}
		for _, x := range w.Nodes {
			if !out[x] || !back[x] {
				p := drawnAt(n.node[x])
				t.Errorf("way %d (%v) at %v: from the hub %v, to it %v", w.ID, w.Tags, p, out[x], back[x])
				break
			}
		}
	}
}

func drawnAt(n *osm.Node) plane.Point {
	return plane.Point{X: float64(n.Lon-plane.OriginLon) / plane.LonPerMetre, Y: float64(n.Lat-plane.OriginLat) / plane.LatPerMetre}
}

func TestIslandsAreApart(t *testing.T) {
	n := newNetwork(drawn().Data)
	byLand := n.reach(n.hub(t), false, openToCars)
	onFarrock, onHolm := 0, 0
	for _, w := range n.roads {
		p := drawnAt(n.node[w.Nodes[0]])
		if p.X > 28000 && byLand[w.Nodes[0]] {
			t.Errorf("way %d on Farrock Island is reached by land", w.ID)
		}
		if p.X > 28000 && openToCars(w) {
			onFarrock++
		}
		if w.Tags.Get("name") == "Lighthouse Lane" {
			onHolm++
			if byLand[w.Nodes[0]] {
				t.Error("Tern Holm is reached by land")
			}
		}
	}
	if onFarrock < 15 || onHolm == 0 {
		t.Errorf("%d roads on Farrock Island and %d on Tern Holm", onFarrock, onHolm)
	}
}

func TestZawnCoveLiesBehindItsTunnel(t *testing.T) {
	n := newNetwork(drawn().Data)
	open := n.reach(n.hub(t), false, openToCars)
	shut := n.reach(n.hub(t), false, func(w *osm.Way) bool { return openToCars(w) && w.Tags.Get("hazmat:adr_tunnel_cat") != "C" })
	lost := 0
	for x := range open {
		if !shut[x] {
			lost++
			if p := drawnAt(n.node[x]); p.Dist(plane.Km(19.32, 17.3)) > 900 {
				t.Errorf("without the tunnel node %d at %v is cut off too", x, p)
			}
		}
	}
	if lost < 10 {
		t.Errorf("without the tunnel only %d nodes are cut off", lost)
	}
}

// Each closure leaves a longer way round: without it both its ends are still
// reached.
func TestDetours(t *testing.T) {
	n := newNetwork(drawn().Data)
	for _, name := range []string{
		"low bridge", "low bridge in feet", "toll bridge", "tunnel closed to tankers", "tunnel closed to dangerous goods",
		"category E tunnel", "category B tunnel", "width limit in metres", "width limit in feet", "weight limit", "weight limit for lorries", "axle load limit",
		"length limit", "no lorries", "no lorries but for access", "bus street",
	} {
		f := featureNamed(t, name)
		closed := map[int64]bool{}
		for _, r := range f.Refs {
			closed[r.ID] = true
		}
		got := n.reach(n.hub(t), false, func(w *osm.Way) bool { return openToCars(w) && !closed[w.ID] })
		for _, r := range f.Refs {
			nodes := n.way(r.ID).Nodes
			for _, end := range []int64{nodes[0], nodes[len(nodes)-1]} {
				if !got[end] {
					t.Errorf("%s: way %d cuts off its end at %v", name, r.ID, drawnAt(n.node[end]))
				}
			}
		}
	}
}

func TestThereIsEnoughToRouteOn(t *testing.T) {
	n := newNetwork(drawn().Data)
	count := map[int64]int{}
	for _, w := range n.roads {
		for i, x := range w.Nodes {
			count[x]++
			if i == 0 || i == len(w.Nodes)-1 {
				count[x]++
			}
		}
	}
	segments, directed, cars := 0, 0, 0
	for _, w := range n.roads {
		for i, x := range w.Nodes {
			if i > 0 && count[x] > 1 {
				segments++
				if openToCars(w) {
					cars++
				}
				directed++
				if w.Tags.Get("oneway") != "yes" && w.Tags.Get("junction") != "roundabout" {
					directed++
				}
			}
		}
	}
	t.Logf("%d segments, %d directed edges, %d segments for cars", segments, directed, cars)
	if directed < 8000 {
		t.Errorf("%d directed edges, want 8000", directed)
	}
}

// Two roads at the same level meet at a node or not at all.
func TestRoadsCrossOnlyAtNodes(t *testing.T) {
	n := newNetwork(drawn().Data)
	ix := plane.NewIndex(80)
	type part struct {
		w    *osm.Way
		a, b int64
	}
	var parts []part
	layer := func(w *osm.Way) string {
		if l := w.Tags.Get("layer"); l != "" {
			return l
		}
		return "0"
	}
	lines := slices.Clone(n.roads)
	for i := range n.data.Ways {
		if w := &n.data.Ways[i]; w.Tags.Get("railway") == "rail" {
			lines = append(lines, w)
		}
	}
	for _, w := range lines {
		for i := 1; i < len(w.Nodes); i++ {
			a, b := w.Nodes[i-1], w.Nodes[i]
			ix.Add(drawnAt(n.node[a]), drawnAt(n.node[b]), len(parts))
			parts = append(parts, part{w, a, b})
		}
	}
	bad := 0
	for i, s := range ix.Segs {
		p := parts[i]
		ix.Around(s.A.Lerp(s.B, 0.5), s.A.Dist(s.B)/2+1, func(id int, o plane.Segment) bool {
			q := parts[id]
			if id <= i || layer(p.w) != layer(q.w) || p.a == q.a || p.a == q.b || p.b == q.a || p.b == q.b {
				return true
			}
			if _, _, ok := plane.Crossing(n.at[p.a], n.at[p.b], n.at[q.a], n.at[q.b]); ok && bad < 30 {
				bad++
				t.Errorf("ways %d (%v) and %d (%v) cross without a node near %v", p.w.ID, p.w.Tags, q.w.ID, q.w.Tags, s.A)
			}
			return true
		})
	}
}

func TestRoadTagsParse(t *testing.T) {
	speed := regexp.MustCompile(`^[1-7]0 mph$`)
	height := regexp.MustCompile(`^([0-9.]+ m|[0-9.]+|[0-9]+'[0-9]+")$`)
	for _, w := range newNetwork(drawn().Data).roads {
		if v := w.Tags.Get("maxspeed"); v != "" && !speed.MatchString(v) {
			t.Errorf("way %d has maxspeed=%q", w.ID, v)
		}
		for _, key := range []string{"maxheight", "maxwidth"} {
			if v := w.Tags.Get(key); v != "" && !height.MatchString(v) {
				t.Errorf("way %d has %s=%q", w.ID, key, v)
			}
		}
		if openToCars(w) && w.Tags.Get("maxspeed") == "" && w.Tags.Get("highway") != "motorway_link" && w.Tags.Get("service") == "" {
			t.Errorf("way %d (%v) has no maxspeed", w.ID, w.Tags)
		}
	}
}

// quickest returns the ways of the quickest drive between two nodes, by the
// limits of the roads, and its time in seconds.
func (n *roadGraph) quickest(from, to int64, ok func(*osm.Way) bool) (ways map[int64]bool, seconds float64) {
	type hop struct {
		to, way int64
		cost    float64
	}
	next := map[int64][]hop{}
	for i := range n.data.Ways {
		w := &n.data.Ways[i]
		if !ok(w) {
			continue
		}
		mph := 20.0
		if v := w.Tags.Get("maxspeed"); v != "" {
			mph = float64(v[0]-'0') * 10
		}
		if h := w.Tags.Get("highway"); h == "unclassified" {
			mph = min(mph, 30)
		} else if h == "tertiary" || h == "secondary" {
			mph = min(mph, 45)
		}
		one := w.Tags.Get("oneway") == "yes" || w.Tags.Get("junction") == "roundabout"
		for i := 1; i < len(w.Nodes); i++ {
			a, b := w.Nodes[i-1], w.Nodes[i]
			c := drawnAt(n.node[a]).Dist(drawnAt(n.node[b])) / (mph * 0.447)
			next[a] = append(next[a], hop{b, w.ID, c})
			if !one {
				next[b] = append(next[b], hop{a, w.ID, c})
			}
		}
	}
	cost := map[int64]float64{from: 0}
	back := map[int64][2]int64{}
	done := map[int64]bool{}
	q := &frontier{{plane.Point{X: float64(from), Y: 0}, 0}}
	for q.Len() > 0 {
		x := heap.Pop(q).(stepTo)
		at := int64(x.p.X)
		if done[at] {
			continue
		}
		done[at] = true
		if at == to {
			ways = map[int64]bool{}
			for p := to; p != from; p = back[p][0] {
				ways[back[p][1]] = true
			}
			return ways, x.cost
		}
		for _, h := range next[at] {
			c := x.cost + h.cost
			if old, seen := cost[h.to]; !seen || c < old {
				cost[h.to], back[h.to] = c, [2]int64{at, h.way}
				heap.Push(q, stepTo{plane.Point{X: float64(h.to), Y: 0}, c})
			}
		}
	}
	return nil, 0
}

func (n *roadGraph) nearestNode(t *testing.T, place string) int64 {
	at := drawnPlace(t, place)
	best, far := int64(0), 1e18
	for _, w := range n.roads {
		if !openToCars(w) {
			continue
		}
		for _, x := range w.Nodes {
			if d := n.at[x].Dist(at); d < far {
				best, far = x, d
			}
		}
	}
	return best
}

// The obvious way leads over or under what some vehicles must avoid, and the
// way round is longer.
func TestObviousWays(t *testing.T) {
	n := newNetwork(drawn().Data)
	for _, x := range []struct{ feature, from, to string }{
		{"low bridge", "Stannerford", "Tarrowmouth"},
		{"low bridge", "Low bridge, west", "Low bridge, east"},
		{"toll bridge", "Toll bridge, west", "Toll bridge, east"},
		{"category E tunnel", "Tarrowmouth", "Marlowick"},
		{"category C tunnel", "Marlowick", "Zawn Cove"},
		{"motorway", "Tarrowmouth", "Port Gwillan"},
	} {
		on := map[int64]bool{}
		for _, r := range featureNamed(t, x.feature).Refs {
			on[r.ID] = true
		}
		from, to := n.nearestNode(t, x.from), n.nearestNode(t, x.to)
		ways, direct := n.quickest(from, to, openToCars)
		uses := false
		for w := range ways {
			uses = uses || on[w]
		}
		if !uses {
			t.Errorf("the quickest way from %s to %s (%.0f s) does not take the %s", x.from, x.to, direct, x.feature)
		}
		_, round := n.quickest(from, to, func(w *osm.Way) bool { return openToCars(w) && !on[w.ID] })
		t.Logf("%s to %s: %.0f s, without the %s %.0f s", x.from, x.to, direct, x.feature, round)
		if x.feature == "category C tunnel" {
			if round != 0 {
				t.Errorf("Zawn Cove is reached in %.0f s without its tunnel", round)
			}
		} else if round < direct*1.03 {
			t.Errorf("from %s to %s the way round takes %.0f s, the direct one %.0f s", x.from, x.to, round, direct)
		}
	}
}
