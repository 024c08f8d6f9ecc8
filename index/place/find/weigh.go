package find

import (
	"math/bits"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
)

// How the parts of a score weigh.
const (
	shareText       = 0.82
	shareImportance = 0.1
	shareNear       = 0.08
	nearMetres      = 15_000.0 // at which nearness counts half
	leastText       = 0.42     // of a hit
	otherName       = 0.985    // what is met by another name than its first counts so much less
	poorlyMet       = 0.55     // text of a hit that leaves a wish for others (see anchored)
	wellMet         = 0.9      // text of a hit that leaves no wish for typos
)

// settingMatch is how well each token meets a setting.
type settingMatch struct {
	quality [lexicon.MostTokens]float32
	part    [lexicon.MostTokens]uint32
	town    float32 // weight of the tokens met, those that do not meet the town itself for less
}

// wider is how much a token counts towards a town that meets what lies around it alone.
const wider = 0.25

type nameMatch struct {
	name     uint32
	quality  [lexicon.MostTokens]float32 // by token
	sum      float64                     // weight of the tokens met
	coverage float64                     // share of the name that they are
}

// otherOrder is the share that is left of what a question covers of a name whose
// words it has in another order.
const otherOrder = 0.8

// typedOrder is that share for an unfinished text, of which less hangs then.
const typedOrder = 0.5

// matchName finds the tokens that a name's words meet, each word one token.
func (s *matcher) matchName(name uint32) (m nameMatch) {
	x := s.x
	words := x.Words[x.WordFrom[name]:x.WordFrom[name+1]]
	m.name = name
	var used uint32
	last, turned := -1, false // whether the words stand in another order
	stand := uint32(0)
	for _, w := range words {
		stand |= s.standings.of(w)
	}
	for rest := stand; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		t := &s.tokens[i]
		best := -1
		for k, w := range words {
			if used>>k&1 == 1 || s.standings.of(w)>>i&1 == 0 {
				continue
			}
			if q := t.Quality(w); q > m.quality[i] {
				m.quality[i], best = q, k
			}
		}
		if best >= 0 {
			if best < last {
				turned = true
			}
			last = best
			used |= 1 << best
			m.sum += t.Weight * float64(m.quality[i])
		}
	}
	if m.sum == 0 {
		return m
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.Skips == 0 || m.quality[i] > 0 || t.Kind != nil && !t.Guess {
			continue
		}
		for k, w := range words {
			if used>>k&1 == 0 && fold.Skipped(t.Text, string(x.Term(w))) {
				m.quality[i] = t.Skips
				used |= 1 << k
				m.sum += t.Weight * float64(t.Skips)
				break
			}
		}
	}
	all, met := float32(0), float32(0)
	for k, w := range words {
		if s.arabic && slices.Contains(x.Articles, w) {
			continue // which Arabic words have lost
		}
		weight := x.Weights[w]
		all += weight
		if used>>k&1 == 1 {
			met += weight
		}
	}
	m.coverage = float64(met / max(all, 1e-9))
	switch {
	case turned && s.q.Typing:
		m.coverage *= typedOrder
	case turned:
		m.coverage *= otherOrder
	}
	return m
}

// unfinishedTown is the weight of the beginning of a word that meets what lies
// around a place: it rather begins a word of its name.
const unfinishedTown = 0.9

// openedTown is the weight of one or two letters that begin a word of what lies around: so short
// they begin one nearly everywhere.
const openedTown = 0.5

// nowhere is the setting of a record whose name meets all words.
var nowhere settingMatch

// settingOf returns how well each token meets a setting.
func (s *matcher) settingOf(i uint32) *settingMatch {
	at, fresh := s.setting.of(i)
	if !fresh {
		return &s.matches[*at]
	}
	*at = uint32(len(s.matches))
	s.matches = append(s.matches, settingMatch{})
	m := &s.matches[*at]
	set := &s.x.Settings[i]
	for k := set.From; k < set.To; k++ {
		term := s.x.PartTerm[k]
		for rest := s.standings.of(term); rest != 0; rest &= rest - 1 {
			t := bits.TrailingZeros32(rest)
			q := s.tokens[t].Quality(term) * place.FieldQualities[min(int(s.x.PartField[k]), len(place.FieldQualities)-1)]
			switch tok := &s.tokens[t]; {
			case tok.Unfinished:
				q *= unfinishedTown
			case tok.Opened && len(tok.Whole) <= lexicon.LeastTyped && string(s.x.Term(term)) != tok.Text:
				q *= openedTown
			}
			if q > m.quality[t] {
				m.quality[t], m.part[t] = q, k
			}
		}
	}
	for t := range s.tokens {
		share := float32(wider)
		if m.quality[t] > 0 && s.x.PartText[m.part[t]] == set.Locality {
			share = 1
		}
		m.town += share * m.quality[t] * float32(s.tokens[t].Weight)
	}
	return m
}

