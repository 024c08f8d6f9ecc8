package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/place"
)

// Threshold is how much of the tokens of a name and of a locality must be shared
// for a place to be the one that is claimed.
const Threshold = 0.85

const (
	mostHits   = 10 // that one check looks at
	mostPlaces = 5  // of one name between which ways are measured
)

// existence is the result of the search for a claimed place.
type existence struct {
	places []match // at most mostPlaces, the best first
	all    bool    // there are no others of the name
}

// match is a place that has the name.
type match struct {
	place.Place
	overlap float64
}

// exists looks for the places that a claim may mean.
func (s *Service) exists(ctx context.Context, c *Claim) (existence, error) {
	text := c.Name
	if c.Locality != "" {
		text += ", " + c.Locality
	}
	e := existence{all: true}
	hits, err := s.Places.Search(ctx, text, mostHits)
	if err != nil && !fault.Is(err, fault.BadRequest) { // of which there is nothing to be found
		return e, err
	}
	e.all = len(hits) < mostHits
	for i := range hits {
		o := overlap(c, &hits[i])
		if o < Threshold {
			continue
		}
		if len(e.places) == mostPlaces {
			e.all = false
			break
		}
		e.places = append(e.places, match{hits[i], o})
	}
	slices.SortStableFunc(e.places, func(a, b match) int {
		switch {
		case a.overlap > b.overlap:
			return -1
		case a.overlap < b.overlap:
			return 1
		}
		return 0
	})
	return e, nil
}

// overlap returns from 0 to 1 how well a place is what a claim names: the smaller of
// that of the names and that of the localities.
//
// Of names it is the tokens that both have over the number of tokens of the one
// that has more. Tokens are runs of letters and digits without case and accents;
// articles are none. A token of either name that the place's own locality has,
// or the claim's, counts only where both names have it: Newport Transporter
// Bridge is the Transporter Bridge in Newport. Of localities it is the part of
// the claimed tokens that the place's locality, street, postcode, state or
// country have; 1 where none is claimed.
func overlap(c *Claim, p *place.Place) float64 {
	where := tokens(p.Locality, p.State)
	names := shared(tokens(c.Name), tokens(p.Name), append(tokens(c.Locality), where...))
	if c.Locality == "" {
		return names
	}
	claimed, has := tokens(c.Locality), slices.Concat(where, tokens(p.Street, p.Postcode, p.CountryCode))
	if p.Kind == place.Locality || p.Kind == place.Area {
		has = append(has, tokens(p.Name)...)
	}
	both := 0
	for _, t := range claimed {
		if slices.Contains(has, t) {
			both++
		}
	}
	return min(names, float64(both)/float64(max(1, len(claimed))))
}

// shared returns the part of the tokens of two names that both have.
func shared(a, b, optional []string) float64 {
	both := 0
	count := func(list, other []string, shared *int) (n int) {
		for _, t := range list {
			switch in := slices.Contains(other, t); {
			case in:
				*shared++
				n++
			case !slices.Contains(optional, t):
				n++
			}
		}
		return n
	}
	ignored := 0
	n := count(a, b, &both)
	m := count(b, a, &ignored)
	if both == 0 {
		return 0
	}
	return float64(both) / float64(max(n, m))
}

// articles are no tokens of names.
var articles = []string{"the", "a", "an", "le", "la", "les", "l", "der", "die", "das", "el", "los", "las", "il", "lo", "y", "yr"}

// tokens returns the words of some texts, each once.
func tokens(texts ...string) []string {
	var list []string
	for _, text := range texts {
		text = strings.NewReplacer("'", "", "’", "", "&", " and ").Replace(strings.ToLower(text))
		for word := range strings.FieldsFuncSeq(strip(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if !slices.Contains(articles, word) && !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}

// strip takes off accents.
func strip(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}

// result returns what a search found.
func (e *existence) result(c *Claim, source string, now time.Time) Result {
	r := Result{ID: c.ID, Claim: Claimed{c.Name, c.Locality, c.Sequence}, Verdict: Unverified}
	at := now.Format(time.RFC3339)
	if len(e.places) == 0 {
		r.Evidence = []Evidence{{source, at, fmt.Sprintf("no place was found whose name and locality share %.0f %% of their tokens with the claim; that does not say that there is none", Threshold*100)}}
		return r
	}
	m := &e.places[0]
	r.Verdict = Verified
	r.Match = &Match{ID: m.ID, Name: m.Name, Lat: m.At.Lat, Lon: m.At.Lon}
	if len(m.Categories) > 0 {
		r.Match.Category = m.Categories[0]
	} else {
		r.Match.Category = m.Kind.String()
	}
	text := fmt.Sprintf("%s is mapped", m.Name)
	if m.Locality != "" && m.Locality != m.Name {
		text += " in " + m.Locality
	}
	text += fmt.Sprintf("; it shares %.0f %% of its tokens with the claim", m.overlap*100)
	switch n := len(e.places); {
	case !e.all:
		text += ", as other places may"
	case n == 2:
		text += ", as another place does"
	case n > 2:
		text += fmt.Sprintf(", as %d other places do", n-1)
	}
	r.Evidence = []Evidence{{source, at, text}}
	return r
}
