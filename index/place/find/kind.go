package find

import (
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/category"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
)

// Of a question for a kind of places.
const (
	kindText     = 0.92   // of a hit: less than of a place that has more than these words for its name
	kindNear     = 1500.0 // metres at which nearness counts half
	kindFarthest = 25_000 // metres from the place that was named
	kindWhere    = 0.85   // text of a hit that says where to look
	kindNext     = 0.25   // share of the distance that is added for each place in the list of a kind's categories, the most fitting first
	kindGuess    = 0.85   // how sure a kind is meant whose words are begun
	kindLost     = 0.8    // how sure a place is meant where other words of the question are not known
	kindName     = 0.85   // share of the score of what has the words for a kind and no more for its name
	mostKinds    = 3      // of one question
	kindWords    = 12     // of a question with more only one kind is looked for: what is beside it costs a search
)

// byKind brings up the places of a kind that was asked for: near the place that the other
// words name, or else near the bias, the nearest first, or else the most important.
func (s *search) byKind() {
	meets := func(c crossing) bool { return c.sign || c.text >= kindText }
	if !s.q.Kinds.Has(place.POI) || s.depth > 1 || slices.ContainsFunc(s.crossings, meets) {
		return
	}
	most := mostKinds
	if len(s.tokens) > kindWords {
		most = 1
	}
	var done lexicon.AnyOf
	for i, n := 0, 0; i < len(s.tokens) && n < most; i++ {
		kind := s.tokens[i].Kind
		if kind == nil || done != nil && &kind[0] == &done[0] || s.endsName(i) || s.isMet(i) {
			continue
		}
		done = kind
		n++
		said := s.saying(i)
		rest, known, sure := s.beyond(said, false), "", 1.0
		if s.tokens[i].Guess {
			sure = kindGuess
		}
		if rest != "" {
			if at, meant := s.where(rest, kind); meant > 0 {
				if !s.tokens[i].Guess {
					s.lower(said)
				}
				s.kindsNear(kind, at, meant*sure)
				return
			}
			// A name that is not known, before an address, is that of a person there.
			if known = s.beyond(said, true); known == rest || slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return t.IsHouse }) {
				continue
			}
		}
		switch {
		case rest != "":
			sure *= kindLost
		case !s.tokens[i].Guess:
			s.lower(said)
		}
		switch {
		case known != "":
			at, meant := s.where(known, kind)
			if meant == 0 {
				continue
			}
			s.kindsNear(kind, at, meant*sure)
		case s.bias != nil:
			s.kindsNear(kind, *s.bias, sure)
		default:
			s.kindsAnywhere(kind, sure)
		}
		return
	}
}

// isMet reports whether a word that may begin that for a kind is rather a word of a name: others
// follow it, and a place meets the whole question.
func (s *search) isMet(i int) bool {
	t, last := &s.tokens[i], &s.tokens[len(s.tokens)-1]
	return t.Guess && t.Exact && (last.Kind == nil || &last.Kind[0] != &t.Kind[0]) && s.bestText() >= wellMet
}

// endsName reports whether a word for a kind is rather the end of a name that the index does not
// have, with more behind it: "Liesel Court, Mill Lane".
func (s *matcher) endsName(i int) bool {
	if i == 0 || i+1 == len(s.tokens) || !fold.StreetKinds[s.tokens[i].Text] {
		return false
	}
	t := &s.tokens[i-1]
	return !t.Exact && len(t.Others) == 0 && t.Role == 0 && t.Kind == nil && !t.IsHouse && !t.IsCode && !t.Unit && !lexicon.Parted(s.q.Text, t.To, s.tokens[i].From)
}

// saying returns the tokens that name a kind together with one of them, and those beside it that
// say no more than that it is looked for: "the nearest petrol station in".
func (s *matcher) saying(first int) (tokens uint32) {
	to := first
	for to+1 < len(s.tokens) && s.tokens[to+1].Kind != nil && &s.tokens[to+1].Kind[0] == &s.tokens[first].Kind[0] {
		to++
	}
	for i := first; i <= to; i++ {
		tokens |= 1 << i
	}
	idle := func(i int) bool { return s.tokens[i].Role != 0 || s.tokens[i].Unit }
	for i := to + 1; i < len(s.tokens) && idle(i); i++ {
		tokens |= 1 << i
	}
	for i := first - 1; i >= 0 && idle(i); i-- {
		tokens |= 1 << i
	}
	for i := 0; i < len(s.tokens); i++ {
		switch s.tokens[i].Role {
		case category.Here, category.Open:
			tokens |= 1 << i
		case category.Idle, category.Where:
			if i == 0 || tokens>>(i-1)&1 == 1 {
				tokens |= 1 << i
			}
		}
	}
	return tokens
}

