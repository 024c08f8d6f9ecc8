package place

import (
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/category"
)

// mostKindWords is how many words a kind of places is looked for in.
const mostKindWords = 4

// nameKinds finds the words for the categories that the index has: their own, and what
// people say for them.
func (x *Index) nameKinds() {
	x.categories = map[string][]uint32{}
	texts := make(map[string]uint32, len(x.kindsOf))
	for _, c := range x.kindsOf {
		texts[x.text(c)] = c
	}
	for phrase, list := range category.Phrases {
		var here []uint32
		for _, c := range list {
			if at, ok := texts[c]; ok {
				here = append(here, at)
			}
		}
		if words := key(phrase); len(here) > 0 && words != "" {
			x.categories[words] = here
		}
	}
	for _, c := range x.kindsOf {
		if words := key(strings.ReplaceAll(x.text(c), "_", " ")); words != "" && x.categories[words] == nil {
			x.categories[words] = []uint32{c}
		}
	}
}

// findKinds finds the categories that tokens name, alone or with the next: "pub", "pubs",
// "petrol station". Of several phrases the longest counts.
func (x *Index) findKinds(list []token) {
	for i := 0; i < len(list); i++ {
		words, last := "", -1
		var found []uint32
		for k := i; k < min(i+mostKindWords, len(list)) && list[k].text != ""; k++ {
			if c := x.kindOf(words, &list[k]); c != nil {
				found, last = c, k
			}
			words += list[k].text + " "
		}
		for ; i < last; i++ {
			list[i].categories = found
		}
		if last >= 0 {
			list[last].categories = found
		}
	}
}

// kindOf gives the categories that the folded words before a token stand for with it, in the
// singular or the plural.
func (x *Index) kindOf(words string, last *token) []uint32 {
	if c := x.categories[words+last.text]; c != nil {
		return c
	}
	for _, ending := range [...][2]string{{"s", ""}, {"es", ""}, {"ies", "y"}, {"en", ""}, {"n", ""}} {
		if stem, ok := strings.CutSuffix(last.whole, ending[0]); ok {
			if c := x.categories[words+canonical(stem+ending[1])]; c != nil {
				return c
			}
		}
	}
	return nil
}

// categoryOf gives the first of some categories that is in a list of the index, none where
// none is.
func (x *Index) categoryOf(list uint32, wanted []uint32) uint32 {
	if len(wanted) == 0 {
		return none
	}
	has := x.lists[x.listFrom[list]:x.listFrom[list+1]]
	for _, c := range wanted {
		if slices.Contains(has, c) {
			return c
		}
	}
	return none
}

// Of a question for a kind of places.
const (
	kindText     = 0.92   // of a hit: less than of a place that has these words for its name
	kindNear     = 1500.0 // metres at which nearness counts half
	kindFarthest = 25_000 // metres from the place that was named
	kindWhere    = 0.85   // text of a hit that says where to look
)

// byKind brings up the places of a kind that was asked for: near the place that the other
// words name, or else near the bias, the nearest first, or else the most important.
func (s *search) byKind() {
	var wanted []uint32
	kind, rest := 0, 0
	from, to := -1, 0
	for i := range s.tokens {
		t := &s.tokens[i]
		switch {
		case len(t.categories) > 0 && (kind == 0 || &wanted[0] == &t.categories[0]):
			wanted = t.categories
			kind++
		case fillers[t.text] || t.unit:
		default:
			if rest == 0 {
				from = t.from
			}
			rest, to = rest+1, t.to
		}
	}
	switch {
	case kind == 0 || !s.q.Kinds.Has(POI) || s.within:
	case rest > 0:
		if at, sure := s.where(from, to, wanted); sure > 0 {
			s.kindsNear(wanted, at, sure)
		}
	case s.bias != nil:
		s.kindsNear(wanted, *s.bias, 1)
	default:
		s.kindsAnywhere(wanted)
	}
}

// named is the place that a text names, which is not of some kinds.
type named struct {
	text   string
	wanted []uint32
	at     geo.Point
	sure   float64 // how sure it is meant, 0 where there is none
}

// where finds the place that the words of a part of the question name, without those of the
// kind, and how sure it is meant: 0 where none is, or where it is of the kind itself. Of the
// two passes of a search the second has it from the first.
func (s *search) where(from, to int, wanted []uint32) (at geo.Point, sure float64) {
	var b strings.Builder
	for i := range s.tokens {
		if t := &s.tokens[i]; t.from >= from && t.to <= to && len(t.categories) == 0 {
			b.WriteString(s.q.Text[t.from:t.to])
			b.WriteByte(' ')
		}
	}
	text := b.String()
	if n := &s.beside; n.text == text && slices.Equal(n.wanted, wanted) {
		return n.at, n.sure
	}
	hits, all, err := s.x.search(s.ctx, &Query{Text: text, Limit: 1, Bias: s.q.Bias, Box: s.q.Box}, true)
	if err == nil && len(hits) > 0 && all[0].text >= kindWhere && (hits[0].Kind != POI || s.x.categoryOf(s.x.records[all[0].i].Categories, wanted) == none) {
		at, sure = hits[0].At, all[0].text
	}
	s.beside = named{text, wanted, at, sure}
	return at, sure
}

// kindsNear brings up the places of some categories nearest to a point. sure is how sure
// that point is meant, 0 to 1.
func (s *search) kindsNear(wanted []uint32, at geo.Point, sure float64) {
	x := s.x
	mask := uint64(0)
	for _, c := range wanted {
		mask |= maskOf(c)
	}
	n := 0
	x.poiTree.nearest(at, kindFarthest, 1, mask, func(i uint32) float64 {
		if x.categoryOf(x.records[i].Categories, wanted) == none {
			return math.Inf(1)
		}
		return geo.Distance(at, x.records[i].At.Point())
	}, func(i uint32, away float64) bool {
		r := &x.records[i]
		if s.q.Box == nil || inBox(s.q.Box, r.At.Point()) {
			text := kindText * sure
			s.keep(hit{score: text*shareText + shareNear/(1+away/kindNear), text: text, of: ofRecords, i: i, record: i, name: r.Name})
			n++
		}
		return n < s.want && s.ctx.Err() == nil
	})
}

// kindsAnywhere brings up the most important places of some categories.
func (s *search) kindsAnywhere(wanted []uint32) {
	x := s.x
	for _, c := range wanted {
		k, ok := slices.BinarySearchFunc(x.kindsOf, c, func(at, c uint32) int { return strings.Compare(x.text(at), x.text(c)) })
		if !ok {
			continue
		}
		list := x.of[x.ofFrom[k]:x.ofFrom[k+1]]
		for n, r := range list[:min(len(list), commonWord)] {
			if n%512 == 0 && s.ctx.Err() != nil {
				return
			}
			s.consider(r, &nameMatch{name: x.records[r].Name, coverage: 0.4})
		}
	}
}
