package find

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/lexicon"
	"github.com/waygate/waygate/index/place/tree"
)

// Bounds of Reverse and Around.
const (
	mostNear   = 100     // places that Reverse gives
	farthest   = 100_000 // metres that both look
	mostAround = 20_000  // places that Around gives, and that ReverseOnly looks at of each kind
)

// Reverse returns the places of some kinds that are nearest to a point, the
// nearest first, no more than limit of them and none further away than metres. A
// street is as near as its line, an address as its building, a point of interest as its outline
// where it has one. What holds the point is 0 metres away; of that the small comes before the
// large, and what is very near may come before what is large (see standoff).
//
// Where only localities, areas and postcodes are wanted, those that hold the point come
// first. Elsewhere a locality is as near as its middle. Areas are found where they hold the point.
func (x *Index) Reverse(ctx context.Context, at geo.Point, kinds place.Kinds, limit int, metres float64, lang string) ([]place.Near, error) {
	return x.ReverseOnly(ctx, at, kinds, nil, limit, metres, lang)
}

// ReverseOnly is Reverse for the places that only wants. Of each kind it looks at the nearest
// 20,000.
func (x *Index) ReverseOnly(ctx context.Context, at geo.Point, kinds place.Kinds, only place.Only, limit int, metres float64, lang string) ([]place.Near, error) {
	limit, metres = max(0, min(limit, mostNear)), min(metres, farthest)
	if limit == 0 {
		return nil, ctx.Err()
	}
	type found struct {
		order float64
		kind  place.Kind
		i     uint32
		item  uint32 // of its tree
	}
	var all []found
	sorts := x.sorted(only)
	wants := func(kind place.Kind, i uint32) bool {
		switch {
		case sorts == nil:
			return true
		case kind == place.Address:
			return sorts.address(i)
		case kind == place.Postcode:
			return sorts.code(i)
		case kind == outlinedPOI:
			kind = place.POI
		}
		return sorts.record(i, kind)
	}
	before := func(a, b found) int { return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.kind, b.kind)) }
	// take adds those of a tree's items that come first. Order is never less than slack times the
	// distance of a box around an item; of gives the place of an item.
	take := func(t *tree.Tree, kind place.Kind, slack float64, order func(i uint32) float64, of func(i uint32) uint32) {
		looked := 0
		seen := map[uint32]bool{}
		slices.SortStableFunc(all, before)
		if len(all) >= limit { // what is further away than all that is wanted is not
			metres = min(metres, all[limit-1].order)
		}
		t.Nearest(at, metres, slack, 0, order, func(i uint32, away float64) bool {
			if f := (found{away, kind, of(i), i}); !seen[f.i] && wants(kind, f.i) {
				seen[f.i] = true
				all = append(all, f)
			}
			looked++
			return len(seen) < limit && looked < mostAround && ctx.Err() == nil
		})
	}
	same := func(i uint32) uint32 { return i }
	outlined := func(i uint32) uint32 { return x.OutlineOf[i] }
	record := func(i uint32) float64 { return geo.Distance(at, x.Records[i].At.Point()) }
	holding := map[uint32]bool{} // localities and areas
	if kinds != 0 && kinds&^place.Of(place.Locality, place.Area, place.Postcode) == 0 {
		fixed := at.Fix()
		x.OutlineTree.Nearest(at, 0, 1, 0, func(i uint32) float64 {
			if k := place.Kind(x.Records[x.OutlineOf[i]].Kind); (k == place.Locality || k == place.Area) && kinds.Has(k) && tree.Inside(fixed, x.Outline(i)) && wants(k, x.OutlineOf[i]) {
				return 0
			}
			return math.Inf(1)
		}, func(i uint32, _ float64) bool {
			holding[x.OutlineOf[i]] = true
			all = append(all, found{tree.Width(x.Outline(i)) - firstOfAll, place.Area, x.OutlineOf[i], i})
			return len(holding) < mostNear && ctx.Err() == nil
		})
	}
	if kinds.Has(place.Address) {
		take(&x.AddressTree, place.Address, tree.LineSlack, func(i uint32) float64 { return x.Addresses[i].Order(at) }, same)
	}
	if kinds.Has(place.Street) {
		take(&x.PieceTree, place.Street, tree.LineSlack, func(i uint32) float64 { return x.pieceDistance(at, i) }, func(i uint32) uint32 { return x.PieceOf[i] })
	}
	if kinds.Has(place.Locality) {
		take(&x.LocalityTree, place.Locality, 1, func(i uint32) float64 {
			if holding[i] {
				return math.Inf(1)
			}
			return record(i)
		}, same)
	}
	if kinds.Has(place.POI) {
		take(&x.PoiTree, place.POI, 1, func(i uint32) float64 {
			if x.HasOutline(i) || x.Records[i].Marks()&place.MarkByName != 0 {
				return math.Inf(1)
			}
			return record(i)
		}, same)
		take(&x.OutlineTree, outlinedPOI, tree.LineSlack, func(i uint32) float64 {
			if r := &x.Records[x.OutlineOf[i]]; place.Kind(r.Kind) != place.POI || r.Marks()&place.MarkByName != 0 {
				return math.Inf(1)
			}
			away := tree.OutlineDistance(at, x.Outline(i))
			if away == 0 {
				return standoff(tree.Width(x.Outline(i)))
			}
			return away
		}, outlined)
	}
	if kinds.Has(place.Postcode) {
		take(&x.CodeTree, place.Postcode, 1, func(i uint32) float64 { return geo.Distance(at, x.CodeAt[i].Point()) }, same)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, before)
	var out []place.Near
	for _, f := range all[:min(limit, len(all))] {
		n := place.Near{Metres: f.order, Order: f.order}
		switch f.kind {
		case place.Address:
			n.Place, n.Metres = x.Address(f.i, lang), x.Addresses[f.i].Distance(at)
		case place.Postcode:
			n.Place = x.Postcode(f.i)
		case place.Area:
			n.Place, n.Metres = x.Place(f.i, lang), 0
		case outlinedPOI:
			n.Place, n.Metres = x.Place(f.i, lang), tree.OutlineDistance(at, x.Outline(f.item))
		default:
			n.Place = x.Place(f.i, lang)
		}
		out = append(out, n)
	}
	return out, nil
}

