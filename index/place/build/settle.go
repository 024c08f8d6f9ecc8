package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/tree"
)

// settler finds what lies around places.
type settler struct {
	w          *work
	localities []*draft
	tree       tree.Tree
	rules      map[string]*rule
	corners    map[[2]int32]*rule // by the corners of cells
	cells      map[[2]int32]*rule // that hold in whole cells, nil for those that borders run through
	places     map[placed]*surroundings
	settings   map[string]uint32
	words      map[string][]uint32 // terms of the texts around places, which most have in common
	parts      []part              // scratch
	key        []byte              // scratch
	x          *place.Index
	terms      *dictionary
}

// rule is the administrative areas that some places lie in, and their country.
type rule struct {
	areas   []Within
	country uint16
	town    string // the municipality: the smallest area that may be one, "" for none
}

// sameTown reports whether places are in the same municipality and country.
func (r *rule) sameTown(o *rule) bool {
	return r == o || r.country == o.country && r.town == o.town
}

// placed groups records with the same surroundings: those in one cell and in the same areas.
type placed struct {
	cell [2]int32
	rule *rule
}

// surroundings are the settlements around a place.
type surroundings struct {
	*rule
	settlement *draft   // that things here belong to
	around     []*draft // the settlement, parts of it, and larger ones that reach here
	areaLevel  int      // of the area that the settlement was found by
}

// cellUnits is the size of cells in units of geo.Fixed, about a hundred metres.
const cellUnits = 10_000

func (w *work) settler(x *place.Index, terms *dictionary) *settler {
	s := &settler{w: w, x: x, terms: terms, rules: map[string]*rule{}, corners: map[[2]int32]*rule{}, cells: map[[2]int32]*rule{}, places: map[placed]*surroundings{}, settings: map[string]uint32{}, words: map[string][]uint32{}}
	var items []uint32
	for _, d := range w.drafts {
		if d.kind == place.Locality && d.reach > 0 {
			items = append(items, uint32(len(s.localities)))
			s.localities = append(s.localities, d)
		}
	}
	s.tree = tree.New(items, func(i uint32) tree.Box { return tree.BoxOf(s.localities[i].at) }, nil)
	return s
}

// ruleAt returns the areas of a place. Those of a cell that no border runs through, as its
// corners have it, are looked up once.
func (s *settler) ruleAt(at geo.Fixed) *rule {
	cell := cellOf(at)
	r, known := s.cells[cell]
	if !known {
		r = s.cornerOf(cell)
		for _, to := range [...][2]int32{{1, 0}, {0, 1}, {1, 1}} {
			if s.cornerOf([2]int32{cell[0] + to[0], cell[1] + to[1]}) != r {
				r = nil
				break
			}
		}
		s.cells[cell] = r
	}
	if r == nil {
		r = s.judge(at)
	}
	return r
}

func cellOf(at geo.Fixed) [2]int32 {
	return [2]int32{int32(math.Floor(float64(at.Lon) / cellUnits)), int32(math.Floor(float64(at.Lat) / cellUnits))}
}

func (s *settler) cornerOf(corner [2]int32) *rule {
	r, known := s.corners[corner]
	if !known {
		r = s.judge(geo.Fixed{Lon: int32(min(tree.Globe/2, int64(corner[0])*cellUnits)), Lat: int32(min(tree.Globe/4, int64(corner[1])*cellUnits))})
		s.corners[corner] = r
	}
	return r
}

// judge looks up the areas of a place.
func (s *settler) judge(at geo.Fixed) *rule {
	r := rule{}
	if s.w.b.Areas != nil {
		r.areas = s.w.b.Areas(at.Point())
	}
	level := 0
	for _, area := range r.areas {
		if c := place.CountryNumber(area.Country); c != 0 && area.Level <= countryLevel {
			r.country = c
		}
		if area.Level >= leastMunicipality && area.Level <= mostMunicipality && area.Level > level && len(area.Names) > 0 {
			r.town, level = area.Names[0], area.Level
		}
	}
	if r.country == 0 {
		r.country = s.w.b.countryAt(at)
	}
	k := fmt.Appendf(s.key[:0], "%d", r.country)
	for _, area := range r.areas {
		k = fmt.Appendf(k, "\x00%d%q", area.Level, area.Names)
	}
	s.key = k
	same, known := s.rules[string(k)]
	if !known {
		same = &r
		s.rules[string(k)] = same
	}
	return same
}

