package geocode

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// Structured is a search for a place by the parts of its address. It is checked before it comes here: some
// part is given, and each is text without control characters.
type Structured struct {
	Name        string // of a point of interest, a house or a building
	HouseNumber string
	Street      string // with the house number where HouseNumber is empty
	City        string // or a part of one, or a village
	Postcode    string
	State       string
	Country     string // in words; "" where CountryCode is given
	CountryCode string // ISO 3166-1 alpha-2; places of other countries are left out

	Limit int // 1 to MostElsewhere
	Lang  string
	Bias  *geo.Point
	Box   *geo.Bounds
	Only  place.Only // as of Forward
}

// candidates is how many hits of the text are held against the parts.
const candidates = 40

// weights of the parts of an address in a score.
var weights = [partCount]float64{partName: 3, partHouse: 1, partStreet: 3, partCity: 2, partPostcode: 2, partState: 1, partCountry: 1}

// unmetShare is the share of a score that stays where no part is met.
const unmetShare = 0.5

func (q *Structured) part(x part) string {
	return [partCount]string{q.Name, q.HouseNumber, q.Street, q.City, q.Postcode, q.State, q.Country}[x]
}

// span is where a part stands in a text, in bytes.
type span struct{ from, to int }

// text puts parts together as one writes an address, and gives where each stands.
func (q *Structured) text(parts []part) (text string, spans [partCount]span) {
	var b strings.Builder
	for _, x := range parts {
		s := q.part(x)
		if s == "" {
			continue
		}
		switch {
		case b.Len() == 0:
		case x == partStreet && q.HouseNumber != "":
			b.WriteByte(' ')
		default:
			b.WriteString(", ")
		}
		spans[x].from = b.Len()
		b.WriteString(s)
		spans[x].to = b.Len()
	}
	return b.String(), spans
}

// attempts are the parts that are looked for together, one after the other until a hit meets enough:
// all, and without those that the map may lack.
var attempts = [][]part{
	{partName, partHouse, partStreet, partCity, partPostcode, partState, partCountry},
	{partCity, partPostcode, partState, partCountry},
	{partName, partHouse, partStreet, partPostcode, partState, partCountry},
	{partHouse, partStreet, partCity, partState},
	{partCity, partState},
	{partPostcode},
}

// enough is the share of the parts from which a hit needs no further attempt.
const enough = 0.5

// kinds returns those that can have the parts: points of interest have names.
func (q *Structured) kinds() place.Kinds {
	if q.Name != "" {
		return 0
	}
	return place.Of(place.Address, place.Street, place.Locality, place.Postcode, place.Area)
}

// SearchStructured finds places by the parts of an address. What meets more of the parts comes first; the
// answer lists for each hit those that it meets.
func (g *Geocoder) SearchStructured(ctx context.Context, q *Structured) (*Answer, error) {
	b, err := g.filtering(true, q.Only)
	if err != nil {
		return nil, err
	}
	a := &Answer{}
	tried := map[string]bool{}
	for _, parts := range attempts {
		text, spans := q.text(parts)
		if text == "" {
			text = q.CountryCode
		}
		if text == "" || tried[text] {
			continue
		}
		tried[text] = true
		best, err := q.attempt(ctx, b, text, &spans, a)
		if err != nil {
			return nil, err
		}
		if best >= enough {
			break
		}
	}
	slices.SortStableFunc(a.Results, func(x, y Result) int {
		if x.Score == nil || y.Score == nil {
			return cmp.Compare(q.share(y.Parts), q.share(x.Parts))
		}
		return cmp.Compare(*y.Score, *x.Score)
	})
	a.setGaps()
	a.Results = a.Results[:min(len(a.Results), q.Limit)]
	return a, nil
}

// attempt adds the hits of a text to an answer, and gives the largest share of the parts that one of
// them meets.
func (q *Structured) attempt(ctx context.Context, b backend, text string, spans *[partCount]span, a *Answer) (best float64, err error) {
	f := &Forward{Text: text, Limit: MostResults, Lang: q.Lang, Bias: q.Bias, Box: q.Box, Only: q.Only, kinds: q.kinds(), parts: true}
	if _, here := b.(indexes); here {
		f.Limit = candidates
	}
	found, err := b.search(ctx, f)
	if err != nil {
		return 0, err
	}
	a.Attribution, a.Notes = found.Attribution, found.Notes
	for i := range found.Results {
		r := &found.Results[i]
		if q.CountryCode != "" && r.CountryCode != "" && r.CountryCode != q.CountryCode {
			continue
		}
		r.Parts = q.standing(r, spans)
		share := q.share(r.Parts)
		best = max(best, share)
		if r.Score != nil {
			score := *r.Score * (unmetShare + (1-unmetShare)*share)
			r.Score = &score
		}
		same := slices.IndexFunc(a.Results, func(o Result) bool { return o.ID == r.ID && o.At == r.At && o.Name == r.Name })
		switch {
		case same < 0:
			a.Results = append(a.Results, *r)
		case r.Score != nil && *r.Score > *a.Results[same].Score:
			a.Results[same] = *r
		}
	}
	return best, nil
}

// standing reports how a hit meets each part.
func (q *Structured) standing(r *Result, spans *[partCount]span) *Parts {
	p := &Parts{}
	for x := range partCount {
		if q.part(x) != "" {
			*p.of(x) = q.matchPart(r, x, spans[x])
		}
	}
	if q.CountryCode != "" {
		p.Country = Unmatched
		if r.CountryCode == q.CountryCode {
			p.Country = Matched
		}
	}
	if q.HouseNumber == "" {
		for i := range r.words { // a number in the street
			if w := &r.words[i]; w.From >= spans[partStreet].from && w.To <= spans[partStreet].to && w.Field == "house" {
				p.HouseNumber = meets(w, r.Kind, partHouse)
			}
		}
	}
	p.infer(r)
	return p
}

// matchPart reports how a hit meets one part: by two thirds of its words. A hit of which no words are
// known is compared by its texts.
func (q *Structured) matchPart(r *Result, x part, at span) PartMatch {
	if r.words == nil {
		if sameText(q.part(x), value(r, x)) {
			return Matched
		}
		return Unmatched
	}
	all, met, best := 0, 0, Unmatched
	for i := range r.words {
		w := &r.words[i]
		if w.From < at.from || w.From >= at.to || x == partStreet && w.Field == "house" {
			continue
		}
		all++
		switch s := meets(w, r.Kind, x); s {
		case Matched:
			met++
		case Inferred:
			best = s
		}
	}
	if met > 0 && 3*met >= 2*all {
		return Matched
	}
	return best
}

// share returns the weighted share of the parts asked for that a hit meets.
func (q *Structured) share(p *Parts) float64 {
	asked, met := 0.0, 0.0
	for x := range partCount {
		if q.part(x) == "" && !(x == partCountry && q.CountryCode != "") {
			continue
		}
		asked += weights[x]
		switch *p.of(x) {
		case Matched:
			met += weights[x]
		case Inferred:
			met += weights[x] / 2
		}
	}
	if asked == 0 {
		return 1
	}
	return met / asked
}