// met is the field that a token met.
type met struct {
	field   string
	text    string
	quality float32
}

// score scores a record whose name met some tokens by how well the others meet
// the rest of it, and fills fields, unless it is nil, with what each token met.
func (s *matcher) score(i uint32, m *nameMatch, fields *[lexicon.MostTokens]met) (h hit, ok bool) {
	x := s.x
	r := &x.Records[i]
	kind := place.Kind(r.Kind)
	if s.loose && fields == nil {
		fields = &[lexicon.MostTokens]met{}
	}
	set := &nowhere
	for t := range s.tokens {
		if m.quality[t] == 0 {
			set = s.settingOf(r.Setting) // the name leaves a word that may be of what lies around
			break
		}
	}
	sum := m.sum
	h = hit{i: i, record: i, name: m.name}
	at := r.At
	total := s.total
	var numbers, named uint32 // tokens that may be the house's number, and those that the name met
	var tokenMet [lexicon.MostTokens]float32
	var parent nameMatch
	if r.Parent != place.None && sum < s.total {
		parent = s.matchName(x.Records[r.Parent].Name)
	}
	for t := range s.tokens {
		tok := &s.tokens[t]
		if tok.Mute {
			continue
		}
		if tok.Unit {
			if fields != nil {
				fields[t] = met{field: "unit", quality: 1}
			}
			continue
		}
		if m.quality[t] > 0 {
			named |= 1 << t
			if fields != nil {
				fields[t] = met{"name", x.NameString(m.name), m.quality[t]}
			}
			continue
		}
		field, quality := met{}, float32(0)
		better := func(q float32, name string, text func() string) {
			if q > quality {
				quality = q
				if fields != nil {
					field = met{name, text(), q}
				}
			}
		}
		if q := set.quality[t]; q > 0 {
			better(q, x.partName(set.part[t]), func() string { return x.Text(x.PartText[set.part[t]]) })
		}
		if q := parent.quality[t] * 0.98; q > 0 {
			better(q, "street", func() string { return x.NameString(x.Records[r.Parent].Name) })
		}
		if tok.IsCode {
			q, code := s.codeOf(i, tok)
			better(q, "postcode", func() string { return x.CodeText(code) })
		}
		if tok.Kind != nil && !tok.Guess {
			if n := x.IsOf(r.Categories, tok.Kind); n >= 0 {
				better(0.95, "category", func() string { return x.Text(tok.Kind[n][0]) })
			}
		}
		if tok.IsHouse && quality == 0 {
			if kind == place.POI && r.House != 0 {
				if there, ok := fold.ParseHouse(x.Text(r.House)); ok {
					better(float32(tok.House.Meets(there)), "house", func() string { return x.Text(r.House) })
				}
			} else if r.Count > 0 {
				numbers |= 1 << t
				continue
			}
		}
		sum += tok.Weight * float64(quality)
		tokenMet[t] = quality
		if fields != nil {
			fields[t] = field
		}
	}
	house := -1
	if numbers != 0 {
		house = bits.TrailingZeros32(numbers)
	}
	if house >= 0 && s.q.Kinds.Has(place.Address) && (s.only == nil || s.only.record(i, place.Address)) {
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
			total -= s.tokens[t].Weight
			if fields != nil {
				fields[t] = met{field: "unit", quality: 1}
			}
		}
		a, q, parts := s.houseAt(r, house, open)
		if q > 0 {
			kind, h.of, h.i = place.Address, ofAddresses, a
			at = x.Addresses[a].At
			sum += s.tokens[house].Weight * float64(q)
			sum += s.inTown(&x.Addresses[a], r.Setting, set, m, &tokenMet, fields)
		}
		for t := house + 1; t <= house+parts; t++ {
			sum += s.tokens[t].Weight
			if fields != nil {
				fields[t] = met{"house", x.Text(x.Addresses[a].House), 1}
			}
		}
		if fields != nil {
			fields[house] = met{field: "house", quality: q}
			if q > 0 {
				fields[house].text = x.Text(x.Addresses[a].House)
			}
		}
	}
	if x.wordy[i/64]>>(i%64)&1 == 1 && h.of != ofAddresses && s.q.Kinds.Has(place.Address) && (s.only == nil || s.only.record(i, place.Address)) {
		if a, words := s.lettered(r, m); words != 0 {
			kind, h.of, h.i = place.Address, ofAddresses, a
			at = x.Addresses[a].At
			for rest := words; rest != 0; rest &= rest - 1 {
				t := bits.TrailingZeros32(rest)
				sum += s.tokens[t].Weight * float64(1-tokenMet[t])
				if fields != nil {
					fields[t] = met{"house", x.Text(x.Addresses[a].House), 1}
				}
			}
			sum += s.inTown(&x.Addresses[a], r.Setting, set, m, &tokenMet, fields)
		}
	}
	if !s.q.Kinds.Has(kind) || s.only != nil && !s.only.record(i, kind) || s.q.Box != nil && !s.q.Box.Contains(at.Point()) {
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
	if r.Kind == uint8(place.Street) && !s.q.Typing && m.coverage < wholeName && s.onlyKind(m, &tokenMet) {
		return h, false
	}
	if h.text < leastText {
		// A number that nothing has does not unmake the street.
		bare := house >= 0 && h.of != ofAddresses && sum*whole >= leastText*(total-s.tokens[house].Weight)
		if !bare && !(s.loose && s.anchored(kind, house, m, fields)) {
			return h, false
		}
	}
	h.score = h.text*shareText + float64(r.Importance)/65535*shareImportance
	if h.score+shareNear < s.worst {
		return h, false
	}
	if h.of == ofRecords && r.Marks()&place.MarkLine != 0 {
		h.score += s.nearnessOfLine(i)
	} else {
		h.score += s.nearness(at)
	}
	return h, true
}

