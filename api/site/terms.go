package site

import (
	"bytes"
	"html"
	"net/http"
	"regexp"
	"strings"
)

// termsPage is the page of the website into which the terms are written, and termsMark the place.
const (
	termsPage = "terms.html"
	termsMark = "<!-- terms -->"
)

var linked = regexp.MustCompile(`https://[^\s()&]+`)

// terms answers with the terms as a text, and browsers with a page of the website where it was built.
func (t texts) terms(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
	w.Header().Add("Vary", "Accept")
	text := t.termsText(r.Context())
	if t.site.files == nil || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		return writeText(w, text)
	}
	page, err := t.site.read(termsPage, 0)
	if err != nil {
		return err
	}
	asPage(w.Header())
	_, err = w.Write(bytes.Replace(page, []byte(termsMark), []byte(termsHTML(text)), 1))
	return err
}

// termsHTML returns the text as HTML: its first paragraph is the heading, indented lines keep their
// breaks where they are a list of their own.
func termsHTML(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		body := linked.ReplaceAllString(html.EscapeString(part), `<a href="$0">$0</a>`)
		switch {
		case i == 0:
			b.WriteString("<h1>" + body + "</h1>\n")
		case strings.HasPrefix(part, "  ©"):
			b.WriteString("<p>" + strings.ReplaceAll(strings.TrimSpace(body), "\n", "<br>") + "</p>\n")
		default:
			b.WriteString("<p>" + strings.Join(strings.Fields(body), " ") + "</p>\n")
		}
	}
	return b.String()
}
