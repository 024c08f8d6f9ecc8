package edge

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/upstream"
	"github.com/waygate/waygate/world"
)

// trace has what the edge finds out about one request. It is the request's context, so that
// a look-up takes one step, and what is added later needs no copy of the request.
type trace struct {
	context.Context                 // of the request, as far as it has come; set before its handler runs
	of              context.Context // as the server has it: it ends where the client leaves, or the server

	row     *Row            // nil outside the table
	outside *upstream.Trace // that the request belongs to; nil for none
	id      string
	shown   string // the path, for logs and failures
	client  netip.Addr
	world   *world.World     // that the request holds; nil for none
	call    *Call            // of a row for keys
	signed  *signed.Address  // by which the request came; nil for another address
	opens   *meter.Admission // of a signed address on a public row
	failure error

	matching bool // the mux is looking for the row
}

// label names the row in log and metrics.
func (t *trace) label() string {
	if t.row == nil {
		return "unmatched"
	}
	return t.row.Label()
}

type traceKey struct{}

// Value serves context.Context.
func (t *trace) Value(key any) any {
	switch key {
	case traceKey{}:
		return t
	case upstream.TraceKey{}:
		return t.outside
	}
	return t.Context.Value(key)
}

func traceOf(ctx context.Context) *trace {
	if t, ok := ctx.Value(traceKey{}).(*trace); ok {
		return t
	}
	return &trace{Context: ctx, of: ctx}
}

// statusWriter remembers what was answered. What the mux itself answers to a
// request that no row takes is not sent: the edge has an answer of its own.
type statusWriter struct {
	http.ResponseWriter
	trace  *trace
	status int
	bytes  int
	broken bool // the answer did not go out as it began, or its client had left before
	mux    int  // the status of the mux's own answer that was not sent; 0 for none
}

// WriteHeader sends the status once.
func (w *statusWriter) WriteHeader(code int) {
	if w.muxes(code) {
		w.mux = code
		return
	}
	if w.status != 0 {
		w.broken = true // what fails after an answer has begun cannot take it back
		return
	}
	w.status, w.broken = code, w.trace.of.Err() != nil
	if w.trace.signed != nil {
		private(w.Header())
	}
	w.ResponseWriter.WriteHeader(code)
}

// whole reports whether all of an answer was written to a client who was there when it
// began. Many close the connection as soon as they have the last byte.
func (w *statusWriter) whole(method string) bool {
	if w.status == 0 || w.broken {
		return false
	}
	length, err := strconv.Atoi(w.Header().Get("Content-Length"))
	return err != nil || w.bytes == length || method == http.MethodHead || w.status == http.StatusNotModified
}

// muxes reports whether a status is the mux's, for a request that matched no row:
// a failure, or the way to a path without dots and doubled slashes.
func (w *statusWriter) muxes(code int) bool {
	return w.trace.matching && code >= http.StatusMultipleChoices
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if w.mux != 0 {
		return len(p), nil
	}
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += n
	w.broken = w.broken || err != nil
	return n, err
}

// Unwrap serves http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// clientGone stands in logs and metrics for a request whose client left before all of
// its answer was written.
const clientGone = 499

// observe names the request, logs it and counts it. Queries stay out of the
// log, for they may hold a key.
func (e *Edge) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := e.options.Now()
		t := &trace{Context: r.Context(), of: r.Context(), id: requestID(r), shown: e.shown(r.URL.Path), client: e.clientOf(r), outside: upstream.ReadTrace(r.Header)}
		w.Header()[requestIDHeader] = []string{t.id}
		sw := &statusWriter{ResponseWriter: w, trace: t}
		r = r.WithContext(t)
		next.ServeHTTP(sw, r)
		took := e.options.Now().Sub(began)
		if t.of.Err() != nil && errors.Is(context.Cause(t.of), context.Canceled) && !sw.whole(r.Method) {
			sw.status = clientGone
		}
		if sw.status == 0 {
			sw.status = http.StatusOK
		}
		e.metrics.Request(t.label(), sw.status, took)
		e.access(r, t, sw, took)
	})
}

func (e *Edge) access(r *http.Request, t *trace, w *statusWriter, took time.Duration) {
	level := slog.LevelInfo
	log := e.requests
	attrs := append(make([]slog.Attr, 0, 9),
		slog.String("id", t.id), slog.String("method", r.Method), slog.String("path", t.shown), slog.String("route", t.label()),
		slog.Int("status", w.status), slog.Int("bytes", w.bytes), slog.Duration("took", took), slog.String("client", t.client.String()),
	)
	if t.failure != nil {
		attrs = append(attrs, slog.String("failure", masked(t.failure.Error())))
		if w.status >= http.StatusInternalServerError && w.status != http.StatusNotImplemented && !errors.Is(t.failure, world.ErrOutOfService) {
			level, log = slog.LevelError, e.log
		}
	}
	log.LogAttrs(r.Context(), level, "request", attrs...)
}

// requestID takes a caller's id where it is short and plain, else makes one.
func requestID(r *http.Request) string {
	id := r.Header.Get(requestIDHeader)
	if id == "" {
		return newID()
	}
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c)
	}
	if len(id) <= 64 && id == masked(id) && strings.IndexFunc(id, func(c rune) bool { return !plain(c) }) < 0 {
		return id
	}
	return newID()
}

