package find

import (
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
)

// Of what a hit has to meet that says little of a question.
const (
	wholeName  = 0.9  // share of its name
	wholeWord  = 0.75 // quality of each of its words
	wholeHouse = 0.99
)

// anchored reports whether a place whose name met some tokens is meant although most of the
// question says nothing of it: companies and people before an address, towns and countries behind
// it that the region does not have, a street that is not there in a town that is. Its whole name
// is in the question, and beside it, between commas, only what it meets as well. Of a house it is
// enough that it is there; of a settlement that its name begins or ends what is between commas.
func (s *matcher) anchored(kind place.Kind, house int, m *nameMatch, fields *[lexicon.MostTokens]met) bool {
	if m.coverage < wholeName {
		return false
	}
	first, last, says := -1, 0, false
	for t := range s.tokens {
		if m.quality[t] == 0 {
			continue
		}
		if m.quality[t] < wholeWord {
			return false
		}
		if first < 0 {
			first = t
		}
		last = t
		tok := &s.tokens[t]
		says = says || !fold.Fillers[tok.Text] && len(tok.Text) > 2 && (tok.Kind == nil || kind == place.Locality || kind == place.Area)
	}
	if !says {
		return false
	}
	if kind == place.Address && house >= 0 && fields[house].quality >= wholeHouse {
		return true
	}
	met := func(t int) bool {
		return fields[t].quality > 0 || s.tokens[t].Mute || s.tokens[t].IsHouse && kind == place.Street
	}
	before, after := true, true
	for t := first - 1; t >= 0 && !lexicon.Parted(s.q.Text, s.tokens[t].To, s.tokens[t+1].From); t-- {
		before = before && met(t)
	}
	for t := last + 1; t < len(s.tokens) && !lexicon.Parted(s.q.Text, s.tokens[t-1].To, s.tokens[t].From); t++ {
		after = after && met(t)
	}
	for t := first; t < last; t++ {
		if !met(t) {
			return false
		}
	}
	if kind == place.Locality || kind == place.Area {
		return before || after
	}
	return before && after
}
