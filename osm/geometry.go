package osm

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Overpass answers `out geom` with the positions of nodes inside ways and of members inside
// relations, and mostly without the nodes and ways themselves. Readers make them of it:
// nodes without tags, and ways that consist of nodes whose ids follow from their positions.
// Where a file has an object itself, too, that one counts: made ones have lower versions or
// come later.

// madeWay is the version of ways that are made of a member's geometry.
const madeWay = -1

// missingNode is the id of a node that no file has: geometry that was cut off.
const missingNode = math.MinInt64

// nodeAt returns the id of a node that is made for a position, below all ids that OpenStreetMap
// or editors give. The same position has the same id.
func nodeAt(lon, lat int32) int64 {
	return -1 - ((int64(lon)+maxLon)<<31 | (int64(lat) + maxLat))
}

// geometry collects what is made of the geometry of an object.
type geometry struct {
	nodes []Node
	refs  []int64 // of the member at hand
	ways  []Way   // their nodes are slices of all
}

func (g *geometry) reset() { g.nodes, g.refs, g.ways = g.nodes[:0], nil, g.ways[:0] }

// node adds the position of a node.
func (g *geometry) node(id int64, lon, lat int32) {
	g.nodes = append(g.nodes, Node{ID: id, Lon: lon, Lat: lat})
}

// point adds a position of the member at hand.
func (g *geometry) point(lon, lat int32) {
	id := nodeAt(lon, lat)
	g.node(id, lon, lat)
	g.refs = append(g.refs, id)
}

// gap is true where the current member is cut off.
func (g *geometry) gap() {
	if n := len(g.refs); n > 0 && g.refs[n-1] != missingNode {
		g.refs = append(g.refs, missingNode)
	}
}

// member ends the member at hand.
func (g *geometry) member(m Member) {
	if m.Kind == KindWay && len(g.refs) > 1 {
		g.ways = append(g.ways, Way{ID: m.Ref, Version: madeWay, Nodes: g.refs})
	}
	g.refs = nil
}

// emit puts what was collected in a block.
func (g *geometry) emit(s *space, opt Options) {
	if !opt.SkipNodes {
		s.block.Nodes = append(s.block.Nodes, g.nodes...)
	}
	if !opt.SkipWays {
		for _, w := range g.ways {
			w.Nodes = s.refs.copyOf(w.Nodes)
			s.block.Ways = append(s.block.Ways, w)
		}
	}
}

// contents counts what a file has, to report at its end what is missing.
type contents struct {
	objects, tagged, placed, lines int // all; with tags; nodes and positions in geometry; ways with nodes
}

// askAgain is a hint how to write a query whose answer can be read.
const askAgain = "end the query with `out geom;`, or with `(._;>;); out;`"

// check returns an error that names what a file of Overpass has left out. generator is what the file says it is of.
func (c contents) check(generator string) error {
	switch {
	case !strings.HasPrefix(generator, "Overpass") || c.objects == 0:
		return nil
	case c.tagged == 0:
		return errors.New("no object has a tag, as after `out skel` or `out ids`: " + askAgain)
	case c.lines > 0 && c.placed == 0:
		return errors.New("its ways have no positions, neither nodes nor geometry, as after `out body` alone: " + askAgain)
	}
	return nil
}

// bare is the error of a way without nodes.
func bare(id int64, centre bool) error {
	if centre {
		return fmt.Errorf("way %d has a centre but no nodes, as after `out center` or `out bb`: %s", id, askAgain)
	}
	return fmt.Errorf("way %d has no nodes, as after `out tags` or `out ids`: %s", id, askAgain)
}
