package narrate_test

import (
	"testing"

	"golang.org/x/text/language"

	"github.com/waygate/waygate/guidance/narrate"
)

func TestIsTag(t *testing.T) {
	for tag, want := range map[string]bool{
		"de": true, "de-AT": true, "en_GB": true, "EN-gb": true, "zh-Hant-TW": true, "de-AT-1901": true, "es-419": true, "pt-BR-u-nu-latn": true,
		"nb": true, "no": true, "zz": true, "gsw": true, "i-klingon": true, "x-private": true, "sl-rozaj-biske-1994": true,
		"": false, "-": false, "--": false, "de-": false, "-de": false, "_de": false, "de--AT": false, "de__AT": false, "en GB": false, "en;q=0.5": false,
		"*": false, "e": false, "1": false, "419": false, "de1": false, "d3-AT": false, "deutschen-Sprache": false, "straße": false, "de-ÄT": false, "de\x00": false, "de,fr": false,
	} {
		if got := narrate.IsTag(tag); got != want {
			t.Errorf("%q: %v, want %v", tag, got, want)
		}
	}
}

// A tag that is well-formed by the library is never refused.
func FuzzIsTag(f *testing.F) {
	for _, tag := range []string{"de", "en_GB", "zh-Hant-TW", "x-y-z", "i-default", "de--AT", "art-lojban", "\xff"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		if _, err := language.Parse(tag); err == nil && !narrate.IsTag(tag) {
			t.Errorf("%q is refused", tag)
		}
	})
}
