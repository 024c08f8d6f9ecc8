package network

import (
	"context"

	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/road/graph"
)

// slipRoads reclassifies slip roads. OSM gives a slip road the class of the more
// important of the roads it joins; for driving on it the less important one counts.
// Like Valhalla's builder, this finds that class, and which slip roads are turn
// channels, lanes for turning at a junction.
type slipRoads struct {
	barriers map[nodeNumber]tags.Barrier
	chains   []slip // in the order they came
	at       map[nodeNumber]*slipNode
	found    map[slipKey]slipFacts
}

// slip is one drivable direction of a piece of slip road.
type slip struct {
	way      int64
	from, to nodeNumber
	metres   float64
	oneway   bool
	reversed bool // against the way's drawing
}

// slipNode is a node that slip roads touch or roads end at.
type slipNode struct {
	road    graph.Class // the greatest road here that is no slip road, none where there is none
	out, in []int       // slips that leave and that arrive
	links   int         // pieces of slip road here
}

type slipKey struct {
	way      int64
	from, to nodeNumber
}

type slipFacts struct {
	class   graph.Class
	channel bool
}

// noRoad is a class below all others.
const noRoad = graph.ServiceOther + 1

// longestChannel is the length in metres that a turn channel may have, and
// mostPieces about the number of pieces.
const (
	longestChannel = 200
	mostPieces     = 1000
)

func newSlipRoads(barriers map[nodeNumber]tags.Barrier) *slipRoads {
	return &slipRoads{barriers: barriers, at: map[nodeNumber]*slipNode{}, found: map[slipKey]slipFacts{}}
}

func (s *slipRoads) node(n nodeNumber) *slipNode {
	x := s.at[n]
	if x == nil {
		x = &slipNode{road: noRoad}
		s.at[n] = x
	}
	return x
}

// add adds a piece of a way.
func (s *slipRoads) add(p slip, w *tags.Way) {
	along, against := w.Forward.Access&graph.Auto != 0, w.Backward.Access&graph.Auto != 0
	if !along && !against || w.Class == graph.ServiceOther {
		return
	}
	a, b := s.node(p.from), s.node(p.to)
	if w.Use != graph.Ramp {
		a.road, b.road = min(a.road, w.Class), min(b.road, w.Class)
		return
	}
	a.links, b.links = a.links+1, b.links+1
	p.oneway = !(along && against)
	if along {
		a.out, b.in = append(a.out, len(s.chains)), append(b.in, len(s.chains))
		s.chains = append(s.chains, p)
	}
	if against {
		p.from, p.to, p.reversed = p.to, p.from, true
		b.out, a.in = append(b.out, len(s.chains)), append(a.in, len(s.chains))
		s.chains = append(s.chains, p)
	}
}

// finish computes the class and use of all slip roads.
func (s *slipRoads) finish(ctx context.Context) error {
	ups, downs := s.reached(true), s.reached(false)
	for i := range s.chains {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := &s.chains[i]
		class := max(ups[p.from], downs[p.to])
		if class == noRoad {
			continue
		}
		if class >= graph.Unclassified {
			class = graph.Tertiary
		}
		key := slipKey{p.way, p.from, p.to}
		if p.reversed {
			key.from, key.to = p.to, p.from
		}
		f := slipFacts{class: class, channel: class > graph.Trunk && p.oneway && s.channel(i)}
		if old, ok := s.found[key]; ok { // drivable both ways: the greater counts
			f.class = min(f.class, old.class)
		}
		s.found[key] = f
	}
	return nil
}

// reached returns for each node the most important road to which slip roads lead
// from there or, with back, from which they lead there, without crossing
// another road on the way.
func (s *slipRoads) reached(back bool) map[nodeNumber]graph.Class {
	class := make(map[nodeNumber]graph.Class, len(s.at))
	var queue []nodeNumber
	for n, x := range s.at {
		class[n] = x.road
		if x.road != noRoad {
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		next := s.at[n].in
		if back {
			next = s.at[n].out
		}
		for _, i := range next {
			m := s.chains[i].from
			if back {
				m = s.chains[i].to
			}
			if s.at[m].road == noRoad && class[n] < class[m] {
				class[m] = class[n]
				queue = append(queue, m)
			}
		}
	}
	return class
}

// channel reports whether a slip road is part of a short one without forks and exits
// between two roads. One that has grown too long is not a channel.
func (s *slipRoads) channel(i int) bool {
	metres := s.chains[i].metres
	for n, steps := s.chains[i].from, 0; s.at[n].road == noRoad; steps++ {
		x := s.at[n]
		if len(x.in) != 1 || x.links > 2 || s.exit(n) || steps > mostPieces || metres >= longestChannel {
			return false
		}
		metres += s.chains[x.in[0]].metres
		n = s.chains[x.in[0]].from
		if s.at[n].road != noRoad && (s.at[n].links > 2 || s.exit(n)) {
			return false
		}
	}
	if x := s.chains[i].from; s.at[x].links > 2 || s.exit(x) {
		return false
	}
	n := s.chains[i].to
	for steps := 0; s.at[n].road == noRoad; steps++ {
		x := s.at[n]
		if len(x.out) != 1 || x.links > 2 || s.exit(n) || steps > mostPieces || metres >= longestChannel {
			return false
		}
		metres += s.chains[x.out[0]].metres
		n = s.chains[x.out[0]].to
	}
	return !s.exit(n) && metres < longestChannel
}

func (s *slipRoads) exit(n nodeNumber) bool { return s.barriers[n].Flags&graph.MotorwayJunction != 0 }

// of returns the class and the use of a piece of slip road.
func (s *slipRoads) of(way int64, from, to nodeNumber, w *tags.Way) (graph.Class, graph.Use) {
	f, ok := s.found[slipKey{way, from, to}]
	if !ok {
		return w.Class, w.Use
	}
	use := w.Use
	if f.channel {
		use = graph.TurnChannel
	}
	return max(w.Class, f.class), use
}
