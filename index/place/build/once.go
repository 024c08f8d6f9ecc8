package build

import (
	"cmp"
	"maps"
	"slices"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/tree"
)

// sameThing is how far in metres points of one name may be apart that are one thing, where one
// of them is found by its name alone.
const sameThing = 100.0

// twin is a place that others of its name are compared with.
type twin struct {
	d    *draft
	gone bool // it is part of another
}

// once merges points of interest that are mapped more than once: a lake as a way and as a
// relation, a school as an area and as a point in it, an estate as an area and as the name of a
// quarter there.
func (w *work) once(list []*draft) []*draft {
	byName := map[uint32][]*twin{}
	all := make([]*twin, len(list))
	for i, d := range list {
		all[i] = &twin{d: d}
		if d.kind == place.POI && len(d.names) > 0 {
			k := w.keys.of(d.names[0].text)
			byName[k] = append(byName[k], all[i])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(byName)) {
		same := byName[k]
		for _, l := range w.places[k] {
			same = append(same, &twin{d: l})
		}
		if len(same) > 1 {
			merge(same)
		}
	}
	list = list[:0]
	for _, t := range all {
		if !t.gone {
			list = append(list, t.d)
		}
	}
	return list
}

// merge makes one of those of a name that are one thing.
func merge(same []*twin) {
	slices.SortStableFunc(same, func(a, b *twin) int {
		return cmp.Or(cmp.Compare(a.d.at.Lon, b.d.at.Lon), cmp.Compare(a.d.at.Lat, b.d.at.Lat), cmp.Compare(a.d.id, b.d.id))
	})
	for _, a := range same {
		if a.gone || a.d.kind != place.POI || a.d.extent == (tree.Box{}) && !a.d.byName {
			continue
		}
		reach := a.d.window()
		first, _ := slices.BinarySearchFunc(same, reach.West, func(t *twin, west int32) int { return cmp.Compare(t.d.at.Lon, west) })
		for _, b := range same[first:] {
			if b.d.at.Lon > reach.East || a.gone {
				break
			}
			if b == a || b.gone || !a.d.is(b.d) {
				continue
			}
			if b.d.over(a.d) {
				a.gone = true
				b.d.learn(a.d)
			} else {
				b.gone = true
				a.d.learn(b.d)
			}
		}
	}
}

// window returns where what may be the same thing as a draft can lie.
func (d *draft) window() tree.Box {
	b := d.extent
	if b == (tree.Box{}) {
		b = tree.BoxOf(d.at)
	}
	const margin = 100_000 // more than sameThing as far north as the Arctic
	return tree.Box{West: b.West - margin, South: b.South - margin, East: b.East + margin, North: b.North + margin}
}

// is reports whether another of its name is the same thing as a point of interest.
func (d *draft) is(o *draft) bool {
	within := d.extent != (tree.Box{}) && d.extent.Contains(o.at)
	switch {
	case o.kind == place.Locality: // a quarter is no pub of its name
		return d.byName && len(d.lines) == 0 && (within || tree.DistanceBetween(d.at, o.at) < sameThing)
	case d.house != 0 && o.house != 0 && d.house != o.house:
		return false
	case d.categories[0] == o.categories[0]:
		return within || (d.byName || o.byName) && tree.DistanceBetween(d.at, o.at) < sameThing
	default:
		return (d.byName || o.byName) && d.extent == (tree.Box{}) && o.extent == (tree.Box{}) && tree.DistanceBetween(d.at, o.at) < sameThing
	}
}

// over reports whether a draft stands for both of two that are the same.
func (d *draft) over(o *draft) bool {
	switch {
	case d.kind != o.kind:
		return d.kind == place.Locality
	case d.byName != o.byName:
		return o.byName
	}
	return d.extent.Size() > o.extent.Size()
}

// learn takes into d what another mapping of it has.
func (d *draft) learn(o *draft) {
	for _, n := range o.names {
		if !slices.Contains(d.names, n) && len(d.names) < mostNames {
			d.names = append(d.names, n)
		}
	}
	d.importance = max(d.importance, o.importance)
	if d.kind != place.POI {
		return
	}
	if d.extent == (tree.Box{}) {
		d.extent = o.extent
	}
	d.details = first2(d.details, o.details)
	d.house, d.street, d.city, d.postcode = first(d.house, o.house), first(d.street, o.street), first(d.city, o.city), first(d.postcode, o.postcode)
	if d.parent == nil {
		d.parent = o.parent
	}
}
