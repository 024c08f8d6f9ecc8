// Package timezone finds the time zone of a place.
package timezone

import (
	"fmt"
	"math"
	"slices"
	"sync"

	tzfdist "github.com/ringsaturn/tzf-dist"

	"github.com/waygate/waygate/geo"
)

const (
	// Accuracy is how far the borders of zones may be off, in metres: they are
	// simplified by a thousandth of a degree.
	Accuracy = 110
	// Source is where the zones are from.
	Source = "timezone-boundary-builder, © OpenStreetMap contributors (ODbL)"
	// rows are the bands of latitude, of a twentieth of a degree, by which the borders
	// are found.
	rows       = 3600
	rowsDegree = 20
	hair       = 1e-6
)

// Zones are the world's time zones. It is immutable and takes some 26 MB.
type Zones struct {
	Version string // of the time zone database that the borders are of
	names   []string
	lines   []geo.Fixed // the corners of all rings, each closed
	rows    [rows][]piece
}

// piece is a straight bit of a zone's border: from a corner to the next.
type piece struct {
	from int32 // index in lines
	zone uint16
}

// World gives the zones of the world. The first call reads them, which takes
// some tenths of a second.
var World = sync.OnceValues(func() (*Zones, error) { return read(tzfdist.TopologyCompressTopoData) })

func read(raw []byte) (*Zones, error) {
	z := &Zones{}
	var err error
	z.Version, err = decode(raw, z.add)
	if err == nil && len(z.names) == 0 {
		err = errMessage
	}
	if err != nil {
		return nil, fmt.Errorf("read the time zones: %w", err)
	}
	return z, nil
}

// add takes in a ring. Rings may be open.
func (z *Zones) add(name string, ring []geo.Point) {
	if len(ring) < 3 {
		return
	}
	if n := len(z.names); n == 0 || z.names[n-1] != name {
		z.names = append(z.names, name)
	}
	zone, first := uint16(len(z.names)-1), len(z.lines)
	for _, p := range ring {
		f := p.Fix()
		if n := len(z.lines); n == first || z.lines[n-1] != f {
			z.lines = append(z.lines, f)
		}
	}
	if z.lines[len(z.lines)-1] != z.lines[first] {
		z.lines = append(z.lines, z.lines[first])
	}
	for i := first; i+1 < len(z.lines); i++ {
		a, b := z.lines[i], z.lines[i+1]
		if a.Lat == b.Lat {
			continue // no ray along a latitude crosses it
		}
		for r := row(min(a.Lat, b.Lat)); r <= row(max(a.Lat, b.Lat)); r++ {
			z.rows[r] = append(z.rows[r], piece{int32(i), zone})
		}
	}
}

func row(lat int32) int {
	return min(rows-1, max(0, int(math.Floor((float64(lat)/1e7+90)*rowsDegree))))
}

// At gives the names of the zones that a place lies in, in the IANA database's
// spelling: one nearly everywhere, several where their claims overlap, one of
// the nautical zones Etc/GMT±N at sea, none at most where the data has a gap.
func (z *Zones) At(p geo.Point) []string {
	// The poles and the date line are the borders of the zones there.
	at := geo.Point{Lon: max(p.Lon, -180+hair), Lat: min(max(p.Lat, -90+hair), 90-hair)}.Fix()
	// A ray to the west crosses the border of a zone it begins in an odd number of
	// times. Ends of pieces count below and not above, so that none counts twice.
	var odd []uint16
	for _, piece := range z.rows[row(at.Lat)] {
		a, b := z.lines[piece.from], z.lines[piece.from+1]
		if (a.Lat > at.Lat) == (b.Lat > at.Lat) {
			continue
		}
		if a.Lon > at.Lon && b.Lon > at.Lon {
			continue
		}
		x := float64(a.Lon) + float64(at.Lat-a.Lat)/float64(b.Lat-a.Lat)*(float64(b.Lon)-float64(a.Lon))
		if x >= float64(at.Lon) {
			continue
		}
		if i := slices.Index(odd, piece.zone); i >= 0 {
			odd = slices.Delete(odd, i, i+1)
		} else {
			odd = append(odd, piece.zone)
		}
	}
	slices.Sort(odd)
	var names []string
	for _, zone := range odd {
		names = append(names, z.names[zone])
	}
	return names
}
