package embedded

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// countries are the codes of ISO 3166-1, of two and of three letters, English
// names, and mph where limits are posted in miles an hour: those of the borders
// that an import finds countries by.
//
//go:embed countries.tsv
var countries string

// nation is what an answer tells of one.
type nation struct {
	code, alpha3, name string
	mph                bool
}

// nationOf gives the country of a code as the graph packs it. One that is not
// in the list has its code for a name.
func nationOf(number uint16) nation {
	if c, ok := byNumber()[number]; ok {
		return c
	}
	code := string([]byte{byte(number >> 8), byte(number)})
	return nation{code: code, name: code}
}

var byNumber = sync.OnceValue(func() map[uint16]nation {
	all := map[uint16]nation{}
	for row := range strings.Lines(countries) {
		code, rest, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		alpha3, rest, _ := strings.Cut(rest, "\t")
		name, unit, _ := strings.Cut(rest, "\t")
		all[uint16(code[0])<<8|uint16(code[1])] = nation{code, alpha3, name, unit == "mph"}
	}
	return all
})

// appendCountries lists the countries that a path goes through, in the order in
// which it comes to each first. Where the country is not known, as on the high
// seas, is in none.
func appendCountries(dst []uint16, g *graph.Graph, path graph.Path) []uint16 {
	last := uint16(0)
	for i := range path {
		c := g.Country[g.Segment(path[i].Edge)]
		if c == 0 || c == last {
			continue
		}
		last = c
		if !slices.Contains(dst, c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// nativeAdmin is a country of a leg. States are not known.
type nativeAdmin struct {
	CountryCode string `json:"country_code"`
	CountryText string `json:"country_text"`
	StateCode   string `json:"state_code"`
	StateText   string `json:"state_text"`
}

// nativeCrossing is where a leg goes from one of its countries into another:
// the border lies between two points of its line.
type nativeCrossing struct {
	From  int `json:"from_admin_index"`
	To    int `json:"to_admin_index"`
	Begin int `json:"begin_shape_index"`
	End   int `json:"end_shape_index"`
}

// nativeAdmins gives the countries of a leg and where it crosses their borders.
func nativeAdmins(g *graph.Graph, path graph.Path, line *guide.Line) (admins []nativeAdmin, crossings []nativeCrossing) {
	list := appendCountries(nil, g, path)
	admins = make([]nativeAdmin, len(list))
	for i, c := range list {
		known := nationOf(c)
		admins[i] = nativeAdmin{CountryCode: known.code, CountryText: known.name}
	}
	last, at := uint16(0), 0
	for i := range path {
		c := g.Country[g.Segment(path[i].Edge)]
		if c == 0 {
			continue
		}
		if last != 0 && c != last {
			crossings = append(crossings, nativeCrossing{
				From: slices.Index(list, last), To: slices.Index(list, c),
				Begin: line.Step[at], End: line.Step[i+1],
			})
		}
		last, at = c, i
	}
	return admins, crossings
}

// admins writes the countries of a leg as the compatible face does.
func (w *compatibleWriter) admins() {
	w.put(`,"admins":[`)
	for i, c := range w.countries {
		w.comma(i)
		known := nationOf(c)
		w.text(`{"iso_3166_1":`, known.code)
		w.optional(`,"iso_3166_1_alpha3":`, known.alpha3)
		w.put(`}`)
	}
	w.put(`]`)
}

// posted writes how limits are posted where a step begins: the shape of the
// sign, by the American manual or by the convention of Vienna, and the unit.
func (w *compatibleWriter) posted(e uint32) {
	number := w.g.Country[w.g.Segment(e)]
	if number == 0 {
		return
	}
	c, sign, unit := nationOf(number), "vienna", "km/h"
	switch c.code {
	case "US", "AS", "GU", "MP", "PR", "VI", "CA", "LR":
		sign = "mutcd"
	}
	if c.mph {
		unit = "mph"
	}
	w.text(`,"speedLimitSign":`, sign)
	w.text(`,"speedLimitUnit":`, unit)
}

// admin writes the place of an edge's country among those of the leg.
func (w *compatibleWriter) admin(e uint32) {
	if i := slices.Index(w.countries, w.g.Country[w.g.Segment(e)]); i >= 0 {
		w.whole(`,"admin_index":`, i)
	}
}
