package place

import (
	"math/bits"

	"github.com/waygate/waygate/geo"
)

// How the parts of a score weigh.
const (
	shareText       = 0.82
	shareImportance = 0.1
	shareNear       = 0.08
	nearMetres      = 15_000.0 // at which nearness counts half
	leastText       = 0.42     // of a hit
	otherName       = 0.985    // what is met by another name than its first counts so much less
	wellMet         = 0.9      // text of a hit that leaves no wish for typos
)

// settingMatch is how well each token meets a setting.
type settingMatch struct {
	quality [mostTokens]float32
	part    [mostTokens]uint32
}

type nameMatch struct {
	name     uint32
	quality  [mostTokens]float32 // by token
	sum      float64             // weight of the tokens met
	coverage float64             // share of the name that they are
}

// otherOrder is the share that is left of what a question covers of a name whose
// words it has in another order.
const otherOrder = 0.8

// matchName finds the tokens that a name's words meet, each word one token.
func (s *search) matchName(name uint32) (m nameMatch) {
	x := s.x
	words := x.words[x.wordFrom[name]:x.wordFrom[name+1]]
	m.name = name
	var used uint32
	last, turned := -1, false // whether the words stand in another order
	stand := uint16(0)
	for _, w := range words {
		stand |= s.stands.of(w)
	}
	for rest := stand; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros16(rest)
		t := &s.tokens[i]
		best := -1
		for k, w := range words {
			if used>>k&1 == 1 || s.stands.of(w)>>i&1 == 0 {
				continue
			}
			if q := t.quality(w); q > m.quality[i] {
				m.quality[i], best = q, k
			}
		}
		if best >= 0 {
			if best < last {
				turned = true
			}
			last = best
			used |= 1 << best
			m.sum += t.weight * float64(m.quality[i])
		}
	}
	if m.sum == 0 {
		return m
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.skips == 0 || m.quality[i] > 0 || len(t.categories) > 0 {
			continue
		}
		for k, w := range words {
			if used>>k&1 == 0 && skipped(t.text, string(x.term(w))) {
				m.quality[i] = t.skips
				used |= 1 << k
				m.sum += t.weight * float64(t.skips)
				break
			}
		}
	}
	all, met := float32(0), float32(0)
	for k, w := range words {
		weight := x.weights[w]
		all += weight
		if used>>k&1 == 1 {
			met += weight
		}
	}
	m.coverage = float64(met / max(all, 1e-9))
	if turned {
		m.coverage *= otherOrder
	}
	return m
}

// unfinishedTown is what the beginning of a word counts that meets what lies
// around a place: it rather begins a word of its name.
const unfinishedTown = 0.9

// settingOf is how well each token meets a setting.
func (s *search) settingOf(i uint32) *settingMatch {
	at, fresh := s.setting.of(i)
	if !fresh {
		return &s.matches[*at]
	}
	*at = uint32(len(s.matches))
	s.matches = append(s.matches, settingMatch{})
	m := &s.matches[*at]
	set := &s.x.settings[i]
	for k := set.From; k < set.To; k++ {
		term := s.x.partTerm[k]
		for rest := s.stands.of(term); rest != 0; rest &= rest - 1 {
			t := bits.TrailingZeros16(rest)
			q := s.tokens[t].quality(term) * fieldQualities[min(int(s.x.partField[k]), len(fieldQualities)-1)]
			if s.tokens[t].unfinished {
				q *= unfinishedTown
			}
			if q > m.quality[t] {
				m.quality[t], m.part[t] = q, k
			}
		}
	}
	return m
}

// met tells of one token which field it met.
type met struct {
	field   string
	text    string
	quality float32
}

