package graph

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Builder collects a network and builds its Graph. Nodes and segments are
// numbered in the order they are added; Build numbers the nodes anew and leaves
// the segments their numbers.
type Builder struct {
	nodes       []NodeFacts
	segments    []SegmentFacts
	bans        []Restriction
	connections []LaneConnection
	shapes      []geo.Fixed
	shapeNodes  ShapeNodes
	texts       interner
	sets        setInterner
	limits      map[Limits]uint32
	limitAll    []Limits
	most        int // of anything that is numbered; 0 is MostNumbers
}

// NodeFacts describes a node.
type NodeFacts struct {
	Position geo.Fixed
	OSM      int64
	Flags    NodeFlags
	Access   Modes  // the modes that may pass; AllModes without a barrier
	Limits   uint32 // from Builder.Limits
}

// SegmentFacts describes a stretch of way between two nodes.
type SegmentFacts struct {
	From, To AddedNode // in the way's direction
	Way      int64
	Class    Class
	Use      Use
	Surface  Surface
	Flags    SegFlags
	Hiking   uint8
	Country  uint16
	Name     Set // from Builder.Set
	// InnerNodes are the OSM nodes of the line's inner points, all but the first
	// and the last; nil where they are not known. AddSegment copies them.
	InnerNodes []int64

	Forward, Backward Direction

	shape, shapeEnd int // in Builder.shapes
}

// Direction describes one directed edge of a segment.
type Direction struct {
	Access, Destination Modes
	Private             Modes // as EdgeRecord has it; Build adds what lies behind
	Speed, Limited      uint8
	TruckSpeed          uint8
	Flags               EdgeFlags
	Limits              uint32 // from Builder.Limits
	Attributes          Set    // from Builder.Set
}

// AddedNode is the number of a node in the order of AddNode. Build numbers the
// nodes anew.
type AddedNode uint32

// Restriction is a turn restriction as a path of edges: the last may not
// follow the others, or, for Only, nothing else may. Path has the edge
// entered from, any edges on the way, and the edge left by.
type Restriction struct {
	Path  []DirectedSegment
	Only  bool
	Modes Modes
	Timed bool
	// Limits name the vehicles that a restriction without times is for, from
	// Builder.Limits; 0 is all.
	Limits uint32
	Set    Set
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	b := &Builder{limits: map[Limits]uint32{{}: 0}, limitAll: []Limits{{}}}
	b.texts.init()
	b.sets.init()
	return b
}

// AddNode adds a node and gives its number.
func (b *Builder) AddNode(n NodeFacts) AddedNode {
	b.nodes = append(b.nodes, n)
	return AddedNode(len(b.nodes) - 1)
}

// AddSegment adds a segment with its line, both ends included, and gives its
// number. The line is copied.
func (b *Builder) AddSegment(s SegmentFacts, shape []geo.Fixed) Segment {
	s.shape = len(b.shapes)
	b.shapes = append(b.shapes, shape...)
	s.shapeEnd = len(b.shapes)
	b.shapeNodes.add(len(b.segments), len(shape), runs{b.nodes[s.From].OSM, b.nodes[s.To].OSM}, s.InnerNodes)
	s.InnerNodes = nil
	b.segments = append(b.segments, s)
	return Segment(len(b.segments) - 1)
}

// Node returns the facts of an added node to change.
func (b *Builder) Node(n AddedNode) *NodeFacts { return &b.nodes[n] }

// Nodes returns the number of nodes added.
func (b *Builder) Nodes() int { return len(b.nodes) }

// Restrict adds a turn restriction.
func (b *Builder) Restrict(r Restriction) { b.bans = append(b.bans, r) }

// Set returns the number of an attribute set; equal sets share one. Pairs are
// key, value, key, value, …
func (b *Builder) Set(pairs ...string) Set {
	if len(pairs) == 0 {
		return 0
	}
	set := make([][2]Text, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		set = append(set, [2]Text{b.texts.intern(pairs[i]), b.texts.intern(pairs[i+1])})
	}
	return b.sets.intern(set)
}

