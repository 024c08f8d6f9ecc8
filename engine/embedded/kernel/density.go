package kernel

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// samples is about from how many places Around estimates the density of roads.
const samples = 4096

// sample lists some junctions of a region, evenly over the graph.
func (d *Data) sample() []geo.Point {
	step := d.Graph.Nodes()/samples + 1
	list := make([]geo.Point, 0, d.Graph.Nodes()/step+1)
	for n := 0; n < d.Graph.Nodes(); n += step {
		list = append(list, d.Graph.Position[n].Point())
	}
	return list
}

// Around is about how many edges lie within a distance of a place.
func (d *Data) Around(p geo.Point, metres float64) float64 {
	places := d.Places()
	if len(places) == 0 {
		return 0
	}
	box := geo.Around(p, metres)
	n := 0
	for i := range places {
		if box.Contains(places[i]) {
			n++
		}
	}
	// Where so few are near that none is in the sample there are some all the same.
	return (float64(n)*math.Pi/4 + 0.5) / float64(len(places)) * float64(d.Graph.Edges())
}
