// Package graph is the road network in flat arrays: directed edges between
// nodes, with everything in OpenStreetMap about them that a routing answer may
// need. It has facts, not costs: their cost for a traveller is computed by
// package profile.
//
// A node is a place where roads meet or end, or where something stands that
// may stop a traveller. A segment is a stretch of OSM way between two nodes; it
// carries what both directions share, as length, line and names. Each segment
// has two directed edges, forwards (in the direction the way is drawn) and
// backwards, which carry what may differ, as access and lanes. An edge that no
// mode may use exists too, with an empty Access. Nodes, edges and segments are
// numbers, each of a type of its own, and index the arrays of Graph. Nodes are
// numbered along a Hilbert curve and edges by their tail, so that neighbours in
// the map are neighbours in memory.
//
// Turn restrictions over several ways are built into the structure: the edges
// in the middle of such a restriction have copies that remember having come
// from its start (Geisberger and Vetter, "Efficient Routing in Road Networks
// with Turn Costs", 2011). Copies have the numbers from Base upwards, share
// their segment with the original, leave from and lead to the same nodes, but
// are reached only through a Turn that names them. So every restriction, however
// long, is a ban on going from one edge to the next, and a search over edges
// needs no more memory of its path than the edge it is on.
//
// A Builder, fed by importer/network, makes the graph; Write stores it as a
// section of a region; Open maps that section, so that the arrays are the file.
// Around a query, search.Found and match give paths as edges, copies among
// them; Original gives the edge with its facts, AppendShape its line.
package graph

import (
	"bytes"
	"math"

	"github.com/waygate/waygate/geo"
)

// Node is the number of a node, from 0.
type Node uint32

// Edge is the number of a directed edge, from 0, copies included.
type Edge uint32

// Segment is the number of a segment, from 0.
type Segment uint32

// DirectedSegment is a segment in one of its directions: its number times 2,
// plus 1 backwards. Two edges that are copies of one another have the same.
type DirectedSegment uint32

// Forwards returns the segment in the direction its way is drawn, Backwards the
// segment against it.
func (s Segment) Forwards() DirectedSegment { return DirectedSegment(s) << 1 }

// Backwards returns the segment against the direction its way is drawn.
func (s Segment) Backwards() DirectedSegment { return DirectedSegment(s)<<1 | 1 }

// Segment returns the segment without its direction.
func (d DirectedSegment) Segment() Segment { return Segment(d >> 1) }

// Backward reports whether the direction is against the way's drawing.
func (d DirectedSegment) Backward() bool { return d&1 != 0 }

// Reverse returns the other direction of the segment.
func (d DirectedSegment) Reverse() DirectedSegment { return d ^ 1 }

// Set is the number of an attribute set; 0 is the empty one.
type Set uint32

// Text is the number of a text; 0 is the empty one.
type Text uint32

// None is the absent node, edge or segment.
const None = math.MaxUint32

// EdgeRecord has the facts of an edge that costings and guidance read, side by side: a path through
// a region larger than a processor's cache waits for each line of it that it reads.
type EdgeRecord struct {
	Tail, Head  Node
	Opposite    Edge  // the other original edge of the segment
	Attributes  Set   // of this direction: destinations, exits, lanes, conditions
	Access      Modes // modes that may travel it
	Destination Modes // of those, modes that may only to reach a place on it
	Private     Modes // modes that may only to reach a place on it or on roads that are reached over it alone
	_           uint16
	Flags       EdgeFlags
	Limit       uint16 // into Limits
	Speed       uint8  // km/h of free motor traffic
	Limited     uint8  // posted limit in km/h, 0 where OSM has none
	TruckSpeed  uint8  // km/h posted for lorries, 0 where OSM has none
	Out         uint8  // bearing leaving the tail, as bearingCode gives it; see Bearing and Arrival
}

// SegmentRecord has the facts of a segment that they read.
type SegmentRecord struct {
	Length  float32 // metres
	Name    Set     // attribute set: names and refs in their languages
	Flags   SegFlags
	Class   Class
	Use     Use
	Surface Surface
	Hiking  uint8 // SAC scale 1 to 6, 0 where none
}

