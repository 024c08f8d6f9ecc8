package place

// explain gives a hit with what met what.
func (s *search) explain(h *hit) Hit {
	x := s.x
	out := Hit{Score: min(1, h.score)}
	var tell [mostTokens]met
	switch h.of {
	case ofCodes:
		out.Place = x.postcode(h.i)
		for i := range s.tokens {
			if same, _ := x.meetsCode(&s.tokens[i], h.i); same {
				tell[i] = met{"postcode", out.Postcode, 1}
			}
		}
	case ofAddresses:
		out.Place = x.address(h.i, s.q.Lang)
	case ofCrossings:
		out.Place = s.crossingAt(h.i, &tell)
	default:
		out.Place = x.place(h.i, s.q.Lang)
	}
	if h.record != none {
		m := s.matchName(h.name)
		if m.sum == 0 {
			m.coverage = 0.4
		}
		s.weigh(h.record, &m, &tell)
	}
	var from []int // where in the question each match begins
	if !s.q.Typing {
		out.Words = make([]Word, 0, len(s.tokens))
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		at := Match{Query: s.q.Text[t.from:t.to], Field: tell[i].field, Text: tell[i].text, Quality: float64(tell[i].quality)}
		if h.of == ofAddresses && at.Field == "name" {
			at.Field = "street"
			if out.Street == "" {
				at.Field = "locality"
			}
		}
		if !s.q.Typing && !t.mute {
			out.Words = append(out.Words, Word{t.from, t.to, at.Field, at.Quality, t.isHouse, t.isCode})
		}
		if n := len(out.Match); n > 0 && i > 0 && out.Match[n-1].Field == at.Field && out.Match[n-1].Text == at.Text && at.Field != "" {
			last := &out.Match[n-1]
			last.Query = s.q.Text[from[n-1]:t.to]
			last.Quality = min(last.Quality, at.Quality)
			continue
		}
		if at.Field != "" {
			out.Match = append(out.Match, at)
			from = append(from, t.from)
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