// around returns the surroundings of a place.
func (s *settler) around(at geo.Fixed) *surroundings {
	r := s.ruleAt(at)
	here := placed{cellOf(at), r}
	if a, ok := s.places[here]; ok {
		return a
	}
	a := &surroundings{rule: r}
	s.places[here] = a
	p := at.Point()
	type candidate struct {
		d     *draft
		share float64
	}
	var list []candidate
	looked := 0
	s.tree.Nearest(p, place.FarthestSettlement, 1, 0, func(i uint32) float64 { return geo.Distance(p, s.localities[i].at.Point()) }, func(i uint32, away float64) bool {
		if d := s.localities[i]; away < float64(d.reach) {
			list = append(list, candidate{d, away / float64(d.reach)})
		}
		looked++
		return looked < place.MostSettlements
	})
	slices.SortStableFunc(list, func(x, y candidate) int { return cmp.Compare(x.share, y.share) })
	// A neighbour in the same municipality comes first; no place belongs to one abroad.
	neighbour := (*draft)(nil)
	for _, c := range list {
		if c.d.settles && a.settlement == nil {
			switch there := s.ruleAt(c.d.at); {
			case there.sameTown(r):
				a.settlement = c.d
			case neighbour == nil && (there.country == r.country || there.country == 0 || r.country == 0):
				neighbour = c.d
			}
		}
		if len(a.around) < 5 {
			a.around = append(a.around, c.d)
		}
	}
	if a.settlement == nil {
		a.settlement = neighbour
	}
	for _, area := range a.areas {
		// A place within the borders of a settlement belongs to it, whatever is nearer.
		if d := s.named(area, at); d != nil {
			if !slices.Contains(a.around, d) {
				a.around = append(a.around, d)
			}
			if a.areaLevel < area.Level {
				a.settlement, a.areaLevel = d, area.Level
			}
		}
	}
	return a
}

// named returns the settlement that an area is the area of, nil for none.
func (s *settler) named(area Within, at geo.Fixed) *draft {
	if area.Level < leastTownLevel || len(area.Names) == 0 {
		return nil
	}
	b := s.w.b
	list := s.w.places[s.w.keys.of(b.intern(area.Names[0]))]
	best, far := (*draft)(nil), townReach
	for _, d := range list {
		if away := tree.DistanceBetween(at, d.at); d.settles && away < far {
			best, far = d, away
		}
	}
	return best
}

// Levels of OpenStreetMap's admin_level.
const (
	countryLevel   = 2
	stateLevel     = 4 // of the subdivisions of a country that count as its states
	leastState     = 6 // of those that count where there are none of that
	leastTownLevel = 5 // of areas that may be those of a town

	leastMunicipality, mostMunicipality = 7, 8
)

// townReach is how far in metres a place may lie from the middle of the town
// whose area it lies in.
const townReach = 25_000.0

// set finds out the setting of a draft and of its houses. A house has its parent's, unless it
// names another town or lies beyond a border.
func (s *settler) set(d *draft) {
	own := s.ruleAt(d.at)
	d.takeFromHouses(func(h *house) bool { return s.ruleAt(h.at).sameTown(own) })
	s.crossed(d, own)
	d.setting = s.settingOf(d)
	for _, h := range d.houses {
		h.setting = d.setting
		if h.city != 0 && h.city != d.city || s.ruleAt(h.at) != own {
			e := entry{at: h.at, kind: place.Address, city: h.city, suburb: h.suburb, place: h.place, state: h.state, country: h.country}
			h.setting = s.settingOf(&draft{entry: e})
		}
	}
}

// crossed notes the towns beyond the borders that a street crosses.
func (s *settler) crossed(d *draft, own *rule) {
	if d.kind != place.Street {
		return
	}
	note := func(at geo.Fixed) {
		if s.ruleAt(at) == own || len(d.cities) >= mostCities {
			return
		}
		if town := s.around(at).settlement; town != nil {
			if name := town.names[0].text; name != d.city && !slices.Contains(d.cities, name) {
				d.cities = append(d.cities, name)
			}
		}
	}
	for _, h := range d.houses {
		note(h.at)
	}
	looked := 0
	for _, line := range d.lines {
		for _, at := range line {
			if looked++; looked <= mostCorners {
				note(at)
			}
		}
	}
}

