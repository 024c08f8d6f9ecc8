package place

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Fields of a place that words of a question may meet, as they are stored and
// as Match names them.
const (
	fieldLocality = iota
	fieldState
	fieldCountry
	fieldAround // a locality near by, or that it is part of
	fieldOther  // another town that houses of a street lie in
)

var fieldNames = [...]string{"locality", "state", "country", "locality", "locality"}

// fieldQualities are how well a word can meet a field: what lies near counts
// less than what a place belongs to.
var fieldQualities = [...]float32{0.98, 0.98, 0.98, 0.8, 0.95}

// maxParts is the most terms of a setting.
const maxParts = 200

// settler finds what lies around places.
type settler struct {
	w          *work
	localities []*draft
	tree       tree
	cells      map[[2]int32]*surroundings
	settings   map[string]uint32
	words      map[string][]uint32 // terms of the texts around places, which most have in common
	parts      []part              // scratch
	key        []byte              // scratch
	x          *Index
	terms      *dictionary
}

// surroundings are the settlements and areas around a cell.
type surroundings struct {
	settlement *draft   // that things here belong to
	around     []*draft // the settlement, parts of it, and larger ones that reach here
	areas      []Within
	areaLevel  int // of the area that the settlement was found by
	country    uint16
}

// cellUnits is the size of cells in units of geo.Fixed, about a hundred metres.
const cellUnits = 10_000

func (w *work) settler(x *Index, terms *dictionary) *settler {
	s := &settler{w: w, x: x, terms: terms, cells: map[[2]int32]*surroundings{}, settings: map[string]uint32{}, words: map[string][]uint32{}}
	var items []uint32
	for _, d := range w.drafts {
		if d.kind == Locality && d.reach > 0 {
			items = append(items, uint32(len(s.localities)))
			s.localities = append(s.localities, d)
		}
	}
	s.tree = plant(items, func(i uint32) box { return boxOf(s.localities[i].at) }, nil)
	return s
}

func (s *settler) around(at geo.Fixed) *surroundings {
	cell := [2]int32{at.Lon / cellUnits, at.Lat / cellUnits}
	if a, ok := s.cells[cell]; ok {
		return a
	}
	a := &surroundings{}
	s.cells[cell] = a
	p := at.Point()
	type candidate struct {
		d     *draft
		share float64
	}
	var list []candidate
	looked := 0
	s.tree.nearest(p, farthestSettlement, 1, 0, func(i uint32) float64 { return geo.Distance(p, s.localities[i].at.Point()) }, func(i uint32, away float64) bool {
		if d := s.localities[i]; away < float64(d.reach) {
			list = append(list, candidate{d, away / float64(d.reach)})
		}
		looked++
		return looked < mostSettlements
	})
	slices.SortStableFunc(list, func(x, y candidate) int { return cmp.Compare(x.share, y.share) })
	for _, c := range list {
		if c.d.settles && a.settlement == nil {
			a.settlement = c.d
		}
		if len(a.around) < 5 {
			a.around = append(a.around, c.d)
		}
	}
	if s.w.b.Areas != nil {
		a.areas = s.w.b.Areas(p)
	}
	for _, area := range a.areas {
		if c := countryNumber(area.Country); c != 0 && area.Level <= countryLevel {
			a.country = c
		}
		// What lies within the borders of a settlement belongs to it, whatever is
		// nearer.
		if d := s.named(area, at); d != nil {
			if !slices.Contains(a.around, d) {
				a.around = append(a.around, d)
			}
			if a.areaLevel < area.Level {
				a.settlement, a.areaLevel = d, area.Level
			}
		}
	}
	if a.country == 0 {
		a.country = s.w.b.countryAt(at)
	}
	return a
}

// named is the settlement that an area is the area of, nil for none.
func (s *settler) named(area Within, at geo.Fixed) *draft {
	if area.Level < leastTownLevel || len(area.Names) == 0 {
		return nil
	}
	b := s.w.b
	list := s.w.places[s.w.keys.of(b.intern(area.Names[0]))]
	best, far := (*draft)(nil), townReach
	for _, d := range list {
		if away := apart(at, d.at); d.settles && away < far {
			best, far = d, away
		}
	}
	return best
}

// Levels of OpenStreetMap's admin_level.
const (
	countryLevel   = 2
	stateLevel     = 4 // of the subdivisions of a country that are told as its states
	leastState     = 6 // of those that are told where there are none of that
	leastTownLevel = 5 // of areas that may be those of a town
)

// townReach is how far in metres a place may lie from the middle of the town
// whose area it lies in.
const townReach = 25_000.0

// set finds out a draft's setting.
func (s *settler) set(d *draft) {
	a := s.around(d.at)
	country := cmp.Or(d.country, a.country)
	d.country = country
	locality := d.city
	if locality == 0 && d.kind != Street {
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
			if len(parts) < maxParts && !slices.Contains(parts, p) {
				parts = append(parts, p)
			}
		}
	}
	b := s.w.b
	for _, t := range []uint32{d.city, d.suburb, d.place, locality} {
		add(fieldLocality, b.texts[t])
	}
	for _, t := range d.cities {
		add(fieldOther, b.texts[t])
	}
	stateText := b.texts[state]
	for _, o := range a.around {
		if o == d {
			continue
		}
		field := uint8(fieldAround)
		if o == a.settlement && (d.city == 0 || slices.ContainsFunc(o.names, func(n nameOf) bool { return n.text == d.city })) {
			field = fieldLocality
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
		field := uint8(fieldLocality)
		switch {
		case area.Level <= countryLevel:
			field = fieldCountry
		case area.Level <= stateLevel:
			field = fieldState
		}
		for _, name := range area.Names {
			add(field, name)
		}
	}
	add(fieldState, stateText)
	add(fieldCountry, countryText(country))
	if b.CountryNames != nil && country != 0 {
		for _, name := range b.CountryNames(countryText(country)) {
			add(fieldCountry, name)
		}
	}
	d.setting = s.put(b.texts[locality], stateText, country, parts)
	s.parts = parts
}

// wordsOf gives the terms of a text.
func (s *settler) wordsOf(text string) []uint32 {
	terms, ok := s.words[text]
	if !ok {
		for _, w := range split(text) {
			terms = append(terms, s.terms.of(w.text))
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
	k := fmt.Appendf(s.key[:0], "%s\x00%s\x00%s", locality, state, countryText(country))
	for _, p := range parts {
		k = append(k, byte(p.term), byte(p.term>>8), byte(p.term>>16), byte(p.term>>24), p.field)
	}
	s.key = k
	if n, ok := s.settings[string(k)]; ok {
		return n
	}
	n := uint32(len(s.x.settings))
	s.settings[string(k)] = n
	from := uint32(len(s.x.partTerm))
	for _, p := range parts {
		s.x.partTerm = append(s.x.partTerm, p.term)
		s.x.partField = append(s.x.partField, p.field)
		s.x.partText = append(s.x.partText, s.terms.text(p.text))
	}
	s.x.settings = append(s.x.settings, setting{Locality: s.terms.text(locality), State: s.terms.text(state), From: from, To: uint32(len(s.x.partTerm)), Country: country})
	return n
}
