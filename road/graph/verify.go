package graph

import (
	"fmt"
	"math"

	"github.com/waygate/waygate/geo"
)

// Verify reads the whole graph and reports the first thing in it that cannot
// be: an index out of range, arrays that contradict one another, a value that
// has no meaning. A graph that verifies can be queried without a panic; that
// its facts are those that were written is checked by the section's checksum.
func (g *Graph) Verify() error {
	for _, check := range []func() error{
		g.checkSizes, g.verifyTexts, g.verifyNodes, g.verifySegments, g.verifyEdges, g.verifyShapes, g.verifyShapeNodes, g.verifyCopies, g.verifyTurns, g.verifyConnections,
		g.verifyGrades, g.verifyContinuations, g.verifyJunctions,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func wrong(array string, i int, format string, args ...any) error {
	return fmt.Errorf("section %s: %s[%d]: %s", SectionName, array, i, fmt.Sprintf(format, args...))
}

// verifyOffsets checks the places where lists begin in an array of n.
func verifyOffsets[T ~uint32](array string, at []T, n int) error {
	if at[0] != 0 {
		return wrong(array, 0, "is %d, want 0", at[0])
	}
	for i := 1; i < len(at); i++ {
		if at[i] < at[i-1] {
			return wrong(array, i, "is %d, below the %d before it", at[i], at[i-1])
		}
	}
	if last := len(at) - 1; int(at[last]) != n {
		return wrong(array, last, "is %d, want %d, the end of what it divides", at[last], n)
	}
	return nil
}

func (g *Graph) verifyTexts() error {
	if err := verifyOffsets("text.at", g.TextAt, len(g.Text)); err != nil {
		return err
	}
	for i, want := range []string{"", "name", "ref"} {
		if got := g.String(Text(i)); got != want {
			return wrong("text", i, "is %q, want %q", got, want)
		}
	}
	if err := verifyOffsets("set.at", g.SetAt, len(g.SetPair)); err != nil {
		return err
	}
	if g.SetAt[1] != 0 {
		return wrong("set.at", 1, "is %d, but set 0 is empty", g.SetAt[1])
	}
	texts := Text(len(g.TextAt) - 1)
	for i, p := range g.SetPair {
		if p[0] >= texts || p[1] >= texts {
			return wrong("set.pairs", i, "has the texts %d and %d of %d", p[0], p[1], texts)
		}
	}
	return nil
}

func onGlobe(p geo.Fixed) bool {
	return p.Lon >= -1_800_000_000 && p.Lon <= 1_800_000_000 && p.Lat >= -900_000_000 && p.Lat <= 900_000_000
}

func (g *Graph) verifyNodes() error {
	if err := verifyOffsets("node.first_out", g.FirstOut, int(g.Base)); err != nil {
		return err
	}
	for n, p := range g.Position {
		at := &g.ByNode[n]
		if !onGlobe(p) {
			return wrong("node.position", n, "%v is off the globe", p)
		}
		if f := at.Flags.WithDensity(0); f >= TollGantry<<1 {
			return wrong("node.flags", n, "%#x has unknown flags", f)
		}
		if f := at.Flags; f&TollGantry != 0 && f&TollBooth == 0 {
			return wrong("node.flags", n, "%#x has a gantry and no toll", f)
		}
		if a := at.Access; a&^AllModes != 0 {
			return wrong("node.access", n, "%#x has unknown modes", a)
		}
		if int(at.Limit) >= len(g.Limits) {
			return wrong("node.limit", n, "record %d of %d", at.Limit, len(g.Limits))
		}
	}
	return nil
}

func (g *Graph) verifySegments() error {
	if int(g.Base) != 2*g.Segments() {
		return fmt.Errorf("section %s: base is %d, want two edges for each of the %d segments", SectionName, g.Base, g.Segments())
	}
	if err := verifyOffsets("segment.shape_at", g.ShapeAt, len(g.Shape)); err != nil {
		return err
	}
	sets := Set(len(g.SetAt) - 1)
	for s := range g.BySegment {
		r := &g.BySegment[s]
		switch {
		case !(r.Length >= 0) || math.IsInf(float64(r.Length), 0):
			return wrong("segment.length", s, "is %v", r.Length)
		case g.Forward[s] >= g.Base || g.SegmentDir[g.Forward[s]] != Segment(s).Forwards():
			return wrong("segment.forward", s, "edge %d is not its forward edge", g.Forward[s])
		case int(r.Class) >= len(classNames):
			return wrong("segment.class", s, "%d has no meaning", r.Class)
		case int(r.Use) >= len(useNames):
			return wrong("segment.use", s, "%d has no meaning", r.Use)
		case int(r.Surface) >= len(surfaceNames):
			return wrong("segment.surface", s, "%d has no meaning", r.Surface)
		case r.Flags.WithDensity(0) >= Area<<1:
			return wrong("segment.flags", s, "%#x has unknown flags", r.Flags)
		case r.Hiking > 6:
			return wrong("segment.hiking", s, "%d is over 6", r.Hiking)
		case !countryCode(g.Country[s]):
			return wrong("segment.country", s, "%#x is no code of two letters", g.Country[s])
		case r.Name >= sets:
			return wrong("segment.name", s, "set %d of %d", r.Name, sets)
		case g.ShapeAt[s+1]-g.ShapeAt[s] < 2:
			return wrong("segment.shape_at", s, "a line of %d points", g.ShapeAt[s+1]-g.ShapeAt[s])
		}
	}
	for i, l := range g.Limits {
		if i == 0 && l != (Limits{}) {
			return wrong("limits", i, "limits something, and record 0 is no limit")
		}
		if l.Hazmat > HazmatDestination || l.Tunnel != 0 && (l.Tunnel < 'A' || l.Tunnel > 'E') {
			return wrong("limits", i, "hazmat %d, tunnel category %d", l.Hazmat, l.Tunnel)
		}
		if l.Toll&^AllModes != 0 {
			return wrong("limits", i, "the toll of %#x has unknown modes", l.Toll)
		}
		if l.LastResort&^AllModes != 0 {
			return wrong("limits", i, "the last resort of %#x has unknown modes", l.LastResort)
		}
		if l.Backward > 1 || l.Conditions >= sets {
			return wrong("limits", i, "conditions of set %d, of %d, backward %d", l.Conditions, sets, l.Backward)
		}
	}
	return nil
}

func countryCode(c uint16) bool {
	a, b := byte(c>>8), byte(c)
	return c == 0 || a >= 'A' && a <= 'Z' && b >= 'A' && b <= 'Z'
}

func (g *Graph) verifyEdges() error {
	nodes, segments, sets := Node(g.Nodes()), Segment(g.Segments()), Set(len(g.SetAt)-1)
	for n := range nodes {
		for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
			if g.ByEdge[e].Tail != n {
				return wrong("edge.tail", int(e), "is %d, but the edge is listed at node %d", g.ByEdge[e].Tail, n)
			}
		}
	}
	timed := 0
	for e := range g.ByEdge {
		r := &g.ByEdge[e]
		if Edge(e) < g.Base && r.Flags&Conditional != 0 {
			if timed == len(g.Timed) || g.Timed[timed] != Edge(e) {
				return wrong("edge.timed", timed, "is not edge %d, which has conditions", e)
			}
			timed++
		}
		o := r.Opposite
		switch {
		case r.Head >= nodes:
			return wrong("edge.head", e, "node %d of %d", r.Head, nodes)
		case g.SegmentDir[e].Segment() >= segments:
			return wrong("edge.segment", e, "segment %d of %d", g.SegmentDir[e].Segment(), segments)
		case o >= g.Base:
			return wrong("edge.opposite", e, "edge %d of %d", o, g.Base)
		case Edge(e) < g.Base && (g.ByEdge[o].Opposite != Edge(e) || g.SegmentDir[o] != g.SegmentDir[e].Reverse() || g.ByEdge[o].Tail != r.Head):
			return wrong("edge.opposite", e, "edge %d is not its other direction", o)
		case r.Access&^AllModes != 0:
			return wrong("edge.access", e, "%#x has unknown modes", r.Access)
		case r.Destination&^r.Access != 0:
			return wrong("edge.destination", e, "%#x has modes beyond the %#x with access", r.Destination, r.Access)
		case r.Speed > maxSpeed || r.Limited > maxSpeed || r.TruckSpeed > maxSpeed:
			return wrong("edge.speed", e, "%d, limited to %d, lorries to %d km/h, over %d", r.Speed, r.Limited, r.TruckSpeed, maxSpeed)
		case r.Flags&DeadEnd != 0 != (g.FirstOut[r.Head+1]-g.FirstOut[r.Head] == 1):
			return wrong("edge.flags", e, "%#x is wrong on the dead end", r.Flags)
		case int(r.Limit) >= len(g.Limits):
			return wrong("edge.limit", e, "record %d of %d", r.Limit, len(g.Limits))
		case r.Attributes >= sets:
			return wrong("edge.sign", e, "set %d of %d", r.Attributes, sets)
		}
	}
	if timed != len(g.Timed) {
		return wrong("edge.timed", timed, "edge %d has no conditions", g.Timed[timed])
	}
	return nil
}

// maxSpeed is the highest speed that an edge may have, in km/h.
const maxSpeed = 252

// verifyShapes compares the lines with the nodes they join and with what was
// worked out from them.
func (g *Graph) verifyShapes() error {
	for i, p := range g.Shape {
		if !onGlobe(p) {
			return wrong("shape", i, "%v is off the globe", p)
		}
	}
	for s := range g.BySegment {
		line := g.SegmentShape(Segment(s))
		e := g.Forward[s]
		if line[0] != g.Position[g.ByEdge[e].Tail] || line[len(line)-1] != g.Position[g.ByEdge[e].Head] {
			return wrong("segment.shape_at", s, "the line from %v to %v does not join its nodes at %v and %v",
				line[0], line[len(line)-1], g.Position[g.ByEdge[e].Tail], g.Position[g.ByEdge[e].Head])
		}
		metres := 0.0
		for i := 1; i < len(line); i++ {
			metres += geo.Distance(line[i-1].Point(), line[i].Point())
		}
		if got := float64(g.BySegment[s].Length); math.Abs(got-metres) > 0.01+metres*1e-6 {
			return wrong("segment.length", s, "is %v m, its line measures %v m", got, metres)
		}
	}
	for e := range g.Base {
		s := g.Segment(e)
		out := bearingCode(bearing(g.SegmentShape(s), g.Backward(e), BearingMetres(g.BySegment[s].Class, g.BySegment[s].Use)))
		if d := g.ByEdge[e].Out - out; d > 1 && d < 255 {
			return wrong("edge.out", int(e), "is %d, its line leaves at %d", g.ByEdge[e].Out, out)
		}
		if is := g.ByEdge[e].Flags&Internal != 0; is != g.isInternal(e) {
			return wrong("edge.flags", int(e), "lies within a junction: %t, by the roads there %t", is, !is)
		}
	}
	return nil
}

func (g *Graph) verifyCopies() error {
	for i, of := range g.CopyOf {
		if of >= g.Base {
			return wrong("copy.of", i, "edge %d is no original, of which there are %d", of, g.Base)
		}
		e := g.Base + Edge(i)
		own, original := g.ByEdge[e], g.ByEdge[of]
		own.Flags, original.Flags = own.Flags&^Turning, original.Flags&^Turning
		if own != original || g.SegmentDir[e] != g.SegmentDir[of] {
			return wrong("copy.of", i, "edge %d differs from its original %d", e, of)
		}
	}
	if err := verifyOffsets("copy.at", g.CopyAt, len(g.Copies)); err != nil {
		return err
	}
	for n := range g.Position {
		for i := g.CopyAt[n]; i < g.CopyAt[n+1]; i++ {
			e := g.Copies[i]
			if e < g.Base || int(e) >= g.Edges() || g.ByEdge[e].Head != Node(n) {
				return wrong("copies", int(i), "edge %d is no copy into node %d", e, n)
			}
			if i > g.CopyAt[n] && e <= g.Copies[i-1] {
				return wrong("copies", int(i), "edge %d comes after edge %d", e, g.Copies[i-1])
			}
		}
	}
	return nil
}

func (g *Graph) verifyTurns() error {
	edges, sets := Edge(g.Edges()), Set(len(g.SetAt)-1)
	for i, t := range g.Turns {
		switch {
		case t.From >= edges || t.To >= g.Base:
			return wrong("turns", i, "from edge %d to edge %d, of %d and %d", t.From, t.To, edges, g.Base)
		case g.ByEdge[t.To].Tail != g.ByEdge[t.From].Head:
			return wrong("turns", i, "edge %d does not leave where edge %d ends", t.To, t.From)
		case t.Replace != None && (t.Replace < g.Base || t.Replace >= edges || g.CopyOf[t.Replace-g.Base] != t.To):
			return wrong("turns", i, "edge %d is no copy of edge %d", t.Replace, t.To)
		case t.Modes&^AllModes != 0 || (t.Modes == 0) != (t.Replace != None):
			return wrong("turns", i, "concerns the modes %#x", t.Modes)
		case t.When > AtTimes && int(t.When-AtTimes) >= len(g.Limits) || t.Set >= sets:
			return wrong("turns", i, "holds when %d, with %d records of limits; set %d of %d", t.When, len(g.Limits), t.Set, sets)
		case i > 0 && (t.From < g.Turns[i-1].From || t.From == g.Turns[i-1].From && t.To < g.Turns[i-1].To):
			return wrong("turns", i, "is out of order")
		case g.ByEdge[t.From].Flags&Turning == 0:
			return wrong("turns", i, "edge %d does not say that a turn starts there", t.From)
		case t.Replace != None && i > 0 && g.Turns[i-1].From == t.From && g.Turns[i-1].To == t.To && g.Turns[i-1].Replace != None:
			return wrong("turns", i, "a second copy for one turn")
		}
	}
	for e := range g.ByEdge {
		if g.ByEdge[e].Flags&Turning != 0 && len(g.TurnsFrom(Edge(e))) == 0 {
			return wrong("edge.flags", e, "says that a turn starts there, and none does")
		}
	}
	return nil
}
