package graph

import (
	"fmt"

	"github.com/waygate/waygate/region"
)

// OnwardSection and OnwardVersion name the section of a region with an Onward
// for each edge. Guidance does without it, but takes longer.
const (
	OnwardSection = "onward"
	OnwardVersion = 1
)

// Onward is what guidance asks of every edge of a path, worked out at import:
// flags of what lies on the edge, and whether its road continues at the head so
// plainly that guidance says nothing and need not look at the junction. The low
// bits are flags, the high four the place of the edge on which the road
// continues.
type Onward uint16

// What lies on an edge.
const (
	OnToll    Onward = 1 << iota
	OnHighway        // a motorway, its slip roads apart
	OnFerry
	OnRough    // unpaved
	OnGate     // at its tail
	OnTimes    // access depends on the time
	TurnsTimed // a turn from it is restricted at times
	OnInner    // it lies within a junction

	// The road continues for these travellers without an instruction.
	OnByMotor
	OnByBicycle
	OnOnFoot

	onwardShift = iota
)

// NoNext is what Next gives where no edge continues the road.
const NoNext = 15

// WithNext sets the place of the edge on which the road continues among the
// edges that leave the head, 0 to 14, or NoNext.
func (o Onward) WithNext(place int) Onward {
	return o&(1<<onwardShift-1) | Onward(place)<<onwardShift
}

// Next is the place of the edge on which the road continues among the edges that
// leave the head, or NoNext.
func (o Onward) Next() uint32 { return uint32(o >> onwardShift) }

// WriteOnward writes the section file, with one element for each original edge.
func WriteOnward(path string, edges []Onward) error {
	a := &region.Arrays{}
	region.Put(a, "edge.onward", edges)
	return a.WriteFile(path)
}

// openOnward reads the section if the region has it.
func (g *Graph) openOnward(r *region.Region) error {
	if _, ok := r.Manifest.Section(OnwardSection); !ok {
		return nil
	}
	section, err := r.Section(OnwardSection, OnwardVersion, OnwardVersion)
	if err != nil {
		return err
	}
	if g.Onward, err = region.Array[Onward](section, "edge.onward"); err != nil {
		return err
	}
	return g.checkOnward()
}

func (g *Graph) checkOnward() error {
	if g.Onward != nil && len(g.Onward) != int(g.Base) {
		return fmt.Errorf("section %s: array edge.onward has %d elements, want %d", OnwardSection, len(g.Onward), g.Base)
	}
	return nil
}

func (g *Graph) verifyOnward() error {
	if err := g.checkOnward(); err != nil {
		return err
	}
	for e, o := range g.Onward {
		head := g.Head[e]
		if n := o.Next(); n != NoNext && Edge(n) >= g.FirstOut[head+1]-g.FirstOut[head] {
			return fmt.Errorf("section %s: edge.onward[%d]: continues on edge %d of %d at node %d", OnwardSection, e, n, g.FirstOut[head+1]-g.FirstOut[head], head)
		}
	}
	return nil
}
