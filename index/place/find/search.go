package find

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
	"github.com/waygate/waygate/index/place/tree"
)

// Bounds of a search: what it looks at, however many places there are.
const (
	mostHits    = 100    // that a query may ask for
	mostPosts   = 30_000 // names that the words of a question may bring up together
	commonWord  = 6_000  // names that make a word so common that it brings up none itself
	mostTried   = 3_000  // names that are compared with the question, those with most of its words
	mostNamed   = 700    // of them whose records are
	mostBearers = 3_000  // records of one name
	mostRecords = 12_000 // records that are compared
	mostByCode  = 400    // streets of a postcode that was asked for
)

// table is the table that a hit's number belongs to.
type table uint8

const (
	ofRecords table = iota
	ofAddresses
	ofCodes
	ofCrossings
)

// hit is a place that meets a question, while it is searched for.
type hit struct {
	score, text float64
	of          table
	i           uint32 // in that
	record      uint32 // that the words met; none for postcodes and crossings
	name        uint32 // of it that they met
}

// search is one search.
type search struct {
	matcher

	ctx   context.Context
	want  int
	depth int // of searches that it is within

	open        bool  // what is shut is left out
	hoursJudged int   // opening hours
	crossed     bool  // the crossings are found
	beside      named // the place that the words beside those of a kind name
}

// matcher compares places with a question.
type matcher struct {
	x      *Index
	q      *place.Query
	tokens []lexicon.Token
	total  float64 // weight of all tokens
	bias   *geo.Point
	only   *sorted
	loose  bool // hits are taken that say little of the question, where they say a part of it wholly
	arabic bool // there are words in Arabic letters

	*scratch
}

// scratch is the memory of a search, which its bounds bound.
type scratch struct {
	mass      kept[float32] // weight of the tokens of a name
	names     []uint32
	setting   kept[uint32] // of settings, their place in settings
	matches   []settingMatch
	standings standing
	hits      []hit
	crossings []crossing
	worst     float64 // score below which no hit is kept any more
	records   int
	ranked    []rankedName

	lettersLooked int // houses without a number that were looked at
}

// rankedName is a name and its rank, as a number that sorts the names of the highest rank first,
// and of those of one rank the most important: sorting numbers takes a third of what comparing
// by a function does.
type rankedName uint64

// ranking returns a rankedName; rank is not below 0.
func ranking(rank float32, name uint32) rankedName {
	return rankedName(^math.Float32bits(rank))<<32 | rankedName(name)
}

func (r rankedName) name() uint32 { return uint32(r) }

func (x *Index) scratch() *scratch {
	s, ok := x.pool.Get().(*scratch)
	if !ok {
		s = &scratch{}
	}
	return s
}

// Search returns the places that a text means, the best first. What is too long in
// a text is not looked at; a text without a word finds nothing.
func (x *Index) Search(ctx context.Context, q *place.Query) ([]place.Hit, error) {
	hits, _, err := x.search(ctx, q, 0)
	return hits, err
}

// search is Search; all are the hits as the search has them. depth is that of searches which it
// is within.
func (x *Index) search(ctx context.Context, q *place.Query, depth int) (hits []place.Hit, all []hit, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s := &search{matcher: matcher{x: x, q: q, bias: q.Bias, only: x.sorted(q.Only), scratch: x.scratch()}, ctx: ctx, depth: depth}
	defer x.pool.Put(s.scratch)
	s.crossings = s.crossings[:0]
	s.want = max(0, min(q.Limit, mostHits))
	r := lexicon.NewReader(x.Lexicon)
	s.tokens = r.Question(q)
	s.open = q.Open || lexicon.AsksForOpen(s.tokens)
	s.arabic = slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return lexicon.Arabic(t.Text) })
	if len(s.tokens) == 0 || s.want == 0 {
		return nil, nil, nil
	}
	s.pass()
	if s.bestText() < wellMet && !(depth > 0 && q.Typing && len(s.tokens) == 1 && len(s.tokens[0].Alts) == 0) {
		unmet := s.unmet()
		for i := range s.tokens {
			// In an unfinished text a word that is met in full stays that word.
			if !q.Typing || unmet[i] {
				r.AddTypos(&s.tokens[i], i+1 == len(s.tokens) || !fold.StreetKinds[s.tokens[i+1].Text])
			}
			if q.Typing {
				x.AddBegun(&s.tokens[i])
			}
		}
		s.pass()
	}
	if s.bestText() < poorlyMet && !q.Typing && depth == 0 {
		s.loose = true
		s.pass()
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.dropDoubles()
	s.dropShut()
	for i := range s.hits[:min(s.want, len(s.hits))] {
		hits = append(hits, s.explain(&s.hits[i]))
	}
	if depth > 0 {
		all = slices.Clone(s.hits[:len(hits)])
	}
	return hits, all, nil
}

