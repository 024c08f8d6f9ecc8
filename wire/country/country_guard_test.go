package country

import (
	"strings"
	"testing"
)

// Each country is found by its codes and its name, in any case, and nothing else is.
func TestFindsEveryCountry(t *testing.T) {
	for code, c := range all() {
		for _, text := range []string{code, c.Alpha3, c.Name} {
			for _, written := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
				if got, ok := Find(written); text != "" && (!ok || got != code) {
					t.Errorf("%q is %q, want %s", written, got, code)
				}
			}
		}
		if Of(code) != c {
			t.Errorf("%s is %+v", code, Of(code))
		}
	}
	if got, ok := Find("uk"); !ok || got != "GB" {
		t.Errorf("UK is %q", got)
	}
	for _, none := range []string{"", " ", "ZZ", "ZZZ", "Atlantis", "G"} {
		if got, ok := Find(none); ok {
			t.Errorf("%q is %s", none, got)
		}
	}
	for code, want := range map[string]bool{"GB": true, "US": true, "DE": false, "FR": false, "IE": false, "ZZ": false} {
		if Of(code).MPH != want {
			t.Errorf("%s posts miles an hour: %v", code, !want)
		}
	}
}
