package rings

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Area is one area of outer rings and holes, which do not cross each other. It is immutable
// and safe for concurrent use.
type Area struct {
	index                    *Index
	west, south, east, north int32
	flat                     [][2]geo.Fixed // pieces along a latitude from west to east, by latitude: no ray crosses them, but boxes do
}

// NewArea makes an area of rings that end where they begin.
func NewArea(rings [][]geo.Fixed) *Area {
	a := &Area{west: math.MaxInt32, south: math.MaxInt32, east: math.MinInt32, north: math.MinInt32}
	corners := slices.Concat(rings...)
	var pieces []Piece
	at := 0
	for _, ring := range rings {
		for i, p := range ring {
			a.west, a.south = min(a.west, p.Lon), min(a.south, p.Lat)
			a.east, a.north = max(a.east, p.Lon), max(a.north, p.Lat)
			if i+1 == len(ring) {
				continue
			}
			pieces = append(pieces, Piece{From: uint32(at + i)})
			if next := ring[i+1]; next.Lat == p.Lat {
				a.flat = append(a.flat, [2]geo.Fixed{{Lon: min(p.Lon, next.Lon), Lat: p.Lat}, {Lon: max(p.Lon, next.Lon), Lat: p.Lat}})
			}
		}
		at += len(ring)
	}
	slices.SortFunc(a.flat, func(x, y [2]geo.Fixed) int { return cmp.Compare(x[0].Lat, y[0].Lat) })
	height := (int64(a.north) - int64(a.south)) / int64(max(1, len(pieces)/4))
	a.index = New(corners, pieces, int32(min(max(1, height), world/2)))
	return a
}

// Holds reports whether a point lies in the area.
func (a *Area) Holds(p geo.Fixed) bool {
	if p.Lon < a.west || p.Lon > a.east || p.Lat < a.south || p.Lat > a.north {
		return false
	}
	odd := false
	a.index.Crossed(p.Point(), func(uint32) { odd = !odd })
	return odd
}

// Meets reports whether a border of the area may lead through a box, given by two corners, or
// along its sides. Where none does the box lies in the area as a whole or not at all.
func (a *Area) Meets(southwest, northeast geo.Fixed) bool {
	x := a.index
	if len(x.Grid) == 0 || southwest.Lon > a.east || northeast.Lon < a.west || southwest.Lat > a.north || northeast.Lat < a.south {
		return false
	}
	from, _ := slices.BinarySearchFunc(a.flat, southwest.Lat, func(p [2]geo.Fixed, lat int32) int { return cmp.Compare(p[0].Lat, lat) })
	for _, p := range a.flat[from:] {
		if p[0].Lat > northeast.Lat {
			break
		}
		if p[0].Lon <= northeast.Lon && p[1].Lon >= southwest.Lon {
			return true
		}
	}
	for row := x.row(max(southwest.Lat, a.south)); row <= x.row(min(northeast.Lat, a.north)) && row+1 < len(x.Rows); row++ {
		for _, piece := range x.Pieces[x.Rows[row]:x.Rows[row+1]] {
			p, q := x.Corners[piece.From], x.Corners[piece.From+1]
			if min(p.Lon, q.Lon) > northeast.Lon {
				break // all later pieces begin further east
			}
			if max(p.Lon, q.Lon) >= southwest.Lon && min(p.Lat, q.Lat) <= northeast.Lat && max(p.Lat, q.Lat) >= southwest.Lat {
				return true
			}
		}
	}
	return false
}
