package network

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// besideMeridian is how far from 180 degrees, in units of geo.Fixed, a way that
// crosses it is cut: near enough that nothing is looked for between, and far enough
// that the course of the piece across, two metres long, is that of the way.
const besideMeridian = 100

const halfTurn, wholeTurn = 180e7, 360e7

// crossAntimeridian makes ways cross the antimeridian by a piece of their own, between
// two nodes that OSM does not have (id 0), so that all other lines can be handled in
// flat coordinates. A way goes the shorter way round.
func (c *collector) crossAntimeridian() {
	for i := range c.ways {
		w := &c.ways[i]
		refs := c.refs[w.first : w.first+w.count]
		var cut []nodeNumber
		for k, n := range refs {
			if k > 0 && c.known[refs[k-1]] && c.known[n] && geo.Across(c.at[refs[k-1]], c.at[n]) {
				if cut == nil {
					cut = append(cut, refs[:k]...)
				}
				near, far := crossing(c.at[refs[k-1]], c.at[n])
				cut = append(cut, c.invent(near), c.invent(far))
			}
			if cut != nil {
				cut = append(cut, n)
			}
		}
		if cut != nil {
			w.first, w.count = len(c.refs), len(cut)
			c.refs = append(c.refs, cut...)
		}
	}
}

// invent adds a node at which ways are cut.
func (c *collector) invent(at geo.Fixed) nodeNumber {
	c.nodes.ids = append(c.nodes.ids, 0)
	c.at, c.known, c.uses = append(c.at, at), append(c.known, true), append(c.uses, 2)
	return nodeNumber(len(c.at) - 1)
}

// crossing returns the places on either side of the antimeridian of a line from a to b.
func crossing(a, b geo.Fixed) (near, far geo.Fixed) {
	side := math.Copysign(1, float64(a.Lon))
	along := side*wholeTurn + float64(b.Lon) - float64(a.Lon) // what it goes, eastwards where a is in the east
	at := func(lon float64) int32 {                           // latitude at a longitude on the way
		if along == 0 {
			return a.Lat
		}
		return a.Lat + int32(math.Round((lon-float64(a.Lon))/along*(float64(b.Lat)-float64(a.Lat))))
	}
	edge := side * (halfTurn - besideMeridian)
	return geo.Fixed{Lon: int32(edge), Lat: at(edge)}, geo.Fixed{Lon: -int32(edge), Lat: at(side * (halfTurn + besideMeridian))}
}