// Limits returns the number of a record of limits; equal records share one, and
// number 0 is no limit.
func (b *Builder) Limits(l Limits) uint32 {
	n, ok := b.limits[l]
	if !ok {
		n = uint32(len(b.limitAll))
		b.limits[l] = n
		b.limitAll = append(b.limitAll, l)
	}
	return n
}

// Build makes the graph. Nodes are numbered along a Hilbert curve, so that
// neighbours in the map are neighbours in memory; edges by tail, then head,
// then segment, so that equal input gives equal output.
//
// It panics where the network is too large for a graph.
func (b *Builder) Build() *Graph {
	g, err := b.BuildContext(context.Background())
	if err != nil {
		panic(err)
	}
	return g
}

// BuildContext is Build that fails with a TooLargeError, and with its context's
// error.
func (b *Builder) BuildContext(ctx context.Context) (*Graph, error) {
	if err := b.fits(); err != nil {
		return nil, err
	}
	g := &Graph{}
	nodeOf := b.placeNodes(g)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	edgeOf := b.placeEdges(g, nodeOf)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	b.placeSegments(g, edgeOf)
	g.Limits = b.limitAll
	g.TextAt, g.Text = b.texts.arrays()
	g.SetAt, g.SetPair = b.sets.arrays()
	markDeadEnds(g)
	markInternal(g)
	markBehindPrivate(g)
	if err := b.placeTurns(ctx, g, edgeOf); err != nil {
		return nil, err
	}
	b.placeConnections(g, edgeOf)
	if err := b.fit(amount{"edges with the copies of restrictions", g.Edges()}, amount{"roads of lane connections", len(g.Vias)}, amount{"lane connections", len(g.Links)}); err != nil {
		return nil, err
	}
	return g, ctx.Err()
}

// placeNodes numbers the nodes along a Hilbert curve and gives the new number
// of each.
func (b *Builder) placeNodes(g *Graph) []Node {
	type keyed struct {
		key uint64
		old AddedNode
	}
	order := make([]keyed, len(b.nodes))
	for i, n := range b.nodes {
		order[i] = keyed{geo.Hilbert(n.Position), AddedNode(i)}
	}
	slices.SortFunc(order, func(x, y keyed) int {
		if x.key != y.key {
			if x.key < y.key {
				return -1
			}
			return 1
		}
		return int(x.old) - int(y.old)
	})
	nodeOf := make([]Node, len(order))
	for i, o := range order {
		n := &b.nodes[o.old]
		nodeOf[o.old] = Node(i)
		g.Position = append(g.Position, n.Position)
		g.ByNode = append(g.ByNode, NodeRecord{n.Flags, n.Access, uint16(n.Limits)})
		g.NodeID = append(g.NodeID, n.OSM)
	}
	return nodeOf
}

// placeEdges sorts the directed edges by tail and gives the edge of each
// directed segment.
func (b *Builder) placeEdges(g *Graph, nodeOf []Node) []Edge {
	count := 2 * len(b.segments)
	directed := make([]DirectedSegment, count)
	for i := range directed {
		directed[i] = DirectedSegment(i)
	}
	ends := func(d DirectedSegment) (tail, head Node) {
		s := &b.segments[d.Segment()]
		if d.Backward() {
			return nodeOf[s.To], nodeOf[s.From]
		}
		return nodeOf[s.From], nodeOf[s.To]
	}
	slices.SortFunc(directed, func(x, y DirectedSegment) int {
		tx, hx := ends(x)
		ty, hy := ends(y)
		if tx != ty {
			return int(tx) - int(ty)
		}
		if hx != hy {
			return int(hx) - int(hy)
		}
		return int(x) - int(y)
	})
	edgeOf := make([]Edge, count)
	for e, x := range directed {
		edgeOf[x] = Edge(e)
	}
	g.Base = Edge(count)
	g.FirstOut = make([]Edge, len(b.nodes)+1)
	for e, x := range directed {
		s := &b.segments[x.Segment()]
		d := &s.Forward
		if x.Backward() {
			d = &s.Backward
		}
		tail, head := ends(x)
		g.FirstOut[tail+1]++
		g.ByEdge = append(g.ByEdge, EdgeRecord{
			Tail: tail, Head: head, Opposite: edgeOf[x.Reverse()], Limit: uint16(d.Limits), Attributes: d.Attributes,
			Access: d.Access, Destination: d.Destination, Private: d.Private, Flags: d.Flags, Speed: d.Speed, Limited: d.Limited, TruckSpeed: d.TruckSpeed,
			Out: bearingCode(bearing(b.shapes[s.shape:s.shapeEnd], x.Backward(), BearingMetres(s.Class, s.Use))),
		})
		g.SegmentDir = append(g.SegmentDir, x)
		if d.Flags&Conditional != 0 {
			g.Timed = append(g.Timed, Edge(e))
		}
	}
	for n := range b.nodes {
		g.FirstOut[n+1] += g.FirstOut[n]
	}
	return edgeOf
}

