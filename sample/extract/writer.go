// Package extract numbers the nodes, ways and relations of the county.
package extract

import (
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// Ref names one OSM object.
type Ref struct {
	Kind osm.Kind
	ID   int64
}

// Writer gathers objects and numbers them. Objects at the same place share
// the node when they are roads; all other geometry shares nodes only where it
// asks for them.
type Writer struct {
	Data  osm.Data
	nodes map[geo.Fixed]int64
	WayOf map[[2]int64]int64 // the way between two neighbouring nodes of roads
}

// The day the county was surveyed.
var surveyed = time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)

// charted is the area the county's data is complete for: the islands and the
// sea around them.
var charted = geo.Bounds{Min: geo.Point{Lon: -7.9, Lat: 49}, Max: geo.Point{Lon: -6.4, Lat: 49.65}}

// NewWriter returns a Writer without objects.
func NewWriter() *Writer {
	return &Writer{Data: osm.Data{Timestamp: surveyed, Bounds: charted}, nodes: map[geo.Fixed]int64{}, WayOf: map[[2]int64]int64{}}
}

// Node returns the number of the shared node at p.
func (w *Writer) Node(p plane.Point) int64 {
	f := p.Fixed()
	if id, ok := w.nodes[f]; ok {
		return id
	}
	id := int64(len(w.Data.Nodes) + 1)
	w.Data.Nodes = append(w.Data.Nodes, osm.Node{ID: id, Lon: f.Lon, Lat: f.Lat, Version: 1})
	w.nodes[f] = id
	return id
}

// Point adds a node of its own with tags.
func (w *Writer) Point(p plane.Point, t osm.Tags) Ref {
	id := w.Node(p)
	n := &w.Data.Nodes[id-1]
	for _, x := range t {
		n.Tags = network.With(n.Tags, x.Key, x.Value)
	}
	return Ref{osm.KindNode, id}
}

// Way adds a way along a line and returns its name.
func (w *Writer) Way(line []plane.Point, t osm.Tags) Ref {
	nodes := make([]int64, 0, len(line))
	for _, p := range line {
		if id := w.Node(p); len(nodes) == 0 || nodes[len(nodes)-1] != id {
			nodes = append(nodes, id)
		}
	}
	id := int64(len(w.Data.Ways) + 1)
	w.Data.Ways = append(w.Data.Ways, osm.Way{ID: id, Version: 1, Nodes: nodes, Tags: t})
	return Ref{osm.KindWay, id}
}

// Ring adds a closed way; the line may leave out the last point.
func (w *Writer) Ring(line []plane.Point, t osm.Tags) Ref {
	if line[0] != line[len(line)-1] {
		line = append(slices.Clone(line), line[0])
	}
	return w.Way(line, t)
}

// Relation adds a relation of members and returns its name.
func (w *Writer) Relation(members []osm.Member, t osm.Tags) Ref {
	id := int64(len(w.Data.Relations) + 1)
	w.Data.Relations = append(w.Data.Relations, osm.Relation{ID: id, Version: 1, Members: members, Tags: t})
	return Ref{osm.KindRelation, id}
}

// As returns the object as a member of a relation in a role.
func (r Ref) As(role string) osm.Member { return osm.Member{Kind: r.Kind, Ref: r.ID, Role: role} }
