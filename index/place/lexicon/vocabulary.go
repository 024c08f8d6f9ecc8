package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/waygate/waygate/index/category"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
)

// saying is a phrase for a kind of places, or beside one.
type saying struct {
	category.Saying
	words   []fold.Word
	key     string        // the words, unabbreviated, by which sayings are sorted
	kind    int           // of category.All
	variant bool          // it has another word for a shop than the table
	place   int           // among those of its kind
	role    category.Role // of what stands beside kinds, 0 for a kind

	spelling fold.Spelling // of the one word, where there is one
}

// vocabulary has the phrases for kinds of places, folded as names are.
type vocabulary struct {
	begin  map[string][]*saying // kinds and what stands beside them, by how the first word begins, the longest first
	sorted []*saying            // kinds, by their keys
	single []*saying            // kinds of one word

	categories map[string]bool // those that kinds stand for
}

// sayings is the vocabulary of all indexes.
var sayings = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{begin: map[string][]*saying{}, categories: map[string]bool{}}
	for _, key := range category.Keys {
		v.categories[key] = true
	}
	for i, k := range category.All() {
		for _, c := range k.Categories {
			first, _, _ := strings.Cut(c, "+")
			v.categories[first] = true
		}
		for n, s := range k.Sayings {
			v.add(&saying{Saying: s, kind: i, place: n})
			for _, text := range category.Variants(s) {
				v.add(&saying{Saying: category.Saying{Lang: s.Lang, Text: text}, kind: i, variant: true, place: n})
			}
		}
	}
	for role, list := range category.Beside {
		for _, text := range list {
			v.add(&saying{Saying: category.Saying{Text: text}, role: role})
		}
	}
	for _, list := range v.begin {
		slices.SortStableFunc(list, func(a, b *saying) int {
			return cmp.Or(cmp.Compare(len(b.words), len(a.words)), cmp.Compare(a.role, b.role), cmp.Compare(variantRank(a), variantRank(b)))
		})
	}
	slices.SortStableFunc(v.sorted, func(a, b *saying) int { return strings.Compare(a.key, b.key) })
	return v
})

func (v *vocabulary) add(s *saying) {
	s.words = fold.Split(s.Text)
	for i, w := range s.words {
		if i > 0 {
			s.key += " "
		}
		s.key += w.Whole
	}
	first := beginning(s.words[0].Whole)
	v.begin[first] = append(v.begin[first], s)
	if s.role != 0 {
		return
	}
	v.sorted = append(v.sorted, s)
	if len(s.words) == 1 {
		s.spelling = fold.SpellingOf(s.words[0].Text)
		v.single = append(v.single, s)
	}
}

// variantRank puts what the table has before its variants.
func variantRank(s *saying) int {
	if s.variant {
		return 1
	}
	return 0
}

// beginning returns the first letters of a word, by which its sayings are found.
func beginning(word string) string { return word[:min(len(word), 3)] }

// at returns the longest saying that stands at the beginning of some tokens, for a kind or beside
// one; nil for none. Of those as long one that is said as it stands counts.
func (v *vocabulary) at(list []Token, beside bool) *saying {
	if list[0].Whole == "" {
		return nil
	}
	var found *saying
	for _, s := range v.begin[beginning(list[0].Whole)] {
		if (s.role != 0) != beside || len(s.words) > len(list) {
			continue
		}
		if found != nil && len(s.words) < len(found.words) {
			break
		}
		switch same, form := s.matches(list); {
		case same:
			return s
		case form && found == nil:
			found = s
		}
	}
	return found
}

// matches reports whether tokens begin with a saying as it is, or in another form of its words.
func (s *saying) matches(list []Token) (same, form bool) {
	same = true
	for i := range s.words {
		w, t := &s.words[i], &list[i]
		if w.Whole == t.Whole || w.Text == t.Text {
			continue
		}
		if s.role != 0 || t.Whole == "" || !category.Inflects(s.Lang, w.Whole, t.Whole) {
			return false, false
		}
		same = false
	}
	return same, true
}

// AnyOf is a kind of places in one index: sets of texts of categories, of which a place has all
// of one.
type AnyOf [][]uint32

// kindTable is an index with the kinds of places that it has.
type kindTable struct {
	*place.Index
	kinds []AnyOf          // what the kinds of the vocabulary are here
	own   map[string]AnyOf // categories by their words
}

// nameKinds finds what the kinds of the vocabulary are in the index, and the words for the
// categories that have none there.
func (x *kindTable) nameKinds() {
	x.kinds = make([]AnyOf, 0, len(category.All()))
	for _, k := range category.All() {
		x.kinds = append(x.kinds, AnyOfThem(x.Category, k.Categories))
	}
	x.own = map[string]AnyOf{}
	for k, c := range x.KindsOf {
		// A river's name has the word for a river, and is no search for a kind of places.
		if !slices.ContainsFunc(x.OfCategory[x.OfFrom[k]:x.OfFrom[k+1]], func(r uint32) bool { return x.Records[r].Marks()&place.MarkByName == 0 }) {
			continue
		}
		x.own[strings.ReplaceAll(x.Text(c), "_", " ")] = AnyOf{{c}}
	}
}

// AnyOfThem returns the sets that categories stand for, by the texts of those of an index. A part
// with a key, such as religion=christian, counts only where the index has categories of that
// key, as one of an older version has not.
func AnyOfThem(text func(category string) (uint32, bool), categories []string) AnyOf {
	var kind AnyOf
	for _, c := range categories {
		var set []uint32
		for part := range strings.SplitSeq(c, "+") {
			key, value, keyed := strings.Cut(part, "=")
			if keyed {
				if _, known := text(key); !known {
					continue
				}
				part = value
			}
			at, ok := text(part)
			if !ok {
				set = nil
				break
			}
			set = append(set, at)
		}
		if len(set) > 0 {
			kind = append(kind, set)
		}
	}
	return kind
}

