package graph

import (
	"fmt"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// SectionName and Version name the graph's section in a region and its format.
const (
	SectionName = "graph"
	Version     = 5
)

// column is one slice of the graph with its name in the section.
type column interface {
	put(a *region.Arrays)
	get(s *region.Section) error
}

type slice[T any] struct {
	name string
	at   *[]T
}

func (c slice[T]) put(a *region.Arrays) { region.Put(a, c.name, *c.at) }

func (c slice[T]) get(s *region.Section) (err error) {
	*c.at, err = region.Array[T](s, c.name)
	return err
}

func (g *Graph) columns() []column {
	return []column{
		slice[geo.Fixed]{"node.position", &g.Position},
		slice[Edge]{"node.first_out", &g.FirstOut},
		slice[NodeFlags]{"node.flags", &g.NodeFlags},
		slice[Modes]{"node.access", &g.NodeAccess},
		slice[uint32]{"node.limit", &g.NodeLimit},
		slice[int64]{"node.osm", &g.NodeID},
		slice[Node]{"edge.tail", &g.Tail},
		slice[Node]{"edge.head", &g.Head},
		slice[Edge]{"edge.opposite", &g.Opposite},
		slice[DirectedSegment]{"edge.segment", &g.SegmentDir},
		slice[Modes]{"edge.access", &g.Access},
		slice[Modes]{"edge.destination", &g.Destination},
		slice[uint8]{"edge.speed", &g.Speed},
		slice[uint8]{"edge.limited", &g.Limited},
		slice[uint8]{"edge.truck_speed", &g.TruckSpeed},
		slice[EdgeFlags]{"edge.flags", &g.EdgeFlags},
		slice[uint32]{"edge.limit", &g.Limit},
		slice[Set]{"edge.sign", &g.Sign},
		slice[uint8]{"edge.out", &g.Out},
		slice[uint8]{"edge.in", &g.In},
		slice[Edge]{"segment.forward", &g.Forward},
		slice[float32]{"segment.length", &g.Length},
		slice[int64]{"segment.way", &g.WayID},
		slice[Class]{"segment.class", &g.Class},
		slice[Use]{"segment.use", &g.Use},
		slice[Surface]{"segment.surface", &g.Surface},
		slice[SegFlags]{"segment.flags", &g.SegFlags},
		slice[uint8]{"segment.hiking", &g.Hiking},
		slice[uint16]{"segment.country", &g.Country},
		slice[Set]{"segment.name", &g.Name},
		slice[uint32]{"segment.shape_at", &g.ShapeAt},
		slice[geo.Fixed]{"shape", &g.Shape},
		slice[uint32]{"between.at", &g.Between.At},
		slice[byte]{"between", &g.Between.Code},
		slice[Limits]{"limits", &g.Limits},
		slice[Turn]{"turns", &g.Turns},
		slice[Edge]{"copy.of", &g.CopyOf},
		slice[uint32]{"copy.at", &g.CopyAt},
		slice[Edge]{"copies", &g.Copies},
		slice[Connection]{"connections", &g.Connections},
		slice[Edge]{"connection.vias", &g.Vias},
		slice[LaneLink]{"connection.links", &g.Links},
		slice[uint32]{"set.at", &g.SetAt},
		slice[[2]Text]{"set.pairs", &g.SetPair},
		slice[uint32]{"text.at", &g.TextAt},
		slice[byte]{"text", &g.Text},
	}
}

// Write writes the graph's section file.
func (g *Graph) Write(path string) error {
	a := &region.Arrays{}
	region.Put(a, "base", []Edge{g.Base})
	for _, c := range g.columns() {
		c.put(a)
	}
	return a.WriteFile(path)
}

// Open gives the graph of a region. It reads nothing but the arrays' places;
// the graph lives as long as the region is open.
func Open(r *region.Region) (*Graph, error) {
	s, err := r.Section(SectionName, Version, Version)
	if err != nil {
		return nil, err
	}
	g, err := Read(s)
	if err != nil {
		return nil, err
	}
	if err := g.openGrades(r); err != nil {
		return nil, err
	}
	return g, g.openOnward(r)
}

// Read gives the graph in a section.
func Read(s *region.Section) (*Graph, error) {
	g := &Graph{}
	base, err := region.Array[Edge](s, "base")
	if err != nil {
		return nil, err
	}
	if len(base) != 1 {
		return nil, fmt.Errorf("section %s: array base has %d elements, want 1", SectionName, len(base))
	}
	g.Base = base[0]
	for _, c := range g.columns() {
		if err := c.get(s); err != nil {
			return nil, err
		}
	}
	return g, g.checkSizes()
}

// checkSizes compares the arrays' lengths with one another, which costs
// nothing and catches a section put together wrongly.
func (g *Graph) checkSizes() error {
	n, e, s := len(g.Position), len(g.Head), len(g.Length)
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"first_out", len(g.FirstOut), n + 1},
		{"node.flags", len(g.NodeFlags), n},
		{"node.access", len(g.NodeAccess), n},
		{"node.limit", len(g.NodeLimit), n},
		{"node.osm", len(g.NodeID), n},
		{"copy.at", len(g.CopyAt), n + 1},
		{"copy.of", len(g.CopyOf), e - int(g.Base)},
		{"copies", len(g.Copies), e - int(g.Base)},
		{"edge.tail", len(g.Tail), e},
		{"edge.opposite", len(g.Opposite), e},
		{"edge.segment", len(g.SegmentDir), e},
		{"edge.access", len(g.Access), e},
		{"edge.destination", len(g.Destination), e},
		{"edge.speed", len(g.Speed), e},
		{"edge.limited", len(g.Limited), e},
		{"edge.truck_speed", len(g.TruckSpeed), e},
		{"edge.flags", len(g.EdgeFlags), e},
		{"edge.limit", len(g.Limit), e},
		{"edge.sign", len(g.Sign), e},
		{"edge.out", len(g.Out), e},
		{"edge.in", len(g.In), e},
		{"segment.forward", len(g.Forward), s},
		{"segment.way", len(g.WayID), s},
		{"segment.class", len(g.Class), s},
		{"segment.use", len(g.Use), s},
		{"segment.surface", len(g.Surface), s},
		{"segment.flags", len(g.SegFlags), s},
		{"segment.hiking", len(g.Hiking), s},
		{"segment.country", len(g.Country), s},
		{"segment.name", len(g.Name), s},
		{"segment.shape_at", len(g.ShapeAt), s + 1},
	} {
		if c.got != c.want {
			return fmt.Errorf("section %s: array %s has %d elements, want %d", SectionName, c.what, c.got, c.want)
		}
	}
	if err := g.checkBetween(); err != nil {
		return err
	}
	for _, c := range []struct {
		what       string
		got, least int
	}{{"set.at", len(g.SetAt), 2}, {"text.at", len(g.TextAt), int(RefKey) + 2}, {"limits", len(g.Limits), 1}} {
		if c.got < c.least {
			return fmt.Errorf("section %s: array %s has %d elements, want at least %d", SectionName, c.what, c.got, c.least)
		}
	}
	return nil
}
