package fold

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCodesAreInOrder compares the order of codes with that of their letters, their lengths with
// what was packed, and what begins with a code with its numbers.
func TestCodesAreInOrder(t *testing.T) {
	code := rapid.StringOfN(rapid.SampledFrom([]rune("09AZMK")), 1, CodeLength, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := code.Draw(t, "a"), code.Draw(t, "b")
		if rapid.Bool().Draw(t, "longer") {
			b = (a + b)[:min(CodeLength, len(a)+len(b))]
		}
		p, n, ok := PackCode(a)
		q, m, ok2 := PackCode(strings.ToLower(b[:1]) + " " + b[1:])
		if !ok || !ok2 || n != len(a) || m != len(b) || LettersOfCode(p) != len(a) || LettersOfCode(q) != len(b) {
			t.Fatalf("%q has %d letters, %q has %d", a, n, b, m)
		}
		if cmp.Compare(p, q) != cmp.Compare(a, b) {
			t.Fatalf("%q and %q are packed in another order", a, b)
		}
		if begins := q >= p && q < CodesAfter(p, n); begins != strings.HasPrefix(b, a) {
			t.Fatalf("%q begins with %q: %v", b, a, begins)
		}
		if UnpackCode(p, 0) != a {
			t.Fatalf("%q comes back as %q", a, UnpackCode(p, 0))
		}
		gap := rapid.IntRange(1, CodeLength).Draw(t, "gap")
		space, hyphen := a, a
		if gap < len(a) {
			space, hyphen = a[:gap]+" "+a[gap:], a[:gap]+"-"+a[gap:]
		}
		if UnpackCode(p, int8(gap)) != space || UnpackCode(p, int8(-gap)) != hyphen {
			t.Fatalf("%q with a gap at %d: %q and %q", a, gap, UnpackCode(p, int8(gap)), UnpackCode(p, int8(-gap)))
		}
	})
	for text, ok := range map[string]bool{"": false, " ": false, "-": false, "a.b": false, "ä": false, strings.Repeat("9", CodeLength): true, strings.Repeat("9", CodeLength+1): false, "a-b c": true, "z9": true, "Z0": true, "@": false, "[": false, "`": false, "{": false, "/": false, ":": false} {
		if _, _, got := PackCode(text); got != ok {
			t.Errorf("%q is a code: %v", text, got)
		}
	}
}

// TestBritishCodesAreAPattern compares with a regular expression of outward and inward parts.
func TestBritishCodesAreAPattern(t *testing.T) {
	whole := regexp.MustCompile(`^([A-Z]{1,2}[0-9][A-Z0-9]?)([0-9][A-Z]{2})$`)
	outer := regexp.MustCompile(`^[A-Z]{1,2}[0-9][A-Z0-9]?$`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("AZaz09 ")), 0, 8, -1).Draw(t, "text")
		plain := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
		out, in, ok := British(text)
		switch m := whole.FindStringSubmatch(plain); {
		case m != nil:
			if !ok || out != m[1] || in != m[2] {
				t.Fatalf("%q is %q %q %v", text, out, in, ok)
			}
			if District(text) != m[1] {
				t.Fatalf("%q is in %q", text, District(text))
			}
		case outer.MatchString(plain):
			if !ok || out != plain || in != "" || District(text) != "" {
				t.Fatalf("%q is %q %q %v, in %q", text, out, in, ok, District(text))
			}
		case ok || out != "" || in != "":
			t.Fatalf("%q is %q %q", text, out, in)
		}
	})
	for text, want := range map[string]string{
		"1234 AB": "1234", "1234AB": "1234", "1234-567": "1234", "12345-6789": "12345", "12345-678": "12345", "K1A 0B1": "K1A", "k1a0b1": "K1A", "D02 X285": "D02", "A65F4E2": "A65", "D6W XY00": "D6W",
		"12345": "", "123-4567": "", "1234 ABC": "", "A6FF4E2": "", "DD2 X285": "", "1234.AB": "", "1234567890123": "", "": "", "1234 ÄB": "",
	} {
		if got := District(text); got != want {
			t.Errorf("%q is in %q, want %q", text, got, want)
		}
	}
	for text, ok := range map[string]bool{"A1": false, "A12": true, "123": true, "ABC": false, "AB1": true, " 9490 ": true, "12": false} {
		if _, got := CodeOf(text); got != ok {
			t.Errorf("%q is a postcode: %v", text, got)
		}
	}
	for text, gap := range map[string]int8{"1234 AB": 4, "12-345": -2, "12345": 0, "np201aa": 4, "M1 1AE": 2, "NP20": 0} {
		if c, ok := CodeOf(text); !ok || c.Gap != gap {
			t.Errorf("the gap of %q is %d, want %d", text, c.Gap, gap)
		}
	}
}
