package graph

import (
	"cmp"
	"slices"
)

// MaxLanes is the highest number of a lane in one direction that connections
// name.
const MaxLanes = 16

// Connection lists which lanes of one edge lead into which of another, as OSM's
// relations of type connectivity map it. Edges are originals.
type Connection struct {
	From, To            Edge
	ViaAt, LinkAt       uint32 // into Graph.Vias and Graph.Links
	ViaCount, LinkCount uint16
}

// LaneLink joins two lanes, which count from 1 at the left in the direction of
// travel: at the end of a connection's From and at the begin of its To.
type LaneLink struct {
	From, To uint8
	Optional uint8 // 1 where taking it means leaving the lane's own course, 0 where the lane itself leads there
}

// LaneConnection is a connection as the builder takes it. Path has the edge come
// from, any edges between, and the edge entered; the lanes of Links are 1 to
// MaxLanes on both sides.
type LaneConnection struct {
	Path  []DirectedSegment
	Links []LaneLink
}

// Connect adds a connection of lanes. Several with the same path add up.
func (b *Builder) Connect(c LaneConnection) { b.connections = append(b.connections, c) }

// placeConnections sorts the connections by their paths, joins those of one
// path and writes them into the graph's arrays.
func (b *Builder) placeConnections(g *Graph, edgeOf []Edge) {
	type connection struct {
		path  []Edge
		links []LaneLink
	}
	all := make([]connection, len(b.connections))
	for i, c := range b.connections {
		all[i].links = c.Links
		for _, h := range c.Path {
			all[i].path = append(all[i].path, edgeOf[h])
		}
	}
	slices.SortStableFunc(all, func(x, y connection) int { return slices.Compare(x.path, y.path) })
	for i := 0; i < len(all); {
		path, links := all[i].path, []LaneLink(nil)
		for ; i < len(all) && slices.Equal(all[i].path, path); i++ {
			links = append(links, all[i].links...)
		}
		links = tidyLinks(links)
		n := len(path)
		g.Connections = append(g.Connections, Connection{
			From: path[0], To: path[n-1],
			ViaAt: uint32(len(g.Vias)), ViaCount: uint16(n - 2),
			LinkAt: uint32(len(g.Links)), LinkCount: uint16(len(links)),
		})
		g.Vias = append(g.Vias, path[1:n-1]...)
		g.Links = append(g.Links, links...)
	}
}

// tidyLinks sorts links and keeps one for each pair of lanes, the one that is
// not Optional where there are both.
func tidyLinks(links []LaneLink) []LaneLink {
	slices.SortFunc(links, func(x, y LaneLink) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(x.Optional, y.Optional))
	})
	return slices.CompactFunc(links, func(x, y LaneLink) bool { return x.From == y.From && x.To == y.To })
}

// ConnectionsFrom returns the connections of an original edge, sorted by the
// edges they lead over.
func (g *Graph) ConnectionsFrom(e Edge) []Connection {
	if len(g.Connections) == 0 {
		return nil
	}
	first, found := slices.BinarySearchFunc(g.Connections, e, func(c Connection, e Edge) int { return cmp.Compare(c.From, e) })
	if !found {
		return nil
	}
	end := first
	for end < len(g.Connections) && g.Connections[end].From == e {
		end++
	}
	return g.Connections[first:end]
}

// ViasOf returns the edges between those of a connection; it has none where the
// two meet at a node.
func (g *Graph) ViasOf(c *Connection) []Edge {
	return g.Vias[c.ViaAt : c.ViaAt+uint32(c.ViaCount)]
}

// LinksOf returns the lanes that a connection joins, sorted.
func (g *Graph) LinksOf(c *Connection) []LaneLink {
	return g.Links[c.LinkAt : c.LinkAt+uint32(c.LinkCount)]
}

// pathOf gives edge k of a connection's path: 0 is From, the last is To.
func (g *Graph) pathOf(c *Connection, k int) Edge {
	switch k {
	case 0:
		return c.From
	case int(c.ViaCount) + 1:
		return c.To
	}
	return g.Vias[int(c.ViaAt)+k-1]
}

func (g *Graph) verifyConnections() error {
	vias, links := uint64(0), uint64(0)
	for i := range g.Connections {
		c := &g.Connections[i]
		if uint64(c.ViaAt) != vias || uint64(c.LinkAt) != links {
			return wrong("connections", i, "begins at via %d and link %d, want %d and %d", c.ViaAt, c.LinkAt, vias, links)
		}
		vias, links = vias+uint64(c.ViaCount), links+uint64(c.LinkCount)
		if vias > uint64(len(g.Vias)) || links > uint64(len(g.Links)) {
			return wrong("connections", i, "ends at via %d and link %d of %d and %d", vias, links, len(g.Vias), len(g.Links))
		}
		if i > 0 && c.From < g.Connections[i-1].From {
			return wrong("connections", i, "is out of order")
		}
		for k := 0; k <= int(c.ViaCount)+1; k++ {
			e := g.pathOf(c, k)
			if e >= g.Base {
				return wrong("connections", i, "edge %d is no original, of which there are %d", e, g.Base)
			}
			if k > 0 && g.ByEdge[e].Tail != g.ByEdge[g.pathOf(c, k-1)].Head {
				return wrong("connections", i, "edge %d does not leave where edge %d ends", e, g.pathOf(c, k-1))
			}
		}
	}
	if vias != uint64(len(g.Vias)) || links != uint64(len(g.Links)) {
		return wrong("connections", len(g.Connections), "has %d vias and %d links too many", uint64(len(g.Vias))-vias, uint64(len(g.Links))-links)
	}
	for i, l := range g.Links {
		if l.From < 1 || l.From > MaxLanes || l.To < 1 || l.To > MaxLanes || l.Optional > 1 {
			return wrong("connection.links", i, "joins lanes %d and %d, optional %d", l.From, l.To, l.Optional)
		}
	}
	return nil
}
