package site

import (
	"strings"
	"testing"
)

func TestTermsAsAPage(t *testing.T) {
	got := termsHTML("Terms\n\nOne\nline <b>.\n\n  © A\n  © B\n\n  See (https://a.example/b).\n")
	want := "<h1>Terms</h1>\n<p>One line &lt;b&gt;.</p>\n<p>© A<br>  © B</p>\n<p>See (<a href=\"https://a.example/b\">https://a.example/b</a>).</p>\n"
	if got != want {
		t.Errorf("%s", got)
	}
	if attributed := termsHTML("T\n\n  Ours © X"); strings.Contains(attributed, "<br>") {
		t.Error(attributed)
	}
}
