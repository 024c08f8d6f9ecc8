package searchtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Departure is when journeys through a network of Timed are asked for: its
// restrictions come and go around then.
var Departure = time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)

// Timed draws a network with edges and turns that are closed, or opened, and edges that have
// other speed limits, at times that lie within the few minutes a journey takes.
func Timed(r *rand.Rand) *Network {
	window := func() string {
		if r.IntN(8) == 0 {
			return "22:00-06:00"
		}
		from := r.IntN(9) - 5
		at := func(m int) string { return Departure.Add(time.Duration(m) * time.Minute).Format("15:04") }
		return at(from) + "-" + at(from+1+r.IntN(4))
	}
	return random(r, decoration{
		segment: func(b *graph.Builder, s *graph.SegmentFacts) {
			for _, d := range []*graph.Direction{&s.Forward, &s.Backward} {
				if r.IntN(3) == 0 {
					limitAtTimes(r, b, d, window)
					continue
				}
				if r.IntN(2) == 0 {
					continue
				}
				value := "no"
				if r.IntN(3) == 0 {
					value = "yes"
					if r.IntN(2) == 0 {
						d.Access = 0
					}
				}
				d.Flags |= graph.Conditional
				d.Attributes = b.Set("access:conditional", fmt.Sprintf("%s @ (%s,%s)", value, window(), window()))
			}
		},
		rule: func(b *graph.Builder, x *graph.Restriction) {
			if r.IntN(2) == 0 {
				x.Timed, x.Set = true, b.Set("condition", "("+window()+")")
			}
		},
	})
}

// limitAtTimes draws speed limits that depend on the time, some higher than usual.
func limitAtTimes(r *rand.Rand, b *graph.Builder, d *graph.Direction, window func() string) {
	d.Limited, d.TruckSpeed = d.Speed, uint8(r.IntN(2)*(10+r.IntN(80)))
	key := []string{"maxspeed", "maxspeed:hgv"}[r.IntN(2)]
	d.Flags |= graph.Conditional
	d.Attributes = b.Set(key+":conditional", fmt.Sprintf("%d @ (%s); %d @ (%s)", 10+r.IntN(100), window(), 10+r.IntN(100), window()))
}

// limits returns the speed limits of an edge at a time, by asking the tags.
func (n *Network) limits(c *profile.Costing, e graph.Edge, at int64) graph.SpeedLimits {
	if n.calendar == nil {
		n.calendar = calendar{}
	}
	l := n.Graph.SpeedLimits(e, c.Mode())
	for key, limit := range map[string]*uint8{"maxspeed": &l.All, "maxspeed:hgv": &l.Own} {
		tag := n.Graph.EdgeAttribute(e, key+":conditional")
		if tag == "" || key == "maxspeed:hgv" && c.Mode() != graph.Truck {
			continue
		}
		var values []string
		for _, x := range conditional.Clauses(tag) {
			values = append(values, x.Value)
		}
		if i := n.calendar.at(tag, values, at); i >= 0 {
			kmh, _ := strconv.Atoi(values[i])
			*limit = uint8(kmh)
		}
	}
	return l
}

// Travel returns what a part of an edge costs, in 1024ths of a millisecond, and takes in
// milliseconds to who comes to it at a time or, with back, is at its end then: minute by
// minute, at which limits may change.
func (n *Network) Travel(c *profile.Costing, e graph.Edge, share float64, at int64, frozen, back bool) (cost uint64, took int64) {
	part := func(cost uint32) uint64 { return uint64(math.Round(float64(cost)*share)) << 10 }
	kmh := func(at int64) float64 { return c.SpeedUnder(e, n.limits(c, e, at)) }
	metres := n.Graph.EdgeLength(e) * share
	free := int64(math.Round(metres * 3.6 / kmh(0) * 1000))
	if n.limited(e, c.Mode()) {
		cost = part(c.EdgeUnder(e, n.limits(c, e, 0), math.Inf(1)))
	} else {
		return part(c.EdgeAtEnd(e)), free
	}
	now, left := float64(at), metres
	for took = free; !frozen; {
		begin := int64(math.Floor(now/minute)) * minute
		end := begin + minute
		if back && float64(begin) == now {
			begin, end = begin-minute, begin
		}
		speed, span := kmh(begin)/3600, float64(end)-now
		if back {
			span = now - float64(begin)
		}
		if left <= span*speed {
			need := left / speed
			switch {
			case back:
				took = at - int64(math.Round(now-need))
			default:
				took = int64(math.Round(now+need)) - at
			}
			break
		}
		left -= span * speed
		if now = float64(end); back {
			now = float64(begin)
		}
	}
	if took >= free {
		cost += uint64(took-free) * c.Wait()
	} else {
		cost -= uint64(free-took) * c.Wait()
	}
	return max(cost, part(c.EdgeAtEnd(e))), took
}

// limited reports whether limits of an edge depend on the time for a mode.
func (n *Network) limited(e graph.Edge, mode graph.Modes) bool {
	return n.Graph.EdgeAttribute(e, "maxspeed:conditional") != "" || mode == graph.Truck && n.Graph.EdgeAttribute(e, "maxspeed:hgv:conditional") != ""
}

