package translit_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/index/translit"
)

// words are folded words of other scripts, each with Latin ones that are the same.
var words = map[string]string{
	"αυξεντιου": "afxentiou auxentiou avxentiou", "μποτσαρη": "botsari mpotsari botsarh", "λογγου": "longou loggou", "ευαγγελιστριασ": "evangelistrias euaggelistrias",
	"курская": "kurskaya kurskaja kurskaia", "щорса": "shchorsa schorsa scorsa", "объездная": "obezdnaya obyezdnaya", "хрущева": "khrushcheva hrusceva", "џона": "dzona dzhona", "љубљана": "ljubljana",
	"незалежності": "nezalezhnosti nezaleznosti", "ъгъл": "agal ugul", "александр": "aleksandr alexandr",
	"ჭავჭავაძის": "chavchavadzis cavcavazis", "ღოღობერიძის": "ghoghoberidzis gogoberidzis", "հանրապետության": "hanrapetutyan hanrapetutian",
	"جمهوريه": "jumhuriyya gomhoreya gomhouria jumhuriyah", "محمد": "muhammad mohamed mohammed", "رشيد": "rashid rasheed alrashid arrashid", "הרצל": "herzl hertzel", "ז'בוטינסקי": "",
	"लकषमी": "lakshmi laxmi", "गांधी": "gandhi", "종로": "jongno", "세종대로": "sejongdaro",
}

// decomposed writes Hangul as folding does.
func decomposed(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0xac00 || r > 0xd7a3 {
			b.WriteRune(r)
			continue
		}
		n := r - 0xac00
		b.WriteRune(0x1100 + n/588)
		b.WriteRune(0x1161 + n%588/28)
		if n%28 > 0 {
			b.WriteRune(0x11a7 + n%28)
		}
	}
	return b.String()
}

func TestLike(t *testing.T) {
	for other, list := range words {
		other = decomposed(other)
		for latin := range strings.FieldsSeq(list) {
			m, ok := translit.New(latin)
			if !ok || m.Foreign() {
				t.Fatalf("%q is no Latin word", latin)
			}
			if cost := m.Like(other, translit.Typo-1); cost >= translit.Typo {
				t.Errorf("%q beside %q costs %d", latin, other, cost)
			}
			m, ok = translit.New(other)
			if !ok || !m.Foreign() {
				t.Fatalf("%q is of no other script", other)
			}
			if cost := m.Like(latin, translit.Typo-1); cost >= translit.Typo {
				t.Errorf("%q beside %q costs %d", other, latin, cost)
			}
		}
	}
}

func TestTypos(t *testing.T) {
	for _, c := range [][2]string{{"kurskja", "курская"}, {"kurskayaa", "курская"}, {"kusrkaya", "курская"}, {"kurzkaya", "курская"}, {"thesaloiniki", "θεσσαλονικη"}} {
		for _, pair := range [][2]string{c, {c[1], c[0]}} {
			m, _ := translit.New(pair[0])
			if cost := m.Like(pair[1], 100); cost < 1 || cost >= 3*translit.Typo {
				t.Errorf("%q beside %q costs %d", pair[0], pair[1], cost)
			}
		}
	}
	for _, c := range [][2]string{{"athina", "πατρα"}, {"moskva", "казань"}, {"mansurah", "اسكندريه"}, {"tbilisi", "ქუთაისი"}} {
		m, _ := translit.New(c[0])
		if cost := m.Like(c[1], 100); cost < 2*translit.Typo {
			t.Errorf("%q beside %q costs %d", c[0], c[1], cost)
		}
	}
}

func TestOtherWords(t *testing.T) {
	for _, word := range []string{"", "東京", "a b", "kurskaja-", strings.Repeat("a", translit.MaxLetters+1), "\xff"} {
		if _, ok := translit.New(word); ok {
			t.Errorf("%q is a word", word)
		}
	}
}

// FuzzLike compares any words: what a bound leaves out costs more than that.
func FuzzLike(f *testing.F) {
	for other, list := range words {
		for latin := range strings.FieldsSeq(list) {
			f.Add(latin, decomposed(other), 15)
			f.Add(decomposed(other), latin, 31)
		}
	}
	f.Add("алеф", "x\u0301", 0)
	f.Fuzz(func(t *testing.T, word, other string, most int) {
		m, ok := translit.New(word)
		if !ok {
			return
		}
		whole := m.Like(other, 1000)
		if whole < 0 {
			t.Errorf("%q beside %q costs %d", word, other, whole)
		}
		bounded := m.Like(other, most)
		if whole <= most && bounded != whole || whole > most && bounded <= most {
			t.Errorf("%q beside %q costs %d, and %d with at most %d", word, other, whole, bounded, most)
		}
	})
}
