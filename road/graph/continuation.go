package graph

import (
	"fmt"

	"github.com/waygate/waygate/region"
)

// OnwardSection and OnwardVersion name the section of a region that says how
// its roads go on. Guidance does without it, but takes longer.
const (
	OnwardSection = "onward"
	OnwardVersion = 1
)

// Onward is what guidance asks of every edge of a path, looked up once for
// all: what lies on the edge, and whether its road goes on at the head so
// plainly that nothing needs to be said or looked at there.
type Onward uint16

// What lies on an edge.
const (
	OnToll    Onward = 1 << iota
	OnHighway        // a motorway, its slip roads apart
	OnFerry
	OnRough    // unpaved
	OnGate     // at its tail
	OnTimes    // access that depends on the time
	TurnsTimed // a turn from it does
	OnInner    // it lies within a junction

	// The road goes on for these travellers without a word.
	OnByMotor
	OnByBicycle
	OnOnFoot

	onwardShift = iota
)

// NoNext is the place of the next edge where there is none.
const NoNext = 15

// WithNext gives the facts with the place of the edge on which the road goes
// on, among those that leave the head: 0 up to 14, or NoNext.
func (o Onward) WithNext(place int) Onward {
	return o&(1<<onwardShift-1) | Onward(place)<<onwardShift
}

// Next is the place of the edge on which the road goes on, or NoNext.
func (o Onward) Next() uint32 { return uint32(o >> onwardShift) }

// WriteOnward writes the section file of what is known of each original edge.
func WriteOnward(path string, edges []Onward) error {
	a := &region.Arrays{}
	region.Put(a, "edge.onward", edges)
	return a.WriteFile(path)
}

// openOnward reads how the roads of a region go on, if it says so.
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
			return fmt.Errorf("section %s: edge.onward[%d]: goes on along way %d of %d at node %d", OnwardSection, e, n, g.FirstOut[head+1]-g.FirstOut[head], head)
		}
	}
	return nil
}
