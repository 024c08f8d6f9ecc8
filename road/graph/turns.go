package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// Keys of a turn's set, beside "condition" and the "id" of its relation. GateKey is for the
// tag of a barrier, and its node, that closes the way past it at times, and OpenKey for the
// opening hours outside of which it does.
const (
	GateKey = "gate"
	OpenKey = "open"
)

// placeTurns turns the restrictions into Turns and makes the copies that
// restrictions over several ways need. The restrictions' paths form an automaton
// as that of Aho and Corasick: its state after some edges is the longest suffix
// of them that is a prefix of a restriction's path, and each state of two edges
// or more is a copy of its last edge. The idea is that of Geisberger and Vetter,
// "Efficient Routing in Road Networks with Turn Costs" (2011), extended to
// restrictions of any length.
func (b *Builder) placeTurns(ctx context.Context, g *Graph, edgeOf []Edge) error {
	t := turnBuilder{g: g, states: map[string]Edge{}, seen: map[Turn]bool{}}
	for i, r := range b.bans {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		path := make([]Edge, len(r.Path))
		for i, h := range r.Path {
			path[i] = edgeOf[h]
		}
		t.add(path, r)
	}
	t.makeStates()
	if err := t.makeTurns(ctx); err != nil {
		return err
	}
	t.finish()
	return nil
}

type ban struct {
	path  []Edge
	modes Modes
	when  uint16
	set   Set
}

type turnBuilder struct {
	g      *Graph
	bans   []ban
	paths  [][]Edge        // by state: the edges it remembers, two or more
	states map[string]Edge // remembered edges to the number of the copy, less Base
	turns  []Turn
	seen   map[Turn]bool
	byLast map[[2]Edge][]int // last two edges of a ban's path to the bans
}

// add takes a restriction as bans of single turns: an "only" restriction bans
// every other edge that leaves its last node.
func (t *turnBuilder) add(path []Edge, r Restriction) {
	when := uint16(Always)
	switch {
	case r.Timed:
		when = AtTimes
	case r.Limits > 0:
		when = AtTimes + uint16(r.Limits)
	}
	if !r.Only {
		t.bans = append(t.bans, ban{path, r.Modes, when, r.Set})
		return
	}
	last := path[len(path)-1]
	for _, other := range t.out(path[len(path)-2]) {
		if other != last {
			wrong := append(slices.Clone(path[:len(path)-1]), other)
			t.bans = append(t.bans, ban{wrong, r.Modes, when, r.Set})
		}
	}
}

// out lists the original edges that leave the head of an edge.
func (t *turnBuilder) out(e Edge) []Edge {
	n := t.g.ByEdge[e].Head
	list := make([]Edge, 0, 4)
	for f := t.g.FirstOut[n]; f < t.g.FirstOut[n+1]; f++ {
		list = append(list, f)
	}
	return list
}

func pathKey(path []Edge) string {
	key := make([]byte, 0, 4*len(path))
	for _, e := range path {
		key = binary.LittleEndian.AppendUint32(key, uint32(e))
	}
	return string(key)
}

// makeStates makes a state of each proper prefix, of two edges or more, of each
// ban's path.
func (t *turnBuilder) makeStates() {
	t.byLast = map[[2]Edge][]int{}
	for i, b := range t.bans {
		last := [2]Edge(b.path[len(b.path)-2:])
		t.byLast[last] = append(t.byLast[last], i)
		for n := 2; n < len(b.path); n++ {
			key := pathKey(b.path[:n])
			if _, ok := t.states[key]; !ok {
				t.states[key] = Edge(len(t.paths))
				t.paths = append(t.paths, b.path[:n])
			}
		}
	}
	for _, p := range t.paths {
		e := p[len(p)-1]
		g := t.g
		g.CopyOf = append(g.CopyOf, e)
		g.ByEdge = append(g.ByEdge, g.ByEdge[e])
		g.SegmentDir = append(g.SegmentDir, g.SegmentDir[e])
	}
}

// makeTurns gives every edge and copy its bans and the copies it leads to.
func (t *turnBuilder) makeTurns(ctx context.Context) error {
	starts := map[Edge]bool{}
	for _, p := range t.paths {
		starts[p[0]] = true
	}
	for _, b := range t.bans {
		starts[b.path[len(b.path)-2]] = true
	}
	for e := range starts {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.turnsOf(e, []Edge{e})
	}
	for i, p := range t.paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.turnsOf(t.g.Base+Edge(i), p)
	}
	return nil
}

// turnsOf adds the turns from an edge or copy that has come along history,
// whose last edge it is.
func (t *turnBuilder) turnsOf(from Edge, history []Edge) {
	last := history[len(history)-1]
	for _, to := range t.out(last) {
		next := append(slices.Clone(history), to)
		for n := len(next); n >= 2; n-- {
			if state, ok := t.states[pathKey(next[len(next)-n:])]; ok {
				t.put(Turn{From: from, To: to, Replace: t.g.Base + state})
				break
			}
		}
		for _, i := range t.byLast[[2]Edge{last, to}] {
			b := t.bans[i]
			if endsWith(next, b.path) {
				t.put(Turn{From: from, To: to, Replace: None, Modes: b.modes, When: b.when, Set: b.set})
			}
		}
	}
}

func endsWith(path, end []Edge) bool {
	return len(path) >= len(end) && slices.Equal(path[len(path)-len(end):], end)
}

func (t *turnBuilder) put(turn Turn) {
	if !t.seen[turn] {
		t.seen[turn] = true
		t.turns = append(t.turns, turn)
	}
}

func (t *turnBuilder) finish() {
	g := t.g
	slices.SortFunc(t.turns, func(x, y Turn) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(x.Replace, y.Replace),
			cmp.Compare(x.Modes, y.Modes), cmp.Compare(x.When, y.When), cmp.Compare(x.Set, y.Set))
	})
	g.Turns = t.turns
	for _, turn := range t.turns {
		g.ByEdge[turn.From].Flags |= Turning
	}
	g.CopyAt = make([]uint32, len(g.Position)+1)
	for i := range g.CopyOf {
		g.CopyAt[g.ByEdge[int(g.Base)+i].Head+1]++
	}
	for n := range g.Position {
		g.CopyAt[n+1] += g.CopyAt[n]
	}
	g.Copies = make([]Edge, len(g.CopyOf))
	next := slices.Clone(g.CopyAt)
	for i := range g.CopyOf {
		e := g.Base + Edge(i)
		g.Copies[next[g.ByEdge[e].Head]] = e
		next[g.ByEdge[e].Head]++
	}
}