// Category returns the text of a category of the index.
func (x *kindTable) Category(c string) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(x.KindsOf, c, func(at uint32, c string) int { return strings.Compare(x.Text(at), c) })
	if !ok {
		return place.None, false
	}
	return x.KindsOf[i], true
}

// IsOf returns the place of the first set of a kind that a list of categories has all of, -1 where
// it has none.
func (x *kindTable) IsOf(list uint32, kind AnyOf) int {
	has := x.Lists[x.ListFrom[list]:x.ListFrom[list+1]]
	for i, set := range kind {
		if !slices.ContainsFunc(set, func(c uint32) bool { return !slices.Contains(has, c) }) {
			return i
		}
	}
	return -1
}

// Mask spreads the categories of a kind over the bits of the tree of points of interest.
func (kind AnyOf) Mask() uint64 {
	m := uint64(0)
	for _, set := range kind {
		m |= place.MaskOf(set[0])
	}
	return m
}

// findKinds finds the kinds of places that tokens name, alone or with the next: "pub", "pubs",
// "petrol station". Of several sayings the longest counts. Beside kinds it finds what else is
// said of where they are looked for.
func (x *kindTable) findKinds(list []Token, typing bool) {
	v := sayings()
	any := false
	for i := 0; i < len(list); {
		n := 1
		kind, words := x.kindAt(v, list[i:])
		guess := false
		if typing {
			if begun, all := x.kindBegun(v, list[i:]); all > words {
				kind, words, guess = begun, all, true
			}
		}
		if kind != nil {
			for k := range words {
				list[i+k].Kind, list[i+k].Guess = kind, guess
			}
			n, any = words, true
		}
		i += n
	}
	if !any {
		return
	}
	for i := 0; i < len(list); {
		n := 1
		if s := v.at(list[i:], true); s != nil && list[i].Kind == nil {
			for n = 0; n < len(s.words) && list[i+n].Kind == nil; n++ {
				list[i+n].Role = s.role
			}
		}
		i += n
	}
}

// leastKindTyped is how many letters of a kind are typed at least before its places are
// suggested.
const leastKindTyped = 4

// kindBegun returns the kind whose words tokens begin, of an unfinished text: all of them, or the
// first alone.
func (x *kindTable) kindBegun(v *vocabulary, list []Token) (AnyOf, int) {
	last := len(list) - 1
	if list[last].Unfinished && last > 0 && last < mostKindWords {
		key := list[0].Whole
		for i := 1; i <= last; i++ {
			key += " " + list[i].Whole
		}
		if kind := x.firstBegun(v, key); kind != nil {
			return kind, len(list)
		}
	}
	if kind := x.firstBegun(v, list[0].Whole); kind != nil {
		return kind, 1
	}
	return nil, 0
}

// mostKindWords is how many words a kind that is typed has at most.
const mostKindWords = 6

// firstBegun returns the kind of the first saying that begins with a key.
func (x *kindTable) firstBegun(v *vocabulary, key string) AnyOf {
	if len(key) < leastKindTyped {
		return nil
	}
	for i, _ := slices.BinarySearchFunc(v.sorted, key, bySayingKey); i < len(v.sorted) && strings.HasPrefix(v.sorted[i].key, key); i++ {
		if kind := x.kinds[v.sorted[i].kind]; len(kind) > 0 {
			return kind
		}
	}
	return nil
}

func bySayingKey(s *saying, key string) int { return strings.Compare(s.key, key) }

// kindAt returns the kind that the first tokens name, and how many they are.
func (x *kindTable) kindAt(v *vocabulary, list []Token) (AnyOf, int) {
	if s := v.at(list, false); s != nil && len(x.kinds[s.kind]) > 0 {
		return x.kinds[s.kind], len(s.words)
	}
	text := list[0].Whole
	if text == "" {
		return nil, 0
	}
	if kind := x.ownKind(text); kind != nil {
		return kind, 1
	}
	if len(list) > 1 {
		if kind := x.ownKind(text + " " + list[1].Whole); kind != nil {
			return kind, 2
		}
	}
	return nil, 0
}

// ownKind returns the category of an index that words are, in the singular or the plural.
func (x *kindTable) ownKind(words string) AnyOf {
	for _, ending := range [...][2]string{{"", ""}, {"s", ""}, {"es", ""}, {"ies", "y"}} {
		if stem, ok := strings.CutSuffix(words, ending[0]); ok {
			if kind := x.own[stem+ending[1]]; kind != nil {
				return kind
			}
		}
	}
	return nil
}

// leastKindTypo is how many letters the word for a kind has at least that may be mistyped.
const leastKindTypo = 6

// kindLike returns the kind whose word a mistyped one is like.
func (x *kindTable) kindLike(text string) AnyOf {
	typed := fold.SpellingOf(text)
	for _, s := range sayings().single {
		if typed.OneTypo(&s.spelling) && len(x.kinds[s.kind]) > 0 {
			return x.kinds[s.kind]
		}
	}
	return nil
}

// AsksForOpen reports whether tokens ask for what is open: "open now" beside a kind.
func AsksForOpen(list []Token) bool {
	return slices.ContainsFunc(list, func(t Token) bool { return t.Role == category.Open })
}
