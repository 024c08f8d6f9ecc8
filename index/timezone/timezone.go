// Package timezone finds the time zone of a place.
package timezone

import (
	"fmt"
	"slices"
	"sync"

	tzfdist "github.com/ringsaturn/tzf-dist"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/rings"
)

const (
	// Accuracy is how far the borders of zones may be off, in metres: they are
	// simplified by a thousandth of a degree.
	Accuracy = 110
	// Source is where the zones are from.
	Source = "timezone-boundary-builder, © OpenStreetMap contributors (ODbL)"
	// band is the height of the bands of latitude by which the borders are found, in
	// units of geo.Fixed.
	band = 500_000
)

// Zones are the world's time zones. It is immutable and takes some 21 MB.
type Zones struct {
	Version string // of the time zone database that the borders are of
	names   []string
	borders *rings.Index
}

// World gives the zones of the world. The first call reads them, which takes
// some tenths of a second.
var World = sync.OnceValues(func() (*Zones, error) { return read(tzfdist.TopologyCompressTopoData) })

func read(raw []byte) (*Zones, error) {
	z := &Zones{}
	var b borders
	var err error
	z.Version, err = decode(raw, func(zone string, ring []geo.Point) { z.add(&b, zone, ring) })
	if err == nil && len(z.names) == 0 {
		err = errMessage
	}
	if err != nil {
		return nil, fmt.Errorf("read the time zones: %w", err)
	}
	z.borders = rings.New(b.corners, b.pieces, band)
	return z, nil
}

// borders are those of the zones as they come.
type borders struct {
	corners []geo.Fixed // of all rings, each closed
	pieces  []rings.Piece
}

// add takes in a ring. Rings may be open.
func (z *Zones) add(b *borders, name string, ring []geo.Point) {
	if len(ring) < 3 {
		return
	}
	if n := len(z.names); n == 0 || z.names[n-1] != name {
		z.names = append(z.names, name)
	}
	zone, first := uint32(len(z.names)-1), len(b.corners)
	for _, p := range ring {
		f := p.Fix()
		if n := len(b.corners); n == first || b.corners[n-1] != f {
			b.corners = append(b.corners, f)
		}
	}
	if b.corners[len(b.corners)-1] != b.corners[first] {
		b.corners = append(b.corners, b.corners[first])
	}
	for i := first; i+1 < len(b.corners); i++ {
		b.pieces = append(b.pieces, rings.Piece{From: uint32(i), Owner: zone})
	}
}

// At gives the names of the zones that a place lies in, in the IANA database's
// spelling: one nearly everywhere, several where their claims overlap, one of
// the nautical zones Etc/GMT±N at sea, none at most where the data has a gap.
func (z *Zones) At(p geo.Point) []string {
	var odd []uint32
	z.borders.Crossed(p, func(zone uint32) {
		if i := slices.Index(odd, zone); i >= 0 {
			odd = slices.Delete(odd, i, i+1)
		} else {
			odd = append(odd, zone)
		}
	})
	slices.Sort(odd)
	var names []string
	for _, zone := range odd {
		names = append(names, z.names[zone])
	}
	return names
}
