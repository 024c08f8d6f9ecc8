package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/directions"
)

// auth is who may call an endpoint.
type auth string

const (
	public    auth = "none"
	keyed     auth = "key"
	signedIn  auth = "session"
	operators auth = "admin"
)

// class is what a call costs.
type class string

const (
	free              class = "free"
	standard          class = "standard"
	standardOrPremium class = "standard|premium" // premium for a truck or with an adr object
)

// row is one endpoint. The mux, OpenAPI, admission, price and the metrics'
// label all read it.
type row struct {
	method, path string
	auth         auth
	maps         bool       // open to a key of scope maps
	class        class      // what a call costs
	units        int64      // flat weight of a call; 0 is 1
	account      bool       // about an account: never cached, and limited by client network where it is public
	absent       fault.Slug // of the 501 of a deployment without the capability; "" where every one has it
	extra        bool       // beyond the contract's list, and described
	operational  bool       // for operators and the website, outside the contract and not described
	failure      envelope   // nil is a problem document
	serve        binder
}

// suffixed matches a path whose last segment is a name with a suffix, which
// the mux does not know: {y}.mvt.
var suffixed = regexp.MustCompile(`^(.*/)\{(\w+)\}(\.\w+)$`)

// pattern is where the mux finds the row: for a path with a suffix the whole
// last segment, by the name it is given there.
func (r row) pattern() (pattern, name, suffix string) {
	if r.path == "/" {
		return r.method + " /{$}", "", ""
	}
	if m := suffixed.FindStringSubmatch(r.path); m != nil {
		return r.method + " " + m[1] + "{" + m[2] + "}", m[2], m[3]
	}
	return r.method + " " + r.path, "", ""
}

// label names the endpoint in metrics and logs.
func (r row) label() string { return r.method + " " + r.path }

func (r row) fail() envelope {
	if r.failure != nil {
		return r.failure
	}
	return writeProblem
}

// metered reports whether a call costs something.
func (r row) metered() bool { return r.auth == keyed && r.class != free }

// weight multiplies the units of the class.
func (r row) weight() int64 { return max(1, r.units) }

// guarded puts before a handler what its row asks for.
func (a *API) guarded(r row, h http.Handler) http.Handler {
	switch {
	case r.auth == keyed:
		h = a.admitted(r, h)
	case r.auth == signedIn:
		h = a.inSession(h)
	case r.auth == operators:
		h = a.byOperator(h)
	case r.account:
		h = a.inCrowd(h)
	}
	if r.account || r.auth == signedIn || r.auth == operators {
		h = uncached(h)
	}
	return h
}

// uncached keeps an answer out of every cache.
func uncached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// inCrowd limits what strangers may ask of an account's endpoints, and tells
// these who asks.
func (a *API) inCrowd(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := caller{a.client(r), r.UserAgent()}
		if err := a.crowd.allow(r.Context(), c.client); err != nil {
			refuse(w, r, err, writeProblem)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	})
}

// binder makes the handler of a row and describes it.
type binder func(*binding, row) http.Handler

// binding collects what Huma makes of the rows.
type binding struct {
	huma     huma.API
	captured http.Handler // of the operation that was registered last
	maxBody  int64
}

// Handle takes a typed operation's handler from Huma instead of mounting it,
// so that every row goes through the same middleware.
func (b *binding) Handle(op *huma.Operation, handler func(huma.Context)) {
	b.captured = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if op.RequestBody != nil {
			if err := sound(r, op.RequestBody.Required); err != nil {
				refuse(w, r, err, writeProblem)
				return
			}
		}
		handler(&call{inner: humago.NewContext(op, r, w)})
	})
}

// ServeHTTP completes huma.Adapter; requests never come this way.
func (b *binding) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "not mounted", http.StatusInternalServerError)
}