// BearingMetres returns how far from the node the bearing of an edge is taken: far
// enough not to follow the rounding of a kerb, near enough to be that of the
// junction. Larger roads bend more slowly, paths more quickly; the lengths are
// Valhalla's.
func BearingMetres(c Class, u Use) float64 {
	metres := 15.0
	switch {
	case c <= Trunk:
		metres *= 1.6
	case c <= Tertiary:
		metres *= 1.4
	}
	switch u {
	case Cycleway, MountainBike, Footway, Steps, Trail, PedestrianStreet, Bridleway:
		metres /= 2
	}
	return metres
}

// bearing returns the bearing at which a line leaves its start over some metres, in
// degrees.
func bearing(shape []geo.Fixed, backward bool, metres float64) float64 {
	n := len(shape)
	point := func(i int) geo.Point {
		if backward {
			i = n - 1 - i
		}
		return shape[i].Point()
	}
	start := point(0)
	at, left := start, metres
	for i := 1; i < n; i++ {
		next := point(i)
		d := geo.Distance(at, next)
		if d >= left {
			part := left / d
			at = geo.Point{Lon: at.Lon + (next.Lon-at.Lon)*part, Lat: at.Lat + (next.Lat-at.Lat)*part}
			break
		}
		at, left = next, left-d
	}
	return geo.Bearing(start, at)
}

// bearingCode packs a bearing in degrees into a byte: 0 to 359 whole degrees onto 0
// to 255. These are the steps in which Valhalla keeps the bearings at a node, so
// that a turn near the border between two kinds is of the same kind in both.
func bearingCode(degrees float64) uint8 {
	return uint8(math.Round(float64(int(math.Round(degrees))%360) * 255 / 359))
}

// bearingDegrees is the bearing of each bearingCode in whole degrees.
var bearingDegrees = func() (all [256]int) {
	for i := range all {
		all[i] = int(math.Round(float64(i) * 359 / 255))
	}
	return all
}()

func (b *Builder) placeSegments(g *Graph, edgeOf []Edge) {
	g.Shape, g.ShapeNodes = b.shapes, b.shapeNodes.finished()
	g.ShapeAt = make([]uint32, 0, len(b.segments)+1)
	for i := range b.segments {
		s := &b.segments[i]
		line := b.shapes[s.shape:s.shapeEnd]
		metres := 0.0
		for j := 1; j < len(line); j++ {
			metres += geo.Distance(line[j-1].Point(), line[j].Point())
		}
		g.ShapeAt = append(g.ShapeAt, uint32(s.shape))
		g.Forward = append(g.Forward, edgeOf[Segment(i).Forwards()])
		g.BySegment = append(g.BySegment, SegmentRecord{float32(metres), s.Name, s.Flags, s.Class, s.Use, s.Surface, s.Hiking})
		g.WayID = append(g.WayID, s.Way)
		g.Country = append(g.Country, s.Country)
	}
	g.ShapeAt = append(g.ShapeAt, uint32(len(b.shapes)))
}

func markDeadEnds(g *Graph) {
	for e := range g.ByEdge {
		n := g.ByEdge[e].Head
		if g.FirstOut[n+1]-g.FirstOut[n] == 1 {
			g.ByEdge[e].Flags |= DeadEnd
		}
	}
}
