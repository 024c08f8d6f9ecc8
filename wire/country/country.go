// Package country has the facts of countries that answers have beside their codes.
package country

import (
	_ "embed"
	"strings"
	"sync"
)

// table has the codes of ISO 3166-1, of two and of three letters, English
// names, and mph where limits are posted in miles an hour: of the borders that
// an import finds countries by.
//
//go:embed countries.tsv
var table string

// Country is one of them.
type Country struct {
	Alpha3 string // ISO 3166-1 of three letters; "" where not known
	Name   string // in English
	MPH    bool   // limits are posted in miles an hour
}

// Of returns the country of a code of two letters. One that is not in the list
// has its code for a name.
func Of(code string) Country {
	if c, ok := all()[code]; ok {
		return c
	}
	return Country{Name: code}
}

// Find returns the code of two letters of a country by either code or its English name, whatever
// their case.
func Find(text string) (code string, ok bool) {
	code, ok = found()[strings.ToUpper(text)]
	return code, ok
}

// found is the codes by what Find takes: those of ISO 3166-1, UK, which people write for GB,
// and names.
var found = sync.OnceValue(func() map[string]string {
	by := map[string]string{"UK": "GB"}
	for code, c := range all() {
		for _, text := range []string{code, c.Alpha3, strings.ToUpper(c.Name)} {
			if text != "" {
				by[text] = code
			}
		}
	}
	return by
})

var all = sync.OnceValue(func() map[string]Country {
	list := map[string]Country{}
	for row := range strings.Lines(table) {
		code, rest, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		alpha3, rest, _ := strings.Cut(rest, "\t")
		name, unit, _ := strings.Cut(rest, "\t")
		list[code] = Country{alpha3, name, unit == "mph"}
	}
	return list
})
