package schema

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Input reads what a handler is given. It is safe for concurrent use.
type Input[In any] struct {
	unknown    Unknown
	parameters []parameter
	body       *member // nil where there is none
	warnings   []int   // path of the field of them; nil where there is none
	optional   bool    // the body may be left out
}

// parameter is a field that is read from the path, the query or the headers.
type parameter struct {
	in, name string
	path     []int
	node     *node
	rules    rules
	required bool
}

// member is the field named Body.
type member struct {
	path []int
	node *node
	hint string // a name for its type
}

// InputOf gives the reader of a handler's input, a struct with fields tagged
// path, query or header, and perhaps one named Body. It panics for a type that
// cannot be described, which is a defect.
func InputOf[In any](unknown Unknown) *Input[In] {
	t := reflect.TypeFor[In]()
	p := &Input[In]{unknown: unknown}
	p.plan(t, t, nil)
	return p
}

func (p *Input[In]) plan(root, t reflect.Type, path []int) {
	for f := range fieldsOf(t) {
		at := append(append([]int{}, path...), f.Index...)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			p.plan(root, f.Type, at)
		case f.Type == warningsType:
			p.warnings = at
		case f.Name == "Body":
			n := readable(f.Type)
			p.body, p.optional = &member{at, n, root.Name() + f.Name}, n.kind == pointer
		default:
			p.parameter(t, f, at)
		}
	}
}

func (p *Input[In]) parameter(t reflect.Type, f reflect.StructField, at []int) {
	for _, in := range []string{"path", "query", "header"} {
		name := f.Tag.Get(in)
		if name == "" {
			continue
		}
		n := planOf(f.Type)
		base := n
		if n.kind == pointer {
			base = n.elem
		}
		switch base.kind {
		case boolean, integer, natural, float, text, moment, textual:
		default:
			panic(fmt.Sprintf("schema: %s.%s cannot be read from a %s", t, f.Name, in))
		}
		p.parameters = append(p.parameters, parameter{
			in: in, name: name, path: at, node: n, rules: rulesOf(t, f, n, true), required: in == "path" || f.Tag.Get("required") == "true",
		})
	}
}

// HasBody reports whether a body is read, and whether it may be left out.
func (p *Input[In]) HasBody() (has, optional bool) { return p.body != nil, p.optional }

// Read reads a request. Its body, already read, is the second argument; values
// of the path are those of r.PathValue. Of a parameter that is given several
// times the first counts, as one without a value does not. Errors are those of
// Plan.Read.
func (p *Input[In]) Read(r *http.Request, body []byte, into *In, bounds geo.Bounds) ([]engine.Warning, error) {
	v := reflect.ValueOf(into).Elem()
	if err := p.readParameters(r, v); err != nil {
		return nil, err
	}
	if p.body == nil || p.optional && strings.TrimSpace(string(body)) == "" {
		return nil, nil
	}
	n, target := p.body.node, v.FieldByIndex(p.body.path)
	if n.kind == pointer {
		target.Set(reflect.New(n.elem.typ))
		n, target = n.elem, target.Elem()
	}
	warnings, err := read(r.Context(), body, n, target, Options{p.unknown, bounds})
	if p.warnings != nil {
		v.FieldByIndex(p.warnings).Set(reflect.ValueOf(Warnings(warnings)))
	}
	return warnings, err
}

func (p *Input[In]) readParameters(r *http.Request, v reflect.Value) error {
	if len(p.parameters) == 0 {
		return nil
	}
	c := &Context{ctx: r.Context()}
	var query url.Values
	for i := range p.parameters {
		q := &p.parameters[i]
		value, at := "", q.name
		switch q.in {
		case "path":
			value, at = r.PathValue(q.name), "path."+q.name
		case "header":
			value = r.Header.Get(q.name)
		default:
			if query == nil {
				query = queryOf(r.URL.RawQuery)
			}
			value = query.Get(q.name)
		}
		c.enter(at)
		c.parameter(q, value, v.FieldByIndex(q.path))
		c.leave()
	}
	return fault.Invalid(c.bad...)
}

// queryOf reads a query. A semicolon is part of a value, as in lists of
// coordinates; a pair that is not well-formed is left out.
func queryOf(raw string) url.Values {
	values, _ := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	return values
}

// parameter reads the value of a parameter; "" is none.
func (c *Context) parameter(q *parameter, value string, v reflect.Value) {
	switch {
	case value != "":
	case q.required:
		c.Refuse("", nil, "%s", q.rules.missing(q.node))
		return
	default:
		if q.rules.preset.IsValid() {
			v.Set(q.rules.preset)
		}
		return
	}
	n := q.node
	if n.kind == pointer {
		v.Set(reflect.New(n.elem.typ))
		n, v = n.elem, v.Elem()
	}
	before := c.refused
	switch n.kind {
	case boolean:
		b, err := strconv.ParseBool(value)
		if err != nil {
			c.Refuse("", value, "must be true or false")
		}
		v.SetBool(b)
	case integer, natural, float:
		c.cursor = cursor{text: []byte(value)}
		if !json.Valid(c.cursor.text) || !c.number(n, &q.rules, v) {
			c.Refuse("", value, "must be %s", q.rules.wanted(n))
		}
	default:
		c.texted(n, &q.rules, v, value)
	}
	if n.checks && c.refused == before {
		v.Addr().Interface().(Checker).Check(c)
	}
}

// Describe adds the parameters and the body to an operation, except those that
// it has already.
func (p *Input[In]) Describe(doc *Document, op *Operation) {
	for i := range p.parameters {
		q := &p.parameters[i]
		if described(op.Parameters, q) {
			continue
		}
		s := doc.field(&field{node: q.node, rules: q.rules})
		s.Nullable = false
		described := &Parameter{Name: q.name, In: q.in, Description: s.Description, Required: q.required, Schema: s}
		if q.in == "query" {
			described.Explode = new(bool) // a list, if ever there is one, is one value
		}
		op.Parameters = append(op.Parameters, described)
	}
	if p.body == nil || op.RequestBody != nil {
		return
	}
	s := doc.of(p.body.node, p.body.hint)
	if p.unknown != Refuse {
		doc.Open(s)
	}
	op.RequestBody = &RequestBody{Required: !p.optional, Content: map[string]*MediaType{"application/json": {Schema: s}}}
}

func described(all []*Parameter, q *parameter) bool {
	for _, other := range all {
		if other.Name == q.name && other.In == q.in {
			return true
		}
	}
	return false
}
