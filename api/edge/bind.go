package edge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/directions"
)

// Price is what a call costs.
type Price struct {
	Features []string // what makes it Premium, such as truck; none is Standard
	Times    int      // computations that it may take at the most; 0 is 1
}

// Priced is the input of an endpoint whose price depends on the request. It is
// asked after it was read.
type Priced interface{ Price() Price }

func (p Price) class() meter.Class {
	if len(p.Features) > 0 {
		return meter.Premium
	}
	return meter.Standard
}

// On binds a row to a handler of typed values: In is read, checked and
// described, and Out is the body of the answer.
func On[In, Out any](row Row, h func(context.Context, *In) (*Out, error)) Row {
	_, priced := any(new(In)).(Priced)
	if row.Class == StandardOrPremium && !priced {
		panic("edge: " + row.Label() + " cannot be priced")
	}
	ask := func(ctx context.Context, in *In) (*Out, error) {
		if row.Class == StandardOrPremium {
			if err := CallOf(ctx).Reserve(ctx, any(in).(Priced).Price()); err != nil {
				return nil, AsProblem(err)
			}
		}
		out, err := h(ctx, in)
		if err != nil {
			return nil, AsProblem(err)
		}
		return out, nil
	}
	row.bind = func(b *binding, r Row) http.Handler {
		doc := r.operation(b)
		doc.MaxBodyBytes, doc.DefaultStatus = b.maxBody, r.Status
		if r.Status == http.StatusNoContent {
			huma.Register(b.huma, *doc, func(ctx context.Context, in *In) (*struct{}, error) {
				_, err := ask(ctx, in)
				return nil, err
			})
			return b.captured
		}
		huma.Register(b.huma, *doc, func(ctx context.Context, in *In) (*answered[Out], error) {
			out, err := ask(ctx, in)
			if err != nil {
				return nil, err
			}
			return &answered[Out]{*out}, nil
		})
		return b.captured
	}
	return row
}

type answered[Out any] struct{ Body Out }

// Reading is a request that a function reads, and what is done with it.
type Reading[R any] struct {
	Read   func(r *http.Request) (R, error)
	Price  func(req R) Price // of a row whose class does not say all
	Answer func(w http.ResponseWriter, r *http.Request, req R) error
}

// Read binds a row to a handler whose request a function reads and prices.
func Read[R any](row Row, reading Reading[R]) Row {
	if row.Class == StandardOrPremium && reading.Price == nil {
		panic("edge: " + row.Label() + " cannot be priced")
	}
	row.bind = func(b *binding, r Row) http.Handler {
		r.describe(b)
		return r.failing(func(w http.ResponseWriter, req *http.Request) error {
			asked, err := reading.Read(req)
			if err != nil {
				return err
			}
			if r.Class == StandardOrPremium {
				if err := CallOf(req.Context()).Reserve(req.Context(), reading.Price(asked)); err != nil {
					return err
				}
			}
			return reading.Answer(w, req, asked)
		})
	}
	return row
}

// Raw binds a row to a handler that writes its answer itself: files, pages,
// streams. It returns a failure instead of writing one.
func Raw(row Row, h func(http.ResponseWriter, *http.Request) error) Row {
	if row.Class == StandardOrPremium {
		panic("edge: " + row.Label() + " cannot be priced")
	}
	row.bind = func(b *binding, r Row) http.Handler {
		if !r.Operational {
			r.describe(b)
		}
		return r.failing(h)
	}
	return row
}

// Reserving binds a row to a handler that reads its request, reserves what it
// costs and writes its answer itself. An answer without a reservation becomes a
// 500.
func Reserving(row Row, h func(http.ResponseWriter, *http.Request) error) Row {
	row.bind = func(b *binding, r Row) http.Handler {
		r.describe(b)
		return r.failing(h)
	}
	return row
}

// failing writes what a handler fails with.
func (r Row) failing(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := h(w, req); err != nil {
			refuse(w, req, err, r.envelope())
		}
	})
}

// Unread says why a body could not be read.
func Unread(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return fault.Wrap(err, fault.BadRequest, "the body could not be read to its end")
}

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
				refuse(w, r, err, problems)
				return
			}
		}
		handler(&humaCall{inner: humago.NewContext(op, r, w)})
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
		return Unread(err)
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

// humaCall is a Huma context whose status a problem may correct: Huma answers 422
// where this contract says 400.
type humaCall struct {
	inner
	status int
}

// inner is a name under which huma.Context can be embedded: its own would
// hide its method Context.
type inner = huma.Context

// Header reads a header of the request. Bodies are JSON here whatever the
// caller calls them: many clients send none or a form's media type.
func (c *humaCall) Header(name string) string {
	if strings.EqualFold(name, "Content-Type") {
		return "application/json"
	}
	return c.inner.Header(name)
}

// SetStatus sends the status.
func (c *humaCall) SetStatus(code int) {
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
		p = AsProblem(fault.New(fault.TooLarge, "%s", m.Detail))
	case m.Status >= http.StatusInternalServerError:
		p = AsProblem(fault.New(fault.Internal, "something went wrong here"))
	default:
		p = AsProblem(invalid(m))
	}
	if c, ok := ctx.(*humaCall); ok {
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