// newID names a request: 26 letters and digits, which are 130 bits. It is no
// secret, so it need not come from a source fit for keys.
func newID() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	var id [26]byte
	for i, bits := 0, uint64(0); i < len(id); i, bits = i+1, bits>>5 {
		if i%12 == 0 {
			bits = rand.Uint64() //nolint:gosec // an id is no secret
		}
		id[i] = letters[bits&31]
	}
	return string(id[:])
}

// recovered answers a panic as an internal problem and logs its stack. Mapped
// memory that cannot be read is a panic here.
func (e *Edge) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			v, t := recover(), traceOf(r.Context())
			if v == nil || t.of.Err() != nil {
				return
			}
			p := parallel.Of(v)
			e.log.ErrorContext(r.Context(), "panic", "id", t.id, "value", p.Error(), "stack", string(p.Stack))
			if sw, ok := w.(*statusWriter); ok && sw.status != 0 {
				// The answer has begun: cut the connection rather than end it as if whole.
				panic(http.ErrAbortHandler)
			}
			to := e.envelopeFor(r)
			if t.row != nil {
				to = t.row.envelope()
			}
			refuse(w, r, p, to)
		}()
		next.ServeHTTP(w, r)
	})
}

// refuse writes a failure and keeps it for the log.
func refuse(w http.ResponseWriter, r *http.Request, err error, to *Envelope) {
	t := traceOf(r.Context())
	t.failure, t.matching = err, false
	if t.row == nil || !t.row.uncacheable() {
		w.Header().Del("Cache-Control") // is of the answer there would have been
	}
	if werr := to.Write(w, err); werr != nil {
		t.failure = errors.Join(err, werr)
	}
}

// sentHeaders are those that a page may send, and exposedHeaders those that it may read.
const (
	sentHeaders    = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Payment, X-Request-Id"
	exposedHeaders = "ETag, Accept-Ranges, Content-Length, Content-Range, Allow, Retry-After, WWW-Authenticate, X-Request-Id, X-Svc-Warnings, X-Svc-Quota-Units, X-Svc-Rationale-Computations, X-Svc-Rationale-Reserved, X-Payment-Response"
)

// crossOrigin lets pages of every origin call every endpoint. Keys travel as
// bearer headers, never as cookies, so this gives nothing away.
func crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		// The lists are new for each answer, so that a handler may append to one.
		h["Access-Control-Allow-Origin"] = []string{"*"}
		h["X-Content-Type-Options"] = []string{"nosniff"} // what quotes a caller is never taken for a page
		h["Access-Control-Expose-Headers"] = []string{exposedHeaders}
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE, OPTIONS")
			h.Set("Access-Control-Allow-Headers", sentHeaders)
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// dispatch sends a request to its row; where none matches it says whether the
// path or the method is wrong.
func (e *Edge) dispatch(w http.ResponseWriter, r *http.Request) {
	t, sent := traceOf(r.Context()), w.(*statusWriter)
	r, err := unsigned(r)
	if err != nil {
		refuse(w, r, err, problems)
		return
	}
	t.matching = true
	e.mux.ServeHTTP(w, r)
	if t.matching = false; sent.mux == 0 {
		return
	}
	status := sent.mux
	sent.mux = 0
	h := w.Header()
	h.Del("Content-Type")
	if status < http.StatusBadRequest {
		if _, pattern := e.mux.Handler(r); pattern != "" {
			e.mux.ServeHTTP(w, r)
			return
		}
		h.Del("Location")
	}
	if status == http.StatusMethodNotAllowed {
		allow := h.Get("Allow")
		refuse(w, r, fault.New(fault.MethodNotAllowed, "%s is not a method of %s; it takes %s", fault.Clip(r.Method), ShownPath(r), allow), e.envelopeFor(r))
		return
	}
	if row, ok := e.rowOfPath(r); ok {
		refuse(w, r, row.Failure.Nowhere(row, ShownPath(r)), row.Failure)
		return
	}
	if e.options.Lost != nil && !e.besideAPI(r) {
		w.Header().Add("Vary", "Accept")
		if strings.Contains(r.Header.Get("Accept"), "text/html") && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			traceOf(r.Context()).failure = nowhere(r)
			e.options.Lost.ServeHTTP(w, r)
			return
		}
	}
	refuse(w, r, nowhere(r), problems)
}

// besideAPI reports whether a path begins like that of an endpoint, as /v1/…
// does: its callers are programs.
func (e *Edge) besideAPI(r *http.Request) bool {
	first := func(path string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		return name
	}
	return slices.ContainsFunc(e.rows, func(row Row) bool {
		return !row.Operational && row.Path != "/" && first(row.Path) == first(r.URL.Path)
	})
}

func nowhere(r *http.Request) error {
	return fault.New(fault.NotFound, "there is no %s here; GET /openapi.json lists what there is", ShownPath(r))
}

// mounted is the handler of a row as the mux has it. It names the row for metrics and log.
type mounted struct {
	row  *Row
	next http.Handler
}

// ServeHTTP serves http.Handler.
func (m *mounted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := traceOf(r.Context())
	t.row, t.matching = m.row, false
	m.next.ServeHTTP(w, r)
}
