package answer

import (
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
)

// admins notes the countries of the leg at hand, in the order in which it comes
// to each first, and where on its line, if it has one, it crosses their borders. Where the country is not
// known, as on the high seas, is in none.
func (t *routeBuilder) admins(l *engine.Leg) {
	t.countries = t.countries[:0]
	last, at := -1, 0
	for i := range t.path {
		c := t.g.Country[t.g.Segment(t.path[i].Edge)]
		switch {
		case c == 0:
			continue
		case last < 0 || t.countries[last] != c:
			now := slices.Index(t.countries, c)
			if now < 0 {
				now = len(t.countries)
				t.countries = append(t.countries, c)
			}
			if last >= 0 && t.line.Step != nil {
				l.Borders = append(l.Borders, engine.Border{From: last, To: now, FromPoint: t.line.Step[at], ToPoint: t.line.Step[i+1]})
			}
			last = now
		}
		at = i
	}
	l.Admins = make([]engine.Admin, len(t.countries))
	for i, c := range t.countries {
		l.Admins[i].CountryCode = CountryCode(c)
	}
}

// CountryCode returns the code of ISO 3166-1 that the graph packs into a number.
func CountryCode(number uint16) string { return string([]byte{byte(number >> 8), byte(number)}) }

// admin returns the place of an edge's country among those of the leg at hand; -1
// where it is not known, or none are wanted.
func (t *routeBuilder) admin(e graph.Edge) int {
	return slices.Index(t.countries, t.g.Country[t.g.Segment(e)])
}