// minute is in milliseconds.
const minute = 60_000

// dayMinutes is how far from Moment something may be waited for.
const dayMinutes = 24 * 60

// calendar is the state of a condition at each minute of the days around Departure.
type calendar map[string]*[2*dayMinutes + 1]int

// at returns the last value of a conditional tag that holds, by its number among
// values, or -1.
func (k calendar) at(tag string, values []string, ms int64) int {
	days := k[tag]
	if days == nil {
		days = new([2*dayMinutes + 1]int)
		clauses := conditional.Clauses(tag)
		for i := range days {
			days[i] = -1
			for _, x := range clauses {
				if x.If.At(&conditional.LocalTime{Local: Departure.Add(time.Duration(i-dayMinutes) * time.Minute)}, nil) == hours.Open {
					days[i] = slices.Index(values, x.Value)
				}
			}
		}
		k[tag] = days
	}
	return days[min(max(int(math.Floor(float64(ms)/minute))+dayMinutes, 0), 2*dayMinutes)]
}

// isOpen reports whether edge f may be entered at the end of a path at a time,
// by asking the tags.
func (n *Network) isOpen(c *profile.Costing, path []graph.Edge, f graph.Edge, at int64) bool {
	g := n.Graph
	if n.calendar == nil {
		n.calendar = calendar{}
	}
	switch n.calendar.at(g.EdgeAttribute(f, "access:conditional"), []string{"no", "yes"}, at) {
	case 0:
		return false
	case -1:
		if g.ByEdge[f].Access&c.Mode() == 0 {
			return false
		}
	}
	path = append(slices.Clone(path), f)
	for i := range n.bans {
		b := &n.bans[i]
		if b.Timed && b.Modes&c.Mode() != 0 && b.applies(path) && n.calendar.at("no @ "+g.Attribute(b.Set, "condition"), []string{"no"}, at) == 0 {
			return false
		}
	}
	return true
}

// wait finds the time from one on (or, in time reversed, up to one) at which an
// edge may be entered.
func (n *Network) wait(c *profile.Costing, path []graph.Edge, f graph.Edge, at int64, back bool) (int64, bool) {
	for when := at; when <= 24*60*minute && when >= -24*60*minute; {
		if n.isOpen(c, path, f, when) {
			return when, true
		}
		// On to the next whole minute, where anything may change.
		if back {
			when = int64(math.Floor(float64(when)/minute))*minute - 1
		} else {
			when = int64(math.Floor(float64(when)/minute))*minute + minute
		}
	}
	return 0, false
}

// SlowTimed is Slow for a journey that begins at Moment: a search of all walks
// that forgets one only for another that is in the same place at the same time
// for less. ok is false where there are too many. With frozen, time stands
// still.
func (n *Network) SlowTimed(c *profile.Costing, from, to search.End, frozen bool) (best uint64, ok bool) {
	type state struct {
		edges [6]graph.Edge
		time  int64
	}
	travel := func(e graph.Edge, share float64, at int64) (uint64, int64) {
		return n.Travel(c, e, share, at, frozen, false)
	}
	millis := func(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }
	best = Unreached
	if from.Edge == to.Edge && from.Along <= to.Along {
		best, _ = travel(from.Edge, to.Along-from.Along, 0)
	}
	cost := map[state]uint64{}
	first, took := travel(from.Edge, 1-from.Along, 0)
	start := state{[6]graph.Edge{graph.None, graph.None, graph.None, graph.None, graph.None, from.Edge}, took}
	cost[start] = first
	queue := []state{start}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		e := s.edges[5]
		node := n.Graph.ByEdge[e].Head
		for f := n.Graph.FirstOut[node]; f < n.Graph.FirstOut[node+1]; f++ {
			d := c.Turn(e, f)
			if d.Cost == profile.Forbidden || n.forbids(append(slices.Clone(s.edges[:]), f), c) {
				continue
			}
			when, open := n.wait(c, s.edges[:], f, s.time, false)
			if frozen {
				when, open = s.time, n.isOpen(c, s.edges[:], f, 0)
			}
			if !open {
				continue
			}
			reached := cost[s] + uint64(when-s.time)*c.Wait() + uint64(d.Cost)<<10
			turning := min(millis(d.Seconds), int64(uint64(d.Cost)<<10/c.Wait()))
			if f == to.Edge {
				last, _ := travel(f, to.Along, when+turning)
				best = min(best, reached+last)
			}
			w, took := travel(f, 1, when+turning)
			if c.Edge(f) == profile.Forbidden || reached+w >= best {
				continue
			}
			reached += w
			next := state{time: when + turning + took}
			if frozen {
				next.time = 0
			}
			copy(next.edges[:], append(slices.Clone(s.edges[1:]), f))
			for i := range len(next.edges) - n.memory {
				next.edges[i] = graph.None
			}
			if old, seen := cost[next]; !seen || reached < old {
				cost[next] = reached
				queue = append(queue, next)
				if len(cost) > 600 {
					return 0, false
				}
			}
		}
	}
	if best != Unreached {
		best >>= 10
	}
	return best, true
}
