package trace

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/match"
)

// attributes describes the edges of a match. What OSM does not say is left out.
type attributes struct {
	*matching
	answer                  *engine.AttributesAnswer
	naming, signing, noding bool
	countries               []uint16               // of the answer's admins
	names                   map[graph.Set][]string // by set of names
	crossings               []engine.CrossingEdge
}

// attributes returns what the request's filter asks for, and some that it does not.
func (m *matching) attributes() *engine.AttributesAnswer {
	f := &m.r.Filter
	a := &attributes{
		matching: m, answer: &engine.AttributesAnswer{Admins: []engine.Admin{}}, names: map[graph.Set][]string{},
		naming: f.WantsAny("edge.names"), signing: f.WantsAny("edge.sign.") || f.WantsAny("edge.lane_count"), noding: f.WantsAny("node."),
	}
	edges := 0
	for i := range m.result.Matches {
		edges += len(m.result.Matches[i].Path)
	}
	a.answer.Edges = make([]engine.AttributeEdge, 0, edges)
	if a.noding {
		a.crossings = make([]engine.CrossingEdge, 0, 2*edges)
	}
	bases := make([]int, len(m.result.Matches)) // index of each match's first edge
	for i := range m.result.Matches {
		found := &m.result.Matches[i]
		bases[i] = len(a.answer.Edges)
		line := guide.Shape(m.e.Graph, found.Path)
		for k := range found.Path {
			a.edge(found.Path, k, &line)
		}
		if i == 0 {
			a.answer.Line = line.Points
		} else {
			a.answer.Line = append(a.answer.Line, line.Points...)
		}
		a.answer.Score += found.Score
	}
	a.points(bases)
	return a.answer
}

// points adds where the positions lie.
func (a *attributes) points(bases []int) {
	matches := a.result.Matches
	all := make([]engine.AttributePoint, len(a.result.Places))
	for i := range a.result.Places {
		p := &a.result.Places[i]
		if p.Kind == match.Unmatched {
			all[i].At = a.r.Trace[i].Point
			continue
		}
		all[i] = engine.AttributePoint{
			At: p.At, Kind: kindsOfPlaces[p.Kind], Edge: bases[p.Match] + p.Step, Along: p.Along, Metres: p.Metres,
			GapAfter:  i == matches[p.Match].Last && p.Match+1 < len(matches),
			GapBefore: i == matches[p.Match].First && p.Match > 0,
		}
	}
	a.answer.Points = all
}

var kindsOfPlaces = [...]engine.AttributeKind{match.Unmatched: engine.Unmatched, match.Interpolated: engine.Interpolated, match.Matched: engine.Matched}

// edge adds step k of a matched path.
func (a *attributes) edge(path graph.Path, k int, line *guide.Line) {
	g, base := a.e.Graph, len(a.answer.Line)
	step := &path[k]
	e := g.Original(step.Edge)
	s := g.Segment(e)
	begin, end := line.Step[k], line.Step[k+1]
	flags, own := g.BySegment[s].Flags, g.ByEdge[e].Flags
	speed, limits := a.costing.Speed(e), graph.SpeedLimits{All: g.ByEdge[e].Limited, Own: g.ByEdge[e].TruckSpeed}
	if step.Limits != (graph.SpeedLimits{}) {
		speed, limits.All = a.costing.SpeedUnder(e, step.Limits), step.Limits.All
		if a.costing.Mode() == graph.Truck {
			limits.Own = step.Limits.Own
		}
	}
	x := engine.AttributeEdge{
		Edge: answer.EdgeOf(g, a.costing, step, s), ID: uint32(e), First: k == 0, Last: k == len(path)-1, Source: step.Begin, Target: step.End,
		Speed: speed, SpeedTagged: flags&graph.SpeedTagged != 0, SpeedLimit: limits.All, TruckSpeed: limits.Own,
		BeginHeading: heading(line.Points, begin, begin+1, float64(g.Bearing(e))), EndHeading: heading(line.Points, end-1, end, float64(g.Arrival(e))),
		Traversal: directions(g, e, a.costing.Mode()),
		Unpaved:   flags&graph.Unpaved != 0, Roundabout: flags&graph.Roundabout != 0, Indoor: flags&graph.Indoor != 0, DriveOnLeft: flags&graph.DriveOnLeft != 0,
		TruckRoute: own&graph.TruckRoute != 0, Forward: !g.Backward(e), Signal: own&graph.HeadSignal != 0,
		Hiking: g.BySegment[s].Hiking, Sidewalk: sidewalk(own), CycleLane: answer.CycleLane(own), Slope: answer.SlopeOf(g, e),
	}
	x.FromPoint, x.ToPoint, x.Admin = base+begin, base+end, a.admin(s)
	if a.naming {
		x.Names = a.namesOf(e)
	}
	if a.signing && g.ByEdge[e].Attributes != 0 {
		a.sign(&x, e)
	}
	if a.noding {
		next := graph.Edge(graph.None)
		if k+1 < len(path) {
			next = g.Original(path[k+1].Edge)
		}
		a.node(&x.Node, step, e, next)
	}
	a.answer.Edges = append(a.answer.Edges, x)
}

