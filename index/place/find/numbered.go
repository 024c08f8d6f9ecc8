package find

import (
	"bytes"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// nearestOn returns the point of a record's lines that is nearest to p, where it has lines. It
// looks at the first mostSides of their sides.
func (x *Index) nearestOn(i uint32, p geo.Point) (at geo.Point, ok bool) {
	least, left := math.Inf(1), mostSides
	for k, to := place.Rows(x.PieceOf, i); k < to && left > 0; k++ {
		points := x.Points[x.PieceFrom[k]:x.PieceFrom[k+1]]
		left -= len(points)
		for n := range max(1, len(points)-1) {
			foot, _, square := geo.Nearest(p, points[n].Point(), points[min(n+1, len(points)-1)].Point())
			if square < least {
				at, least, ok = foot, square, true
			}
		}
	}
	return at, ok
}

// numbered reports whether a hit is a piece of a road by the number of that, which has other
// pieces elsewhere.
func (s *matcher) numbered(h *hit) bool {
	if h.of != ofRecords || place.Kind(s.x.Records[h.i].Kind) != place.Street || s.x.Records[h.i].Name == h.name {
		return false
	}
	at := s.x.NameText[h.name]
	n := uint32(s.x.Texts[at]) | uint32(s.x.Texts[at+1])<<8
	return n <= longestNumber && bytes.ContainsAny(s.x.Texts[at+2:at+2+n], "0123456789")
}

// longestNumber is the most bytes of a road's number.
const longestNumber = 8
