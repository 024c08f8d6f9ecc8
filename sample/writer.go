package sample

import (
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// Ref names one OSM object.
type Ref struct {
	Kind osm.Kind
	ID   int64
}

// writer gathers objects and numbers them. Objects at the same place share
// the node when they are roads; all other geometry shares nodes only where it
// asks for them.
type writer struct {
	data  osm.Data
	nodes map[geo.Fixed]int64
	wayOf map[[2]int64]int64 // the way between two neighbouring nodes of roads
}

// The day the county was surveyed.
var surveyed = time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)

// charted is the area the county's data is complete for: the islands and the
// sea around them.
var charted = geo.Bounds{Min: geo.Point{Lon: -7.9, Lat: 49}, Max: geo.Point{Lon: -6.4, Lat: 49.65}}

func newWriter() *writer {
	return &writer{data: osm.Data{Timestamp: surveyed, Bounds: charted}, nodes: map[geo.Fixed]int64{}, wayOf: map[[2]int64]int64{}}
}

// node gives the number of the shared node at p.
func (w *writer) node(p pt) int64 {
	f := p.fixed()
	if id, ok := w.nodes[f]; ok {
		return id
	}
	id := int64(len(w.data.Nodes) + 1)
	w.data.Nodes = append(w.data.Nodes, osm.Node{ID: id, Lon: f.Lon, Lat: f.Lat, Version: 1})
	w.nodes[f] = id
	return id
}

// point adds a node of its own with tags.
func (w *writer) point(p pt, t osm.Tags) Ref {
	id := w.node(p)
	n := &w.data.Nodes[id-1]
	for _, x := range t {
		n.Tags = with(n.Tags, x.Key, x.Value)
	}
	return Ref{osm.KindNode, id}
}

func (w *writer) way(line []pt, t osm.Tags) Ref {
	nodes := make([]int64, 0, len(line))
	for _, p := range line {
		if id := w.node(p); len(nodes) == 0 || nodes[len(nodes)-1] != id {
			nodes = append(nodes, id)
		}
	}
	id := int64(len(w.data.Ways) + 1)
	w.data.Ways = append(w.data.Ways, osm.Way{ID: id, Version: 1, Nodes: nodes, Tags: t})
	return Ref{osm.KindWay, id}
}

// ring adds a closed way; the line may leave out the last point.
func (w *writer) ring(line []pt, t osm.Tags) Ref {
	if line[0] != line[len(line)-1] {
		line = append(slices.Clone(line), line[0])
	}
	return w.way(line, t)
}

func (w *writer) relation(members []osm.Member, t osm.Tags) Ref {
	id := int64(len(w.data.Relations) + 1)
	w.data.Relations = append(w.data.Relations, osm.Relation{ID: id, Version: 1, Members: members, Tags: t})
	return Ref{osm.KindRelation, id}
}

func (r Ref) as(role string) osm.Member { return osm.Member{Kind: r.Kind, Ref: r.ID, Role: role} }
