package origin_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/account/origin"
	"github.com/waygate/waygate/fault"
	"pgregory.net/rapid"
)

var (
	label63 = strings.Repeat("a", 63)
	host253 = strings.Join([]string{label63, label63, label63, strings.Repeat("b", 61)}, ".")
)

// one returns one origin in canonical form, "" where it is refused.
func one(t testing.TB, s string) string {
	t.Helper()
	all, err := origin.Canonical([]string{s})
	if err == nil {
		if len(all) != 1 || all[0] == "" {
			t.Fatalf("%q becomes %q", s, all)
		}
		return all[0]
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != fault.BadRequest || !strings.Contains(err.Error(), "allowed_origins[0]") {
		t.Fatalf("%q: %v", s, err)
	}
	return ""
}

// Origins that are written in one form by browsers, in others by people. ""
// is refused, as an allowed origin and as the origin of a request.
var forms = map[string]string{
	"https://example.com":                      "https://example.com",
	"http://example.com":                       "http://example.com",
	"HTTPS://EXAMPLE.Com":                      "https://example.com",
	"https://example.com:443":                  "https://example.com",
	"https://example.com:0443":                 "https://example.com",
	"http://example.com:80":                    "http://example.com",
	"http://example.com:443":                   "http://example.com:443",
	"https://example.com:80":                   "https://example.com:80",
	"https://example.com:8443":                 "https://example.com:8443",
	"https://example.com:65535":                "https://example.com:65535",
	"http://localhost:3000":                    "http://localhost:3000",
	"https://intranet":                         "https://intranet",
	"https://my_app-1.example.com":             "https://my_app-1.example.com",
	"https://r3---sn.example.com":              "https://r3---sn.example.com",
	"https://bücher.example":                   "https://xn--bcher-kva.example",
	"https://BÜCHER.example":                   "https://xn--bcher-kva.example",
	"https://xn--bcher-kva.example":            "https://xn--bcher-kva.example",
	"https://XN--BCHER-KVA.example":            "https://xn--bcher-kva.example",
	"https://straße.example":                   "https://xn--strae-oqa.example",
	"https://例え。テスト":                           "https://xn--r8jz45g.xn--zckzah",
	"https://ｅｘａｍｐｌｅ.com":                      "https://example.com",
	"http://127.0.0.1:8080":                    "http://127.0.0.1:8080",
	"http://１２７.0.0.1":                         "http://127.0.0.1",
	"http://[::1]:3000":                        "http://[::1]:3000",
	"http://[0:0:0:0:0:0:0:1]":                 "http://[::1]",
	"https://[2001:DB8::A]:443":                "https://[2001:db8::a]",
	"https://[::ffff:1.2.3.4]":                 "https://[::ffff:102:304]",
	"https://[::ffff:102:304]":                 "https://[::ffff:102:304]",
	"https://" + label63 + ".com":              "https://" + label63 + ".com",
	"https://" + host253 + ":8443":             "https://" + host253 + ":8443",
	"https://evil-example.com":                 "https://evil-example.com",
	"https://" + host253 + "b":                 "",
	"https://" + label63 + "a.com":             "",
	"https://" + strings.Repeat("ü.", 100_000): "",

	"":                                 "",
	"null":                             "",
	"*":                                "",
	"https":                            "",
	"https:":                           "",
	"https://":                         "",
	"://example.com":                   "",
	"//example.com":                    "",
	"example.com":                      "",
	"https:example.com":                "",
	"https:/example.com":               "",
	"https:\\\\example.com":            "",
	"ftp://example.com":                "",
	"file://":                          "",
	"data://example.com":               "",
	"javascript://example.com":         "",
	"capacitor://localhost":            "",
	"chrome-extension://abcdefghijkl":  "",
	"ws://example.com":                 "",
	"httpſ://example.com":              "",
	"https ://example.com":             "",
	" https://example.com":             "",
	"https://example.com ":             "",
	"https://exam ple.com":             "",
	"https://exam\tple.com":            "",
	"https://example.com\n":            "",
	"https://example.com\r\nX: y":      "",
	"https://example.com\x00":          "",
	"https://example.com\x7f":          "",
	"https://exam\xffple.com":          "",
	"https://example\\.com":            "",
	"https://example%2ecom":            "",
	"https://%65xample.com":            "",
	"https://user@example.com":         "",
	"https://user:secret@example.com":  "",
	"https://@example.com":             "",
	"https://example.com@evil.org":     "",
	"https://example.com:443@evil.org": "",
	"https://example.com.":             "",
	"https://.example.com":             "",
	"https://.":                        "",
	"https://a..example.com":           "",
	"https://example.com:":             "",
	"https://example.com:0":            "",
	"https://example.com:65536":        "",
	"https://example.com:99999999999":  "",
	"https://example.com:-1":           "",
	"https://example.com:+1":           "",
	"https://example.com:8o":           "",
	"https://example.com:80:80":        "",
	"https://example.com:８０":           "",
	"https://:443":                     "",
	"https://a,https://b":              "",
	"https://a.com https://b.com":      "",
	"https://exa$mple.com":             "",
	"https://exa／mple.com":             "",
	"https://example.com＠evil.org":     "",
	"http://127.1":                     "",
	"http://127.0.0.01":                "",
	"http://2130706433":                "",
	"http://0x7f.1":                    "",
	"http://0x7f000001":                "",
	"http://1.2.3.4.5":                 "",
	"http://999.1.1.1":                 "",
	"http://example.1":                 "",
	"http://example.0x":                "",
	"http://[::1":                      "",
	"http://::1":                       "",
	"http://[]":                        "",
	"http://[::1]x":                    "",
	"http://[::1]:":                    "",
	"http://[1.2.3.4]":                 "",
	"http://[fe80::1%eth0]":            "",
	"http://[fe80::1%25eth0]":          "",
	"http://a[::1]":                    "",
	"https://[*::1]":                   "",
}

func TestForms(t *testing.T) {
	for s, want := range forms {
		if got := one(t, s); got != want {
			t.Errorf("Canonical %.100q: %q, not %q", s, got, want)
		}
		if got := origin.Of(s, ""); got != want {
			t.Errorf("Of %.100q: %q, not %q", s, got, want)
		}
	}
}

func TestNeitherPathNorQueryIsAllowed(t *testing.T) {
	for _, s := range []string{"https://example.com/", "https://example.com/a", "https://example.com?", "https://example.com#x", "https://*.example.com/"} {
		if got := one(t, s); got != "" {
			t.Errorf("%q is taken as %q", s, got)
		}
		if got := origin.Of(s, ""); got != "" {
			t.Errorf("header %q is taken as %q", s, got)
		}
	}
}

func TestPunycodeThatIsNoName(t *testing.T) {
	for _, s := range []string{"https://xn--a.example.com", "https://xn--.example.com", "https://xn--bcher-kva-.example.com", "https://xn--example-.com", "https://xn--A-ü.com"} {
		if got := one(t, s); got != "" {
			t.Errorf("%q is taken as %q", s, got)
		}
	}
}

func TestWildcards(t *testing.T) {
	for s, want := range map[string]string{
		"https://*.example.com":           "https://*.example.com",
		"HTTPS://*.Example.COM:443":       "https://*.example.com",
		"https://*.example.com:8443":      "https://*.example.com:8443",
		"http://*.example.co.uk":          "http://*.example.co.uk",
		"https://*.shop.example.com":      "https://*.shop.example.com",
		"https://*.bücher.example":        "https://*.xn--bcher-kva.example",
		"https://*.corp.internal":         "https://*.corp.internal",
		"https://*.me.github.io":          "https://*.me.github.io",
		"https://*.com":                   "",
		"https://*.co.uk":                 "",
		"https://*.CO.UK":                 "",
		"https://*.github.io":             "",
		"https://*.anything.ck":           "",
		"https://*.個人.hk":                 "",
		"https://*.localhost":             "",
		"https://*":                       "",
		"https://*.":                      "",
		"https://*:443":                   "",
		"*://example.com":                 "",
		"*.example.com":                   "",
		"https://*.*.com":                 "",
		"https://*.*.example.com":         "",
		"https://**.example.com":          "",
		"https://a*.example.com":          "",
		"https://*a.example.com":          "",
		"https://a.*.com":                 "",
		"https://a.*.example.com":         "",
		"https://example.*":               "",
		"https://example.com:*":           "",
		"https://*.example.com.":          "",
		"https://*..example.com":          "",
		"https://*.1.2.3.4":               "",
		"https://*.2.3.4":                 "",
		"https://*.[::1]":                 "",
		"https://*.user@example.com":      "",
		"https://user@*.example.com":      "",
		"https://*.example.com?":          "",
		"https://x://*.example.com":       "",
		"capacitor://*.example.com":       "",
		"https://%2a.example.com":         "",
		"https://＊.example.com":           "",
		"https://*." + host253[2:]:        "https://*." + host253[2:],
		"https://*." + host253[1:] + "bb": "",
	} {
		if got := one(t, s); got != want {
			t.Errorf("%q: %q, not %q", s, got, want)
		}
		if got := origin.Of(s, ""); got != "" {
			t.Errorf("a page comes from %q: %q", s, got)
		}
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		allowed, sent string
		want          bool
	}{
		{"https://example.com", "https://example.com", true},
		{"https://example.com", "https://example.com:443", true},
		{"https://example.com", "HTTPS://Example.com", true},
		{"https://example.com", "http://example.com", false},
		{"https://example.com", "https://example.com:8443", false},
		{"https://example.com", "https://example.com.", false},
		{"https://example.com", "https://www.example.com", false},
		{"https://example.com", "https://example.com.evil.org", false},
		{"https://example.com", "https://evil.org/https://example.com", false},
		{"https://example.com", "https://example.com@evil.org", false},
		{"https://example.com", "null", false},
		{"https://example.com", "", false},
		{"http://example.com", "http://example.com:443", false},
		{"https://example.com:8443", "https://example.com:8443", true},
		{"https://example.com:8443", "https://example.com", false},
		{"https://bücher.example", "https://xn--bcher-kva.example", true},
		{"https://xn--bcher-kva.example", "https://bücher.example", true},
		{"http://[::1]:80", "http://[0::1]", true},

		{"https://*.example.com", "https://www.example.com", true},
		{"https://*.example.com", "https://WWW.example.com:443", true},
		{"https://*.example.com", "https://xn--bcher-kva.example.com", true},
		{"https://*.example.com", "https://bücher.example.com", true},
		{"https://*.example.com", "https://my_app.example.com", true},
		{"https://*.example.com", "https://evil-example.com", false},
		{"https://*.example.com", "https://example.com", false},
		{"https://*.example.com", "https://.example.com", false},
		{"https://*.example.com", "https://a.b.example.com", false},
		{"https://*.example.com", "http://www.example.com", false},
		{"https://*.example.com", "https://www.example.com:8443", false},
		{"https://*.example.com", "https://www.example.com.", false},
		{"https://*.example.com", "https://www.example.com.evil.org", false},
		{"https://*.example.com", "https://evil.org/.example.com", false},
		{"https://*.example.com", "https://evil.org#.example.com", false},
		{"https://*.example.com", "https://evil.org\\.example.com", false},
		{"https://*.example.com", "https://evil%2f.example.com", false},
		{"https://*.example.com", "https://evil:1.example.com", false},
		{"https://*.example.com", "https://a@.example.com", false},
		{"https://*.example.com", "https://*.example.com", false},
		{"https://*.example.com", "https://www.example.com, https://www.example.com", false},
		{"https://*.example.com", "null", false},
		{"https://*.example.com:8443", "https://a.example.com:8443", true},
		{"https://*.example.com:8443", "https://a.example.com", false},
		{"https://*.example.com:8443", "https://a.example.com:18443", false},
	} {
		allowed, err := origin.Canonical([]string{"https://other.example", c.allowed})
		if err != nil {
			t.Fatal(err)
		}
		if got := origin.Allowed(allowed, origin.Of(c.sent, "")); got != c.want {
			t.Errorf("%q from %q: %v", c.allowed, c.sent, got)
		}
		// It holds on its own too, however an origin came by.
		if !c.want && strings.Contains(c.allowed, "*") && origin.Allowed(allowed, c.sent) {
			t.Errorf("%q from %q as it was sent", c.allowed, c.sent)
		}
	}
	if origin.Allowed(nil, "https://example.com") || origin.Allowed([]string{""}, "") {
		t.Error("nothing allows something")
	}
}

func TestReferer(t *testing.T) {
	for _, c := range []struct{ origin, referer, want string }{
		{"", "https://example.com/a/b?c#d", "https://example.com"},
		{"", "https://example.com", "https://example.com"},
		{"", "https://Example.com:443?x=/", "https://example.com"},
		{"", "http://[::1]:3000/", "http://[::1]:3000"},
		{"", "https://example.com#@evil.org/", "https://example.com"},
		{"", "https://a.com/https://b.com/", "https://a.com"},
		{"", "https://example.com@evil.org/", ""},
		{"", "https://evil.org\\@example.com/", ""},
		{"", "https://example.com./", ""},
		{"", "/local/path", ""},
		{"", "//example.com/", ""},
		{"", "example.com/https://good.example/", ""},
		{"", "about:client", ""},
		{"", "about:blank#https://example.com", ""},
		{"", "data:text/html,https://example.com/", ""},
		{"", "blob:https://example.com/1", ""},
		{"", "android-app://com.example/", ""},
		{"", "", ""},
		{"", "https:///example.com", ""},
		{"", "https://" + strings.Repeat("a", 1<<20), ""},
		{"https://a.example", "https://b.example/", "https://a.example"},
		{"null", "https://b.example/", ""},
		{"garbage", "https://b.example/", ""},
		{" ", "https://b.example/", ""},
	} {
		if got := origin.Of(c.origin, c.referer); got != c.want {
			t.Errorf("%q %.100q: %q, not %q", c.origin, c.referer, got, c.want)
		}
	}
}

func TestCanonicalOfMany(t *testing.T) {
	got, err := origin.Canonical([]string{"https://b.example", "HTTPS://a.example:443", "https://a.example", "http://a.example:80", "https://*.a.example", "https://*.A.example"})
	want := []string{"https://b.example", "https://a.example", "http://a.example", "https://*.a.example"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for _, none := range [][]string{nil, {}} {
		if got, err := origin.Canonical(none); err != nil || len(got) != 0 {
			t.Errorf("%q, %v", got, err)
		}
	}
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf("https://a%d.example", i))
	}
	if got, err := origin.Canonical(many); err != nil || len(got) != 20 {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := origin.Canonical(append(many, many[0])); err == nil || !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), "20") {
		t.Errorf("%q, %v", got, err)
	}

	_, err = origin.Canonical([]string{"https://a.example", "nonsense", "https://b.example/x"})
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatal(err)
	}
	violations, _ := f.Fields["errors"].([]fault.Violation)
	if len(violations) != 2 || violations[0].Location != "allowed_origins[1]" || violations[1].Location != "allowed_origins[2]" || violations[0].Value != "nonsense" {
		t.Errorf("%+v", violations)
	}
}

