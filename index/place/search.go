package place

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Bounds of a search: what it looks at, however many places there are.
const (
	mostHits     = 100    // that a query may ask for
	mostPosts    = 30_000 // names that the words of a question may bring up together
	commonWord   = 6_000  // names that make a word so common that it brings up none itself
	mostTried    = 3_000  // names that are compared with the question, those with most of its words
	mostNamed    = 700    // of them whose records are
	mostBearers  = 3_000  // records of one name
	mostRecords  = 12_000 // records that are compared
	mostByCode   = 400    // streets of a postcode that was asked for
	mostPrefixes = 400    // terms that an unfinished word may bring up, the most important first
)

// table is what a hit's number is of.
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
	x      *Index
	q      *Query
	ctx    context.Context
	tokens []token
	total  float64 // weight of all tokens
	want   int
	bias   *geo.Point
	within bool // another search

	crossed bool  // the crossings are found
	beside  named // the place that the words beside those of a kind name

	*scratch
}

// scratch is what a search needs room for, which its bounds bound.
type scratch struct {
	mass      kept[float32] // weight of the tokens of a name
	names     []uint32
	setting   kept[uint32] // of settings, their place in settings
	matches   []settingMatch
	stands    standing
	towns     map[uint32]*[mostTokens]float32
	hits      []hit
	crossings []crossing
	worst     float64 // score below which no hit is kept any more
	records   int
	ranked    []rankedName
}

// rankedName is a name in the order in which its records are looked at.
type rankedName struct {
	rank float32
	name uint32
}

func (x *Index) scratch() *scratch {
	s, ok := x.pool.Get().(*scratch)
	if !ok {
		s = &scratch{towns: map[uint32]*[mostTokens]float32{}}
	}
	return s
}

// Search gives the places that a text means, the best first. What is too long in
// a text is not looked at; a text without a word finds nothing.
func (x *Index) Search(ctx context.Context, q *Query) ([]Hit, error) {
	hits, _, err := x.search(ctx, q, false)
	return hits, err
}