// NodeRecord has the facts of a node that they read.
type NodeRecord struct {
	Flags  NodeFlags
	Access Modes  // modes that may pass the barrier at the node; all without a barrier
	Limit  uint16 // into Limits: what stands at the node, as a width restrictor
}

// Graph is the network. All slices are read-only and may lie in mapped memory.
type Graph struct {
	// By node.
	Position []geo.Fixed
	FirstOut []Edge // by node, and one more: the originals leaving node n are those from FirstOut[n] up to but not including FirstOut[n+1]
	ByNode   []NodeRecord
	NodeID   []int64 // OSM

	// By edge. Originals are sorted by tail and have the numbers below Base.
	Base       Edge
	ByEdge     []EdgeRecord
	SegmentDir []DirectedSegment // apart, since drawing roads needs nothing else
	Timed      []Edge            // the originals with the flag Conditional, ascending

	// By segment.
	Forward    []Edge // the forward edge; the backward one is its Opposite
	BySegment  []SegmentRecord
	WayID      []int64  // OSM
	Country    []uint16 // ISO 3166-1 alpha-2 as two bytes, 0 where unknown
	ShapeAt    []uint32 // by segment, and one more: its points are Shape[ShapeAt[s]:ShapeAt[s+1]], both ends included
	Shape      []geo.Fixed
	ShapeNodes ShapeNodes // OSM nodes of the lines' inner points

	Grades        *Grades        // nil in a region without heights: all is level
	Continuations []Continuation // by original edge; nil where not worked out
	Junctions     []Junctions    // by original edge; nil where not worked out

	Limits []Limits
	Turns  []Turn // sorted by From, then To
	// CopyOf is the original of each copy, indexed by edge number less Base;
	// CopyAt and Copies list the copies that lead to a node: those into node
	// n are Copies[CopyAt[n]:CopyAt[n+1]].
	CopyOf []Edge
	CopyAt []uint32
	Copies []Edge

	// Which lane leads into which where OSM maps it, sorted by From.
	Connections []Connection
	Vias        []Edge // edges between those of connections
	Links       []LaneLink

	// Attribute sets: set i is the pairs SetPair[SetAt[i]:SetAt[i+1]], each a
	// key and a value as text numbers. Set 0 is empty.
	SetAt   []uint32
	SetPair [][2]Text
	TextAt  []uint32 // text t is Text[TextAt[t]:TextAt[t+1]]
	Text    []byte
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return len(g.Position) }

// Edges returns the number of directed edges, copies included.
func (g *Graph) Edges() int { return len(g.ByEdge) }

// Segments returns the number of segments.
func (g *Graph) Segments() int { return len(g.BySegment) }

// Segment returns the segment of an edge.
func (g *Graph) Segment(e Edge) Segment { return g.SegmentDir[e].Segment() }

// Backward reports whether the edge runs against the way's drawing.
func (g *Graph) Backward(e Edge) bool { return g.SegmentDir[e].Backward() }

// Original returns the edge itself or, for a copy, what it copies.
func (g *Graph) Original(e Edge) Edge {
	if e < g.Base {
		return e
	}
	return g.CopyOf[e-g.Base]
}

// EachCopy calls yield for an original edge and its copies.
func (g *Graph) EachCopy(o Edge, yield func(e Edge)) {
	yield(o)
	n := g.ByEdge[o].Head
	for _, e := range g.Copies[g.CopyAt[n]:g.CopyAt[n+1]] {
		if g.Original(e) == o {
			yield(e)
		}
	}
}

// EachPredecessor calls yield for every edge, copies included, that ends where an edge begins.
func (g *Graph) EachPredecessor(f Edge, yield func(e Edge)) {
	n := g.ByEdge[f].Tail
	for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
		yield(g.ByEdge[out].Opposite)
	}
	for _, e := range g.Copies[g.CopyAt[n]:g.CopyAt[n+1]] {
		yield(e)
	}
}

