package edge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/schema"
)

// On binds a row to a handler of typed values. In is read, checked and described
// by its tags; Out is the body of the answer, in JSON. Members of the body that
// are not known are refused, unless In has a field of type schema.Warnings, which
// then has a warning for each.
func On[In, Out any](row Row, h func(context.Context, *In) (*Out, error)) Row {
	row = Write(row, func(w http.ResponseWriter, r *http.Request, in *In) error {
		if row.Status == http.StatusNoContent {
			if _, err := h(r.Context(), in); err != nil {
				return err
			}
			w.WriteHeader(row.Status)
			return nil
		}
		return Respond(w, r, row.status(), row.Effort, func(ctx context.Context) (any, error) {
			out, err := h(ctx, in)
			if err != nil {
				return nil, err
			}
			json.Shorten(out)
			return out, nil
		})
	})
	row.out = reflect.TypeFor[Out]()
	return row
}

// WriteJSON answers with a value that is there.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := encoded(v)
	if err != nil {
		return err
	}
	return writeBody(w, status, "application/json", body)
}

// encoded returns a value as the body of an answer, a line of JSON.
func encoded(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	return append(body, '\n'), err
}

// Respond answers with a value that has to be worked out. Where the effort has work, it is
// worked out and written as JSON in a slot, and sent without one: a slow reader keeps
// none.
func Respond(w http.ResponseWriter, r *http.Request, status int, effort engine.Estimate, work func(context.Context) (any, error)) error {
	written := func(ctx context.Context) ([]byte, error) {
		v, err := work(ctx)
		if err == nil && effort.Work > 0 {
			err = ctx.Err() // others have their turn, and who has left needs no answer
		}
		if err != nil {
			return nil, err
		}
		return encoded(v)
	}
	var body []byte
	var err error
	if effort.Work == 0 {
		body, err = written(r.Context())
	} else {
		body, err = engine.WorkFor(r.Context(), effort, written)
	}
	if err != nil {
		return err
	}
	return writeBody(w, status, "application/json", body)
}

// Write binds a row to a handler that writes its answer itself: files, pages,
// what an engine wrote. In is as of On. The handler returns a failure instead of
// writing one.
func Write[In any](row Row, h func(http.ResponseWriter, *http.Request, *In) error) Row {
	unknown := row.unknown(reflect.TypeFor[In]())
	input := schema.InputOf[In](unknown, keyParameter)
	hasBody, _ := input.HasBody()
	inQuery := hasBody && row.Method == http.MethodGet
	if inQuery {
		input.AddQueryParameter(bodyParameter)
	}
	row = Read(row, func(r *http.Request) (*In, error) {
		var body []byte
		switch {
		case inQuery:
			if body = []byte(bodyInQuery(r)); len(body) == 0 {
				return nil, fault.New(fault.BadRequest, "the parameter %s of the query is missing: %s", bodyParameter, bodyHelp)
			}
		case hasBody, unknown == schema.Refuse && r.Method != http.MethodGet:
			var err error
			if body, err = Body(r); err != nil {
				return nil, err
			}
		}
		if !hasBody && len(bytes.TrimSpace(body)) > 0 {
			if _, err := nothing.Read(r.Context(), body, new(struct{}), schema.Options{Unknown: unknown}); err != nil {
				return nil, err
			}
		}
		in := new(In)
		read := func(r *http.Request) error {
			_, err := input.Read(r, body, in, BoundsOf(r.Context()))
			return err
		}
		if len(body) < largeBody {
			return in, read(r)
		}
		effort := engine.Estimate{Kind: "body", Work: time.Duration(len(body)) * readNanos, Bytes: 4 * int64(len(body)), Cores: 1, Cheaper: "a smaller body"}
		ctx, end := scheduled.Unestimated(r.Context())
		defer end()
		return in, engine.Work(ctx, effort, func(ctx context.Context) error { return read(r.WithContext(ctx)) })
	}, h)
	row.describe = input.Describe
	if inQuery {
		row.describe = func(doc *schema.Document, op *schema.Operation) {
			op.Parameters = append(op.Parameters, &schema.Parameter{Name: bodyParameter, In: "query", Description: bodyHelp, Required: true, Schema: &schema.Schema{Type: schema.String}})
			op.RequestBody = &schema.RequestBody{} // which the input leaves as it is
			input.Describe(doc, op)
			op.RequestBody = nil
		}
	}
	return row
}

// bodyParameter is the parameter of a query that holds what the body of a POST
// to the same path does, as Valhalla has it.
const (
	bodyParameter = "json"
	bodyHelp      = "the request as JSON, which is the body of a POST to the same path"
)

// A body of largeBody bytes or more takes some tenths of a millisecond to read, of readNanos a
// byte and more where it has rings, and is read in a slot.
const (
	largeBody = 8 << 10
	readNanos = 20
)

// bodyInQuery returns the body that a GET has in its query; "" where there is none.
func bodyInQuery(r *http.Request) string {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return ""
	}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if name, value, _ := strings.Cut(pair, "="); plain(name) == bodyParameter {
			return plain(value)
		}
	}
	return ""
}

