package place

import (
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place/fold"
)

// codeTable is the postcodes of an index, in their order.
type codeTable struct {
	CodeKey     []uint64
	CodeAt      []geo.Fixed
	CodeGap     []int8
	CodeCountry []uint8
	Countries   []uint16
}

func (x *codeTable) CodeText(code uint32) string {
	return fold.UnpackCode(x.CodeKey[code], x.CodeGap[code])
}

// CodeNumber returns the number of a written postcode, none where it is none.
func (x *codeTable) CodeNumber(written string) uint32 {
	c, ok := fold.CodeOf(written)
	if !ok {
		return None
	}
	i, found := slices.BinarySearch(x.CodeKey, c.Packed)
	if !found {
		return None
	}
	return uint32(i)
}

// CodeRange returns the postcodes that begin with the first n letters of a packed one.
func (x *codeTable) CodeRange(packed uint64, n int) (lo, hi uint32) {
	return x.codeFrom(packed), x.codeFrom(fold.CodesAfter(packed, n))
}

func (x *codeTable) codeFrom(packed uint64) uint32 {
	lo, hi := 0, len(x.CodeKey)
	for lo < hi {
		if mid := (lo + hi) / 2; x.CodeKey[mid] < packed {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return uint32(lo)
}
