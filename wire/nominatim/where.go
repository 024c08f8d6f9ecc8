package nominatim

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/index/place"
)

// Where has the surroundings of a place by the kinds of parts that Photon and GeocodeJSON have. The place
// itself is none of them.
type Where struct{ Street, Locality, District, City, County, State, Country string }

// Where returns what lies around a place.
func (p *Place) Where() Where {
	var w Where
	sort := p.Sort()
	own := rankOf(&sort, sort.Tags()[0])
	part := p.Kind == place.Locality || p.Kind == place.Area
	put := func(kind, text string) {
		if at := w.of(kind); at != nil && *at == "" && !(part && (text == p.Name || kind == kindOf(own.address))) {
			*at = text
		}
	}
	if p.Kind != place.Street && p.Kind != place.Crossing {
		w.Street = p.Street
	}
	town := p.TownName()
	if town != "" {
		r := placeRanks[cmp.Or(p.Town, City)]
		if kind := kindOf(r.address); w.of(kind) == nil {
			put(City, town)
		} else {
			put(kind, town)
		}
	}
	for _, area := range slices.Backward(p.Areas) {
		if area.Level > 2 && area.Name != town && (2*area.Level < own.search || own.address == 0) {
			put(kindOf(2*area.Level), area.Name)
		}
	}
	if own.search > placeRanks[State].search && p.State != w.County {
		put(State, p.State)
	}
	if own.search > placeRanks[Country].search {
		w.Country = p.country()
	}
	return w
}

// of returns the part of a kind; nil for kinds that are none.
func (w *Where) of(kind string) *string {
	switch kind {
	case Locality:
		return &w.Locality
	case District:
		return &w.District
	case City:
		return &w.City
	case County:
		return &w.County
	case State:
		return &w.State
	}
	return nil
}