// onlyKind reports whether a street's name met no more of a question than what kind of street it
// is, and something of the question meets nothing of it: another Avenue is not the one that was
// asked for, unless it has the postcode.
func (s *matcher) onlyKind(m *nameMatch, tokenMet *[lexicon.MostTokens]float32) bool {
	unmet := false
	for t := range s.tokens {
		switch tok := &s.tokens[t]; {
		case m.quality[t] > 0 && !fold.StreetKinds[tok.Text] && !fold.Fillers[tok.Text], tok.IsCode && tokenMet[t] >= lexicon.SectorQuality:
			return false
		case m.quality[t] == 0 && tokenMet[t] == 0 && !tok.IsHouse && !tok.IsCode && !tok.Unit && !tok.Mute && !fold.Fillers[tok.Text]:
			unmet = true
		}
	}
	return unmet
}

func (s *matcher) nearness(at geo.Fixed) float64 {
	if s.bias == nil {
		return 0
	}
	return shareNear / (1 + geo.Distance(*s.bias, at.Point())/nearMetres)
}

// nearnessOfLine returns that of what lies along a line: as near as the area that it lies in.
func (s *matcher) nearnessOfLine(i uint32) float64 {
	if s.bias == nil {
		return 0
	}
	away := 0.0
	if k, to := place.Rows(s.x.ExtentOf, i); k < to {
		away = s.x.Extents[k].Distance(*s.bias)
	}
	return shareNear / (1 + away/nearMetres)
}

// codeOf returns how well a postcode that was asked for is that of a record.
func (s *matcher) codeOf(i uint32, t *lexicon.Token) (quality float32, code uint32) {
	x := s.x
	try := func(c uint32) {
		if q := x.MeetsCode(t, c); q > quality {
			quality, code = q, c
		}
	}
	if c := x.Records[i].Code; c != place.None {
		try(c)
	}
	for k, to := place.Rows(x.CodeOf, i); k < to; k++ {
		try(x.Codes[k])
	}
	return quality, code
}
