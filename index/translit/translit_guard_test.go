package translit_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/index/translit"
)

// Words of digits and letters of several scripts are compared without a panic, a bound leaves out
// nothing that costs less, and the cost of a word that is put letter by letter is that of Like.
func TestMixedWords(t *testing.T) {
	letters := rapid.SampledFrom([]rune("aeklrstxhzjcu019кряющаеъґљελξμπمحدالשרगध종"))
	rapid.Check(t, func(t *rapid.T) {
		word, other := rapid.StringOfN(letters, 1, 6, -1).Draw(t, "word"), rapid.StringOfN(letters, 1, 6, -1).Draw(t, "other")
		m, ok := translit.New(word)
		if !ok {
			return
		}
		if n := len([]rune(word)); m.Letters() != n {
			t.Fatalf("%q has %d letters", word, m.Letters())
		}
		whole := m.Like(other, 1000)
		least, depth := 0, 0
		for _, r := range other {
			depth++
			if l := m.Put(depth, r); l < least {
				t.Fatalf("%q beside %q: the least cost falls from %d to %d", word, other, least, l)
			} else {
				least = max(least, l)
			}
		}
		if cost := m.Cost(depth); cost != whole || cost < least {
			t.Fatalf("%q beside %q costs %d, put letter by letter %d and at least %d", word, other, whole, cost, least)
		}
		if m.CostOf(0, 0) != 0 {
			t.Fatalf("nothing beside nothing costs %d", m.CostOf(0, 0))
		}
		most := rapid.IntRange(0, 60).Draw(t, "most")
		if bounded := m.Like(other, most); whole <= most && bounded != whole || whole > most && bounded <= most {
			t.Fatalf("%q beside %q costs %d, and %d with at most %d", word, other, whole, bounded, most)
		}
	})
}

// Digits are no letters of a script: they are the same or a typo, also where they change places
// with a letter.
func TestDigitsBesideLetters(t *testing.T) {
	for _, c := range []struct {
		word, other string
		same        bool
	}{{"1к", "1k", true}, {"к1", "k1", true}, {"1к", "k1", false}, {"к1", "1k", false}, {"12к", "1k2", false}, {"1к", "2k", false}, {"17к1", "17k1", true}} {
		for _, pair := range [][2]string{{c.word, c.other}, {c.other, c.word}} {
			m, ok := translit.New(pair[0])
			if !ok {
				t.Fatalf("%q is no word", pair[0])
			}
			if cost := m.Like(pair[1], 100); c.same != (cost < translit.Typo) {
				t.Errorf("%q beside %q costs %d", pair[0], pair[1], cost)
			}
		}
	}
}

// Two letters that have changed places are one typo, a letter too many, too few or another is one,
// and a doubled letter is less than one.
func TestCostsOfTypos(t *testing.T) {
	same, ok := translit.New("moskva")
	if !ok || same.Foreign() {
		t.Fatal("moskva is no Latin word")
	}
	base := same.Like("москва", 1000)
	for other, want := range map[string][2]int{
		"мсоква": {translit.Typo, translit.Typo}, "моксва": {translit.Typo, translit.Typo}, "москвва": {1, translit.Typo - 1}, "мосскваа": {2, 2*translit.Typo - 2},
		"москвта": {translit.Typo, translit.Typo}, "мосва": {translit.Typo, translit.Typo}, "моства": {translit.Typo, translit.Typo}, "москва": {0, 0}, "мсокав": {2 * translit.Typo, 2 * translit.Typo},
	} {
		if cost := same.Like(other, 1000) - base; cost < want[0] || cost > want[1] {
			t.Errorf("moskva beside %q costs %d more than beside its own, want %d to %d", other, cost, want[0], want[1])
		}
	}
}