// Read binds a row to a handler as Write does. In is read by a function, and
// described by the row's Doc.
func Read[In any](row Row, read func(*http.Request) (*In, error), h func(http.ResponseWriter, *http.Request, *In) error) Row {
	row.mustAdmit(new(In))
	_, row.regional = any(new(In)).(regional)
	row.handler = row.failing(func(w http.ResponseWriter, r *http.Request) error {
		in, err := read(r)
		if err != nil {
			return err
		}
		if err := row.admit(r.Context(), in); err != nil {
			return err
		}
		if c := CallOf(r.Context()); c != nil && c.work.EstimateOnly {
			if x, ok := any(in).(Expecting); ok {
				c.Expect(x.Expected())
			}
			if !row.regional {
				return c.estimate(w, nil)
			}
			return c.estimate(w, func(w http.ResponseWriter) error { return h(w, r, in) })
		}
		return h(w, r, in)
	})
	return row
}

// Prepared has a request of a row looked at once it was read and its region is
// known, before it is priced: what it costs may depend on more than its text. free
// says that it costs nothing, whatever quota is left: it was answered before and gets
// the same again, or there is nothing to do. It comes before the row is bound.
func Prepared[In any](row Row, prepare func(context.Context, *In) (free bool, err error)) Row {
	row.prepare = func(ctx context.Context, in any) (bool, error) { return prepare(ctx, in.(*In)) }
	return row
}

// nothing reads the body of a change that takes none.
var nothing = schema.Of[struct{}]()

// unknown returns what becomes of unknown members of an input's body and of unknown
// parameters of its query. Addresses of pages and of pieces of maps get
// parameters from those who count their visitors and their caches' versions.
func (r Row) unknown(in reflect.Type) schema.Unknown {
	if r.DropUnknown {
		return schema.Drop
	}
	for _, f := range reflect.VisibleFields(in) {
		if f.Type == reflect.TypeFor[schema.Warnings]() {
			return schema.Warn
		}
	}
	page, piece := r.Auth == Public && !r.Account || r.Auth == Scrapers, r.Maps && r.Metered()
	if page || piece {
		return schema.Drop
	}
	return schema.Refuse
}

// failing writes what a handler fails with.
func (r Row) failing(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := h(w, req); err != nil {
			refuse(w, req, err, r.envelope())
		}
	})
}

// Body reads a body to its end. It is taken as it is sent: a small compressed one
// could stand for any amount.
func Body(r *http.Request) ([]byte, error) {
	if read, ok := r.Body.(*readBody); ok {
		return read.text, nil
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return nil, fault.Invalid(fault.Violation{Location: "Content-Encoding", Value: coding, Message: "must be left out: bodies are not read compressed"})
	}
	body, err := readAll(r)
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) {
		return body, err
	}
	return nil, fault.Wrap(err, fault.BadRequest, "the body could not be read to its end")
}

// believed is how many bytes are allocated because a request announces them. For more, the
// bytes have to come first.
const believed = 64 << 10

// trusted is how many times the bytes that have come are allocated at the most.
const trusted = 8

// readAll reads a body to its end. Room for all that the request says it has is made once an
// eighth of it has come, so that a long body is moved seldom.
func readAll(r *http.Request) (body []byte, err error) {
	defer runtime.Gosched() // see server.afterListener: another goroutine becomes ready at the end of a body
	length := int(max(0, r.ContentLength))
	body = make([]byte, 0, min(length, believed)+bytes.MinRead)
	for {
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return body, err
		case len(body) == cap(body) && length > len(body):
			body = slices.Grow(body, min(trusted*len(body), length+bytes.MinRead)-len(body))
		case len(body) == cap(body):
			body = slices.Grow(body, len(body))
		}
	}
}

// readBody is a body that was read to its end already: Body gives its text again.
type readBody struct {
	bytes.Reader
	text []byte
}

func newReadBody(text []byte) *readBody {
	b := &readBody{text: text}
	b.Reset(text)
	return b
}

// Close serves io.ReadCloser.
func (*readBody) Close() error { return nil }

// SendAs answers with a body of a media type.
func SendAs(w http.ResponseWriter, media string, body []byte) error {
	return writeBody(w, http.StatusOK, media, body)
}

// Send answers with JSON that is written already.
func Send(w http.ResponseWriter, body ...[]byte) error {
	return writeBody(w, http.StatusOK, "application/json", body...)
}

func writeBody(w http.ResponseWriter, status int, media string, body ...[]byte) error {
	size := 0
	for _, part := range body {
		size += len(part)
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(size))
	w.WriteHeader(status)
	for _, part := range body {
		for len(part) > 0 {
			n, err := w.Write(part[:min(len(part), pieceSize)])
			if err != nil {
				return err
			}
			if part = part[n:]; len(part) > 0 {
				parallel.Yield()
			}
		}
	}
	return nil
}

// pieceSize is how much of an answer is sent before others may run: to hand the kernel a
// megabyte takes a millisecond.
const pieceSize = 64 << 10

// BoundsOf returns those of the region in service where there is one alone, for hints.
func BoundsOf(ctx context.Context) geo.Bounds {
	w, err := WorldOf(ctx)
	if err != nil {
		return geo.NoBounds()
	}
	return w.Bounds()
}
