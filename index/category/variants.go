package category

import (
	"slices"
	"strings"
)

// shops are the words for a shop of a language, of which people say the one or the other: at the
// end of a word or a phrase, or at its beginning.
var shops = map[string]struct{ ends, begins []string }{
	"en": {ends: []string{" shop", " store"}},
	"de": {ends: []string{"laden", "geschäft", "handlung", "händler", "fachgeschäft", "shop", "handel"}},
	"fr": {begins: []string{"magasin de ", "boutique de ", "marchand de "}},
	"es": {begins: []string{"tienda de ", "tiendas de "}},
	"it": {begins: []string{"negozio di ", "negozio per ", "bottega di "}},
	"nl": {ends: []string{"winkel", "zaak", "handel", "speciaalzaak"}},
	"pt": {begins: []string{"loja de ", "lojas de "}},
	"sv": {ends: []string{"affär", "butik", "handel", "handlare"}},
}

// Variants returns what is said as well for a shop as a saying with another word for it:
// "Blumengeschäft" for "Blumenladen".
func Variants(s Saying) []string {
	var all []string
	words := shops[s.Lang]
	for _, one := range words.ends {
		if stem, ok := strings.CutSuffix(s.Text, one); ok && len(strings.TrimSpace(stem)) >= leastStem {
			for _, other := range words.ends {
				all = append(all, stem+other)
			}
		}
	}
	for _, one := range words.begins {
		if rest, ok := strings.CutPrefix(s.Text, one); ok {
			for _, other := range words.begins {
				all = append(all, other+rest)
			}
		}
	}
	// "B&B" is "B and B".
	all = append(all, strings.Replace(s.Text, " and ", " & ", 1))
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(v string) bool { return v == s.Text })
}
