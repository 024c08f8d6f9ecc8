package costing

import (
	"slices"
	"strings"
	"testing"
)

// TestTunnelForbids checks the table of ADR 8.6.4 in its stricter reading.
func TestTunnelForbids(t *testing.T) {
	for code, open := range map[string]string{
		"B": "A", "B1000C": "A", "B/D": "A", "B/E": "A",
		"C": "AB", "C5000D": "AB", "C/D": "AB", "C/E": "AB",
		"D": "ABC", "D/E": "ABC", "E": "ABCD", "(—)": "ABCDE", "": "ABCDE",
	} {
		for _, category := range []string{"A", "B", "C", "D", "E"} {
			if got := TunnelForbids(code, category); got == strings.Contains(open, category) {
				t.Errorf("a load of code %q in a tunnel of category %s: forbidden is %v", code, category, got)
			}
		}
		if from := ForbiddenFrom(code); from != 0 && (TunnelForbids(code, string(rune(from-1))) || !TunnelForbids(code, string(rune(from)))) {
			t.Errorf("code %q is forbidden from %c, which its table does not say", code, from)
		}
	}
	if TunnelForbids("B", "") {
		t.Error("a tunnel without a category forbids a load")
	}
}

func TestParseTunnelCode(t *testing.T) {
	for in, want := range map[string]string{
		"b/d": "B/D", " (C/E) ": "C/E", "c5000d": "C5000D", "(—)": "(—)", "-": "(—)", "(–)": "(—)", "B 1000 C": "B1000C",
	} {
		if got, ok := ParseTunnelCode(in); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "A", "F", "B/C", "B/D/E", "()", "C5000", "((B))"} {
		if got, ok := ParseTunnelCode(in); ok {
			t.Errorf("%q was read as %q", in, got)
		}
	}
}

func FuzzParseTunnelCode(f *testing.F) {
	for _, code := range TunnelCodes() {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, s string) {
		code, ok := ParseTunnelCode(s)
		if ok != slices.Contains(TunnelCodes(), code) {
			t.Errorf("%q: %q, %v", s, code, ok)
		}
		if again, ok2 := ParseTunnelCode(code); ok && (!ok2 || again != code) {
			t.Errorf("%q is read as %q and that as %q", s, code, again)
		}
	})
}
