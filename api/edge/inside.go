package edge

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Invocation is a call of an endpoint from inside this process, as agents and jobs make
// it. It is admitted, priced, scheduled, limited in time, counted and logged like the same
// call over HTTP.
type Invocation struct {
	Method, Path string // of the endpoint, with the path's variables filled in and a query
	Key          string // the API key that pays; "" is a call without one
	Body         []byte // JSON; nil has none

	// For is the request on whose behalf the call is made. Its client, origin and host count
	// for the call; its key does not. A call without For needs a key, and comes from no client.
	For *http.Request

	MaxAnswer int // bytes of an answer; 0 is DefaultMaxAnswer
}

// DefaultMaxAnswer bounds the answer of an Invocation, in bytes.
const DefaultMaxAnswer = 8 << 20

// Result is the answer to an Invocation: a refusal has its status and its problem
// document, as over HTTP.
type Result struct {
	Status int
	Header http.Header
	Body   []byte // JSON
}

// Do makes a call from inside the process. It serves endpoints that are open to keys and
// answer with JSON within the request's time: not files, pages, accounts and the operator's
// endpoints. It fails where there is no such endpoint, where ctx ends before the answer, and
// where the answer is longer than it may be, which was charged nevertheless.
func (e *Edge) Do(ctx context.Context, c Invocation) (*Result, error) {
	r, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	if h, _ := e.mux.Handler(r); !callableInside(h) {
		return nil, fmt.Errorf("edge: %s %s is no endpoint for keys that answers with JSON", c.Method, r.URL.Path)
	}
	w := &answerBuffer{header: http.Header{}, limit: c.MaxAnswer}
	if w.limit <= 0 {
		w.limit = DefaultMaxAnswer
	}
	e.serveInside(w, r)
	switch {
	case w.tooLong:
		return nil, fmt.Errorf("edge: the answer of %s %s has more than %d bytes", c.Method, r.URL.Path, w.limit)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case w.status == 0:
		return nil, fmt.Errorf("edge: %s %s was not answered to its end", c.Method, r.URL.Path)
	}
	return &Result{w.status, w.header, w.body.Bytes()}, nil
}

// serveInside answers a request without what only clients on a network need. A panic after
// an answer has begun ends its connection over HTTP; here it leaves no answer.
func (e *Edge) serveInside(w *answerBuffer, r *http.Request) {
	defer func() {
		if v := recover(); v != nil {
			if v != http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
				panic(v)
			}
			w.status = 0
		}
	}()
	e.inside.ServeHTTP(w, r)
}

// request returns the call as a request over HTTP.
func (c *Invocation) request(ctx context.Context) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, c.Method, c.Path, bytes.NewReader(c.Body))
	if err != nil {
		return nil, fmt.Errorf("edge: a call from inside: %w", err)
	}
	if c.For != nil {
		r.Host, r.TLS, r.RemoteAddr = c.For.Host, c.For.TLS, c.For.RemoteAddr
		for _, name := range [...]string{"Origin", "Referer", "X-Forwarded-For", "X-Forwarded-Proto"} {
			if values, ok := c.For.Header[name]; ok {
				r.Header[name] = values
			}
		}
	} else if c.Key == "" {
		return nil, fmt.Errorf("edge: %s %s needs a key, or a request on whose behalf it is made", c.Method, r.URL.Path)
	}
	if c.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	return r, nil
}

// callableInside reports whether a handler of the mux is that of a row that Do may call.
func callableInside(h http.Handler) bool {
	m, ok := h.(*mounted)
	return ok && (m.row.Auth == Keyed || m.row.Auth == Verified) && !m.row.Streams && (m.row.Media == "" || strings.Contains(m.row.Media, "json"))
}

// answerBuffer keeps an answer of at most limit bytes.
type answerBuffer struct {
	header  http.Header
	status  int // 0 while there is none
	body    bytes.Buffer
	limit   int
	tooLong bool
}

// Header serves http.ResponseWriter.
func (b *answerBuffer) Header() http.Header { return b.header }

// WriteHeader keeps the first status that is final.
func (b *answerBuffer) WriteHeader(status int) {
	if b.status == 0 && status >= http.StatusOK {
		b.status = status
	}
}

// Write refuses what is beyond the limit.
func (b *answerBuffer) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if b.tooLong = b.tooLong || len(p) > b.limit-b.body.Len(); b.tooLong {
		return 0, fmt.Errorf("edge: an answer of more than %d bytes", b.limit)
	}
	return b.body.Write(p)
}
