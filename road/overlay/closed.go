package overlay

import (
	"encoding/binary"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// ClosedLive reports whether a layer closes an original edge, even where the searched
// metric includes the layer.
func (o *Overlay) ClosedLive(e graph.Edge) bool {
	return o != nil && o.layer != nil && o.layer.closed[e]
}

// ClosesLive reports whether a layer closes any edge, like ClosedLive.
func (o *Overlay) ClosesLive() bool { return o != nil && o.layer != nil && len(o.layer.closed) > 0 }

// Kind returns a text that is equal for journeys from or to one place (its edges) with
// other ends to which the same edges are open. It depends on roads for destinations only
// and on live closures at the ends.
func (k *Clock) Kind(place, other []graph.Edge) string {
	kind := []byte{0}
	if slices.ContainsFunc(place, k.DestinationOnly) || slices.ContainsFunc(other, k.DestinationOnly) {
		kind[0] = 1
	}
	for _, e := range other {
		if k.Roads != nil && len(k.Roads.closures[e]) > 0 {
			kind = binary.LittleEndian.AppendUint32(kind, uint32(e))
		}
	}
	return string(kind)
}