// beyond returns the words of the question that are not of some tokens, fillers apart; with known
// those alone that the index has.
func (s *matcher) beyond(tokens uint32, known bool) string {
	var b strings.Builder
	any := false
	for i := range s.tokens {
		if t := &s.tokens[i]; tokens>>i&1 == 0 && !t.Unit && (!known || t.Exact && t.Kind == nil || t.IsCode || t.IsHouse || t.Unfinished) {
			any = any || !fold.Fillers[t.Text] && (!known || !t.IsHouse)
			b.WriteString(s.q.Text[t.From:t.To])
			b.WriteByte(' ')
		}
	}
	if !any {
		return ""
	}
	return strings.TrimSuffix(b.String(), " ")
}

// named is the place that a text names, which is not of some kind.
type named struct {
	text string
	at   geo.Point
	sure float64 // how sure it is meant, 0 where there is none
}

// where finds the place that some words of the question name, and how sure it is meant: 0 where
// none is, or where it is of the kind itself. Of the two passes of a search the second has it
// from the first.
func (s *search) where(text string, kind lexicon.AnyOf) (at geo.Point, sure float64) {
	if s.beside.text == text {
		return s.beside.at, s.beside.sure
	}
	q := &place.Query{Text: text, Limit: 1, Bias: s.q.Bias, Box: s.q.Box, Typing: s.q.Typing}
	hits, all, err := s.x.search(s.ctx, q, s.depth+1)
	if err == nil && len(hits) > 0 && all[0].text >= kindWhere && (hits[0].Kind != place.POI || s.x.IsOf(s.x.Records[all[0].i].Categories, kind) < 0) {
		at, sure = hits[0].At, all[0].text
	}
	s.beside = named{text, at, sure}
	return at, sure
}

// kindsNear brings up the places of a kind nearest to a point. sure is how sure that point is
// meant, 0 to 1.
func (s *search) kindsNear(kind lexicon.AnyOf, at geo.Point, sure float64) {
	x := s.x
	n := 0
	x.PoiTree.Nearest(at, kindFarthest, 1, kind.Mask(), func(i uint32) float64 {
		if x.IsOf(x.Records[i].Categories, kind) < 0 {
			return math.Inf(1)
		}
		return geo.Distance(at, x.Records[i].At.Point())
	}, func(i uint32, away float64) bool {
		r := &x.Records[i]
		if (s.q.Box == nil || s.q.Box.Contains(r.At.Point())) && (s.only == nil || s.only.record(i, place.POI)) {
			text := kindText * sure
			away *= 1 + kindNext*float64(x.IsOf(r.Categories, kind))
			if s.open {
				switch s.opening(i) {
				case place.IsShut:
					return s.ctx.Err() == nil && s.hoursJudged < mostJudged
				case place.MayBeOpen:
					away *= openUnknown
				}
			}
			score := text*shareText + shareNear/(1+away/kindNear)
			s.addHit(hit{score: score, text: text, of: ofRecords, i: i, record: i, name: r.Name})
			n++
		}
		return n < s.want+spareKinds && s.ctx.Err() == nil
	})
}

// spareKinds is how many more places of a kind are looked at than are wanted, since the nearest
// need not be of its most fitting category.
const spareKinds = 8

// kindsAnywhere brings up the most important places of a kind. sure is how sure the kind is
// meant, 0 to 1.
func (s *search) kindsAnywhere(kind lexicon.AnyOf, sure float64) {
	x := s.x
	text := kindText * sure
	for rank, set := range kind {
		k, ok := slices.BinarySearchFunc(x.KindsOf, set[0], func(at, c uint32) int { return strings.Compare(x.Text(at), x.Text(c)) })
		if !ok {
			continue
		}
		list := x.OfCategory[x.OfFrom[k]:x.OfFrom[k+1]]
		taken := 0
		for n, i := range list[:min(len(list), commonWord)] {
			if n%512 == 0 && s.ctx.Err() != nil {
				return
			}
			r := &x.Records[i]
			if place.Kind(r.Kind) != place.POI || s.q.Box != nil && !s.q.Box.Contains(r.At.Point()) || x.IsOf(r.Categories, kind) < 0 || s.open && s.opening(i) == place.IsShut {
				continue
			}
			score := text*shareText + float64(r.Importance)/65535*shareImportance/(1+kindNext*float64(rank))
			s.addHit(hit{score: score, text: text, of: ofRecords, i: i, record: i, name: r.Name})
			if taken++; taken == s.want+spareKinds {
				break
			}
		}
	}
}

// lower makes less of the hits whose names meet nothing but the words for the kind: a bus stop
// with the name Police Station, and a car park far away with the name Car Park. Towns keep what
// they have, for theirs may be names.
func (s *search) lower(said uint32) {
	for i := range s.hits {
		h := &s.hits[i]
		if h.of == ofRecords && (place.Kind(s.x.Records[h.i].Kind) == place.POI || place.Kind(s.x.Records[h.i].Kind) == place.Street) {
			m := s.matchName(h.name)
			more := m.sum == 0
			for t := range s.tokens {
				more = more || m.quality[t] > 0 && said>>t&1 == 0
			}
			if !more {
				h.score *= kindName
			}
		}
		s.worst = min(s.worst, h.score)
	}
}
