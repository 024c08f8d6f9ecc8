package find

import (
	"context"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/tree"
	"github.com/waygate/waygate/index/rings"
)

// Count is how much lies in an area.
type Count struct {
	Addresses int
	POIs      int  // but those that are found by their names alone
	More      bool // there may be more than these: the count came to its limit
}

// Within counts the addresses and the points of interest in an area by their points. It looks
// at no more than so many of them and of boxes of the index; boxes that lie in the area as a
// whole are counted and not looked into, but for those of points of interest.
func (x *Index) Within(ctx context.Context, area *rings.Area, most int) (Count, error) {
	var c Count
	var err error
	looked := 0
	look := func() bool {
		if looked++; looked%256 == 0 && err == nil {
			err = ctx.Err()
		}
		c.More = looked > most
		return err == nil && !c.More
	}
	where := func(b *tree.Box) (full, part bool) {
		if !look() {
			return false, false
		}
		southwest := geo.Fixed{Lon: b.West, Lat: b.South}
		if area.Meets(southwest, geo.Fixed{Lon: b.East, Lat: b.North}) {
			return false, true
		}
		in := area.Holds(southwest)
		return in, in
	}
	count := func(t *tree.Tree, at func(uint32) geo.Fixed, counts func(uint32) bool, to *int) {
		t.Within(where, func(items []uint32, full bool) bool {
			if full && counts == nil {
				*to += len(items)
				return true
			}
			for _, i := range items {
				if !look() {
					return false
				}
				if (counts == nil || counts(i)) && (full || area.Holds(at(i))) {
					*to++
				}
			}
			return true
		})
	}
	count(&x.AddressTree, func(i uint32) geo.Fixed { return x.Addresses[i].At }, nil, &c.Addresses)
	count(&x.PoiTree, func(i uint32) geo.Fixed { return x.Records[i].At }, func(i uint32) bool { return x.Records[i].Marks()&place.MarkByName == 0 }, &c.POIs)
	return c, err
}