// sameMetres is how near each other points of one name are taken to be one, such
// as the two stops of a bus.
const sameMetres = 250

// numberMetres is how near each other streets of one road's number are taken to be one road.
const numberMetres = 25_000

// dropDoubles leaves out points of interest and named houses where a better hit
// of the same name is, and streets where a better one of the same road's number is.
func (s *search) dropDoubles() {
	kept := s.hits[:0]
	for _, h := range s.hits {
		double := s.depth == 0 && s.numbered(&h) && slices.ContainsFunc(kept, func(o hit) bool {
			return o.name == h.name && o.of == ofRecords && tree.DistanceBetween(s.x.Records[o.i].At, s.x.Records[h.i].At) < numberMetres
		})
		switch {
		case double:
		case s.q.Typing && (h.of == ofAddresses || h.of == ofRecords && place.Kind(s.x.Records[h.i].Kind) == place.Street):
			double = slices.ContainsFunc(kept, func(o hit) bool { return s.looksLike(&h, &o) })
		case h.of == ofRecords && place.Kind(s.x.Records[h.i].Kind) != place.Street:
			r := &s.x.Records[h.i]
			for i := range kept {
				if o := &kept[i]; o.of == ofRecords && s.x.Records[o.i].Name == r.Name && s.x.NameText[r.Name] != 0 && tree.DistanceBetween(s.x.Records[o.i].At, r.At) < sameMetres {
					double = place.Kind(r.Kind) == place.POI || place.Kind(r.Kind) == place.Address
					break
				}
			}
		}
		if !double {
			kept = append(kept, h)
		}
	}
	s.hits = kept
}

// pieceMetres is how far apart streets, or houses, are at most that a list of suggestions shows
// the same of: pieces of one street, and a house that is mapped twice.
const pieceMetres = 3000

// looksLike reports whether a reader sees no difference between two streets, or two
// houses, that are near each other: of name, town and postcode.
func (s *search) looksLike(a, b *hit) bool {
	x := s.x
	if a.of != b.of || a.record == place.None || b.record == place.None {
		return false
	}
	p, q := &x.Records[a.record], &x.Records[b.record]
	if p.Kind != q.Kind || p.Name != q.Name || x.Settings[p.Setting].Locality != x.Settings[q.Setting].Locality {
		return false
	}
	if a.of == ofRecords {
		return tree.DistanceBetween(p.At, q.At) < pieceMetres
	}
	one, other := &x.Addresses[a.i], &x.Addresses[b.i]
	return one.House == other.House && one.Code == other.Code && x.Settings[one.Setting].Locality == x.Settings[other.Setting].Locality && tree.DistanceBetween(one.At, other.At) < pieceMetres
}

func (s *search) bestText() float64 {
	best := 0.0
	for i := range s.hits {
		best = max(best, s.hits[i].text)
	}
	return best
}

// unmet returns the tokens that the best hit leaves.
func (s *search) unmet() (unmet [lexicon.MostTokens]bool) {
	var fields [lexicon.MostTokens]met
	if len(s.hits) > 0 && s.hits[0].record != place.None {
		m := s.matchName(s.hits[0].name)
		s.score(s.hits[0].record, &m, &fields)
	}
	for i := range unmet {
		unmet[i] = fields[i].quality == 0
	}
	return unmet
}