// hosts draws what looks like an origin, right or slightly wrong.
func hosts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		scheme := rapid.SampledFrom([]string{"https", "http", "HTTPS", "hTTp", "ftp"}).Draw(t, "scheme")
		label := rapid.StringMatching(`[a-zA-Z0-9_-]{1,8}|xn--[a-z0-9-]{1,8}|[üßéΣ例ａ]{1,3}|\*`)
		name := strings.Join(rapid.SliceOfN(label, 1, 4).Draw(t, "labels"), ".")
		return scheme + "://" + name + rapid.StringMatching(`(:(0{0,2}[0-9]{1,5}|443|80))?`).Draw(t, "port")
	})
}

// agree checks what must hold of every text.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, s string,
) {
	t.Helper()
	if from := origin.Of(s, ""); from != "" {
		if again := origin.Of(from, ""); again != from {
			t.Fatalf("Of is not idempotent: %q, %q, %q", s, from, again)
		}
		if fromReferer := origin.Of("", s+"/path?query#fragment"); fromReferer != from {
			t.Fatalf("%q as an origin is %q, as a Referer %q", s, from, fromReferer)
		}
	}
	first, err := origin.Canonical([]string{s})
	if err != nil {
		return
	}
	second, err := origin.Canonical(first)
	if err != nil || !slices.Equal(first, second) {
		t.Fatalf("Canonical is not idempotent: %q, %q, %q, %v", s, first, second, err)
	}
	if len(first) != 1 || len(first[0]) > 300 {
		t.Fatalf("%q", first)
	}
	if strings.Contains(first[0], "*") {
		page := strings.Replace(first[0], "*", "page", 1)
		if !origin.Allowed(first, origin.Of(page, "")) {
			t.Fatalf("%q does not allow %q", first, page)
		}
		if bare := strings.Replace(first[0], "*.", "", 1); origin.Allowed(first, bare) || origin.Allowed(first, "https://a."+page[8:]) || origin.Allowed(first, first[0]) {
			t.Fatalf("%q allows too much", first)
		}
		return
	}
	if !origin.Allowed(first, origin.Of(s, "")) {
		t.Fatalf("%q is allowed as %q and comes as %q", s, first, origin.Of(s, ""))
	}
}

