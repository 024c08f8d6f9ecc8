package lexicon

import (
	"cmp"
	"slices"
	"strings"

	"github.com/waygate/waygate/index/category"
)

// KindWord is a kind of places that a text is, or begins, in what people say for it.
type KindWord struct {
	Text       string   // as it is written: "petrol station"
	Lang       string   // of the word
	Categories []string // as category.Kind has them
	Places     int      // of the most fitting category that the index has, at the least
}

// Bounds of KindWords.
const (
	leastKindWord = 2   // bytes of a text that a kind is looked for by
	mostSayings   = 500 // that are looked at
)

// KindWords returns the kinds that the index has places of whose words a text is or begins, each
// once, at most limit: what the text is as it stands before what it begins, words of lang before
// those of others, and then those of the most places. What stands beside a kind, such as
// "nearest", does not count.
func (x *kindTable) KindWords(text, lang string, limit int) []KindWord {
	list := bare(tokensOf(text))
	key := ""
	for i := range list {
		if i > 0 {
			key += " "
		}
		key += list[i].Whole
	}
	if len(key) < leastKindWord {
		return nil
	}
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	type found struct {
		*saying
		places int
	}
	var all []found
	v := sayings()
	from, _ := slices.BinarySearchFunc(v.sorted, key, bySayingKey)
	for _, s := range v.sorted[from:min(len(v.sorted), from+mostSayings)] {
		if !strings.HasPrefix(s.key, key) {
			break
		}
		if kind := x.kinds[s.kind]; len(kind) > 0 {
			all = append(all, found{s, x.places(kind)})
		}
	}
	short := func(f found) int { // the rank of a word
		switch {
		case f.key == key:
			return 0
		case f.Lang == lang:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(short(a), short(b)), cmp.Compare(b.places, a.places), cmp.Compare(variantRank(a.saying), variantRank(b.saying)), cmp.Compare(a.place, b.place), strings.Compare(a.key, b.key))
	})
	var out []KindWord
	seen := map[int]bool{}
	for _, f := range all {
		if !seen[f.kind] && len(out) < limit {
			seen[f.kind] = true
			out = append(out, KindWord{f.Text, f.Lang, category.All()[f.kind].Categories, f.places})
		}
	}
	return out
}

// places returns how many places have the first category of a kind.
func (x *kindTable) places(kind AnyOf) int {
	k, ok := slices.BinarySearchFunc(x.KindsOf, kind[0][0], func(at, c uint32) int { return strings.Compare(x.Text(at), x.Text(c)) })
	if !ok {
		return 0
	}
	return int(x.OfFrom[k+1] - x.OfFrom[k])
}
