package place

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

// distance is the number of typos between two words, by the whole table (optimal
// string alignment).
func distance(a, b string) int {
	p, q := []rune(a), []rune(b)
	rows := make([][]int, len(p)+1)
	for i := range rows {
		rows[i] = make([]int, len(q)+1)
		rows[i][0] = i
	}
	for j := range q {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(p); i++ {
		for j := 1; j <= len(q); j++ {
			cost := 1
			if p[i-1] == q[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j-1]+cost, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && p[i-1] == q[j-2] && p[i-2] == q[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(p)][len(q)]
}

// TestTypos compares the walk over the terms with a look at each.
func TestTypos(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	letters := []rune("abcé中")
	word := func(most int) string {
		w := make([]rune, 1+r.IntN(most))
		for i := range w {
			w[i] = letters[r.IntN(len(letters))]
		}
		return string(w)
	}
	var terms []string
	for range 600 {
		terms = append(terms, word(7))
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	x := &Index{termFrom: []uint32{0}, postFrom: make([]uint32, len(terms)+1)}
	for _, w := range terms {
		x.terms = append(x.terms, w...)
		x.termFrom = append(x.termFrom, uint32(len(x.terms)))
	}
	for range 400 {
		q := word(8)
		for most := 1; most <= 2; most++ {
			got := map[uint32]bool{}
			for _, a := range x.typos(q, most, false, func(int) float32 { return 1 }) {
				got[a.lo] = true
			}
			begins := map[uint32]bool{}
			for _, a := range x.typos(q, most, true, func(int) float32 { return 1 }) {
				for i := a.lo; i < a.hi; i++ {
					begins[i] = true
				}
			}
			if len(got) >= mostTypos || len(begins) >= mostTypos {
				continue
			}
			for i, w := range terms {
				if want := distance(w, q) <= most; got[uint32(i)] != want {
					t.Errorf("%q within %d of %q: %v, want %v", w, most, q, !want, want)
				}
				want := false
				for n := 0; n <= len(w); n++ {
					if utf8.ValidString(w[:n]) {
						want = want || n > 0 && distance(w[:n], q) <= most
					}
				}
				if begins[uint32(i)] != want {
					t.Errorf("%q begins within %d of %q: %v, want %v", w, most, q, !want, want)
				}
			}
		}
	}
}

func TestTermsOfWords(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"High Street", "HIGH ST."},
		{"Bahnhofstraße", "bahnhofstr"},
		{"Bahnhofstrasse", "Bahnhofstr."},
		{"Müller", "Mueller"},
		{"Saint John's Road", "St Johns Rd"},
		{"Avinguda Meritxell", "Av. Meritxell"},
		{"Łódź", "lodz"},
		{"Ｆｕｌｌ", "full"},
		{"Straße", "STRASSE"},
		{"Calle Mayor", "C/ Mayor"},
		{"e\u0301cole", "école"},
		{"Ærøskøbing", "aroskobing"},
		{"улица Ленина", "ул Ленина"},
		{"L'Église", "l eglise"},
		{"O'Connell", "OConnell"},
		{"King’s", "Kings"},
		{"Marktplatz", "Marktpl."},
	} {
		if key(c.a) != key(c.b) {
			t.Errorf("%q is %q, %q is %q", c.a, key(c.a), c.b, key(c.b))
		}
	}
	for _, c := range []struct{ a, b string }{{"High Street", "High Road"}, {"Church Road", "Church Lane"}, {"東京", "京都"}} {
		if key(c.a) == key(c.b) {
			t.Errorf("%q and %q are both %q", c.a, c.b, key(c.a))
		}
	}
}

func TestCodes(t *testing.T) {
	for written, want := range map[string]string{"np201aa": "NP20 1AA", "NP20 1AA": "NP20 1AA", "9490": "9490", "1234 AB": "1234 AB", "12-345": "12-345", "M1 1AE": "M1 1AE", "W1A 1AA": "W1A 1AA"} {
		c, ok := codeOf(written)
		if got := unpackCode(c.packed, c.gap); !ok || got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
	for _, none := range []string{"", "ab", "abc", "1234567890123", "12;13", "é1234"} {
		if _, ok := codeOf(none); ok {
			t.Errorf("%q is a postcode", none)
		}
	}
	a, _, _ := packCode("NP20")
	if b, _, _ := packCode("NP201AA"); b < a || b >= codesAfter(a, 4) {
		t.Error("NP20 1AA does not begin with NP20")
	}
}

func TestHouses(t *testing.T) {
	for _, c := range []struct {
		asked, there string
		least, most  float64
	}{
		{"12", "12", 1, 1},
		{"12a", "12A", 1, 1},
		{"12 a", "12a", 1, 1},
		{"12", "12a", 0.8, 0.9},
		{"14", "12-16", 0.9, 0.9},
		{"13", "12-16", 0.7, 0.7},
		{"12-16", "12-16", 1, 1},
		{"12-16", "14", 0.8, 0.8},
		{"12", "13", 0, 0},
		{"Unit 3", "unit 3", 1, 1},
		{"3", "Unit 3", 0.8, 0.8},
		{"12", "12/2", 0.8, 0.9},
		{"12 / 2", "12/2", 1, 1},
		{"17 Корпус 1", "17к1", 1, 1},
		{"17 к1", "17 к2", 0.8, 0.9},
		{"5 bis", "5bis", 1, 1},
		{"д. 9", "9", 1, 1},
		{"вл 4", "вл.4", 1, 1},
	} {
		a, ok := parseHouse(c.asked)
		b, ok2 := parseHouse(c.there)
		if got := a.meets(b); !ok || !ok2 || got < c.least || got > c.most {
			t.Errorf("%q meets %q by %v, want %v to %v", c.asked, c.there, got, c.least, c.most)
		}
	}
	for _, none := range []string{"", "a", "high", "-3"} {
		if h, ok := parseHouse(none); ok {
			t.Errorf("%q is %+v", none, h)
		}
	}
}

func TestAbbreviatedWords(t *testing.T) {
	for _, c := range []struct {
		short, long string
		want        bool
	}{
		{"trl", "trail", true},
		{"r", "rua", true},
		{"estr", "estrada", true},
		{"cres", "crescent", true},
		{"bldg", "building", true},
		{"x", "x", false},
		{"rail", "trail", false},
		{"tlr", "trail", false},
		{"trailer", "trail", false},
		{"", "trail", false},
		{"тр", "тракт", true},
	} {
		if got := skipped(c.short, c.long); got != c.want {
			t.Errorf("%q abbreviates %q: %v, want %v", c.short, c.long, got, c.want)
		}
	}
}

func TestDigitsOfEveryScript(t *testing.T) {
	for digits, want := range map[string]string{"٠١٢٣٤٥٦٧٨٩": "0123456789", "۱۲": "12", "१२": "12", "๑๒": "12", "１２": "12", "12": "12", "١٢ب": "12ب"} {
		if got := key(digits); got != key(want) {
			t.Errorf("%q is %q, want %q", digits, got, want)
		}
	}
	for house, want := range map[string]uint32{"12": 12, "A-10": 10, "C4": 4, "N6W23001": 6, "١٢": 12, "abcd5": noNumber, "Rose Cottage": noNumber, "-": noNumber, "A": noNumber} {
		if got := firstNumber(house); got != want {
			t.Errorf("the number of %q is %d, want %d", house, got, want)
		}
	}
}
