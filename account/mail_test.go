package account

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/store/storetest"
)

func TestVerificationMail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		app := d.application("ann@example.org")
		app.Label = `Tom & "Jo" <script>alert(1)</script> see https://evil.example.com/x or www.evil.com`
		app.UserAgent = `Mozilla/5.0 (<img src=x onerror=alert(1)>; +http://bot.evil.org)` + strings.Repeat("y", 300)
		issued, err := d.Issue(t.Context(), app)
		if err != nil {
			t.Fatal(err)
		}
		m := d.mail("ann@example.org")
		link := inLink.FindStringSubmatch(m.Text)
		if link == nil || !strings.Contains(m.Text, "https://api.example.org/v1/keys/verify?token="+link[1]) || !strings.Contains(m.HTML, `href="https://api.example.org/v1/keys/verify?token=`+link[1]+`"`) {
			t.Error("the link is not in both parts:\n", m.Text, m.HTML)
		}
		if strings.ContainsAny(m.Subject, "\r\n") || strings.Contains(m.Subject, "Tom") || !m.Expires.Equal(start.Add(ProvisionalLife)) {
			t.Error(m.Subject, m.Expires)
		}
		for name, part := range map[string]string{"text": m.Text, "html": m.HTML} {
			for _, must := range []string{"Tom", "Mozilla/5.0", "21 November 2026 at 09:30 UTC", "24 November 2026", "docs"} {
				if !strings.Contains(part, must) {
					t.Errorf("the %s does not say %q:\n%s", name, must, part)
				}
			}
			for _, never := range []string{issued.Secret, "evil.", "https://evil", "http://bot", strings.Repeat("y", 250)} {
				if strings.Contains(part, never) {
					t.Errorf("the %s has %q:\n%s", name, never, part)
				}
			}
		}
		for _, never := range []string{"<script", "<img", `"Jo"`} {
			if strings.Contains(m.HTML, never) {
				t.Errorf("%s is not escaped", never)
			}
		}
		if v, err := d.Verification(context.Background(), link[1]); err != nil || v.Label != app.Label {
			t.Error("the page says another label:", v, err)
		}
	})
}

func TestSignInMail(t *testing.T) {
	a := New(Options{BaseURL: "https://api.example.org"})
	for website, want := range map[string]string{
		"":                        "https://api.example.org/console#signin=TOKEN",
		"https://www.example.org": "https://www.example.org/console#signin=TOKEN",
	} {
		a.options.WebsiteURL = website
		m, err := a.signInMail("ann@example.org", "TOKEN", start)
		if err != nil || !strings.Contains(m.Text, want+"\n") || !strings.Contains(m.HTML, `href="`+want+`"`) || !m.Expires.Equal(start.Add(15*time.Minute)) {
			t.Error(m, err)
		}
	}
}

func TestInert(t *testing.T) {
	for in, want := range map[string]string{
		"my app":              "my app",
		"version 1.2.3":       "version 1.2.3",
		"Mozilla/5.0 (X11)":   "Mozilla/5.0 (X11)",
		"a sentence. Another": "a sentence. Another",
		"a.b.c.d":             "a[.]b[.]c[.]d",
		"http://evil.com":     "http[:]//evil[.]com",
		"wéb.éxample":         "wéb[.]éxample",
		"my-site1.org/path":   "my-site1[.]org/path",
	} {
		if got := inert(in); got != want {
			t.Errorf("inert(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"curl/8.5":               "curl/8.5",
		" a\r\n\tb\x00c ":        "a b c",
		"a\xff\u202eb\u2028c":    "a b c",
		strings.Repeat("é", 200): strings.Repeat("é", 98) + "…",
		strings.Repeat("a", 200): strings.Repeat("a", 200),
		strings.Repeat("a", 201): strings.Repeat("a", 197) + "…",
	} {
		if got := oneLine(in, 200); got != want || len(got) > 200 {
			t.Errorf("oneLine(%q) is %q (%d bytes), want %q", in, got, len(got), want)
		}
	}
}
