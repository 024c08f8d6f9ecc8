package sample

import (
	"container/heap"
	"fmt"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// lineOfBuses is a bus route and where it calls, by the names of settlements.
type lineOfBuses struct {
	ref   string
	calls []string
}

func busLines() []lineOfBuses {
	return []lineOfBuses{
		{"1", []string{"Tarrowmouth", "Stannerford"}},
		{"2", []string{"Tarrowmouth", "Chilverstoke", "Ruddlecombe", "Port Gwillan"}},
		{"7", []string{"Stannerford", "Lanwarrow", "Boscarrel", "Wickerling", "Marlowick"}},
		{"12", []string{"Port Gwillan", "Hethercombe", "Saltrey", "Skelling"}},
		{"X5", []string{"Stannerford", "Nether Thorling", "Dunnaway Cross", "Tarrowmouth"}},
	}
}

// Stop is a bus stop of the county.
type Stop struct {
	Name, Code string
	Node       int64 // of highway=bus_stop
	at         plane.Point
}

// buses chooses the roads that buses take and ends ways where they turn off.
func (b busPlanner) buses() {
	at := map[string]plane.Point{}
	for _, t := range b.towns {
		best, far := plane.Point{}, 1e9
		for p, arms := range b.arms {
			if len(arms) < 2 || arms[0].r.Rank > network.Residential || arms[0].r.Rank < network.Primary || arms[0].r.Tags.Get("access") != "" || arms[0].r.Tags.Get("highway") == "pedestrian" {
				continue
			}
			if d := p.Dist(t.Centre); d < far || d == far && (p.X < best.X || p.X == best.X && p.Y < best.Y) {
				best, far = p, d
			}
		}
		at[t.Name] = best
	}
	stopAt := map[plane.Point]int{}
	for _, l := range busLines() {
		var line []plane.Point
		for i := 1; i < len(l.calls); i++ {
			leg := b.drive(at[l.calls[i-1]], at[l.calls[i]])
			if len(leg) == 0 {
				continue
			}
			if len(line) > 0 {
				leg = leg[1:]
			}
			line = append(line, leg...)
		}
		if len(line) < 2 {
			continue
		}
		route := busRoute{ref: l.ref, calls: l.calls, line: line}
		// A stop every 900 m or so, more in towns.
		since := 400.0
		for i := 1; i < len(line)-1; i++ {
			since += line[i-1].Dist(line[i])
			z, s := land.ZoneAt(b.towns, line[i])
			every := 1500.0
			if z != land.Country {
				every = 380
			}
			if since < every || len(b.arms[line[i]]) != 2 {
				continue
			}
			since = 0
			if k, ok := stopAt[line[i]]; ok {
				route.stops, route.places = append(route.stops, k), append(route.places, i)
				continue
			}
			name := ""
			if r := b.arms[line[i]][0].r; r.Tags.Get("name") != "" {
				name = r.Tags.Get("name")
			} else {
				name = plane.Pick(plane.Dice(fmt.Sprint("stop", line[i])), network.Fields) + " Turn"
			}
			if s != nil {
				name = s.Name + ", " + name
			}
			d := line[i+1].Sub(line[i-1]).Unit().Left()
			p := plane.Snap(line[i].Add(d.Mul(4.5)))
			stopAt[line[i]] = len(b.stops)
			route.stops, route.places = append(route.stops, len(b.stops)), append(route.places, i)
			b.stops = append(b.stops, Stop{Name: name, Code: fmt.Sprintf("990ZZ%05d", 1001+len(b.stops)), at: p})
		}
		b.routes = append(b.routes, route)
		b.cutAlong(line)
	}
}

// busRoute is a route along the vertices of roads.
type busRoute struct {
	ref    string
	calls  []string
	line   []plane.Point
	stops  []int
	places []int // of stops in line
}

// BusLine is a route of buses and its stops, as indices of Sample.Stops.
type BusLine struct {
	Ref, From, To string
	Stops         []int
	Path          []geo.Point // along the roads
	Places        []int       // of stops in Path
}

// busLines lists the routes with their stops.
func (b busPlanner) busLines() (lines []BusLine) {
	for _, r := range b.routes {
		l := BusLine{Ref: r.ref, From: r.calls[0], To: r.calls[len(r.calls)-1], Stops: r.stops, Places: r.places}
		for _, p := range r.line {
			l.Path = append(l.Path, p.Fixed().Point())
		}
		lines = append(lines, l)
	}
	return lines
}

// cutAlong ends ways where a route turns from one into another.
func (b busPlanner) cutAlong(line []plane.Point) {
	b.cut[line[0]], b.cut[line[len(line)-1]] = true, true
	roadOf := func(p, q plane.Point) *network.Road {
		for _, a := range b.arms[p] {
			if a.next == q {
				return a.r
			}
		}
		return nil
	}
	for i := 1; i < len(line)-1; i++ {
		if roadOf(line[i-1], line[i]) != roadOf(line[i], line[i+1]) {
			b.cut[line[i]] = true
		}
	}
}

type stepTo struct {
	p    plane.Point
	cost float64
}
type frontier []stepTo

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	if f[i].cost != f[j].cost {
		return f[i].cost < f[j].cost
	}
	return f[i].p.X < f[j].p.X || f[i].p.X == f[j].p.X && f[i].p.Y < f[j].p.Y
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(stepTo)) }
func (f *frontier) Pop() any {
	old := *f
	x := old[len(old)-1]
	*f = old[:len(old)-1]
	return x
}

