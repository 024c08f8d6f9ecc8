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
	// Source is the attribution of the zones.
	Source = "timezone-boundary-builder, © OpenStreetMap contributors (ODbL)"
	// band is the height of the bands of latitude by which the borders are found, in
	// units of geo.Fixed.
	band = 500_000
)

// Zones has the world's time zones. It is immutable and takes about 13 MB.
type Zones struct {
	Version string // of the time zone database that the borders are of
	names   []string
	borders *rings.Index
}

// World returns the zones of the world. The first call reads them, which takes a few
// tenths of a second.
var World = sync.OnceValues(func() (*Zones, error) { return read(tzfdist.TopologyCompressTopoData) })

func read(raw []byte) (*Zones, error) {
	d, version, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("read the time zones: %w", err)
	}
	return &Zones{Version: version, names: d.names, borders: rings.New(slices.Clone(d.corners), d.pieces, band)}, nil
}

// At returns the names of the zones that a place lies in, in the IANA database's
// spelling: nearly everywhere one, several where claims overlap, one of the nautical
// zones Etc/GMT±N at sea, and none where the data has a gap.
func (z *Zones) At(p geo.Point) []string {
	var odd []uint32
	toggle := func(zone uint32) {
		if i := slices.Index(odd, zone); i >= 0 {
			odd = slices.Delete(odd, i, i+1)
		} else {
			odd = append(odd, zone)
		}
	}
	z.borders.Crossed(p, func(owner uint32) {
		zone, other, two := ownedBy(owner)
		if toggle(zone); two {
			toggle(other)
		}
	})
	slices.Sort(odd)
	var names []string
	for _, zone := range odd {
		names = append(names, z.names[zone])
	}
	return names
}