// heading returns the bearing between two points of the line, or, where the part
// travelled has no length, the edge's own.
func heading(line []geo.Point, from, to int, own float64) int16 {
	if from >= 0 && to < len(line) && line[from] != line[to] {
		own = geo.Bearing(line[from], line[to])
	}
	return int16(int(math.Round(own)) % 360)
}

// sidewalk is on which sides of the road there is one; "" where OSM does not say.
func sidewalk(own graph.EdgeFlags) string {
	switch own & (graph.SidewalkLeft | graph.SidewalkRight) {
	case graph.SidewalkLeft:
		return "left"
	case graph.SidewalkRight:
		return "right"
	case graph.SidewalkLeft | graph.SidewalkRight:
		return "both"
	}
	return ""
}

// admin returns the index of a segment's country in the answer's admins; -1 where
// the country is not known.
func (a *attributes) admin(s graph.Segment) int {
	c := a.e.Graph.Country[s]
	if c == 0 {
		return -1
	}
	if i := slices.Index(a.countries, c); i >= 0 {
		return i
	}
	a.countries = append(a.countries, c)
	a.answer.Admins = append(a.answer.Admins, engine.Admin{CountryCode: answer.CountryCode(c)})
	return len(a.countries) - 1
}

// namesOf returns the names and then the numbers of an edge's road.
func (a *attributes) namesOf(e graph.Edge) []string {
	g := a.e.Graph
	set := g.BySegment[g.Segment(e)].Name
	names, known := a.names[set]
	if set == 0 || known {
		return names
	}
	name := ""
	if language := answer.PrimaryLanguage(a.r.Language); guide.Official(language, g.Country[g.Segment(e)]) {
		name = g.Attribute(set, "name:"+language)
	}
	if name == "" {
		name = g.Attribute(set, "name")
	}
	names = append(values(name), values(g.Attribute(set, "ref"))...)
	a.names[set] = names
	return names
}

// values splits an OSM value that lists several.
func values(s string) []string {
	var out []string
	for v := range strings.SplitSeq(s, ";") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// sign reads what stands at an edge, and how many lanes it has.
func (a *attributes) sign(x *engine.AttributeEdge, e graph.Edge) {
	g := a.e.Graph
	x.Sign.Number, x.Sign.Branch, x.Sign.Toward = values(g.EdgeAttribute(e, "junction:ref")), values(g.EdgeAttribute(e, "destination:ref")), values(g.EdgeAttribute(e, "destination"))
	if lanes, err := strconv.Atoi(g.EdgeAttribute(e, "lanes")); err == nil && lanes > 0 && lanes <= math.MaxUint8 {
		x.Lanes = uint8(lanes)
	}
}

// directions returns which ways along an edge some traveller may go.
func directions(g *graph.Graph, e graph.Edge, mode graph.Modes) (t engine.Traversal) {
	if g.ByEdge[e].Access&mode != 0 {
		t |= engine.Forwards
	}
	if g.ByEdge[g.ByEdge[e].Opposite].Access&mode != 0 {
		t |= engine.Backwards
	}
	return t
}

// node describes the node at the end of a step along an edge, where the way goes on
// along another or ends.
func (a *attributes) node(x *engine.EndNode, step *graph.Step, from, to graph.Edge) {
	g := a.e.Graph
	n := g.ByEdge[step.Edge].Head
	x.Type, x.Signal = answer.NodeType(g.ByNode[n].Flags), g.ByNode[n].Flags&graph.Signal != 0
	if step.End < 1 {
		return
	}
	first := len(a.crossings)
	for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
		if e != to && e != g.ByEdge[from].Opposite {
			a.crossings = append(a.crossings, a.crossing(e, from, to))
		}
	}
	x.Crossings = a.crossings[first:len(a.crossings):len(a.crossings)]
}

func (a *attributes) crossing(e, from, to graph.Edge) engine.CrossingEdge {
	g := a.e.Graph
	s := g.Segment(e)
	name := g.Value(g.BySegment[s].Name, graph.NameKey)
	same := func(x graph.Edge) bool {
		return name != 0 && name == g.Value(g.BySegment[g.Segment(x)].Name, graph.NameKey)
	}
	x := engine.CrossingEdge{
		Heading: int16(g.Bearing(e)),
		Drive:   directions(g, e, graph.Auto), Cycle: directions(g, e, graph.Bicycle), Walk: directions(g, e, graph.Pedestrian),
		Use: g.BySegment[s].Use.String(), Class: g.BySegment[s].Class.String(), NamedFrom: same(from),
	}
	if to != graph.None {
		x.HasExit, x.NamedTo = true, same(to)
	}
	return x
}
