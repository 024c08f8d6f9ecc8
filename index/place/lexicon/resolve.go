package lexicon

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/index/category"
	"github.com/waygate/waygate/index/place/fold"
)

// Resolve returns the categories that a word or a phrase for a kind of places stands for, as
// category.Kind has them: a word of the vocabulary in any form, or a category of the table or of
// an index, whose categories are sorted. What else is said of where the kind is looked for, such
// as "the nearest", does not count. Where the phrase is not understood, near gives up to five
// that are.
func Resolve(phrase string, index []string) (categories, near []string) {
	list := tokensOf(phrase)
	for _, said := range [][]Token{list, bare(list)} {
		if k := kindOf(said); k != nil {
			return k, nil
		}
		if c := categoryOf(said, index); c != "" {
			return []string{c}, nil
		}
		if n := len(said); n > 1 && (said[n-1].Whole == "shop" || said[n-1].Whole == "store") {
			if k := kindOf(said[:n-1]); k != nil {
				return k, nil
			}
		}
	}
	return nil, category.Near(phrase, index)
}

// Has reports whether the index has a place of any of some categories, as Resolve gives them.
func (x *kindTable) Has(categories []string) bool { return len(AnyOfThem(x.Category, categories)) > 0 }

func tokensOf(text string) []Token {
	var list []Token
	for _, w := range fold.Split(text) {
		list = append(list, Token{From: w.From, To: w.To, Text: w.Text, Whole: w.Whole})
	}
	return list
}

// kindOf returns the categories of the kind that tokens name, all together.
func kindOf(list []Token) []string {
	if len(list) == 0 {
		return nil
	}
	if s := sayings().at(list, false); s != nil && len(s.words) == len(list) {
		return category.All()[s.kind].Categories
	}
	return nil
}

// categoryOf returns the category that tokens are, in the singular or the plural: one of the
// table, or of an index.
func categoryOf(list []Token, index []string) string {
	var words []string
	for i := range list {
		words = append(words, list[i].Whole)
	}
	said := strings.Join(words, "_")
	for _, ending := range [...][2]string{{"", ""}, {"s", ""}, {"es", ""}, {"ies", "y"}, {"", "s"}} {
		stem, ok := strings.CutSuffix(said, ending[0])
		if !ok || stem == "" {
			continue
		}
		if _, ok := slices.BinarySearch(index, stem+ending[1]); ok || sayings().categories[stem+ending[1]] {
			return stem + ending[1]
		}
	}
	return ""
}

// bare leaves out what stands before and after a kind.
func bare(list []Token) []Token {
	v := sayings()
	for len(list) > 0 {
		s := v.at(list, true)
		if s == nil || len(s.words) == len(list) {
			break
		}
		list = list[len(s.words):]
	}
	for from := 1; from < len(list); from++ {
		if s := v.at(list[from:], true); s != nil && len(s.words) == len(list)-from {
			return list[:from]
		}
	}
	return list
}
