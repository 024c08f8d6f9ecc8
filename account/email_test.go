package account

import (
	"net/mail"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"ann@example.org":                         "ann@example.org",
		"Ann.Smith@Example.ORG":                   "ann.smith@example.org",
		"ann+maps@example.org":                    "ann+maps@example.org",
		"a.n.n+x.y@example.org":                   "a.n.n+x.y@example.org",
		"o'neil@example.org":                      "o'neil@example.org",
		"!#$%&'*+-/=?^_`{|}~@example.org":         "!#$%&'*+-/=?^_`{|}~@example.org",
		"1@sub.sub2.example.org":                  "1@sub.sub2.example.org",
		"ann@bücher.example":                      "ann@xn--bcher-kva.example",
		"ann@BÜCHER.example":                      "ann@xn--bcher-kva.example",
		"ann@xn--bcher-kva.example":               "ann@xn--bcher-kva.example",
		strings.Repeat("a", 64) + "@example.org":  strings.Repeat("a", 64) + "@example.org",
		"ann@" + strings.Repeat("b", 63) + ".org": "ann@" + strings.Repeat("b", 63) + ".org",
		strings.Repeat("a", 65) + "@example.org":  "",
		"ann@" + strings.Repeat("b", 64) + ".org": "",

		"":                                    "",
		"@":                                   "",
		"ann":                                 "",
		"ann@":                                "",
		"@example.org":                        "",
		"ann@@example.org":                    "",
		"ann@b@example.org":                   "",
		"ann@localhost":                       "",
		"ann@example.org.":                    "",
		"ann@.org":                            "",
		"ann@example..org":                    "",
		"ann@-example.org":                    "",
		"ann@example.123":                     "",
		"ann@127.0.0.1":                       "",
		"ann@[127.0.0.1]":                     "",
		"ann@[IPv6:::1]":                      "",
		"ann@exa_mple.org":                    "",
		".ann@example.org":                    "",
		"ann.@example.org":                    "",
		"a..n@example.org":                    "",
		"a n@example.org":                     "",
		" ann@example.org":                    "",
		"ann@example.org ":                    "",
		"ann@ example.org":                    "",
		"ann@example.org\n":                   "",
		"ann\t@example.org":                   "",
		"ann@example.org\r\nBcc: b@evil.com":  "",
		"ann\r\nBcc: b@evil.com@example.org":  "",
		"ann%0d%0aBcc:b@evil.com@example.org": "",
		"ann\x00@example.org":                 "",
		"ann@exam\x00ple.org":                 "",
		"Ann <ann@example.org>":               "",
		"<ann@example.org>":                   "",
		`"ann"@example.org`:                   "",
		`"a n"@example.org`:                   "",
		`a\@b@example.org`:                    "",
		"ann(comment)@example.org":            "",
		"ann@example.org(comment)":            "",
		"ann@example.org, bob@example.org":    "",
		"ann@example.org;bob@example.org":     "",
		"mailto:ann@example.org":              "",
		"änn@example.org":                     "",
		"аnn@example.org":                     "", // a Cyrillic a
		"ann＠example.org":                     "", // a full-width @
		"ann@ｅxample.org":                     "",
		"ann@example。org":                     "",
		"ann@exam\u200dple.org":               "",
		"ann@\u202egro.elpmaxe":               "",
		"ann\u00a0@example.org":               "",
		"ann@\u212aelvin.org":                 "",
		"ann\xff@example.org":                 "",
		"ann@example.org\xff":                 "",
	} {
		got, err := address(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("address(%q) is %q, %v; want %q", in, got, err, want)
		}
		if err != nil {
			wants(t, err, fault.InvalidEmail)
		}
	}
}

func TestAddressLength(t *testing.T) {
	// 254 bytes in all are the most.
	domain := strings.Repeat("b.", 93) + "org" // 189
	if _, err := address(strings.Repeat("a", 64) + "@" + domain); err != nil {
		t.Error(err)
	}
	if _, err := address(strings.Repeat("a", 64) + "@b" + domain); err == nil {
		t.Error("255 bytes are taken")
	}
	// Domains grow in ASCII.
	if _, err := address("ann@" + strings.Repeat("ü.", 60) + "org"); err == nil {
		t.Error("an address that is too long in ASCII is taken")
	}
	if _, err := address(strings.Repeat("a", 1<<20)); err == nil || len(err.Error()) > 500 {
		t.Error("the whole of a megabyte is shown back")
	}
}

func TestLasting(t *testing.T) {
	for _, in := range []string{"ann@mailinator.com", "ANN@Mailinator.COM", "ann@inbox.mailinator.com", "ann@gmaıl.net"} {
		_, err := lasting(in)
		wants(t, err, fault.InvalidEmail)
	}
	if got, err := lasting("Ann@Example.org"); err != nil || got != "ann@example.org" {
		t.Error(got, err)
	}
}

func TestMasked(t *testing.T) {
	for in, want := range map[string]string{
		"a@example.org":           "***@example.org",
		"ann@example.org":         "***@example.org",
		"anna@example.org":        "a***@example.org",
		"annann@example.org":      "a***@example.org",
		"alice.smith@example.org": "a***h@example.org",
		"someone+tag@example.org": "s***g@example.org",
	} {
		if got := masked(in); got != want {
			t.Errorf("masked(%q) is %q, want %q", in, got, want)
		}
	}
}

// FuzzAddress checks that an address that is taken is in its own form, is an address to the
// standard library too, and has nothing that could end a header or a quoted string.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"ann@example.org", "Ann+x@Bücher.example", "a@b", "a\r\n@b.org", `"a b"@c.org`, "a@b.c, d@e.f", "ä@ö.ü", "<a@b.org>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := address(s)
		if err != nil {
			if !fault.Is(err, fault.InvalidEmail) {
				t.Errorf("address(%q): %v", s, err)
			}
			return
		}
		if again, err := address(got); err != nil || again != got {
			t.Errorf("address(%q) is %q, and of that %q, %v", s, got, again, err)
		}
		if a, err := mail.ParseAddress(got); err != nil || a.Name != "" || a.Address != got {
			t.Errorf("net/mail reads %q as %v, %v", got, a, err)
		}
		if len(got) > longestEmail || strings.Count(got, "@") != 1 || strings.ToLower(got) != got {
			t.Errorf("address(%q) is %q", s, got)
		}
		for _, c := range []byte(got) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),:;<>[]\`, c) >= 0 {
				t.Errorf("address(%q) is %q", s, got)
			}
		}
	})
}
