package place

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Bounds of Reverse and Around.
const (
	mostNear   = 100     // places that Reverse gives
	farthest   = 100_000 // metres that both look
	mostAround = 20_000  // places that Around gives
)

// Reverse gives the places of some kinds that are nearest to a point, the
// nearest first, no more than limit of them and none further away than metres. A
// street is as near as its line, an area as its middle.
func (x *Index) Reverse(ctx context.Context, at geo.Point, kinds Kinds, limit int, metres float64, lang string) ([]Near, error) {
	limit, metres = max(0, min(limit, mostNear)), min(metres, farthest)
	type found struct {
		away float64
		kind Kind
		i    uint32
	}
	var all []found
	take := func(t *tree, kind Kind, slack float64, distance func(i uint32) float64, of func(i uint32) uint32) {
		n := 0
		seen := map[uint32]bool{}
		t.nearest(at, metres, slack, 0, distance, func(i uint32, away float64) bool {
			if i = of(i); seen[i] {
				return ctx.Err() == nil
			}
			seen[i] = true
			all = append(all, found{away, kind, i})
			n++
			return n < limit && ctx.Err() == nil
		})
	}
	same := func(i uint32) uint32 { return i }
	record := func(i uint32) float64 { return geo.Distance(at, x.records[i].At.Point()) }
	if limit > 0 {
		if kinds.Has(Address) {
			take(&x.addressTree, Address, 1, func(i uint32) float64 { return geo.Distance(at, x.addresses[i].At.Point()) }, same)
		}
		if kinds.Has(Street) {
			take(&x.pieceTree, Street, lineSlack, func(i uint32) float64 { return x.pieceDistance(at, i) }, func(i uint32) uint32 { return x.pieceOf[i] })
		}
		if kinds.Has(Locality) {
			take(&x.localityTree, Locality, 1, record, same)
		}
		if kinds.Has(POI) {
			take(&x.poiTree, POI, 1, record, same)
		}
		if kinds.Has(Postcode) {
			take(&x.codeTree, Postcode, 1, func(i uint32) float64 { return geo.Distance(at, x.codeAt[i].Point()) }, same)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b found) int {
		switch {
		case a.away < b.away:
			return -1
		case a.away > b.away:
			return 1
		}
		return int(a.kind) - int(b.kind)
	})
	var out []Near
	for _, f := range all[:min(limit, len(all))] {
		var p Place
		switch f.kind {
		case Address:
			p = x.address(f.i, lang)
		case Postcode:
			p = x.postcode(f.i)
		default:
			p = x.place(f.i, lang)
		}
		out = append(out, Near{p, f.away})
	}
	return out, nil
}

// lineSlack is by how much the plane in which distances from lines are measured
// may shorten them.
const lineSlack = 0.98

// pieceDistance is how far a point is from a piece of a street, in metres.
func (x *Index) pieceDistance(p geo.Point, i uint32) float64 {
	points := x.points[x.pieceFrom[i]:x.pieceFrom[i+1]]
	last := points[0].Point()
	if len(points) == 1 {
		return geo.Distance(p, last)
	}
	least := math.Inf(1)
	for _, f := range points[1:] {
		next := f.Point()
		_, _, square := geo.Nearest(p, last, next)
		least = min(least, square)
		last = next
	}
	return math.Sqrt(least)
}

// Around calls yield for the points of interest within metres of a point that
// have any of the categories, the nearest first, until it gives false or the
// bound of 20,000 is met. No categories stand for all.
func (x *Index) Around(ctx context.Context, at geo.Point, metres float64, categories []string, lang string, yield func(Near) bool) error {
	wanted := map[uint32]bool{}
	mask := uint64(0)
	for _, c := range categories {
		if i, ok := slices.BinarySearchFunc(x.kindsOf, c, func(at uint32, c string) int { return strings.Compare(x.text(at), c) }); ok {
			wanted[x.kindsOf[i]] = true
			mask |= maskOf(x.kindsOf[i])
		}
	}
	if len(categories) > 0 && len(wanted) == 0 {
		return ctx.Err()
	}
	lists := map[uint32]bool{}
	has := func(list uint32) bool {
		if len(wanted) == 0 {
			return true
		}
		ok, known := lists[list]
		if !known {
			ok = slices.ContainsFunc(x.lists[x.listFrom[list]:x.listFrom[list+1]], func(c uint32) bool { return wanted[c] })
			lists[list] = ok
		}
		return ok
	}
	n, looked := 0, 0
	x.poiTree.nearest(at, min(metres, farthest), 1, mask, func(i uint32) float64 {
		if !has(x.records[i].Categories) {
			return math.Inf(1)
		}
		return geo.Distance(at, x.records[i].At.Point())
	}, func(i uint32, away float64) bool {
		if looked++; looked%256 == 0 && ctx.Err() != nil {
			return false
		}
		n++
		return yield(Near{x.place(i, lang), away}) && n < mostAround
	})
	return ctx.Err()
}