// pass searches with the tokens as they are.
func (s *search) pass() {
	s.mass.forget()
	s.setting.forget()
	s.matches = s.matches[:0]
	s.names, s.hits, s.records, s.worst, s.lettersLooked = s.names[:0], s.hits[:0], 0, 0, 0
	s.total = 0
	for i := range s.tokens {
		s.total += s.tokens[i].Weight
	}
	s.standings.set(s.tokens, s.x.TermCount())
	s.byCodes()
	order := make([]int, 0, lexicon.MostTokens)
	for i := range s.tokens {
		if len(s.tokens[i].Alts) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.tokens[a].Cost, s.tokens[b].Cost) })
	left := mostPosts
	for n, i := range order {
		if t := &s.tokens[i]; t.Cost > commonWord && n > 0 && len(s.names) > 0 {
			break
		}
		left -= s.gather(i, left)
	}
	s.try()
	// Common words alone bring up the most important names that have them.
	if s.bestText() < wellMet {
		s.names = s.names[:0]
		for n, i := range order {
			if t := &s.tokens[i]; t.Cost > commonWord && n > 0 {
				left -= s.gather(i, min(left, commonWord))
			}
		}
		s.try()
	}
	s.byCrossings()
	s.byKind()
	slices.SortFunc(s.hits, func(a, b hit) int { return better(&a, &b) })
}

func (s *matcher) massOf(name uint32) float32 {
	mass, _ := s.mass.of(name)
	return *mass
}

// gather brings up the names that have a token, no more than most, and gives how
// many there were.
func (s *search) gather(i, most int) int {
	t := &s.tokens[i]
	x := s.x
	taken := 0
	take := func(name uint32, quality float32) {
		taken++
		mass, fresh := s.mass.of(name)
		if fresh {
			s.names = append(s.names, name)
		}
		*mass += float32(t.Weight) * quality
	}
	for _, a := range t.Alts {
		posts := x.Posts[x.PostFrom[a.Lo]:x.PostFrom[a.Hi]]
		if len(posts) <= min(commonWord, most-taken) {
			for _, name := range posts {
				take(name, a.Quality)
			}
			continue
		}
		if a.Hi == a.Lo+1 {
			for _, name := range posts[:max(0, min(commonWord, most-taken))] {
				take(name, a.Quality)
			}
			continue
		}
		for _, term := range x.Foremost(a) {
			posts := x.Posts[x.PostFrom[term]:x.PostFrom[term+1]]
			for _, name := range posts[:max(0, min(len(posts), 64, most-taken))] {
				take(name, a.Quality)
			}
		}
	}
	return taken
}

// try compares the names that were brought up with the question, and the records
// of those that have most of its words.
func (s *search) try() {
	ranked := s.ranked[:0]
	if len(s.names) > mostTried {
		for _, name := range s.names {
			ranked = append(ranked, ranking(s.massOf(name), name))
		}
		slices.Sort(ranked)
		s.names = s.names[:mostTried]
		for i := range s.names {
			s.names[i] = ranked[i].name()
		}
		ranked = ranked[:0]
	}
	for _, name := range s.names {
		if m := s.matchName(name); m.sum > 0 {
			ranked = append(ranked, ranking(float32(m.sum*(0.5+m.coverage)), name))
		}
	}
	s.ranked = ranked
	slices.Sort(ranked)
	for _, r := range ranked[:min(len(ranked), mostNamed)] {
		m := s.matchName(r.name())
		bearers := s.x.Bearers[s.x.BearFrom[r.name()]:s.x.BearFrom[r.name()+1]]
		for _, r := range bearers[:min(len(bearers), mostBearers)] {
			if s.records++; s.records > mostRecords || s.records%512 == 0 && s.ctx.Err() != nil {
				return
			}
			s.consider(r, &m)
		}
	}
}

