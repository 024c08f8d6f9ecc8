package find

import (
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/lexicon"
)

// explain returns a hit with what met what.
func (s *search) explain(h *hit) place.Hit {
	x := s.x
	out := place.Hit{Score: min(1, h.score)}
	var fields [lexicon.MostTokens]met
	switch h.of {
	case ofCodes:
		out.Place = x.Postcode(h.i)
		m, around := s.aroundCode(h.i)
		for i := range s.tokens {
			if q := x.MeetsCode(&s.tokens[i], h.i); q > 0 {
				fields[i] = met{"postcode", out.Postcode, q}
			} else if s.q.Typing {
				continue
			} else if q := m.quality[i] * place.FieldQualities[place.FieldLocality]; q > 0 {
				fields[i] = met{"locality", out.Locality, q}
			} else if q := around.quality[i]; q > 0 {
				fields[i] = met{x.partName(around.part[i]), x.Text(x.PartText[around.part[i]]), q}
			}
		}
	case ofAddresses:
		out.Place = x.Address(h.i, s.q.Lang)
	case ofCrossings:
		out.Place = s.crossingAt(h.i, &fields)
	default:
		out.Place = x.Place(h.i, s.q.Lang)
		if s.bias != nil && (x.Records[h.i].Marks()&place.MarkLine != 0 || s.numbered(h)) {
			if at, ok := x.nearestOn(h.i, *s.bias); ok {
				out.At = at
			}
		}
		if s.open {
			out.Opening = s.opening(h.i)
		}
	}
	if h.record != place.None {
		m := s.matchName(h.name)
		if m.sum == 0 {
			m.coverage = 0.4
		}
		s.score(h.record, &m, &fields)
	}
	var from []int // where in the question each match begins
	if !s.q.Typing {
		out.Words = make([]place.Word, 0, len(s.tokens))
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		at := place.Match{Query: s.q.Text[t.From:t.To], Field: fields[i].field, Text: fields[i].text, Quality: float64(fields[i].quality)}
		if h.of == ofAddresses && at.Field == "name" {
			at.Field = "street"
			if out.Street == "" {
				at.Field = "locality"
			}
		}
		if !s.q.Typing && !t.Mute {
			out.Words = append(out.Words, place.Word{From: t.From, To: t.To, Field: at.Field, Quality: at.Quality, House: t.IsHouse, Code: t.IsCode})
		}
		if n := len(out.Match); n > 0 && i > 0 && out.Match[n-1].Field == at.Field && out.Match[n-1].Text == at.Text && at.Field != "" {
			last := &out.Match[n-1]
			last.Query = s.q.Text[from[n-1]:t.To]
			last.Quality = min(last.Quality, at.Quality)
			continue
		}
		if at.Field != "" {
			out.Match = append(out.Match, at)
			from = append(from, t.From)
		}
	}
	for i := range out.Match {
		if m := &out.Match[i]; m.Field == "unit" {
			m.Text = m.Query
			if out.Unit != "" {
				out.Unit += ", "
			}
			out.Unit += m.Text
		}
	}
	return out
}
