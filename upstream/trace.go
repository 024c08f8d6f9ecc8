package upstream

import (
	"context"
	"net/http"
	"regexp"
)

// Trace is the trace that a request belongs to, in the headers of W3C Trace Context
// (https://www.w3.org/TR/trace-context/).
type Trace struct{ Parent, State string }

// TraceKey is the key of a *Trace in a context: requests to servers carry it on.
type TraceKey struct{}

// parents is the form of version 00 of the header traceparent, and the beginning of the forms
// of later ones.
var parents = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$`)

// mostTrace is how many bytes of a header of a trace are passed on.
const mostTrace = 512

// ReadTrace reads the headers of a request; nil where there is no trace, or one of another
// form.
func ReadTrace(h http.Header) *Trace {
	parent := h["Traceparent"]
	if len(parent) != 1 || len(parent[0]) > mostTrace || !parents.MatchString(parent[0]) {
		return nil
	}
	t := &Trace{Parent: parent[0]}
	if state := h.Get("Tracestate"); len(state) <= mostTrace {
		t.State = state
	}
	return t
}

// passTrace adds the trace of a context to the headers of a request.
func passTrace(ctx context.Context, h http.Header) {
	t, _ := ctx.Value(TraceKey{}).(*Trace)
	if t == nil {
		return
	}
	h["Traceparent"] = []string{t.Parent}
	if t.State != "" {
		h["Tracestate"] = []string{t.State}
	}
}
