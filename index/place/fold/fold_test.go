package fold

import (
	"testing"
)

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
		if Key(c.a) != Key(c.b) {
			t.Errorf("%q is %q, %q is %q", c.a, Key(c.a), c.b, Key(c.b))
		}
	}
	for _, c := range []struct{ a, b string }{{"High Street", "High Road"}, {"Church Road", "Church Lane"}, {"東京", "京都"}} {
		if Key(c.a) == Key(c.b) {
			t.Errorf("%q and %q are both %q", c.a, c.b, Key(c.a))
		}
	}
}

func TestCodes(t *testing.T) {
	for written, want := range map[string]string{"np201aa": "NP20 1AA", "NP20 1AA": "NP20 1AA", "9490": "9490", "1234 AB": "1234 AB", "12-345": "12-345", "M1 1AE": "M1 1AE", "W1A 1AA": "W1A 1AA"} {
		c, ok := CodeOf(written)
		if got := UnpackCode(c.Packed, c.Gap); !ok || got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
	for _, none := range []string{"", "ab", "abc", "1234567890123", "12;13", "é1234"} {
		if _, ok := CodeOf(none); ok {
			t.Errorf("%q is a postcode", none)
		}
	}
	a, _, _ := PackCode("NP20")
	if b, _, _ := PackCode("NP201AA"); b < a || b >= CodesAfter(a, 4) {
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
		a, ok := ParseHouse(c.asked)
		b, ok2 := ParseHouse(c.there)
		if got := a.Meets(b); !ok || !ok2 || got < c.least || got > c.most {
			t.Errorf("%q meets %q by %v, want %v to %v", c.asked, c.there, got, c.least, c.most)
		}
	}
	for _, none := range []string{"", "a", "high", "-3"} {
		if h, ok := ParseHouse(none); ok {
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
		if got := Skipped(c.short, c.long); got != c.want {
			t.Errorf("%q abbreviates %q: %v, want %v", c.short, c.long, got, c.want)
		}
	}
}

func TestDigitsOfEveryScript(t *testing.T) {
	for digits, want := range map[string]string{"٠١٢٣٤٥٦٧٨٩": "0123456789", "۱۲": "12", "१२": "12", "๑๒": "12", "１２": "12", "12": "12", "١٢ب": "12ب"} {
		if got := Key(digits); got != Key(want) {
			t.Errorf("%q is %q, want %q", digits, got, want)
		}
	}
	for house, want := range map[string]uint32{"12": 12, "A-10": 10, "C4": 4, "N6W23001": 6, "١٢": 12, "abcd5": NoNumber, "Rose Cottage": NoNumber, "-": NoNumber, "A": NoNumber} {
		if got := FirstNumber(house); got != want {
			t.Errorf("the number of %q is %d, want %d", house, got, want)
		}
	}
}