// mostCorners is how many corners of a street's lines are looked at for the town they lie in.
const mostCorners = 1000

// settingOf finds out the setting of a draft alone.
func (s *settler) settingOf(d *draft) uint32 {
	a := s.around(d.at)
	country := cmp.Or(d.country, a.country)
	d.country = country
	locality := d.city
	if locality == 0 && d.kind != place.Street {
		locality = d.place
	}
	if locality == 0 {
		locality = first(d.suburb, 0)
	}
	if locality == 0 && a.settlement != nil && a.settlement != d {
		locality = a.settlement.names[0].text
	}
	state := d.state
	parts := s.parts[:0]
	add := func(field uint8, text string) {
		for _, term := range s.wordsOf(text) {
			p := part{term, field, text}
			if len(parts) < place.MaxParts && !slices.Contains(parts, p) {
				parts = append(parts, p)
			}
		}
	}
	b := s.w.b
	for _, t := range []uint32{d.city, d.suburb, d.place, locality} {
		add(place.FieldLocality, b.texts[t])
	}
	for _, t := range d.cities {
		add(place.FieldOther, b.texts[t])
	}
	stateText := b.texts[state]
	for _, o := range a.around {
		if o == d {
			continue
		}
		field := uint8(place.FieldAround)
		if o == a.settlement && (d.city == 0 || slices.ContainsFunc(o.names, func(n nameOf) bool { return n.text == d.city })) {
			field = place.FieldLocality
		}
		for _, n := range o.names {
			add(field, b.texts[n.text])
		}
	}
	if stateText == "" {
		best := leastState + 1
		for _, area := range a.areas {
			// The level of states, else the next that there is.
			level := area.Level
			if level == stateLevel {
				level = countryLevel + 1
			}
			if area.Level > countryLevel && level < best && len(area.Names) > 0 {
				best, stateText = level, area.Names[0]
			}
		}
	}
	for _, area := range a.areas {
		field := uint8(place.FieldLocality)
		switch {
		case area.Level <= countryLevel:
			field = place.FieldCountry
		case area.Level <= stateLevel:
			field = place.FieldState
		}
		for _, name := range area.Names {
			add(field, name)
		}
	}
	add(place.FieldState, stateText)
	add(place.FieldCountry, place.CountryText(country))
	if b.CountryNames != nil && country != 0 {
		for _, name := range b.CountryNames(place.CountryText(country)) {
			add(place.FieldCountry, name)
		}
	}
	s.parts = parts
	return s.put(b.texts[locality], stateText, country, parts)
}

// wordsOf returns the terms of a text.
func (s *settler) wordsOf(text string) []uint32 {
	terms, ok := s.words[text]
	if !ok {
		for _, w := range fold.Split(text) {
			terms = append(terms, s.terms.of(w.Text))
		}
		s.words[text] = terms
	}
	return terms
}

type part struct {
	term  uint32
	field uint8
	text  string
}

func (s *settler) put(locality, state string, country uint16, parts []part) uint32 {
	k := fmt.Appendf(s.key[:0], "%s\x00%s\x00%s", locality, state, place.CountryText(country))
	for _, p := range parts {
		k = append(k, byte(p.term), byte(p.term>>8), byte(p.term>>16), byte(p.term>>24), p.field)
	}
	s.key = k
	if n, ok := s.settings[string(k)]; ok {
		return n
	}
	n := uint32(len(s.x.Settings))
	s.settings[string(k)] = n
	from := uint32(len(s.x.PartTerm))
	for _, p := range parts {
		s.x.PartTerm = append(s.x.PartTerm, p.term)
		s.x.PartField = append(s.x.PartField, p.field)
		s.x.PartText = append(s.x.PartText, s.terms.text(p.text))
	}
	s.x.Settings = append(s.x.Settings, place.Setting{Locality: s.terms.text(locality), State: s.terms.text(state), From: from, To: uint32(len(s.x.PartTerm)), Country: country})
	return n
}