// SegmentShape returns the line of a segment in the way's direction; it must not
// be changed.
func (g *Graph) SegmentShape(s Segment) []geo.Fixed { return g.Shape[g.ShapeAt[s]:g.ShapeAt[s+1]] }

// CrossesAntimeridian reports whether a segment does. An import makes such segments
// two metres long, and of all that is measured in flat coordinates they are left out.
func (g *Graph) CrossesAntimeridian(s Segment) bool {
	shape := g.SegmentShape(s)
	return geo.Across(shape[0], shape[len(shape)-1])
}

// AppendShape appends the line of an edge in its direction of travel, both
// ends included.
func (g *Graph) AppendShape(dst []geo.Point, e Edge) []geo.Point {
	shape := g.SegmentShape(g.Segment(e))
	if g.Backward(e) {
		for i := len(shape) - 1; i >= 0; i-- {
			dst = append(dst, shape[i].Point())
		}
		return dst
	}
	for _, p := range shape {
		dst = append(dst, p.Point())
	}
	return dst
}

// EdgeLength returns the length of an edge in metres.
func (g *Graph) EdgeLength(e Edge) float64 { return float64(g.BySegment[g.Segment(e)].Length) }

// String returns a text by number.
func (g *Graph) String(t Text) string { return string(g.Text[g.TextAt[t]:g.TextAt[t+1]]) }

// Attribute returns the value of a key in an attribute set, or "".
func (g *Graph) Attribute(set Set, key string) string {
	for _, p := range g.SetPair[g.SetAt[set]:g.SetAt[set+1]] {
		if string(g.Text[g.TextAt[p[0]]:g.TextAt[p[0]+1]]) == key {
			return g.String(p[1])
		}
	}
	return ""
}

// Value returns the text number of a key's value in an attribute set, 0 where
// the set lacks the key. Equal values have equal numbers.
func (g *Graph) Value(set Set, key Text) Text {
	for _, p := range g.SetPair[g.SetAt[set]:g.SetAt[set+1]] {
		if p[0] == key {
			return p[1]
		}
	}
	return 0
}

// Several reports whether the name or the ref of an attribute set has several
// parts.
func (g *Graph) Several(set Set) bool {
	for _, p := range g.SetPair[g.SetAt[set]:g.SetAt[set+1]] {
		if (p[0] == NameKey || p[0] == RefKey) && bytes.IndexByte(g.Text[g.TextAt[p[1]]:g.TextAt[p[1]+1]], ';') >= 0 {
			return true
		}
	}
	return false
}

// Attributes calls yield for each key and value of a set, in the order they
// were built.
func (g *Graph) Attributes(set Set, yield func(key, value string) bool) {
	for _, p := range g.SetPair[g.SetAt[set]:g.SetAt[set+1]] {
		if !yield(g.String(p[0]), g.String(p[1])) {
			return
		}
	}
}

// NameOf returns the value of an edge's name set: "name", "ref", "name:cy", …
func (g *Graph) NameOf(e Edge, key string) string {
	return g.Attribute(g.BySegment[g.Segment(e)].Name, key)
}

// EdgeAttribute returns the value of an edge's own set: "destination", "junction:ref",
// "turn:lanes", "access:conditional", …
func (g *Graph) EdgeAttribute(e Edge, key string) string {
	return g.Attribute(g.ByEdge[e].Attributes, key)
}

// Bearing returns the bearing at which an edge leaves its tail, in whole degrees
// from 0 to 359.
func (g *Graph) Bearing(e Edge) int { return bearingDegrees[g.ByEdge[e].Out] }

// Arrival returns the bearing at which an edge reaches its head, in whole degrees
// from 0 to 359.
func (g *Graph) Arrival(e Edge) int {
	return (bearingDegrees[g.ByEdge[g.ByEdge[e].Opposite].Out] + 180) % 360
}

// TurnDegrees returns the change of bearing from edge e into edge f, clockwise in
// whole degrees from 0 to 359.
func (g *Graph) TurnDegrees(e, f Edge) int { return (g.Bearing(f) - g.Arrival(e) + 360) % 360 }