func TestTheyAgree(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		s := hosts().Draw(t, "origin")
		if origin.Of(s, "") != "" {
			taken++
		}
		agree(t, s)
	})
	if taken == 0 {
		t.Error("none was an origin")
	}
}

func FuzzOrigins(f *testing.F) {
	for s := range forms {
		if len(s) < 500 {
			f.Add(s)
		}
	}
	for _, s := range []string{"https://*.example.com:8443", "https://xn--abc-.com", "https://xn--0.com", "https://a.xn--fa-hia.de"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { agree(t, s) })
}

func FuzzReferer(f *testing.F) {
	for _, s := range []string{"https://example.com/a?b#c", "about:blank", "https://a@b/c", "http://[::1]/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		from := origin.Of("", s)
		if from == "" {
			return
		}
		if again := origin.Of(from, ""); again != from {
			t.Fatalf("%q: %q, then %q", s, from, again)
		}
		allowed, err := origin.Canonical([]string{"https://*.example.com", "https://example.org"})
		if err != nil {
			t.Fatal(err)
		}
		if in := origin.Allowed(allowed, from); in && from != "https://example.org" && !strings.HasSuffix(from, ".example.com") {
			t.Fatalf("%q lets in %q", s, from)
		}
	})
}

var paths = []struct {
	name, origin, referer string
}{
	{"origin", "https://maps.example.com:8443", ""},
	{"punycode", "https://xn--bcher-kva.example.com", ""},
	{"ipv4", "http://127.0.0.1:8080", ""},
	{"ipv6", "http://[2001:db8::1]:3000", ""},
	{"referer", "", "https://maps.example.com/page?query#fragment"},
	{"null", "null", "https://maps.example.com/page"},
	{"garbage", "https://evil.org\\.example.com", ""},
}

func TestNoAllocations(t *testing.T) {
	allowed, err := origin.Canonical([]string{"https://a.example", "https://*.b.example:8443", "https://*.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if n := testing.AllocsPerRun(100, func() { origin.Allowed(allowed, origin.Of(p.origin, p.referer)) }); n != 0 {
			t.Errorf("%s: %v allocations", p.name, n)
		}
	}
}

func BenchmarkAllowed(b *testing.B) {
	allowed, err := origin.Canonical([]string{"https://a.example", "https://*.b.example:8443", "https://*.example.com"})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range paths {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				origin.Allowed(allowed, origin.Of(p.origin, p.referer))
			}
		})
	}
}
