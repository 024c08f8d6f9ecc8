package graph

import (
	"fmt"

	"github.com/waygate/waygate/region"
)

// ContinuationSection and ContinuationVersion name the section of a region with a
// Continuation for each edge. Guidance does without it, but takes longer.
const (
	ContinuationSection = "onward"
	ContinuationVersion = 2
)

// Continuation has the facts that guidance needs of every edge of a path, computed at
// import: flags of what lies on the edge, and whether its road continues at the
// head so plainly that guidance says nothing and need not look at the junction.
// The low bits are flags, the high four the place of the edge on which the road
// continues.
type Continuation uint16

// The facts of an edge.
const (
	OnToll    Continuation = 1 << iota
	OnHighway              // a motorway, its slip roads apart
	OnFerry
	OnUnpaved   // unpaved
	GateAtTail  // at its tail
	TimedAccess // access depends on the time
	TimedTurns  // a turn from it is restricted at times

	// The road continues for these travellers without an instruction.
	ContinuesByMotor
	ContinuesByBicycle
	ContinuesOnFoot

	continuationShift = iota
)

// NoNext is the result of Next where no edge continues the road.
const NoNext = 15

// WithNext sets the place of the edge on which the road continues among the
// edges that leave the head, 0 to 14, or NoNext.
func (c Continuation) WithNext(place int) Continuation {
	return c&(1<<continuationShift-1) | Continuation(place)<<continuationShift
}

// Next returns the place of the edge on which the road continues among the edges that
// leave the head, or NoNext.
func (c Continuation) Next() uint32 { return uint32(c >> continuationShift) }

// WriteContinuations writes the section file, with one element for each
// original edge.
func WriteContinuations(path string, edges []Continuation) error {
	a := &region.Arrays{}
	region.Put(a, "edge.onward", edges)
	return a.WriteFile(path)
}

func (g *Graph) readContinuations(section *region.Section) (err error) {
	if g.Continuations, err = region.Array[Continuation](section, "edge.onward"); err != nil {
		return err
	}
	return g.checkContinuations()
}

func (g *Graph) checkContinuations() error {
	if g.Continuations != nil && len(g.Continuations) != int(g.Base) {
		return fmt.Errorf("section %s: array edge.onward has %d elements, want %d", ContinuationSection, len(g.Continuations), g.Base)
	}
	return nil
}

func (g *Graph) verifyContinuations() error {
	if err := g.checkContinuations(); err != nil {
		return err
	}
	for e, c := range g.Continuations {
		head := g.ByEdge[e].Head
		if n := c.Next(); n != NoNext && Edge(n) >= g.FirstOut[head+1]-g.FirstOut[head] {
			return fmt.Errorf("section %s: edge.onward[%d]: continues on edge %d of %d at node %d", ContinuationSection, e, n, g.FirstOut[head+1]-g.FirstOut[head], head)
		}
	}
	return nil
}
