package places

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// otherNamesOf has the other names of countries that people use.
var otherNamesOf = map[string][]string{
	"GB": {"UK", "Great Britain", "Britain"}, "US": {"USA", "America"}, "NL": {"Holland"}, "CZ": {"Czech Republic"}, "AE": {"UAE"},
}

// countryNames returns the names of a country in English and in its own language.
func countryNames(code string) []string {
	names := otherNamesOf[code]
	region, err := language.ParseRegion(code)
	if err != nil {
		return names
	}
	names = append(names[:len(names):len(names)], display.English.Regions().Name(region))
	if own, err := language.Compose(region); err == nil {
		base, _ := own.Base()
		if namer := display.Regions(language.Make(base.String())); namer != nil {
			names = append(names, namer.Name(region))
		}
	}
	return names
}
