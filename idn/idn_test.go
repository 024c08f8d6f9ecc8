package idn_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/idn"
)

func TestASCII(t *testing.T) {
	for name, want := range map[string]string{
		"example.org":           "example.org",
		"Example.ORG":           "example.org",
		"localhost":             "localhost",
		"a-b.c-d.org":           "a-b.c-d.org",
		"xn--bcher-kva.example": "xn--bcher-kva.example",
		"bücher.example":        "xn--bcher-kva.example",
		"BÜCHER.example":        "xn--bcher-kva.example",
		"bu\u0308cher.example":  "xn--bcher-kva.example",
		"straße.de":             "xn--strae-oqa.de",
		"例え.テスト":                "xn--r8jz45g.xn--zckzah",
		"пример.испытание":      "xn--e1afmkfd.xn--80akhbyknj4f",
		"דוגמה.com":             "xn--6dbbec0c.com",
		"1דוגמה.com":            "",
		"إختبار.com":            "xn--kgbechtv.com",

		"":                                  "",
		".":                                 "",
		"example.org.":                      "",
		".example.org":                      "",
		"a..b":                              "",
		"-a.org":                            "",
		"a-.org":                            "",
		"a_b.org":                           "",
		"a b.org":                           "",
		"a\x00.org":                         "",
		"a\r\nb.org":                        "",
		"a/b.org":                           "",
		"a@b.org":                           "",
		"ab--c.org":                         "",
		"xn--bücher.org":                    "",
		"ｅxample.org":                       "", // full width
		"example。org":                       "", // ideographic stop
		"exam\u200dple.org":                 "", // joiner
		"exam\u00adple.org":                 "", // soft hyphen
		"\u202egro.elpmaxe":                 "", // override
		"ﬁsh.org":                           "", // ligature
		"\u0301a.org":                       "", // begins with a mark
		"\u212a.org":                        "", // the Kelvin sign
		"İ.org":                             "",
		"a\xff.org":                         "",
		strings.Repeat("a", 64) + ".org":    "",
		strings.Repeat("ü", 60) + ".org":    "",
		strings.Repeat("a.", 126) + "ab":    "",
		strings.Repeat("a.", 1<<20) + "org": "",
	} {
		got, ok := idn.ASCII(name)
		if got != want && ok || ok != (want != "") {
			t.Errorf("ASCII(%.60q) is %.60q, %v; want %q", name, got, ok, want)
		}
	}
	if long, ok := idn.ASCII(strings.Repeat("a.", 126) + "a"); !ok || len(long) != idn.Longest {
		t.Errorf("253 bytes: %v, %d", ok, len(long))
	}
}

func FuzzASCII(f *testing.F) {
	for _, name := range []string{"example.org", "bücher.example", "xn--bcher-kva.example", "例え.テスト", "a\u200db.org", "..", "-"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got, ok := idn.ASCII(name)
		if !ok {
			return
		}
		if again, ok := idn.ASCII(got); !ok || again != got {
			t.Errorf("ASCII(%q) is %q, and of that %q, %v", name, got, again, ok)
		}
		if strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || len(got) > idn.Longest {
			t.Errorf("ASCII(%q) is %q", name, got)
		}
	})
}
