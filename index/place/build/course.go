package build

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/tree"
)

// Distances of things that lie along lines, in metres.
const (
	riverStray = 10.0   // of their thinned lines from where they are mapped
	farRiver   = 50_000 // length that makes one as important as it can be
)

// courseGaps are how far the pieces of one thing may lie apart, by the key of what it is; of
// others as far as those of a street.
var courseGaps = map[string]float64{"waterway": 1500, "railway": 1500, "highway": 1500, "natural": 500}

// rivers joins the pieces of each thing that lies along a line: a river, a railway, a ridge,
// the exits of a junction.
func (b *Builder) rivers(keys *keys) []*draft {
	b.courses = byID(b.courses)
	byKind := map[uint32][]entry{}
	for _, e := range b.courses {
		kind := e.categories[len(e.categories)-1]
		byKind[kind] = append(byKind[kind], e)
	}
	var all []*draft
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		gap := courseGaps[b.texts[kind]]
		for _, pieces := range groups(byKind[kind], func(e *entry) uint64 { return uint64(keys.of(e.names[0].text)) }, cmp.Or(gap, streetGap)) {
			all = append(all, b.river(pieces))
		}
	}
	return all
}

func (b *Builder) river(pieces []*entry) *draft {
	d, length := joined(pieces, riverStray, bend)
	for _, w := range pieces {
		if w.known > d.known { // a river is not the ditch that it begins as
			d.known, d.categories = w.known, w.categories
		}
		d.details = first2(d.details, w.details)
		d.byName = d.byName || w.byName
	}
	d.importance = place.PoiImportance + place.PoiKnown*min(1, d.known+0.3*min(1, length/farRiver))
	return d
}

// bend returns the point nearest to the middle of a line that it is drawn through. What has none
// but its ends has its middle there.
func bend(line []geo.Fixed, length float64) geo.Fixed {
	if len(line) < 3 {
		return middle(line, length)
	}
	best, least, along := line[1], math.Inf(1), 0.0
	for i := 1; i < len(line)-1; i++ {
		along += tree.DistanceBetween(line[i-1], line[i])
		if off := math.Abs(along - length/2); off < least {
			best, least = line[i], off
		}
	}
	return best
}