// outlinedPOI stands for points of interest with an outline, behind all kinds of places.
const outlinedPOI = place.Crossing + 1

// firstOfAll is more than the width of any area in metres: what holds a point comes before all
// else by it.
const firstOfAll = 1e8

// Of what holds a point, in metres.
const (
	standShare, wideShare = 0.1, 0.01 // of its width
	standMost             = 50.0      // unless it is wider than this is of its width by the smaller share
)

// standoff returns how near in metres another place has to be to come before one that holds a point
// and is so many metres wide: in a park of 300 m what is less than 30 m away.
func standoff(width float64) float64 { return max(min(width*standShare, standMost), width*wideShare) }

// pieceDistance returns how far a point is from a piece of a street, in metres.
func (x *Index) pieceDistance(p geo.Point, i uint32) float64 {
	points := x.Points[x.PieceFrom[i]:x.PieceFrom[i+1]]
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
// bound of 20,000 is met. No categories stand for all but what is found by its name alone.
func (x *Index) Around(ctx context.Context, at geo.Point, metres float64, categories []string, lang string, yield func(place.Near) bool) error {
	wanted := lexicon.AnyOfThem(x.Category, categories)
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
			ok = x.IsOf(list, wanted) >= 0
			lists[list] = ok
		}
		return ok
	}
	n, looked := 0, 0
	x.PoiTree.Nearest(at, min(metres, farthest), 1, wanted.Mask(), func(i uint32) float64 {
		if !has(x.Records[i].Categories) || len(wanted) == 0 && x.Records[i].Marks()&place.MarkByName != 0 {
			return math.Inf(1)
		}
		return geo.Distance(at, x.Records[i].At.Point())
	}, func(i uint32, away float64) bool {
		if looked++; looked%256 == 0 && ctx.Err() != nil {
			return false
		}
		n++
		return yield(place.Near{Place: x.Place(i, lang), Metres: away, Order: away}) && n < mostAround
	})
	return ctx.Err()
}
