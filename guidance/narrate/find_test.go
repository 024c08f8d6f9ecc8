package narrate_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/language"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		tag, want string
		asked     bool
	}{
		{"", "en-GB", true},
		{"en", "en-GB", true},
		{"en-GB", "en-GB", true},
		{"EN-gb", "en-GB", true},
		{"en_GB", "en-GB", true},
		{"en-US", "en-US", true},
		{"en-us", "en-US", true},
		{"en-AU", "en-GB", true},
		{"en-CA", "en-US", true},
		{"en_CA", "en-US", true},
		{"en-NZ", "en-GB", true},
		{"en-ZA", "en-GB", true},
		{"en-001", "en-GB", true},
		{"en-PR", "en-US", true},
		{"en-IN", "en-GB", true},
		{"en-IE", "en-GB", true},
		{"en-US-x-pirate", "en-US", true},
		{"de", "de", true},
		{"de-DE", "de", true},
		{"de_DE", "de", true},
		{"de-CH", "de", true},
		{"de-AT", "de", true},
		{"de-LI", "de", true},
		{"de-AT-1901", "de", true},
		{"de-XX", "de", true},
		{"de-Latn-DE-u-co-phonebk", "de", true},
		{"fr-CA", "fr", true},
		{"fr-BE", "fr", true},
		{"fr-CH", "fr", true},
		{"es-MX", "es", true},
		{"es-419", "es", true},
		{"it-CH", "it", true},
		{"pt", "pt-PT", true},
		{"pt-PT", "pt-PT", true},
		{"pt-AO", "pt-PT", true},
		{"pt-MZ", "pt-PT", true},
		{"pt-419", "pt-BR", true},
		{"pt-BR", "pt-BR", true},
		{"nl-BE", "nl", true},
		{"pl-PL", "pl", true},
		{"sv-FI", "sv", true},
		{"cy-GB", "cy", true},
		{"cy", "cy", true},
		{"ger", "de", true}, // ISO 639-2
		{"dut", "nl", true},

		// Neighbours that CLDR says are understood, and none that are not.
		{"gsw", "de", false},
		{"lb", "de", false},
		{"gl", "es", false},
		{"af", "nl", false},
		{"nb", "en-GB", false},
		{"no", "en-GB", false},
		{"nn", "en-GB", false},
		{"da", "en-GB", false},
		{"da-DK", "en-GB", false},
		{"is", "en-GB", false},
		{"fi", "en-GB", false},
		{"fy", "nl", false},
		{"br", "fr", false},
		{"eu", "es", false},
		{"ca", "en-GB", false},
		{"zh", "en-GB", false},
		{"zh-CN", "en-GB", false},
		{"ga", "en-GB", false},
		{"zh-Hant", "en-GB", false},
		{"fr-Arab", "en-GB", false},
		{"ja-JP", "en-GB", false},

		{"xx", "en-GB", false},
		{"und", "en-GB", false},
		{"x-private", "en-GB", false},
		{"i-klingon", "en-GB", false},
		{"-", "en-GB", false},
		{"--de", "de", true},
		{"de;q=0.5", "en-GB", false},
		{"\x00\xff", "en-GB", false},
		{strings.Repeat("de-", 1000), "en-GB", false},
	} {
		l, asked := narrate.Find(c.tag)
		if l.Tag() != c.want || asked != c.asked {
			t.Errorf("%.40q: %s, asked %v; want %s, %v", c.tag, l.Tag(), asked, c.want, c.asked)
		}
	}
}

func TestLanguages(t *testing.T) {
	want := []string{"cy", "de", "en-GB", "en-US", "es", "fr", "it", "nl", "pl", "pt-BR", "pt-PT", "sv"}
	got := narrate.Languages()
	if !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for _, tag := range got {
		if l, asked := narrate.Find(tag); !asked || l.Tag() != tag {
			t.Errorf("%s is found as %s", tag, l.Tag())
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, tag := range []string{"", "de_DE", "en-US", "zh-Hant", "pt-BR-u-nu-latn", "x-y-z", "dUT", "i-default", "xx-XX-xx", "art-lojban", "\xff"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		l, asked := narrate.Find(tag)
		if l == nil {
			t.Fatal("no language")
		}
		if again, also := narrate.Find(tag); again != l || also != asked {
			t.Fatalf("%q is %s, then %s", tag, l.Tag(), again.Tag())
		}
		parsed, _ := language.Parse(tag)
		wanted, _ := parsed.Base()
		if got, _ := language.MustParse(l.Tag()).Base(); asked && tag != "" && wanted != got {
			t.Fatalf("%q, which is %s, passes for %s", tag, wanted, l.Tag())
		}
	})
}

// Names and signs come from the map as they are.
func FuzzNames(f *testing.F) {
	f.Add("Rue de l'Église", "A48", "Newport;x")
	f.Add("", "\xff", " ")
	f.Fuzz(func(t *testing.T, name, ref, sign string) {
		list := []guidance.Manoeuvre{
			{Type: guidance.Start, Names: street(name), Metres: 10, Seconds: 1},
			{Type: guidance.Right, Names: roadNumbers(ref), EndOfRoad: true, ToStayOn: len(ref)%2 == 0, Metres: 10},
			{Type: guidance.ExitLeft, Sign: guidance.Sign{Number: []string{sign}, Branch: []string{name}, Toward: []string{ref}}, Metres: 10},
			{Type: guidance.FerryEnter, Names: street(name), Metres: 10},
			{Type: guidance.Destination},
		}
		for _, tag := range tags {
			l := find(t, tag)
			for i, x := range l.Leg(list, false) {
				if x.Instruction == "" || x.Pre == "" {
					t.Fatalf("%s: manoeuvre %d has no words", tag, i)
				}
				l.Ahead(x.Alert, 100, true)
				l.Past(x.Instruction, name, guidance.After)
			}
		}
	})
}
