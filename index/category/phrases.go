// Package category knows what people call kinds of places, in the languages of narration, and
// which categories of an index of places they mean: "cash machine" is atm.
package category

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// known are the categories that phrases stand for, even where a region has no such place.
var known = func() map[string]bool {
	all := map[string]bool{"restaurant": true, "bank": true, "dentist": true, "school": true, "museum": true, "attraction": true, "kiosk": true, "cosmetics": true, "electronics": true}
	for _, list := range phrases {
		for token := range strings.FieldsSeq(list) {
			all[token] = true
		}
	}
	return all
}()

// mostSuggested is how many near phrases a refusal names.
const mostSuggested = 5

// Phrases calls yield for every phrase of the tables with the categories that it stands for,
// the most fitting first.
func Phrases(yield func(phrase string, categories []string) bool) {
	for phrase, list := range phrases {
		if !yield(phrase, strings.Fields(list)) {
			return
		}
	}
}

// Resolve gives the categories that a word or a phrase stands for; index has those of one
// region, sorted. Where the phrase is not understood near gives up to five that are.
func Resolve(phrase string, index []string) (categories, near []string) {
	said := fold(phrase)
	if list, ok := phrases[said]; ok {
		return strings.Fields(list), nil
	}
	token := strings.ReplaceAll(strings.TrimSpace(phrase), " ", "_")
	if has(index, token) || known[token] {
		return []string{token}, nil
	}
	for _, form := range forms(said) {
		if list, ok := phrases[form]; ok {
			return strings.Fields(list), nil
		}
		if token := strings.ReplaceAll(form, " ", "_"); has(index, token) || known[token] {
			return []string{token}, nil
		}
	}
	return nil, suggest(said, index)
}

func has(sorted []string, token string) bool {
	_, ok := slices.BinarySearch(sorted, token)
	return ok
}

// fold takes case, accents, signs and articles from what was said.
func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(strings.ReplaceAll(s, "&", " and "))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		default:
			b.WriteByte(' ')
		}
	}
	words := strings.Fields(b.String())
	for len(words) > 1 && slices.Contains(articles, words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

var articles = []string{"a", "an", "the", "some", "any", "nearest", "find", "get", "buy", "to", "der", "die", "das", "ein", "eine", "einen", "zum", "zur", "le", "la", "les", "un", "une", "des", "el", "los", "las", "una"}

// forms are the ways in which a phrase may stand in the table: as it is, and in
// the singular.
func forms(said string) []string {
	list := []string{said}
	for _, ending := range [][2]string{{"ies", "y"}, {"s", ""}, {"es", ""}, {" shop", ""}, {" store", ""}} {
		if short, ok := strings.CutSuffix(said, ending[0]); ok && short != "" {
			list = append(list, short+ending[1])
		}
	}
	return append(list, said+"s")
}

// suggest gives the phrases and tokens nearest to what was said.
func suggest(said string, index []string) []string {
	type near struct {
		text string
		far  int
	}
	var all []near
	most := max(2, len([]rune(said))/3)
	seen := map[string]bool{}
	add := func(text string) {
		plain := strings.ReplaceAll(text, "_", " ")
		if seen[plain] {
			return
		}
		seen[plain] = true
		switch d := distance(said, plain); {
		case d <= most:
			all = append(all, near{text, d})
		case len(said) >= 3 && strings.Contains(plain, said), strings.Contains(" "+said+" ", " "+plain+" "):
			all = append(all, near{text, most + 1})
		}
	}
	for p := range phrases {
		add(p)
	}
	for t := range known {
		add(t)
	}
	for _, t := range index {
		add(t)
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.text, b.text)) })
	var list []string
	for _, n := range all[:min(len(all), mostSuggested)] {
		list = append(list, n.text)
	}
	return list
}

// distance is Levenshtein's, over the first letters.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), 40)], y[:min(len(y), 40)]
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(y)]
}
