// Package sketch draws small road graphs for tests of guidance: in a picture
// letters are nodes, digits are points of lines, and ways join them.
package sketch

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// Sketch is a road network as a drawing.
type Sketch struct {
	Picture string  // one character a cell, north up
	Cell    float64 // width and height of a cell in metres; 0 is 10
	Ways    []Way
	Nodes   map[rune]graph.NodeFlags
	Left    bool // traffic keeps left
	Lanes   []Connection
}

// Connection is how the lanes of a road lead into those of another.
type Connection struct {
	Through string // letters: the edge come from, any between, the one entered
	Links   []graph.LaneLink
}

// Way is a road through places of the picture. The zero values are a
// two-way residential road for everyone.
type Way struct {
	Places  string // letters and digits, in the way's direction
	Name    string
	Ref     string
	Level   string      // as OSM's level
	Class   graph.Class // Motorway is only taken with Large
	Large   bool        // Class is meant, even where it is Motorway
	Use     graph.Use
	Surface graph.Surface
	Flags   graph.SegFlags
	Edge    graph.EdgeFlags
	Access  graph.Modes // 0 is all
	Oneway  bool
	Private bool     // those who use it need leave of its owner
	Sign    []string // key, value, … of the forward direction
}

// Drawn is a sketch as a graph.
type Drawn struct {
	Graph *graph.Graph
	place map[rune]geo.Point
	node  map[rune]graph.Node
}

// Origin is the north-west corner of every picture.
var Origin = geo.Point{Lon: -3, Lat: 52}

// Draw builds the graph. It panics where the drawing is wrong.
func (s Sketch) Draw() *Drawn {
	d := &Drawn{place: map[rune]geo.Point{}, node: map[rune]graph.Node{}}
	cell := s.Cell
	if cell == 0 {
		cell = 10
	}
	for y, row := range strings.Split(strings.Trim(s.Picture, "\n"), "\n") {
		for x, c := range []rune(row) {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				south := geo.Destination(Origin, 180, float64(y)*cell)
				d.place[c] = geo.Destination(south, 90, float64(x)*cell).Fix().Point()
			}
		}
	}
	b := graph.NewBuilder()
	number := map[rune]graph.AddedNode{}
	for c := 'A'; c <= 'z'; c++ {
		if p, ok := d.place[c]; ok && unicode.IsLetter(c) {
			facts := graph.NodeFacts{Position: p.Fix(), OSM: int64(c), Flags: s.Nodes[c], Access: graph.AllModes}
			if facts.Flags&graph.TollBooth != 0 {
				facts.Limits = b.Limits(graph.Limits{Toll: graph.AllModes})
			}
			number[c] = b.AddNode(facts)
		}
	}
	edges := map[string]graph.DirectedSegment{}
	for i, w := range s.Ways {
		s.draw(b, d, w, number, int64(i+1), edges)
	}
	for _, c := range s.Lanes {
		x := graph.LaneConnection{Links: c.Links}
		for i := range len(c.Through) - 1 {
			h, ok := edges[c.Through[i:i+2]]
			if !ok {
				panic(fmt.Sprintf("sketch: lanes lead over %s, where no way is", c.Through[i:i+2]))
			}
			x.Path = append(x.Path, h)
		}
		b.Connect(x)
	}
	d.Graph = b.Build()
	for n, id := range d.Graph.NodeID {
		d.node[rune(id)] = graph.Node(n)
	}
	return d
}

func (s Sketch) draw(b *graph.Builder, d *Drawn, w Way, number map[rune]graph.AddedNode, id int64, edges map[string]graph.DirectedSegment) {
	var pairs []string
	if w.Name != "" {
		pairs = append(pairs, "name", w.Name)
	}
	if w.Ref != "" {
		pairs = append(pairs, "ref", w.Ref)
	}
	if w.Level != "" {
		pairs, w.Flags = append(pairs, graph.LevelKey, w.Level), w.Flags|graph.HasLevels
	}
	class := w.Class
	if class == graph.Motorway && !w.Large {
		class = graph.Residential
	}
	access := w.Access
	if access == 0 {
		access = graph.AllModes
	}
	f := graph.SegmentFacts{Way: id, Class: class, Use: w.Use, Surface: w.Surface, Flags: w.Flags, Name: b.Set(pairs...)}
	if s.Left {
		f.Flags |= graph.DriveOnLeft
	}
	private := graph.Modes(0)
	if w.Private {
		private = access
	}
	f.Forward = graph.Direction{Access: access, Destination: private, Private: private, Speed: 50, Flags: w.Edge, Attributes: b.Set(w.Sign...)}
	if w.Flags&graph.Toll != 0 {
		f.Forward.Limits = b.Limits(graph.Limits{Toll: graph.AllModes})
	}
	if w.Oneway {
		f.Flags |= graph.Oneway
	} else {
		f.Backward = graph.Direction{Access: access, Destination: private, Private: private, Speed: 50, Flags: w.Edge, Limits: f.Forward.Limits}
	}
	var line []geo.Fixed
	from := rune(0)
	for _, c := range w.Places {
		p, ok := d.place[c]
		if !ok {
			panic(fmt.Sprintf("sketch: way %q goes through %c, which is not in the picture", w.Places, c))
		}
		line = append(line, p.Fix())
		if !unicode.IsLetter(c) {
			continue
		}
		if from != 0 {
			f.From, f.To = number[from], number[c]
			seg := b.AddSegment(f, line)
			edges[string([]rune{from, c})], edges[string([]rune{c, from})] = seg.Forwards(), seg.Backwards()
		}
		from, line = c, []geo.Fixed{p.Fix()}
	}
}

// At returns a place of the picture.
func (d *Drawn) At(c rune) geo.Point { return d.place[c] }

// Edge returns the first edge from one node to another that anyone may use.
func (d *Drawn) Edge(from, to rune) graph.Edge {
	g := d.Graph
	n := d.node[from]
	for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
		if g.ByEdge[e].Head == d.node[to] && g.ByEdge[e].Access != 0 {
			return e
		}
	}
	panic(fmt.Sprintf("sketch: no way from %c to %c", from, to))
}

// Path returns the path through the nodes named, at 10 metres a second, with a
// cost of one and a half times the seconds and a second lost at each node.
func (d *Drawn) Path(nodes string) graph.Path {
	var p graph.Path
	places := []rune(nodes)
	for i := 1; i < len(places); i++ {
		s := graph.Step{Edge: d.Edge(places[i-1], places[i]), End: 1}
		s.Seconds = d.Graph.EdgeLength(s.Edge) / 10
		if i > 1 {
			s.Turn, s.TurnCost = 1, 1.5
		}
		s.Cost = 1.5 * (s.Seconds + s.Turn)
		p = append(p, s)
	}
	return p
}

// Cut returns the path with only parts of its first and last edge travelled.
func Cut(p graph.Path, begin, end float64) graph.Path {
	p = append(graph.Path(nil), p...)
	first, last := &p[0], &p[len(p)-1]
	first.Begin = begin
	first.Seconds *= 1 - begin
	last.Seconds *= (end - last.Begin) / (1 - last.Begin)
	last.End = end
	for _, s := range []*graph.Step{first, last} {
		s.Cost = 1.5 * (s.Seconds + s.Turn)
	}
	return p
}