// weigh scores a record whose name met some tokens by how well the others meet
// the rest of it, and tells by what each was met where tell is not nil.
func (s *search) weigh(i uint32, m *nameMatch, tell *[mostTokens]met) (h hit, ok bool) {
	x := s.x
	r := &x.records[i]
	kind := Kind(r.Kind)
	set := s.settingOf(r.Setting)
	sum := m.sum
	h = hit{i: i, record: i, name: m.name}
	at := r.At
	total := s.total
	var numbers, named uint32 // tokens that may be the house's number, and those that the name met
	var tokenMet [mostTokens]float32
	var parent nameMatch
	if r.Parent != none && sum < s.total {
		parent = s.matchName(x.records[r.Parent].Name)
	}
	for t := range s.tokens {
		tok := &s.tokens[t]
		if tok.mute {
			continue
		}
		if tok.unit {
			if tell != nil {
				tell[t] = met{field: "unit", quality: 1}
			}
			continue
		}
		if m.quality[t] > 0 {
			named |= 1 << t
			if tell != nil {
				tell[t] = met{"name", x.nameString(m.name), m.quality[t]}
			}
			continue
		}
		field, quality := met{}, float32(0)
		better := func(q float32, name string, text func() string) {
			if q > quality {
				quality = q
				if tell != nil {
					field = met{name, text(), q}
				}
			}
		}
		if q := set.quality[t]; q > 0 {
			better(q, fieldNames[min(int(x.partField[set.part[t]]), len(fieldNames)-1)], func() string { return x.text(x.partText[set.part[t]]) })
		}
		if q := parent.quality[t] * 0.98; q > 0 {
			better(q, "street", func() string { return x.nameString(x.records[r.Parent].Name) })
		}
		if tok.isCode {
			q, code := s.codeOf(i, tok)
			better(q, "postcode", func() string { return x.codeText(code) })
		}
		if c := x.categoryOf(r.Categories, tok.categories); c != none {
			better(0.95, "category", func() string { return x.text(c) })
		}
		if tok.isHouse && quality == 0 {
			if kind == POI && r.House != 0 {
				if there, ok := parseHouse(x.text(r.House)); ok {
					better(float32(tok.house.meets(there)), "house", func() string { return x.text(r.House) })
				}
			} else if r.Count > 0 {
				numbers |= 1 << t
				continue
			}
		}
		sum += tok.weight * float64(quality)
		tokenMet[t] = quality
		if tell != nil {
			tell[t] = field
		}
	}
	house := -1
	if numbers != 0 {
		house = bits.TrailingZeros32(numbers)
	}
	if house >= 0 && s.q.Kinds.Has(Address) {
		open := uint32(0)
		for t := range s.tokens {
			if m.quality[t] == 0 && tokenMet[t] == 0 {
				open |= 1 << t
			}
		}
		var units uint32
		house, units = s.pickHouse(r, numbers, named, open)
		for rest := units; rest != 0; rest &= rest - 1 {
			t := bits.TrailingZeros32(rest)
			total -= s.tokens[t].weight
			if tell != nil {
				tell[t] = met{field: "unit", quality: 1}
			}
		}
		a, q, parts := s.houseAt(r, house, open)
		if q > 0 {
			kind, h.of, h.i = Address, ofAddresses, a
			at = x.addresses[a].At
			sum += s.tokens[house].weight * float64(q)
			sum += s.inTown(a, set, m, &tokenMet, tell)
		}
		for t := house + 1; t <= house+parts; t++ {
			sum += s.tokens[t].weight
			if tell != nil {
				tell[t] = met{"house", x.text(x.addresses[a].House), 1}
			}
		}
		if tell != nil {
			tell[house] = met{field: "house", quality: q}
			if q > 0 {
				tell[house].text = x.text(x.addresses[a].House)
			}
		}
	}
	if !s.q.Kinds.Has(kind) || s.q.Box != nil && !inBox(s.q.Box, at.Point()) {
		return h, false
	}
	share := sum / total
	whole := 0.75 + 0.25*m.coverage
	if s.q.Typing {
		whole = 0.9 + 0.1*m.coverage
	}
	h.text = share * whole
	if m.name != r.Name {
		h.text *= otherName
	}
	if h.text < leastText {
		// A number that nothing has does not unmake the street.
		if house < 0 || h.of == ofAddresses || sum < leastText*(total-s.tokens[house].weight) {
			return h, false
		}
	}
	h.score = h.text*shareText + float64(r.Importance)/65535*shareImportance
	if h.score+shareNear < s.worst {
		return h, false
	}
	h.score += s.nearness(at)
	return h, true
}

func (s *search) nearness(at geo.Fixed) float64 {
	if s.bias == nil {
		return 0
	}
	return shareNear / (1 + geo.Distance(*s.bias, at.Point())/nearMetres)
}

func inBox(b *geo.Bounds, p geo.Point) bool {
	if p.Lat < b.Min.Lat || p.Lat > b.Max.Lat {
		return false
	}
	if b.Min.Lon > b.Max.Lon {
		return p.Lon >= b.Min.Lon || p.Lon <= b.Max.Lon
	}
	return p.Lon >= b.Min.Lon && p.Lon <= b.Max.Lon
}

// codeOf is how well a postcode that was asked for is that of a record.
func (s *search) codeOf(i uint32, t *token) (quality float32, code uint32) {
	x := s.x
	try := func(c uint32) {
		q := float32(0)
		switch same, wide := x.meetsCode(t, c); {
		case same:
			q = 1
		case wide:
			q = 0.45
		}
		if q > quality {
			quality, code = q, c
		}
	}
	if c := x.records[i].Code; c != none {
		try(c)
	}
	for k, to := rows(x.codeOf, i); k < to; k++ {
		try(x.codes[k])
	}
	return quality, code
}