// search is Search; all are the hits as the search has them. A search within another looks
// for no kinds of places, and for no crossings.
func (x *Index) search(ctx context.Context, q *Query, within bool) (hits []Hit, all []hit, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s := &search{x: x, q: q, ctx: ctx, bias: q.Bias, within: within, scratch: x.scratch()}
	defer x.pool.Put(s.scratch)
	s.crossings = s.crossings[:0]
	s.want = max(0, min(q.Limit, mostHits))
	s.tokens = x.question(q)
	if len(s.tokens) == 0 || s.want == 0 {
		return nil, nil, nil
	}
	s.pass()
	if s.bestText() < wellMet {
		unmet := s.unmet()
		for i := range s.tokens {
			// While somebody types, what is met as it is stays what it is.
			if !q.Typing || unmet[i] {
				x.addTypos(&s.tokens[i])
			}
		}
		s.pass()
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.dropDoubles()
	for i := range s.hits[:min(s.want, len(s.hits))] {
		hits = append(hits, s.explain(&s.hits[i]))
	}
	if within {
		all = slices.Clone(s.hits[:len(hits)])
	}
	return hits, all, nil
}

// sameMetres is how near each other points of one name are taken to be one, such
// as the two stops of a bus.
const sameMetres = 250

// dropDoubles leaves out points of interest and named houses where a better hit
// of the same name is.
func (s *search) dropDoubles() {
	kept := s.hits[:0]
	for _, h := range s.hits {
		double := false
		if h.of == ofRecords && Kind(s.x.records[h.i].Kind) != Street {
			r := &s.x.records[h.i]
			for i := range kept {
				if o := &kept[i]; o.of == ofRecords && s.x.records[o.i].Name == r.Name && apart(s.x.records[o.i].At, r.At) < sameMetres {
					double = Kind(r.Kind) == POI || Kind(r.Kind) == Address
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

func (s *search) bestText() float64 {
	best := 0.0
	for i := range s.hits {
		best = max(best, s.hits[i].text)
	}
	return best
}

// unmet tells the tokens that the best hit leaves.
func (s *search) unmet() (unmet [mostTokens]bool) {
	var tell [mostTokens]met
	if len(s.hits) > 0 && s.hits[0].record != none {
		m := s.matchName(s.hits[0].name)
		s.weigh(s.hits[0].record, &m, &tell)
	}
	for i := range unmet {
		unmet[i] = tell[i].quality == 0
	}
	return unmet
}

// pass searches with the tokens as they are.
func (s *search) pass() {
	s.mass.forget()
	s.setting.forget()
	s.matches = s.matches[:0]
	s.names, s.hits, s.records, s.worst = s.names[:0], s.hits[:0], 0, 0
	clear(s.towns)
	s.total = 0
	for i := range s.tokens {
		s.total += s.tokens[i].weight
	}
	s.stands.set(s.tokens, s.x.termCount())
	s.byCodes()
	order := make([]int, 0, mostTokens)
	for i := range s.tokens {
		if len(s.tokens[i].alts) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.tokens[a].cost, s.tokens[b].cost) })
	left := mostPosts
	for n, i := range order {
		if t := &s.tokens[i]; t.cost > commonWord && n > 0 && len(s.names) > 0 {
			break
		}
		left -= s.gather(i, left)
	}
	s.try()
	// Common words alone bring up the most important names that have them.
	if s.bestText() < wellMet {
		s.names = s.names[:0]
		for n, i := range order {
			if t := &s.tokens[i]; t.cost > commonWord && n > 0 {
				left -= s.gather(i, min(left, commonWord))
			}
		}
		s.try()
	}
	s.byKind()
	s.byCrossings()
	slices.SortFunc(s.hits, func(a, b hit) int { return better(&a, &b) })
}

func (s *search) massOf(name uint32) float32 {
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
		*mass += float32(t.weight) * quality
	}
	for _, a := range t.alts {
		posts := x.posts[x.postFrom[a.lo]:x.postFrom[a.hi]]
		if len(posts) <= min(commonWord, most-taken) {
			for _, name := range posts {
				take(name, a.quality)
			}
			continue
		}
		if a.hi == a.lo+1 {
			for _, name := range posts[:max(0, min(commonWord, most-taken))] {
				take(name, a.quality)
			}
			continue
		}
		for _, term := range x.foremost(a) {
			posts := x.posts[x.postFrom[term]:x.postFrom[term+1]]
			for _, name := range posts[:max(0, min(len(posts), 64, most-taken))] {
				take(name, a.quality)
			}
		}
	}
	return taken
}

// try compares the names that were brought up with the question, and the records
// of those that have most of its words.
func (s *search) try() {
	if len(s.names) > mostTried {
		slices.SortFunc(s.names, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(s.massOf(b), s.massOf(a)), cmp.Compare(a, b))
		})
		s.names = s.names[:mostTried]
	}
	ranked := s.ranked[:0]
	for _, name := range s.names {
		if m := s.matchName(name); m.sum > 0 {
			ranked = append(ranked, rankedName{float32(m.sum * (0.5 + m.coverage)), name})
		}
	}
	s.ranked = ranked
	slices.SortFunc(ranked, func(a, b rankedName) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.name, b.name))
	})
	for _, r := range ranked[:min(len(ranked), mostNamed)] {
		m := s.matchName(r.name)
		bearers := s.x.bearers[s.x.bearFrom[r.name]:s.x.bearFrom[r.name+1]]
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
	h, ok := s.weigh(r, m, nil)
	if !ok {
		return
	}
	s.keep(h)
}

// keep takes a hit among the best. A few more than are wanted stay, so that the
// order does not hang on which was found first.
func (s *search) keep(h hit) {
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

// byCodes brings up the postcodes that were asked for, and the streets in them.
func (s *search) byCodes() {
	x := s.x
	for i := range s.tokens {
		t := &s.tokens[i]
		if !t.isCode {
			continue
		}
		share := t.weight / s.total
		whole := t.codeLo
		n := 0
		for c := t.codeLo; c < t.codeHi && n < mostByCode; c++ {
			if same, _ := x.meetsCode(t, c); !same {
				continue
			}
			n++
			at := x.codeAt[c]
			if s.q.Kinds.Has(Postcode) && share >= leastText && (s.q.Box == nil || inBox(s.q.Box, at.Point())) {
				text := share
				if c != whole {
					text *= 0.97
				}
				s.keep(hit{score: text*shareText + codeImportance*shareImportance + s.nearness(at), text: text, of: ofCodes, i: c, record: none})
			}
			from, _ := slices.BinarySearch(x.streetsCode, c)
			for k := from; k < len(x.streetsCode) && x.streetsCode[k] == c && n < mostByCode; k++ {
				n++
				r := x.streetsOf[k]
				m := s.matchName(x.records[r].Name)
				s.consider(r, &m)
			}
		}
	}
}
