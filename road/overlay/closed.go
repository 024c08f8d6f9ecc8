package overlay

import (
	"encoding/binary"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// Shut reports whether a live closure of its own times holds on an original edge at a time
// of the clock.
func (k *Clock) Shut(e graph.Edge, at int64) bool { return k.shut(e, at) }

// ClosedLive reports whether a layer closes an original edge, whether what is searched knows of
// it or not.
func (o *Overlay) ClosedLive(e graph.Edge) bool {
	return o != nil && o.layer != nil && o.layer.closed[e]
}

// ClosesLive reports whether a layer closes any edge, as ClosedLive does of one.
func (o *Overlay) ClosesLive() bool { return o != nil && o.layer != nil && len(o.layer.closed) > 0 }

// Kind is the same text for journeys from or to one place, its edges, to or from others to
// which the same is open: by their ends, roads for destinations only and live closures are.
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
