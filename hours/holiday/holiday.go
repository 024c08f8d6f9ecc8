// Package holiday computes the public holidays of countries, by which opening hours
// are judged: those of github.com/rickar/cal, and of some small countries that it
// does not have.
package holiday

import (
	"strings"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/bg"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/gr"
	"github.com/rickar/cal/v2/hr"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/lt"
	"github.com/rickar/cal/v2/lv"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/ro"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/si"
	"github.com/rickar/cal/v2/sk"
	"github.com/rickar/cal/v2/us"

	"github.com/waygate/waygate/hours"
)

// country is the holidays of a country: those of all of it, and those that its
// states have.
type country struct {
	all    []*cal.Holiday
	states map[string][]*cal.Holiday // by name, in small letters
}

// countries are by ISO 3166-1 alpha-2 code, in capitals.
var countries = map[string]country{
	"AD": {all: andorra}, "AT": {all: at.Holidays}, "BE": {all: be.Holidays}, "BG": {all: bg.Holidays}, "CZ": {all: cz.Holidays}, "DK": {all: dk.Holidays},
	"FI": {all: finland}, "FR": {all: fr.Holidays}, "GR": {all: gr.Holidays}, "HR": {all: hr.Holidays}, "IE": {all: ie.Holidays}, "IT": {all: it.Holidays}, "LI": {all: liechtenstein}, "LT": {all: lt.Holidays},
	"LU": {all: luxembourg}, "LV": {all: lv.Holidays}, "MT": {all: malta}, "NL": {all: nl.Holidays}, "NO": {all: no.Holidays}, "PL": {all: pl.Holidays}, "PT": {all: portugal}, "RO": {all: ro.Holidays}, "SE": {all: se.Holidays},
	"SI": {all: si.Holidays}, "SK": {all: sk.Holidays}, "US": {all: us.Holidays},
	"GB": {all: gb.Holidays, states: map[string][]*cal.Holiday{"england": gb.Holidays, "wales": gb.Holidays, "cymru": gb.Holidays, "cymru / wales": gb.Holidays}},
	"ES": {all: es.Holidays, states: map[string][]*cal.Holiday{
		"galicia": galicia, "andalucía": maundy, "comunidad de madrid": maundy, "castilla y león": maundy, "país vasco": maundy, "euskadi": maundy, "asturias": maundy, "extremadura": maundy,
		"catalunya": catalonia, "cataluña": catalonia, "comunitat valenciana": valencia,
	}},
	"CH": {all: ch.Holidays, states: map[string][]*cal.Holiday{
		"zürich": ch.HolidaysZH, "bern": ch.HolidaysBE, "bern/berne": ch.HolidaysBE, "luzern": ch.HolidaysLU, "uri": ch.HolidaysUR, "schwyz": ch.HolidaysSZ, "obwalden": ch.HolidaysOW,
	}},
	"DE": {all: de.Holidays, states: map[string][]*cal.Holiday{
		"baden-württemberg": de.HolidaysBW, "bayern": de.HolidaysBY, "berlin": de.HolidaysBE, "brandenburg": de.HolidaysBB, "bremen": de.HolidaysHB, "hamburg": de.HolidaysHH, "hessen": de.HolidaysHE,
		"mecklenburg-vorpommern": de.HolidaysMV, "niedersachsen": de.HolidaysNI, "nordrhein-westfalen": de.HolidaysNW, "rheinland-pfalz": de.HolidaysRP, "saarland": de.HolidaysSL, "sachsen": de.HolidaysSN,
		"sachsen-anhalt": de.HolidaysST, "schleswig-holstein": de.HolidaysSH, "thüringen": de.HolidaysTH,
	}},
}

// In returns the public holidays of a country, by its ISO 3166-1 alpha-2 code, and of
// a state of it by name; nil where nothing is known of the country. Where the
// country's states differ and this one is not known, what some of them have is
// Perhaps one here.
func In(code, state string) hours.Holidays {
	c, ok := countries[strings.ToUpper(code)]
	if !ok {
		return nil
	}
	surely, perhaps := c.all, [][]*cal.Holiday{}
	if own, known := c.states[strings.ToLower(state)]; known {
		surely = own
	} else {
		for _, list := range c.states {
			perhaps = append(perhaps, list)
		}
	}
	return func(day time.Time) hours.Fact {
		if has(surely, day) {
			return hours.Yes
		}
		for _, list := range perhaps {
			if has(list, day) {
				return hours.Perhaps
			}
		}
		return hours.No
	}
}

// has reports whether a day is one of some holidays, or the day that is free in the
// stead of one.
func has(list []*cal.Holiday, day time.Time) bool {
	y, m, d := day.Date()
	for _, h := range list {
		for year := y; year <= y+1; year++ { // a day off may lie in the year before its holiday
			actual, observed := h.Calc(year)
			for _, t := range [...]time.Time{actual, observed} {
				if ty, tm, td := t.Date(); ty == y && tm == m && td == d {
					return true
				}
			}
			if m != time.December {
				break
			}
		}
	}
	return false
}
