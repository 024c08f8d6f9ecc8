package graph

import (
	"fmt"

	"github.com/waygate/waygate/region"
)

// JunctionSection and JunctionVersion name the section of a region with a Junction
// for most of its turns. Costings do without it, but take longer.
const (
	JunctionSection = "junctions"
	JunctionVersion = 1
)

// Junction describes the node of a turn for any traveller, computed at import by
// package profile: how likely it is that one has to stop, from 0 to 7, in the lower bits,
// and flags.
type Junction uint8

// The things that a turn meets.
const (
	RoadOnLeft  Junction = 1 << (3 + iota) // other roads leave to its left
	RoadOnRight                            // and to its right
	SameName                               // both its roads have the same name, or none
	junctionBits
)

// StopImpact returns how likely it is that one has to stop, from 0 to 7.
func (j Junction) StopImpact() int { return int(j & 7) }

// Junctions are those of the turns from an edge into the first edges that leave its
// head. Of 10,000 turns of a region some 50 are into later ones.
type Junctions [4]Junction

// Junction returns that of the turn from an original edge into the edge of a number among
// those that leave its head; ok is false where it was not worked out.
func (g *Graph) Junction(e Edge, out uint32) (j Junction, ok bool) {
	if out >= uint32(len(Junctions{})) || g.Junctions == nil {
		return 0, false
	}
	return g.Junctions[e][out], true
}

// WriteJunctions writes the section file, with one element for each original edge.
func WriteJunctions(path string, edges []Junctions) error {
	a := &region.Arrays{}
	region.Put(a, "edge.junctions", edges)
	return a.WriteFile(path)
}

// ReadJunctions returns the junctions of a graph in a section.
func ReadJunctions(section *region.Section, g *Graph) ([]Junctions, error) {
	all, err := region.Array[Junctions](section, "edge.junctions")
	if err == nil && len(all) != int(g.Base) {
		err = fmt.Errorf("section %s: array edge.junctions has %d elements, want %d", JunctionSection, len(all), g.Base)
	}
	return all, err
}

func (g *Graph) verifyJunctions() error {
	for e, all := range g.Junctions {
		n := g.ByEdge[e].Head
		for i, j := range all {
			if j >= junctionBits || j != 0 && Edge(i) >= g.FirstOut[n+1]-g.FirstOut[n] {
				return fmt.Errorf("section %s: edge.junctions[%d]: is %#x for edge %d of %d at node %d", JunctionSection, e, uint8(j), i, g.FirstOut[n+1]-g.FirstOut[n], n)
			}
		}
	}
	return nil
}
