package profile

import (
	"sync/atomic"

	"github.com/waygate/waygate/road/graph"
)

// Junctions remembers what turns are like that were asked for lately, which does not
// depend on the traveller: all costings of a graph may share one. It takes 256 KB,
// whatever the graph's size. Safe for all goroutines.
type Junctions struct {
	// A turn has one place, where the last one asked for stays. A word is the edge
	// left in its upper half, the turn's number among those at the node, and what it
	// is like; 0 is no turn.
	places [junctionPlaces]atomic.Uint64
}

const (
	junctionPlaces = 1 << 15

	// The lower half of a word: degrees in 9 bits, stop impact in 3, and these.
	leftBit     = 1 << 12
	rightBit    = 1 << 13
	sameNameBit = 1 << 14
	knownBit    = 1 << 15
	outAt       = 16 // of the turn's number
	outMost     = 1<<16 - 1
)

// Remembering is the costing with a memory of what turns are like, which must be of
// the same graph.
func (c *Costing) Remembering(all *Junctions) *Costing {
	with := *c
	with.junctions = all
	return &with
}

// junctionAt is junctionOf, out of the memory where the turn is in it.
func (c *Costing) junctionAt(e, f graph.Edge, n graph.Node) junction {
	out := uint64(f - c.g.FirstOut[n])
	if c.junctions == nil || out > outMost {
		return c.junctionOf(e, f, n)
	}
	key := uint64(e)<<32 | out<<outAt | knownBit
	place := &c.junctions.places[key>>outAt*0x9e3779b97f4a7c15>>(64-15)]
	if word := place.Load(); word&^(knownBit-1) == key {
		return c.recalled(e, f, n, word)
	}
	j := c.junctionOf(e, f, n)
	word := key | uint64(j.turn) | uint64(j.stopImpact)<<9
	for _, bit := range []struct {
		set bool
		is  uint64
	}{{j.left, leftBit}, {j.right, rightBit}, {j.sameName, sameNameBit}} {
		if bit.set {
			word |= bit.is
		}
	}
	place.Store(word)
	return j
}

// recalled is the junction that a word of the memory tells of.
func (c *Costing) recalled(e, f graph.Edge, n graph.Node, word uint64) junction {
	g := c.g
	j := junction{
		out: e, into: f, from: g.Segment(e), to: g.Segment(f), n: n,
		turn: int(word & (1<<9 - 1)), degree: int(g.FirstOut[n+1] - g.FirstOut[n]),
		left: word&leftBit != 0, right: word&rightBit != 0, sameName: word&sameNameBit != 0,
		stopImpact: int(word >> 9 & maxStopImpact),
	}
	j.turnType = turnTypeOf(j.turn)
	j.onLeft = g.SegFlags[j.to]&graph.DriveOnLeft != 0
	return j
}
