// Package schema is the one description of what a caller sends: a Go struct with
// tags. From it follow the reader, which checks everything and says what is
// wrong or had no effect, and the description in OpenAPI 3.1, so that neither
// can say what the other does not.
//
// # Describing
//
// A member is a field with a json tag. It is required unless the tag has
// omitempty or omitzero, or required:"false" stands beside it; required:"later" is
// described as required, and whoever uses the value refuses it. Embedded structs
// belong to the struct they stand in. Further tags, which JSON Schema has by the
// same names: doc, default, enum, minimum, maximum, exclusiveMinimum,
// exclusiveMaximum, minItems, maxItems, minLength and maxLength (in characters),
// pattern, format (date-time, date, uuid), nullable, example. Tags that say how
// a refusal is worded: unit ("degrees"), of (what the entries of a list are:
// "locations"). trim:"true" takes white space off both ends of a text before
// anything is checked. enum, minimum and the like speak of the entries where
// the field is a list.
//
// A field with a default has it where the member is left out, but a pointer
// stays nil: the user of the value chooses its default. null is the same
// as leaving out a member that is not required; where it is required, null is
// taken only by a pointer or with nullable:"true".
//
// effect:"passed", "binding" or "none" stands beside a Raw, which
// is known, checked and not used: see UnknownMembers.
//
// # Reading
//
//	plan := schema.Of[Request]()
//	warnings, err := plan.Read(ctx, body, &request, schema.Options{Unknown: schema.Warn})
//
// reads a body in one pass. The error is a fault of kind BadRequest that lists
// everything that is wrong, up to MostViolations.
//
//	type In struct {
//		ID    string `path:"id" doc:"of the key"`
//		Limit int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
//		Match string `header:"If-None-Match"`
//		Body  Change // or *Change, nil where there is no body
//	}
//	input := schema.InputOf[In](schema.Refuse)
//	warnings, err := input.Read(r, body, &in, bounds)
//
// reads what a handler is given. Fields of embedded structs count too. A
// parameter of the query or a header may be a pointer, nil where it is not
// given; with required:"true" it must be. A list of texts is a parameter of the query that
// may stand as often as its maxItems says. A field of type Warnings gets those of
// the body, and one of type RawBody the body as it came.
//
// # Documenting
//
//	doc := schema.NewDocument(info)
//	op.Responses["200"] = schema.JSON("", doc.Schema(reflect.TypeFor[Answer]()))
//	input.Describe(doc, op) // parameters and body
//	doc.Add("POST", "/route", op)
//
// Named structs become components and are referred to.
package schema

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Limits of what is read and reported.
const (
	MaxDepth       = 64     // of objects and lists in one another
	MaxMembers     = 10_000 // of one object, besides those that are known
	MostViolations = 20     // that one refusal lists
	MostWarnings   = 40     // that one answer carries, besides a last one that says so
)

// Codes of the gateway's own warnings, above those of the engines.
const (
	UnknownMember = 901
	UnknownOption = 902
	WithoutEffect = 903
)

// Unknown says how members that are not known are treated.
type Unknown int

// These say what is done with unknown members.
const (
	Warn   Unknown = iota // they are named in a warning: questions
	Refuse                // they are violations: changes
	Drop                  // nothing is said
)

// Options of reading.
type Options struct {
	Unknown Unknown
	Bounds  geo.Bounds // of the region, for hints; empty where unknown
}

// Plan reads values of one type. It is safe for concurrent use.
type Plan[T any] struct{ node *node }

// Of returns the plan of a type. It panics for a type that cannot be described or
// read, which is a defect.
func Of[T any]() *Plan[T] {
	return &Plan[T]{readable(reflect.TypeFor[T]())}
}

// Has reports whether a struct has a member of a name.
func (p *Plan[T]) Has(name string) bool {
	_, ok := p.node.index[name]
	return ok
}

// Read reads a body into a value. Its raw members alias the body, which must not
// change after. The warnings are nil where there is an error, which is a fault
// of kind BadRequest, or that of the context.
func (p *Plan[T]) Read(ctx context.Context, body []byte, into *T, o Options) ([]engine.Warning, error) {
	return read(ctx, body, p.node, reflect.ValueOf(into).Elem(), o)
}