// sound reads the body and refuses what is no JSON object or says a thing
// twice, before Huma decodes it. A body that is not required may be empty.
func sound(r *http.Request, required bool) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return unread(err)
	}
	if !required && len(bytes.TrimSpace(body)) == 0 {
		r.Body = http.NoBody
		return nil
	}
	if _, err := directions.Object(body); err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// call is a Huma context whose status a problem may correct: Huma answers 422
// where this contract says 400.
type call struct {
	inner
	status int
}

// inner is a name under which huma.Context can be embedded: its own would
// hide its method Context.
type inner = huma.Context

// Header reads a header of the request. Bodies are JSON here whatever the
// caller calls them: many clients send none or a form's media type.
func (c *call) Header(name string) string {
	if strings.EqualFold(name, "Content-Type") {
		return "application/json"
	}
	return c.inner.Header(name)
}

// SetStatus sends the status.
func (c *call) SetStatus(code int) {
	if c.status != 0 {
		code = c.status
	}
	c.inner.SetStatus(code)
}

// asOurs turns Huma's own errors into problems.
func asOurs(ctx huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	var p *Problem
	switch {
	case m.Status == http.StatusRequestEntityTooLarge:
		p = asProblem(fault.New(fault.TooLarge, "%s", m.Detail))
	case m.Status >= http.StatusInternalServerError:
		p = asProblem(fault.New(fault.Internal, "something went wrong here"))
	default:
		p = asProblem(invalid(m))
	}
	if c, ok := ctx.(*call); ok {
		c.status = p.Status
	}
	return p, nil
}

// missing finds the name in Huma's sentence about a member that is not there.
var missing = regexp.MustCompile(`^expected required property (\S+) to be present$`)

// invalid makes one failure of all that Huma found wrong.
func invalid(m *huma.ErrorModel) error {
	var all []fault.Violation
	for _, e := range m.Errors {
		at, _ := strings.CutPrefix(e.Location, "body")
		at, _ = strings.CutPrefix(at, "query")
		at = strings.TrimPrefix(at, ".")
		v := fault.Violation{Location: at, Value: e.Value, Message: e.Message}
		if e.Message == validation.MsgUnexpectedProperty {
			v.Value = nil // it is the whole object, and may hold a secret
		}
		if name := missing.FindStringSubmatch(e.Message); name != nil {
			v = fault.Violation{Location: strings.TrimPrefix(at+"."+name[1], "."), Message: "is missing"}
		}
		if v.Location == "" {
			v.Location = "body"
		}
		all = append(all, v)
	}
	if err := fault.Invalid(all...); err != nil {
		return err
	}
	return fault.New(fault.BadRequest, "%s", m.Detail)
}

// on binds a typed endpoint: Huma reads and checks In, describes In and Out.
func on[In, Out any](doc huma.Operation, h func(context.Context, *In) (*Out, error)) binder {
	return func(b *binding, r row) http.Handler {
		describe(b, r, &doc)
		doc.MaxBodyBytes = b.maxBody
		huma.Register(b.huma, doc, func(ctx context.Context, in *In) (*Out, error) {
			out, err := h(ctx, in)
			if err != nil {
				return nil, asProblem(err)
			}
			return out, nil
		})
		return b.captured
	}
}

// raw binds an endpoint that reads the request and writes the answer itself.
// It returns a failure instead of writing one.
func raw(doc huma.Operation, h func(http.ResponseWriter, *http.Request) error) binder {
	return func(b *binding, r row) http.Handler {
		describe(b, r, &doc)
		b.huma.OpenAPI().AddOperation(&doc)
		return failing(h, r.fail())
	}
}

// unlisted binds an operational endpoint, which OpenAPI leaves out.
func unlisted(h func(http.ResponseWriter, *http.Request) error) binder {
	return func(_ *binding, r row) http.Handler { return failing(h, r.fail()) }
}

func failing(h func(http.ResponseWriter, *http.Request) error, write envelope) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			refuse(w, r, err, write)
		}
	})
}

// schema describes a Go type in the document's components.
func schema[T any](b *binding) *huma.Schema {
	return b.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, reflect.TypeFor[T]().Name())
}
