package graph

import (
	"fmt"

	"github.com/waygate/waygate/region"
)

// SectionName and Version name the graph's section in a region and its format.
const (
	SectionName = "graph"
	Version     = 11
)

func (g *Graph) fields() []region.Field {
	return []region.Field{
		region.FieldOf("node.position", &g.Position),
		region.FieldOf("node.first_out", &g.FirstOut),
		region.FieldOf("nodes", &g.ByNode),
		region.FieldOf("node.osm", &g.NodeID),
		region.FieldOf("edges", &g.ByEdge),
		region.FieldOf("edge.segment", &g.SegmentDir),
		region.FieldOf("edge.timed", &g.Timed),
		region.FieldOf("segment.forward", &g.Forward),
		region.FieldOf("segments", &g.BySegment),
		region.FieldOf("segment.way", &g.WayID),
		region.FieldOf("segment.country", &g.Country),
		region.FieldOf("segment.shape_at", &g.ShapeAt),
		region.FieldOf("shape", &g.Shape),
		region.FieldOf("between.at", &g.ShapeNodes.At),
		region.FieldOf("between", &g.ShapeNodes.Code),
		region.FieldOf("limits", &g.Limits),
		region.FieldOf("turns", &g.Turns),
		region.FieldOf("copy.of", &g.CopyOf),
		region.FieldOf("copy.at", &g.CopyAt),
		region.FieldOf("copies", &g.Copies),
		region.FieldOf("connections", &g.Connections),
		region.FieldOf("connection.vias", &g.Vias),
		region.FieldOf("connection.links", &g.Links),
		region.FieldOf("set.at", &g.SetAt),
		region.FieldOf("set.pairs", &g.SetPair),
		region.FieldOf("text.at", &g.TextAt),
		region.FieldOf("text", &g.Text),
	}
}

// Write writes the graph's section file.
func (g *Graph) Write(path string) error {
	a := &region.Arrays{}
	region.Put(a, "base", []Edge{g.Base})
	for _, f := range g.fields() {
		f.Put(a)
	}
	return a.WriteFile(path)
}

// Open returns the graph of a region. It reads only where the arrays lie; the
// graph may be used as long as the region is open.
func Open(r *region.Region) (*Graph, error) {
	s, err := r.Section(SectionName, Version, Version)
	if err != nil {
		return nil, err
	}
	g, err := Read(s)
	if err != nil {
		return nil, err
	}
	for _, more := range []struct {
		section string
		version int
		read    func(*region.Section) error
	}{ // of which a region may do without
		{GradesSection, GradesVersion, func(s *region.Section) (err error) { g.Grades, err = ReadGrades(s, g); return err }},
		{ContinuationSection, ContinuationVersion, g.readContinuations},
		{JunctionSection, JunctionVersion, func(s *region.Section) (err error) { g.Junctions, err = ReadJunctions(s, g); return err }},
	} {
		if _, ok := r.Manifest.Section(more.section); !ok {
			continue
		}
		s, err := r.Section(more.section, more.version, more.version)
		if err != nil {
			return nil, err
		}
		if err := more.read(s); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Read returns the graph in a section.
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
	for _, f := range g.fields() {
		if err := f.Get(s); err != nil {
			return nil, err
		}
	}
	return g, g.checkSizes()
}

// checkSizes compares the arrays' lengths with one another, which costs
// nothing and catches a section put together wrongly.
func (g *Graph) checkSizes() error {
	n, e, s := len(g.Position), len(g.ByEdge), len(g.BySegment)
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"first_out", len(g.FirstOut), n + 1},
		{"nodes", len(g.ByNode), n},
		{"node.osm", len(g.NodeID), n},
		{"copy.at", len(g.CopyAt), n + 1},
		{"copy.of", len(g.CopyOf), e - int(g.Base)},
		{"copies", len(g.Copies), e - int(g.Base)},
		{"edge.segment", len(g.SegmentDir), e},
		{"segment.forward", len(g.Forward), s},
		{"segment.way", len(g.WayID), s},
		{"segment.country", len(g.Country), s},
		{"segment.shape_at", len(g.ShapeAt), s + 1},
	} {
		if c.got != c.want {
			return fmt.Errorf("section %s: array %s has %d elements, want %d", SectionName, c.what, c.got, c.want)
		}
	}
	if err := g.checkShapeNodes(); err != nil {
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
