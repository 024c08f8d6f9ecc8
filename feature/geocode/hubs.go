package geocode

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// A city or town whose name alone is the query is followed by its transport
// hubs.
const (
	mostHubs      = 3
	airportsReach = 60_000 // metres
	stationsReach = 25_000
	wholeMatch    = 0.95 // quality of a match from which a name counts as typed in full
)

// addHubs lists the hubs of the first city among the results straight after it.
func (x indexes) addHubs(ctx context.Context, a *Answer, q *Forward) error {
	if strings.Contains(q.Text, ",") {
		return nil
	}
	at := slices.IndexFunc(a.Results, func(r Result) bool { return bareCity(&r, q.Text) })
	if at < 0 || at >= q.Limit-1 {
		return nil
	}
	city := a.Results[at]
	var found []Result
	for _, wanted := range []struct {
		category string
		metres   float64
		serves   func(*place.Place) bool
	}{
		{"aerodrome", airportsReach, func(p *place.Place) bool { return detail(p, "iata") != "" }},
		{"station", stationsReach, func(p *place.Place) bool { return slices.Contains(p.Categories, "railway") }},
	} {
		some, err := x.around(ctx, city.At, wanted.category, wanted.metres, q.Lang, func(p *place.Place) bool {
			return wanted.serves(p) && namedFor(p.Name, city.Name, q.Text) && !q.outside(p.At)
		})
		if err != nil {
			return err
		}
		found = append(found, some...)
	}
	found = found[:min(len(found), mostHubs)]
	// One that stands before the city by its own merit stays there, and one that
	// stands after it moves up.
	found = slices.DeleteFunc(found, func(hub Result) bool { return a.at(hub.ID, at) })
	after := slices.DeleteFunc(slices.Clone(a.Results[at+1:]), func(r Result) bool {
		return slices.ContainsFunc(found, func(hub Result) bool { return hub.ID == r.ID })
	})
	for i := range found {
		if j := slices.IndexFunc(a.Results, func(r Result) bool { return r.ID == found[i].ID }); j >= 0 {
			found[i] = a.Results[j] // which says why it was found
		}
		found[i].HubOf = city.ID
	}
	a.Results = slices.Concat(a.Results[:at+1], found, after)
	return nil
}

// at reports whether a place stands among the first n results.
func (a *Answer) at(id string, n int) bool {
	return slices.ContainsFunc(a.Results[:n], func(r Result) bool { return r.ID == id })
}

// bareCity reports whether a result is a city or a town, and the text its name and
// nothing else.
func bareCity(r *Result, text string) bool {
	if r.Kind != place.Locality || !slices.Contains(r.Categories, "city") && !slices.Contains(r.Categories, "town") {
		return false
	}
	matched := 0
	for _, m := range r.Match {
		if m.Field != "name" || m.Quality < wholeMatch {
			return false
		}
		matched += len(strings.Fields(m.Query))
	}
	return matched > 0 && matched >= len(strings.Fields(text))
}

// around returns the places of a category that are wanted, the nearest first.
func (x indexes) around(ctx context.Context, at geo.Point, category string, metres float64, lang string, wanted func(*place.Place) bool) ([]Result, error) {
	var all []Result
	near := geo.Around(at, metres)
	for i := range x {
		if !near.Intersects(x[i].Bounds) {
			continue
		}
		err := x[i].Index.Around(ctx, at, metres, []string{category}, lang, func(n place.Near) bool {
			if wanted(&n.Place) {
				all = append(all, Result{Place: n.Place, Metres: &n.Metres})
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Result) int { return cmp.Compare(*a.Metres, *b.Metres) })
	// Overlapping regions hold a place twice; how far it is from the city says
	// nothing to who did not ask for that.
	all = slices.CompactFunc(all, func(a, b Result) bool { return a.ID == b.ID })
	for i := range all {
		all[i].Metres = nil
	}
	return all, nil
}

func detail(p *place.Place, key string) string {
	for _, d := range p.Details {
		if d.Key == key {
			return d.Value
		}
	}
	return ""
}

// namedFor reports whether a name has that of a city in it as whole words, by either of two
// writings of the city.
func namedFor(name string, cities ...string) bool {
	name = " " + folded(name) + " "
	return slices.ContainsFunc(cities, func(city string) bool {
		city = folded(city)
		return city != "" && strings.Contains(name, " "+city+" ")
	})
}
