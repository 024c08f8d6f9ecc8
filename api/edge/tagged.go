package edge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/wire/schema"
)

// tagged gives each answer of a tagged row an entity tag of its body, and answers 304 to
// callers who have that body. The tag is weak: what is sent packed is the same answer.
func tagged(row *Row, next http.Handler) http.Handler {
	if !row.Tagged {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &heldAnswer{ResponseWriter: w}
		next.ServeHTTP(answer, r)
		answer.send(r.Header.Get("If-None-Match"))
	})
}

// heldAnswer keeps the body of a 200 until its end. Every other answer passes.
type heldAnswer struct {
	http.ResponseWriter
	body   bytes.Buffer
	passes bool
}

// WriteHeader passes every status but 200.
func (a *heldAnswer) WriteHeader(status int) {
	if status != http.StatusOK {
		a.passes = true
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *heldAnswer) Write(p []byte) (int, error) {
	if a.passes {
		return a.ResponseWriter.Write(p)
	}
	return a.body.Write(p)
}

func (a *heldAnswer) send(noneMatch string) {
	if a.passes {
		return
	}
	sum := sha256.Sum256(a.body.Bytes())
	if httpfile.NotModified(a.ResponseWriter, noneMatch, `W/"`+hex.EncodeToString(sum[:12])+`"`) {
		return
	}
	a.Header().Set("Content-Length", strconv.Itoa(a.body.Len()))
	_, _ = a.ResponseWriter.Write(a.body.Bytes()) // a caller who has left needs no more
}

// describeTag adds the entity tag of a tagged row to its operation.
func (r Row) describeTag(doc *schema.Document, op *schema.Operation) {
	if !r.Tagged {
		return
	}
	op.Parameters = append(op.Parameters[:len(op.Parameters):len(op.Parameters)], &schema.Parameter{Name: "If-None-Match", In: "header", Description: "entity tags of answers that the caller has", Schema: &schema.Schema{Type: schema.String}})
	r.answer(doc, op, Answer{Status: http.StatusNotModified, Description: "not changed"})
}
