package build

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/tree"
)

// work is a build under way.
type work struct {
	b       *Builder
	keys    *keys
	drafts  []*draft
	streets map[uint32][]*draft // by the keys of their first names
	aliases map[uint32][]*draft // by those of all
	places  map[uint32][]*draft // localities by the keys of all their names
}

// Build makes the index. The builder is spent.
func (b *Builder) Build(ctx context.Context) (*place.Index, error) {
	b.intern("")
	w := &work{b: b, keys: &keys{b: b, byText: map[uint32]uint32{}, byKey: map[string]uint32{}}, streets: map[uint32][]*draft{}, aliases: map[uint32][]*draft{}, places: map[uint32][]*draft{}}
	b.entries = byID(b.entries)
	localities := b.localities(w.keys)
	for _, d := range localities {
		w.addLocality(d)
	}
	for _, d := range b.streets(w.keys) {
		w.addStreet(d)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.ways = nil
	w.addresses()
	w.pois()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.write(ctx)
}

func (w *work) addLocality(d *draft) {
	w.drafts = append(w.drafts, d)
	for _, n := range d.names {
		k := w.keys.of(n.text)
		if list := w.places[k]; len(list) == 0 || list[len(list)-1] != d {
			w.places[k] = append(w.places[k], d)
		}
	}
}

func (w *work) addStreet(d *draft) {
	w.drafts = append(w.drafts, d)
	for i, n := range d.names {
		k := w.keys.of(n.text)
		if i == 0 {
			w.streets[k] = append(w.streets[k], d)
		}
		if list := w.aliases[k]; len(list) == 0 || list[len(list)-1] != d {
			w.aliases[k] = append(w.aliases[k], d)
		}
	}
}

// addresses puts every house below its street or locality. Where none of that
// name is near, the houses themselves make one.
func (w *work) addresses() {
	houses := w.b.houses
	slices.SortStableFunc(houses, func(x, y house) int { return cmp.Compare(x.id, y.id) })
	houses = slices.CompactFunc(houses, func(x, y house) bool { return x.id == y.id })
	shapeNested(houses)
	for i := range houses {
		h := &houses[i]
		var d *draft
		if h.street != 0 {
			if d = w.streetAt(h.street, h.at); d == nil {
				d = w.streetOf(&entry{id: h.id, at: h.at, street: h.street, city: h.city, suburb: h.suburb, place: h.place, state: h.state, country: h.country})
			}
		} else {
			named := first(first(first(h.place, h.suburb), h.city), 0)
			if named == 0 {
				continue // a number of nothing cannot be asked for
			}
			if d = nearest(w.places[w.keys.of(named)], h.at, placeReach); d == nil {
				d = &draft{entry: entry{
					id: h.id&^(7<<61) | uint64(place.Locality)<<61, at: h.at, kind: place.Locality, names: []nameOf{{0, named}}, city: h.city, state: h.state, country: h.country,
				}, importance: place.ByPopulation(20)}
				w.addLocality(d)
			}
		}
		d.houses = append(d.houses, h)
		if len(d.lines) == 0 && d.kind == place.Street {
			d.extent = d.extent.Taking(h.at)
		}
		if h.postcode != 0 {
			if d.codes == nil {
				d.codes = map[uint32]int{}
			}
			d.codes[h.postcode]++
		}
	}
	for _, d := range w.drafts {
		if d.kind == place.Street && len(d.lines) == 0 && len(d.houses) > 0 {
			// No line is known: the house in the middle stands for the street.
			d.at = d.houses[len(d.houses)/2].at
		}
	}
}

// streetOf makes a street that is known by a house alone.
func (w *work) streetOf(e *entry) *draft {
	d := &draft{entry: entry{
		id: e.id&^(7<<61) | uint64(place.Street)<<61, at: e.at, kind: place.Street, names: []nameOf{{0, e.street}}, city: e.city, suburb: e.suburb, place: e.place, state: e.state, country: e.country,
		extent: tree.BoxOf(e.at),
	}, importance: place.StreetWeights["residential"]}
	w.addStreet(d)
	return d
}

// streetAt returns the street of a name that a point is at, nil for none near.
func (w *work) streetAt(name uint32, at geo.Fixed) *draft {
	k := w.keys.of(name)
	if d := nearest(w.streets[k], at, streetReach); d != nil {
		return d
	}
	return nearest(w.aliases[k], at, aliasReach)
}

func nearest(list []*draft, at geo.Fixed, far float64) (best *draft) {
	for _, d := range list {
		if d.extent != (tree.Box{}) {
			if d.extent.Distance(at.Point()) > far && d.kind == place.Street {
				continue
			}
		}
		if d.kind != place.Street && d.settles {
			far = max(far, 1.5*float64(d.reach))
		}
		if away := d.distance(at, far); away < far {
			best, far = d, away
		}
	}
	return best
}

// mostCities is how many towns a street may lie in besides its own.
const mostCities = 12

// takeFromHouses gives a street the town and the country that most of its houses name, of those
// that some condition holds for.
func (d *draft) takeFromHouses(holds func(h *house) bool) {
	if len(d.houses) == 0 {
		return
	}
	var near []*house
	for _, h := range d.houses {
		if holds(h) {
			near = append(near, h)
			d.country = cmp.Or(d.country, h.country)
		}
	}
	if d.kind != place.Street {
		return
	}
	count := func(of func(h *house) uint32) uint32 {
		n := map[uint32]int{}
		for _, h := range near {
			if v := of(h); v != 0 {
				n[v]++
			}
		}
		best := uint32(0)
		for v, k := range n {
			if k > n[best] || k == n[best] && v < best {
				best = v
			}
		}
		return best
	}
	d.city = first(count(func(h *house) uint32 { return h.city }), d.city)
	for _, h := range d.houses {
		if h.city != 0 && h.city != d.city && len(d.cities) < mostCities && !slices.Contains(d.cities, h.city) {
			d.cities = append(d.cities, h.city)
		}
	}
	d.suburb = first(count(func(h *house) uint32 { return h.suburb }), d.suburb)
	d.state = first(count(func(h *house) uint32 { return h.state }), d.state)
}

// pois makes the points of interest and the houses that have a name.
func (w *work) pois() {
	list := w.b.rivers(w.keys)
	for i := range w.b.entries {
		e := &w.b.entries[i]
		if e.kind != place.POI && e.kind != place.Address {
			continue
		}
		d := &draft{entry: *e}
		d.importance = place.PoiImportance + place.PoiKnown*min(1, e.known)
		if e.kind == place.Address {
			d.importance = place.AddressImportance
		}
		if e.street != 0 {
			if d.parent = w.streetAt(e.street, e.at); d.parent == nil && e.kind == place.Address {
				d.parent = w.streetOf(e)
			}
		}
		list = append(list, d)
	}
	w.drafts = append(w.drafts, w.once(list)...)
	w.b.entries, w.b.courses = nil, nil
}
