package geocode

import (
	"strings"

	"github.com/waygate/waygate/index/place"
)

// PartMatch is how a place meets a part of an address that was asked for.
type PartMatch string

// The standings; "" is that the part was not asked for, and that the place has none.
const (
	Matched   PartMatch = "matched"
	Inferred  PartMatch = "inferred"  // not asked for, and known of the place; or a house that stands for the one asked for, such as 2-6 for 4, or the district of a postcode that is not known
	Unmatched PartMatch = "unmatched" // asked for, and not what the place has
)

// Parts is how a place meets each part of an address.
type Parts struct{ Name, HouseNumber, Street, City, Postcode, State, Country PartMatch }

// Qualities from which what was asked for counts as met.
const (
	sameWord  = 0.75 // of a word, one typo away or in what lies around
	sameHouse = 0.99
	likeHouse = 0.7 // of a range that holds the number, or the number with another letter
	sameCode  = 0.99
	likeCode  = 0.69 // of the district that holds the code
)

// part is one of the parts of an address.
type part int

const (
	partName part = iota
	partHouse
	partStreet
	partCity
	partPostcode
	partState
	partCountry
	partCount
)

func (p *Parts) of(x part) *PartMatch {
	return [partCount]*PartMatch{&p.Name, &p.HouseNumber, &p.Street, &p.City, &p.Postcode, &p.State, &p.Country}[x]
}

// value returns a part of a place's address; "" is none.
func value(r *Result, x part) string {
	switch x {
	case partName:
		if r.Kind == place.POI {
			return r.Name
		}
	case partHouse:
		return r.House
	case partStreet:
		if r.Kind == place.Street {
			return r.Name
		}
		return r.Street
	case partCity:
		if r.Kind == place.Locality {
			return r.Name
		}
		return r.Locality
	case partPostcode:
		return r.Postcode
	case partState:
		return r.State
	case partCountry:
		return r.CountryCode
	}
	return ""
}

// meets returns how a word that met a field of a place stands for a part of an address.
func meets(w *place.Word, kind place.Kind, x part) PartMatch {
	named := w.Field == "name"
	least := sameWord
	fits := false
	switch x {
	case partName:
		fits = named && kind == place.POI || w.Field == "category"
	case partHouse:
		if fits = w.Field == "house"; fits && w.Quality < sameHouse && w.Quality >= likeHouse {
			return Inferred
		}
		least = sameHouse
	case partStreet:
		fits = w.Field == "street" || named && (kind == place.Street || kind == place.Address)
	case partCity:
		fits = w.Field == "locality" || named && (kind == place.Locality || kind == place.Area)
	case partPostcode:
		if fits, least = w.Field == "postcode", sameCode; fits && w.Quality < sameCode && w.Quality >= likeCode {
			return Inferred
		}
	case partState:
		fits = w.Field == "state" || w.Field == "locality" || named && kind == place.Area
	case partCountry:
		fits = w.Field == "country" || named && kind == place.Area
	}
	if fits && w.Quality >= least {
		return Matched
	}
	return Unmatched
}

// freeParts reports how a hit meets the parts of an address in a text that nobody parted: what its
// words met are parts. Words that met nothing are of the street where its name has words that were
// not asked for. Else those before what was met are a name, and those behind it are of the city. It is
// nil where nothing is known of the words.
func freeParts(r *Result) *Parts {
	if len(r.words) == 0 {
		return nil
	}
	p := &Parts{}
	house, code, before, behind := false, false, false, false
	left := len(strings.Fields(folded(value(r, partStreet)))) // words of the street that were not asked for
	for i := range r.words {
		w := &r.words[i]
		if meets(w, r.Kind, partStreet) == Matched {
			left--
		}
		if r.Kind == place.Area && w.Field == "name" { // a county, a state, a country
			p.State = Matched
			continue
		}
		for _, x := range []part{partName, partStreet, partCity, partPostcode, partCountry} {
			if meets(w, r.Kind, x) == Matched {
				*p.of(x) = Matched
			}
		}
		if w.Field == "state" {
			p.State = Matched
		}
		switch {
		case w.Field == "house":
			p.HouseNumber = meets(w, r.Kind, partHouse)
		case w.Field == "postcode" && p.Postcode != Matched && meets(w, r.Kind, partPostcode) == Inferred:
			p.Postcode = Inferred
		case w.Field == "postcode" && p.Postcode != Matched, w.Field == "" && w.Code:
			code = true
		case w.Field == "" && w.House:
			house = true
		case w.Field == "" && p.Street == "" && p.Name == "":
			before = true
		case w.Field == "":
			behind = true
		}
	}
	unmet := func(x part, some bool) {
		if s := p.of(x); some && *s == "" {
			*s = Unmatched
		}
	}
	unmet(partHouse, house)
	unmet(partPostcode, code)
	switch rest := before || behind; {
	case !rest || r.Kind == place.Area:
	case p.Street == Matched && left > 0:
		p.Street = Unmatched
	case p.Street == Matched:
		unmet(partName, before)
		unmet(partCity, behind)
	default:
		unmet(partCity, true)
		unmet(partStreet, r.Kind != place.POI)
	}
	p.infer(r)
	return p
}

// unmet lists the words of a text that met nothing of a hit, those that stand together as one.
func unmet(text string, words []place.Word) (all []string) {
	last := -1 // where the last of them ends
	for i := range words {
		w := &words[i]
		if w.Field != "" {
			last = -1
			continue
		}
		if last >= 0 && !strings.ContainsAny(text[last:w.From], ",;") {
			from := len(text[:last]) - len(all[len(all)-1])
			all[len(all)-1] = text[from:w.To]
		} else {
			all = append(all, text[w.From:w.To])
		}
		last = w.To
	}
	return all
}

// infer fills in what was not asked for and the place has.
func (p *Parts) infer(r *Result) {
	for x := range partCount {
		if s := p.of(x); *s == "" && value(r, x) != "" {
			*s = Inferred
		}
	}
}

// setGaps notes by how much each score is above the next.
func (a *Answer) setGaps() {
	for i := 1; i < len(a.Results); i++ {
		if r := &a.Results[i-1]; r.Score != nil && a.Results[i].Score != nil {
			gap := max(0, *r.Score-*a.Results[i].Score)
			r.Gap = &gap
		}
	}
}

// sameText reports whether what was asked for is what is there, or a part of it in whole words.
func sameText(asked, there string) bool {
	asked, there = folded(asked), folded(there)
	return asked != "" && strings.Contains(" "+there+" ", " "+asked+" ")
}
