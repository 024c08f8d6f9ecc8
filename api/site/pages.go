package site

import (
	"bytes"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"strings"

	"github.com/waygate/waygate/api/edge"
)

// The pages of the website name their parts relative to the root (./assets/…),
// so that they also work below a path prefix of a reverse proxy. A page at a
// deeper address gets the way up as its base.

// website serves the pages and files of the built website.
type website struct {
	files   fs.FS // nil has a plain page instead
	version string
	heights bool // POST /elevation/along answers
	voices  []Voice
}

// page serves a file at the root of the built website as a page.
func page[In any](s website, file string) func(http.ResponseWriter, *http.Request, *In) error {
	return func(w http.ResponseWriter, r *http.Request, _ *In) error {
		return s.show(w, file, strings.Count(r.URL.Path, "/")-1)
	}
}

// NotFoundPage serves the page for an address that does not exist.
func NotFoundPage(files fs.FS, version string) http.Handler {
	s := website{files: files, version: version}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := s.read("lost.html", strings.Count(r.URL.Path, "/")-1)
		if err != nil { // the built site is part of the binary
			panic(err)
		}
		asPage(w.Header())
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(page) // a failure cannot be reported to the client
	})
}

// show sends a page whose address lies depth folders below the root.
func (s website) show(w http.ResponseWriter, file string, depth int) error {
	page, err := s.read(file, depth)
	if err != nil {
		return err
	}
	asPage(w.Header())
	_, err = w.Write(page)
	return err
}

func asPage(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
}

// plain is the page of a binary without the website. It needs no scripts.
var plain = template.Must(template.New("plain").Parse(`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Waygate</title></head>
<h1>Waygate {{.Version}}</h1>
<p>This is a geospatial routing gateway. Its website was not built into this binary (<code>make web</code> builds it); the API works.</p>
{{with .Instead}}<p>What this page does, without it: <code>{{.}}</code></p>
{{end}}<ul>
<li><a href="openapi.json">openapi.json</a>: the API
<li><a href="llms.txt">llms.txt</a>: orientation for agents
<li><a href="health">health</a>: whether it can route
<li><a href="v1/platform">v1/platform</a>: what its answers rest on
<li><a href="terms">terms</a>
</ul>
</html>
`))

// instead has the words on how to do without a page.
var instead = map[string]string{
	"keys.html":    `POST /v1/keys {"email": "you@example.com", "accept_tos": true}`,
	"verify.html":  `POST /v1/keys/verify {"token": "the token in this page's address"}; to refuse, POST /v1/keys/verify/deny`,
	"console.html": `POST /v1/console/signin {"email": "you@example.com"}; POST /v1/console/session {"token": "of the link"}; GET /v1/console/self`,
	"claim.html":   `POST /v1/console/claims/{token}/signin, with the token after the # in this page's address`,
	"admin.html":   `GET /admin/overview with Authorization: Bearer <ADMIN_TOKEN>`,
}

func (s website) read(file string, depth int) ([]byte, error) {
	var page []byte
	err := fs.ErrNotExist
	if s.files != nil {
		page, err = fs.ReadFile(s.files, file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		var b bytes.Buffer
		err = plain.Execute(&b, struct{ Version, Instead string }{s.version, instead[file]})
		page = b.Bytes()
	}
	if depth > 0 {
		base := `<head><base href="` + strings.Repeat("../", depth) + `">`
		page = bytes.Replace(page, []byte("<head>"), []byte(base), 1)
	}
	return page, err
}

// linkIn has the part of a link's address that the page itself reads.
type linkIn struct {
	Token string `query:"token" doc:"of the link; the page reads it"`
}

var verifyPageDoc = edge.Doc{
	Summary: "The page of a verification link", Tags: []string{"keys"}, Description: "Shows the request behind the link and changes nothing.",
	Answers: []edge.Answer{{}},
}
