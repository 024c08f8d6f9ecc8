package edge

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/fault"
)

// Envelope is the form in which an endpoint's callers expect failures.
type Envelope struct {
	// Write answers a failure.
	Write func(w http.ResponseWriter, err error) error
	// Body describes what is written, of media type application/json.
	Body reflect.Type
	// Nowhere makes the failure of a path that is none of the table's, and
	// begins as a row with this envelope does; shown is the path as failures
	// may show it.
	Nowhere func(row Row, shown string) error
}

// problems is the envelope of most rows. It has no Nowhere, for it is what
// remains where no row's path begins alike.
var problems = &Envelope{Write: problem.Write}

// Envelopes of rows that no key opens.
var (
	outOfSession = unauthorizedAs("A session of the console is needed")
	withoutKeys  = unauthorizedAs("A valid token is needed")
)

// unauthorizedAs is problems with another title of unauthorized.
func unauthorizedAs(title string) *Envelope {
	return &Envelope{Write: func(w http.ResponseWriter, err error) error {
		f := problem.FailureOf(err)
		if f.Slug == fault.Unauthorized {
			f.Title = title
		}
		return f.Write(w)
	}}
}

// stem returns the part of a path before its first variable: /route/v1 of
// /route/v1/{profile}/{coordinates}.
func stem(path string) string {
	before, _, _ := strings.Cut(path, "{")
	return strings.TrimSuffix(before, "/")
}

// rowOfPath returns a row whose callers a request outside the table seems to come
// from: one with an envelope of its own whose path begins alike.
func (e *Edge) rowOfPath(r *http.Request) (row Row, ok bool) {
	for _, row := range e.rows {
		if row.Failure == nil {
			continue
		}
		if s := stem(row.Path); r.URL.Path == s || strings.HasPrefix(r.URL.Path, s+"/") {
			return row, true
		}
	}
	return Row{}, false
}

// envelopeFor returns that of a request which no row answers.
func (e *Edge) envelopeFor(r *http.Request) *Envelope {
	row, _ := e.rowOfPath(r)
	return row.envelope()
}