// drive finds the quick way for a bus from one vertex to another.
func (b busPlanner) drive(from, to plane.Point) []plane.Point {
	slow := [...]float64{1, 1, 1, 1.1, 1.4, 2.2, 2.4, 6, 9, 50, 99, 99}
	cost := map[plane.Point]float64{from: 0}
	back := map[plane.Point]plane.Point{}
	done := map[plane.Point]bool{}
	q := &frontier{{from, 0}}
	for q.Len() > 0 {
		x := heap.Pop(q).(stepTo)
		if done[x.p] {
			continue
		}
		done[x.p] = true
		if x.p == to {
			line := []plane.Point{to}
			for p := to; p != from; {
				p = back[p]
				line = append(line, p)
			}
			slices.Reverse(line)
			return line
		}
		for _, a := range b.arms[x.p] {
			if !a.out || a.r.Rank == network.Motorway || a.r.Tags.Get("access") != "" || a.r.Tags.Get("motor_vehicle") == "no" {
				continue
			}
			// Sixteenths of a metre keep the sums exact on every machine.
			c := x.cost + float64(int(x.p.Dist(a.next)*slow[a.r.Rank]*16))
			if old, ok := cost[a.next]; !ok || c < old {
				cost[a.next], back[a.next] = c, x.p
				heap.Push(q, stepTo{a.next, c})
			}
		}
	}
	return nil
}

// writeRoutes writes bus stops and the relations of buses, trains, ferries
// and the cycle way.
func (b busPlanner) writeRoutes() {
	for i := range b.stops {
		s := &b.stops[i]
		s.Node = b.out.Point(s.at, network.Tags("highway", "bus_stop", "public_transport", "platform", "bus", "yes", "name", s.Name, "naptan:AtcoCode", s.Code,
			"shelter", []string{"yes", "no"}[i%2], "bench", []string{"yes", "no"}[i%3%2])).ID
	}
	for _, r := range b.routes {
		var m []osm.Member
		for _, k := range r.stops {
			m = append(m, osm.Member{Kind: osm.KindNode, Ref: b.stops[k].Node, Role: "platform"})
		}
		last := int64(0)
		for i := 1; i < len(r.line); i++ {
			if id := b.wayAt(segment{r.line[i-1], r.line[i]}); id != 0 && id != last {
				m = append(m, osm.Member{Kind: osm.KindWay, Ref: id})
				last = id
			}
		}
		from, to := r.calls[0], r.calls[len(r.calls)-1]
		ref := b.out.Relation(m, network.Tags("type", "route", "route", "bus", "public_transport:version", "2", "ref", r.ref, "name", "Bus "+r.ref+": "+from+" - "+to,
			"from", from, "to", to, "operator", "Halvern Omnibus", "network", "Halvern"))
		b.noteRefs("bus route "+r.ref, "route", "bus", ref)
	}
	var wagon, line []osm.Member
	for _, r := range b.roads {
		for _, id := range b.written[r] {
			switch {
			case r.Tags.Get("name") == "Tinners' Way":
				wagon = append(wagon, osm.Member{Kind: osm.KindWay, Ref: id})
			case r.Rank == network.Rail:
				line = append(line, osm.Member{Kind: osm.KindWay, Ref: id})
			}
		}
	}
	b.noteRefs("cycle route", "route", "bicycle", b.out.Relation(wagon, network.Tags("type", "route", "route", "bicycle", "network", "ncn", "ref", "962", "name", "Tinners' Way", "cycle_network", "ZZ:National")))
	var calls []osm.Member
	for _, s := range stations() {
		var track *network.Road
		for _, r := range b.roads {
			if r.Rank == network.Rail {
				if _, d := plane.Project(r.Pts, s.at); track == nil || d < func() float64 { _, e := plane.Project(track.Pts, s.at); return e }() {
					track = r
				}
			}
		}
		v := nearestVertex(track.Pts, s.at)
		ref := b.out.Point(v, network.Tags("railway", "station", "public_transport", "station", "train", "yes", "name", s.name, "ref:crs", s.code, "operator", "Halvern Railway"))
		calls = append(calls, ref.As("stop"))
		b.noteRefs("station "+s.name, "railway", "station", ref)
		b.marks["station "+s.name] = mark{at: v}
	}
	b.out.Relation(append(calls, line...), network.Tags("type", "route", "route", "train", "name", "Stannerford - Tarrowmouth - Port Gwillan", "ref", "H1", "operator", "Halvern Railway"))
	for i, f := range b.ferries {
		ref := b.out.Way(f.line, f.tags)
		b.noteRefs([]string{"car ferry", "foot ferry"}[i], "route", "ferry", ref)
	}
}
