package category

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// mostSuggested is how many near words a refusal names.
const mostSuggested = 5

// Near gives up to five words of the table, or of some further categories, that are written like
// what was said, the nearest first.
func Near(said string, further []string) []string {
	type near struct {
		text string
		far  int
	}
	said = plain(said)
	if said == "" {
		return nil
	}
	var all []near
	most := max(2, len([]rune(said))/3)
	seen := map[string]bool{}
	add := func(text string) {
		folded := plain(text)
		if seen[folded] {
			return
		}
		seen[folded] = true
		switch d := distance(said, folded); {
		case d <= most:
			all = append(all, near{text, d})
		case len(said) >= 3 && strings.Contains(folded, said), strings.Contains(" "+said+" ", " "+folded+" "):
			all = append(all, near{text, most + 1})
		}
	}
	for _, k := range All() {
		for _, s := range k.Sayings {
			add(s.Text)
		}
	}
	for _, c := range further {
		add(c)
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.text, b.text)) })
	var list []string
	for _, n := range all[:min(len(all), mostSuggested)] {
		list = append(list, n.text)
	}
	return list
}

// plain takes case, accents and signs from a text.
func plain(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
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