// consider keeps a record whose name met some tokens, if it is good enough.
func (s *search) consider(r uint32, m *nameMatch) {
	h, ok := s.score(r, m, nil)
	if !ok {
		return
	}
	s.addHit(h)
}

// addHit takes a hit among the best. A few more than are wanted stay, so that the
// order does not hang on which was found first.
func (s *search) addHit(h hit) {
	if h.score < s.worst {
		return
	}
	for i := range s.hits {
		if o := &s.hits[i]; o.of == h.of && o.i == h.i {
			if h.score > o.score {
				*o = h
			}
			return
		}
	}
	if len(s.hits) < s.want+spareHits {
		s.hits = append(s.hits, h)
		return
	}
	worst := 0
	for i := range s.hits {
		if better(&s.hits[worst], &s.hits[i]) < 0 {
			worst = i
		}
	}
	if better(&h, &s.hits[worst]) < 0 {
		s.hits[worst] = h
	}
	s.worst = s.hits[0].score
	for i := range s.hits {
		s.worst = min(s.worst, s.hits[i].score)
	}
}

// spareHits is how many more hits are kept than are wanted.
const spareHits = 24

// better compares hits: less than 0 is a before b.
func better(a, b *hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.of, b.of), cmp.Compare(a.i, b.i))
}

// fewCodes is how many postcodes of a token are looked at for their town.
const fewCodes = 2

// aroundCode returns how the tokens meet the settlement that a postcode lies in, and what lies
// around.
func (s *matcher) aroundCode(code uint32) (town nameMatch, around *settingMatch) {
	r, setting, ok := s.x.TownOfCode(code)
	if !ok {
		return town, &nowhere
	}
	if r != place.None {
		town = s.matchName(s.x.Records[r].Name)
	}
	return town, s.settingOf(setting)
}

// townMet returns the weight of the tokens besides that of a postcode that meet the settlement it
// lies in.
func (s *matcher) townMet(token int, code uint32) (weight float64) {
	town, around := s.aroundCode(code)
	for t := range s.tokens {
		if t != token {
			weight += s.tokens[t].Weight * float64(max(town.quality[t]*place.FieldQualities[place.FieldLocality], around.quality[t]))
		}
	}
	return weight
}

// byCodes brings up the postcodes that were asked for, and the streets in them.
func (s *search) byCodes() {
	x := s.x
	for i := range s.tokens {
		t := &s.tokens[i]
		if !t.IsCode {
			continue
		}
		share := t.Weight / s.total
		whole := t.CodeLo
		n := 0
		few := t.CodeHi-t.CodeLo <= fewCodes && !s.q.Typing
		keep := func(c uint32, text float64) {
			at := x.CodeAt[c]
			if few {
				text += s.townMet(i, c) / s.total
			}
			if s.q.Kinds.Has(place.Postcode) && (s.only == nil || s.only.code(c)) && (share >= leastText || s.loose) && (s.q.Box == nil || s.q.Box.Contains(at.Point())) {
				s.addHit(hit{score: text*shareText + place.CodeImportance*shareImportance + s.nearness(at), text: text, of: ofCodes, i: c, record: place.None})
			}
		}
		if t.CodeLo == t.CodeHi && t.WideLo < t.WideHi && fold.LettersOfCode(x.CodeKey[t.WideLo]) == t.Outward {
			keep(t.WideLo, share*lexicon.HoldingQuality) // the district of a code that is not there
		}
		for c := t.CodeLo; c < t.CodeHi && n < mostByCode; c++ {
			if x.MeetsCode(t, c) < 1 {
				continue
			}
			n++
			text := share
			if c != whole {
				text *= 0.97
			}
			keep(c, text)
			from, _ := slices.BinarySearch(x.StreetsCode, c)
			for k := from; k < len(x.StreetsCode) && x.StreetsCode[k] == c && n < mostByCode; k++ {
				n++
				r := x.StreetsOf[k]
				m := s.matchName(x.Records[r].Name)
				s.consider(r, &m)
			}
		}
	}
}