func read(ctx context.Context, body []byte, n *node, v reflect.Value, o Options) ([]engine.Warning, error) {
	if err := sound(body); err != nil {
		return nil, err
	}
	r := &reader{&Context{Bounds: o.Bounds, ctx: ctx, unknown: o.Unknown, path: make([]step, 0, 8)}, cursor{text: body}}
	isObject := n.kind != object || r.peek() == '{'
	var ok bool
	if isObject {
		ok = r.value(n, &none, v)
	} else {
		ok = r.skip()
	}
	if err := r.err(ok && r.peek() == 0 && r.cursor.at == len(body)); err != nil {
		return nil, err
	}
	if !isObject {
		return nil, fault.New(fault.BadRequest, "the body must be a JSON object")
	}
	return r.warnings, nil
}

// Decode reads raw, a part of what a Decoder was given, by the plan of its type;
// at is where it stands in that. It reports whether nothing in it was refused.
func Decode[T any](c *Context, at string, raw []byte, into *T) bool {
	r, before := reader{c, cursor{text: raw}}, c.refused
	if at != "" {
		c.enter(at)
		defer c.leave()
	}
	r.value(planOf(reflect.TypeFor[T]()), &none, reflect.ValueOf(into).Elem())
	return c.refused == before
}

// Fits reads raw, a part of what a Decoder was given, where it is of a type, and
// reports whether it is. It says nothing of what is wrong and ends there.
func Fits[T any](c *Context, raw []byte, into *T) bool {
	alone := reader{&Context{ctx: c.ctx, quiet: MostViolations}, cursor{text: raw}}
	ok := alone.value(planOf(reflect.TypeFor[T]()), &none, reflect.ValueOf(into).Elem())
	return ok && alone.refused == 0
}

// Refused returns the error of a single member of a struct, as
// it came; nil where nothing is.
func (p *Plan[T]) Refused(name string, raw json.RawMessage) []fault.Violation {
	f := &p.node.fields[p.node.index[name]]
	r := reader{&Context{ctx: context.Background(), unknown: Drop}, cursor{text: raw}}
	r.enter(name)
	r.value(f.node, &f.rules, reflect.New(f.node.typ).Elem())
	return r.bad
}

// Raw is a value as it came, once it was found to be one of T.
type Raw[T any] json.RawMessage

// DecodeJSON checks it.
func (r *Raw[T]) DecodeJSON(c *Context, raw json.RawMessage) {
	var v T
	if Decode(c, "", raw, &v) {
		*r = Raw[T](raw)
	}
}

// Describe describes what it must be.
func (Raw[T]) Describe(doc *Document) *Schema { return doc.Schema(reflect.TypeFor[T]()) }

// Decoder is a type that reads itself, from JSON that is well-formed and says
// nothing twice. null does not come to it.
type Decoder interface {
	DecodeJSON(c *Context, raw json.RawMessage)
}

// Checker is a type with rules beyond its tags, such as those across the members of a
// struct. Check is called after the value was read, where nothing in it was refused. A
// struct calls Check of those that it embeds itself, unless it has no rules of its own and
// embeds one. Where a struct is refused, Check is still called for the embedded structs in
// which nothing was refused.
type Checker interface{ Check(c *Context) }

// Hinter is a struct that explains refusals of its members. Hint returns what is added to
// the refusal of a member such as "lat"; "" adds nothing.
type Hinter interface {
	Hint(c *Context, member string) string
}

// Worded is a type of text that is one of a few words, as the tag enum says of a
// field.
type Worded interface{ Words() []string }

// Describer is a type that describes itself in OpenAPI.
type Describer interface {
	Describe(doc *Document) *Schema
}

// Warnings are those of a body, in the input of a handler.
type Warnings []engine.Warning

// RawBody is the body as it came, in the input of a handler.
type RawBody []byte

// UnknownMembers collects the members of a struct that has a field of this type: those
// that are not known, and those that a tag says are not read. The reader says
// nothing of them.
type UnknownMembers []Member

// Member is a member of a request as it came.
type Member struct {
	Name   string
	Effect string // of the tag; "" for one that is not known
	Raw    json.RawMessage
}
